"""What an evaluator of the caller says of boards, checked; and its values as the other side sees them.

Values are equities in points, `(M,)`, or five chances in the order of `Chances`, `(M, 5)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Floats, Rows, numbers_for
from gammonrules._arrays.frozen_arrays import locked
from gammonrules.batch._board_arrays import CHANCES
from gammonrules.board import Win
from gammonrules.errors import ArgumentError
from gammonrules.values import counted

Evaluate: TypeAlias = Callable[[Rows], npt.ArrayLike]
"""What boards are worth to the player on roll, before the roll: an equity each, or five chances, of a float dtype."""


def evaluated(evaluate: Evaluate, boards: Rows, width: tuple[int, ...] | None = None) -> Floats:
    """The values of one live board or more, `(M, *width)`.

    `width` is that of the values which the function returned before: `()` for equities, `(5,)` for chances. None, the
    first time, allows both. The function gets a read-only copy, and its errors pass through; the values are a copy too.

    Raises:
        ArgumentError: it returned anything but finite floats of this shape, or chances that are impossible.
    """
    if width is None:
        floats = "a float, or five chances,"
        widths: list[tuple[int, ...]] = [(), (CHANCES,)]
    else:
        floats = "five chances, as before," if width else "a float"
        widths = [width]
    expected = f"evaluate returns {floats} for each of {counted(len(boards), 'board', ',')}"
    returned = evaluate(locked(boards))
    numbers = numbers_for(returned, "evaluate", len(boards), "f", expected, *widths)
    values: Floats = numbers.astype(np.float64)
    is_finite = np.isfinite(values)
    if not is_finite.all():
        first_wrong = tuple(np.argwhere(~is_finite)[0])  # a row, or a row and a column
        raise ArgumentError(
            f"evaluate, row {first_wrong[0]}: {values[first_wrong]} is no value; finite numbers are needed"
        )
    if values.ndim == 1:
        return values
    return chances_fitting(values, lambda row: f"evaluate, row {row} (equity.nested cuts chances)")


def chances_fitting(rows: Floats, label: Callable[[int], str]) -> Floats:
    """See `equity.arrays.fitting`. Raises ArgumentError."""
    # That package takes time to load, and most programs need none of it.
    from gammonrules.equity import arrays  # noqa: PLC0415

    return arrays.fitting(rows, label)


def finished(results: Rows, width: tuple[int, ...]) -> Floats:
    """The values of finished games, from their `outcomes`: points, or chances of 0 and 1."""
    if not width:
        return results.astype(np.float64)
    # a column for each chance, in the order of `Chances`: a higher win is a lower one as well
    levels = results[:, np.newaxis]
    won = levels >= [Win.SINGLE, Win.GAMMON, Win.BACKGAMMON]
    lost = -levels >= [Win.GAMMON, Win.BACKGAMMON]
    return np.concatenate([won, lost], axis=1).astype(np.float64)


def flipped(values: Floats) -> Floats:
    """The same values as the other side sees them."""
    from gammonrules.equity import arrays  # noqa: PLC0415

    return -values if values.ndim == 1 else arrays.flip(values)


def cubeless_equity(values: Floats) -> Floats:
    """Points won on average, without a cube."""
    from gammonrules.equity import arrays  # noqa: PLC0415

    return values if values.ndim == 1 else arrays.cubeless_equities(values)
