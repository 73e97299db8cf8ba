"""The checks of the values of a record: all problems of a value at once, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import cast

from gammonrules import _numbers
from gammonrules._numbers import shown
from gammonrules.errors import GammonError

_NAMED = 10
"""So many problems are named: a record can have thousands of games, each with its own."""


def refuse(what: str, problems: Iterable[str]) -> None:
    """Raise GammonError with the problems, if there are any: all of them, unless they are too many to read."""
    sentences = list(islice(problems, _NAMED + 1))
    if len(sentences) > _NAMED:
        sentences[_NAMED] = "and more"
    if sentences:
        raise GammonError(f"impossible {what}: {'; '.join(sentences)}")


def plain(value: int | None) -> int | None:
    """A whole number of any type as an int; whatever else was given stays, for the checks to report."""
    return cast("int | None", _numbers.plain(value))


def plain_int(value: int) -> int:
    """`plain` where None may not be given."""
    return cast("int", plain(value))


def of_type(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> Iterator[str]:
    """A problem, unless the value is of this type."""
    if not isinstance(value, kind):
        yield f"{name} is {wanted}, not {shown(value, 60)}"


def whole(
    name: str, value: object, *, least: int | None = None, most: int | None = None, optional: bool = True
) -> Iterator[str]:
    """A problem, unless this is a whole number (from `least`, to `most`), or None where that may be."""
    if optional and value is None:
        return
    if type(value) is not int or (least is not None and value < least) or (most is not None and value > most):
        bounds = (f" from {least}" if least is not None else "") + (f" to {most:,}" if most is not None else "")
        wanted = f"a whole number{bounds}{' or None' * optional}"
        yield f"{name} is {wanted}, not {shown(value, 60)}"


def tuple_of(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> Iterator[str]:
    """A problem, unless this is a tuple of such values."""
    items = cast("tuple[object, ...]", value)
    if type(value) is not tuple or not all(issubclass(one, kind) for one in set(map(type, items))):
        yield f"{name} is a tuple of {wanted}, not {shown(items, 60)}"
