"""The published schema, asked by the part for the type of a document, which takes a fraction of the time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema

from gammonrules import json

WHOLE_SCHEMA = jsonschema.Draft202012Validator(json.schema())
SCHEMAS = {part["properties"]["type"]["const"]: WHOLE_SCHEMA.evolve(schema=part) for part in json.schema()["oneOf"]}
DATA = Path(__file__).parent / "data"
DOCUMENTS = (DATA / f"json-version-{json.VERSION}.jsonl").read_text(encoding="utf-8").splitlines()
"""One of each type."""
KINDS = {type(value).__name__: type(value) for value in map(json.loads, DOCUMENTS)}
TYPE_SCHEMAS = {name: jsonschema.Draft202012Validator(json.schema(kind)) for name, kind in KINDS.items()}
"""Those of which other programs make types."""


def schema_for(document: Any) -> Any:
    """The validator of this document: no two parts take the same type."""
    kind = document.get("type") if isinstance(document, dict) else None
    return SCHEMAS.get(kind, WHOLE_SCHEMA) if isinstance(kind, str) else WHOLE_SCHEMA
