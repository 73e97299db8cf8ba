"""Values of the library as JSON, for web servers and databases, and whole match records (extra `json`: cattrs).

    python -m pip install ".[json]"

A document contains one value: an object with the `version` of the format, the `type` of the value, and the value's
fields. `schema()` describes every field. The format changes only together with its version.

Examples:
    >>> from gammonrules import Cube, Player, json
    >>> json.dumps(Cube(2, Player.WHITE))
    '{"version":3,"type":"Cube","value":2,"owner":"white"}'
    >>> json.loads('{"version":3,"type":"Cube","value":2,"owner":"white"}')
    Cube(value=2, owner=Player.WHITE)
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

from gammonrules._shared.extras import importing

with importing("cattrs", "gammonrules.json", "json"):
    import cattrs as _  # noqa: F401  the modules below need it

from gammonrules._shared.json_form import VERSION
from gammonrules.errors import ArgumentError
from gammonrules.json._class_schemas import REFERENCES, class_schema, published_schema
from gammonrules.json._document import longest, read, written
from gammonrules.json._kinds import Value, refuse_other_kinds
from gammonrules.json._text import compact, parsed

__all__ = ["VERSION", "Value", "dumps", "from_data", "loads", "schema", "to_data"]
__dir__ = __all__.copy

_V = TypeVar("_V", bound=Value)


def dumps(value: Value) -> str:
    """Write a value as JSON text, in ASCII and without line breaks.

    Raises:
        ArgumentError: `value` is of a type that has no JSON form.
        GammonError: the document would be longer than readers accept, which only a record can be; or an analysis in it
            cannot be decoded, since an event before it breaks the rules.

    Examples:
        >>> from gammonrules import Event, Player
        >>> dumps(Event("roll", Player.BLACK, "31"))
        '{"version":3,"type":"Event","action":"roll","by":"black","argument":[3,1]}'
    """
    return compact(written(value))


@overload
def loads(text: str | bytes) -> Value: ...
@overload
def loads(text: str | bytes, kind: type[_V]) -> _V: ...
def loads(text: str | bytes, kind: type[_V] | None = None) -> Value:
    """Read a value from JSON text.

    Whatever the constructors check is checked, and plays must be legal. An error names each wrong place by its
    path from the top of the document, `$`.

    Args:
        text: the document; bytes are UTF-8. A match or a game may have 33,554,432 characters, other values 1,000,000.
        kind: the type that the value must have, or None for any (and for the larger limit).

    Raises:
        ParseError: the text is not JSON, not a document of this format, or of another type than `kind`.
        GammonError: whatever the constructor of a value raises, such as `MatchStateError` with its `problems`, or
            `IllegalPlayError` for a play. If several values are wrong, the class is that of the first error, and the
            text names all of them.
        ArgumentError: `kind` is a type that has no JSON form.

    Examples:
        >>> from gammonrules import Cube, MatchState
        >>> loads('{"version":3,"type":"Cube","value":2,"owner":null}', Cube)
        Cube(value=2, owner=None)
        >>> loads('{"version":3,"type":"Cube","value":2.0,"owner":null}')
        Traceback (most recent call last):
        ...
        gammonrules.ParseError: $.value: expected a whole number, not 2.0
    """
    return read(parsed(text, longest(kind)), kind)


def to_data(value: Value) -> dict[str, Any]:
    """Turn a value into a dict of plain data, for a framework or a database that writes the JSON itself.

    Raises:
        ArgumentError: `value` is of a type that has no JSON form.
        GammonError: an analysis cannot be decoded, since an event before it breaks the rules.

    Examples:
        >>> from gammonrules import Dice, Result, Player, Win, End
        >>> to_data(Dice(3, 1))
        {'version': 3, 'type': 'Dice', 'value': [3, 1]}
        >>> data = to_data(Result(Player.WHITE, Win.GAMMON, 4, End.PLAYED))
        >>> data["type"], data["winner"], data["win"], data["points"], data["end"]
        ('Result', 'white', 'gammon', 4, 'played')
    """
    return written(value)


@overload
def from_data(data: object) -> Value: ...
@overload
def from_data(data: object, kind: type[_V]) -> _V: ...
def from_data(data: object, kind: type[_V] | None = None) -> Value:
    """Read a value from plain data, as `to_data` makes it and any JSON reader returns it.

    Args:
        data: the document.
        kind: the type that the value must have, or None for any.

    Raises:
        ParseError: the data is not a document of this format, or of another type than `kind`.
        GammonError: whatever the constructor of a value raises (see `loads`).
        ArgumentError: `kind` is a type that has no JSON form.

    Examples:
        >>> from gammonrules import Dice, Position
        >>> from_data({"version": 3, "type": "Dice", "value": [3, 1]})
        Dice(high=3, low=1)
        >>> from_data(to_data(Position.start()), Position) == Position.start()
        True
    """
    return read(data, kind)


def schema(kind: type[Value] | None = None, *, references: str = REFERENCES) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of every document that `dumps` writes, or of those of one type.

    What a schema cannot express, `loads` checks: that a board is possible, that a play is legal, that a result follows
    from the game.

    The schema of one type is for programs that make types of it, and for OpenAPI. All fields of an object stand in
    one place, references stand alone, and what they refer to is in `$defs`. It takes all valid documents of this type,
    and others: conditions between fields are left out. Its `title`, such as "MatchStateDocument", and the names in
    `$defs` mean the same in the schemas of all types, so that these can be put together.

    Args:
        kind: the type whose documents are described, or None for all documents.
        references: what references begin with, if the definitions are put elsewhere than into `$defs`; in OpenAPI
            "#/components/schemas/".

    Raises:
        ArgumentError: `kind` is a type that has no JSON form, or `references` is not a text, or has no `kind`.

    Examples:
        >>> schema()["$schema"]
        'https://json-schema.org/draft/2020-12/schema'
        >>> from gammonrules import MatchState
        >>> of_states = schema(MatchState)
        >>> of_states["title"], of_states["properties"]["cube"]
        ('MatchStateDocument', {'$ref': '#/$defs/Cube'})
    """
    whole = published_schema()
    if kind is not None:
        refuse_other_kinds(kind)
        return class_schema(whole, kind, references)
    if references != REFERENCES:
        raise ArgumentError("the schema of all documents has references of its own; name a kind")
    return whole
