"""What `report` does where matches are not analyzed: what it says, asks, and has an engine do."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

import wording
from commands import at_terminal, files_in, refused, run
from gammonrules import Player
from gammonrules.cli import report
from gammonrules.cli.analysis_runs import AnalysisRun
from gammonrules.records import Decision, Match, dump, dumps, load, loads, report_to_html
from gammonrules.records.internals import AnalysisPlan, report_page
from gammonrules.records.page import Report

MATCHES = Path(__file__).parents[2] / "examples" / "matches"
DATED = {"2024-02-28": "match6047230.txt", "2023-10-31": "match3241209.txt", "2023-08-28": "match1728321.txt"}
UNDATED = "match1033650.txt", "match1247261.txt"


def beginning(name: str) -> str:
    """Two moves of a match of lasse that nobody has analyzed."""
    return (MATCHES / "galaxy" / name).read_text(encoding="utf-8").partition("  3) ")[0]


@pytest.fixture
def mixed(here: Path, game: Path) -> Path:
    """A folder with a position, a match of others that is analyzed, and five of lasse that are not."""
    folder = here / "mixed"
    folder.mkdir()
    shutil.copy(MATCHES / "positions" / "01_checkerPosition_EN.txt", folder / "0.txt")
    shutil.copy(game, folder)
    for name in (*DATED.values(), *UNDATED):
        (folder / name).write_text(beginning(name), encoding="utf-8")
    return folder


@pytest.fixture
def bgsage() -> None:
    pytest.importorskip("bgsage", reason="bgsage is not installed")


def analyzed_before(path: Path, *options: str) -> None:
    """Replace a record by one with analyses; without options, by the engine that a report asks."""
    assert run("analyze", path, "-o", "before", *options, "--workers", "1").exit_code == 0
    path.unlink()
    shutil.move(f"before/{path.name}.json", path.parent)


@pytest.mark.usefixtures("bgsage")
def test_it_says_what_is_not_analyzed(here: Path, mixed: Path) -> None:
    """Of the player's matches, on the page too; a position is none. What others have analyzed is part of the work."""
    nothing = run("report", mixed, "--player", "lasse", "-o", "me.html")
    assert nothing.exit_code == 1
    wording.check(nothing.stderr.strip(), "No match of lasse is analyzed", "5 records", "add --analyze", longest=200)
    analyzed_before(mixed / UNDATED[1], "--level", "1")
    some = run("report", mixed, "--player", "lasse", "-o", "me.html")
    assert some.exit_code == 0
    wording.check(some.stderr.strip(), "4 of lasse's 5 matches have no analysis", "5 records", longest=200)
    page = (here / "me.html").read_text(encoding="utf-8")
    first_screen = page.partition("<h1")[2][:700]
    assert "4 of lasse&#x27;s 5 matches have no analysis" in first_screen
    assert "gammonrules report PATH --player lasse --analyze analyzed" in first_screen
    assert page == report_to_html(mixed, player="lasse")
    analyzed_before(mixed / UNDATED[0])
    assert "3 of lasse's 5" in run("report", mixed, "--player", "lasse", "-o", "me.html").stderr
    of_all = run("report", mixed, "-o", "all.html")
    wording.check(of_all.stderr.strip(), "3 of 6 matches have no analysis", "5 records", longest=200)
    by = run("report", mixed, "-o", "-", "--analyzed-by", "xg")
    assert "5 of 6 matches have no analysis as asked" in by.stdout
    assert "no analysis" not in by.stderr


def test_without_bgsage_it_says_what_is_missing(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgsage", None)
    result = run("report", mixed, "-o", "all.html")
    assert result.exit_code == 0
    wording.check(result.stderr.strip(), "5 of 6 matches have no analysis", "bgsage", "pip install", longest=300)


@pytest.mark.usefixtures("bgsage")
def test_the_estimate_is_of_files_with_decisions(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And counts rolls; the first file, a position, has none."""
    asked: list[tuple[int, ...]] = []

    def seconds(_plan: AnalysisPlan, matches: list[Match]) -> float:
        asked.append(tuple(match.rolls for match in matches))
        return 60.0

    monkeypatch.setattr(AnalysisPlan, "seconds_of_a_roll", seconds)
    result = run("report", mixed, "--player", "lasse", "-o", "me.html", "--workers", "1")
    rolls = sum(load(mixed / name).rolls for name in (*DATED.values(), *UNDATED))
    assert f"takes about {rolls} minutes" in result.stderr
    assert len(asked) == 1
    assert 0 not in asked[0]


def test_a_sample_of_matches_tells_the_time_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of whatever lengths, and with one that has no decision: each decision that is asked takes a second here."""
    asked = 0

    def analyze(match: Match, _engine: object, *, only: Callable[[Decision], bool]) -> Match:
        nonlocal asked
        asked += sum(map(only, match.decisions()))
        return match

    monkeypatch.setattr("gammonrules.records.analysis_plans.analyze", analyze)
    monkeypatch.setattr("gammonrules.records.analysis_plans.perf_counter", lambda: float(asked))
    long_match = load(MATCHES / "galaxy" / "match9806622.txt")
    short = loads(beginning("match1033650.txt"))
    matches = [long_match, short, Match(("Ann", "Bob"), 1, ()), load(MATCHES / "galaxy" / "match1247261.txt")]
    plan = AnalysisPlan(object, None)  # type: ignore[arg-type]
    decisions = sum(len([*match.decisions()]) for match in matches)
    rolls = sum(match.rolls for match in matches)
    assert plan.seconds_of_a_roll(matches) == pytest.approx(decisions / rolls, rel=0.1)
    assert 16 <= asked < 32


@pytest.mark.usefixtures("bgsage")
def test_the_matches_of_the_player_are_analyzed(here: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No others, the newest first, whole; the page is there after the first, and whenever they have doubled."""
    targets: list[str] = []
    pages: list[str] = []
    written_before = AnalysisRun.written_before

    def noted(self: AnalysisRun, target: Path, match: Match) -> object:
        targets.append(target.name)
        page = here / "me.html"
        pages.append(page.read_text(encoding="utf-8") if page.exists() else "")
        return written_before(self, target, match)

    monkeypatch.setattr(AnalysisRun, "written_before", noted)
    command = "report", mixed, "--player", "lasse", "-o", "me.html", "--analyze", "kept", "--workers", "1"
    result = run(*command)
    assert result.exit_code == 0
    assert targets == [f"{name}.json" for name in (*DATED.values(), *UNDATED)]
    assert files_in(here / "kept") == sorted(targets)
    assert not any("as asked" in page for page in pages)
    assert "--analyze analyzed" in pages[1]
    lacks = [page.partition("of lasse&#x27;s 5")[0].rpartition("<bdi>")[2].strip() for page in pages]
    assert lacks == ["", "4", "3", "3", "1"]
    assert [line for line in result.stderr.splitlines() if "has" in line] == [
        "me.html has 1 of 5 matches; if you stop with Ctrl-C, the same command goes on",
        *(f"me.html has {number} of 5 matches" for number in (2, 4)),
    ]
    last = (here / "me.html").read_text(encoding="utf-8")
    assert ("have no analysis" in last, "5 matches; with analyses: 5" in last) == (False, True)
    kept = load(here / "kept" / targets[0])
    assert {decision.player for decision in kept.decisions() if decision.analysis} == {*Player}
    monkeypatch.setattr("gammonrules.records.analyzed_files.analyze", None)  # nothing is analyzed again
    again = run(*command)
    assert again.exit_code == 0
    assert (here / "me.html").read_text(encoding="utf-8") == last
    to_output = run("report", mixed, "--player", "lasse", "-o", "-", "--analyze", "kept", "--workers", "1")
    assert to_output.stdout.count("<!DOCTYPE html>") == 1
    # without a word about it, from elsewhere too, what has been kept counts
    assert run("report", mixed, "--player", "lasse", "-o", "new.html", "--analyzed-by", "exact").exit_code == 2
    (here / "kept").rename(here / "analyzed")
    plain = run("report", mixed, "--player", "lasse", "-o", "new.html")
    assert (plain.exit_code, plain.stderr) == (0, "")
    assert "5 matches; with analyses: 5" in (here / "new.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("bgsage")
def test_analyses_of_files_with_several_matches_count(here: Path) -> None:
    """Of a player of the second alone, too, and where an earlier run has only come to the first."""
    (here / "two").mkdir()
    pair = [dumps(loads(beginning(name)), "sgf") for name in ("match1033650.txt", "match1247261.txt")]
    (here / "two" / "two.sgf").write_text("".join(pair), encoding="utf-8")
    command = "report", "two", "--player", "jason01", "-o", "page.html", "--workers", "1"
    assert run(*command, "--analyze", "analyzed").exit_code == 0
    assert files_in(here / "analyzed") == ["two.sgf-2.json", "two.sgf.json"]
    again = run(*command)
    assert (again.exit_code, "no analysis" in again.stderr) == (0, False), again.stderr
    (here / "analyzed" / "two.sgf-2.json").unlink()
    wording.check(run(*command).stderr.strip(), "No match of jason01", "1 record", "--analyze", longest=200)


@pytest.mark.usefixtures("bgsage")
def test_an_analysis_of_another_match_is_named(here: Path, mixed: Path) -> None:
    """As where two folders have a record of this name, and their pages are in one."""
    (here / "other").mkdir()
    (here / "other" / UNDATED[0]).write_text(beginning(UNDATED[1]), encoding="utf-8")
    assert run("report", "other", "-o", "1.html", "--analyze", "analyzed", "--workers", "1").exit_code == 0
    result = run("report", mixed / UNDATED[0], "-o", "2.html")
    assert result.exit_code == 1
    named, lack = result.stderr.splitlines()
    wording.check(named, f"{UNDATED[0]}.json", "another match", "another DIR", longest=200)
    wording.check(lack, "1 record", "--analyze", longest=200)


@pytest.mark.usefixtures("bgsage")
def test_a_page_that_another_run_writes_is_replaced(here: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*arguments: Any, **options: Any) -> Report:
        with monkeypatch.context() as patch:
            patch.setattr(name, report_page)
            assert run("report", mixed, "-o", "me.html").exit_code == 0
        return report_page(*arguments, **options)

    name = "gammonrules.records.internals.report_page"
    monkeypatch.setattr(name, slow)
    assert run("report", mixed, "--player", "lasse", "-o", "me.html").exit_code == 1
    assert "No match of lasse is analyzed" in (here / "me.html").read_text(encoding="utf-8")


@pytest.fixture
def inside(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(mixed)
    monkeypatch.setitem(sys.modules, "bgsage", None)
    return mixed


def test_many_files_are_asked_about(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "_MAX_FILES", 6)
    refused("report", says=("more than 6 files", "."))
    asked = at_terminal(monkeypatch, "n\n", "report")
    assert (asked.exit_code, "nothing was read" in asked.stderr) == (2, True)
    assert not (inside / "report.html").exists()
    assert at_terminal(monkeypatch, "y\n\n", "report").exit_code == 1
    assert run("report", ".").exit_code == 0


def test_a_position_alone_lacks_nothing(here: Path) -> None:
    match = Match(("Ann", "Bob"), 1, ())
    dump(match, here / "empty.json")
    dump(attrs.evolve(match, length=3), here / "other.json")
    assert "have no analysis" not in run("report", ".", "-o", "a.html").stderr
