"""`json.schema(kind)`: what makers of types and OpenAPI read of each class, against the classes themselves."""

from __future__ import annotations

import json as python_json
from collections.abc import Iterator
from typing import Any

import attrs
import jsonschema
import pytest

import loop
import wording
from gammonrules import Action, ArgumentError, Dice, Event, MatchState, Play, Plays, Position, json
from gammonrules.records import Decision, Game, Match
from json_schema import DOCUMENTS as LINES, KINDS as KIND_OF, TYPE_SCHEMAS

KINDS = tuple(KIND_OF.values())
DOCUMENTS = [python_json.loads(line) for line in LINES]
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


class TestForm:
    """What makers of types understand: everything in one place, and no conditions."""

    @loop.over("kind", KINDS)
    def test_is_a_schema(self, kind: type[json.Value]) -> None:
        schema = json.schema(kind)
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["title"] == f"{kind.__name__}Document"
        assert not schema.keys() & {"$schema", "$id"}  # it may be put into another document
        for case in objects(schema):
            tags = {name: case["properties"][name]["const"] for name in ("version", "type")}
            assert tags == {"version": json.VERSION, "type": kind.__name__}
            assert [*case["properties"]][:2] == [*tags]

    @loop.over("kind", KINDS)
    def test_references_stand_alone(self, kind: type[json.Value]) -> None:
        """Each leads to a definition, and each definition is used."""
        schema = json.schema(kind)
        assert references(schema) == {f"#/$defs/{name}" for name in schema["$defs"]}
        assert [name for name, definition in schema["$defs"].items() if definition["title"] != name] == []
        assert [part for part in parts(schema) if "$ref" in part and len(part) > 1] == []

    @loop.over("kind", KINDS)
    def test_only_plain_words(self, kind: type[json.Value]) -> None:
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

    def test_names_mean_the_same_everywhere(self) -> None:
        """So the schemas of several classes can be put together."""
        meanings: dict[str, Schema] = {}
        for kind in KINDS:
            schema = json.schema(kind)
            for name, definition in {**schema.pop("$defs"), schema["title"]: schema}.items():
                assert meanings.setdefault(name, definition) == definition
        assert {f"{kind.__name__}Document" for kind in KINDS} < meanings.keys()

    @loop.over("kind", KINDS)
    def test_references_to_elsewhere(self, kind: type[json.Value]) -> None:
        text = python_json.dumps(json.schema(kind)).replace('"#/$defs/', f'"{IN_OPENAPI}')
        assert json.schema(kind, references=IN_OPENAPI) == python_json.loads(text)

    def test_nothing_is_shared(self) -> None:
        """Whoever changes a part changes nothing else, and YAML needs no anchors."""
        schema = json.schema(Match)
        containers = [*parts(schema)]
        containers += [part["required"] for part in containers if "required" in part]
        assert len({id(container) for container in containers}) == len(containers)
        schema["$defs"].clear()
        assert json.schema(Match)["$defs"]


class TestWhatItTakes:
    """Every document of the class, and as much less as plain words can say."""

    @loop.over("document", DOCUMENTS)
    def test_documents(self, document: Schema) -> None:
        for name, validator in TYPE_SCHEMAS.items():
            assert validator.is_valid(document) == (name == document["type"])
        schema = TYPE_SCHEMAS[document["type"]]
        assert not schema.is_valid(document | {"more": 1})
        assert not schema.is_valid(document | {"version": json.VERSION + 1})
        for name in document.keys() - {"time", "interrupted", "interrupted_after"}:
            assert not schema.is_valid({key: value for key, value in document.items() if key != name}), name

    def test_there_is_a_document_of_each(self) -> None:
        assert {document["type"] for document in DOCUMENTS} == TYPE_SCHEMAS.keys()

    @loop.over("kind", [kind for kind in KINDS if attrs.has(kind) and kind not in {Dice, Position, Play}])
    def test_the_fields_of_the_class(self, kind: type[Any]) -> None:
        fields = {field.name for field in attrs.fields(kind) if field.init or kind is Event}
        for case in objects(json.schema(kind)):
            assert case["properties"].keys() == fields | {"version", "type"}

    def test_an_event_is_one_of_several_objects(self) -> None:
        """Which one, its action says; so types know what the argument is."""
        arguments = {}
        for case in objects(json.schema(Event)):
            action = case["properties"]["action"]
            for name in values_named(action):
                arguments[name] = case["properties"]["argument"]
        assert arguments["roll"] == {"$ref": "#/$defs/Dice"}
        assert arguments["resign"] == {"$ref": "#/$defs/Win"}
        assert arguments["take"] == arguments["decline"] == {"type": "null"}
        assert arguments.keys() == {*Action}

    def test_the_type_of_an_offer(self) -> None:
        """Which is there because there are two, and nowhere else in a state."""
        definitions = json.schema(MatchState)["$defs"]
        double, resignation, nothing = definitions["Offer"]["oneOf"]
        assert double["properties"]["type"] == {"type": "string", "const": "Double"}
        assert resignation["properties"]["type"] == {"type": "string", "const": "Resignation"}
        assert nothing == {"type": "null"}
        assert "type" not in definitions["Double"]["properties"]

    def test_no_next_game_within_a_game(self) -> None:
        definitions = json.schema(Game)["$defs"]
        *events, position, forfeit = definitions["GameEvent"]["oneOf"]
        (cases,) = [event["oneOf"] for event in events]
        actions = [name for case in cases for name in values_named(case["properties"]["action"])]
        assert sorted(actions) == sorted(set(Action) - {Action.NEXT_GAME})
        assert [case["properties"]["type"]["const"] for case in (position, forfeit)] == ["SetPosition", "Forfeit"]


class TestBadInput:
    @loop.over(
        "kind", [int, str, object, type, Plays, Decision, json.Value, "MatchState", MatchState.new(7), [], 3, {}]
    )
    def test_unknown_classes(self, kind: Any) -> None:
        with wording.tells(ArgumentError, "has no JSON form", "MatchState", "Chances"):
            json.schema(kind)

    @loop.rows("references", None, 3, b"#/", ["#/"], MatchState)
    def test_references_that_are_no_text(self, references: Any) -> None:
        with wording.tells(ArgumentError, "references", "#/components/schemas/"):
            json.schema(MatchState, references=references)

    def test_references_of_the_whole_schema(self) -> None:
        with pytest.raises(ArgumentError, match="kind"):
            json.schema(references=IN_OPENAPI)
