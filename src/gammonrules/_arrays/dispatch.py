"""Calls the functions of the kernel for arrays, or without the kernel those in NumPy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from gammonrules._arrays.checks import Ints
from gammonrules.board.internals import kernel


def of_many(what: str, check: Callable[[], object], *arguments: object) -> Any:
    """What the function of the kernel with this name returns for these arrays, or without the kernel that of NumPy.

    * "legal_plays_of_many" takes N boards and rolls, `(N, 26)` and `(N, 2)` int8. It returns offsets, results and moves
      as buffers, which NumPy reads without a copy. All others write into an array of the right shape and dtype.
    * "flip", "pip_counts", "outcomes", "features" and "to_ids" take N boards, that array, and the number of checkers a
      side.
    * "from_ids" takes N Position IDs, `(N, 14)` characters or wider. It writes their boards, and which of the texts it
      has read; `Position.from_id` knows what the others are.
    * "philox" takes a key and counters, `(N, 4)` uint32. It replaces these by the random numbers that Philox4x32-10
      makes of them.

    `check` raises an error for rows that are impossible. Without the kernel it is called first; the kernel checks the
    rows itself, so there it is called only to find out what is wrong.
    """
    if kernel is None:
        return _by_numpy(what, check, *arguments)
    try:
        return getattr(kernel, what)(*arguments)
    except ValueError:
        check()
        raise


def best_of_many(
    offsets: Ints, scores: npt.NDArray[Any], out: Ints, check: Callable[[], None]
) -> None:
    """Write the row with the highest score of each board into `out`, the first if several are equal, -1 if it has none.

    `check` raises an error for a score that is not a number. The kernel does not compare scores of every dtype; NumPy
    takes the others.
    """
    choose = of_many if scores.dtype.str in _COMPARED else _by_numpy
    choose("best", check, offsets, scores, out)


_BYTE_ORDER = "<" if sys.byteorder == "little" else ">"
_COMPARED = {f"{_BYTE_ORDER}f4", f"{_BYTE_ORDER}f8", f"{_BYTE_ORDER}i8"}
"""The dtypes of scores that the kernel compares."""


def _by_numpy(what: str, check: Callable[[], object], *arguments: object) -> Any:
    # where there is a kernel, these are seldom needed
    from gammonrules._arrays import numpy_generator, numpy_readings  # noqa: PLC0415

    check()
    module = numpy_generator if what in {"legal_plays_of_many", "best"} else numpy_readings
    return getattr(module, what)(*arguments)
