"""The published schema, asked by the part for the type of a document, which takes a fraction of the time."""

from __future__ import annotations

from typing import Any, get_args

import jsonschema

from gammonrules import json

WHOLE_SCHEMA = jsonschema.Draft202012Validator(json.schema())
SCHEMAS = {part["properties"]["type"]["const"]: WHOLE_SCHEMA.evolve(schema=part) for part in json.schema()["oneOf"]}
TYPE_SCHEMAS = {kind.__name__: jsonschema.Draft202012Validator(json.schema(kind)) for kind in get_args(json.Value)}
"""Those of which other programs make types."""


def schema_for(document: Any) -> Any:
    """The validator of this document: no two parts take the same type."""
    kind = document.get("type") if isinstance(document, dict) else None
    return SCHEMAS.get(kind, WHOLE_SCHEMA) if isinstance(kind, str) else WHOLE_SCHEMA
