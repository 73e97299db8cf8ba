"""What the benchmarks write: their tables, their drawing, and the page that shows both. No speed is measured here."""

from __future__ import annotations

import importlib
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import speed
from gammonrules import KERNEL

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "benchmarks"

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


@pytest.mark.usefixtures("run")
def test_pages_have_what_was_measured() -> None:
    """If they have not: `python docs/generators/speed.py` writes them again."""
    files = speed.files()
    assert len(files) == 5
    for file, text in files.items():
        assert file.read_text(encoding="utf-8") == text, file.name


def test_a_page_without_a_table_is_refused(run: ModuleType) -> None:
    with pytest.raises(SystemExit, match="0 places of the page look like "):
        speed.with_tables("# How fast it is\n", run.table_of_measures([FASTER]))


def test_what_is_nearly_equal_is_no_victory() -> None:
    assert [speed.in_words(ratio) for ratio in (0.5, 0.95, 1.04, 8.13)] == [
        "0.5 times as",
        "equally",
        "equally",
        "8.1 times as",
    ]


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
