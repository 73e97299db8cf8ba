"""Chances in arrays, and what they are worth in many states; the only file of this package that needs NumPy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeAlias

from gammonrules._shared.extras import importing

with importing("NumPy", "this part of gammonrules.equity", "numpy"):
    import numpy as np
    import numpy.typing as npt

from gammonrules._arrays.checks import Bools, Floats, Ints, first, numbers_for, plain_array
from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis.chances import ROUNDING, Chances, ChancesLike, fit_together, five_of
from gammonrules.equity.janowski import Sides, Stakes
from gammonrules.equity.kazaross import KAZAROSS_XG2
from gammonrules.equity.match_equity_table import (
    EquityScale,
    MatchEquityTable,
    chance_between,
    from_0_to_1,
    is_after_crawford,
)
from gammonrules.errors import ArgumentError
from gammonrules.match import Player
from gammonrules.match.internals import Values
from gammonrules.values import counted, saying_where, shown

_ValueOf: TypeAlias = Callable[[Stakes, float], Values]
_CHUNK = 2**13
"""States at a time: their arrays stay in the cache of a processor."""
_WIN = 0
_WIN_GAMMON = 1
_WIN_BACKGAMMON = 2
_LOSE_GAMMON = 3
_LOSE_BACKGAMMON = 4
_COLUMNS_OF_OPPONENT = [_WIN, _LOSE_GAMMON, _LOSE_BACKGAMMON, _WIN_GAMMON, _WIN_BACKGAMMON]


def equities(
    states: Any,
    chances: npt.ArrayLike | ChancesLike,
    efficiency: float = 0,
    *,
    met: MatchEquityTable = KAZAROSS_XG2,
) -> Floats:
    """The normalized equities of the players on roll in many states: those of `MatchEquityTable.equity_from`.

    In money play they are points for a cube of 1. Nobody is just about to double.

    Args:
        states: the `batch.MatchStates`, of which score, rules and cube count. While a double is pending, the cube is
            that before doubling, and the player on roll is the doubler. Of a game that is over, what counts is the
            score before it.
        chances: `(N, 5)`, how each game may end for the player on roll, in the order of `Chances`. `Chances`, or a
            tuple or list of five numbers, count as one row.
        efficiency: how useful the cube is, from 0 (the default) to 1, as for `MatchEquityTable.chance_from`.
        met: the match equity table.

    Returns:
        `(N,) float64`, NaN where `equity_from` answers None: before an opening roll, for example.

    Raises:
        ArgumentError: `chances` have another shape, or `Chances` refuses a row, or another argument is wrong.

    Examples:
        >>> from gammonrules import batch, equity
        >>> states = batch.MatchStates.new(2, length=7, score=(3, 2)).apply(
        ...     "opening_roll", dice=[(3, 1), (1, 3)]
        ... )
        >>> five = [(0.62, 0.21, 0.01, 0.09, 0), (0.38, 0.09, 0, 0.21, 0.01)]
        >>> equity.equities(states, five, 0.68).round(3)
        array([ 0.58, -0.58])
    """
    return _values_of_states(_cubeful, states, chances, efficiency, met)


def doubling_windows(
    states: Any,
    chances: npt.ArrayLike | ChancesLike,
    efficiency: float = 0,
    *,
    met: MatchEquityTable = KAZAROSS_XG2,
) -> Floats:
    """When the players on roll in many states may double, and when their opponents take: `doubling_window` in arrays.

    Args:
        states: as for `equities`.
        chances: as for `equities`.
        efficiency: as for `equities`.
        met: the match equity table.

    Returns:
        `(N, 2) float64`: the double point and the cash point of each `DoublingWindow`, both chances of the player on
        roll, or NaN where they may not double.

    Raises:
        ArgumentError: as for `equities`.

    Examples:
        >>> from gammonrules import batch, equity
        >>> states = batch.MatchStates.new(1, length=7, score=(3, 2)).apply(
        ...     "opening_roll", dice=[(3, 1)]
        ... )
        >>> chances = [(0.62, 0.21, 0.01, 0.09, 0)]
        >>> equity.doubling_windows(states, chances, 0.68).round(3)
        array([[0.614, 0.673]])
    """
    return _values_of_states(_window, states, chances, efficiency, met)


def nested(chances: npt.ArrayLike | ChancesLike) -> Floats:
    """Chances in rows that need not fit together, such as a network's outputs, cut as `Chances.nested` cuts them.

    Args:
        chances: `(N, 5)` finite numbers, in the order of `Chances`. `Chances`, or a tuple or list of five numbers,
            count as one row.

    Raises:
        ArgumentError: they have another shape, or are not finite.

    Examples:
        >>> from gammonrules import equity
        >>> equity.nested([(0.75, 0.76, 0.01, 0.5, -1e-7)])
        array([[0.75, 0.75, 0.01, 0.25, 0.  ]])
    """
    rows = _five_columns(chances)
    wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(wrong):
        raise ArgumentError(f"chances, row {wrong[0]}: five finite numbers are needed")
    five = rows.clip(0, 1)
    win = five[:, _WIN]
    win_gammon = np.minimum(five[:, _WIN_GAMMON], win)
    lose_gammon = np.minimum(five[:, _LOSE_GAMMON], 1 - win)
    five[:, _WIN_GAMMON] = win_gammon
    five[:, _WIN_BACKGAMMON] = np.minimum(five[:, _WIN_BACKGAMMON], win_gammon)
    five[:, _LOSE_GAMMON] = lose_gammon
    five[:, _LOSE_BACKGAMMON] = np.minimum(five[:, _LOSE_BACKGAMMON], lose_gammon)
    return five


def flip(chances: npt.ArrayLike | ChancesLike) -> Floats:
    """Chances in rows, `(N, 5)`, as the opponent sees them, as by `Chances.flip`; NaN stays NaN.

    `Chances`, or a tuple or list of five numbers, count as one row.

    Raises:
        ArgumentError: they have another shape.

    Examples:
        >>> from gammonrules import equity
        >>> equity.flip([(0.75, 0.25, 0, 0.125, 0)])
        array([[0.25 , 0.125, 0.   , 0.25 , 0.   ]])
    """
    flipped = _five_columns(chances)[:, _COLUMNS_OF_OPPONENT]
    flipped[:, _WIN] = 1 - flipped[:, _WIN]  # what the opponent wins are the losses
    return flipped


def cubeless_equities(chances: npt.ArrayLike | ChancesLike) -> Floats:
    """What chances in rows, `(N, 5)`, are worth in money play without a cube: `(N,)`; NaN stays NaN.

    `Chances`, or a tuple or list of five numbers, count as one row.

    Raises:
        ArgumentError: they have another shape.

    Examples:
        >>> from gammonrules import equity
        >>> equity.cubeless_equities([(0.75, 0.25, 0, 0.125, 0)])
        array([0.625])
        >>> equity.cubeless_equities((0.75, 0.25, 0, 0.125, 0))
        array([0.625])
    """
    # 1 for a win and -1 for a loss are 2 win - 1
    worth: Floats = _five_columns(chances) @ np.array([2.0, 1, 1, -1, -1]) - 1
    return worth


def _in_rows(chances: npt.ArrayLike | ChancesLike) -> npt.NDArray[Any]:
    """The chances as an array; those of a single game become one row."""
    five: Any = five_of(chances) if isinstance(chances, Chances) else chances
    array = plain_array(five, "chances")
    return array[np.newaxis] if array.shape == (5,) else array


def _five_columns(chances: npt.ArrayLike | ChancesLike) -> Floats:
    array = _in_rows(chances)
    five = numbers_for(
        array, "chances", array.size // 5, "iuf", "chances: expected rows of five", (5,)
    )
    return five.astype(np.float64, copy=False)


def fitting(rows: Floats, label: Callable[[int], str]) -> Floats:
    """Rows of five chances cut to 0 to 1, which they may leave by what rounding explains.

    Raises:
        ArgumentError: a row is of no `Chances`; the message begins with the label of the first.
    """
    lowest = -ROUNDING
    highest = 1 + ROUNDING
    fits = fit_together(rows.T, ROUNDING)
    # row by row takes longer, so it is asked only if some number is out of bounds, or NaN
    are_all_in_bounds = rows.min(initial=0) >= lowest and rows.max(initial=0) <= highest
    if not are_all_in_bounds:
        fits &= ((rows >= lowest) & (rows <= highest)).all(axis=1)
    wrong = first(~fits)
    if wrong is not None:
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = rows[wrong].tolist()
        with saying_where(label(wrong)):
            # made for the error alone: it says what is wrong
            Chances(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
    return rows.clip(0, 1)


def _cubeful(stakes: Stakes, efficiency: float) -> Values:
    worth = stakes.at(efficiency)
    if stakes.length is None:
        return worth
    scale = EquityScale(won=stakes.worth(stakes.cube), lost=stakes.worth(-stakes.cube))
    return scale.equity(worth)


def _window(stakes: Stakes, efficiency: float) -> Values:
    return np.where(stakes.may_double.mine, stakes.window(efficiency), np.nan)


@np.errstate(divide="ignore", invalid="ignore")  # a win and a loss may be worth the same
def _values_of_states(
    value: _ValueOf,
    states: Any,
    chances: npt.ArrayLike | ChancesLike,
    efficiency: float,
    met: MatchEquityTable,
) -> Floats:
    """A value of each state, NaN where it is unknown."""
    if not hasattr(states, "scores_before"):
        raise ArgumentError(f"states must be batch.MatchStates, not {shown(states)}")
    check_kind("met", met, MatchEquityTable)
    cube_life = from_0_to_1("efficiency", efficiency)
    number = len(states)
    expected = f"chances: expected five for each of {counted(number, 'state', ',')}"
    five = numbers_for(_in_rows(chances), "chances", number, "iuf", expected, (5,))
    rows = fitting(five.astype(np.float64), lambda row: f"chances, row {row}")
    parts = list[Floats]()
    for begin in range(0, max(1, number), _CHUNK):
        chunk = slice(begin, begin + _CHUNK)
        stakes, unknown = _stakes(states[chunk], rows[chunk].T, met)
        # `value` looks up chances in the match equity table, which notes in `unknown` where there are none
        values = value(stakes, cube_life)
        parts.append(np.where(unknown | ~np.isfinite(values), np.nan, values))
    # a number for each state; or two rows of them, for windows, which become two columns
    return np.concatenate(parts, axis=-1).T


def _stakes(states: Any, five: Floats, met: MatchEquityTable) -> tuple[Stakes, Bools]:
    """The stakes of the players on roll, and an array that becomes true where they are unknown."""
    is_nobody_on_roll = states.on_roll < 0
    unknown: Bools = is_nobody_on_roll | (states.rules.scoring == "pips")
    # where it is nobody, any player will do
    player: Ints = np.where(is_nobody_on_roll, 0, states.on_roll)
    opponent = 1 - player
    rows = np.arange(len(player))
    score: Ints = states.scores_before.astype(np.int64)
    points = Sides(score[rows, player], score[rows, opponent])
    cube: Ints = states.cube.astype(np.int64)

    def in_points(won: Ints) -> Floats:
        return won / cube

    worth: Callable[[Ints], Floats] = in_points
    if states.length is not None:
        worth = _chances_after_games(states, player, points, met, unknown)
    stakes = Stakes(
        states.rules,
        length=states.length,
        crawford=states.crawford,
        cube=cube,
        owned=Sides(states.owners == player, states.owners == opponent),
        points=points,
        worth=worth,
        five=five,
        xp=np,
    )
    return stakes, unknown


def _chances_after_games(
    states: Any, player: Ints, points: Sides, met: MatchEquityTable, unknown: Bools
) -> Callable[[Ints], Floats]:
    """The chances by the points that the players win, or below 0 lose.

    Where the table has none, the function that is returned sets `unknown` to true.
    """
    away = states.length - points.mine
    opponent_away = states.length - points.theirs
    is_past: Bools = is_after_crawford(states.rules, away, opponent_away)
    past = is_past.astype(np.int64)  # 0 or 1, as an index of the grid
    chances = _chance_grid(met)
    most_away = chances.shape[-1] - 1

    def chance_after(won: Ints) -> Floats:
        # whoever wins points needs fewer; the other side needs what it did
        mine = np.clip(away - np.maximum(0, won), 0, most_away)
        theirs = np.clip(opponent_away + np.minimum(0, won), 0, most_away)
        chance: Floats = chances[player, past, mine, theirs]
        np.logical_or(unknown, np.isnan(chance), out=unknown)
        return chance

    return chance_after


@lru_cache(maxsize=8)
def _chance_grid(met: MatchEquityTable) -> Floats:
    """`chance_between` for White and Black, until and after the Crawford game, by the points that both need.

    They are 0, those that the table has, and one more for all that are beyond the table, where a chance is NaN.
    """
    size = len(met.before_crawford) + 2
    chances = np.full((2, 2, size, size), np.nan)
    for side, past, away, opponent_away in np.ndindex(chances.shape):
        player = Player.BLACK if side else Player.WHITE
        with suppress(LookupError):
            chances[side, past, away, opponent_away] = chance_between(
                met, player, past=past, away=away, opponent_away=opponent_away
            )
    return chances
