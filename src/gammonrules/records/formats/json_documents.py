"""Records as JSON documents, and other JSON that programs save: a state, a position, a log of events.

`gammonrules.json` reads and writes all of it. It needs an extra and so is imported when used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Final

import attrs

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
from gammonrules.values import shown

if TYPE_CHECKING:
    from gammonrules.json import Value

_BEGINNING = re.compile(r'\s{0,100}\{\s{0,100}"')
_BEGINNING_OF_ANY = re.compile(r'\s{0,100}(?:\{\s{0,100}"|\[\s{0,100}\{)')
_TYPE = re.compile(r'"type"\s{0,9}:\s{0,9}"Match"')
_BETWEEN_DOCUMENTS = re.compile(r"[\s,\[\]]*")
_EVENTS: Final = ("Event", "SetPosition", "Forfeit")


def is_json(text: str) -> bool:
    """Whether a text begins as a JSON object does, and names our type, which may be anywhere in it."""
    return _BEGINNING.match(text) is not None and _TYPE.search(text) is not None


def read_json(text: str) -> Match:
    """The match in a document, replayed as in any other format.

    Raises ParseError if it is not such a document, or cattrs is not installed.
    """
    try:
        from gammonrules.json import loads  # noqa: PLC0415 - an extra

        match = loads(text, Match)
    except ImportError as error:
        raise ParseError(f"this is a JSON document, but {error}") from None
    except GammonError as error:
        cause = error.__context__  # the error that `loads` was handling
        if isinstance(cause, JSONDecodeError):
            raise ParseError(f"this JSON document is damaged or cut off: {cause}") from None
        raise ParseError(
            f"this is a JSON document, but not a record that can be read: {error}"
        ) from None
    return as_replayed(match)


def write_json(match: Match, _: object) -> str:
    """The match as a document, on one line. Raises GammonError without cattrs, or if it is too long to be read."""
    try:
        from gammonrules.json import dumps  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise GammonError(str(error)) from None
    return dumps(match) + "\n"


# --- JSON that is not a match -----------------------------------------------------------------------------------------

_USE_OF_MATCHES = "gammonrules convert --to json, or records.dump, writes matches as JSON"
_IS_MONEY_PLAY = (
    "is read as money play, since its first line is not the MatchState before the first event"
)
_PLAYERS: Final = ("White", "Black")


def is_other_json(text: str) -> bool:
    """Whether a text begins as JSON does, an object or an array of objects, and is not a match."""
    return _BEGINNING_OF_ANY.match(text) is not None and not is_json(text)


def why_not_match(text: str) -> str:
    """The message about JSON that is not a match: what it is, and what reads it."""
    beginning = text.lstrip()
    try:
        # only the first of several documents; digits are not made numbers, of which Python limits the length
        data, end = JSONDecoder(parse_int=str).raw_decode(beginning)
    except JSONDecodeError as error:
        return f"this looks like JSON that is damaged or cut off: {error}"
    except RecursionError:
        return "this looks like JSON that is nested too deeply"
    is_array = beginning.startswith("[")
    document = data[0] if is_array else data
    name: object = document.get("type")
    is_first_of_several = is_array or beginning[end:].strip() != ""
    if name in _EVENTS or (name == "MatchState" and is_first_of_several):
        use = "gammonrules view and show read it; in Python, use Match.from_events"
        return f"this is a log of events as JSON, not a match: {use}"
    if name == "MatchState":
        use = "gammonrules view and show read it; in Python, use gammonrules.json.loads"
        return f"this is a MatchState as JSON, not a match: {use}"
    if name == "Position":
        use = "gammonrules show reads it; in Python, use gammonrules.json.loads"
        return f"this is a Position as JSON, not a match: {use}"
    of_type = f" of the type {shown(name, 60)}" if isinstance(name, str) else ""
    return f"this is JSON{of_type}, not a match: {_USE_OF_MATCHES}"


def read_saved_json(text: str) -> Match | MatchState | Position:
    """What a program has saved as JSON: a state, a position, or a log of events as a match.

    A log may begin with the state before its first event. Raises ParseError if the text is none of these, or an event
    breaks the rules.
    """
    values = _values_in(text)
    first = values[0]
    if len(values) == 1 and isinstance(first, (MatchState, Position)):
        return first
    if isinstance(first, MatchState):
        return match_from(first, _events_in(values, begin=1))
    events = _events_in(values, begin=0)
    try:
        match = match_from(MatchState.new(None), events)
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


def _events_in(values: Sequence[Value], begin: int) -> list[RecordEvent]:
    """The events from this index on. Raises ParseError if a value is something else."""
    events: list[RecordEvent] = []
    for number, value in enumerate(values[begin:], start=begin + 1):
        if not isinstance(value, (Event, SetPosition, Forfeit)):
            expected = "a log has an Event, SetPosition or Forfeit on each line, after one MatchState at most"
            raise ParseError(
                f"document {number} of the JSON is a {type(value).__name__}: {expected}"
            )
        events.append(value)
    return events


def _values_in(text: str) -> list[Value]:
    """The values of all documents in a text. Raises ParseError if one cannot be read, or cattrs is not installed."""
    try:
        from gammonrules.json import loads  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ParseError(f"this is JSON, but {error}") from None
    values: list[Value] = []
    for number, document in enumerate(_documents_in(text), start=1):
        try:
            values.append(loads(document))
        except GammonError as error:
            raise ParseError(f"document {number} of the JSON cannot be read: {error}") from error
    return values


def _documents_in(text: str) -> Iterator[str]:
    """The documents of a text: one, or several one after another, as on lines, or in an array."""
    decoder = JSONDecoder(parse_int=str)
    position = _end_of_gap(text, 0)
    while position < len(text):
        try:
            end: int = decoder.raw_decode(text, position)[1]
        except JSONDecodeError as error:
            raise ParseError(f"this JSON is damaged or cut off: {error}") from None
        except RecursionError:
            raise ParseError("this JSON is nested too deeply") from None
        yield text[position:end]
        position = _end_of_gap(text, end)


def _end_of_gap(text: str, position: int) -> int:
    """The end of what stands between documents, from a position on."""
    gap = _BETWEEN_DOCUMENTS.match(text, position)
    assert gap is not None  # it may be empty
    return gap.end()
