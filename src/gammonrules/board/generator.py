"""Legal plays on plain packed values.

`legal_plays(board, high, low)` is what a twin is for: every board that a roll leads to. `pure` is the twin that people
read, `_kernel.c` the compiled one; which of them is in use is chosen here, when the package is imported. With each
come `moves_to`, which tells the moves that led to a board, a `Maker`, which makes values without running their
constructors, `plays_of`, which makes the plays, `read_points`, which reads a board, and `faces_of`, which reads a roll.
"""

from __future__ import annotations

import importlib
import os
import warnings
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from gammonrules.board import pure
from gammonrules.board.results import Boards, PlainMove

if TYPE_CHECKING:
    from numpy import int8
    from numpy.typing import NDArray

Buffer: TypeAlias = Any
"""Whatever NumPy can read without a copy (`collections.abc.Buffer` is not there before Python 3.12)."""
__all__ = [
    "KERNEL",
    "Boards",
    "Maker",
    "PlainMove",
    "compiled_twin",
    "faces_of",
    "legal_plays",
    "legal_plays_of_many",
    "moves_to",
    "plays_of",
    "read_points",
]

SWITCH = "GAMMONRULES_PURE_PYTHON"


def compiled_twin() -> ModuleType | None:
    """The compiled twin; None if it was not built, is switched off, or (with a warning) is not for this Python."""
    if os.environ.get(SWITCH, "0") not in {"", "0"}:
        return None
    try:
        return importlib.import_module("gammonrules.board._kernel")
    except ModuleNotFoundError:
        return None
    except ImportError as error:
        sentence = f"the compiled move generator is left out, as it cannot be loaded: {error} ({SWITCH}=1 avoids this)"
        warnings.warn(sentence, RuntimeWarning, stacklevel=2)
        return None


_compiled = compiled_twin()

KERNEL: Literal["c", "pure"] = "c" if _compiled else "pure"
"""Which twin generates the plays: "c", the compiled one, or "pure".

The compiled twin is there if a C compiler was when the package was built. It is in use unless the environment variable
`GAMMONRULES_PURE_PYTHON` is "1" when the package is imported. Both give the same plays in the same order.
"""

if TYPE_CHECKING:
    from gammonrules.board.pure import Maker, faces_of, legal_plays, moves_to, plays_of, read_points
else:
    Maker = (_compiled or pure).Maker
    faces_of = (_compiled or pure).faces_of
    legal_plays = (_compiled or pure).legal_plays
    moves_to = (_compiled or pure).moves_to
    plays_of = (_compiled or pure).plays_of
    read_points = (_compiled or pure).read_points


def legal_plays_of_many(points: NDArray[int8], dice: NDArray[int8]) -> tuple[Buffer, Buffer, Buffer]:
    """The plays of N boards and rolls, `(N, 26)` and `(N, 2)` int8: buffers of offsets, results and moves.

    The kernel refuses with a ValueError what it cannot take; the NumPy form takes checked rows only.
    """
    if _compiled is not None:
        return _compiled.legal_plays_of_many(points, dice)  # type: ignore[no-any-return]
    from gammonrules.board import arrays  # noqa: PLC0415  NumPy is an extra

    return arrays.legal_plays_of_many(points, dice)
