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

from fuzzing.harness import attempt
from fuzzing.json_changes import change
from fuzzing.mutation import NUMBERS, ODD, mutated
from fuzzing.readers import DATA, SECONDS, SECONDS_A_MB, check_record
from gammonrules import GammonError, json
from gammonrules.records import Match, load

VALIDATOR = jsonschema.Draft202012Validator(json.schema())
WRONG_TEXTS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-0",
    "1.0",
    "01",
    "+1",
    "1_0",
    "٣",
    "'1'",
    "undefined",
    "\ufeff",
)
MAX_MESSAGE_LENGTH = 4_000

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
        change(rng, document)
    if rng.random() < 0.5:
        return "text", _as_text(rng, document)
    return "schema" if rng.random() < 0.2 else "data", document


def _as_text(rng: random.Random, document: Any) -> str | bytes:
    """The document as text, at times not JSON anymore."""
    text = python_json.dumps(document, ensure_ascii=rng.random() < 0.5)
    match rng.randrange(8):
        case 0:
            text = mutated(rng, text, [text, *NUMBERS, *ODD], ',:"[{')
        case 1:  # another number in the place of one
            at = rng.choice([at for at, character in enumerate(text) if character.isdigit()] or [0])
            text = text[:at] + rng.choice((*WRONG_TEXTS, *NUMBERS)) + text[at + 1 :]
        case 2:  # a field twice
            text = text.replace(
                "{",
                "{" + rng.choice(('"type":"Cube",', '"version":3,', '"by":"to_act",', '"":0,')),
                rng.choice((1, -1)),
            )
        case 3 if rng.random() < 0.3:  # nested deeply
            depth = rng.choice((10, 900, 1_100, 100_000))
            opening, closing = rng.choice((("[", "]"), ('{"type":', "}")))
            inner = text if rng.random() < 0.5 else "1"
            text = opening * depth + inner + closing * depth
        case _:
            pass
    if rng.random() < 0.2:
        return text.encode(rng.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig")), "surrogatepass")
    return text


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
    match, error = attempt(lambda: read(document, Match), seconds=seconds, longest=MAX_MESSAGE_LENGTH)
    if error is None:
        assert json.loads(json.dumps(match)) == match
        if form == "schema":
            VALIDATOR.validate(document)
    else:
        assert str(error).startswith(("$", "this is not ", "a document has ")), error
    check_record(data)
