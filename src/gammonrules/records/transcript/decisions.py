"""`Decision`: what a player decided, in which state, and how an engine analyzed it."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from html import escape
from typing import Annotated

from attrs import field, frozen

from gammonrules._shared.checked_fields import Bounds, Checked
from gammonrules.analysis import Analysis, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import (
    FEW_PLAYS,
    MIN_SEEN,
    TOO_GOOD,
    EncodedAnalysis,
    best_of_doubling,
    decoded,
    harmless,
    panel,
)
from gammonrules.board import Plays
from gammonrules.dice import Dice
from gammonrules.errors import GammonError
from gammonrules.match import Action, Event, MatchState, Player
from gammonrules.match.internals import to_player


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
        analyzed = self._analyzed
        return None if analyzed is None else analyzed.best

    @property
    def equity(self) -> float | None:
        """The normalized equity of what was done, for the player who decided; None without an analysis."""
        analyzed = self._analyzed
        return None if analyzed is None else analyzed.equity

    @property
    def equity_best(self) -> float | None:
        """The normalized equity of the best action, for the player who decided; None without an analysis."""
        analyzed = self._analyzed
        return None if analyzed is None else analyzed.equity_best

    @property
    def error(self) -> float | None:
        """What the decision cost according to the analysis, 0 or more; None without an analysis."""
        analyzed = self._analyzed
        return None if analyzed is None else analyzed.error

    @property
    def luck(self) -> float | None:
        """The luck of the roll that was played, or given up, as normalized equity; None if the file does not say."""
        analyzed = self._analyzed
        return None if analyzed is None else analyzed.luck

    @property
    def _analyzed(self) -> AnalyzedDecision | None:
        analysis = self.analysis
        return None if analysis is None else with_analysis(self, analysis)

    def _drawn_(self) -> tuple[MatchState, Player, str | None, str | None]:
        """As pictures want it; a play that was no visible mistake stands for the best one."""
        if self.kind is DecisionKind.ANSWER:  # seen by the player who doubled
            return self.state, self.player.opponent, None, None
        if self.kind is not DecisionKind.PLAY:
            return self.state, self.player, None, None
        best = None
        is_mistake = self.error is not None and self.error >= MIN_SEEN
        if is_mistake:
            best = known_play(self.state.legal_plays, self.best)
        if best is None:
            return self.state, self.player, self.action, None
        return self.state, self.player, best, self.action

    def _repr_svg_(self) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415 - drawings are loaded when used

        # a notebook shows the state with White at the bottom too
        return svg.match_state(self, bottom=Player.WHITE, style=svg.NOTEBOOK_STYLE)

    def _repr_html_(self) -> str:
        words = f"{self.player.title()}: {done_words(self)}"
        if self.best is not None:
            words += f"; best: {best_words(self)}"
        error = self.error
        if error is not None:
            words += f"; cost: {error:.3f}"
        table = "<p>not analyzed</p>"
        analysis = self.analysis
        if analysis is not None:
            table = panel(analysis, self.event.action, FEW_PLAYS).to_html()
        return f"{self._repr_svg_()}<p>{escape(harmless(words))}</p>{table}"


def done_words(decision: Decision) -> str:
    """The words of players for what was done."""
    return "no double" if decision.action == Action.ROLL else decision.action


def best_words(decision: Decision) -> str:
    """The words of players for what would have been best; empty if that is not known."""
    analysis = decision.cube_analysis
    if decision.best != Action.ROLL or analysis is None:
        return decision.best or ""
    words = best_of_doubling(analysis)
    return "too good to double" if words == TOO_GOOD else words


def known_play(plays: Plays, text: str | None) -> str | None:
    """A play as it is usually spelled; None if there is no such play, as where a program wrote another text."""
    with suppress(GammonError):
        return str(plays.find(text or ""))
    return None


@frozen
class AnalyzedDecision:
    """A decision with its decoded analysis. The other attributes are the properties of `Decision` with these names."""

    decision: Decision
    analysis: Analysis
    best: str | None
    equity_best: float | None
    equity: float | None
    error: float | None
    luck: float | None


def with_analysis(decision: Decision, analysis: Analysis) -> AnalyzedDecision:
    """The decision with its analysis, which is decoded: each property of `Decision` would decode it again."""
    if isinstance(analysis, PlayAnalysis):
        best = analysis.best
        made = analysis.made
        # a player who resigns after the opponent's roll had no luck: the opponent had
        is_own_roll = decision.state.on_roll is decision.player
        return AnalyzedDecision(
            decision,
            analysis,
            best=None if best is None else best.play,
            equity_best=None if best is None else best.equity,
            equity=None if made is None else made.equity,
            error=analysis.error,
            luck=analysis.luck if is_own_roll else None,
        )
    action = decision.event.action
    right = analysis.best if decision.kind is DecisionKind.DOUBLE else analysis.best_answer
    return AnalyzedDecision(
        decision,
        analysis,
        best=None if right is None else right.value,
        equity_best=analysis.equity_of_best(action),
        equity=analysis.equity_of(action),
        error=analysis.error_of(action),
        luck=None,
    )


def name_cube_mistake(action: str) -> str:
    """Return what a wrong action with the cube is called, as the column `mistake` has it."""
    return "missed_double" if action == Action.ROLL else f"wrong_{action}"
