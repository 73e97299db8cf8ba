"""Strict reading of plain data: each error keeps its place, and the caller gets one error for all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeGuard

from cattrs import BaseValidationError, ClassValidationError
from cattrs.errors import AttributeValidationNote, IterableValidationNote

from gammonrules._shared.json_form import described
from gammonrules.errors import GammonError, ParseError, ProblemsError
from gammonrules.values import MAX_NAMED, is_mapping, listed, reworded, shown

MISSING = "this field is missing"
_MAX_NAME_LENGTH = 40


class Twice(dict[str, Any]):
    """An object with duplicate fields. It is rejected when it is read, where its path is known.

    Attributes:
        names: the duplicate fields.
    """

    names: Sequence[str] = ()


# --- collecting errors ----------------------------------------------------------------------------


def _noted(place: str | int, error: Exception) -> Exception:
    """The same error with its place in a note of cattrs: the name of a field, or an index in an array."""
    if isinstance(place, int):
        error.add_note(IterableValidationNote(f"index {place}", place, None))
    else:
        error.add_note(AttributeValidationNote(f"field {place}", place, None))
    return error


def _grouped_errors(kind: type, errors: Sequence[Exception]) -> ClassValidationError:
    return ClassValidationError(f"no {kind.__name__}", errors, kind)  # pyright: ignore[reportCallIssue]


def refused_fields(kind: type, sentence: str, names: Iterable[str]) -> ClassValidationError:
    """The error for an object with these wrong fields, of which only the first are named."""
    first_names = islice(names, MAX_NAMED + 1)  # one more shows that there are others
    return _grouped_errors(kind, [_noted(name, ParseError(sentence)) for name in first_names])


class PartToRead(NamedTuple):
    """A part of a value that is to be read."""

    place: str | int
    """The name of a field, or the index in an array."""
    read: Callable[[Any], Any]
    data: object


def read_one(kind: type, part: PartToRead) -> Any:
    """Read one part of a value of this kind. Raises ClassValidationError, which knows the place of the part."""
    (value,) = read_each(kind, [part])
    return value


def read_each(kind: type, parts: Iterable[PartToRead]) -> list[Any]:
    """Read the parts of a value of this kind. Raises ClassValidationError with all their errors."""
    errors = list[Exception]()
    values = list[Any]()
    for part in parts:
        if len(errors) > MAX_NAMED:  # one more than are named shows that there are others
            break
        try:
            values.append(part.read(part.data))
        except (GammonError, BaseValidationError) as error:
            errors.append(_noted(part.place, error))
    if errors:
        raise _grouped_errors(kind, errors)
    return values


def read_fields(data: object, kind: type, readers: Mapping[str, Callable[[Any], Any]]) -> list[Any]:
    """Read the fields of an object, which must be exactly these, in the order of their readers.

    Raises as `exact_fields` and `read_each`.
    """
    fields = exact_fields(data, kind, readers)
    return read_each(kind, [PartToRead(name, read, fields[name]) for name, read in readers.items()])


def members_of(data: object, kind: type) -> Mapping[Any, Any]:
    """The fields of an object, without duplicates."""
    if isinstance(data, Twice):
        raise refused_fields(kind, "this field appears more than once", data.names)
    if not is_mapping(data):
        raise ParseError(f"expected an object, not {described(data)}")
    return data


def exact_fields(
    data: object, kind: type, names: Collection[str], optional: Collection[str] = ()
) -> Mapping[str, Any]:
    """The fields of an object, which must be exactly these; it may also have the optional ones."""
    fields = members_of(data, kind)
    known = {*names, *optional}
    unknown = [name for name in fields if name not in known]
    if unknown:
        raise refused_fields(kind, "there is no such field", unknown)
    missing = [name for name in names if name not in fields]
    if missing:
        raise refused_fields(kind, MISSING, missing)
    return fields


# --- the error that the caller gets ---------------------------------------------------------------


def refusal(error: Exception) -> GammonError:
    """All errors of a document as one, of the class of the first; each sentence begins with its path.

    Flags of errors of one class are combined.
    """
    leaves = ordered_leaves(error)
    sentence = listed(leaf.sentence for leaf in leaves)
    first = leaves[0].error
    if isinstance(first, ProblemsError):
        problems = first.problems
        for leaf in leaves:
            if isinstance(leaf.error, type(first)):
                problems |= leaf.error.problems
        return type(first)(sentence, problems)
    return reworded(first, sentence)


class Leaf(NamedTuple):
    """A single error, and where in the document it is: of "$.games[0].dice" the places "games", 0 and "dice".

    A place is the name of a field, which may be anything if there is no such field, or an index.
    """

    places: tuple[object, ...]
    error: GammonError

    @property
    def sentence(self) -> str:
        """The sentence about a fault, after the path from the top of the document."""
        return f"${''.join(map(_step, self.places))}: {self.error}"


def ordered_leaves(error: Exception) -> list[Leaf]:
    """The single errors of a document: values that cannot be read come before those that a constructor rejects."""
    leaves = [*_leaves(error, ())]
    unreadable = [leaf for leaf in leaves if isinstance(leaf.error, ParseError)]
    rejected = [leaf for leaf in leaves if not isinstance(leaf.error, ParseError)]
    return unreadable + rejected


def _leaves(error: Exception, places: tuple[object, ...]) -> Iterator[Leaf]:
    """The single errors of a group, each with its places; these are those of what the group is in."""
    notes: Sequence[object] = getattr(error, "__notes__", ())
    for note in notes:
        if isinstance(note, AttributeValidationNote):
            places = (*places, note.name)
        elif isinstance(note, IterableValidationNote):
            places = (*places, note.index)
    if isinstance(error, BaseValidationError):
        for part in error.exceptions:
            yield from _leaves(part, places)
    else:
        assert isinstance(error, GammonError)  # nothing else is collected
        yield Leaf(places, error)


def is_plain_name(place: object) -> TypeGuard[str]:
    """Whether this is a name as fields have it; an unknown one can have any name."""
    return (
        isinstance(place, str)
        and len(place) <= _MAX_NAME_LENGTH
        and place.isascii()
        and place.isidentifier()
    )


def _step(place: object) -> str:
    """A place in a path."""
    return f".{place}" if is_plain_name(place) else f"[{shown(place)}]"
