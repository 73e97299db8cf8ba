"""Values of callers: what counts as a number or a text, whether arguments fit, and how errors show them."""

from __future__ import annotations

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
from itertools import islice
from operator import index
from types import NoneType
from typing import Any, Literal, SupportsFloat, SupportsIndex, TypeAlias, TypeGuard, TypeVar

from gammonrules.errors import ArgumentError, DiceError, DiceProblem, GammonError, ProblemsError
from gammonrules.limits import MAX_CUBE, MAX_MESSAGE_LENGTH

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
    return type(value) is int and 1 <= value <= MAX_CUBE and value.bit_count() == 1


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


def first_items(value: object, limit: int) -> list[object] | None:
    """The first items of a series, at most this many; None as of `iterator_of`."""
    items = iterator_of(value)
    if items is None:
        return None
    return [*islice(items, limit)]


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
        if number == MAX_NAMED or len(longer) > MAX_MESSAGE_LENGTH:
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


def suggestion(value: object, choices: Iterable[str]) -> str:
    """The end of an error message, which asks whether a similar choice was meant; "" if none is similar."""
    text = plain_text(value)
    if text is None or len(text) > _MAX_WORD_LENGTH:
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - it takes time to load, and only errors need it

    of_lower_case = {str(choice).lower(): str(choice) for choice in choices}
    near = get_close_matches(text.lower(), of_lower_case, n=1)
    return f'; did you mean "{of_lower_case[near[0]]}"?' if near else ""


_MAX_WORD_LENGTH = 60
"""Longer strings are compared with no choices, which would take long."""


# --- arguments --------------------------------------------------------------------------------------------------------

Until: TypeAlias = float | Literal["decided"] | None
"""When games end early: at this margin, as soon as it is decided who or what is better, or never."""

_Flag = TypeVar("_Flag")
_Text = TypeVar("_Text", bound=str)
MAX_NAMED = 10
"""The most problems that one error names: a record can have thousands of games, each with a problem."""


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


def whole_argument(name: str, value: object, minimum: int, maximum: int | None) -> int:
    """Check that an argument is a whole number of any type, from `minimum` to `maximum` unless None; return an int.

    Raises:
        ArgumentError: it is not.
    """
    number = whole_number(value)
    if number is not None and number >= minimum and (maximum is None or number <= maximum):
        return number
    end = "up" if maximum is None else f"to {maximum:,}"
    raise ArgumentError(f"{name} must be a whole number from {minimum:,} {end}, not {shown(value)}")


def real_argument(
    name: str,
    value: object,
    needed: str,
    fits: Callable[[float], bool],
    *,
    words: Sequence[str] = (),
) -> float:
    """Check that an argument is a number of any type that fits, as `needed` says in words; return a plain float.

    The error suggests one of the `words` that the caller accepts as well, if it is similar.

    Raises:
        ArgumentError: it is not.
    """
    number = real_number(value)
    if number is None or not fits(number):
        near = suggestion(value, words)
        raise ArgumentError(f"{name} must be {needed}, not {shown(value, 60)}{near}")
    return number


def checked_until(until: object, *others: str) -> Until:
    """Raises ArgumentError for what is none of the three; it also names the other words that the caller accepts."""
    if until is None:
        return None
    if plain_text(until) == "decided":
        return "decided"
    words = ["decided", *others]
    quoted = ", ".join(f'"{word}"' for word in words)
    needed = f"{quoted}, a margin above 0, or None"
    return real_argument("until", until, needed, fits=lambda margin: margin > 0, words=words)


def choice_argument(name: str, value: object, choices: Sequence[_Text]) -> _Text:
    """Check that an argument is one of these strings; return that of ours.

    Raises:
        ArgumentError: it is not.
    """
    text = plain_text(value)
    if text in choices:
        return choices[choices.index(text)]
    near = suggestion(value, choices)
    raise ArgumentError(f"{name} must be {one_of(choices)}, not {shown(value)}{near}")


def check_function(name: str, value: object, *, optional: bool = False) -> None:
    """Raise ArgumentError if this argument cannot be called; an optional one may be None."""
    if callable(value) or (optional and value is None):
        return
    needed = "a function or None" if optional else "a function"
    raise ArgumentError(f"{name} must be {needed}, not {shown(value, 60)}")


def not_a_pair(sentence: str) -> DiceError:
    """The error for what is no roll, or where there is none."""
    return DiceError(sentence, DiceProblem.NOT_A_PAIR)


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


def flagged(flag: _Flag, sentences: Iterable[str]) -> Iterator[tuple[_Flag, str]]:
    """Pair each of these sentences with the same flag."""
    return ((flag, sentence) for sentence in sentences)
