"""What holds of the schema of every class with a JSON form, of the core and of records."""

from __future__ import annotations

import json as python_json
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import jsonschema

from gammonrules import Event, json

IN_OPENAPI = "#/components/schemas/"

Schema = dict[str, Any]


def parts(schema: object) -> Iterator[Schema]:
    """All schemas in a schema, itself too; what stands in `properties` and `$defs` are names, not keywords."""
    if isinstance(schema, list):
        for item in schema:
            yield from parts(item)
    elif isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            yield from parts([*value.values()] if key in {"properties", "$defs"} else value)


def references(schema: Schema) -> set[str]:
    return {part["$ref"] for part in parts(schema) if "$ref" in part}


def objects(schema: Schema) -> list[Schema]:
    """What documents of this schema can be."""
    cases: list[Schema] = schema.get("oneOf", [schema])
    return cases


def values_named(schema: Schema) -> list[Any]:
    return schema["enum"] if "enum" in schema else [schema["const"]]


def is_schema(kind: type[json.Value]) -> None:
    schema = json.schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == f"{kind.__name__}Document"
    assert not schema.keys() & {"$schema", "$id"}  # it may be put into another document
    for case in objects(schema):
        tags = {name: case["properties"][name]["const"] for name in ("version", "type")}
        assert tags == {"version": json.VERSION, "type": kind.__name__}
        assert [*case["properties"]][:2] == [*tags]


def references_stand_alone(kind: type[json.Value]) -> None:
    """Each leads to a definition, and each definition is used."""
    schema = json.schema(kind)
    assert references(schema) == {f"#/$defs/{name}" for name in schema["$defs"]}
    assert [name for name, definition in schema["$defs"].items() if definition["title"] != name] == []
    assert [part for part in parts(schema) if "$ref" in part and len(part) > 1] == []


def has_plain_words_only(kind: type[json.Value]) -> None:
    """Those that draft 4 has too, but for `const` and `$defs`, since many makers of types stopped there."""
    about = {"title", "description", "$defs", "$ref"}
    known = {"type", "enum", "const", "oneOf", "minimum", "maximum", "maxLength", "pattern"}
    known |= {"properties", "required", "additionalProperties", "items", "minItems", "maxItems"}
    for part in parts(json.schema(kind)):
        assert part.keys() <= about | known
        assert part.keys() & {"$ref", "type", "oneOf"}, part
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert {*part["required"]} <= part["properties"].keys()
        if part.get("type") == "array":
            assert part["items"]


def may_refer_to_elsewhere(kind: type[json.Value]) -> None:
    text = python_json.dumps(json.schema(kind)).replace('"#/$defs/', f'"{IN_OPENAPI}')
    assert json.schema(kind, references=IN_OPENAPI) == python_json.loads(text)


def takes_documents_of_its_class(document: Schema, type_schemas: Mapping[str, Any]) -> None:
    for name, validator in type_schemas.items():
        assert validator.is_valid(document) == (name == document["type"])
    schema = type_schemas[document["type"]]
    assert not schema.is_valid(document | {"more": 1})
    assert not schema.is_valid(document | {"version": json.VERSION + 1})
    for name in document.keys() - {"time", "interrupted", "interrupted_after"}:
        assert not schema.is_valid({key: value for key, value in document.items() if key != name}), name


def has_fields_of_class(kind: type[Any]) -> None:
    fields = {field.name for field in attrs.fields(kind) if field.init or kind is Event}
    for case in objects(json.schema(kind)):
        assert case["properties"].keys() == fields | {"version", "type"}
