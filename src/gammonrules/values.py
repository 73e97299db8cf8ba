"""Values of callers: what counts as a number or a text, whether arguments and fields fit, and how errors show them."""

from __future__ import annotations

import re
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Sized,
)
from contextlib import contextmanager
from enum import Enum
from functools import cache
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
    get_args,
    get_origin,
    get_type_hints,
)

import attrs

from gammonrules.errors import ArgumentError, DiceError, DiceProblem, GammonError, ProblemsError
from gammonrules.limits import LARGEST_CUBE, LONGEST_MESSAGE, MOST_POINTS, MOST_SECONDS

_Item = TypeVar("_Item")


def is_series(value: object) -> TypeGuard[tuple[object, ...] | list[object]]:
    """Whether this is a tuple or a list."""
    return isinstance(value, (tuple, list))


def is_exact_tuple(
    value: object, kind: type[tuple[Any, ...]] = tuple
) -> TypeGuard[tuple[object, ...]]:
    """Whether this is a tuple of exactly this class."""
    return type(value) is kind


def is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    """Whether this is a mapping, whatever its keys are."""
    return isinstance(value, Mapping)


def is_json_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether this, which was read from JSON, is an object of it."""
    return isinstance(value, dict)


def _has_index(value: object) -> TypeGuard[SupportsIndex]:
    # isinstance(value, SupportsIndex) says the same, but takes microseconds for the numbers of NumPy
    return hasattr(type(value), "__index__")


def _has_float(value: object) -> TypeGuard[SupportsFloat]:
    return hasattr(type(value), "__float__")


def _is_data_frame(value: object) -> bool:
    """Whether this is a table of another library, whose items are columns."""
    return hasattr(type(value), "__dataframe__")


def whole_number(value: object) -> int | None:
    """A whole number of any type as a plain int; None for anything else.

    A bool does not count as a number here.
    """
    if type(value) is int:
        return value
    if isinstance(value, bool) or not _has_index(value):
        return None
    try:
        return index(value)
    except TypeError:  # every array has the method, but it works only for a single whole number
        return None


def real_number(value: object) -> float | None:
    """A number of any type but bool as a plain float; None for anything else, and for what a float cannot hold."""
    if isinstance(value, (bool, str)) or not _has_float(value):
        return None
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        return None


def plain_text(value: object) -> str | None:
    """A string of any class as a plain str; None for anything else."""
    return str.__str__(value) if isinstance(value, str) else None


def plain(value: object) -> object:
    """A whole number or a string of any class as a plain int or str, also in tuples; anything else unchanged."""
    if type(value) in _PLAIN:  # the usual case
        return value
    if is_exact_tuple(value):
        if {*map(type, value)} <= _PLAIN:
            return value
        return tuple(plain(item) for item in value)
    number = whole_number(value)
    if number is not None:
        return number
    text = plain_text(value)
    return value if text is None else text


_PLAIN = frozenset({bool, float, int, str, NoneType})


def is_cube_value(value: object) -> bool:
    """Whether this is 1, 2, 4, 8, ... up to the largest cube. True does not count as 1."""
    return type(value) is int and 1 <= value <= LARGEST_CUBE and value.bit_count() == 1


def items_of_pair(value: object) -> tuple[Any, Any] | None:
    """The two items of a tuple or a list, which may be anything; None if it is neither, or not of two."""
    if not is_series(value) or len(value) != 2:
        return None
    return value[0], value[1]


def items_of_array(value: Any) -> tuple[Any, Any] | None:
    """The two items of a one-dimensional array of NumPy or a similar library; None if it is anything else."""
    if getattr(value, "shape", None) != (2,):
        return None
    return value[0], value[1]


def is_pair_of(value: object, kind: type[_Item]) -> TypeGuard[tuple[_Item, _Item]]:
    """Whether this is a tuple of two values of exactly this class; a bool is not an int here."""
    if not is_series(value) or not isinstance(value, tuple) or len(value) != 2:
        return False
    return type(value[0]) is kind and type(value[1]) is kind


def iterator_of(value: Any) -> Iterator[Any] | None:
    """What goes through a series; None if it is a string, a mapping, a table of another library, or not iterable."""
    if isinstance(value, (str, bytes)) or is_mapping(value) or _is_data_frame(value):
        return None
    try:
        items: Iterator[Any] = iter(value)
    # an array without dimensions has the method, but raises TypeError; memory of several raises NotImplementedError
    except (TypeError, NotImplementedError):
        return None
    return items


def first_items(value: object, most: int) -> list[object] | None:
    """The first items of a series, at most this many; None as of `iterator_of`."""
    items = iterator_of(value)
    if items is None:
        return None
    return [*islice(items, most)]


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


def error_text(error: BaseException) -> str:
    """What an exception of a stranger says. This never raises: if its text fails, that is said."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001  a text may raise anything, too
        return "its text cannot be shown"


def _brief(value: object, width: int, depth: int = 0) -> str:
    """The beginning of a repr, without computing the rest of it."""
    if isinstance(value, (Enum, bool)):
        return repr(value)
    if isinstance(value, (str, bytes, bytearray)):
        return repr(value[: width + 1])  # one more than fits, so that `shown` cuts it off
    if isinstance(value, int):
        is_short = value.bit_length() < _MANY_BITS
        return str(value) if is_short else "a number with thousands of digits"
    for kind, (opening, closing) in _BRACKETS.items():
        if isinstance(value, kind):
            # Without a comma, a tuple of one item would look like an item in brackets.
            comma = "," if kind is tuple and len(value) == 1 else ""
            return opening + _brief_items(value, width, depth + 1) + comma + closing
    if isinstance(value, Sized) and len(value) > _MANY:
        return f"a {type(value).__name__} of {len(value)}"
    return " ".join(repr(value).split())


def _brief_items(container: Iterable[object], width: int, depth: int) -> str:
    """The first items of a container, as many as are shown; deeply nested items are not."""
    if depth > _DEPTH:
        return "..."
    text = ""
    for item in _texts_of_items(container, width, depth):
        if len(text) > width:
            break
        text += f", {item}" if text else item
    return text


def _texts_of_items(container: Iterable[object], width: int, depth: int) -> Iterator[str]:
    if is_mapping(container):
        for key, value in container.items():
            yield f"{_brief(key, width, depth)}: {_brief(value, width, depth)}"
        return
    for item in container:
        yield _brief(item, width, depth)


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
        if not text:
            text = sentence
            continue
        longer = f"{text}; {sentence}"
        if number == MOST_NAMED or len(longer) > LONGEST_MESSAGE:
            return f"{text}; and more"
        text = longer
    return text


def counted(number: int, noun: str, separator: str = "") -> str:
    """A number with its noun: "0 points", "1 point", "2000 points"; the separator goes between thousands."""
    plural = "" if number == 1 else "s"
    return f"{number:{separator}} {noun}{plural}"


def one_of(choices: Sequence[str]) -> str:
    """Choices as error messages list them: '"a", "b" or "c"'."""
    *others, last = [f'"{choice}"' for choice in choices]
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
        self.least = least
        self.most = most


def refuse_flagged(
    error: type[ProblemsError], what: str, problems: Iterable[tuple[Any, str]]
) -> None:
    """Raise an error with the flags and sentences of all problems, if there are any."""
    flags: Any = None
    sentences: list[str] = []
    for flag, sentence in problems:
        flags = flag if flags is None else flags | flag
        sentences.append(sentence)
    if sentences:
        raise error(f"impossible {what}: {listed(sentences)}", flags)


def refuse(what: str, problems: Iterable[str]) -> None:
    """Raise ArgumentError with these sentences, as `listed` has them, if there are any."""
    sentences = listed(problems)
    if sentences:
        raise ArgumentError(f"impossible {what}: {sentences}")


def whole_argument(name: str, value: object, least: int, most: int | None) -> int:
    """Check that an argument is a whole number of any type, from `least` to `most` if not None; return a plain int.

    Raises:
        ArgumentError: it is not.
    """
    number = whole_number(value)
    if number is not None and number >= least and (most is None or number <= most):
        return number
    end = "up" if most is None else f"to {most:,}"
    raise ArgumentError(f"{name} must be a whole number from {least:,} {end}, not {shown(value)}")


def real_argument(name: str, value: object, needed: str, fits: Callable[[float], bool]) -> float:
    """Check that an argument is a number of any type that fits, as `needed` says in words; return a plain float.

    Raises:
        ArgumentError: it is not.
    """
    number = real_number(value)
    if number is None or not fits(number):
        raise ArgumentError(f"{name} must be {needed}, not {shown(value, 60)}")
    return number


def checked_until(until: object) -> Until:
    """Raises ArgumentError for what is none of the three."""
    if until is None:
        return None
    if plain_text(until) == "decided":
        return "decided"
    needed = '"decided", a margin above 0, or None'
    return real_argument("until", until, needed, fits=lambda margin: margin > 0)


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
    if callable(value) or (optional and value is None):
        return
    needed = "a function or None" if optional else "a function"
    raise ArgumentError(f"{name} must be {needed}, not {shown(value, 60)}")


def no_pair(sentence: str) -> DiceError:
    """The error for what is no roll, or where there is none."""
    return DiceError(sentence, DiceProblem.NO_PAIR)


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


def reworded(error: GammonError, sentence: str) -> GammonError:
    """The same error with another message, from which every error can be made; notes on it are left out."""
    reworded_error = type(error)(sentence)
    facts = vars(error).copy()
    facts.pop("__notes__", None)
    vars(reworded_error).update(facts)
    return reworded_error


@contextmanager
def saying_where(where: str, kind: type[GammonError] = GammonError) -> Generator[None]:
    """Begin the message of an error of this kind with where it was."""
    try:
        yield
    except kind as error:
        raise reworded(error, f"{where}: {error}") from None


def moment_argument(name: str, value: object) -> float:
    """Check that an argument is a time, in seconds of either sign; return it to the millisecond.

    Raises:
        ArgumentError: it is not.
    """
    needed = f"a number of seconds up to {MOST_SECONDS:,} of either sign"
    seconds = real_argument(name, value, needed, lambda number: abs(number) <= MOST_SECONDS)
    return to_the_millisecond(seconds)


def to_the_millisecond(seconds: float) -> float:
    """Seconds rounded, and never -0.0."""
    return round(seconds, 3) + 0.0


def flagged(flag: _Flag, sentences: Iterable[str]) -> Iterator[tuple[_Flag, str]]:
    """Pair each of these sentences with the same flag."""
    return ((flag, sentence) for sentence in sentences)


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
            wrong.append(f"{name} must be {needed.words}, not {shown(shown_value, 60)}{why}")
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
        is_too_large = abs(field_value) > MOST_POINTS
        is_said = f"{MOST_POINTS:,}" in words
        return f", beyond {MOST_POINTS:,}" if is_too_large and not is_said else ""
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


class Tries:
    """Reads the parts of a value one after another, and collects what was wrong with any of them."""

    def __init__(self) -> None:
        self._wrong: list[GammonError] = []

    def read(self, reader: Callable[..., Any], *arguments: object) -> Any:
        """What this function makes of these arguments; None if it raises an error, which is kept."""
        try:
            return reader(*arguments)
        except GammonError as error:
            self._wrong.append(error)
            return None

    def refuse(self) -> None:
        """Raise the error; if there are several, ArgumentError with all their sentences."""
        if len(self._wrong) == 1:
            raise self._wrong[0]
        if self._wrong:
            raise ArgumentError(listed(str(error) for error in self._wrong))


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
        self, classes: frozenset[type], accepts: Callable[[Any], bool], choices: Sequence[str]
    ) -> None:
        self.classes = classes
        self.accepts = accepts
        self.choices = choices

    @property
    def words(self) -> str:
        """The choices as a sentence has them: "a, b or c"."""
        *others, last = self.choices
        if not others:
            return last
        return f"{', '.join(others)} or {last}"

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
        choices = [f'"{choice}"' for choice in args]
        return _Requirement(
            frozenset(), lambda value: type(value) is str and value in args, choices
        )
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


def _is_tuple_class(kind: object) -> TypeGuard[type[tuple[Any, ...]]]:
    return isinstance(kind, type) and issubclass(kind, tuple)


def _annotated(hint: Any, note: str | Bounds) -> _Requirement:
    """A hint with its description in words, or a number within bounds."""
    if isinstance(note, str):
        needed = _requirement(hint)
        return _Requirement(needed.classes, needed.accepts, [note])
    return _number(note) if hint is float else _whole_number(note)


def _union(parts: list[_Requirement]) -> _Requirement:
    """Any one of these."""
    classes = frozenset[type]()
    choices: list[str] = []
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
        return _whole_number(None)
    if cls is float:
        return _number(None)
    if cls in _EXACT:  # then no value of another class fits
        return _Requirement(frozenset({cls}), lambda _: False, _EXACT[cls])
    name = cls.__name__
    article = "an" if name[0] in "AEIOU" else "a"
    return _Requirement(
        frozenset({cls}), lambda value: isinstance(value, cls), [f"{article} {name}"]
    )


def _whole_number(bounds: Bounds | None) -> _Requirement:
    """A whole number up to `MOST_POINTS` of either sign, or within these bounds."""
    least: float = -MOST_POINTS
    most: float = MOST_POINTS
    words = "a whole number"
    if bounds is not None:
        least = bounds.least
        end = "up"
        if bounds.most is not None:
            most = bounds.most
            end = f"to {most:,}"
        words = f"a whole number from {least:,} {end}"

    def accepts(value: object) -> bool:
        return type(value) is int and least <= value <= most

    return _Requirement(frozenset(), accepts, [words])


def _number(bounds: Bounds | None) -> _Requirement:
    """A float that is finite, and within these bounds."""
    least = -inf
    most = inf
    words = "a finite number"
    if bounds is not None:
        least = bounds.least
        end = "up"
        if bounds.most is not None:
            most = bounds.most
            end = f"to {most}"
        words = f"a number from {least} {end}"

    def accepts(value: object) -> bool:
        return type(value) is float and isfinite(value) and least <= value <= most

    return _Requirement(frozenset(), accepts, [words])


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
    return _Requirement(frozenset(), accepts, [f"a tuple of {plural}"])


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
    return _Requirement(frozenset(), accepts, [f"a tuple of {len(parts)}: {words}"])
