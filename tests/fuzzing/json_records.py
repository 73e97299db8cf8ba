"""JSON documents of match records: those of real and made-up records, changed at random, as data and as text.

`fuzzing.readers` says what must hold of what is read, and the schema takes it as well.
"""

from __future__ import annotations

import json as python_json
import random
from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema

from fuzzing import json as documents
from fuzzing.harness import attempt
from fuzzing.readers import DATA, SECONDS, SECONDS_A_MB, check_record
from gammonrules import GammonError, json
from gammonrules.records import Match, load

VALIDATOR = jsonschema.Draft202012Validator(json.schema())
LONGEST_MESSAGE = 4_000

Case = tuple[str, Any]
"""What reads it ("text", "data", or "schema": data that the slow schema judges as well), and the document."""


@cache
def _pool() -> list[Any]:
    """Documents of records of one game with some events."""
    pool: list[Any] = []
    for path in (*sorted(DATA.glob("matches/endings/*"))[:20], *sorted(DATA.glob("**/xg/*.xg"))[:2]):
        try:
            data = json.to_data(load(path))
        except GammonError:
            continue
        for game in data["games"][:3]:
            for name in ("events", "rows", "lines", "analyses", "notes"):
                game[name] = game[name][:12]
            for analysis in filter(None, game["analyses"]):
                if "candidates" in analysis:
                    analysis["candidates"] = analysis["candidates"][:2]
                    analysis["played"] = None
            pool.append(data | {"games": [game]})
    return pool


def case(rng: random.Random) -> Case:
    """A document."""
    document = deepcopy(rng.choice(_pool()))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        documents._change(rng, document)
    if rng.random() < 0.5:
        return "text", documents._text(rng, document)
    return "schema" if rng.random() < 0.2 else "data", document


def octets(case: Case) -> bytes:
    """The document as a file."""
    form, document = case
    text = document if form == "text" else python_json.dumps(document)
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")


def check(case: Case) -> None:
    """Read it as a document and as a record."""
    form, document = case
    data = octets(case)
    read = json.loads if form == "text" else json.from_data
    seconds = SECONDS + SECONDS_A_MB * len(data) / 1e6
    match, error = attempt(lambda: read(document, Match), seconds=seconds, longest=LONGEST_MESSAGE)
    if error is None:
        assert json.loads(json.dumps(match)) == match
        if form == "schema":
            VALIDATOR.validate(document)
    else:
        assert str(error).startswith(("$", "this is not ", "a document has ")), error
    check_record(data)
