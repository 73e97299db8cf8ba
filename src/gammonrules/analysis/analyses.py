"""An engine's analysis of a decision, as a record keeps it.

The library keeps these numbers but judges nothing by them.

Equities are normalized and cubeful: points per unit of the cube that was in force before the decision, so that a game
dropped there costs 1. In a match, engines call this EMG: the equity at which the chance of winning the match is the
same. Chances are from 0 to 1; wins include gammons, and gammons include backgammons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, TypeAlias

from attrs import field, frozen

from gammonrules._shared.checked_fields import Bounds, Checked, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.analysis.chances import Chances, ChancesLike, to_chances, to_chances_or_none
from gammonrules.analysis.levels import UNKNOWN, Level, level_of_text
from gammonrules.board import Play, Position
from gammonrules.board.internals import Maker
from gammonrules.match import Action, MatchState
from gammonrules.match.internals import ActionName, action_named

_Chance: TypeAlias = Annotated[float, Bounds(0, 1)]
Triple: TypeAlias = tuple[float | None, float | None, float | None]
"""Numbers without doubling, after a take and after a drop."""
MIN_SEEN = 0.0005
"""The smallest cost of a decision that is visible in three decimals."""


def _to_chances_double_take(value: ChancesLike | None) -> Chances | None:
    return None if value is None else to_chances(value, "chances_double_take")


@frozen
class Candidate(Checked, JsonField):
    """A play that an engine evaluated.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        play: the play in canonical notation.
        position: the position after it, as the opponent, who is then on roll, sees it.
        equity: the normalized equity for the player who plays, or None if the file does not give it.
        chances: for the player who plays, or None. A tuple or list of five numbers becomes `Chances`.
        level: how deep the engine looked, such as "2-ply", "XG Roller++" or "rollout"; a text is read as a `Level`.
        standard_error: the standard error of the equity, if it comes from a rollout, or None.
        mwc: the chance of winning the match, if the file gives it, or None.

    Raises:
        ArgumentError: attributes have the wrong type, or a number is not finite.

    Examples:
        >>> after = Position.start().play("8/5 6/5", (3, 1))
        >>> Candidate("8/5 6/5", after, 0.159, level="2-ply").equity
        0.159
        >>> chances = 0.55, 0.15, 0.01, 0.12, 0.005
        >>> Candidate("8/5 6/5", after, chances=chances).chances.win
        0.55
    """

    play: str
    position: Position
    equity: float | None = None
    chances: Chances | None = field(default=None, converter=to_chances_or_none)
    level: Level = field(default=UNKNOWN, converter=level_of_text)
    standard_error: Annotated[float, Bounds(0)] | None = None
    mwc: _Chance | None = None


@frozen
class PlayAnalysis(Checked, JsonField):
    """An engine's analysis of the plays of a roll.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        candidates: the plays that were evaluated, best first, as the file lists them. An engine looks deeper at the
            plays that seem best, so a play further down may have a higher equity from a shallower search.
        played: the index in `candidates` of the play that was made, or None if it is not among them.
        luck: the luck of the roll, as normalized equity, or None.
        stated_error: what the play cost, as the file says: 0 or more, or None.
        engine: the program and its version, as far as the file says, else "".

    Raises:
        ArgumentError: attributes have the wrong type, a number is not finite, or there is no candidate `played`.

    Examples:
        >>> plays = Position.start().legal_plays("31")
        >>> best, other = plays.find("8/5 6/5"), plays.find("24/23 13/10")
        >>> first = Candidate(str(best), best.position, 0.159)
        >>> second = Candidate(str(other), other.position, -0.016)
        >>> analysis = PlayAnalysis((first, second), played=1)
        >>> analysis.best.play, analysis.made.play, round(analysis.error, 3)
        ('8/5 6/5', '24/23 13/10', 0.175)
    """

    candidates: tuple[Candidate, ...] = ()
    played: Annotated[int, Bounds(0)] | None = None
    luck: float | None = None
    stated_error: Annotated[float, Bounds(0)] | None = None
    engine: str = ""

    def _problems(self) -> Iterator[str]:
        wrong = wrong_fields(self)
        yield from wrong
        if not wrong and self.played is not None and self.played >= len(self.candidates):
            yield f"played is {self.played}, but there are {len(self.candidates)} candidates"

    @property
    def best(self) -> Candidate | None:
        """The candidate that the engine put first, or None if it lists none."""
        return self.candidates[0] if self.candidates else None

    @property
    def made(self) -> Candidate | None:
        """The candidate that was played, or None if it is not among the candidates."""
        return None if self.played is None else self.candidates[self.played]

    @property
    def error(self) -> float | None:
        """What the play cost: the equity of the best candidate minus that of the play made, never below 0.

        If an equity is missing, it is `stated_error`.
        """
        best = self.best
        made = self.made
        if best is None or made is None or best.equity is None or made.equity is None:
            return self.stated_error
        return max(0.0, best.equity - made.equity)

    def _repr_html_(self) -> str:
        return _tabled(self)


@frozen
class CubeAnalysis(Checked, JsonField):
    """An engine's analysis of doubling and of the answer, always from the view of the player who may double.

    The decision to double and the answer to it share this analysis, with the same numbers.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        no_double: the normalized equity without doubling, in units of the cube before doubling, or None.
        double_take: the equity of a double that is taken, in the same unit, or None.
        double_drop: the equity of a double that is dropped, 1 unless the file says otherwise.
        chances: the chances without doubling, or None. A tuple or list of five numbers becomes `Chances`.
        chances_double_take: the chances after a double that is taken, or None. It accepts the same as `chances`.
        level: how deep the engine looked; a text is read as a `Level`.
        standard_errors: the standard errors of `no_double` and `double_take` from a rollout, or None.
        mwc: the chances of winning the match without doubling, after a take and after a drop, if the file gives them.
        stated_error: what the decision to double or not cost, as the file says: 0 or more, or None.
        stated_answer_error: what the answer cost, as the file says, or None.
        engine: the program and its version, as far as the file says, else "".

    Raises:
        ArgumentError: attributes have the wrong type, or a number is not finite.

    Examples:
        >>> analysis = CubeAnalysis(no_double=0.8, double_take=1.25)
        >>> analysis.best, analysis.best_answer, analysis.equity_double
        (<Action.DOUBLE: 'double'>, <Action.DROP: 'drop'>, 1.0)
        >>> actions = Action.ROLL, Action.DOUBLE, Action.TAKE, Action.DROP
        >>> [analysis.equity_of(action) for action in actions]
        [0.8, 1.0, -1.25, -1.0]
        >>> [analysis.equity_of_best(action) for action in actions]
        [1.0, 1.0, -1.0, -1.0]
        >>> [round(analysis.error_of(action), 3) for action in actions]
        [0.2, 0.0, 0.25, 0.0]
        >>> CubeAnalysis(1.25, 1.5).best  # too good to double
        <Action.ROLL: 'roll'>
    """

    no_double: float | None = None
    double_take: float | None = None
    double_drop: float | None = 1.0
    chances: Chances | None = field(default=None, converter=to_chances_or_none)
    chances_double_take: Chances | None = field(default=None, converter=_to_chances_double_take)
    level: Level = field(default=UNKNOWN, converter=level_of_text)
    standard_errors: Annotated[tuple[float | None, float | None], "a pair of numbers"] | None = None
    mwc: (
        Annotated[tuple[_Chance | None, _Chance | None, _Chance | None], "a tuple of three chances"]
        | None
    ) = None
    stated_error: Annotated[float, Bounds(0)] | None = None
    stated_answer_error: Annotated[float, Bounds(0)] | None = None
    engine: str = ""

    @property
    def equity_double(self) -> float | None:
        """The equity of doubling, if the opponent answers with the better of take and drop for them."""
        if self.double_take is None or self.double_drop is None:
            return None
        return min(self.double_take, self.double_drop)

    @property
    def best(self) -> Action | None:
        """`Action.DOUBLE` or `Action.ROLL`, whichever has the higher equity (rolling if they are equal), or None.

        If a drop is worth as much as rolling, both are right. Players then call it "double, drop", not "too good".
        """
        double = self.equity_double
        if double is None or self.no_double is None:
            return None
        return Action.DOUBLE if double > self.no_double else Action.ROLL

    @property
    def best_answer(self) -> Action | None:
        """`Action.TAKE` or `Action.DROP`, whichever is better for the answerer (a take if they are equal), or None."""
        if self.double_take is None or self.double_drop is None:
            return None
        return Action.TAKE if self.double_take <= self.double_drop else Action.DROP

    def equity_of(self, action: Action | ActionName) -> float | None:
        """The equity of an action, for the player who chooses it; None if it is not known, and for a beaver.

        Args:
            action: `ROLL` or `DOUBLE` for the player who may double; `TAKE` or `DROP` for the opponent.

        Raises:
            ArgumentError: there is no such action.
        """
        match action_named(action):
            case Action.ROLL:
                return self.no_double
            case Action.DOUBLE:
                return self.equity_double
            case Action.TAKE:
                equity_for_doubler = self.double_take
            case Action.DROP:
                equity_for_doubler = self.double_drop
            case _:
                return None
        # what the doubler has, the answerer loses
        return None if equity_for_doubler is None else -equity_for_doubler

    def equity_of_best(self, action: Action | ActionName) -> float | None:
        """The equity of the best action in the same decision, for the player who chooses. It may be this action.

        Raises:
            ArgumentError: there is no such action.
        """
        best = self.best if action_named(action) in _DOUBLING else self.best_answer
        return None if best is None else self.equity_of(best)

    def error_of(self, action: Action | ActionName) -> float | None:
        """What an action cost the player who chose it, 0 or more. If an equity is missing, it is the stated error.

        Raises:
            ArgumentError: there is no such action.
        """
        done = self.equity_of(action)
        best = self.equity_of_best(action)
        if done is None or best is None:
            return self.stated_error if action in _DOUBLING else self.stated_answer_error
        return max(0.0, best - done)

    def _repr_html_(self) -> str:
        return _tabled(self)


def _tabled(analysis: Analysis) -> str:
    """The table that a hint has."""
    from gammonrules.analysis.analysis_text import MAX_PLAYS, panel  # noqa: PLC0415 - which imports this module

    return panel(analysis, None, MAX_PLAYS).to_html()


_DOUBLING = (Action.ROLL, Action.DOUBLE)


Analysis: TypeAlias = PlayAnalysis | CubeAnalysis
"""The analysis of a decision: of a play, or of a double and its answer."""


def level_reached(analysis: Analysis) -> Level:
    """The level at which the engine looked at the best play, or at the cube."""
    if isinstance(analysis, CubeAnalysis):
        return analysis.level
    return UNKNOWN if analysis.best is None else analysis.best.level


@frozen
class EncodedAnalysis:
    """An analysis as it is in the file, not yet decoded, since most users of a record never look at it.

    Reading checks the numbers, so decoding never fails. `Decision.analysis` decodes.

    *Equality*: two are equal if data and decoder are equal.

    Attributes:
        data: the part of the file.
        decode: makes the analysis from the data and the state before the decision; None if there is nothing in it.
    """

    data: object
    decode: Callable[[Any, MatchState], Analysis | None]


StoredAnalysis: TypeAlias = Analysis | EncodedAnalysis


def decoded(stored: StoredAnalysis | None, state: MatchState) -> Analysis | None:
    """The analysis of the decision in this state."""
    return stored.decode(stored.data, state) if isinstance(stored, EncodedAnalysis) else stored


make_candidate = Maker(
    Candidate, "play", "position", "equity", "chances", "level", "standard_error", "mwc"
).make
"""The maker of candidates, of numbers that were checked when they were read."""


def candidate_of(
    play: Play,
    equity: float | None,
    chances: Chances | None,
    level: Level,
    standard_error: float | None = None,
    mwc: float | None = None,
) -> Candidate:
    """The candidate with the numbers of a file, which were checked."""
    return make_candidate(str(play), play.position, equity, chances, level, standard_error, mwc)


def cube_of(
    equities: Triple,
    chances: Iterable[Chances | None],
    level: Level,
    errors: Sequence[float | None] = (),
    **others: Any,
) -> CubeAnalysis:
    """The analysis with these rows of a file: chances and standard errors first without doubling, then after a take.

    Both rows, or only the second, may be missing. `others`: further attributes of the analysis.
    """
    no_double, double_take, double_drop = equities
    rows = iter(chances)
    without_doubling = next(rows, None)
    after_take = next(rows, None)
    standard_errors = None
    if len(errors) > 1:
        standard_errors = (errors[0], errors[1])
    return CubeAnalysis(
        no_double,
        double_take=double_take,
        double_drop=double_drop,
        chances=without_doubling,
        chances_double_take=after_take,
        level=level,
        standard_errors=standard_errors,
        **others,
    )


make_encoded = Maker(EncodedAnalysis, "data", "decode").make
"""The maker of encoded analyses, of which readers make one for each decision."""
