"""The pages for those who change the library say where things are; these tests compare them with the sources."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import loop
from floors import FLOORS, SOURCES
from test_packaging import HOOKS, ROOT

PAGES = ROOT / "docs" / "development"


def cells(page: str, header: str) -> list[list[str]]:
    """The rows of the table with these columns, cell by cell."""
    _, _, after = (PAGES / page).read_text(encoding="utf-8").partition(f"| {header} |\n")
    rows = after.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def modules(cell: str) -> list[str]:
    """The modules named in a cell, as Python names them: "board.position"."""
    return [name.removesuffix(".py").rstrip("/").replace("/", ".") for name in re.findall(r"`([^`]+)`", cell)]


def test_floors() -> None:
    rows = cells("house.md", "floor | modules | what they contain")
    assert {int(row[0]): set(modules(row[1])) for row in rows} == {n: set(rooms) for n, rooms in enumerate(FLOORS, 1)}


def test_hooks() -> None:
    rows = cells("house.md", "in | imports | for")
    assert {(here, module) for row in rows for here in modules(row[0]) for module in modules(row[1])} == HOOKS


@cache
def definitions(path: Path) -> set[str]:
    """The functions and classes of a file, those in classes as "Class::function" too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{inside.name}" for inside in node.body if isinstance(inside, ast.FunctionDef)}
    return names


RULES = cells("rules.md", "rule | stated in | proven by")


@loop.over("row", RULES)
def test_rules_are_where_the_table_says(row: list[str]) -> None:
    functions = [place.split(":") for place in re.findall(r"`([^`]+)`", row[1])]
    tests = [place.split("::", 1) for place in re.findall(r"`([^`]+)`", row[2])]
    assert functions
    assert tests
    assert [(path, name) for path, name in functions if name not in definitions(SOURCES / path)] == []
    assert [(path, name) for path, name in tests if name not in definitions(ROOT / "tests" / path)] == []


def test_the_rules_that_people_look_for() -> None:
    words = (
        *("on the bar", "both dice", "higher die", "overshoots", "doublet", "same position", "gammon", "may double"),
        *("dead cube", "Crawford", "Jacoby", "beavers", "automatic doubles", "resignation", "pip scoring", "shut out"),
    )
    text = " ".join(row[0] for row in RULES).lower()
    assert [word for word in words if word.lower() not in text] == []


def test_a_newcomer_reads_little_at_first() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) <= 1_400
