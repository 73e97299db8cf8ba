"""`json.schema(kind)`: what makers of types and OpenAPI read of each class, against the classes themselves."""

from __future__ import annotations

import json as python_json
from typing import Any

import attrs
import pytest

import loop
import wording
from core_documents import DOCUMENTS as LINES, KINDS as KIND_OF, TYPE_SCHEMAS
from gammonrules import Action, ArgumentError, Dice, Event, MatchState, Play, Plays, Position, json
from schema_laws import (
    IN_OPENAPI,
    Schema,
    has_fields_of_class,
    has_plain_words_only,
    is_schema,
    may_refer_to_elsewhere,
    objects,
    references_stand_alone,
    takes_documents_of_its_class,
    values_named,
)

KINDS = tuple(KIND_OF.values())
DOCUMENTS = [python_json.loads(line) for line in LINES]


class TestForm:
    """What makers of types understand: everything in one place, and no conditions."""

    @loop.over("kind", KINDS)
    def test_is_a_schema(self, kind: type[json.Value]) -> None:
        is_schema(kind)

    @loop.over("kind", KINDS)
    def test_references_stand_alone(self, kind: type[json.Value]) -> None:
        references_stand_alone(kind)

    @loop.over("kind", KINDS)
    def test_only_plain_words(self, kind: type[json.Value]) -> None:
        has_plain_words_only(kind)

    @loop.over("kind", KINDS)
    def test_references_to_elsewhere(self, kind: type[json.Value]) -> None:
        may_refer_to_elsewhere(kind)


class TestWhatItTakes:
    """Every document of the class, and as much less as plain words can say."""

    @loop.over("document", DOCUMENTS)
    def test_documents(self, document: Schema) -> None:
        takes_documents_of_its_class(document, TYPE_SCHEMAS)

    def test_there_is_a_document_of_each(self) -> None:
        assert {document["type"] for document in DOCUMENTS} == TYPE_SCHEMAS.keys()

    @loop.over("kind", [kind for kind in KINDS if attrs.has(kind) and kind not in {Dice, Position, Play}])
    def test_the_fields_of_the_class(self, kind: type[Any]) -> None:
        has_fields_of_class(kind)

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


class Strange(type):
    @property
    def __name__(cls) -> Any:
        raise RuntimeError

    @property
    def __module__(cls) -> Any:
        raise RuntimeError


STRANGERS = Strange("MatchState", (), {}), type("MatchState", (MatchState,), {}), type("Match", (), {})


class TestBadInput:
    @loop.over(
        "kind", [int, str, object, type, Plays, json.Value, "MatchState", MatchState.new(7), [], 3, {}, *STRANGERS]
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
