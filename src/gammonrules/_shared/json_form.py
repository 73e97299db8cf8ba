"""What `match` and `json` know of the JSON form: its version, the words for enumerations, and a base class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeVar, cast

from gammonrules.errors import ParseError
from gammonrules.values import shown


class JsonField:
    """What every value with a JSON form is; it has no values of its own.

    pydantic asks a class for these two methods. It is imported only then, and so is JSON.
    """

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, handler: Any) -> Any:
        from gammonrules.json.pydantic_fields import core_schema_of  # noqa: PLC0415

        return core_schema_of(cls, handler)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        from gammonrules.json.pydantic_fields import json_schema_of  # noqa: PLC0415

        return json_schema_of(cls, core_schema, handler)


VERSION = 3
"""The version of the format that `dumps` and `to_data` write, and the newest that `loads` and `from_data` read."""

_E = TypeVar("_E", bound=Enum)


def version_of(value: object) -> int:
    """The version that a document states. Raises ParseError if it is none that can be read."""
    if type(value) is not int or not 1 <= value <= VERSION:
        raise ParseError(f"expected version 1 to {VERSION}, not {described(value)}")
    return value


def word_of(member: Enum) -> str:
    """The word that stands for a member: its name in small letters."""
    return member.name.lower()


def member_of(value: object, members: Iterable[_E]) -> _E:
    """The member with this word, of an enum or of several. Raises ParseError if there is none."""
    for member in members:
        if type(value) is str and value == word_of(member):
            return member
    words = " or ".join(f'"{word_of(member)}"' for member in members)
    raise ParseError(f"expected {words}, not {described(value)}")


def described(value: object) -> str:
    """A value as error messages show it, in JSON terms, without its contents."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        # its items are of types that isinstance leaves unknown
        items = cast("Sequence[object]", value)
        return f"an array of {len(items)}" if items else "an empty array"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return shown(value)
