"""Numbers and strings of any type as plain ones, and how error messages show values and choices."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from enum import Enum
from itertools import islice
from operator import index
from types import NoneType
from typing import Any, SupportsFloat, SupportsIndex, TypeGuard, TypeVar, cast

from gammonrules.limits import LARGEST_CUBE, LONGEST_MESSAGE

_Item = TypeVar("_Item")


def whole_number(value: object) -> int | None:
    """A whole number of any type as a plain int; None for anything else.

    A bool does not count as a number here.
    """
    if type(value) is int:
        return value
    # isinstance(value, SupportsIndex) says the same, but takes microseconds for the numbers of NumPy
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        return None
    try:
        return index(cast("SupportsIndex", value))
    except TypeError:  # an array has the method, but only one of a single whole number is one
        return None


def real_number(value: object) -> float | None:
    """A number of any type but bool as a plain float; None for anything else, and for what a float cannot hold."""
    if isinstance(value, (bool, str)) or not hasattr(type(value), "__float__"):
        return None
    try:
        return float(cast("SupportsFloat", value))
    except (OverflowError, TypeError, ValueError):
        return None


def plain_text(value: object) -> str | None:
    """A string of any class as a plain str; None for anything else."""
    return str.__str__(value) if isinstance(value, str) else None


def plain(value: object) -> object:
    """A whole number or a string of any class as a plain int or str, also in tuples; anything else unchanged."""
    if type(value) in _PLAIN:  # the usual case
        return value
    if type(value) is tuple:
        items = cast("tuple[object, ...]", value)
        return items if {*map(type, items)} <= _PLAIN else tuple(map(plain, items))
    number = whole_number(value)
    plain_value = plain_text(value) if number is None else number
    return value if plain_value is None else plain_value


_PLAIN = frozenset({bool, float, int, str, NoneType})


def is_cube_value(value: object) -> bool:
    """Whether this is 1, 2, 4, 8, ... up to the largest cube. True does not count as 1."""
    return type(value) is int and 1 <= value <= LARGEST_CUBE and value.bit_count() == 1


def items_of_pair(value: object) -> tuple[object, object] | None:
    """The two items of a tuple or a list; None if it is anything else."""
    pair = cast("tuple[object, ...]", value)
    return (pair[0], pair[1]) if isinstance(value, (tuple, list)) and len(pair) == 2 else None


def items_of_array(value: Any) -> tuple[object, object] | None:
    """The two items of a one-dimensional array of NumPy or a similar library; None if it is anything else."""
    if getattr(value, "shape", None) != (2,):
        return None
    first, second = value
    return first, second


def is_pair_of(value: object, kind: type[_Item]) -> TypeGuard[tuple[_Item, _Item]]:
    """Whether this is a tuple of two values of exactly this class; a bool is not an int here."""
    return isinstance(value, tuple) and [*map(type, cast("tuple[object, ...]", value))] == [kind, kind]


def first_items(value: object, most: int) -> list[object] | None:
    """The first items of a series, at most this many; None if it is a string, a mapping, or not iterable."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping)):
        return None
    try:
        items = iter(value)
    except TypeError:  # an array of zero dimensions, which does have the method
        return None
    return list(islice(items, most))


def shown(value: object, width: int = 40) -> str:
    """A value as error messages show it: its repr, on one line and shortened.

    This takes little time, however large the value is, and never raises: if the repr fails, or the object is very
    large, only its type is shown.
    """
    try:
        text = _brief(value, width)
    except Exception:  # noqa: BLE001  a repr may raise anything, but the error to report is another one
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= width else f"{text[:width]}..."


def _brief(value: object, width: int, depth: int = 0) -> str:
    """The beginning of a repr, without computing the rest of it."""
    if isinstance(value, (Enum, bool)):
        return repr(value)
    if isinstance(value, (str, bytes, bytearray)):
        return repr(value[: width + 1])
    if isinstance(value, int):
        return str(value) if value.bit_length() < _MANY_BITS else "a number with thousands of digits"
    for kind, (opening, closing) in _BRACKETS.items():
        if isinstance(value, kind):
            # Without a comma, a tuple of one item would look like an item in brackets.
            comma = "," * (kind is tuple and len(value) == 1)
            return opening + _brief_items(value, width, depth + 1) + comma + closing
    if hasattr(type(value), "__len__") and len(cast("Sized", value)) > _MANY:
        return f"a {type(value).__name__} of {len(cast('Sized', value))}"
    return " ".join(repr(value).split())


def _brief_items(container: Iterable[object], width: int, depth: int) -> str:
    """The first items of a container, as many as are shown; deeply nested items are not."""
    text = ""
    for item in _texts_of_items(container, width, depth) if depth <= _DEPTH else ("...",):
        if len(text) > width:
            break
        text += ", " * bool(text) + item
    return text


def _texts_of_items(container: Iterable[object], width: int, depth: int) -> Iterator[str]:
    if isinstance(container, dict):
        for key, value in cast("dict[object, object]", container).items():
            yield f"{_brief(key, width, depth)}: {_brief(value, width, depth)}"
    else:
        yield from (_brief(item, width, depth) for item in container)


_MANY_BITS = 10_000
"""About 3,000 digits; Python refuses to write numbers with more than 4,300."""
_MANY = 1_000
_DEPTH = 3
_BRACKETS: Mapping[type[Collection[object]], tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
}


def printable(text: str, instead: str = " ") -> str:
    """A text with another sign, a blank by default, for each that does not print."""
    return "".join(sign if sign.isprintable() else instead for sign in text)


def listed(sentences: Iterable[str]) -> str:
    """Sentences joined into one message, as many as fit; always at least the first."""
    text = ""
    for sentence in sentences:
        if text and len(text) + len(sentence) + 2 > LONGEST_MESSAGE:
            return f"{text}; and more"
        text += f"; {sentence}" if text else sentence
    return text


def counted(number: int, noun: str, separator: str = "") -> str:
    """A number with its noun: "0 points", "1 point", "2000 points"; the separator goes between thousands."""
    return f"{number:{separator}} {noun}{'s' * (number != 1)}"


def one_of(choices: Sequence[str]) -> str:
    """Choices as error messages list them: '"a", "b" or "c"'."""
    *others, last = (f'"{choice}"' for choice in choices)
    return f"{', '.join(others)} or {last}"
