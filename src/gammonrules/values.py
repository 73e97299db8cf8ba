"""Numbers and strings of any type as plain ones, and how error messages show values and choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
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
    except Exception:  # noqa: BLE001  a class with __index__ passes the check above, and may raise anything
        return None


def plain(value: object) -> object:
    """A whole number or a string of any type as a plain int or str; anything else, including bools, unchanged."""
    if type(value) is str or value is None:  # the usual cases, without the slow check for a whole number
        return value
    for found in (whole_number(value), plain_text(value)):
        if found is not None:
            return found
    return value


def plain_int(value: int) -> int:
    """Converter of a field of whole numbers: any type of whole number as a plain int, anything else unchanged."""
    number = whole_number(value)
    return value if number is None else number


def plain_int_or_none(value: int | None) -> int | None:
    """`plain_int` for a field that may be None."""
    return None if value is None else plain_int(value)


def plain_float(value: float) -> float:
    """Converter of a field of numbers: any real number but a bool as a plain float, anything else unchanged."""
    if type(value) is float or isinstance(value, (bool, str)):
        return value
    if not isinstance(cast("object", value), SupportsFloat):
        return value
    try:
        return float.__float__(float(value))
    except Exception:  # noqa: BLE001  too large, or a class whose __float__ raises anything
        return value


def plain_float_or_none(value: float | None) -> float | None:
    """`plain_float` for a field that may be None."""
    return None if value is None else plain_float(value)


def is_cube_value(value: object) -> bool:
    """Whether this is 1, 2, 4, 8, ... up to the largest cube. True does not count as 1."""
    return type(value) is int and 1 <= value <= LARGEST_CUBE and value.bit_count() == 1


def plain_text(value: object) -> str | None:
    """A string of any class as a plain str, which compares and hashes as usual; None for anything else."""
    if type(value) is str:
        return value
    return str.__str__(value) if isinstance(value, str) else None


def plain_str(value: str) -> str:
    """Converter of a text field: a string of any class as a plain one, anything else unchanged."""
    return value if type(value) is str else _plain_texts(value)


def plain_str_or_none(value: str | None) -> str | None:
    """`plain_str` for a field that may be None."""
    return None if value is None else plain_str(value)


def plain_strs(values: tuple[str, ...]) -> tuple[str, ...]:
    """`plain_str` for each string of a tuple."""
    return cast("tuple[str, ...]", _plain_texts(values))


def plain_strs_or_nones(values: tuple[str | None, ...]) -> tuple[str | None, ...]:
    """`plain_str_or_none` for each item of a tuple."""
    return cast("tuple[str | None, ...]", _plain_texts(values))


def plain_pairs(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """`plain_str` for both strings of each pair."""
    return cast("tuple[tuple[str, str], ...]", _plain_texts(pairs))


def _plain_texts(value: Any) -> Any:
    """A string, or those in tuples, as plain ones; anything else unchanged."""
    if type(value) is not tuple:
        return str.__str__(value) if isinstance(value, str) else value
    items = cast("tuple[object, ...]", value)
    return items if {*map(type, items)} <= {str, NoneType} else tuple(map(_plain_texts, items))


def items_of_pair(value: object) -> tuple[object, object] | None:
    """The two items of a tuple or a list; None if it is anything else."""
    if type(value) is tuple or type(value) is list:  # the usual case
        pair = cast("tuple[object, ...]", value)
        return (pair[0], pair[1]) if len(pair) == 2 else None
    kind = next((kind for kind in (tuple, list) if isinstance(value, kind)), None)
    items = [] if kind is None else list(islice(_items(kind, value), 3))
    return (items[0], items[1]) if len(items) == 2 else None


def items_of_array(value: Any) -> tuple[object, object] | None:
    """The two items of a one-dimensional array of NumPy or a similar library; None if it is anything else."""
    with suppress(Exception):  # something that claims to be an array may do anything
        if value.shape == (2,):
            one, other = value
            return one, other
    return None


def is_pair_of(value: object, kind: type[_Item]) -> TypeGuard[tuple[_Item, _Item]]:
    """Whether this is a tuple of two values of exactly this class; others may claim to be equal to it."""
    if not isinstance(value, tuple):
        return False
    items = cast("tuple[object, ...]", value)
    return len(items) == 2 and type(items[0]) is type(items[1]) is kind


def first_items(value: object, most: int) -> list[object] | None:
    """The first items of a series, at most this many; None if it is a string, a mapping, or not iterable."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping)):
        return None
    try:
        items = iter(value)
    except TypeError:  # an array of zero dimensions, which does have the method
        return None
    return list(islice(items, most))


def _items(kind: type[Iterable[Any]], container: Any) -> Iterator[Any]:
    """The items of a container of this kind, even if its class overrides iteration."""
    return iter(kind.__iter__(container))


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
        return str.__str__(repr(value))
    if isinstance(value, str):
        return repr(str.__getitem__(value, slice(width + 1)))
    if isinstance(value, (bytes, bytearray)):
        return repr(bytes(memoryview(value)[: width + 1]))
    if isinstance(value, int):
        number = int.__index__(value)
        return str(number) if number.bit_length() < _MANY_BITS else "a number with thousands of digits"
    for kind, (opening, closing) in _BRACKETS.items():
        if isinstance(value, kind):
            # Without a comma, a tuple of one item would look like an item in brackets.
            comma = "," * (kind is tuple and len([*islice(_items(kind, value), 2)]) == 1)
            return opening + _brief_items(value, width, depth + 1) + comma + closing
    if hasattr(type(value), "__len__") and len(cast("Sized", value)) > _MANY:
        return f"a {type(value).__name__} of {len(cast('Sized', value))}"
    return " ".join(str.__str__(repr(value)).split())


def _brief_items(container: object, width: int, depth: int) -> str:
    """The first items of a container, as many as are shown; deeply nested items are not."""
    text = ""
    for item in _texts_of_items(container, width, depth) if depth <= _DEPTH else ("...",):
        if len(text) > width:
            break
        text += ", " * bool(text) + item
    return text


def _texts_of_items(container: Any, width: int, depth: int) -> Iterator[str]:
    if isinstance(container, dict):
        for key, value in cast("Any", dict).items(container):
            yield f"{_brief(key, width, depth)}: {_brief(value, width, depth)}"
        return
    kind = next(kind for kind in _BRACKETS if isinstance(container, kind))
    yield from (_brief(item, width, depth) for item in _items(kind, container))


_MANY_BITS = 10_000
"""About 3,000 digits; Python refuses to write numbers with more than 4,300."""
_MANY = 1_000
_DEPTH = 3
_BRACKETS: Mapping[type[Iterable[object]], tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
    dict: ("{", "}"),
}


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
