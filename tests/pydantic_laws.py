"""What holds of every type with a JSON form as a field of pydantic, of the core and of records."""

from __future__ import annotations

import json as python_json
from typing import Any

import pytest

from fuzzing.json_changes import change
from gammonrules import json
from gammonrules.errors import GammonError

pytest.importorskip("pydantic", reason="pydantic is not installed")
from pydantic import TypeAdapter, ValidationError


def refused(field: Any, data: object) -> list[dict[str, Any]]:
    with pytest.raises(ValidationError) as caught:
        field.validate_python(data)
    return caught.value.errors()


def sentence(data: object, kind: type[json.Value]) -> tuple[str, str]:
    with pytest.raises(GammonError) as caught:
        json.from_data(data, kind)
    return type(caught.value).__name__, str(caught.value)


def is_read_and_written(document: str) -> None:
    """Each is a field, read from plain data or from text, and written as plain data or as text."""
    value, data = json.loads(document), python_json.loads(document)
    field: Any = TypeAdapter(type(value))
    assert field.validate_python(value) is value
    for read in (field.validate_python(data), field.validate_json(document)):
        assert (read, type(read)) == (value, type(value))
    assert field.dump_python(value) == field.dump_python(value, mode="json") == json.to_data(value) == data
    assert field.dump_json(value).decode() == python_json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def is_refused_alike(document: str, rng: Any) -> None:
    """Whatever is changed in a document."""
    kind = type(json.loads(document))
    field: Any = TypeAdapter(kind)
    data = python_json.loads(document)
    change(rng, data)
    try:
        value = json.from_data(data, kind)
    except GammonError as error:
        lines = refused(field, data)
        assert lines[0]["type"] == type(error).__name__
        assert str(error).startswith(lines[0]["msg"])
    else:
        assert field.validate_python(data) == value


def has_schema_of_class(kind: type[json.Value]) -> None:
    """Whether documents are read or written."""
    field: Any = TypeAdapter(kind)
    for mode in ("validation", "serialization"):
        described = field.json_schema(mode=mode)
        assert {"$defs": {}} | described == json.schema(kind)
