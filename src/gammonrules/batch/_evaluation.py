"""What an evaluator of the caller says of boards, checked; and its values as the other side sees them.

Values are equities in points, `(M,)`, or five chances in the order of `Chances`, `(M, 5)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.batch.locking import locked
from gammonrules.board.array_checks import Bools, Floats, Rows, first, plain_array, refuse_first, what
from gammonrules.equity import Chances
from gammonrules.errors import ArgumentError
from gammonrules.problems import saying_where
from gammonrules.values import counted

Evaluate: TypeAlias = Callable[[Rows], npt.ArrayLike]
"""What boards are worth to the player on roll, before the roll: an equity each, or five chances, of a float dtype."""

CHANCES = 5
_ROUNDING = 1e-3 + 1e-9  # as in `Chances`


def evaluated(evaluate: Evaluate, boards: Rows, width: tuple[int, ...] | None = None) -> Floats:
    """The values of one live board or more, `(M, *width)`: `()` or `(5,)`, either unless given.

    The function gets a read-only copy, and its errors pass through; the values are a copy as well.

    Raises:
        ArgumentError: it returned anything but finite floats of this shape, or chances that are impossible.
    """
    array = plain_array(evaluate(locked(boards)), "evaluate")
    shapes = [(len(boards), *each) for each in ([(), (CHANCES,)] if width is None else [width])]
    if array.dtype.kind != "f" or array.shape not in shapes:
        floats = "a float, or five chances," if width is None else "five chances, as before," if width else "a float"
        expected = f"evaluate returns {floats} for each of {counted(len(boards), 'board', ',')}"
        raise ArgumentError(f"{expected}, not {what(array)}")
    values = array.astype(np.float64)
    _check(values.reshape(len(boards), -1))
    return values if values.ndim == 1 else np.clip(values, 0, 1, out=values)


def _check(values: Floats) -> None:
    width = values.shape[1]
    sentence = "evaluate, row {}: {} is no value; finite numbers are needed"
    refuse_first(~np.isfinite(values).ravel(), lambda at: sentence.format(at // width, values.flat[at]))
    if width == CHANCES:
        wholes = np.stack([values[:, 0], values[:, 1], 1 - values[:, 0], values[:, 3]], axis=1)
        impossible: Bools = np.abs(values - 0.5) > 0.5 + _ROUNDING
        impossible[:, 1:] |= values[:, 1:] > wholes + _ROUNDING
        at = first(impossible.ravel())
        if at is not None:
            with saying_where(f"evaluate, row {at // width}"):
                Chances(*values[at // width].tolist())


def finished(results: Rows, width: tuple[int, ...]) -> Floats:
    """The values of finished games, from their `outcomes`: points, or chances of 0 and 1."""
    if not width:
        return results.astype(np.float64)
    return (results[:, None] * [1, 1, 1, -1, -1] >= [1, 2, 3, 2, 3]).astype(np.float64)


def flipped(values: Floats) -> Floats:
    """The same values as the other side sees them."""
    if values.ndim == 1:
        return -values
    mine = values[:, [0, 3, 4, 1, 2]]
    mine[:, 0] = 1 - mine[:, 0]
    return mine


def equity_of(values: Floats) -> Floats:
    """Points won on average, without a cube."""
    if values.ndim == 1:
        return values
    win, gammon, backgammon, lose_gammon, lose_backgammon = values.T
    points: Floats = 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon
    return points
