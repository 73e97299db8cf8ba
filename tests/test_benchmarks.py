"""What the benchmarks write: their tables, their drawing, and the page that shows both. No speed is measured here."""

from __future__ import annotations

import importlib
import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from gammonrules import KERNEL

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "benchmarks"
PAGE = ROOT / "docs" / "explanation" / "performance.md"
DRAWING = ROOT / "docs" / "images" / "performance.svg"
NARROW_DRAWING = ROOT / "docs" / "images" / "performance-narrow.svg"

pytestmark = pytest.mark.skipif(not BENCHMARKS.exists(), reason="the benchmarks are not here")

FASTER = {
    "name": "T1",
    "what": "count",
    "target": 3.0,
    "times": [["gammonrules", 1e-6], ["peer", 4e-6], ["in chunks", 2e-6], ["nothing", 1e-7]],
    "ratio": 4.0,
    "ratios": [3.5, 4.0, 4.5],
}
SLOWER = {**FASTER, "name": "T7", "target": 1 / 1.3, "ratio": 0.5, "times": [["gammonrules", 2e-6], ["attrs", 1e-6]]}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("run")
    for name in ("run", "chart"):
        del sys.modules[name]


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    return json.loads((ROOT / "docs" / "images" / "performance.json").read_text(encoding="utf-8"))


def test_the_page_has_what_was_measured(run: ModuleType, measured: dict[str, Any]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for part in run.tables(measured).split("\n\n"):
        assert part in page


def test_the_drawing_is_of_what_was_measured(run: ModuleType, measured: dict[str, Any]) -> None:
    assert DRAWING.read_text(encoding="utf-8") == run.chart(measured["measures"])
    assert NARROW_DRAWING.read_text(encoding="utf-8") == run.chart(measured["measures"], narrow=True)


def test_every_measure_has_its_target(run: ModuleType) -> None:
    assert run.TARGETS.keys() == run.MEASURES.keys()


def test_missed_targets_are_reported(run: ModuleType) -> None:
    assert run.missed([FASTER]) == "All targets are reached."
    assert run.missed([FASTER, SLOWER]) == "Below their target: T7 (0.50 of 0.77)."


def test_hypergammon_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With one checker a side; what is wrong raises an error."""
    hypergammon = pytest.importorskip("gammonrules.hypergammon")
    main = runpy.run_path(str(BENCHMARKS / "hypergammon.py"))["main"]
    file = str(tmp_path / "one.table")
    hypergammon.make(file, 1).close()
    said = {
        ("sample", "50", "--checkers", "1"): "50 boards with a roll, ",
        ("check", file, "--number", "20"): "20 positions at random: at most ",
        ("games", file, "--number", "80"): "| without the cube, takes always | ",
    }
    if KERNEL == "c":
        said["proof", "--checkers", "1", "--part", "1/1"] = ": 601 positions, 12,621 with rolls, 13,231 plays, "
    for arguments, words in said.items():
        monkeypatch.setattr(sys, "argv", ["hypergammon.py", *arguments])
        main()
        assert words in capsys.readouterr().out
