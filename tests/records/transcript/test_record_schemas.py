"""`json.schema(kind)` of records and their parts, and of all classes together."""

from __future__ import annotations

import json as python_json
from typing import Any

import attrs

import core_documents
import loop
import wording
from gammonrules import Action, ArgumentError, json
from gammonrules.records import Decision, Game, Match
from json_schema import KINDS, RECORD_DOCUMENTS, RECORD_KINDS, TYPE_SCHEMAS
from schema_laws import (
    Schema,
    has_fields_of_class,
    has_plain_words_only,
    is_schema,
    may_refer_to_elsewhere,
    parts,
    references_stand_alone,
    takes_documents_of_its_class,
    values_named,
)

EACH = loop.over("kind", RECORD_KINDS.values())


@EACH
def test_is_a_schema(kind: type[json.Value]) -> None:
    is_schema(kind)


@EACH
def test_references_stand_alone(kind: type[json.Value]) -> None:
    references_stand_alone(kind)


@EACH
def test_only_plain_words(kind: type[json.Value]) -> None:
    has_plain_words_only(kind)


@EACH
def test_references_to_elsewhere(kind: type[json.Value]) -> None:
    may_refer_to_elsewhere(kind)


@loop.over("document", [python_json.loads(line) for line in RECORD_DOCUMENTS])
def test_documents(document: Schema) -> None:
    takes_documents_of_its_class(document, TYPE_SCHEMAS)


@loop.over("document", [python_json.loads(line) for line in core_documents.DOCUMENTS])
def test_documents_of_the_core(document: Schema) -> None:
    assert not any(TYPE_SCHEMAS[name].is_valid(document) for name in RECORD_KINDS)


@EACH
def test_the_fields_of_the_class(kind: type[Any]) -> None:
    assert attrs.has(kind)
    has_fields_of_class(kind)


def test_names_mean_the_same_everywhere() -> None:
    """So the schemas of several classes can be put together."""
    meanings: dict[str, Schema] = {}
    for kind in KINDS.values():
        schema = json.schema(kind)
        for name, definition in {**schema.pop("$defs"), schema["title"]: schema}.items():
            assert meanings.setdefault(name, definition) == definition
    assert {f"{kind.__name__}Document" for kind in KINDS.values()} < meanings.keys()


def test_nothing_is_shared() -> None:
    """Whoever changes a part changes nothing else, and YAML needs no anchors."""
    schema = json.schema(Match)
    containers = [*parts(schema)]
    containers += [part["required"] for part in containers if "required" in part]
    assert len({id(container) for container in containers}) == len(containers)
    schema["$defs"].clear()
    assert json.schema(Match)["$defs"]


def test_no_next_game_within_a_game() -> None:
    definitions = json.schema(Game)["$defs"]
    *events, position, forfeit = definitions["GameEvent"]["oneOf"]
    (cases,) = [event["oneOf"] for event in events]
    actions = [name for case in cases for name in values_named(case["properties"]["action"])]
    assert sorted(actions) == sorted(set(Action) - {Action.NEXT_GAME})
    assert [case["properties"]["type"]["const"] for case in (position, forfeit)] == ["SetPosition", "Forfeit"]


def test_a_decision_has_no_json_form() -> None:
    with wording.tells(ArgumentError, "has no JSON form", "MatchState", "Chances"):
        json.schema(Decision)  # type: ignore[type-var]
