"""The table of the rules of the game in `docs/development/rules.md`, and which of them failed tests prove."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TypeAlias

import attrs

ROOT = Path(__file__).parents[1]
RULES = ROOT / "conformance" / "rules.json"
PAGE = ROOT / "docs" / "development" / "rules.md"

Turn: TypeAlias = tuple[list[int], int, list[int]]
"""The points of a position, its number of checkers, and the dice."""


@attrs.frozen
class Row:
    """A rule; where it is stated, as `match/cube.py:taken`; which tests prove it, as `test_laws.py::TestFlip`."""

    rule: str
    places: list[str]
    tests: list[str]

    def proofs_in(self, names: Collection[str]) -> list[str]:
        """Which tests of these names, as pytest has them, prove this rule."""
        beginnings = tuple(f"tests/{test}{end}" for test in self.tests for end in ("::", "["))
        return [name for name in names if f"{name}::".startswith(beginnings)]


@cache
def rows() -> list[Row]:
    """The rows of the table."""
    table = PAGE.read_text(encoding="utf-8").partition("| rule | stated in | proven by |\n")[2]
    cells = [line.strip("| ").split(" | ") for line in table.partition("\n\n")[0].splitlines()[1:]]
    return [Row(rule, *(re.findall(r"`([^`]+)`", cell) for cell in others)) for rule, *others in cells]


def broken(
    failed: Collection[str], passed: Collection[str], *, asserted: Collection[str] = (), turns: Collection[Turn] = ()
) -> list[str]:
    """A line for each rule of which a proof failed, the likeliest first.

    What fails may be why more fails above it: laws of checker play come first, then other tests of the board, then
    those of a match. Among them the share of its proofs that failed decides, as if one more had passed, since a share
    of few says less. A proof of several rules counts as one over their number; an assertion of the test counts before
    any other error, which may come from elsewhere. A rule of checker play is wrong only where it decides what is
    played: its share is multiplied by that of the turns on which it does, or by a half if that is not known.

    Args:
        failed: the names of the tests that failed.
        passed: the names of those that passed.
        asserted: of those that failed, those in which an assertion did.
        turns: on which the laws failed.
    """
    table = rows()
    every = [*failed, *passed]
    rules_of = Counter(name for row in table for name in row.proofs_in(every))
    decided = _decided(turns)

    def share(row: Row, names: Collection[str]) -> float:
        wrong, tried = (sum(1 / rules_of[name] for name in row.proofs_in(some)) for some in (names, every))
        return wrong / (tried + 1) * decided.get(row.rule, 0.5)

    def rank(row: Row) -> tuple[int, float, float]:
        return min(map(_level, row.proofs_in(failed))), -share(row, asserted), -share(row, failed)

    return [_line(row, failed, passed) for row in sorted(filter(lambda row: row.proofs_in(failed), table), key=rank)]


def _level(name: str) -> int:
    """How much a test builds on: without plays there is no notation, and without a board no match."""
    levels = ("tests/test_laws.py", "tests/board/", "tests/")
    return next(number for number, beginning in enumerate(levels) if name.startswith(beginning))


def _decided(turns: Collection[Turn]) -> dict[str, float]:
    """On which share of the turns each rule of checker play decides: whoever had it wrong would find other plays."""
    if not turns:
        return {}
    from boards import board_of  # noqa: PLC0415 - they need the package, this module only the page
    from gammonrules import Position  # noqa: PLC0415
    from wrong_plays import WAYS, ways_that_differ  # noqa: PLC0415

    words = json.loads(RULES.read_text(encoding="utf-8"))
    decided = Counter[str]({words[key]: 0 for key, _ in WAYS.values()})
    for points, checkers, dice in turns:
        ways = ways_that_differ(board_of(Position.from_points(points, checkers=checkers)), tuple(dice))
        decided.update({words[WAYS[way][0]] for way in ways})
    return {rule: number / len(turns) for rule, number in decided.items()}


def _line(row: Row, failed: Collection[str], passed: Collection[str]) -> str:
    places = ", ".join(f"src/gammonrules/{place}" for place in row.places)
    wrong = len(row.proofs_in(failed))
    return f"{row.rule}: {places} ({wrong} of {wrong + len(row.proofs_in(passed))} proofs failed)"
