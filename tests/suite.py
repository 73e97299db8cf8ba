"""The data of the conformance suite, as the tests read them."""

from __future__ import annotations

import functools
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import reference

SUITE = Path(__file__).parents[1] / "conformance"
sys.path[:0] = [str(SUITE), str(Path(__file__).parent / "match")]  # what makes the data, and the model of a match

Case = dict[str, Any]


@functools.cache
def cases(ask: str) -> list[Case]:
    """All cases of a kind."""
    lines = gzip.decompress((SUITE / f"{ask}.jsonl.gz").read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


@functools.cache
def worked() -> dict[str, Case]:
    """The worked cases of checker play by name: A01 to D27."""
    return {case["note"][:3]: case for case in cases("plays") if "note" in case}


@functools.cache
def boards() -> dict[str, dict[tuple[int, int], Case]]:
    """The boards that GNU Backgammon played with every roll, by Position ID and dice."""
    asked = {tuple(case["question"]["points"]) for case in cases("plays") if case.get("source") == "GNU Backgammon"}
    played: dict[str, dict[tuple[int, int], Case]] = {}
    for case in cases("plays"):
        if "source" in case and tuple(case["question"]["points"]) in asked:
            rolls = played.setdefault(reference.encode_id(board_of(case)), {})
            rolls[dice_of(case)] = case
    return played


def board_of(case: Case) -> reference.Board:
    """The board of a question of plays or orders."""
    return board_in(case["question"]["points"], case["question"].get("checkers", 15))


def board_in(points: list[int], checkers: int = 15) -> reference.Board:
    mine, theirs = [max(0, n) for n in points[1:]], [max(0, -n) for n in reversed(points[:-1])]
    return (checkers - sum(mine), *mine), (checkers - sum(theirs), *theirs)


def dice_of(case: Case) -> tuple[int, int]:
    high, low = case["question"]["dice"]
    return high, low


def results_of(case: Case) -> list[str]:
    """Position IDs of the results, still seen by the same player."""
    return sorted(reference.encode_id(board_in(points)) for points in case["answer"]["points"])
