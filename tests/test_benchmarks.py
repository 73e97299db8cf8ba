"""What the benchmarks write: their tables, their drawing, and the page that shows both. No speed is measured here."""

from __future__ import annotations

import importlib
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

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
    for path in BENCHMARKS.glob("*.py"):
        sys.modules.pop(path.stem, None)


def test_a_page_names_the_machine() -> None:
    measured = {"machine": {"processors": 8, "processor": "arm64", "python": "3.14.2"}}
    page = "Each on a\nmachine with 2 processors (x86_64) and CPython 3.11.7, after"
    assert "machine with 8 processors (arm64) and CPython 3.14.2, after" in speed.with_machine(page, measured)
    with pytest.raises(SystemExit, match="0 places of the page name the machine"):
        speed.with_machine("", measured)


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


class Once:
    """In place of pyperf's runner: it calls everything that a measure compares once, and notes its name."""

    args = SimpleNamespace(caches=False, worker_task=None)

    def __init__(self) -> None:
        self.called: list[str] = []

    def bench_func(self, name: str, function: Callable[..., Any], *args: Any, inner_loops: int) -> None:
        assert inner_loops > 0
        function(*args)
        self.called.append(name)

    def bench_time_func(self, name: str, function: Callable[..., Any], *args: Any) -> None:
        function(1, *args)
        self.called.append(name)


def test_every_measure_runs(run: ModuleType) -> None:
    """Both sides find the same. Left out is what needs a library or a program that is not installed here."""
    missing = {name for name in run.NEEDED if not run.needed.is_installed(name)} - {run.needed.KERNEL, "pyperf"}
    able = [name for name in run.MEASURES if not any(name in run.NEEDED[other] for other in missing)]
    if not able:
        pytest.skip(f"not installed: {', '.join(missing)}")
    measures = importlib.import_module("measures").Measures
    for name in able:
        once = Once()
        getattr(measures(once, "few"), name)()
        assert len(once.called) > 1, name


@pytest.mark.usefixtures("run")
def test_a_column_that_one_side_lacks_is_named() -> None:
    pytest.importorskip("pyarrow")
    analyst, peers = map(importlib.import_module, ("analyst", "peers"))
    path = peers.example_records()[-1]
    rows = [*analyst.rows_of(path)]
    analyst.check_rows([path], rows)
    with pytest.raises(SystemExit, match=r"other values in time, more$"):
        analyst.check_rows([path], [row | {"time": 7, "more": 1} for row in rows])


@pytest.mark.parametrize(
    ("missing", "step", "others"),
    [
        ("pyarrow", "python -m pip install ", "T10b T12a"),
        ("makebearoff", "install GNU Backgammon", "T11b T13a"),
        ("_kernel", "install a C compiler", " T4 T5 T13c T13d"),
        ("numpy", "python -m pip install ", ""),
    ],
)
def test_what_is_missing_is_reported_before_anything_is_measured(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, missing: str, step: str, others: str
) -> None:
    monkeypatch.setattr(run.needed, "is_installed", lambda name: missing not in name)
    monkeypatch.setattr(run, "one_round", lambda *_, **__: pytest.fail("it measures"))
    monkeypatch.setattr(sys, "argv", ["run.py"])
    with pytest.raises(SystemExit) as stopped:
        run.main()
    message = str(stopped.value)
    assert missing in message.splitlines()[0]
    assert step in message
    assert ("or run only the measures that do not need them: " in message) is (others != "")
    assert others in message


def test_all_measures_are_tried_before_one_takes_long(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def fail_at_last(name: str, *, quick: bool) -> dict[str, float]:
        assert quick
        tried.append(name)
        if name == "T22":
            raise SystemExit("it fails")
        return {}

    monkeypatch.setattr(run.needed, "is_installed", lambda _: True)
    monkeypatch.setattr(run, "one_round", fail_at_last)
    monkeypatch.setattr(sys, "argv", ["run.py"])
    with pytest.raises(SystemExit, match="it fails"):
        run.main()
    assert tried == [*run.MEASURES]


def test_measures_are_chosen_by_their_names(run: ModuleType) -> None:
    assert run.chosen(["T2", "T9a"]) == ["T2", "T2b", "T9a"]
    assert run.chosen([]) == [*run.MEASURES]
    with pytest.raises(SystemExit, match=r"^unknown measure: T99, t1\. The measures are T1a, T1b, "):
        run.chosen(["T99", "T1", "t1"])


@pytest.mark.parametrize("path", ["nowhere/speeds", "."])
def test_an_output_that_cannot_be_written_is_reported_first(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, path: str
) -> None:
    monkeypatch.setattr(run.needed, "is_installed", lambda _: True)
    monkeypatch.setattr(run, "one_round", lambda *_, **__: pytest.fail("it measures"))
    monkeypatch.setattr(sys, "argv", ["run.py", "--output", str(tmp_path / path)])
    with pytest.raises(SystemExit, match="--output"):
        run.main()


@pytest.mark.usefixtures("run")
def test_games_are_played_by_a_network_that_the_example_has_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("td_gammon", "players"):  # other tests use them as they are
        monkeypatch.delitem(sys.modules, name, raising=False)
    games = importlib.import_module("games")
    td_gammon = games.example()
    td_gammon.save(td_gammon.Network(3, seed=1), tmp_path / "network.bin")
    network = games.read(tmp_path / "network.bin")
    for name in ("td_gammon", "players"):
        del sys.modules[name]
    ended, turns = next(games.network_games(network))
    assert ended == 1
    assert turns > 0


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
    hypergammon.solve(file, 1).close()
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
