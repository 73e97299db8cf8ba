"""`Decision`: what a player decided, in which state, and how an engine analyzed it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from html import escape
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

from attrs import field, fields, frozen

from gammonrules.board import Play, Plays, Win
from gammonrules.board.internals import Maker
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, IdentifierError
from gammonrules.match import (
    Action,
    Double,
    Event,
    MatchState,
    Pair,
    Phase,
    Player,
    RecordEvent,
    SetPosition,
)
from gammonrules.match.internals import highest_turn, to_player
from gammonrules.records.transcript.analysis import (
    Analysis,
    CubeAnalysis,
    EncodedAnalysis,
    PlayAnalysis,
    decoded,
)
from gammonrules.records.transcript.panels import FEW_PLAYS, harmless, panel
from gammonrules.values import Bounds, Checked

if TYPE_CHECKING:
    from gammonrules.records.transcript.matches import Game

_Item = TypeVar("_Item")

LEAST_SEEN = 0.0005
"""What a decision costs at least of which something is seen in three decimals."""


class DecisionKind(StrEnum):
    """What is decided.

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> [str(kind) for kind in DecisionKind]
        ['double', 'answer', 'play', 'resign', 'resign_answer']
    """

    DOUBLE = "double"
    """Whether to double or to roll, where the rules allow a double."""
    ANSWER = "answer"
    """How to answer a double or a beaver: take, drop or beaver."""
    PLAY = "play"
    """How to play a roll, forced plays and dances included."""
    RESIGN = "resign"
    """To resign a single game, a gammon or a backgammon."""
    RESIGN_ANSWER = "resign_answer"
    """Whether to accept a resignation."""


@frozen
class Decision(Checked):
    """One decision in a record: who decided what, in which state, and how an engine analyzed it.

    *Equality*: two are equal if all attributes are equal. Analyses are compared as they are in the file.

    Attributes:
        kind: what was decided.
        state: the state before it.
        after: the state after it.
        player: who decided.
        action: what was done: a play in canonical notation; "double" or "roll"; "take", "drop" or "beaver"; "single",
            "gammon" or "backgammon" for a resignation; "accept" or "decline" for the answer to one.
        event: the event in the record that makes the decision.
        is_forced: whether there was only one legal play; False for other decisions.
        game: the number of the game, `Game.number`.
        turn: the turn in the game, counted from 1. A double, the answer to it and the play belong to the same turn.
        index: the index of `event` in `Game.events`.
        row: the row number in the file, or None.
        line: the line of the file, counted from 1 (of an .xg file, the record), or None.
        note: the remark in the file, or None.
        stored: the analysis as it was read, perhaps still encoded, or None; `analysis` is the same, decoded.
        plays: the number of legal plays, 1 for a dance; None for other decisions.

    Raises:
        ArgumentError: attributes have the wrong type.

    Examples:
        >>> from gammonrules.records import load
        >>> match = load("examples/matches/galaxy/match1033650.txt")
        >>> first, second, *_ = match.decisions()
        >>> isinstance(second, Decision), match.players[second.player]
        (True, 'lasse')
        >>> str(second.kind), second.action, second.line, second.analysis
        ('double', 'roll', 17, None)
        >>> decisions = list(load("examples/matches/xg/test.xg").decisions())
        >>> play = next(decision for decision in decisions if decision.error)
        >>> str(play.dice), play.action, play.best
        ('11', '24/20', '24/22(2)')
        >>> numbers = play.equity, play.equity_best, play.error, play.luck
        >>> [round(number, 3) for number in numbers]
        [-0.268, -0.212, 0.056, -0.035]
        >>> play.play_analysis.made.play, len(play.play_analysis.candidates)
        ('24/20', 10)
        >>> cubes = (decision.cube_analysis for decision in decisions)
        >>> cube = next(filter(None, cubes))
        >>> cube.best.value, round(cube.no_double, 3)
        ('roll', -0.005)
    """

    kind: DecisionKind
    state: MatchState
    after: MatchState
    player: Player = field(converter=to_player)
    action: str
    event: Event
    is_forced: bool
    game: int
    turn: Annotated[int, Bounds(1)]
    index: Annotated[int, Bounds(0)]
    row: int | None = None
    line: Annotated[int, Bounds(1)] | None = None
    note: str | None = None
    stored: PlayAnalysis | CubeAnalysis | EncodedAnalysis | None = field(default=None, repr=False)
    plays: Annotated[int, Bounds(1)] | None = None

    @property
    def dice(self) -> Dice | None:
        """The dice to be played; None unless the decision is a play, or a resignation after a roll."""
        return self.state.dice

    @property
    def analysis(self) -> Analysis | None:
        """The analysis in the file, a `PlayAnalysis` or a `CubeAnalysis`; None if there is none."""
        return decoded(self.stored, self.state)

    @property
    def play_analysis(self) -> PlayAnalysis | None:
        """`analysis` if it is a `PlayAnalysis`, else None."""
        analysis = self.analysis
        return analysis if isinstance(analysis, PlayAnalysis) else None

    @property
    def cube_analysis(self) -> CubeAnalysis | None:
        """`analysis` if it is a `CubeAnalysis`, else None."""
        analysis = self.analysis
        return analysis if isinstance(analysis, CubeAnalysis) else None

    @property
    def best(self) -> str | None:
        """The best action according to the analysis, written like `action`; None without an analysis."""
        return self._judgment.best

    @property
    def equity(self) -> float | None:
        """The normalized equity of what was done, for the player who decided; None without an analysis."""
        return self._judgment.equity

    @property
    def equity_best(self) -> float | None:
        """The normalized equity of the best action, for the player who decided; None without an analysis."""
        return self._judgment.equity_best

    @property
    def error(self) -> float | None:
        """What the decision cost according to the analysis, 0 or more; None without an analysis."""
        return self._judgment.error

    @property
    def luck(self) -> float | None:
        """The luck of the roll that was played, or given up, as normalized equity; None if the file does not say."""
        analysis = self.play_analysis
        return None if analysis is None or self.state.on_roll is not self.player else analysis.luck

    @property
    def _judgment(self) -> Judgment:
        return judgment(self.analysis, self.kind, self.event.action)

    def _drawn_(self) -> tuple[MatchState, Player, str | None, str | None]:
        """An answer is seen from the side of the double."""
        if self.kind is not DecisionKind.PLAY:
            is_answer = self.kind is DecisionKind.ANSWER
            return self.state, self.player.opponent if is_answer else self.player, None, None
        best = None
        if self.error is not None and self.error >= LEAST_SEEN:
            best = known_play(self.state.legal_plays, self.best)
        if best is None:
            return self.state, self.player, self.action, None
        return self.state, self.player, best, self.action

    def _repr_svg_(self) -> str:
        from gammonrules.draw.svg import USUAL_WIDTH, table  # noqa: PLC0415 - drawings are loaded when used

        return table(self, bottom=Player.WHITE, size=USUAL_WIDTH)  # as a cell shows the state

    def _repr_html_(self) -> str:
        analysis = self.analysis
        verdict = self._judgment
        best = "" if verdict.best is None else f"; best: {best_words(self)}"
        cost = "" if verdict.error is None else f"; cost: {verdict.error:.3f}"
        words = harmless(f"{self.player.title()}: {done_words(self)}{best}{cost}")
        shown = panel(analysis, self.event.action, FEW_PLAYS) if analysis else None
        table = shown.to_html() if shown else "<p>not analyzed</p>"
        return f"{self._repr_svg_()}<p>{escape(words)}</p>{table}"


def done_words(decision: Decision) -> str:
    """What was done, as players say it."""
    return "no double" if decision.action == Action.ROLL else decision.action


def best_words(decision: Decision) -> str:
    """What would have been best, as players say it; empty if that is not known."""
    analysis = decision.cube_analysis
    if decision.best != Action.ROLL or analysis is None:
        return decision.best or ""
    return "too good to double" if analysis.best_answer is Action.DROP else "no double"


def known_play(plays: Plays, text: str | None) -> str | None:
    """A play as it is usually spelled; None if there is no such play, as where a program wrote another text."""
    with suppress(GammonError):
        return str(plays.find(text or ""))
    return None


class Judgment(NamedTuple):
    """What an analysis says about a decision, as the properties of `Decision` with these names."""

    best: str | None
    equity_best: float | None
    equity: float | None
    error: float | None


def judgment(analysis: Analysis | None, kind: DecisionKind, action: Action) -> Judgment:
    """What an analysis, which is decoded once, says about the action that was taken."""
    if analysis is None:
        return Judgment(None, equity_best=None, equity=None, error=None)
    if isinstance(analysis, PlayAnalysis):
        best = analysis.best
        made = analysis.made
        return Judgment(
            best=None if best is None else best.play,
            equity_best=None if best is None else best.equity,
            equity=None if made is None else made.equity,
            error=analysis.error,
        )
    right = analysis.best if kind is DecisionKind.DOUBLE else analysis.best_answer
    return Judgment(
        best=None if right is None else right.value,
        equity_best=analysis.equity_of_best(action),
        equity=analysis.equity_of(action),
        error=analysis.error_of(action),
    )


_make_decision = Maker(Decision, *(attribute.name for attribute in fields(Decision))).make

_KINDS = {
    Action.PLAY: DecisionKind.PLAY,
    Action.RESIGN: DecisionKind.RESIGN,
    **dict.fromkeys((Action.DOUBLE, Action.ROLL), DecisionKind.DOUBLE),
    **dict.fromkeys((Action.TAKE, Action.DROP, Action.BEAVER), DecisionKind.ANSWER),
    **dict.fromkeys((Action.ACCEPT, Action.DECLINE), DecisionKind.RESIGN_ANSWER),
}


def decisions_of(game: Game, *, canonical: bool) -> Iterator[Decision]:
    """Each decision made in a game.

    `canonical`: whether its plays are known to be canonical text. Raises GammonError if an event breaks the rules.
    """
    turn = 1
    # nobody may double before the first roll of a game, even if that is a doublet
    index_of_first_roll = 0
    if opens_with_doublet(game.events, [*islice(game.states(), 3)]):
        index_of_first_roll = 1
    highest = _highest_values_to_double(game.start)
    rows = _one_for_each_event(game.rows, game)
    lines = _one_for_each_event(game.lines, game)
    notes = _one_for_each_event(game.notes, game)
    analyses = _one_for_each_event(game.analyses, game)
    for index, (state, after) in enumerate(pairwise(game.states())):
        event = game.events[index]
        if not isinstance(event, Event):
            if isinstance(event, SetPosition) and state.phase is Phase.TO_PLAY:
                turn += 1  # it stands for the play that was due
            continue
        kind = _KINDS.get(event.action)
        if event.action is Action.ROLL:
            may_double = index != index_of_first_roll and _may_double_to(state, highest)
            kind = DecisionKind.DOUBLE if may_double else None
        if kind is not None:
            action, plays = _decision_words(event, state, canonical=canonical)
            # by position, in the order of the fields: it is made for every decision of an archive
            yield _make_decision(
                kind,
                state,
                after,
                event.by if isinstance(event.by, Player) else state.to_act,
                action,
                event,
                plays == 1,
                game.number,
                turn,
                index,
                rows[index],
                lines[index],
                notes[index],
                analyses[index],
                plays,
            )
        if event.action is Action.PLAY:
            turn += 1


def _one_for_each_event(items: tuple[_Item, ...], game: Game) -> tuple[_Item | None, ...]:
    """The rows, lines, notes or analyses of a game, with None for the events after the last of them."""
    missing = len(game.events) - len(items)
    return (*items, *[None] * missing)


def _highest_values_to_double(start: MatchState) -> Pair[int]:
    """The highest value of the cube at which White may double, and at which Black may."""
    white, black = start.score_before
    of_white = highest_turn(start.rules, start.length, start.crawford, white)
    of_black = highest_turn(start.rules, start.length, start.crawford, black)
    return Pair((of_white, of_black))


def opens_with_doublet(events: Sequence[RecordEvent], states: Sequence[MatchState]) -> bool:
    """Whether a game begins with what `GameReplay.roll` makes of a doublet, which a text need not show otherwise."""
    if len(states) < 3 or states[0].phase is not Phase.OPENING or states[2].dice is None:
        return False
    return _only_gives_the_turn(events[0], states[0]) and states[2].dice.is_doublet


def begins_with_its_turn(events: Sequence[RecordEvent], states: Sequence[MatchState]) -> bool:
    """Whether a game begins with a turn that readers give to whoever acts first, so that texts need not show it."""
    if opens_with_doublet(events, states):
        return True
    if (
        len(states) < 3
        or states[0].phase is not Phase.OPENING
        or states[0].rules.opening != "reroll"
    ):
        return False
    is_shown = states[2].dice is not None or isinstance(states[2].offer, Double)
    return is_shown and _only_gives_the_turn(events[0], states[0])


def _only_gives_the_turn(event: RecordEvent, before: MatchState) -> bool:
    return isinstance(event, SetPosition) and event == SetPosition(
        before.view(event.on_roll), event.on_roll
    )


def _may_double_to(state: MatchState, highest: Pair[int]) -> bool:
    """Whether the player on roll may double; `highest` has the values of the cube up to which they may."""
    player = state.on_roll
    of_white, of_black = highest
    highest_of_player = of_black if player is Player.BLACK else of_white
    cube = state.cube
    return cube.owner in (None, player) and cube.value <= highest_of_player


def _decision_words(event: Event, state: MatchState, *, canonical: bool) -> tuple[str, int | None]:
    """What was done, in words, and the number of legal plays if it is a play."""
    if event.action is Action.PLAY:
        plays = state.legal_plays
        played = event.argument
        if canonical or isinstance(played, Play):
            return str(played), len(plays)
        # as every event of a play has it
        assert isinstance(played, (str, tuple))
        assert not isinstance(played, Pair)
        return str(plays.find(played)), len(plays)
    if event.action is Action.RESIGN:
        assert isinstance(event.argument, Win)  # as in every event of a resignation
        return event.argument.name.lower(), None
    return event.action.value, None


def xgid_of(state: MatchState) -> str:
    """The XGID of a state; "" for a score too high for one."""
    with suppress(IdentifierError):
        return state.xgid
    return ""


def is_of_double(state: MatchState) -> bool:
    """Whether a player may double here, or a double without beavers is to be answered."""
    if state.phase is Phase.DOUBLED:
        return state.pending_double is not None and not state.pending_double.beavers
    return Action.DOUBLE in state.legal_actions
