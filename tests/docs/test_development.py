"""The pages for those who change the library say where things are; these tests compare them with the sources."""

from __future__ import annotations

import ast
import os
import re
import sys
import textwrap
from functools import cache
from pathlib import Path

import pytest

import loop
import processes
import rule_table
from layers import LAYERS, SOURCES
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


def test_layers() -> None:
    rows = cells("house.md", "layer | modules | what they contain")
    assert {int(row[0]): set(modules(row[1])) for row in rows} == {n: set(names) for n, names in enumerate(LAYERS, 1)}


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


@loop.over("row", rule_table.rows)
def test_rules_are_where_the_table_says(row: rule_table.Row) -> None:
    functions = [place.split(":") for place in row.places]
    tests = [test.split("::", 1) for test in row.tests]
    assert functions
    assert tests
    assert [(path, name) for path, name in functions if name not in definitions(SOURCES / path)] == []
    assert [(path, name) for path, name in tests if name not in definitions(ROOT / "tests" / path)] == []


def test_a_failed_proof_names_its_rule() -> None:
    law, edge = "tests/test_laws.py::Test", "tests/match/test_table_edge_cases.py::TestResult::test_"
    failed = [f"{law}OpponentPips::test_law", f"{edge}points_under_the_options[E16]"]
    passed = [f"{law}BlockedPoints::test_law", f"{edge}points_under_the_options[E10-winner]"]
    lines = rule_table.broken(failed, passed)
    assert [re.findall(r"\w+/\w+\.py:\w+", line) for line in lines] == [
        ["board/pure.py:_landing", "board/pure.py:_by_die"],
        ["match/scoring.py:highest_win"],
        ["match/scoring.py:win_points"],
    ]
    assert all(line.endswith(" (1 of 2 proofs failed)") for line in lines)


@pytest.mark.long
def test_a_wrong_rule_is_named(tmp_path: Path) -> None:
    wrong = "from gammonrules.match import scoring\nscoring.win_points = lambda rules, cube, win, pips: 3 * cube\n"
    (tmp_path / "three_points.py").write_text(wrong, encoding="utf-8")
    tests = ROOT / "tests" / "match" / "test_table_edge_cases.py"
    command = (sys.executable, "-m", "pytest", "-p", "three_points", tests)
    done = processes.run(*command, check=False, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    named = done.stdout.partition("rules of the game whose proofs failed")[2]
    assert "src/gammonrules/match/scoring.py:win_points" in named


@pytest.mark.long
def test_nothing_is_played_before_the_tests_run(tmp_path: Path) -> None:
    """Else a wrong rule ends the collection, and nobody sees which tests fail."""
    without_actions = """
        from gammonrules import Action, MatchState, Position
        for name in (*Action, "forfeit", "apply", "receive"):
            setattr(MatchState, name, None)
        Position.legal_plays = Position.play = None
    """
    (tmp_path / "without_actions.py").write_text(textwrap.dedent(without_actions), encoding="utf-8")
    tests = [ROOT / "tests" / name for name in ("board", "match", "test_laws.py", "test_rules.py")]
    command = (sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q", "-p", "without_actions", *tests)
    done = processes.run(*command, check=False, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 0, done.stdout[-2000:]
