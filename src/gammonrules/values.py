"""Numbers and texts of any type as plain ones, and what errors show of values and choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from enum import Enum
from itertools import islice
from operator import index
from typing import Any, SupportsIndex, TypeGuard, TypeVar, cast

from gammonrules.limits import LARGEST_CUBE, LONGEST_MESSAGE

_Item = TypeVar("_Item")


def whole_number(value: object) -> int | None:
    """A whole number as a plain int, whatever its type; else None.

    A bool is not a number here, and neither is a `Player`, which is an index.
    """
    if type(value) is int:  # the usual case, without the slow test of the protocol
        return value
    if value is None or isinstance(value, (bool, str)) or not isinstance(value, SupportsIndex):
        return None
    try:
        return index(value)
    except Exception:  # noqa: BLE001  a class that has __index__ passes the test above, and whatever it raises is its own
        return None


def plain(value: object) -> object:
    """A whole number or a text of any type as a plain int or str; anything else, bools included, as it is."""
    if type(value) is str or value is None:  # usual, and no whole number, which is slow to find out
        return value
    for found in (whole_number(value), plain_text(value)):
        if found is not None:
            return found
    return value


def plain_int(value: int) -> int:
    """The converter of a field of whole numbers: one of any type as a plain int, anything else as it is."""
    number = whole_number(value)
    return value if number is None else number


def plain_int_or_none(value: int | None) -> int | None:
    """`plain_int` of a field that may be None."""
    return None if value is None else plain_int(value)


def is_cube_value(value: object) -> bool:
    """Whether this is 1, 2, 4, 8, ... up to the largest cube. True is a bool and no value."""
    return type(value) is int and 1 <= value <= LARGEST_CUBE and value.bit_count() == 1


def plain_text(value: object) -> str | None:
    """A text of any class as a plain str, which compares and hashes as texts do; None for anything else."""
    if type(value) is str:
        return value
    return str.__str__(value) if isinstance(value, str) else None


def items_of_pair(value: object) -> tuple[object, object] | None:
    """The two items of a tuple or a list; None if it is anything else."""
    if type(value) is tuple or type(value) is list:  # the usual case
        pair = cast("tuple[object, ...]", value)
        return (pair[0], pair[1]) if len(pair) == 2 else None
    kind = next((kind for kind in (tuple, list) if isinstance(value, kind)), None)
    items = [] if kind is None else list(islice(_items(kind, value), 3))
    return (items[0], items[1]) if len(items) == 2 else None


def items_of_array(value: Any) -> tuple[object, object] | None:
    """The two items of an array of one dimension, of NumPy or of a library like it; None if it is anything else."""
    with suppress(Exception):  # what claims to be an array may do anything
        if value.shape == (2,):
            one, other = value
            return one, other
    return None


def is_pair_of(value: object, kind: type[_Item]) -> TypeGuard[tuple[_Item, _Item]]:
    """Whether this is a tuple of two values of this very class; other classes may claim to be equal to it."""
    if type(value) is not tuple:
        return False
    items = cast("tuple[object, ...]", value)
    return len(items) == 2 and type(items[0]) is type(items[1]) is kind


def first_items(value: object, most: int) -> list[object] | None:
    """The items of a series, up to this many of them; None if it is a text, a mapping, or cannot be gone through."""
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, Mapping)):
        return None
    try:
        items = iter(value)
    except TypeError:  # an array without a dimension, which has the method
        return None
    return list(islice(items, most))


def _items(kind: type[Iterable[Any]], container: Any) -> Iterator[Any]:
    """What a container of this kind holds, whatever its class makes of iterating."""
    return iter(kind.__iter__(container))


def shown(value: object, width: int = 40) -> str:
    """A value in an error message: its repr on one line, cut.

    It takes next to no time, however large the value is, and never raises: of an object whose repr fails, or that holds
    very much, the type is named.
    """
    try:
        text = _brief(value, width)
    except Exception:  # noqa: BLE001  whatever the class of a caller raises, the error to be reported is another one
        text = f"an object of type {type(value).__name__}"
    return text if len(text) <= width else f"{text[:width]}..."


def _brief(value: object, width: int, depth: int = 0) -> str:
    """The beginning of a repr, of which no more is made than is needed."""
    if isinstance(value, (Enum, bool)):
        return str.__str__(repr(value))
    if isinstance(value, str):
        return repr(str.__getitem__(value, slice(width + 1)))
    if isinstance(value, (bytes, bytearray)):
        return repr(bytes(memoryview(value)[: width + 1]))
    if isinstance(value, int):
        number = int.__index__(value)
        return str(number) if number.bit_length() < _MANY_BITS else "a number of thousands of digits"
    for kind, (opening, closing) in _BRACKETS.items():
        if isinstance(value, kind):
            # Without a comma, one item of a tuple would look like an item in brackets.
            comma = "," * (kind is tuple and len([*islice(_items(kind, value), 2)]) == 1)
            return opening + _brief_items(value, width, depth + 1) + comma + closing
    if hasattr(type(value), "__len__") and len(cast("Sized", value)) > _MANY:
        return f"a {type(value).__name__} of {len(cast('Sized', value))}"
    return " ".join(str.__str__(repr(value)).split())


def _brief_items(container: object, width: int, depth: int) -> str:
    """The first items of a container, as many as are shown; what is nested deeply is not."""
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
"""Of some 3,000 digits; Python refuses to write those of more than 4,300."""
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
    """Sentences in a row, as many as fit into an error; the first one always does."""
    text = ""
    for sentence in sentences:
        if text and len(text) + len(sentence) + 2 > LONGEST_MESSAGE:
            return f"{text}; and more"
        text += f"; {sentence}" if text else sentence
    return text


def counted(number: int, noun: str, separator: str = "") -> str:
    """A number of things: "0 points", "1 point", "2000 points"; the separator is between thousands."""
    return f"{number:{separator}} {noun}{'s' * (number != 1)}"


def one_of(choices: Sequence[str]) -> str:
    """Texts to choose from, in an error message: '"a", "b" or "c"'."""
    *others, last = (f'"{choice}"' for choice in choices)
    return f"{', '.join(others)} or {last}"
