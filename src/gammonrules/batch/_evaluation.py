"""What an evaluator of the caller says of boards, checked; and its values as the other side sees them.

Values are equities in points, `(M,)`, or five chances in the order of `Chances`, `(M, 5)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.batch.locking import locked
from gammonrules.board.array_checks import Floats, Rows, numbers_for, refuse_first
from gammonrules.values import counted

Evaluate: TypeAlias = Callable[[Rows], npt.ArrayLike]
"""What boards are worth to the player on roll, before the roll: an equity each, or five chances, of a float dtype."""

CHANCES = 5


def evaluated(evaluate: Evaluate, boards: Rows, width: tuple[int, ...] | None = None) -> Floats:
    """The values of one live board or more, `(M, *width)`: `()` or `(5,)`, either unless given.

    The function gets a read-only copy, and its errors pass through; the values are a copy as well.

    Raises:
        ArgumentError: it returned anything but finite floats of this shape, or chances that are impossible.
    """
    floats = (
        "a float, or five chances,"
        if width is None
        else "five chances, as before,"
        if width
        else "a float"
    )
    expected = f"evaluate returns {floats} for each of {counted(len(boards), 'board', ',')}"
    widths = [(), (CHANCES,)] if width is None else [width]
    values = numbers_for(
        evaluate(locked(boards)), "evaluate", len(boards), "f", expected, *widths
    ).astype(np.float64)
    sentence = "evaluate, row {}: {} is no value; finite numbers are needed"
    size = values[:1].size
    refuse_first(
        ~np.isfinite(values).ravel(), lambda at: sentence.format(at // size, values.flat[at])
    )
    label = "evaluate, row {} (equity.nested cuts chances)".format
    return values if values.ndim == 1 else chances_fitting(values, label)


def chances_fitting(rows: Floats, label: Callable[[int], str]) -> Floats:
    """See `equity.arrays.fitting`. Raises ArgumentError."""
    # That package takes time to load, and most programs need none of it.
    from gammonrules.equity import arrays  # noqa: PLC0415

    return arrays.fitting(rows, label)


def finished(results: Rows, width: tuple[int, ...]) -> Floats:
    """The values of finished games, from their `outcomes`: points, or chances of 0 and 1."""
    values = results[:, None] * [1, 1, 1, -1, -1] >= [1, 2, 3, 2, 3] if width else results
    return values.astype(np.float64)


def flipped(values: Floats) -> Floats:
    """The same values as the other side sees them."""
    from gammonrules.equity import arrays  # noqa: PLC0415

    return -values if values.ndim == 1 else arrays.flip(values)


def cubeless_equity(values: Floats) -> Floats:
    """Points won on average, without a cube."""
    from gammonrules.equity import arrays  # noqa: PLC0415

    return values if values.ndim == 1 else arrays.points(values)
