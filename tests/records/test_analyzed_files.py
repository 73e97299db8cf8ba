"""`analyze_files`: every file with its analyses or its error, in order, with an engine in each process."""

from __future__ import annotations

import inspect
import pickle
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest

import loop
import processes
import wording
from gammonrules import ROLLS, ArgumentError, MatchState
from gammonrules.engine import EngineError, SimpleEngine
from gammonrules.records import Candidate, CubeAnalysis, ScanEntry, analyze, analyze_files, dump, loads, scan

TEXT = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n"
LIMIT = '; [CubeLimit "4"]\n 0 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3\n'


@attrs.define
class Fake:
    """It takes the first play, fails where somebody has 4 points, and says when it starts and ends."""

    told: list[str]
    name: str = "fake"
    level: str = "1-ply"

    def __attrs_post_init__(self) -> None:
        self.told.append("start")

    def candidates(self, state: MatchState, limit: int, *, also: Any = ()) -> tuple[Candidate, ...]:
        if 4 in state.score:
            raise EngineError("fake: on fire")
        self.told.append("asked")
        plays = enumerate(state.legal_plays)
        return tuple(Candidate(str(play), play.position, -0.1 * index, level=self.level) for index, play in plays)

    def cube_analysis(self, _state: MatchState) -> CubeAnalysis:
        return CubeAnalysis(0.1, 0.2, 1.0, level=self.level)

    def roll_equities(self, _state: MatchState) -> dict[Any, float]:
        return dict.fromkeys(ROLLS, 0.0)

    def close(self) -> None:
        self.told.append("close")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two records, one on which the engine fails, and one that is none."""
    for name, text in ("a", TEXT), ("b", TEXT.replace("Ann : 0", "Ann : 4")), ("c", "none"), ("d", TEXT):
        (tmp_path / f"{name}.mat").write_text(text)
    return tmp_path


def test_each_file_has_its_analyses_or_its_error(folder: Path) -> None:
    """In order; an engine that fails ends, and the next file gets another one, which ends with the iterator."""
    told = list[str]()
    analyzed = analyze_files(folder, engine=partial(Fake, told), workers=1)
    first = next(analyzed)
    assert first.match is not None
    assert next(first.match.decisions()).play_analysis is not None
    assert told.count("start") == 1
    _, *others = first, *analyzed
    assert [(Path(entry.path).name, entry.match is None, entry.has_crashed) for entry in (first, *others)] == [
        ("a.mat", False, False),
        ("b.mat", True, True),
        ("c.mat", True, False),
        ("d.mat", False, False),
    ]
    failed, unread, _ = others
    wording.check(failed.error, "on fire")
    assert unread.error == next(scan(folder / "c.mat")).error
    assert [word for word in told if word != "asked"] == ["start", "close", "start", "close"]


def test_what_it_has_analyzed_is_left(folder: Path) -> None:
    """By this engine at this level; by another one it is analyzed again."""
    told, old = list[str](), folder / "old.json"
    dump(analyze(loads(TEXT), Fake(told)), old)
    told.clear()
    [entry] = analyze_files(old, engine=partial(Fake, told), workers=1)
    assert "asked" not in told
    [again] = analyze_files(old, engine=partial(Fake, told, level="2-ply"), workers=1)
    assert "asked" in told
    assert entry.match == again.match


def test_closed_before_its_end(folder: Path) -> None:
    told = list[str]()
    analyzed = analyze_files(folder, engine=partial(Fake, told), workers=1)
    next(analyzed)
    analyzed.close()
    assert told[-1] == "close"


@pytest.mark.long
def test_on_two_processes(folder: Path) -> None:
    """As on one; a record of which the engine knows no decision is named with the reason."""
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    (folder / "e.mat").write_text(LIMIT)
    alone, side_by_side = (
        [*analyze_files(folder, engine=partial(SimpleEngine.bgsage, 1), workers=workers)] for workers in (1, 2)
    )
    assert alone == side_by_side
    assert [[decision.analysis for decision in entry.match.decisions()] for entry in alone if entry.match] == [
        [decision.analysis for decision in entry.match.decisions()] for entry in side_by_side if entry.match
    ]
    wording.check(alone[-1].error, "no decision could be analyzed", "a limit of 4")


# `run`, in the place of processes -------------------------------------------------------------------------------------

TOLD: list[str] = []
"""What happens to the engines that `fake` starts, wherever that is called in this process."""


def fake(level: str = "1-ply") -> Fake:
    return Fake(TOLD, level=level)


@pytest.fixture
def told() -> list[str]:
    pytest.importorskip("cloudpickle")
    TOLD.clear()
    return TOLD


def elsewhere(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """As workers of a cluster: each task is made of bytes, and so are the results."""
    sent = pickle.dumps(function)
    for item in items:
        result = pickle.loads(sent)(pickle.loads(pickle.dumps(item)))
        yield pickle.loads(pickle.dumps(result))


def analyses(entries: Iterable[ScanEntry]) -> list[Any]:
    """The entries with their analyses, which do not count in comparisons of matches."""
    return [
        (entry, [decision.analysis for decision in entry.match.decisions()] if entry.match else []) for entry in entries
    ]


def test_the_same_by_run(folder: Path, told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """File by file, with paths as they were named; all tasks of a process share an engine, unless it fails."""
    monkeypatch.chdir(folder.parent)
    shutil.make_archive("e", "zip", folder)
    paths = [folder.name, "e.zip", "none.mat"]
    alone = analyses(analyze_files(*paths, engine=fake, workers=1))
    told.clear()
    assert analyses(analyze_files(*paths, engine=fake, workers=elsewhere)) == alone
    assert [word for word in told if word != "asked"] == ["start", "close"] * 3  # two records are on fire
    (folder / "b.mat").unlink()
    told.clear()
    assert len([*analyze_files(folder.name, engine=partial(fake, "2-ply"), workers=elsewhere)]) == 3
    assert [word for word in told if word != "asked"] == ["start", "close"]


def test_workers_need_no_files(folder: Path, told: list[str]) -> None:
    """Those of another machine cannot open what the caller can, which reads the files, each when it is taken."""
    alone = analyses(analyze_files(folder, engine=fake, workers=1))

    def run(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        taken = [*items]
        shutil.rmtree(folder)
        return map(function, taken)

    one_by_one = analyze_files(folder, engine=fake, workers=map)
    first = next(one_by_one)
    (folder / "d.mat").write_text("none")
    assert analyses([first, *one_by_one]) == [*alone[:3], (attrs.evolve(alone[2][0], path=str(folder / "d.mat")), [])]
    (folder / "d.mat").write_text(TEXT)
    assert analyses(analyze_files(folder, engine=fake, workers=run)) == alone


def test_a_run_that_is_not_needed_anymore(folder: Path, told: list[str]) -> None:
    """Its generator is closed at once, whoever has it too."""
    generators = list[Any]()

    def run(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        generators.append(elsewhere(function, items))
        return generators[-1]

    analyzed = analyze_files(folder, engine=fake, workers=run)
    next(analyzed)
    analyzed.close()
    assert inspect.getgeneratorstate(generators[0]) == inspect.GEN_CLOSED
    assert told[-1] == "close"


def test_one_task_at_a_time(folder: Path, told: list[str]) -> None:
    """Where a process has several threads, none asks the engine, nor closes it, while it works for another."""
    with ThreadPoolExecutor(4) as threads:
        entries = [*analyze_files(folder, engine=slow, workers=threads.map)]
        assert len(entries) == 4
        assert told.count("begin") == 4
        assert told.count("start") == told.count("close") <= 2  # the one that fails ends
        stopped = analyze_files(folder, engine=slow, workers=threads.map)
        next(stopped)
        processes.wait_until(lambda: told.count("begin") > 6)
        stopped.close()
    assert {after for before, after in pairwise(told) if before == "begin"} == {"end"}


class Slow(Fake):
    """It takes a while for the two rolls of a record."""

    def candidates(self, state: MatchState, limit: int, *, also: Any = ()) -> tuple[Candidate, ...]:
        if 4 in state.score:
            raise EngineError("slow: on fire")
        self.told.append("begin")
        time.sleep(0.1)
        self.told.append("end")
        return super().candidates(state, limit, also=also)


def slow() -> Slow:
    return Slow(TOLD)


def test_a_map_function_that_fails(folder: Path, told: list[str]) -> None:
    """Its errors pass through, results must not be missing, and an engine that is not there is said of each file."""

    def fails(_function: object, _items: object) -> Iterator[Any]:
        yield from ()
        raise ConnectionError("the cluster is gone")

    with pytest.raises(ConnectionError, match="the cluster is gone"):
        next(analyze_files(folder, engine=fake, workers=fails))
    for fewer in (lambda function, items: [*map(function, items)][:-1], lambda _function, _items: ()):
        with wording.tells(ArgumentError, "workers", "fewer results"):
            list(analyze_files(folder, engine=fake, workers=fewer))
    with wording.tells(ArgumentError, "workers", "a result for an item that it has not requested"):
        list(analyze_files(folder, engine=fake, workers=lambda function, items: [*map(function, items), ()]))
    with wording.tells(ArgumentError, "must return an iterable", "None"):
        list(analyze_files(folder, engine=fake, workers=lambda _function, _items: None))  # type: ignore[arg-type, return-value]
    entries = [*analyze_files(folder, engine=Missing(), workers=elsewhere)]
    assert [entry.has_crashed for entry in entries] == [True, True, False, True]
    wording.check(entries[0].error, "engine", "another process", "no such module")
    assert told[-1] == "close"


class Missing:
    """An engine that this machine can start, and another one cannot even load."""

    def __call__(self) -> Fake:
        return fake()

    def __reduce__(self) -> Any:
        return is_missing, ()


def is_missing() -> Missing:
    raise ImportError("no such module")


@loop.over(
    "arguments, words",
    [
        ({"engine": 5}, "engine must be a function"),
        ({"engine": lambda: None, "workers": 2}, "engine: <function"),
        ({"engine": SimpleEngine.bgsage, "workers": 0}, "workers"),
        ({"engine": SimpleEngine.bgsage, "workers": "map"}, "a function like map"),
        ({"engine": (each for each in ()).__next__, "workers": map}, "engine cannot be sent"),
    ],
)
def test_arguments(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        analyze_files("x", **arguments)
    wording.check(caught.value, words)
    with pytest.raises(ArgumentError):
        analyze_files(5, engine=SimpleEngine.bgsage)  # type: ignore[arg-type]
