"""Legal plays of a board, from the generator that is in use.

There are two: `pure`, in Python, written to be read, and the kernel, `_kernel.c`, written to be fast. The choice is
made here, when the package is imported; `_arrays/dispatch.py` uses the same kernel for many boards at once. Both offer
the same: `legal_plays(board, high, low)`, every board that a roll leads to; `moves_to`, the moves that lead to one of
them; `turn_nodes`, the orders of moves; `Maker`, which makes values without running their constructors; `plays_of`,
which makes plays; and `faces_of`, which reads a roll. `fast_points`, and what begins with `kernel_`, are the kernel's
alone.
"""

from __future__ import annotations

import importlib
import os
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
        module = importlib.import_module("gammonrules.board._kernel")
        if getattr(module, "INTERFACE", 0) == INTERFACE:
            # a trial, which raises RuntimeError if it fails
            module.Maker(_Slotted, "first", "second")
            return module
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


kernel = compiled_kernel()
"""The kernel; None if it is not in use."""

KERNEL: Literal["c", "pure"] = "c" if kernel else "pure"
"""Which generator finds the plays: "c" for the compiled kernel, "pure" for the one in Python.

The kernel is built at installation if a C compiler is found. It is used unless the environment variable
`GAMMONRULES_PURE_PYTHON` is "1" when the package is imported. Both give the same plays in the same order.
"""

if TYPE_CHECKING:
    from gammonrules.board.pure import (
        Maker as Maker,
        faces_of as faces_of,
        legal_plays as legal_plays,
        moves_to as moves_to,
        plays_of as plays_of,
        turn_nodes as turn_nodes,
    )
else:
    _generator = kernel or pure
    Maker = _generator.Maker
    faces_of = _generator.faces_of
    legal_plays = _generator.legal_plays
    moves_to = _generator.moves_to
    plays_of = _generator.plays_of
    turn_nodes = _generator.turn_nodes
    if RECHECK:
        Maker = kernel_protocol.RecheckedMaker
        plays_of = kernel_protocol.plays_of


kernel_outcomes: Callable[[bytes, int], int] | None = (
    None if kernel is None else kernel.possible_outcomes
)
"""What `possible_outcomes` finds of a board and the number of checkers a side, as bits; None without the kernel."""
kernel_text: Callable[[bytes, int, int, bytes], str] | None = (
    None if kernel is None else kernel.text_to
)
"""The text of the play that leads from a board to a result of a roll, larger die first; None without the kernel."""


def fast_points(positions: Maker[Any], points: property) -> Any:
    """The property `points` of the class that a maker makes, in C if there is a kernel: it takes a sixth less time."""
    if kernel is None or RECHECK:  # the kernel knows its own makers only
        return points
    return kernel.points_of(positions, points.__doc__ or "")
