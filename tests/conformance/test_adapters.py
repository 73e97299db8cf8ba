"""The adapters of `conformance/programs`: those whose program is installed answer rightly."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from gammonrules import Position, draw
from gammonrules.conformance import answer
from gammonrules.conformance.asking import interviewed
from gammonrules.conformance.judging import faults
from gammonrules.conformance.questions import core

PROGRAMS = Path(__file__).parents[2] / "conformance" / "programs"
LIBRARIES = {
    "bgsage": "bgsage",
    "gammonview": "gvformat",
    "gnubg_nn": "gnubg_nn",
    "gym_backgammon": "gym_backgammon",
    "pgx": "pgx",
}
QUESTIONS = [
    (Position.start(), (3, 1)),
    (Position.of(mine={"bar": 1, 13: 2, 6: 3}, theirs={"bar": 1, 6: 2, 3: 1}), (2, 2)),
    (Position.of(mine={"bar": 1, 13: 2}, theirs={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}), (6, 5)),
    (Position.of(mine={6: 2, 3: 2}, theirs={20: 2}), (6, 4)),
]


@pytest.mark.parametrize("part", ["rules", "match"])
def test_rules_js(part: str, tmp_path: Path) -> None:
    """It answers more than plays; with the match also what an action does."""
    if not (node := shutil.which("node")):
        pytest.skip("Node is not installed")
    script = tmp_path / "script.mjs"
    script.write_text(draw.rules_js() if part == "rules" else draw.match_js(), encoding="utf-8")
    with interviewed([node, str(PROGRAMS / "with_rules_js.mjs"), str(script)], 20, ubgi=False) as program:
        some = [case for case in core() if program.answers(case.question)]
        assert ("table" in {case.question["ask"] for case in some}) == (part == "match")
        for case in some[::60]:
            assert [*faults(case.question, case.right_answer(), program.ask(case.question))] == []


def test_every_adapter_is_tried() -> None:
    assert {path.stem for path in PROGRAMS.glob("with_*.py")} == {f"with_{name}" for name in (*LIBRARIES, "gnubg")}


@pytest.mark.parametrize("name", [*LIBRARIES, "gnubg"])
def test_an_adapter(name: str) -> None:
    """Doublets, hits, dances and the bearing off, of programs whose boards count the bar in another way than ours."""
    if name == "gnubg":
        if shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games") is None:
            pytest.skip("GNU Backgammon is not installed")
    elif importlib.util.find_spec(LIBRARIES[name]) is None:
        pytest.skip(f"{LIBRARIES[name]} is not installed")
    with interviewed([sys.executable, str(PROGRAMS / f"with_{name}.py")], 20, ubgi=False) as program:
        assert program.asks == ["plays"]
        for number, (position, dice) in enumerate(QUESTIONS, 1):
            asked = {"id": number, "ask": "plays", "points": [*position.points], "dice": [*dice]}
            assert [*faults(asked, answer(asked), program.ask(asked))] == []
