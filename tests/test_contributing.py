"""CONTRIBUTING.md says where things are; here it is held to the sources."""

from __future__ import annotations

import re

from test_packaging import FLOORS, HOOKS, ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def cells(header: str) -> list[list[str]]:
    """The rows of the table with these columns, cell by cell."""
    _, _, after = PAGE.partition(f"| {header} |\n")
    rows = after.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def modules(cell: str) -> list[str]:
    """The modules named in a cell, as Python names them: "board.position"."""
    return [name.removesuffix(".py").rstrip("/").replace("/", ".") for name in re.findall(r"`([^`]+)`", cell)]


def test_floors() -> None:
    assert [set(modules(row[1])) for row in cells("floor | modules | what they contain")] == list(map(set, FLOORS))


def test_hooks() -> None:
    rows = cells("in | imports | for")
    assert {(here, module) for row in rows for here in modules(row[0]) for module in modules(row[1])} == HOOKS
