"""Arrays that nobody can write into."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def locked(array: _Array) -> _Array:
    """The same numbers in an array that cannot be made writable, to be given to functions that may do anything."""
    root: object = array
    while isinstance(root, np.ndarray):
        root = cast("object", root.base)
    if type(root) is bytes:
        return array
    return cast("_Array", np.ndarray(array.shape, array.dtype, array.tobytes()))
