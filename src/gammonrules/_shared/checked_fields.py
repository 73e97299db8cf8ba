"""Whether the fields of a value, and arguments of a class, fit: what their annotations require, in words too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from functools import cache
from math import inf, isfinite
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeGuard,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

import attrs

from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_POINTS
from gammonrules.values import (
    is_exact_tuple,
    iterator_of,
    plain,
    real_number,
    refuse,
    shown,
    suggestion,
)

_Item = TypeVar("_Item")


class Bounds:
    """In an annotation, the bounds of a number: the least and the most that it may be, by default `MAX_POINTS`.

    Other types may be annotated with a string instead, which describes them in messages.
    """

    __slots__ = ("maximum", "minimum")

    def __init__(self, minimum: float, maximum: float | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum


class Checked:
    """The base of a frozen class of attrs whose fields must fit their annotations."""

    __slots__ = ()

    def __attrs_post_init__(self) -> None:
        refuse(_in_words(type(self).__name__), self._problems())

    def _problems(self) -> Iterable[str]:
        return wrong_fields(self)


def wrong_fields(value: object, *names: str) -> list[str]:
    """A sentence for each field that does not fit: of those with these names, or without names of all.

    All fields are made plain before, such as numbers of NumPy, even in a frozen class.
    """
    wrong = list[str]()
    requirements = _requirements(type(value))
    for name, needed in requirements.items():
        passed: object = getattr(value, name)
        # as `fits`, but faster
        if type(passed) in needed.classes or needed.accepts(passed):
            continue
        made_plain = needed.made_of(passed)
        object.__setattr__(value, name, made_plain)
        is_to_be_named = not names or name in names
        if is_to_be_named and not needed.fits(made_plain):
            # the member of another enum would be shown as its number or text, which may look right
            shown_value = passed if isinstance(passed, Enum) else made_plain
            why = _what_is_wrong(name, shown_value, needed.accepts, needed.words)
            near = suggestion(passed, needed.strings)
            wrong.append(f"{name} must be {needed.words}, not {shown(shown_value, 60)}{why}{near}")
    return wrong


def _what_is_wrong(
    name: str, field_value: object, accepts: Callable[[Any], bool], words: str
) -> str:
    """What the sentence may not say yet: that a number is too large, or which item of a tuple is wrong."""
    if type(field_value) is int:
        is_too_large = abs(field_value) > MAX_POINTS
        is_said = f"{MAX_POINTS:,}" in words
        return f", beyond {MAX_POINTS:,}" if is_too_large and not is_said else ""
    if not is_exact_tuple(field_value) or len(field_value) < 2:
        return ""
    has_any_length = accepts(())
    if not has_any_length:
        return ""

    def accepts_item(item: object) -> bool:
        return accepts((item,))  # a tuple of any length, so also one of this item alone

    for at, item in enumerate(field_value):
        if not accepts_item(item):
            place = f"{name}[{at}]"
            deeper = _what_is_wrong(place, item, accepts_item, words)
            return f" ({place} is {shown(item, 60)}{deeper})"
    return ""


@cache
def _in_words(name: str) -> str:
    return re.sub("(?<=.)(?=[A-Z])", " ", name).lower()


def check_kind(name: str, value: object, kind: type | UnionType) -> None:
    """Raise ArgumentError if this argument is of another class."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} must be {_requirement(kind).words}, not {shown(value, 60)}")


def each_of(kind: type[_Item], name: str, values: Iterable[_Item]) -> Iterator[_Item]:
    """Go through a series of values of one class. Raises ArgumentError for anything else."""
    is_a_single_one = isinstance(values, kind)  # which may be iterable itself
    items = None if is_a_single_one else iterator_of(values)
    if items is None:
        raise ArgumentError(f"{name} must be several, as in a list, not {shown(values)}")
    for at, item in enumerate(items):
        if not isinstance(item, kind):  # asked here first, since to make its name takes time
            check_kind(f"{name}[{at}]", item, kind)
        yield item


_EXACT: dict[type, tuple[str, ...]] = {
    bool: ("True", "False"),
    NoneType: ("None",),
    str: ("a string",),
}
"""Classes of which no subclass is accepted: True is an int, and strings of other classes are made plain."""


_UNIONS = {UnionType, get_origin(TypeVar("_Hint") | None)}
"""The origins of unions written with `|`: of classes, and, before Python 3.14, of other hints."""


class FieldEnum(StrEnum):
    """The base of an enum whose members are given to fields as strings too: a converter makes members of them."""


class _Accepted(NamedTuple):
    """One of the values that fit, or a kind of them."""

    words: str
    string: str | None = None
    """The value, if it may be given as a string; None for a kind of values."""


class _Requirement:
    """What a value must be: one of these `choices`.

    All instances of exactly these `classes` fit, which is checked first, since records are full of them. `accepts` says
    whether any other value fits.
    """

    __slots__ = ("accepts", "choices", "classes")

    def __init__(
        self, classes: frozenset[type], accepts: Callable[[Any], bool], choices: Sequence[_Accepted]
    ) -> None:
        self.classes = classes
        self.accepts = accepts
        self.choices = choices

    @property
    def words(self) -> str:
        """The choices as a sentence has them: "a, b or c"."""
        *others, last = [choice.words for choice in self.choices]
        if not others:
            return last
        return f"{', '.join(others)} or {last}"

    @property
    def strings(self) -> list[str]:
        """The strings that are accepted, as far as they can be listed."""
        return [choice.string for choice in self.choices if choice.string is not None]

    def fits(self, value: object) -> bool:
        return type(value) in self.classes or self.accepts(value)

    def made_of(self, value: object) -> object:
        """A value that may not fit as a plain one: as a float if only that fits."""
        real = real_number(value)
        if real is not None and self.fits(real):
            return real
        return plain(value)


_REQUIREMENTS: dict[type[Any], Mapping[str, _Requirement]] = {}
"""Those of each class whose fields have been checked before."""


def _requirements(cls: type[Any]) -> Mapping[str, _Requirement]:
    """What the annotation of each public field of a class of attrs requires."""
    requirements = _REQUIREMENTS.get(cls)
    if requirements is None:
        hints = get_type_hints(cls, include_extras=True)
        names = [field.name for field in attrs.fields(cls) if not field.name.startswith("_")]
        requirements = {name: _requirement(hints[name]) for name in names}
        _REQUIREMENTS[cls] = requirements
    return requirements


def _requirement(hint: Any) -> _Requirement:
    kind = get_origin(hint)
    args = get_args(hint)
    if kind is Annotated:
        return _annotated(args[0], args[1])
    if kind is Literal:
        return _literal(args)
    if kind is tuple and args[-1] is Ellipsis:
        return _series(_requirement(args[0]))
    if kind is tuple:
        return _tuple(tuple, [_requirement(arg) for arg in args])
    if _is_tuple_class(kind):  # a `Pair`
        item = _requirement(args[0])
        return _tuple(kind, [item, item])
    if kind in _UNIONS:
        return _union([_requirement(arg) for arg in args])
    return _of_class(hint)


def _literal(args: tuple[str | int, ...]) -> _Requirement:
    """One of these strings and numbers; True is not 1."""
    kinds = frozenset(map(type, args))
    choices: list[_Accepted] = []
    for arg in args:
        if isinstance(arg, str):
            choices.append(_Accepted(f'"{arg}"', arg))
        else:
            choices.append(_Accepted(str(arg)))
    return _Requirement(frozenset(), lambda value: type(value) in kinds and value in args, choices)


def _is_tuple_class(kind: object) -> TypeGuard[type[tuple[Any, ...]]]:
    return isinstance(kind, type) and issubclass(kind, tuple)


def _annotated(hint: Any, note: str | Bounds) -> _Requirement:
    """A hint with its description in words, or a number within bounds."""
    if isinstance(note, str):
        needed = _requirement(hint)
        return _Requirement(needed.classes, needed.accepts, [_Accepted(note)])
    return _number_within(note) if hint is float else _whole_number_within(note)


def _union(parts: list[_Requirement]) -> _Requirement:
    """Any one of these."""
    classes = frozenset[type]()
    choices: list[_Accepted] = []
    for part in parts:
        classes |= part.classes
        choices += part.choices

    def accepts(value: object) -> bool:
        for part in parts:  # noqa: SIM110 - `any` would take longer, and most fields are no more than one of two
            if part.accepts(value):
                return True
        return False

    return _Requirement(classes, accepts, choices)


def _of_class(cls: type) -> _Requirement:
    if cls is int:
        return _whole_number_within(None)
    if cls is float:
        return _number_within(None)
    if cls in _EXACT:  # then no value of another class fits
        exact = [_Accepted(words) for words in _EXACT[cls]]
        return _Requirement(frozenset({cls}), lambda _: False, exact)
    return _Requirement(
        frozenset({cls}), lambda value: isinstance(value, cls), _accepted_of_class(cls)
    )


def _accepted_of_class(cls: type) -> list[_Accepted]:
    """The members of a `FieldEnum`; otherwise the class itself."""
    if issubclass(cls, FieldEnum):
        return [_Accepted(member_in_words(member), member.value) for member in cls]
    name = cls.__name__
    article = "an" if name[0] in "AEIOU" else "a"
    return [_Accepted(f"{article} {name}")]


def member_in_words(member: FieldEnum) -> str:
    """A member and its string: `Player.WHITE ("white")`."""
    return f'{type(member).__name__}.{member.name} ("{member.value}")'


def _whole_number_within(bounds: Bounds | None) -> _Requirement:
    """A whole number up to `MAX_POINTS` of either sign, or within these bounds."""
    minimum: float = -MAX_POINTS
    maximum: float = MAX_POINTS
    words = "a whole number"
    if bounds is not None:
        minimum = bounds.minimum
        end = "up"
        if bounds.maximum is not None:
            maximum = bounds.maximum
            end = f"to {maximum:,}"
        words = f"a whole number from {minimum:,} {end}"

    def accepts(value: object) -> bool:
        return type(value) is int and minimum <= value <= maximum

    return _Requirement(frozenset(), accepts, [_Accepted(words)])


def _number_within(bounds: Bounds | None) -> _Requirement:
    """A float that is finite, and within these bounds."""
    minimum = -inf
    maximum = inf
    words = "a finite number"
    if bounds is not None:
        minimum = bounds.minimum
        end = "up"
        if bounds.maximum is not None:
            maximum = bounds.maximum
            end = f"to {maximum}"
        words = f"a number from {minimum} {end}"

    def accepts(value: object) -> bool:
        return type(value) is float and isfinite(value) and minimum <= value <= maximum

    return _Requirement(frozenset(), accepts, [_Accepted(words)])


def _series(item: _Requirement) -> _Requirement:
    """A tuple of any length."""

    def accepts(value: object) -> bool:
        if not is_exact_tuple(value):
            return False
        classes_to_ask = {*map(type, value)} - item.classes  # all items of the other classes fit
        if not classes_to_ask:
            return True
        are_numbers = classes_to_ask == {int}
        if are_numbers:  # they have bounds only, so the least and the greatest are enough
            numbers = [number for number in value if type(number) is int]
            return item.accepts(min(numbers)) and item.accepts(max(numbers))
        # an object that stands there many times is asked once: arenas share the results of their pairs
        objects: Iterable[object] = {id(each): each for each in value}.values()
        return all(map(item.fits, objects))

    # "a string or None" in the plural: "strings or None"
    bare = re.sub(r"\ban? ", "", item.words)
    plural = re.sub(r"\b(string|number|tuple)\b", r"\1s", bare)
    return _Requirement(frozenset(), accepts, [_Accepted(f"a tuple of {plural}")])


def _tuple(kind: type[tuple[Any, ...]], parts: list[_Requirement]) -> _Requirement:
    """A tuple of this class with one item for each of these."""

    def accepts(value: object) -> bool:
        if not is_exact_tuple(value, kind) or len(value) != len(parts):
            return False
        for part, item in zip(parts, value, strict=True):  # noqa: SIM110 - as in `_union`
            if not part.fits(item):
                return False
        return True

    words = ", ".join(part.words for part in parts)
    return _Requirement(frozenset(), accepts, [_Accepted(f"a tuple of {len(parts)}: {words}")])
