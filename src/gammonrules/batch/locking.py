"""Arrays that nobody can write into."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.batch._legal_plays import LegalPlays, unchecked

_Array = TypeVar("_Array", bound=npt.NDArray[Any])
_Plays = TypeVar("_Plays", bound=LegalPlays)


def locked(array: _Array) -> _Array:
    """The same numbers in an array that cannot be made writable, to be given to functions that may do anything."""
    root: Any = array
    while isinstance(root, np.ndarray):
        root = root.base
    if type(root) is bytes:
        return array
    return cast("_Array", np.ndarray(array.shape, array.dtype, array.tobytes()))


def read_only(plays: _Plays) -> _Plays:
    """Plays, or turns, with all public arrays locked, for a function that may do anything with them."""
    named = [(field.name, getattr(plays, field.name)) for field in attrs.fields(type(plays))]
    locks = [
        locked(value) if isinstance(value, np.ndarray) and name[0] != "_" else value
        for name, value in named
    ]
    return unchecked(type(plays), *locks)
