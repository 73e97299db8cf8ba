"""`analyze_files`: every file with its analyses or its error, in order, with an engine in each process."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest

import loop
import wording
from gammonrules import ROLLS, ArgumentError, MatchState
from gammonrules.engine import EngineError, SimpleEngine
from gammonrules.records import Candidate, CubeAnalysis, analyze, analyze_files, dump, loads, scan

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

    def candidates(self, state: MatchState, most: int, *, also: Any = ()) -> tuple[Candidate, ...]:
        if 4 in state.score:
            raise EngineError("fake: on fire")
        self.told.append("asked")
        plays = enumerate(state.legal_plays)
        return tuple(Candidate(str(play), play.position, -0.1 * index, level=self.level) for index, play in plays)

    def cube(self, _state: MatchState) -> CubeAnalysis:
        return CubeAnalysis(0.1, 0.2, 1.0, level=self.level)

    def rolls(self, _state: MatchState) -> dict[Any, float]:
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
    analyzed = analyze_files(folder, engine=partial(Fake, told), jobs=1)
    first = next(analyzed)
    assert first.match is not None
    assert next(first.match.decisions()).play_analysis is not None
    assert told.count("start") == 1
    _, *others = first, *analyzed
    assert [(Path(entry.path).name, entry.match is None, entry.is_lost) for entry in (first, *others)] == [
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
    [entry] = analyze_files(old, engine=partial(Fake, told), jobs=1)
    assert "asked" not in told
    [again] = analyze_files(old, engine=partial(Fake, told, level="2-ply"), jobs=1)
    assert "asked" in told
    assert entry.match == again.match


def test_closed_before_its_end(folder: Path) -> None:
    told = list[str]()
    analyzed = analyze_files(folder, engine=partial(Fake, told), jobs=1)
    next(analyzed)
    analyzed.close()
    assert told[-1] == "close"


@pytest.mark.long
def test_on_two_processes(folder: Path) -> None:
    """As on one; a record of which the engine knows no decision is named with the reason."""
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    (folder / "e.mat").write_text(LIMIT)
    alone, side_by_side = (
        [*analyze_files(folder, engine=partial(SimpleEngine.bgsage, 1), jobs=jobs)] for jobs in (1, 2)
    )
    assert alone == side_by_side
    assert [[decision.analysis for decision in entry.match.decisions()] for entry in alone if entry.match] == [
        [decision.analysis for decision in entry.match.decisions()] for entry in side_by_side if entry.match
    ]
    wording.check(alone[-1].error, "no decision could be analyzed", "a limit of 4")


@loop.over(
    "arguments, words",
    [
        ({"engine": 5}, "engine must be a function"),
        ({"engine": lambda: None, "jobs": 2}, "engine: <function"),
        ({"engine": SimpleEngine.bgsage, "jobs": 0}, "jobs"),
    ],
)
def test_arguments(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        analyze_files("x", **arguments)
    wording.check(caught.value, words)
    with pytest.raises(ArgumentError):
        analyze_files(5, engine=SimpleEngine.bgsage)  # type: ignore[arg-type]
