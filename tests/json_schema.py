"""Documents of every type, those of records too, with their classes and the schemas of their types."""

from __future__ import annotations

import jsonschema

import core_documents
from gammonrules import json
from gammonrules.records import Candidate, CubeAnalysis, Finding, Game, Match, PlayAnalysis, RecordedResult

RECORD_DOCUMENTS = core_documents.documents(of_records=True)
_OF_RECORDS: tuple[type[json.Value], ...] = (
    Match,
    Game,
    RecordedResult,
    Finding,
    PlayAnalysis,
    CubeAnalysis,
    Candidate,
)
RECORD_KINDS = {kind.__name__: kind for kind in _OF_RECORDS}
DOCUMENTS = [*core_documents.DOCUMENTS, *RECORD_DOCUMENTS]
KINDS = core_documents.KINDS | RECORD_KINDS
TYPE_SCHEMAS = {name: jsonschema.Draft202012Validator(json.schema(kind)) for name, kind in KINDS.items()}
