"""What is wrong with the fields of a value, all of it at once: each field is checked against its own annotation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache
from inspect import get_annotations
from itertools import islice
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

import attrs

from gammonrules.errors import ArgumentError, GammonError, ProblemsError
from gammonrules.limits import MOST_POINTS
from gammonrules.values import listed, shown, whole_number

_Flag = TypeVar("_Flag")
MOST_NAMED = 10
"""Problems that an error names: a record can have thousands of games, each with a problem of its own."""


class Bounds:
    """Beside a number in an annotation: the least and the most that it may be, which is `MOST_POINTS` if not named.

    Beside anything else may stand a text, the words for what is needed.
    """

    __slots__ = ("least", "most")

    def __init__(self, least: int, most: int | None = None) -> None:
        self.least, self.most = least, most


_ANY = Bounds(-MOST_POINTS)


def refuse_flagged(error: type[ProblemsError], what: str, found: Iterable[tuple[Any, str]]) -> None:
    """Raise this error with the flags and sentences of all problems, if there are any."""
    problems = list(found)
    if problems:
        flags = problems[0][0]
        for flag, _ in problems:
            flags |= flag
        raise error(f"impossible {what}: {listed(sentence for _, sentence in problems)}", flags)


def refuse(what: str, found: Iterable[str]) -> None:
    """Raise ArgumentError with all of these sentences, if there are any; with the first ten, if there are more."""
    sentences = list(islice(found, MOST_NAMED + 1))
    if sentences:
        sentences[MOST_NAMED:] = ["and more"] * (len(sentences) > MOST_NAMED)
        raise ArgumentError(f"impossible {what}: {'; '.join(sentences)}")


def whole_argument(name: str, given: object, least: int, most: int | None) -> int:
    """An argument that is a whole number from `least` to `most` (None: without end), of any type, as a plain int.

    Raises:
        ArgumentError: it is not.
    """
    number = whole_number(given)
    if number is None or number < least or (most is not None and number > most):
        end = "on" if most is None else f"to {most:,}"
        raise ArgumentError(f"{name} is a whole number from {least:,} {end}, not {shown(given)}")
    return number


def flagged(flag: _Flag, sentences: Iterable[str]) -> Iterator[tuple[_Flag, str]]:
    """Sentences that share a flag."""
    return ((flag, sentence) for sentence in sentences)


def wrong_fields(value: Any, *names: str) -> Iterator[str]:
    """A sentence for each field (of these, or of all) that does not hold what its annotation promises."""
    for name, needed in _requirements(cast("Hashable", type(value))):
        given = cast("object", getattr(value, name))
        if type(given) not in needed.classes and not needed.accepts(given) and (not names or name in names):
            why = _why(name, given, needed.accepts, needed.words)
            yield f"{name} is {needed.words}, not {shown(given, 60)}{why}"


def _why(name: str, given: object, accepts: Callable[[Any], bool], words: str) -> str:
    """What the value and these words may not show: that a number is too large, or which item of a tuple is wrong."""
    if type(given) is int:
        large = abs(given) > MOST_POINTS and f"{MOST_POINTS:,}" not in words
        return f", beyond {MOST_POINTS:,}" if large else ""
    items = cast("tuple[object, ...]", given) if type(given) is tuple and accepts(()) else ()
    for index, item in enumerate(items):
        if len(items) > 1 and not accepts((item,)):
            return f" ({name}[{index}] is {shown(item, 60)}{_why(name, item, accepts, words)})"
    return ""


class Tries:
    """Parts of a value that are read one after another, and what was wrong with any of them."""

    def __init__(self) -> None:
        self._wrong: list[GammonError] = []

    def read(self, read: Callable[..., Any], *given: object) -> Any:
        """What this makes of what was given; None if it refuses that."""
        try:
            return read(*given)
        except GammonError as error:
            self._wrong.append(error)
            return None

    def refuse(self) -> None:
        """Raise the error, or where there are several, ArgumentError with all their sentences."""
        if self._wrong:
            raise self._wrong[0] if len(self._wrong) == 1 else ArgumentError(listed(map(str, self._wrong)))


# --- what an annotation asks for -------------------------------------------------------------------

_UNIONS = {UnionType, get_origin(TypeVar("_Hint") | None)}
"""What `|` gives of classes, and, before Python 3.14, of other hints."""


class _Requirement:
    """What a value must be, in `words`.

    Every instance of exactly these `classes` will do: records are full of them, and nothing else is asked then. Whether
    any other value will do, `accepts` says.
    """

    __slots__ = ("accepts", "classes", "words")

    def __init__(self, classes: frozenset[type], accepts: Callable[[Any], bool], words: str) -> None:
        self.classes, self.accepts, self.words = classes, accepts, words

    def fits(self, value: object) -> bool:
        """Whether this value will do."""
        return type(value) in self.classes or self.accepts(value)


def _never(_: object) -> bool:
    return False


@cache
def _requirements(cls: Hashable) -> tuple[tuple[str, _Requirement], ...]:
    """Those of every public field."""
    kind = cast("type[attrs.AttrsInstance]", cls)
    hints = get_annotations(kind, eval_str=True)
    names = [field.name for field in attrs.fields(kind) if not field.name.startswith("_")]
    return tuple((name, _requirement(hints[name])) for name in names)


def _requirement(hint: Any) -> _Requirement:
    kind, args = get_origin(hint), get_args(hint)
    if kind is Annotated and isinstance(args[1], str):
        needed = _requirement(args[0])
        return _Requirement(needed.classes, needed.accepts, args[1])
    if kind is Annotated:
        return _whole_number(args[1])
    if kind is Literal:
        return _one_of(args)
    if kind is tuple:
        return _series(_requirement(args[0])) if args[-1] is Ellipsis else _tuple([*map(_requirement, args)])
    if kind in _UNIONS:
        return _union([*map(_requirement, args)])
    return _of_class(hint)


def _one_of(choices: tuple[str, ...]) -> _Requirement:
    def accepts(value: object) -> bool:
        return type(value) is str and value in choices

    return _Requirement(frozenset(), accepts, _either([f'"{choice}"' for choice in choices]))


def _union(parts: list[_Requirement]) -> _Requirement:
    def accepts(value: object) -> bool:
        return any(part.accepts(value) for part in parts)

    classes = frozenset[type]().union(*(part.classes for part in parts))
    return _Requirement(classes, accepts, _either([part.words for part in parts]))


def _of_class(cls: type) -> _Requirement:
    if cls is int:
        return _whole_number(_ANY)
    if cls is bool:  # True is an int, and an object may claim to be equal to it
        return _Requirement(frozenset({bool}), _never, "True or False")
    if cls is NoneType:
        return _Requirement(frozenset({NoneType}), _never, "None")
    name = "text" if cls is str else cls.__name__
    words = f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"

    def accepts(value: object) -> bool:
        return isinstance(value, cls)

    return _Requirement(frozenset({cls}), accepts, words)


def _whole_number(bounds: Bounds) -> _Requirement:
    least, most = bounds.least, MOST_POINTS if bounds.most is None else bounds.most
    words = "a whole number" if bounds is _ANY else f"a whole number from {least:,}"
    if bounds.most is not None:
        words += f" to {most:,}"

    def accepts(value: object) -> bool:
        return type(value) is int and least <= value <= most

    return _Requirement(frozenset(), accepts, words)


def _series(item: _Requirement) -> _Requirement:
    """A tuple of any length."""

    def accepts(value: object) -> bool:
        items = cast("tuple[Any, ...]", value)
        if type(value) is not tuple:
            return False
        others = set(map(type, items)) - item.classes
        if others == {int}:  # of numbers the least and the greatest tell: there is nothing but bounds
            numbers = [one for one in items if type(one) is int]
            return item.accepts(min(numbers)) and item.accepts(max(numbers))
        return not others or all(map(item.fits, items))

    return _Requirement(frozenset(), accepts, f"a tuple of {_plural(item.words)}")


def _tuple(parts: list[_Requirement]) -> _Requirement:
    """A tuple with one item for each of these."""

    def accepts(value: object) -> bool:
        items = cast("tuple[object, ...]", value)
        if type(value) is not tuple or len(items) != len(parts):
            return False
        return all(part.fits(item) for part, item in zip(parts, items, strict=True))

    words = ", ".join(part.words for part in parts)
    return _Requirement(frozenset(), accepts, f"a tuple of {len(parts)}: {words}")


def _plural(words: str) -> str:
    bare = f" {words}".replace(" an ", " ").replace(" a ", " ").strip()
    return bare.replace("text", "texts").replace("whole number", "whole numbers")


def _either(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
