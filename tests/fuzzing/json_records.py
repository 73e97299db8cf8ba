"""JSON documents of match records: those of real and made-up records, changed at random, as data and as text.

`fuzzing.readers` says what must hold of what is read, and the schema takes it as well.
"""

from __future__ import annotations

import json as python_json
import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema

from fuzzing.harness import attempt
from fuzzing.mutation import NUMBERS, ODD, mutated
from fuzzing.readers import DATA, SECONDS, SECONDS_A_MB, check_record
from gammonrules import GammonError, json
from gammonrules.records import Match, load

VALIDATOR = jsonschema.Draft202012Validator(json.schema())
NAMES = ("", *"version type value points by dice moves position cube owner double castle".split())
LEAVES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 6, 7, 15, 16, 25, 64, 1 << 20, 2**53 - 1, 2**53, -(2**53), 10**30, 0.0, 1.0,
    -0.5, 1e300, float("inf"), float("nan"), "", "white", "black", "single", "gammon", "roll", "MatchState", "Double",
    "31", "8/5 6/5", "x" * 300, "\ud800", "\0", "ſingle", [], {}, [3, 1], [0] * 26, [0] * 27, {"type": "Double"}, [[]],
)  # fmt: skip
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
        change(rng, document)
    if rng.random() < 0.5:
        return "text", _as_text(rng, document)
    return "schema" if rng.random() < 0.2 else "data", document


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index in it."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def change(rng: random.Random, document: Any) -> None:
    """Replace, leave out, add, exchange or wrap a part of a document."""
    inside = list(places(document))
    if not inside:
        return
    container, key = rng.choice(inside)
    match rng.randrange(8):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            container[rng.choice(NAMES)] = deepcopy(rng.choice(LEAVES))
        case 1:
            container.insert(key, deepcopy(rng.choice(LEAVES)))
        case 2:
            other, other_key = rng.choice(inside)
            container[key] = deepcopy(other[other_key])
        case 3:
            container[key] = [container[key]] if rng.random() < 0.5 else {rng.choice(NAMES): container[key]}
        case 4 if type(container[key]) is int:
            container[key] += rng.choice((-1, 1, 2, 10))
        case 5 if isinstance(container, dict) and isinstance(key, str):
            container[key + rng.choice(("s", " ", "\0", "\ud800")) if rng.random() < 0.5 else key.upper()] = (
                container.pop(key)
            )
        case 6 if isinstance(container[key], list):
            container[key] = container[key] * rng.choice((0, 2, 2, 1000))
        case _:
            container[key] = deepcopy(rng.choice(LEAVES))


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
    match, error = attempt(lambda: read(document, Match), seconds=seconds, longest=LONGEST_MESSAGE)
    if error is None:
        assert json.loads(json.dumps(match)) == match
        if form == "schema":
            VALIDATOR.validate(document)
    else:
        assert str(error).startswith(("$", "this is not ", "a document has ")), error
    check_record(data)
