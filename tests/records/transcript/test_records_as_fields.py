"""Records and their parts as fields of pydantic, as `test_pydantic_fields.py` tries the values of the core."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

import loop
from gammonrules import json
from gammonrules.records import Decision
from json_schema import DOCUMENTS, KINDS, RECORD_DOCUMENTS, RECORD_KINDS
from pydantic_laws import has_schema_of_class, is_read_and_written, is_refused_alike

pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")


@loop.over("document", RECORD_DOCUMENTS)
def test_every_class(document: str) -> None:
    is_read_and_written(document)


@given(st.randoms(use_true_random=False), st.sampled_from(RECORD_DOCUMENTS))
def test_the_same_as_from_data(rng: Any, document: str) -> None:
    is_refused_alike(document, rng)


@loop.over("kind", RECORD_KINDS.values())
def test_the_schema_is_that_of_the_class(kind: type[json.Value]) -> None:
    has_schema_of_class(kind)


def test_a_value_of_any_type() -> None:
    field = pydantic.TypeAdapter(json.Value)
    for value in map(json.loads, DOCUMENTS):
        assert field.validate_python(field.dump_python(value)) == value
    assert {f"{name}Document" for name in KINDS} <= field.json_schema()["$defs"].keys()


def test_a_decision_has_no_json_form() -> None:
    with pytest.raises(pydantic.PydanticSchemaGenerationError):
        pydantic.TypeAdapter(Decision)
