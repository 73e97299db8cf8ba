"""Files of BGBlitz: documents of real matches, changed and packed again; their bytes changed, before packing and after.

`fuzzing.readers` says what must hold.
"""

from __future__ import annotations

import copy
import gzip
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import bgf_files
from fuzzing.readers import DATA, HOSTILE_NUMBERS, changed_bytes, check_record
from gammonrules.records.formats.bgf.smile import HEADER, read_smile

FILES = sorted(DATA.glob("matches/bgf/**/*.bgf"))
VALUES = (*HOSTILE_NUMBERS, None, True, [], {}, [[]], {"a": 1}, 0, 1, -1, 5, 6, 7, 9, 25, 26, 2**31, -(2**63), 1e300,
          [0] * 28, "<b>", "é" * 40, "x" * 300, "\0\u202e", "Money")  # fmt: skip
Case = bytes


@cache
def _documents() -> list[dict[str, Any]]:
    """The real documents, with at most eight records of each game and two plays of each analysis."""
    documents = []
    for path in FILES:
        data = gzip.decompress(path.read_bytes().partition(b"\n")[2])
        document: Any = read_smile(data.removeprefix(HEADER))[0]
        for game in document["games"]:
            game["moves"] = [*game["moves"][:6], *game["moves"][-2:]]
            for record in game["moves"]:
                record["moveAnalysis"] = record["moveAnalysis"][:2]
        documents.append(document)
    return documents


def case(rng: random.Random) -> Case:
    document = copy.deepcopy(rng.choice(_documents()))
    games = document["games"]
    document["games"] = [copy.deepcopy(rng.choice(games)) for _ in range(rng.choice((1, 1, 2, 3)))]
    for _ in range(rng.choice((0, 1, 1, 2, 4, 8))):
        _change(rng, document)
    data = bgf_files.smile(document)
    if rng.random() < 0.3:
        data = changed_bytes(rng, data)
    content = bgf_files.HEAD + gzip.compress(data, 1, mtime=0)
    return changed_bytes(rng, content) if rng.random() < 0.1 else content


def _change(rng: random.Random, document: Any) -> None:
    """One value replaced, left out, repeated, or exchanged with another one beside it."""
    box = document
    while rng.random() < 0.85:
        inner = [value for value in (box.values() if isinstance(box, dict) else box) if isinstance(value, (dict, list))]
        if not any(inner):
            break
        box = rng.choice([value for value in inner if value])
    keys = list(box) if isinstance(box, dict) else list(range(len(box)))
    if not keys:
        return
    key, other = rng.choice(keys), rng.choice(keys)
    match rng.randrange(6):
        case 0:
            del box[key]
        case 1:
            box[key], box[other] = box[other], box[key]
        case 2 if isinstance(box, list):
            box[key:key] = [copy.deepcopy(box[key])] * rng.choice((1, 3, 300))
        case 3:
            box[key] = copy.deepcopy(box[other])
        case _:
            box[key] = copy.deepcopy(rng.choice(VALUES))


def octets(case: Case) -> bytes:
    return case


def check(case: Case) -> None:
    """Read it, and do everything with it that can be done."""
    check_record(case, 10 * len(case))


def candidates(case: Case) -> Iterator[Case]:
    """The case with less of its end."""
    size = len(case) // 2
    while size > 20:
        yield case[:-size]
        size //= 2
