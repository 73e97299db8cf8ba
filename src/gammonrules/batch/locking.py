"""Arrays that nobody can write into."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.batch._legal_plays import LegalPlays, unchecked

_Array = TypeVar("_Array", bound=npt.NDArray[Any])
_Plays = TypeVar("_Plays", bound=LegalPlays)


def locked(array: _Array) -> _Array:
    """The same numbers in an array that cannot be made writable, to be given to functions that may do anything."""
    # whoever has the memory: of a view it is another array, and bytes cannot be made writable
    owner: Any = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    if type(owner) is bytes:
        return array
    copy: Any = np.ndarray(array.shape, array.dtype, array.tobytes())
    locked_copy: _Array = copy
    return locked_copy


def read_only(plays: _Plays) -> _Plays:
    """Plays, or turns, with all public arrays locked, for a function that may do anything with them."""
    values = dict[str, object]()
    for field in attrs.fields(type(plays)):
        value: object = getattr(plays, field.name)
        is_public = not field.name.startswith("_")
        if is_public and isinstance(value, np.ndarray):
            value = locked(value)
        values[field.name] = value
    return unchecked(type(plays), **values)
