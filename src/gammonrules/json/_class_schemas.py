"""The schema of the documents of one class, of which other programs make types.

It is the published schema with less in it: an object has all its fields in one place, and no conditions between them;
what is a type of its own is a reference and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from gammonrules.errors import ArgumentError
from gammonrules.json._kinds import KINDS
from gammonrules.values import plain_text, shown

REFERENCES = "#/$defs/"
"""What a reference in the published schema begins with."""

_UNIONS = ("Offer", "GameEvent", "Analysis")
"""Values of several classes."""
_OWN_TYPES = frozenset({*KINDS, *_UNIONS})
"""The definitions that stay definitions; all others are written out where they are referred to."""
_LEFT_OUT = frozenset({"if", "then", "else", "allOf", "unevaluatedProperties"})
"""Conditions, which types do not have, and what `additionalProperties` says instead."""
_TYPE_NAMES: Mapping[type, str] = {str: "string", int: "integer"}

_Schema = dict[str, Any]


def published_schema() -> _Schema:
    """The schema of every document, a new one each time."""
    text = files("gammonrules.json").joinpath("schema.json").read_text(encoding="utf-8")
    read_schema: _Schema = json.loads(text)
    return read_schema


def class_schema(whole: Mapping[str, Any], kind: type, references: str) -> _Schema:
    """The schema of the documents of a class, made of the published schema; it has all definitions it refers to.

    Raises:
        ArgumentError: `references` is not a text.
    """
    prefix = plain_text(references)
    if prefix is None:
        raise ArgumentError(
            f'references must be a text such as "#/components/schemas/", not {shown(references)}'
        )
    plainer = _Plainer(whole["$defs"], prefix)
    document = plainer.plain(_document_of(whole, kind.__name__))
    return {"title": f"{kind.__name__}Document", **document, "$defs": plainer.definitions()}


def _document_of(whole: Mapping[str, Any], name: str) -> _Schema:
    """The part of the published schema for documents of this type."""
    for document in whole["oneOf"]:
        if document["properties"]["type"]["const"] == name:
            return {"type": "object", **document}
    raise AssertionError(name)  # each class has one (tests/json/test_json.py)


class _Plainer:
    """Makes parts of the published schema plain, and collects the definitions that they refer to."""

    def __init__(self, published: Mapping[str, _Schema], prefix: str) -> None:
        self._published = published
        self._prefix = prefix
        self._needed = list[str]()

    def definitions(self) -> dict[str, _Schema]:
        """All definitions that are referred to, also by one another."""
        plain_definitions = dict[str, _Schema]()
        for name in self._needed:  # which grows meanwhile
            plain_definitions[name] = {"title": name, **self.plain(self._published[name])}
        return plain_definitions

    def plain(self, schema: _Schema) -> _Schema:
        if "$ref" in schema:
            return self._referred(schema)
        if "oneOf" in schema and "properties" in schema:
            return {
                "description": schema["description"],
                "oneOf": [self.plain(case) for case in _objects_by_action(schema)],
            }
        return dict(self._plain_members(schema))

    def _referred(self, schema: _Schema) -> _Schema:
        name: str = schema["$ref"].removeprefix(REFERENCES)
        has_tag = "type" in schema.get("properties", {})
        if name in _OWN_TYPES and not has_tag:
            if name not in self._needed:
                self._needed.append(name)
            return {"$ref": self._prefix + name}
        return self.plain(_extended(_without_keys(schema, "$ref"), self._published[name]))

    def _plain_members(self, schema: _Schema) -> Iterator[tuple[str, Any]]:
        for key, value in schema.items():
            match key:
                case "properties":
                    yield key, {name: self.plain(field) for name, field in value.items()}
                    yield "additionalProperties", False
                case "items":
                    yield key, self.plain(value)
                case "oneOf":
                    yield key, [self.plain(case) for case in value]
                case "prefixItems":
                    # the first and the last are bars, with narrower bounds than points
                    yield "items", self.plain(value[1])
                case "required":  # a list of its own for each object
                    yield key, [*value]
                case "const":
                    yield "type", _TYPE_NAMES[type(value)]
                    yield key, value
                case "enum":
                    yield from _members_of_enum(value)
                case _:
                    if key not in _LEFT_OUT:
                        yield key, value


def _members_of_enum(values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Texts, or the range of numbers."""
    yield "type", _TYPE_NAMES[type(values[0])]
    if isinstance(values[0], str):
        yield "enum", [*values]
    else:
        yield "minimum", min(values)
        yield "maximum", max(values)


def _objects_by_action(schema: _Schema) -> Iterator[_Schema]:
    """An object whose fields depend on one of them, as the objects that it can be."""
    common = _without_keys(schema, "oneOf", "description")
    excluded = common["properties"]["action"].get("not")
    for case in schema["oneOf"]:
        if case["properties"]["action"] == excluded:
            continue
        yield {**common, "properties": {**common["properties"], **case["properties"]}}


def _extended(addition: _Schema, definition: _Schema) -> _Schema:
    """A definition with what stands beside a reference to it, such as the `type` of a value, which comes first."""
    merged = {**definition, **addition}
    if "properties" in addition:
        in_order = {**addition["properties"], **definition["properties"]}
        merged["properties"] = {**in_order, **addition["properties"]}
        merged["required"] = [*addition["required"], *definition["required"]]
    return merged


def _without_keys(schema: _Schema, *names: str) -> _Schema:
    return {name: value for name, value in schema.items() if name not in names}
