"""Records as JSON documents, and other JSON that programs save: a state, a position, a log of events.

`gammonrules.json` reads and writes all of it. It needs an extra and so is imported when used.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Final

import attrs
from attrs import frozen

from gammonrules._shared.extras import importing_package
from gammonrules.board import Position
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Event, Forfeit, MatchState, RecordEvent, SetPosition
from gammonrules.records.transcript import (
    Finding,
    FindingKind,
    Match,
    Severity,
    as_replayed,
    quoted,
)
from gammonrules.values import is_mapping, shown

if TYPE_CHECKING:
    from gammonrules.json import Value

_BEGINNING = re.compile(r'\s{0,100}\{\s{0,100}"')
_BEGINNING_OF_ANY = re.compile(r'\s{0,100}(?:\{\s{0,100}"|\[\s{0,100}\{)')
_TYPE = re.compile(r'"type"\s{0,9}:\s{0,9}"Match"')
_BLANKS = re.compile(r"\s*")
_BEGINNING_OF_ARRAY = re.compile(r"\[\s*")
_BETWEEN_ITEMS = re.compile(r"\s*,?\s*")
_ONE_MATCH = "save each match in a file of its own"
_EVENTS: Final = ("Event", "SetPosition", "Forfeit")
_SAVED: Final = (*_EVENTS, "MatchState", "Position")


def is_json(text: str) -> bool:
    """Whether a text begins as a JSON object does, and names our type, which may be anywhere in it."""
    return _BEGINNING.match(text) is not None and _TYPE.search(text) is not None


def read_json(text: str) -> Match:
    """The match in a document, replayed as in any other format.

    Raises ParseError if it is not such a document, or cattrs is not installed.
    """
    try:
        with importing_package("json", "a record in JSON"):
            from gammonrules.json import loads  # noqa: PLC0415 - an extra

        match = loads(text, Match)
    except ImportError as error:
        raise ParseError(f"this is a JSON document, but {error}") from None
    except GammonError as error:
        cause = error.__context__  # the error that `loads` was handling
        if isinstance(cause, JSONDecodeError) and cause.msg == "Extra data":
            raise ParseError(
                f"this JSON goes on after its first match: {_ONE_MATCH} ({cause})"
            ) from None
        if isinstance(cause, JSONDecodeError):
            raise ParseError(f"this JSON document is damaged or cut off: {cause}") from None
        raise ParseError(
            f"this is a JSON document, but not a record that can be read: {error}"
        ) from None
    return as_replayed(match)


def write_json(match: Match, _: object) -> str:
    """The match as a document, on one line. Raises GammonError without cattrs, or if it is too long to be read."""
    try:
        with importing_package("json", "a record in JSON"):
            from gammonrules.json import dumps  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise GammonError(str(error)) from None
    return dumps(match) + "\n"


# --- JSON that is not a match -----------------------------------------------------------------------------------------

_USE_OF_MATCHES = "gammonrules convert --to json, or records.dump, writes matches as JSON"
_IN_A_LOG = "a log has an Event, SetPosition or Forfeit on each line, after one MatchState at most"
_IS_MONEY_PLAY = (
    "is read as money play, since its first line is not the MatchState before the first event"
)
_PLAYERS: Final = ("White", "Black")
_DECODER: Final = JSONDecoder(parse_int=float)  # Python limits the length of an int


@frozen
class _Document:
    """A document of a text with one or several."""

    text: str
    type_name: object
    """The "type" that it has; None if it has none, or is not an object."""

    @classmethod
    def of(cls, text: str, data: object) -> _Document:
        return cls(text, data.get("type") if is_mapping(data) else None)


def is_other_json(text: str) -> bool:
    """Whether a text is JSON that is not a match: it begins with an object, or all of it is one value."""
    if _BEGINNING_OF_ANY.match(text):
        return not is_json(text)
    try:
        _DECODER.decode(text)
    except JSONDecodeError:
        return False
    except RecursionError:
        pass
    return True


def has_saved_json(text: str) -> bool:
    """Whether a text is JSON that begins as what `read_saved_json` reads."""
    if not is_other_json(text):
        return False
    try:
        documents = _documents_in(text)
    except ParseError:
        return False
    return bool(documents) and documents[0].type_name in _SAVED


def why_not_match(text: str) -> str:
    """The message about JSON that is not a match: what it is, and what reads it."""
    try:
        documents = _documents_in(text)
    except ParseError as error:
        return str(error)
    name = documents[0].type_name if documents else None
    if name == "Match":
        return f"this is JSON with matches in an array: {_ONE_MATCH}"
    if name in _EVENTS or (name == "MatchState" and len(documents) > 1):
        use = "gammonrules view and show read it from a file of its own; in Python, use Match.from_events"
        return f"this is a log of events as JSON, not a match: {use}"
    if name == "MatchState":
        use = "gammonrules show draws it, and gammonrules view if its game is not over"
        return f"this is a MatchState as JSON, not a match: {use}; in Python, use gammonrules.json.loads"
    if name == "Position":
        use = "gammonrules show draws it; in Python, use gammonrules.json.loads"
        return f"this is a Position as JSON, not a match: {use}"
    of_type = f" of the type {shown(name, 60)}" if isinstance(name, str) else ""
    return f"this is JSON{of_type}, not a match: {_USE_OF_MATCHES}"


def read_saved_json(text: str) -> Match | MatchState | Position:
    """What a program has saved as JSON: a state, a position, or a log of events as a match.

    A log may begin with the state before its first event. Raises ParseError if the text is none of these, or an event
    breaks the rules.
    """
    documents = _documents_in(text)
    is_log = len(documents) > 1 or documents[0].type_name in _EVENTS
    values = _values_of_documents(documents, is_log=is_log)
    first = values[0]
    if isinstance(first, Position) or (isinstance(first, MatchState) and not is_log):
        return first
    if isinstance(first, MatchState):
        if first.result is not None:
            next_step = "begin the log with the state of the next game"
            raise ParseError(f"the game of the first state in this log is over: {next_step}")
        return match_from(first, _events_in(values[1:]))
    try:
        match = match_from(MatchState.new(None), _events_in(values))
    except ParseError as error:
        raise ParseError(f"{error}; the log {_IS_MONEY_PLAY}") from None
    finding = Finding(
        Severity.WARNING,
        kind=FindingKind.UNREADABLE_LINE,
        game=None,
        row=None,
        text=quoted(text.lstrip().partition("\n")[0]),
        explanation=f"the log {_IS_MONEY_PLAY}",
    )
    return attrs.evolve(match, findings=(finding,))


def match_from(start: MatchState, events: Sequence[RecordEvent] = ()) -> Match:
    """The match of these events. Raises ParseError if an event breaks the rules, or the game is over at the start."""
    if start.result is not None:
        raise ParseError("the game of this state is over: gammonrules show draws its board")
    try:
        return Match.from_events(_PLAYERS, start, events)
    except GammonError as error:
        raise ParseError(str(error)) from error


def _events_in(values: Sequence[Value]) -> list[RecordEvent]:
    return [value for value in values if isinstance(value, (Event, SetPosition, Forfeit))]


def _values_of_documents(documents: Sequence[_Document], *, is_log: bool) -> list[Value]:
    """The values of documents. Raises ParseError if one cannot be read or be in a log, or cattrs is not installed."""
    try:
        with importing_package("json", "a record in JSON"):
            from gammonrules.json import loads  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ParseError(f"this is JSON, but {error}") from None
    values: list[Value] = []
    for number, document in enumerate(documents, start=1):
        name = document.type_name
        is_start = number == 1 and name == "MatchState"
        if is_log and not is_start and name not in _EVENTS:
            of_type = f"has the type {shown(name, 60)}" if isinstance(name, str) else "has no type"
            raise ParseError(f"document {number} of the JSON {of_type}: {_IN_A_LOG}")
        try:
            values.append(loads(document.text))
        except GammonError as error:
            raise ParseError(f"document {number} of the JSON cannot be read: {error}") from error
    return values


def _documents_in(text: str) -> list[_Document]:
    """The documents of a text: one, or several one after another, as on lines, or in an array.

    Raises ParseError if the text is not valid JSON.
    """
    position = _end_of_gap(_BLANKS, text, 0)
    gap = _BLANKS
    end_of_documents = len(text)
    if text.startswith("[", position):
        _, end_of_array = _json_value_at(text, position)
        if text[end_of_array:].strip():
            raise ParseError(
                "this JSON goes on after its array: a log in an array has nothing else"
            )
        end_of_documents = end_of_array - 1
        position = _end_of_gap(_BEGINNING_OF_ARRAY, text, position)
        gap = _BETWEEN_ITEMS
    documents: list[_Document] = []
    while position < end_of_documents:
        data, end = _json_value_at(text, position)
        documents.append(_Document.of(text[position:end], data))
        position = _end_of_gap(gap, text, end)
    return documents


def _json_value_at(text: str, start: int) -> tuple[object, int]:
    """The JSON value at this place of a text, and its end. Raises ParseError."""
    try:
        return _DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        raise ParseError(f"this looks like JSON that is damaged or cut off: {error}") from None
    except RecursionError:
        raise ParseError("this looks like JSON that is nested too deeply") from None


def _end_of_gap(gap: re.Pattern[str], text: str, position: int) -> int:
    """The end of the gap at this place of a text, which may be empty."""
    blanks = gap.match(text, position)
    assert blanks is not None
    return blanks.end()
