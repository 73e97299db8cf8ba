"""The pages for those who change the library say where things are; these tests compare them with the sources."""

from __future__ import annotations

import ast
import os
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import loop
import move_generators
import processes
import rule_table
from gammonrules import Position
from gammonrules.board import pure
from layers import SOURCES
from move_generators import kernel
from test_packaging import ROOT

PAGES = ROOT / "docs" / "development"


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


SUFFIXES = "py|pyi|c|h|rs|go|ts|js|mjs|json|jsonl|html|css|sql|md|toml|in|wasm"
PLACE = re.compile(rf"`([\w.-]*/[\w./-]*|[\w.-]+\.(?:{SUFFIXES}))(?::(\w+))?`")


def places_that_are_gone(row: str) -> Iterator[str]:
    """What is no longer where a row says; a path begins in the package, in the clone, or beside the one before it."""
    folder = SOURCES
    for path, name in PLACE.findall(row):
        files = [base / path for base in (folder, SOURCES, ROOT) if (base / path).exists()]
        if not files:
            yield path
            continue
        file = files[0]
        folder = file if file.is_dir() else file.parent
        if name and not re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")):
            yield f"{path}:{name}"


def test_every_place_of_a_change_is_there() -> None:
    """Whoever moves a file or renames a function finds here which rows name it."""
    gone: list[str] = []
    for page in ("architecture.md", "rules.md"):
        heading = ""
        for number, line in enumerate((PAGES / page).read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#"):
                heading = line.lstrip("# ")
            elif line.startswith("| "):
                gone += [f"{page}:{number}, {heading}: {place}" for place in places_that_are_gone(line)]
    assert not gone, "\n".join(["no longer there:", *gone])


@loop.rows(
    ("row", "gone"),
    ("| `board/pure.py:_doublet`, `pure.py:moves_to` | `web/src/`, `c/_game.c:play_on` |", []),
    ("| `board/moved.py:_doublet`, `pure.py` |", ["board/moved.py", "pure.py"]),
    ("| `board/pure.py:_triplet` | `docs/no_page.md` |", ["board/pure.py:_triplet", "docs/no_page.md"]),
)
def test_a_place_that_is_gone_is_named(row: str, gone: list[str]) -> None:
    assert [*places_that_are_gone(row)] == gone


LAW, EDGE = "tests/test_laws.py::Test", "tests/match/test_table_edge_cases.py::Test"


def test_a_failed_proof_names_its_rule() -> None:
    failed = [f"{LAW}OpponentPips::test_law", f"{EDGE}Result::test_points_under_the_options[E16]"]
    passed = [f"{LAW}BlockedPoints::test_law", f"{EDGE}Result::test_points_under_the_options[E10-winner]"]
    lines = rule_table.broken(failed, passed)
    assert [re.findall(r"\w+/\w+\.py:\w+", line) for line in lines] == [
        ["board/pure.py:_landing", "board/pure.py:_by_die"],
        ["match/scoring.py:highest_win"],
        ["match/scoring.py:win_points"],
    ]
    assert all(line.endswith(" (1 of 2 proofs failed)") for line in lines)


def first_rule(*failed: str, passed: Sequence[str] = (), **facts: Any) -> str:
    return rule_table.broken(failed, passed, **facts)[0].partition(";")[0].partition(":")[0]


def test_the_likeliest_rule_is_first() -> None:
    laws = "BarFirst", "HigherDie", "BearingOff", "MoverPips", "EveryTurnHasAPlay", "ShutOut"
    bar, higher, home, pips, dance, shut_out = (f"{LAW}{name}::test_law" for name in laws)
    opening, many = f"{EDGE}Opening::test_start", "tests/match/test_match_machine.py::test_actions_by_chance[2024/0]"
    one_runner = [0, 14, *[0] * 14, -2, *[0] * 7, 1, 0], 15, [6, 2]  # it plays the 6
    on_the_bar, all_home = "A checker on the bar enters before any other moves", "Bearing off needs all checkers home"
    # the first of the table, if nothing else is known of them
    assert first_rule(higher, bar) == on_the_bar
    assert first_rule(higher, bar, asserted=[higher]).startswith("The higher die")
    assert first_rule(higher, bar, turns=[one_runner]).startswith("The higher die")
    assert first_rule(bar, home, pips) == all_home  # two proofs of two
    assert first_rule(bar, home, passed=[pips]) == on_the_bar
    # where a player can move, a dance is not the rule; whether a board can be shut out, no turn tells
    assert first_rule(dance, shut_out) == "A turn without a legal play is one empty play"
    assert first_rule(dance, shut_out, turns=[one_runner]).startswith("Both sides shut out")
    # what proves one rule only, and a law of the board before any of a match
    assert first_rule(many, opening).startswith("Opening roll")
    assert first_rule(opening, home, passed=[pips]) == all_home


def test_a_generator_that_differs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = [*Position.start().points], 15, [3, 1]
    names = ["Python", "the array generator", *(["the kernel"] if kernel else [])]
    assert move_generators.compared([turn]) == f"{move_generators.listed(names)} agree wherever a law failed"
    monkeypatch.setattr(pure, "_mixed", lambda board, own, high, low: ())
    wrong = f"on {Position.start()!r}, 3-1"
    if kernel:
        assert move_generators.compared([turn]) == f"Python differs from the array generator and the kernel {wrong}"
    else:
        assert move_generators.compared([turn]) == f"Python and the array generator differ {wrong}"


def output_of_tests(folder: Path, wrong: str, tests: str) -> tuple[str, str]:
    """The output while tests run, and its end, where these lines make a rule wrong, in whatever process a test runs."""
    (folder / "wrong_rule.py").write_text(wrong, encoding="utf-8")
    command = (sys.executable, "-m", "pytest", "-n", "2", "-p", "wrong_rule", ROOT / "tests" / tests)
    done = processes.run(*command, check=False, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(folder)})
    assert done.returncode == 1
    at_once, _, end = done.stdout.partition("rules of the game whose proofs failed")
    return at_once.partition("= FAILURES =")[0], end


@pytest.mark.long
def test_a_wrong_rule_is_named(tmp_path: Path) -> None:
    wrong = "from gammonrules.match import scoring\nscoring.win_points = lambda rules, cube, win, pips: 3 * cube\n"
    for named in output_of_tests(tmp_path, wrong, "match/test_table_edge_cases.py"):
        assert "src/gammonrules/match/scoring.py:win_points" in named


@pytest.mark.long
def test_a_wrong_generator_is_named(tmp_path: Path) -> None:
    wrong = "from gammonrules.board import pure\npure._HIT = [0] * 26\n"
    at_once, named = output_of_tests(tmp_path, wrong, "test_laws.py::TestOpponentPips")
    assert "\nFAILED tests/test_laws.py::TestOpponentPips::test_law\n" in at_once
    for output in (at_once, named):
        assert "src/gammonrules/board/pure.py:_landing" in output
    assert re.search(r"^Python .*differ.* on Position", named, re.MULTILINE)


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
