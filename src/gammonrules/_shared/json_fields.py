"""The base of the classes with a JSON form, by which pydantic takes their values as fields."""

from __future__ import annotations

from typing import Any


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
