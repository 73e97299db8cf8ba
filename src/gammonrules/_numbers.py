"""Whole numbers of any type, and values and choices as errors show them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import index
from typing import SupportsIndex, cast


def whole_number(value: object) -> int | None:
    """A whole number as a plain int, whatever its type; None if it is none. A bool counts as none."""
    if type(value) is int:  # the usual case, without the slow test of the protocol
        return value
    if value is None or isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except TypeError:  # a class that has __index__ passes the test above
        return None


def plain(value: object) -> object:
    """A whole number of any type as a plain int; all else, a bool too, as it is."""
    number = whole_number(value)
    return value if number is None else number


def make_plain(value: object, *names: str) -> None:
    """See to it that these numbers of a new value are plain ints, whatever integer type was given."""
    for name in names:
        object.__setattr__(value, name, plain(cast("object", getattr(value, name))))


def is_power_of_two(value: object) -> bool:
    """Whether this is 1, 2, 4, 8, ... : a value that a cube can have. True is a bool and no value."""
    return type(value) is int and value >= 1 and value.bit_count() == 1


def shown(value: object, width: int = 40) -> str:
    """A value in an error message: its repr, cut; Python refuses to write numbers of thousands of digits."""
    try:
        text = f"{value!r:.{width}}"
    except ValueError:
        return "a number of thousands of digits"
    return re.sub(r"\s*[\r\n]\s*", " ", text)  # an array of NumPy takes several lines


def one_of(choices: Sequence[str]) -> str:
    """Texts to choose from, in an error message: '"a", "b" or "c"'."""
    *others, last = (f'"{choice}"' for choice in choices)
    return f"{', '.join(others)} or {last}"
