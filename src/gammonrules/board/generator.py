"""Legal plays of one board or many, from whichever generator is in use.

There are two for one board: `pure`, in Python, written to be read, and the kernel, `_kernel.c`, written to be fast.
The choice is made here, when the package is imported; for arrays without the kernel there is `array_generator`. Both
offer the same: `legal_plays(board, high, low)`, every board that a roll leads to; `moves_to`, the moves that lead to
one of them; `turn_nodes`, the orders of moves; `Maker`, which makes values without running their constructors;
`plays_of`, which makes plays; `faces_of`, which reads a roll; and `facts_of`, what the table of decisions has of a
board. `fast_points`, and what begins with `kernel_`, are the kernel's alone.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import attrs

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board import kernel_protocol, pure
from gammonrules.board.kernel_protocol import (
    Branch as Branch,
    Node as Node,
    PlainMove as PlainMove,
    ResultBoards as ResultBoards,
)

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

SWITCH = "GAMMONRULES_PURE_PYTHON"
INTERFACE = 14
"""Raised here and in `_kernel.c` when kernels built earlier no longer fit: other names, another order, other moves."""


@attrs.frozen
class _Slotted:
    """A class with slots, as those whose values the kernel makes."""

    first: int
    second: int


def compiled_kernel() -> ModuleType | None:
    """The kernel, or None if it was not built, is switched off, or (with a warning) does not fit."""
    is_switched_off = os.environ.get(SWITCH, "0") not in {"", "0"}
    if is_switched_off:
        return None
    try:
        kernel = importlib.import_module("gammonrules.board._kernel")
        if getattr(kernel, "INTERFACE", 0) == INTERFACE:
            # a trial, which raises RuntimeError if it fails
            kernel.Maker(_Slotted, "first", "second")
            return kernel
        reason = "it was built from other sources than the Python files beside it; install the package again"
    except ModuleNotFoundError:
        return None
    except ImportError as error:
        reason = f"it cannot be loaded: {error}"
    except RuntimeError as error:  # of the trial
        reason = f"it was not built for the objects of this Python: {error}"
    sentence = f"the compiled move generator is not used: {reason} ({SWITCH}=1 avoids this warning)"
    warnings.warn(sentence, RuntimeWarning, stacklevel=2)
    return None


_compiled = compiled_kernel()

KERNEL: Literal["c", "pure"] = "c" if _compiled else "pure"
"""Which generator finds the plays: "c" for the compiled kernel, "pure" for the one in Python.

The kernel is built at installation if a C compiler is found. It is used unless the environment variable
`GAMMONRULES_PURE_PYTHON` is "1" when the package is imported. Both give the same plays in the same order.
"""

if TYPE_CHECKING:
    from gammonrules.board.pure import (
        Maker as Maker,
        faces_of as faces_of,
        facts_of as facts_of,
        legal_plays as legal_plays,
        moves_to as moves_to,
        plays_of as plays_of,
        turn_nodes as turn_nodes,
    )
else:
    _generator = _compiled or pure
    Maker = _generator.Maker
    faces_of = _generator.faces_of
    facts_of = _generator.facts_of
    legal_plays = _generator.legal_plays
    moves_to = _generator.moves_to
    plays_of = _generator.plays_of
    turn_nodes = _generator.turn_nodes
    if RECHECK:
        Maker = kernel_protocol.RecheckedMaker
        plays_of = kernel_protocol.plays_of


kernel_outcomes: Callable[[bytes, int], int] | None = (
    None if _compiled is None else _compiled.possible_outcomes
)
"""What `possible_outcomes` finds of a board and the number of checkers a side, as bits; None without the kernel."""
kernel_text: Callable[[bytes, int, int, bytes], str] | None = (
    None if _compiled is None else _compiled.text_to
)
"""The text of the play that leads from a board to a result of a roll, larger die first; None without the kernel."""
kernel_network: Callable[[bytes], bytes] | None = None if _compiled is None else _compiled.network
"""The network whose weights a file has, for `kernel_chances`; None without the kernel."""
kernel_bearoffs: Callable[[], bytes] | None = None if _compiled is None else _compiled.bearoffs
"""Solves the table of bear-offs, for `kernel_chances`; None without the kernel."""
kernel_bearoff_efficiency: Callable[[bytes], float | None] | None = (
    None if _compiled is None else _compiled.bearoff_efficiency
)
"""How useful the cube is held to be in a bear-off of that table, None on other boards; None without the kernel."""
kernel_chances: Callable[[bytes, bytes, Any, Any, int], bool] | None = (
    None if _compiled is None else _compiled.chances
)
"""Writes what a network and a table of bear-offs say of boards into memory; None without the kernel.

With no bytes for the table it does nothing and returns False if a board may need it.
"""


def fast_points(positions: Maker[Any], points: property) -> Any:
    """The property `points` of the class that a maker makes, in C if there is a kernel: it takes a sixth less time."""
    if _compiled is None or RECHECK:  # the kernel knows its own makers only
        return points
    return _compiled.points_of(positions, points.__doc__ or "")


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
    if _compiled is None:
        return _by_numpy(what, check, *arguments)
    try:
        return getattr(_compiled, what)(*arguments)
    except ValueError:
        check()
        raise


def best_of_many(
    offsets: NDArray[int64], scores: NDArray[Any], out: NDArray[int64], check: Callable[[], None]
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
    from gammonrules.board import array_generator, array_readings  # noqa: PLC0415  NumPy is an extra

    check()
    module = array_generator if what in {"legal_plays_of_many", "best"} else array_readings
    return getattr(module, what)(*arguments)
