"""The templates of `conformance/templates`: each is built, and answers, though it knows no rules yet."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import processes
from gammonrules import Position
from gammonrules.conformance import answer
from gammonrules.conformance.asking import interviewed
from gammonrules.conformance.judging import faults

TEMPLATES = Path(__file__).parents[2] / "conformance" / "templates"
BUILT = {"c": ("cc", "-o"), "rs": ("rustc", "--edition", "2021", "-o")}
RUN = {"py": sys.executable, "js": "node"}
DANCE = Position.of(mine={"bar": 1, 13: 2}, theirs={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2})
ENTERS = Position.of(mine={"bar": 1, 13: 2}, theirs={6: 2})
POSITIONS = (DANCE, Position.start(), ENTERS, DANCE)


def question(number: int, position: Position, *dice: int) -> dict[str, Any]:
    return {"id": number, "ask": "plays", "points": [*position.points], "dice": [*dice]}


def command(kind: str, folder: Path) -> list[str]:
    """That which runs a template, once it is built."""
    source, program = TEMPLATES / f"answers.{kind}", folder / "answers"
    tool, *options = BUILT.get(kind) or [RUN[kind]]
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    if kind in RUN:
        return [tool, str(source)]
    processes.run(tool, *options, program, source, megabytes=8192)
    return [str(program)]


@pytest.mark.parametrize("kind", ["py", "js", "c", pytest.param("rs", marks=pytest.mark.long)])
def test_a_template(kind: str, tmp_path: Path) -> None:
    """Dances are answered rightly, other plays wrongly; of what it does not answer it says so."""
    with interviewed(command(kind, tmp_path), 20, ubgi=False) as program:
        assert (program.name, program.version, program.asks) == ("my program", "0.1", ["plays"])
        for number, position in enumerate(POSITIONS, 1):
            asked = question(number, position, 3, 1)
            reply = program.ask(asked)
            assert reply == {"id": number, "points": [asked["points"]]}
            assert bool([*faults(asked, answer(asked), reply)]) is (position != DANCE)
        unknown = {"id": 9, "ask": "perft", "start": "hypergammon", "depth": 1}
        assert program.ask(unknown) == {"id": 9, "error": "not answered"}
