"""A game as a reader follows it: each action is offered to a `MatchState`, which knows the rules.

What they refuse becomes a finding and ends the replay of the game. All readers use this, so that the same match gives
the same events in any format.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final, Protocol

from attrs import define, field

from gammonrules.board import IllegalPlayError, MoveLike, Play, Win
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import TO_ACT, Action, Double, Forfeit, MatchState, Phase, Player, RecordEvent, SetPosition
from gammonrules.match.internals import make_event
from gammonrules.transcript import (
    Analysis,
    EncodedAnalysis,
    FindingKind,
    FindingLog,
    Game,
    Severity,
    Stated,
    is_award,
    known_game,
    level_for,
)
from gammonrules.values import counted


class Place(Protocol):
    """A place in a file, which a finding quotes."""

    @property
    def row(self) -> int | None:
        """The printed row number, if there is one."""

    @property
    def line(self) -> int | None:
        """The line of a text, counted from 1; in a binary file, the number of the record."""

    @property
    def text(self) -> str:
        """The words that a finding quotes."""
        ...


@define
class GameReplay:
    """The replay of one game. Set `place` before each action; findings and events get it."""

    index: int
    """The game in the record, counted from 1."""
    start: MatchState
    findings: FindingLog
    place: Place
    """Where the next event is; at first the heading of the game."""
    state: MatchState = field(init=False)
    """The last state."""
    events: list[RecordEvent] = field(init=False, factory=list)
    states: list[MatchState] = field(init=False)
    """The start, and the state after each event."""
    places: list[Place] = field(init=False, factory=list)
    """The place of each event."""
    analyses: dict[int, Analysis | EncodedAnalysis] = field(init=False, factory=dict)
    """Analyses by the index of the event that makes the decision."""
    notes: dict[int, list[str]] = field(init=False, factory=dict)
    """Remarks in the file, by the index of the event."""
    cut: bool = field(init=False, default=False)
    """Whether the rest of the game is not replayed."""
    _has_bad_analysis: bool = field(init=False, default=False)
    _line: int | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.state = self.start
        self.states = [self.start]
        self._line = self.place.line

    # --- findings ---------------------------------------------------------------------------------------------------

    def report(self, severity: Severity, kind: FindingKind, note: str, place: Place | None = None) -> None:
        """List a finding, unless there are too many of its kind."""
        place = place or self.place
        if not self.findings.is_full(severity, kind):  # before the text is made, which takes time
            text, line, row = place.text, place.line, place.row
            self.findings.report(severity, kind, note, text=text, line=line, row=row, game=self.index)

    def stop(self, kind: FindingKind, note: str, severity: Severity = Severity.ERROR) -> None:
        """Report why the rest of this game is not replayed."""
        self.cut = True
        self.report(severity, kind, f"{note}; the rest of this game is not replayed")

    def stop_at(self, error: GammonError) -> None:
        """Report what the rules, or the reader, refused."""
        kinds = {IllegalPlayError: FindingKind.ILLEGAL_PLAY, ParseError: FindingKind.UNREADABLE_LINE}
        fitting = (kind for refusal, kind in kinds.items() if isinstance(error, refusal))
        self.stop(next(fitting, FindingKind.ILLEGAL_ACTION), str(error))

    def refuse_analysis(self, why: str) -> None:
        """Report an analysis that is left out, once a game."""
        if not self._has_bad_analysis:
            self._has_bad_analysis = True
            self.report(Severity.WARNING, FindingKind.UNREADABLE_ANALYSIS, why)

    def has_no_result(self) -> None:
        self.report(Severity.INFO, FindingKind.UNFINISHED_GAME, "the game has no result")

    def has_only_points(self, words: str = "the record only states points") -> None:
        """Report a resignation that is inferred from what the record states."""
        note = f"the game stops before its end, and {words}: the loser is taken to have resigned"
        self.report(Severity.INFO, FindingKind.RESIGN_WITHOUT_MARKER, note)

    # --- actions; each raises GammonError if the rules forbid it ------------------------------------------------------

    def keep(self, event: RecordEvent) -> None:
        """Add an event that led to the present state."""
        self.events.append(event)
        self.states.append(self.state)
        self.places.append(self.place)

    def do(self, action: Action, by: Player, argument: object = None) -> None:
        event = make_event(action, by, argument)
        self.state = self.state.apply(event)
        self.keep(event)

    def do_roll(self, by: Player, dice: Dice) -> None:
        """A roll; this and `do_play` repeat what `keep` does, since nearly all actions are rolls and plays."""
        state = self.state = self.state.roll(dice, by=by)
        self.events.append(make_event(Action.ROLL, by, dice))
        self.states.append(state)
        self.places.append(self.place)

    def do_play(self, by: Player, play: Play) -> None:
        """A legal play; the record keeps its canonical text."""
        state = self.state = self.state.play(play, by=by)
        self.events.append(make_event(Action.PLAY, by, str(play)))
        self.states.append(state)
        self.places.append(self.place)

    def roll(self, by: Player, dice: Dice) -> None:
        """Any roll: it may open the game, or take a beaver, which programs do not write down.

        No game opens with a doublet: it is reported, and replayed like any other roll.
        """
        offer = self.state.offer
        if offer is None and self.state.on_roll is not None:  # nearly always
            self.do_roll(by, dice)
            return
        if isinstance(offer, Double) and offer.beavers and offer.by is by:
            self.do(Action.TAKE, offer.answerer)
        if self.state.phase is Phase.OPENING and dice.is_doublet:
            note = "no game opens with a doublet; it is replayed like any other roll"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            analysis = self.analyses.pop(len(self.events), None)
            self.set_position(SetPosition(self.state.view(by), by))
            self.analyze_next(analysis)
        if self.state.phase is not Phase.OPENING:
            self.do_roll(by, dice)
        else:
            faces = (dice.high, dice.low) if by is Player.WHITE else (dice.low, dice.high)
            self.state = self.state.opening_roll(*faces)
            self.keep(make_event(Action.OPENING_ROLL, TO_ACT, faces))

    def play(self, by: Player, moves: str | Iterable[MoveLike]) -> None:
        self.do_play(by, self.state.legal_plays.find(moves))

    def only_legal_play(self, by: Player, play: Play) -> None:
        self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, f"the play is not shown; {play} is the only legal one")
        self.do_play(by, play)

    def set_position(self, event: SetPosition) -> None:
        self.state = self.state.apply(event)
        self.keep(event)

    def resign(self, loser: Player, level: Win) -> None:
        """A resignation that is accepted."""
        self.do(Action.RESIGN, loser, level)
        self.do(Action.ACCEPT, loser.opponent)

    def give_up(self, loser: Player, points: int | None) -> None:
        """The end of a game that stops before its end: a resignation that gives these points, or else a forfeit."""
        if points is not None and is_award(self.state, loser, points):
            self.forfeit(loser, points)
        else:
            self.resign(loser, level_for(self.state, [] if points is None else [points]))

    def forfeit(self, loser: Player, points: int, *, stated: bool = False) -> None:
        """A game that the loser forfeits: the file states that, or else it is inferred."""
        why = "the record says so" if stated else "no play or resignation gives this result"
        self.award(loser, points, f"{loser.title()} forfeits the game, for {counted(points, 'point')}: {why}")

    def award(self, loser: Player, points: int, note: str) -> None:
        self.report(Severity.WARNING, FindingKind.FORFEIT, note)
        event = Forfeit(loser, points)
        self.state = self.state.apply(event)
        self.keep(event)

    # --- remarks and analyses of the last action, or the next ---------------------------------------------------------

    def analyze_next(self, analysis: Analysis | EncodedAnalysis | None) -> None:
        """Add the analysis of the decision that the next event makes."""
        if analysis is not None:
            self.analyses[len(self.events)] = analysis

    def remark(self, text: str) -> None:
        self.notes.setdefault(max(0, len(self.events) - 1), []).append(text)

    # --- the game -----------------------------------------------------------------------------------------------------

    def game(self, number: int, stated: Stated | None = None, comments: tuple[str, ...] = ()) -> Game:
        """The game, as far as it was followed."""
        count = len(self.events)
        analyses = tuple(map(self.analyses.get, range(count))) if self.analyses else ()
        notes = {index: "\n".join(texts) for index, texts in self.notes.items()}
        game = Game(
            number,
            self.start,
            tuple(self.events),
            comments,
            stated,
            tuple([place.row for place in self.places]),
            self.cut,
            line=self._line,
            lines=tuple([place.line for place in self.places]),
            analyses=analyses,
            notes=tuple(map(notes.get, range(count))) if notes and count else (),
            pending_analysis=self.analyses.get(count),
        )
        return known_game(game, tuple(self.states))


CALLED_ILLEGAL: Final = "the program that wrote the record calls this play illegal; the position that it gives is used"
MOST_GAMES: Final = 5_000
"""Games of one text; the largest file has room for some three thousand real ones."""


def most_games_in(text: str) -> int:
    """The games of a text that are read: a game costs time however short it is, and hardly any real one is shorter."""
    return min(MOST_GAMES, 200 + len(text) // 400)


def longest_run(flags: Iterable[bool]) -> int:
    """How many of these in a row are true, at the most."""
    return max((sum(run) for _, run in groupby(flags)), default=0)
