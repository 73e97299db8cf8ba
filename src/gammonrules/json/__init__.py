"""The values of the library as JSON, for web servers and databases (extra `json`: cattrs).

    pip install "gammonrules[json]"

A document is one value: an object with the `version` of the form, the `type` of the value, and the value's fields. The
form is described, field by field, by `schema()`; it changes with its version only.

Examples:
    >>> from gammonrules import Cube, Player, json
    >>> json.dumps(Cube(2, Player.WHITE))
    '{"version":1,"type":"Cube","value":2,"owner":"white"}'
    >>> json.loads('{"version":1,"type":"Cube","value":2,"owner":"white"}')
    Cube(value=2, owner=Player.WHITE)
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, TypeVar, cast, overload

try:
    import cattrs
except ModuleNotFoundError as error:
    if error.name != "cattrs":
        raise
    raise ImportError('gammonrules.json needs cattrs: pip install "gammonrules[json]"', name="cattrs") from error

from gammonrules.json._document import KINDS, VERSION, read, written
from gammonrules.json._forms import CONVERTER, Value
from gammonrules.json._text import compact, parsed

__all__ = ["VERSION", "Value", "configure", "dumps", "from_data", "loads", "schema", "to_data"]

_V = TypeVar("_V", bound=Value)


def dumps(value: Value) -> str:
    """A value as JSON text, without line breaks and in ASCII.

    Raises:
        GammonError: a value that has no JSON form.

    Examples:
        >>> from gammonrules import Event, Player
        >>> dumps(Event("roll", Player.BLACK, "31"))
        '{"version":1,"type":"Event","action":"roll","by":"black","argument":[3,1]}'
    """
    return compact(written(value))


@overload
def loads(text: str | bytes) -> Value: ...
@overload
def loads(text: str | bytes, kind: type[_V]) -> _V: ...
def loads(text: str | bytes, kind: type[_V] | None = None) -> Value:
    """The value of a JSON text.

    All that the constructors check is checked, and plays must be legal. An error names each wrong place by its path
    from the top of the document, `$`.

    Args:
        text: the document; bytes are UTF-8.
        kind: the type that it must have; None: any.

    Raises:
        ParseError: no JSON, no document of this form, or another type than `kind`.
        GammonError: what the constructor of a value raises, such as `MatchStateError` with its `problems`, and
            `IllegalPlayError` for a play. Where several values are wrong, the error is that of the first one and its
            text tells of all of them.

    Examples:
        >>> from gammonrules import Cube, MatchState
        >>> loads('{"version":1,"type":"Cube","value":2,"owner":null}', Cube)
        Cube(value=2, owner=None)
        >>> loads('{"version":1,"type":"Cube","value":2.0,"owner":null}')
        Traceback (most recent call last):
        ...
        gammonrules.errors.ParseError: $.value: a whole number is needed, not 2.0
    """
    return cast("Value", read(parsed(text), kind))


def to_data(value: Value) -> dict[str, Any]:
    """A value as a dict of plain data, for those whose framework or database writes the JSON itself.

    Raises:
        GammonError: a value that has no JSON form.

    Examples:
        >>> from gammonrules import Dice, Result, Player, Win, End
        >>> to_data(Dice(3, 1))
        {'version': 1, 'type': 'Dice', 'value': [3, 1]}
        >>> to_data(Result(Player.WHITE, Win.GAMMON, 4, End.PLAYED))
        {'version': 1, 'type': 'Result', 'winner': 'white', 'win': 'gammon', 'points': 4, 'end': 'played'}
    """
    return written(value)


@overload
def from_data(data: object) -> Value: ...
@overload
def from_data(data: object, kind: type[_V]) -> _V: ...
def from_data(data: object, kind: type[_V] | None = None) -> Value:
    """The value of plain data, as `to_data` makes it and JSON readers give it.

    Args:
        data: the document.
        kind: the type that it must have; None: any.

    Raises:
        ParseError: no document of this form, or another type than `kind`.
        GammonError: what the constructor of a value raises (see `loads`).

    Examples:
        >>> from gammonrules import Dice, Position
        >>> from_data({"version": 1, "type": "Dice", "value": [3, 1]})
        Dice(high=3, low=1)
        >>> from_data(to_data(Position.start()), Position) == Position.start()
        True
    """
    return cast("Value", read(data, kind))


def configure(converter: cattrs.Converter) -> None:
    """Teach a cattrs converter of yours the values of this library, as fields of your own classes.

    Such fields have neither `version` nor `type`: what you store needs a version of its own. Errors inside them are
    those of this library, in the error groups of cattrs.

    Examples:
        >>> import cattrs
        >>> from gammonrules import MatchState
        >>> converter = cattrs.Converter()
        >>> configure(converter)
        >>> data = converter.unstructure({"Helsinki": MatchState.new(7)})
        >>> data["Helsinki"]["length"]
        7
        >>> converter.structure(data, dict[str, MatchState]) == {"Helsinki": MatchState.new(7)}
        True
    """
    for kind in KINDS.values():
        converter.register_structure_hook(kind, CONVERTER.structure)
        converter.register_unstructure_hook(kind, CONVERTER.unstructure)


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of every document that `dumps` writes.

    It says all that such a schema can. What it cannot, `loads` checks all the same: that a board is possible, a play
    legal, a result the one that follows.

    Examples:
        >>> schema()["$schema"]
        'https://json-schema.org/draft/2020-12/schema'
    """
    text = files(__name__).joinpath("schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))
