"""λ-returns, the targets of TD(λ)."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from gammonrules.board.array_checks import Ints, first, plain_array, what
from gammonrules.errors import ArgumentError
from gammonrules.values import counted, shown

if TYPE_CHECKING:
    from gammonrules.batch._games import Games


def lambda_returns(
    games: Games, values: npt.ArrayLike, lam: float, final: npt.ArrayLike | None
) -> npt.NDArray[np.float64]:
    """What `Games.lambda_returns` returns, computed from the last turns of all games back to the first."""
    ahead = _numbers("values", values, len(games.points))
    weight = _weight(lam)
    lengths = games.lengths
    returns = np.zeros(len(games.points))
    last = games.offsets[1:] - 1
    played = lengths > 0
    returns[last[played]] = _at_the_end(games, final)[played]
    by_length = np.argsort(-lengths, kind="stable")
    most = int(lengths.max(initial=0))
    longer: Ints = np.searchsorted(-lengths[by_length], -np.arange(most))  # how many games have more turns than this
    for turn in range(len(longer) - 2, -1, -1):
        rows = games.offsets[by_length[: longer[turn + 1]]] + turn
        returns[rows] = -((1 - weight) * ahead[rows + 1] + weight * returns[rows + 1])
    return returns


def _at_the_end(games: Games, final: npt.ArrayLike | None) -> npt.NDArray[np.float64]:
    """The return of the last turn of each game, as its player sees it."""
    white_was_last = (games.starters + games.lengths) % 2 == 1
    ended = np.where(white_was_last, games.equities, -games.equities)
    unknown = np.isnan(ended)
    stopped = first(unknown)
    if final is None and stopped is not None:
        raise ArgumentError(
            f"final: game {games.first + stopped} was stopped, so the value of its last board is needed"
        )
    return ended if final is None else np.where(unknown, -_numbers("final", final, len(games)), ended)


def _weight(lam: object) -> float:
    if isinstance(lam, bool) or not isinstance(lam, Real) or not 0 <= cast("Any", lam) <= 1:
        raise ArgumentError(f"lam must be a number from 0 to 1, not {shown(lam)}")
    return float(lam)


def _numbers(name: str, given: npt.ArrayLike, number: int) -> npt.NDArray[Any]:
    """Finite numbers, one for each turn or game."""
    array = plain_array(given, name)
    if array.dtype.kind not in "iuf" or array.shape != (number,):
        raise ArgumentError(f"{name}: expected {counted(number, 'number', ',')}, not {what(array)}")
    wrong = first(~np.isfinite(array))
    if wrong is not None:
        raise ArgumentError(f"{name}, row {wrong}: {array[wrong]} is not a number of points")
    return array.astype(np.float64)
