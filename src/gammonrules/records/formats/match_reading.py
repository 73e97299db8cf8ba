"""A match as all readers replay it by the rules, so that it gives the same events in any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Protocol

import attrs
from attrs import define, field

from gammonrules.analysis import Analysis, PlayAnalysis
from gammonrules.analysis.internals import StoredAnalysis, decoded
from gammonrules.board import Play, Win
from gammonrules.dice import Dice
from gammonrules.errors import GammonError
from gammonrules.match import (
    TO_ACT,
    Action,
    Cube,
    Double,
    Forfeit,
    MatchState,
    Phase,
    Player,
    RecordEvent,
    SetPosition,
)
from gammonrules.match.internals import (
    cube_that_counts,
    highest_win,
    levels_that_count,
    make_event,
    why_not_award,
    win_points,
)
from gammonrules.records.transcript import (
    NOT_REPLAYED,
    Finding,
    FindingKind,
    FindingLog,
    Game,
    Match,
    RecordedResult,
    Severity,
    kind_of_refusal,
    make_game,
    odd_resignations,
    quoted,
    renumbered,
    score_after,
)
from gammonrules.records.transcript.header_tags import Tags
from gammonrules.rules import Rules
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
    events: list[RecordEvent] = field(init=False, factory=list)
    states: list[MatchState] = field(init=False)
    """The start, and the state after each event."""
    places: list[Place] = field(init=False, factory=list)
    """The place of each event."""
    analyses: dict[int, StoredAnalysis | None] = field(init=False, factory=dict)
    """Analyses by the index of the event that makes the decision."""
    notes: dict[int, list[str]] = field(init=False, factory=dict)
    """Remarks in the file, by the index of the event."""
    unplayed: StoredAnalysis | None = field(init=False, default=None)
    """The analysis of a roll that was not played."""
    cut: bool = field(init=False, default=False)
    """Whether the rest of the game is not replayed."""
    only_its_end_follows: bool = field(init=False, default=False)
    """Whether nothing comes after the present action but the end of the game, which the file states."""
    coin_length: int | None = field(kw_only=True, default=None)
    """The length that the file of a coin game states, as a match of which a program has analyzed it; else None."""
    _has_bad_analysis: bool = field(init=False, default=False)
    _line: int | None = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.state = self.start
        self.states = [self.start]
        self._line = self.place.line

    # --- findings ---------------------------------------------------------------------------------------------------

    def report(
        self, severity: Severity, kind: FindingKind, note: str, place: Place | None = None
    ) -> None:
        if self.findings.is_full(severity, kind):  # before the text is made, which takes time
            return
        place = place or self.place
        self.findings.report(
            severity, kind, note, text=place.text, line=place.line, row=place.row, game=self.index
        )

    def stop(self, kind: FindingKind, note: str, severity: Severity = Severity.ERROR) -> None:
        self.leave_rest_out()
        rest = "the game ends here, as the record states it"
        if self.cut:
            rest = NOT_REPLAYED
        self.report(severity, kind, f"{note}; {rest}")

    def leave_rest_out(self) -> None:
        """Leave out an action, and all that comes after it; if that is only the stated end, the end is taken."""
        self.cut = not self.only_its_end_follows or self.state.phase is Phase.OPENING

    def stop_at_error(self, error: GammonError) -> None:
        """Stop the replay of this game at what the rules forbid, or what cannot be read."""
        self.stop(kind_of_refusal(error), str(error))

    def refuse_analysis(self, why: str, place: Place | None = None) -> None:
        """Report an analysis that is left out, once a game."""
        if not self._has_bad_analysis:
            self._has_bad_analysis = True
            self.report(Severity.WARNING, FindingKind.UNREADABLE_ANALYSIS, why, place)

    def report_no_result(self) -> None:
        self.report(Severity.INFO, FindingKind.UNFINISHED_GAME, "the game has no result")

    def report_inferred_resignation(self, words: str) -> None:
        """Report a resignation that is inferred from what the record states."""
        note = f"the game stops before its end, and {words}: the loser is taken to have resigned"
        self.report(Severity.INFO, FindingKind.RESIGN_WITHOUT_MARKER, note)

    # --- actions; each raises GammonError if the rules forbid it ------------------------------------------------------

    def keep(self, event: RecordEvent) -> None:
        self.events.append(event)
        self.states.append(self.state)
        self.places.append(self.place)

    def apply(self, event: RecordEvent) -> None:
        self.state = self.state.apply(event)
        self.keep(event)

    def do(self, action: Action, by: Player, argument: object = None) -> None:
        if action is Action.DOUBLE and self.state.phase is Phase.OPENING and self.starter_rerolls:
            self.give_first_turn(by)
        self.apply(make_event(action, by, argument))

    def do_roll(self, by: Player, dice: Dice) -> None:
        self.state = self.state.roll(dice, by=by)
        self.keep(make_event(Action.ROLL, by, dice))

    def do_play(self, by: Player, play: Play) -> None:
        """A legal play; the record keeps its canonical text."""
        self.state = self.state.play(play, by=by)
        self.keep(make_event(Action.PLAY, by, str(play)))

    def roll(self, by: Player, dice: Dice) -> None:
        """Any roll: it may open the game, or take a beaver, which programs do not write down."""
        offer = self.state.offer
        if offer is None and self.state.on_roll is not None:  # nearly always
            self.do_roll(by, dice)
            return
        if isinstance(offer, Double) and offer.beavers > 0 and offer.by is by:
            # the player who doubled rolls, so the last of the beavers was taken
            self.do(Action.TAKE, offer.answerer)
        if self.state.phase is Phase.OPENING:
            self.open_game(by, dice)
        else:
            self.do_roll(by, dice)

    def open_game(self, by: Player, dice: Dice) -> None:
        """The first roll of a game, which its starter has won, or has made after winning an opening roll."""
        if self.starter_rerolls:
            self.give_first_turn(by)
            self.do_roll(by, dice)
        elif dice.is_doublet:
            note = "no game opens with a doublet; it is replayed like any other roll"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
            self.give_first_turn(by)
            self.do_roll(by, dice)
        else:
            # White's die comes first; the starter threw the higher one
            faces = (dice.high, dice.low) if by is Player.WHITE else (dice.low, dice.high)
            self.apply(make_event(Action.OPENING_ROLL, TO_ACT, faces))

    @property
    def starter_rerolls(self) -> bool:
        """Whether the opening roll only decides who starts, so that files show the roll after it."""
        return self.start.rules.opening == "reroll"

    def give_first_turn(self, by: Player) -> None:
        """The first turn of a player whose opening roll is not shown."""
        analysis = self.analyses.pop(len(self.events), None)
        self.apply(SetPosition(self.state.view(by), by))
        self.analyze_next(analysis)  # it is of the roll or the double that follows

    def only_legal_play(self, by: Player, play: Play) -> None:
        note = f"the play is not shown; {play} is the only legal one"
        self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)
        self.do_play(by, play)

    def resign(self, loser: Player, level: Win) -> None:
        """A resignation that was accepted."""
        self.offer_resignation(loser, level)
        self.do(Action.ACCEPT, loser.opponent)

    def offer_resignation(self, loser: Player, level: Win) -> None:
        """An offer to resign; if it comes after a roll, its analysis is the luck of that roll."""
        if self.unplayed is not None and self.state.phase is Phase.TO_PLAY:
            self.analyze_next(_luck_alone(self.as_analyzed(self.unplayed, self.state)))
        self.do(Action.RESIGN, loser, level)
        self.unplayed = None

    def end_early(self, loser: Player, points: int | None, words: str) -> None:
        """The end of a game that stops before its end, or did not begin.

        `words`: from what a resignation is inferred; empty if that need not be reported.
        """
        if self.state.phase is Phase.OPENING:
            is_award = points is not None and points != 0 and self.is_award(loser, points)
            if not is_award:  # nobody can resign yet
                self.report_no_result()
                return
        if words:
            self.report_inferred_resignation(words)
        self.give_up(loser, points)

    def stated_end(
        self, winner: Player, points: int | None, text: str, line: int | None
    ) -> RecordedResult:
        """The end that the file states; whether it wins the match follows from the score."""
        length = self.start.length
        wins_match = False
        if length is not None and points is not None:
            wins_match = self.start.score[winner] + points >= length
        return RecordedResult(winner, points, and_the_match=wins_match, text=text, line=line)

    def give_up(self, loser: Player, points: int | None) -> None:
        """End a game that stops before its end: by a forfeit if only that gives these points, else by a resignation.

        `points`: those that the file states; None if it states none.
        """
        if points is not None and self.is_award(loser, points):
            self.forfeit(loser, points)
        else:
            self.resign(loser, self.level_for(loser, [] if points is None else [points]))

    def forfeit(self, loser: Player, points: int, *, stated: bool = False) -> None:
        """A game that the loser forfeits: the file states that, or else it is inferred."""
        why = "the record says so" if stated else "no play or resignation gives this result"
        note = f"{loser.title()} forfeits the game, for {counted(points, 'point')}: {why}"
        self.award(loser, points, note)

    def award(self, loser: Player, points: int, note: str) -> None:
        self.report(Severity.WARNING, FindingKind.FORFEIT, note)
        self.apply(Forfeit(loser, points))

    # --- what a resignation gives now ---------------------------------------------------------------------------------

    def is_award(self, loser: Player, points: int) -> bool:
        """Whether these points must have been awarded.

        Points that win the match exactly, or are its length, and that no level of resignation reaches are those of a
        match that was forfeited as a whole. Before the opening roll nobody can resign.
        """
        length = self.state.length
        if length is None:
            return False
        wins_match = points in (length, self.points_needed(loser.opponent))
        if not wins_match or why_not_award(length, points):
            return False
        if self.state.phase is Phase.OPENING:
            return True
        return points > self.points_if_resigned(Win.BACKGAMMON)

    def level_for(self, loser: Player, stated: list[int]) -> Win:
        """The level of resignation that gives one of the stated points.

        Points that no level gives mean the lowest level that gives more, of those at which the game can still be lost
        if one of them does; so Galaxy's, which are capped in the last game at those still needed, are understood too.
        More points than that mean the highest level that counts. Without any it is the lowest at which the game can
        still be lost.
        """
        if not stated:
            levels = levels_that_count(self.state, loser.opponent)
            return levels[0] if levels else Win.SINGLE
        # the lowest level first
        points_of_levels = {level: self.points_if_resigned(level) for level in Win}
        for points in stated:
            for level, points_of_level in points_of_levels.items():
                if points_of_level == points:
                    return level
        for points in stated:
            higher = [level for level, more in points_of_levels.items() if more > points]
            possible = set(higher).intersection(levels_that_count(self.state, loser.opponent))
            if higher:
                return min(possible or higher)
        return self.highest_win

    def points_needed(self, winner: Player) -> int | None:
        """The points that a player still needs to win the match; None in money play."""
        return None if self.state.length is None else self.state.length - self.state.score[winner]

    def points_if_resigned(self, level: Win) -> int:
        """The points of the winner if this level is resigned, and accepted."""
        points: int = win_points(
            self.state.rules,
            cube=self.cube_resigned.value,
            win=min(level, self.highest_win),
            loser_pips=0,
        )
        return points

    @property
    def highest_win(self) -> Win:
        """The highest level that counts if the player resigns."""
        return highest_win(self.state.rules, self.state.length, self.cube_resigned)

    @property
    def cube_resigned(self) -> Cube:
        return cube_that_counts(self.state.cube, self.state.pending_double)

    def analyze_next(self, analysis: StoredAnalysis | None) -> None:
        """Add the analysis of the decision that the next event makes."""
        if analysis is not None:
            self.analyses[len(self.events)] = analysis

    def as_analyzed(self, stored: StoredAnalysis | None, state: MatchState) -> Analysis | None:
        """Decode the analysis of the decision in this state, as the program made it."""
        if self.coin_length is not None:
            state = _as_in_a_match(state, self.coin_length)
        return decoded(stored, state)

    def remark(self, text: str) -> None:
        self.notes.setdefault(max(0, len(self.events) - 1), []).append(text)

    def game(
        self, number: int, stated: RecordedResult | None = None, comments: tuple[str, ...] = ()
    ) -> Game:
        """The game as far as it was replayed; what is about no event of it is left out."""
        indexes = range(len(self.events))
        index_of_next_event = len(self.events)
        rows = tuple([place.row for place in self.places])
        lines = tuple([place.line for place in self.places])
        # the states of a coin game are of money play, and none that the program analyzed
        if self.coin_length is not None:
            for index, stored in self.analyses.items():
                state = self.states[index]
                is_over = state.result is not None
                self.analyses[index] = None if is_over else self.as_analyzed(stored, state)
        analyses: tuple[StoredAnalysis | None, ...] = ()
        if self.analyses:
            analyses = tuple(map(self.analyses.get, indexes))
        notes: tuple[str | None, ...] = ()
        if self.notes and self.events:
            texts = {index: "\n".join(remarks) for index, remarks in self.notes.items()}
            notes = tuple(map(texts.get, indexes))
        return make_game(
            number=number,
            start=self.start,
            events=tuple(self.events),
            comments=comments,
            stated=stated,
            rows=rows,
            line=self._line,
            lines=lines,
            cut=self.cut,
            analyses=analyses,
            notes=notes,
            pending_analysis=self.analyses.get(index_of_next_event),
            _states=tuple(self.states),
        )


def _luck_alone(analysis: Analysis | None) -> PlayAnalysis | None:
    """The luck of a roll, without the plays that its player could have made."""
    if not isinstance(analysis, PlayAnalysis) or analysis.luck is None:
        return None
    return PlayAnalysis((), None, analysis.luck, engine=analysis.engine)


def _as_in_a_match(state: MatchState, length: int) -> MatchState:
    """A state of money play, as if it were of a match."""
    cube = state.cube
    if cube.owner is None:
        cube = Cube(1)  # a match has no automatic doubles
    # it has no beavers either, so that no offer of one may be left in the state
    return attrs.evolve(state, length=length, cube=cube, offer=None)


CALLED_ILLEGAL: Final = (
    "the program that wrote the record calls this play illegal; the position that it gives is used"
)
MAX_GAMES: Final = 5_000
"""Games of one text; the largest file has room for some three thousand real ones."""


def most_games_in(text: str) -> int:
    """The games of a text that are read: a game costs time however short it is, and hardly any real one is shorter."""
    return min(MAX_GAMES, 200 + len(text) // 400)


def longest_run(flags: Iterable[bool]) -> int:
    """The most true flags in a row."""
    longest = 0
    run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        longest = max(longest, run)
    return longest


def next_player_of(event: SetPosition, before: MatchState, after: MatchState) -> Player:
    """The player whom a file names where a position is set by hand, and so how the board is seen.

    In a game that this ends nobody is on roll, and the event may name either player; a file with a roll before it must
    name the other one, to whom the turn would pass.
    """
    if after.result is None or before.on_roll is None:
        return event.on_roll
    return before.on_roll.opponent


WINS_BY_FORFEIT = " wins by forfeit"
"""The end of a comment that says that the game was awarded to the player it names."""


def points_gained(
    before: tuple[int, int], after: tuple[int, int] | None
) -> tuple[Player, int] | None:
    """The winner and the points, if exactly one side's score grew."""
    if after is None:
        return None
    white = after[0] - before[0]
    black = after[1] - before[1]
    if white > 0 and black == 0:
        return Player.WHITE, white
    if black > 0 and white == 0:
        return Player.BLACK, black
    return None


# --- the games, one after another -------------------------------------------------------------------------------------


@define
class MatchReading:
    """A match that is replayed game by game: a reader begins each by `start`, and puts it into `games`."""

    length: int | None
    """To which the games are played."""
    rules: Rules
    findings: FindingLog
    """The findings so far; those about games have the numbers in the file until the match is complete."""
    games: dict[int, Game] = field(init=False, factory=dict)
    """The games replayed so far, by their numbers in the file, counted from 1."""
    had_crawford: bool = field(init=False, default=False)
    """Whether the Crawford game has begun."""

    @property
    def score(self) -> tuple[int, int]:
        """The score after the last game that was replayed."""
        if not self.games:
            return (0, 0)
        last_game = next(reversed(self.games.values()))
        return score_after(last_game)

    def start(
        self,
        index: int,
        heading: Place,
        score: tuple[int, int] | None,
        *,
        crawford: bool | None = None,
        cube: Cube | None = None,
    ) -> MatchState | None:
        """Begin a game as the file states it; None, after a finding, if no game can begin like this.

        Args:
            index: its number in the file, counted from 1.
            heading: the place of what the file states about it.
            score: the score before it; None if only the games before it tell.
            crawford: whether it is the Crawford game; None if only the scores tell.
            cube: the cube before the first roll, which ties may have doubled; None for the usual one.
        """
        if crawford is None and self.had_crawford:
            crawford = False  # there is only one; else the score tells
        try:
            start = MatchState.new(
                self.length,
                rules=self.rules,
                score=self.score if score is None else score,
                crawford=crawford,
            )
            if cube is not None and cube != start.cube:
                start = attrs.evolve(start, cube=cube)
        except GammonError as error:
            note = f"no game can start like this, so the game is left out: {error}"
            kind = FindingKind.SCORE_DOES_NOT_FOLLOW
            self.report(index, heading, Severity.ERROR, kind, note)
            return None
        self.had_crawford = self.had_crawford or start.crawford
        return start

    def report(
        self, index: int, heading: Place, severity: Severity, kind: FindingKind, note: str
    ) -> None:
        """Report what is odd about the heading of a game."""
        self.findings.report(severity, kind, note, text=heading.text, line=heading.line, game=index)

    def match(
        self,
        players: tuple[str, str],
        length: int | None,
        tags: Tags,
        comments: Iterable[str],
        format: str,
        rolls: int | None = None,
    ) -> Match:
        """The match, whose games are numbered without those that are left out.

        `length`: the one that the file states, which differs from that of the games in a coin game.
        """
        games = tuple(self.games.values())
        numbers_in_file = list(self.games)
        findings = renumbered(self.findings, numbers_in_file)
        resignations = list(odd_resignations(games, tags))
        if resignations:
            log = FindingLog.after(findings)
            log.extend(resignations)
            findings = tuple(log)
        return Match(
            players,
            length,
            games,
            self.rules,
            tags,
            comments=tuple(comments),
            format=format,
            findings=findings,
            stated_rolls=rolls,
        )


def coin_game(
    stated: int | None, played: int | None, text: str, line: int | None
) -> Iterator[Finding]:
    """The finding about a coin game, whose games are not played to the stated length; see `Match.is_coin_game`."""
    if played != stated:
        note = "this is a coin game, one game of money play written as a match"
        yield Finding(
            Severity.INFO,
            kind=FindingKind.COIN_GAME,
            game=None,
            row=None,
            text=quoted(text),
            explanation=note,
            line=line,
        )
