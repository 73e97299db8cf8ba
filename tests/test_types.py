"""What type checkers find in programs that use the library: nothing in correct ones, every mistake in wrong ones."""

from __future__ import annotations

import doctest
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import each
import processes

TESTS = Path(__file__).parent
USAGE, MISTAKES = TESTS / "typed_usage.py", TESTS / "typed_mistakes.py"

CHECKERS = ("mypy", "pyright", "basedpyright")
"""Those of the extra `lint`."""

Line = tuple[str, int]
"""A file's name and a line of it, counted from 1."""


@cache
def errors(checker: str) -> dict[Line, set[str]]:
    """The codes of all errors in both files, by line."""
    if find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed (extra lint)")
    codes_at: dict[Line, set[str]] = {}
    for name, line, code in _of_mypy() if checker == "mypy" else _of_pyright(checker):
        codes_at.setdefault((name, line), set()).add(code)
    return codes_at


def _output(*command: object) -> str:
    done = processes.run(
        sys.executable, "-m", *command, USAGE, MISTAKES, cwd=TESTS.parent, seconds=300, megabytes=8192, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr  # there are errors; 2: it could not work
    return done.stdout


def _of_mypy() -> Iterator[tuple[str, int, str]]:
    output = _output("mypy", "--strict", "--no-pretty", "--no-color-output", "--hide-error-context")
    for path, line, code in re.findall(r"(?m)^([^:\n]+):(\d+): error: .*\[([\w-]+)\]$", output):
        yield Path(path).name, int(line), code


def _of_pyright(checker: str) -> Iterator[tuple[str, int, str]]:
    output = _output(checker, "--outputjson", "--pythonpath", sys.executable)
    for diagnostic in json.loads(output)["generalDiagnostics"]:
        yield Path(diagnostic["file"]).name, diagnostic["range"]["start"]["line"] + 1, diagnostic.get("rule", "syntax")


def marked() -> dict[Line, list[str]]:
    """What each marked line is marked with: the code of mypy and the rule of both pyrights."""
    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    marks = [re.search(r"  # error: ([\w-]+), (\w+)$", line) for line in lines]
    return {(MISTAKES.name, number): [*mark.groups()] for number, mark in enumerate(marks, 1) if mark}


@each.first("checker", CHECKERS)
def test_right_programs_pass(checker: str) -> None:
    assert {line: codes for line, codes in errors(checker).items() if line[0] == USAGE.name} == {}


@each.first("checker", CHECKERS)
def test_every_mistake_is_found(checker: str) -> None:
    reported, place = errors(checker), 0 if checker == "mypy" else 1
    missed = [(line, codes[place]) for line, codes in marked().items() if codes[place] not in reported.get(line, ())]
    assert missed == []


@each.first("checker", CHECKERS)
def test_nothing_else_is_found(checker: str) -> None:
    assert {line for line in errors(checker) if line[0] == MISTAKES.name} <= set(marked())


@pytest.mark.long
def test_the_page_of_drawings_passes_mypy(tmp_path: Path) -> None:
    """Readers copy its calls, such as `bottom="black"`."""
    if find_spec("mypy") is None:
        pytest.skip("mypy is not installed (extra lint)")
    page = (TESTS.parent / "docs" / "reference" / "draw.md").read_text(encoding="utf-8")
    sessions = "".join(re.findall(r"(?ms)^```pycon\n(.*?)^```", page))
    program = tmp_path / "draw.py"
    program.write_text(doctest.script_from_examples(sessions), encoding="utf-8")
    processes.run(sys.executable, "-m", "mypy", "--strict", program, cwd=TESTS.parent, seconds=300, megabytes=8192)
