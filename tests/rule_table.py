"""The table of the rules of the game in `docs/development/rules.md`, and which of them failed tests prove."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import attrs

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "development" / "rules.md"


@attrs.frozen
class Row:
    """A rule; where it is stated, as `match/cube.py:taken`; which tests prove it, as `test_laws.py::TestFlip`."""

    rule: str
    places: list[str]
    tests: list[str]

    def proofs_in(self, names: Collection[str]) -> int:
        """How many tests of these names, as pytest has them, prove this rule."""
        beginnings = tuple(f"tests/{test}{end}" for test in self.tests for end in ("::", "["))
        return sum(f"{name}::".startswith(beginnings) for name in names)


def rows() -> list[Row]:
    """The rows of the table."""
    table = PAGE.read_text(encoding="utf-8").partition("| rule | stated in | proven by |\n")[2]
    cells = [line.strip("| ").split(" | ") for line in table.partition("\n\n")[0].splitlines()[1:]]
    return [Row(rule, *(re.findall(r"`([^`]+)`", cell) for cell in others)) for rule, *others in cells]


def broken(failed: Collection[str], passed: Collection[str]) -> list[str]:
    """A line for each rule of which a proof failed: first those of which the largest share did."""
    lines = []
    for row in rows():
        wrong = row.proofs_in(failed)
        if wrong:
            tried = wrong + row.proofs_in(passed)
            places = ", ".join(f"src/gammonrules/{place}" for place in row.places)
            lines.append((-wrong / tried, f"{row.rule}: {places} ({wrong} of {tried} proofs failed)"))
    return [line for _, line in sorted(lines, key=lambda pair: pair[0])]
