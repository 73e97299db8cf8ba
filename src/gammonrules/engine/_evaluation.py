"""`Evaluation`: the chances of a game, and what it is worth."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen

from gammonrules._shared.checked_fields import Bounds, Checked
from gammonrules.analysis import Candidate, Chances, CubeAnalysis, Level
from gammonrules.analysis.internals import UNKNOWN, level_of_text, to_chances
from gammonrules.board import Play, Position, Win
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable
from gammonrules.match import Action, MatchState, Player


@frozen
class Evaluation(Checked):
    """How an engine judges a state, as the player who is to act sees it, before the roll.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        chances: how the game may end. A tuple or list of five numbers becomes `Chances`.
        equity: the normalized equity with the cube, if the game has one: points per unit of the cube, and in a match
            what corresponds to the chance of winning it (`MatchEquityTable.to_equity`).
        mwc: the chance of winning the match; None in money play.
        level: how deep the engine looked; a text is read as a `records.Level`.
        standard_error: the standard error of the equity, if it comes from a rollout, or None.

    Raises:
        ArgumentError: an attribute has the wrong type, or is out of bounds.

    Examples:
        >>> from gammonrules.engine import Evaluation
        >>> from gammonrules.analysis import Chances
        >>> evaluation = Evaluation(Chances(0.52, 0.15, 0.01, 0.13, 0.01), 0.08)
        >>> evaluation.win, evaluation.lose_gammon, evaluation.flip().equity
        (0.52, 0.13, -0.08)
        >>> Evaluation((0.52, 0.15, 0.01, 0.13, 0.01), 0.08) == evaluation
        True
    """

    chances: Chances = field(converter=to_chances)
    equity: float
    mwc: Annotated[float, Bounds(0, 1)] | None = None
    level: Level = field(default=UNKNOWN, converter=level_of_text)
    standard_error: Annotated[float, Bounds(0)] | None = None

    @property
    def win(self) -> float:
        """The chance of winning the game."""
        return self.chances.win

    @property
    def win_gammon(self) -> float:
        """The chance of winning a gammon or a backgammon."""
        return self.chances.win_gammon

    @property
    def win_backgammon(self) -> float:
        """The chance of winning a backgammon."""
        return self.chances.win_backgammon

    @property
    def lose_gammon(self) -> float:
        """The chance of losing a gammon or a backgammon."""
        return self.chances.lose_gammon

    @property
    def lose_backgammon(self) -> float:
        """The chance of losing a backgammon."""
        return self.chances.lose_backgammon

    def flip(self) -> Evaluation:
        """The same as the opponent sees it."""
        mwc = None if self.mwc is None else 1 - self.mwc
        return Evaluation(
            self.chances.flip(),
            equity=-self.equity,
            mwc=mwc,
            level=self.level,
            standard_error=self.standard_error,
        )


def without_cube(chances: Chances, state: MatchState, level: Level) -> Evaluation:
    """The worth of chances to the player on roll where nobody can double."""
    equity = KAZAROSS_XG2.equity_from(chances, state)
    assert equity is not None  # the score is in the table
    mwc = None if state.length is None else KAZAROSS_XG2.chance_from(chances, state)
    return Evaluation(chances, equity, mwc, level)


def equity_in_units_of(
    state: MatchState,
    player: Player,
    evaluation: Evaluation,
    later: MatchState,
    met: MatchEquityTable = KAZAROSS_XG2,
) -> float:
    """The equity of a later state of the same game in units of the cube of `state`, for the same player."""
    if evaluation.mwc is None:
        return evaluation.equity * later.cube.value / state.cube.value
    return equity_at(evaluation.mwc, state, player, met)


def equity_at(
    mwc: float, state: MatchState, player: Player, met: MatchEquityTable = KAZAROSS_XG2
) -> float:
    """The normalized equity of a chance of winning the match."""
    equity = met.to_equity(mwc, state, player)
    return 2 * mwc - 1 if equity is None else equity


def candidate_from(play: Play, after: Evaluation) -> Candidate:
    """A play, and what it is worth."""
    return Candidate(
        str(play),
        position=play.position,
        equity=after.equity,
        chances=after.chances,
        level=after.level,
        standard_error=after.standard_error,
        mwc=after.mwc,
    )


def evaluation_of_end(
    over: MatchState,
    before: MatchState,
    player: Player,
    level: Level = UNKNOWN,
    met: MatchEquityTable = KAZAROSS_XG2,
) -> Evaluation:
    """The worth of the end of a game to a player, in units of the cube of the state before."""
    result = over.result
    assert result is not None
    win = Win.SINGLE if result.win is None else result.win  # None if it was forfeited
    is_gammon = float(win >= Win.GAMMON)
    is_backgammon = float(win >= Win.BACKGAMMON)
    if result.winner is player:
        points_won = result.points
        chances = Chances(1.0, is_gammon, is_backgammon, lose_gammon=0.0, lose_backgammon=0.0)
    else:
        points_won = -result.points
        chances = Chances(0.0, 0.0, 0.0, lose_gammon=is_gammon, lose_backgammon=is_backgammon)
    mwc = met.chance_after(before, player, points_won)
    if mwc is None:  # money play
        return Evaluation(chances, points_won / before.cube.value, level=level)
    return Evaluation(chances, equity_at(mwc, before, player, met), mwc=mwc, level=level)


def player_on_roll(state: MatchState) -> Player:
    """The player on roll in a game that has begun."""
    assert state.on_roll is not None
    return state.on_roll


def equity_of(play: Candidate) -> float:
    """The equity of a play that an engine of this library has evaluated."""
    assert play.equity is not None
    return play.equity


def equity_before_double(cube: CubeAnalysis) -> float:
    """The equity of who may double or roll, and does what is better, by an engine that gives all the numbers."""
    assert cube.no_double is not None
    assert cube.equity_double is not None
    return max(cube.no_double, cube.equity_double)


def are_bearing_off(position: Position) -> bool:
    """Whether both sides have all their checkers at home."""
    return max(position.points[7:]) <= 0 <= min(position.points[:19])


def margin_of_cube(cube: CubeAnalysis, *, is_doubled: bool = False) -> float:
    """What the smallest error would cost, by an engine that gives all the numbers.

    It is one of doubling, or of the answer, if it is right to double or this was done.
    """
    rolling = cube.no_double
    take = cube.double_take
    drop = cube.double_drop
    assert rolling is not None
    assert take is not None
    assert drop is not None
    margin = abs(rolling - min(take, drop))
    if is_doubled or cube.best is Action.DOUBLE:  # else nobody has to answer
        margin = min(margin, abs(take - drop))
    return margin
