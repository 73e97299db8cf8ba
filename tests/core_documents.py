"""Documents of each type, and the published schema, asked by the part for a type, which takes a fraction of the time.

What has no other name is of the types of the core alone: `json_schema` has the rest.
"""

from __future__ import annotations

import json as python_json
from pathlib import Path
from typing import Any

import jsonschema

from gammonrules import json

DATA = Path(__file__).parent / "data"
WHOLE_SCHEMA = jsonschema.Draft202012Validator(json.schema())
SCHEMAS = {part["properties"]["type"]["const"]: WHOLE_SCHEMA.evolve(schema=part) for part in json.schema()["oneOf"]}
"""Those of all types."""
OF_RECORDS = frozenset({"Match", "Game", "RecordedResult", "Finding", "PlayAnalysis", "CubeAnalysis", "Candidate"})
FORMER_NAMES = frozenset({"Stated"})


def documents(version: int = json.VERSION, *, of_records: bool = False) -> list[str]:
    """One of each type, in a version of the format; all versions hold the same values."""
    lines = (DATA / f"json-version-{version}.jsonl").read_text(encoding="utf-8").splitlines()
    names = OF_RECORDS | FORMER_NAMES
    return [line for line in lines if (python_json.loads(line)["type"] in names) == of_records]


DOCUMENTS = documents()
KINDS = {type(value).__name__: type(value) for value in map(json.loads, DOCUMENTS)}
TYPE_SCHEMAS = {name: jsonschema.Draft202012Validator(json.schema(kind)) for name, kind in KINDS.items()}
"""Those of which other programs make types."""


def schema_for(document: Any) -> Any:
    """The validator of this document: no two parts take the same type."""
    kind = document.get("type") if isinstance(document, dict) else None
    return SCHEMAS.get(kind, WHOLE_SCHEMA) if isinstance(kind, str) else WHOLE_SCHEMA
