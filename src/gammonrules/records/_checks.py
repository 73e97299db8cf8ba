"""The checks of the values of a record: all problems of a value at once, in one sentence each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import cast

from gammonrules import values
from gammonrules.errors import GammonError
from gammonrules.limits import MOST_POINTS
from gammonrules.values import shown

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
    return cast("int | None", values.plain(value))


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
    """A problem, unless this is a whole number (from `least`, to `most`), or None where that may be.

    Where no bound is named it is `MOST_POINTS`: a number of thousands of digits cannot even be printed.
    """
    if optional and value is None:
        return
    lowest, highest = -MOST_POINTS if least is None else least, MOST_POINTS if most is None else most
    if type(value) is not int or not lowest <= value <= highest:
        bounds = "" if least is None else f" from {least}"
        if most is not None or (type(value) is int and abs(value) > highest):
            bounds = f" from {lowest:,} to {highest:,}"
        yield f"{name} is a whole number{bounds}{' or None' * optional}, not {shown(value, 60)}"


def wholes(name: str, value: object, *, least: int = -MOST_POINTS) -> Iterator[str]:
    """A problem, unless this is a tuple of such numbers and None; of several wrong ones the first is shown."""
    problems = list(tuple_of(name, value, (int, type(None)), "whole numbers and None"))
    yield from problems
    entries = cast("tuple[int | None, ...]", () if problems else value)
    if _is_within(entries, least):
        return
    for index, entry in enumerate(entries):
        if entry is not None and (type(entry) is not int or not least <= entry <= MOST_POINTS):
            yield from whole(f"{name}[{index}]", entry, least=least)
            return


def _is_within(entries: tuple[int | None, ...], least: int) -> bool:
    """Whether all entries are numbers of these bounds, as nearly always: told without looking at them one by one."""
    if set(map(type, entries)) != {int}:
        return False
    numbers = cast("tuple[int, ...]", entries)
    return least <= min(numbers) and max(numbers) <= MOST_POINTS


def tuple_of(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> Iterator[str]:
    """A problem, unless this is a tuple of such values."""
    items = cast("tuple[object, ...]", value)
    if type(value) is not tuple or not all(issubclass(one, kind) for one in set(map(type, items))):
        yield f"{name} is a tuple of {wanted}, not {shown(items, 60)}"
