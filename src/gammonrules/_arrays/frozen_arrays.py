"""Arrays that nobody can write into, and frozen values that hold arrays."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._shared.debug_checks import RECHECK

_Array = TypeVar("_Array", bound=npt.NDArray[Any])
_Value = TypeVar("_Value", bound=attrs.AttrsInstance)


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


def read_only(value: _Value) -> _Value:
    """The same value with all public arrays locked, for a function that may do anything with them."""
    values = dict[str, object]()
    for field in attrs.fields(type(value)):
        field_value: object = getattr(value, field.name)
        is_public = not field.name.startswith("_")
        if is_public and isinstance(field_value, np.ndarray):
            field_value = locked(field_value)
        values[field.name] = field_value
    return unchecked(type(value), **values)


@contextmanager
def refused_as_fault() -> Generator[None]:
    """Where a value that is trusted is checked again, what its constructor refuses is a fault of ours."""
    try:
        yield
    except ValueError as error:
        raise AssertionError(f"trusted arrays that a constructor refuses: {error}") from error


def unchecked(kind: type[_Value], **values: object) -> _Value:
    """A value of a frozen class, with a value for each attribute.

    For a few boards, checking the arrays would take as long as making them.
    """
    if RECHECK:
        checked: Any = kind
        with refused_as_fault():
            # a constructor takes private attributes without the underscore
            checked(**{name.removeprefix("_"): value for name, value in values.items()})
    made = object.__new__(kind)
    for name, value in values.items():
        object.__setattr__(made, name, value)  # the class is frozen
    return made
