"""Values of callers: what counts as a number or a text, whether arguments and fields fit, and how errors show them."""

from __future__ import annotations

import re
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Sized,
)
from contextlib import contextmanager
from enum import Enum
from functools import cache, reduce
from itertools import islice
from math import inf, isfinite
from operator import index
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    SupportsFloat,
    SupportsIndex,
    TypeAlias,
    TypeGuard,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import attrs

from gammonrules.errors import ArgumentError, DiceError, DiceProblem, GammonError, ProblemsError
from gammonrules.limits import LARGEST_CUBE, LONGEST_MESSAGE, MOST_POINTS, MOST_SECONDS

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
    return value[0], value[1]


def is_pair_of(value: object, kind: type[_Item]) -> TypeGuard[tuple[_Item, _Item]]:
    """Whether this is a tuple of two values of exactly this class; a bool is not an int here."""
    return isinstance(value, tuple) and [*map(type, cast("tuple[object, ...]", value))] == [
        kind,
        kind,
    ]


def iterator_of(value: object) -> Iterator[Any] | None:
    """What goes through a series; None if it is a string, a mapping, a table of another library, or not iterable."""
    # whose items are columns
    if isinstance(value, (str, bytes, Mapping)) or hasattr(type(value), "__dataframe__"):
        return None
    try:
        return iter(cast("Iterable[Any]", value))
    # arrays and memory of no or more dimensions do have the method
    except (TypeError, NotImplementedError):
        return None


def first_items(value: object, most: int) -> list[object] | None:
    """The first items of a series, at most this many; None as of `iterator_of`."""
    items = iterator_of(value)
    return None if items is None else list(islice(items, most))


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
        return (
            str(value) if value.bit_length() < _MANY_BITS else "a number with thousands of digits"
        )
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
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else instead for sign in text)


def listed(sentences: Iterable[str]) -> str:
    """Sentences joined into one message: up to ten, as many as fit, always at least the first."""
    text = ""
    for number, sentence in enumerate(sentences):
        if text and (number == MOST_NAMED or len(text) + len(sentence) + 2 > LONGEST_MESSAGE):
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


# --- arguments and fields ---------------------------------------------------------------------------------------------

Until: TypeAlias = float | Literal["decided"] | None
"""When games end early: at this margin, as soon as it is decided who or what is better, or never."""

_Flag = TypeVar("_Flag")
_Text = TypeVar("_Text", bound=str)
MOST_NAMED = 10
"""The most problems that one error names: a record can have thousands of games, each with a problem."""


class Bounds:
    """In an annotation, the bounds of a number: the least and the most that it may be, by default `MOST_POINTS`.

    Other types may be annotated with a string instead, which describes them in messages.
    """

    __slots__ = ("least", "most")

    def __init__(self, least: float, most: float | None = None) -> None:
        self.least, self.most = least, most


_ANY = Bounds(-MOST_POINTS)


def refuse_flagged(
    error: type[ProblemsError], what: str, problems: Iterable[tuple[Any, str]]
) -> None:
    """Raise an error with the flags and sentences of all problems, if there are any."""
    if pairs := list(problems):
        flags = reduce(lambda some, more: some | more, (flag for flag, _ in pairs))
        raise error(f"impossible {what}: {listed(sentence for _, sentence in pairs)}", flags)


def refuse(what: str, problems: Iterable[str]) -> None:
    """Raise ArgumentError with these sentences, as `listed` has them, if there are any."""
    if sentences := listed(problems):
        raise ArgumentError(f"impossible {what}: {sentences}")


def whole_argument(name: str, value: object, least: int, most: int | None) -> int:
    """Check that an argument is a whole number of any type, from `least` to `most` if not None; return a plain int.

    Raises:
        ArgumentError: it is not.
    """
    if (
        (number := whole_number(value)) is None
        or number < least
        or (most is not None and number > most)
    ):
        end = "up" if most is None else f"to {most:,}"
        raise ArgumentError(
            f"{name} must be a whole number from {least:,} {end}, not {shown(value)}"
        )
    return number


def real_argument(name: str, value: object, needed: str, fits: Callable[[float], bool]) -> float:
    """Check that an argument is a number of any type that fits, as `needed` says in words; return a plain float.

    Raises:
        ArgumentError: it is not.
    """
    if (number := real_number(value)) is None or not fits(number):
        raise ArgumentError(f"{name} must be {needed}, not {shown(value, 60)}")
    return number


def checked_until(until: object) -> Until:
    """Raises ArgumentError for what is none of the three."""
    if until is None or (isinstance(until, str) and until == "decided"):
        return cast("Until", until)
    return real_argument(
        "until",
        value=until,
        needed='"decided", a margin above 0, or None',
        fits=lambda margin: margin > 0,
    )


def choice_argument(name: str, value: object, choices: Sequence[_Text]) -> _Text:
    """Check that an argument is one of these texts; return that of ours.

    Raises:
        ArgumentError: it is not.
    """
    text = plain_text(value)
    if text in choices:
        return choices[choices.index(text)]
    raise ArgumentError(f"{name} must be {one_of(choices)}, not {shown(value)}")


def check_function(name: str, value: object, *, optional: bool = False) -> None:
    """Raise ArgumentError if this argument cannot be called; an optional one may be None."""
    if not callable(value) and not (optional and value is None):
        raise ArgumentError(
            f"{name} must be a function{' or None' * optional}, not {shown(value, 60)}"
        )


def no_pair(sentence: str) -> DiceError:
    """The error for what is no roll, or where there is none."""
    return DiceError(sentence, DiceProblem.NO_PAIR)


def check_kind(name: str, value: object, kind: type | UnionType) -> None:
    """Raise ArgumentError if this argument is of another class."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} must be {_requirement(kind).words}, not {shown(value, 60)}")


def each_of(kind: type[_Item], name: str, values: Iterable[_Item]) -> Iterator[_Item]:
    """Go through a series of values of one class. Raises ArgumentError for anything else."""
    items = None if isinstance(values, kind) else iterator_of(values)
    if items is None:
        raise ArgumentError(f"{name} must be several, as in a list, not {shown(values)}")
    for at, item in enumerate(items):
        if not isinstance(item, kind):
            check_kind(f"{name}[{at}]", item, kind)
        yield item


def retold(error: GammonError, sentence: str) -> GammonError:
    """The same error with another message."""
    kind, (_, *details) = cast("tuple[type[GammonError], tuple[Any, ...]]", error.__reduce__()[:2])
    return kind(sentence, *details)


@contextmanager
def saying_where(where: str, kind: type[GammonError] = GammonError) -> Generator[None]:
    """Begin the message of an error of this kind with where it was."""
    try:
        yield
    except kind as error:
        raise retold(error, f"{where}: {error}") from None


def moment_argument(name: str, value: object) -> float:
    """Check that an argument is a time, in seconds of either sign; return it to the millisecond.

    Raises:
        ArgumentError: it is not.
    """
    needed = f"a number of seconds up to {MOST_SECONDS:,} of either sign"
    return to_the_millisecond(
        real_argument(name, value, needed, fits=lambda number: abs(number) <= MOST_SECONDS)
    )


def to_the_millisecond(seconds: float) -> float:
    """Seconds rounded, and never -0.0."""
    return round(seconds, 3) + 0.0


def flagged(flag: _Flag, sentences: Iterable[str]) -> Iterator[tuple[_Flag, str]]:
    """Pair each of these sentences with the same flag."""
    return ((flag, sentence) for sentence in sentences)


def wrong_fields(value: Any, *names: str) -> list[str]:
    """Make all fields plain, such as numbers of NumPy; a sentence for each (of these, or of all) that does not fit."""
    wrong = list[str]()
    for name, needed in _requirements(cast("Hashable", type(value))):
        field_value = cast("object", getattr(value, name))
        # as `fits`, but faster
        if type(field_value) not in needed.classes and not needed.accepts(field_value):
            made = needed.made_of(field_value)
            object.__setattr__(value, name, made)
            if not needed.fits(made) and (not names or name in names):
                told = field_value if isinstance(field_value, Enum) else made
                why = _what_is_wrong(
                    name, field_value=told, accepts=needed.accepts, words=needed.words
                )
                wrong.append(f"{name} must be {needed.words}, not {shown(told, 60)}{why}")
    return wrong


class Checked:
    """The base of a frozen class of attrs whose fields must fit their annotations."""

    __slots__ = ()

    def __attrs_post_init__(self) -> None:
        refuse(_in_words(type(self).__name__), self._problems())

    def _problems(self) -> Iterable[str]:
        return wrong_fields(self)


@cache
def _in_words(name: str) -> str:
    return re.sub("(?<=.)(?=[A-Z])", " ", name).lower()


def _what_is_wrong(
    name: str, field_value: object, accepts: Callable[[Any], bool], words: str
) -> str:
    """What the sentence may not say yet: that a number is too large, or which item of a tuple is wrong."""
    if type(field_value) is int:
        large = abs(field_value) > MOST_POINTS and f"{MOST_POINTS:,}" not in words
        return f", beyond {MOST_POINTS:,}" if large else ""
    items = (
        cast("tuple[object, ...]", field_value)
        if type(field_value) is tuple and accepts(())
        else ()
    )
    for at, item in enumerate(items):
        if len(items) > 1 and not accepts((item,)):
            deeper = _what_is_wrong(
                f"{name}[{at}]",
                field_value=item,
                accepts=lambda part: accepts((part,)),
                words=words,
            )
            return f" ({name}[{at}] is {shown(item, 60)}{deeper})"
    return ""


class Tries:
    """Reads the parts of a value one after another, and collects what was wrong with any of them."""

    def __init__(self) -> None:
        self._wrong: list[GammonError] = []

    def read(self, read: Callable[..., Any], *arguments: object) -> Any:
        """Call `read` with these arguments; None if it raises an error, which is kept."""
        try:
            return read(*arguments)
        except GammonError as error:
            self._wrong.append(error)
            return None

    def refuse(self) -> None:
        """Raise the error; if there are several, ArgumentError with all their sentences."""
        if self._wrong:
            raise (
                self._wrong[0]
                if len(self._wrong) == 1
                else ArgumentError(listed(map(str, self._wrong)))
            )


# --- what an annotation requires -------------------------------------------------------------------

_EXACT: dict[type, tuple[str, ...]] = {
    bool: ("True", "False"),
    NoneType: ("None",),
    str: ("a string",),
}
"""Classes of which no subclass is accepted: True is an int, and strings of other classes are made plain."""
_UNIONS = {UnionType, get_origin(TypeVar("_Hint") | None)}
"""The origins of unions written with `|`: of classes, and, before Python 3.14, of other hints."""


class _Requirement:
    """What a value must be: one of these `choices`, in words.

    All instances of exactly these `classes` fit, which is checked first, since records are full of them. `accepts` says
    whether any other value fits.
    """

    __slots__ = ("accepts", "choices", "classes")

    def __init__(
        self, classes: frozenset[type], accepts: Callable[[Any], bool], *choices: str
    ) -> None:
        self.classes = classes
        self.accepts = accepts
        self.choices = choices

    @property
    def words(self) -> str:
        """The choices as a sentence has them: "a, b or c"."""
        *others, last = self.choices
        return f"{', '.join(others)} or {last}" if others else last

    def fits(self, value: object) -> bool:
        return type(value) in self.classes or self.accepts(value)

    def made_of(self, value: object) -> object:
        """A value that may not fit as a plain one: as a float if only that fits."""
        real = real_number(value)
        return real if real is not None and self.fits(real) else plain(value)


@cache
def _requirements(cls: Hashable) -> tuple[tuple[str, _Requirement], ...]:
    kind = cast("type[attrs.AttrsInstance]", cls)
    hints = get_type_hints(kind, include_extras=True)
    names = [field.name for field in attrs.fields(kind) if not field.name.startswith("_")]
    return tuple((name, _requirement(hints[name])) for name in names)


def _requirement(hint: Any) -> _Requirement:
    kind = get_origin(hint)
    args = get_args(hint)
    if kind is Annotated and isinstance(args[1], str):
        needed = _requirement(args[0])
        return _Requirement(needed.classes, needed.accepts, args[1])
    if kind is Annotated:
        return _number(args[1]) if args[0] is float else _whole_number(args[1])
    if kind is Literal:
        choices = (f'"{choice}"' for choice in args)
        return _Requirement(
            frozenset(), lambda value: type(value) is str and value in args, *choices
        )
    if kind is tuple:
        return (
            _series(_requirement(args[0]))
            if args[-1] is Ellipsis
            else _tuple(tuple, [*map(_requirement, args)])
        )
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _tuple(cast("Any", kind), [_requirement(args[0])] * 2)
    if kind in _UNIONS:
        return _union([*map(_requirement, args)])
    return _of_class(hint)


def _union(parts: list[_Requirement]) -> _Requirement:
    classes = frozenset[type]().union(*(part.classes for part in parts))
    choices = (choice for part in parts for choice in part.choices)
    return _Requirement(classes, lambda value: any(part.accepts(value) for part in parts), *choices)


def _of_class(cls: type) -> _Requirement:
    if cls is int:
        return _whole_number(_ANY)
    if cls is float:
        return _number(None)
    if cls in _EXACT:
        return _Requirement(frozenset({cls}), lambda _: False, *_EXACT[cls])
    name = cls.__name__
    words = f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
    return _Requirement(frozenset({cls}), lambda value: isinstance(value, cls), words)


def _whole_number(bounds: Bounds) -> _Requirement:
    least, most = bounds.least, MOST_POINTS if bounds.most is None else bounds.most
    words = "a whole number"
    if bounds is not _ANY:
        words += f" from {least:,} " + ("up" if bounds.most is None else f"to {most:,}")
    return _Requirement(
        frozenset(), lambda value: type(value) is int and least <= value <= most, words
    )


def _number(bounds: Bounds | None) -> _Requirement:
    """A float that is finite, and within these bounds."""
    least, most = (
        (-inf, inf)
        if bounds is None
        else (bounds.least, inf if bounds.most is None else bounds.most)
    )
    words = (
        "a finite number"
        if bounds is None
        else f"a number from {least} " + (f"to {most}" if most < inf else "up")
    )

    def accepts(value: object) -> bool:
        return type(value) is float and isfinite(value) and least <= value <= most

    return _Requirement(frozenset(), accepts, words)


def _series(item: _Requirement) -> _Requirement:
    """A tuple of any length."""

    def accepts(value: object) -> bool:
        items = cast("tuple[Any, ...]", value)
        if type(value) is not tuple:
            return False
        others = set(map(type, items)) - item.classes
        if others == {int}:  # numbers have bounds only, so the least and the greatest are enough
            numbers = [number for number in items if type(number) is int]
            return item.accepts(min(numbers)) and item.accepts(max(numbers))
        return not others or all(map(item.fits, items))

    bare = f" {item.words}".replace(" an ", " ").replace(" a ", " ").strip()
    plural = re.sub(r"\b(string|number|tuple)\b", r"\1s", bare)
    return _Requirement(frozenset(), accepts, f"a tuple of {plural}")


def _tuple(kind: type, parts: list[_Requirement]) -> _Requirement:
    """A tuple of this class with one item for each of these."""

    def accepts(value: object) -> bool:
        items = cast("tuple[object, ...]", value)
        if type(value) is not kind or len(items) != len(parts):
            return False
        return all(part.fits(item) for part, item in zip(parts, items, strict=True))

    words = ", ".join(part.words for part in parts)
    return _Requirement(frozenset(), accepts, f"a tuple of {len(parts)}: {words}")
