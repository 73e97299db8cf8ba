"""What holds of every value that has a JSON form, of the core and of records."""

from __future__ import annotations

import json as python_json
import random
from collections.abc import Mapping
from functools import cache
from math import isfinite
from typing import Any

import jsonschema

import wording
from core_documents import schema_for
from fuzzing.json_changes import change, places
from gammonrules import GammonError, ParseError, json
from gammonrules.limits import MAX_MESSAGE_LENGTH


@cache
def type_schema(kind: type[json.Value]) -> Any:
    return jsonschema.Draft202012Validator(json.schema(kind))


def assert_lossless(value: json.Value) -> None:
    text, data = json.dumps(value), json.to_data(value)
    assert python_json.loads(text) == data
    assert len(text.splitlines()) == 1
    assert text.isascii()
    schema_for(data).validate(data)
    type_schema(type(value)).validate(data)
    for same in (json.loads(text), json.loads(text.encode(), type(value)), json.from_data(data)):
        assert same == value
        assert type(same) is type(value)
        assert repr(same) == repr(value)  # the types of all that is inside, too
        assert json.dumps(same) == text


def assert_sound_when_changed(value: json.Value, rng: random.Random, type_schemas: Mapping[str, Any]) -> None:
    """What is read of a changed document is lossless too; the schema takes that, and nothing that is ill-formed.

    The schema of its type takes all that this schema takes.
    """
    data = json.to_data(value)
    change(rng, data)
    is_valid = schema_for(data).is_valid(data)
    assert not is_valid or type_schemas[data["type"]].is_valid(data)
    try:
        same = json.from_data(data)
    except GammonError as error:
        wording.check(error, longest=MAX_MESSAGE_LENGTH)
        # a schema cannot forbid 1.0 for a whole number, nor NaN and infinity, which JSON does not have
        floats = [it[key] for it, key in places(data) if type(it[key]) is float]
        is_beyond_schemas = any(number.is_integer() or not isfinite(number) for number in floats)
        # the schema accepts kinds of findings of later versions, which this reader does not know
        is_new_kind = "no kind of finding" in str(error)
        assert (
            type(error) is not ParseError
            or not is_valid
            or is_beyond_schemas
            or is_new_kind
            or "cannot read" in str(error)
        )
    else:
        assert is_valid or data["version"] < json.VERSION
        assert_lossless(same)
