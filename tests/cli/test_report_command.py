"""The command `report`: what it writes, replaces and refuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import attrs
import pytest

import commands
import wording
from commands import refused, run
from gammonrules.records import dump, report_to_html
from real_records import loaded

ROOT = Path(__file__).parents[2]
MATCHES = ROOT / "examples" / "matches"
XG, UNANALYZED = MATCHES / "xg" / "test.xg", MATCHES / "galaxy" / "match9806622.txt"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first game of that match."""
    path = tmp_path_factory.mktemp("analyzed") / "game.json"
    match = loaded(XG)
    dump(attrs.evolve(match, games=match.games[:1]), path)
    return path


def test_the_page_is_that_of_the_function(here: Path, game: Path) -> None:
    result = run("report", game, "-o", "new/page.html", "--player", "Maxence Job")
    assert (result.exit_code, result.stdout) == (0, "new/page.html is written: open it in a browser\n")
    assert (here / "new" / "page.html").read_bytes().decode() == report_to_html(game, player="Maxence Job")
    options = "--rule", "gnubg", "--by", "xg"
    assert run("report", game, "-o", "-", *options).stdout == report_to_html(game, rule="gnubg", engine="xg")
    same = "--same", "Maxence Job", "Max"
    assert run("report", game, "-o", "-", *same).stdout == report_to_html(game, names={"Maxence Job": "Max"})


def test_its_own_page_is_replaced_and_nothing_else(here: Path, game: Path) -> None:
    assert run("report", UNANALYZED, "-o", "a.html").exit_code == 0
    assert run("report", game, "-o", "a.html").exit_code == 0
    page = (here / "a.html").read_bytes()
    assert b"Maxence Job" in page
    (here / "b.html").write_text("<!DOCTYPE html>\n<html>", encoding="utf-8")
    refused = run("report", game, "-o", "b.html")
    assert (refused.exit_code, "--force" in refused.stderr) == (2, True)
    assert run("report", game, "-o", "b.html", "--force").exit_code == 0
    assert (here / "b.html").read_bytes() == page


def test_what_is_read_is_not_replaced(here: Path) -> None:
    """Not by --force either, whether it is named, in a folder or a ZIP archive."""
    shutil.copy(XG, here)
    shutil.make_archive("all", "zip", XG.parent)
    for paths, output in (["test.xg"], "test.xg"), (["."], "test.xg"), (["all.zip"], "all.zip"):
        before = (here / output).read_bytes()
        result = run("report", *paths, "-o", output, "--force")
        assert result.exit_code == 2
        wording.check(result.stderr.strip(), output, "read")
        assert (here / output).read_bytes() == before


def test_what_is_no_record_is_skipped_and_named(here: Path) -> None:
    """The first twenty of them; the report is written."""
    for number in range(25):
        (here / f"{number:02}.txt").write_text("nothing", encoding="utf-8")
    shutil.copy(UNANALYZED, here)
    result = run("report", ".", "-o", "-")
    assert result.exit_code == 0
    assert [line.partition(":")[0] for line in result.stderr.splitlines()] == [
        *(f"{number:02}.txt" for number in range(20)),
        "and 5 more files skipped",
        "but no match is analyzed",
    ]
    assert "gammonrules analyze" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([XG, "-o", "a.html", "--player", "maxence job"], "'Maxence Job'"),
        ([XG, "-o", "a.html", "--level", "2"], "--engine"),
        ([XG, "-o", "a.html", "--engine", "bgsage", "--by", "xg"], "--by"),
        ([XG, "-o", "a.html", "--engine", "nobody"], "nobody"),
        ([XG, "-o", ""], "path"),
        (["nothing.xg", "-o", "a.html"], "no match"),
    ],
)
def test_refusals(here: Path, arguments: list[str], named: str) -> None:
    result = run("report", *arguments)
    assert result.exit_code == 2
    wording.check(result.stderr.splitlines()[-1], named)
    assert [*here.iterdir()] == []


def test_a_limit_of_the_cube(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A far one is left out, which is said once a file; a record of which all is near is named with the reason."""
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    monkeypatch.setattr(*commands.NO_LUCK)
    for limit in 64, 4:
        text = f'; [CubeLimit "{limit}"]\n 0 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3\n'
        Path(f"{limit}.mat").write_text(text, encoding="utf-8")
    command = "report", "-o", "a.html", "--engine", "bgsage", "--jobs", "1"
    result = run(*command, "64.mat", "4.mat")
    assert result.exit_code == 0
    far, near = result.stderr.splitlines()
    assert far == "64.mat: asked without the limit of 64"
    wording.check(near, "4.mat", "no decision", "a limit of 4", "CubeLimit")
    refused(*command, "4.mat", says=near)


def test_an_engine_analyzes_on_the_way(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has not analyzed, and nothing else."""
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    monkeypatch.setattr(*commands.NO_LUCK)
    result = run("report", UNANALYZED, "-o", "-", "--engine", "bgsage", "--jobs", "1")
    assert result.exit_code == 0
    assert "bgsage" in result.stdout
    assert run("analyze", UNANALYZED, "-o", "analyzed", "--jobs", "1").exit_code == 0
    assert run("report", "analyzed", "-o", "-").stdout == result.stdout
    monkeypatch.setattr("gammonrules.records.analyzed_files.analyze", None)
    assert run("report", "analyzed", "-o", "-", "--engine", "bgsage").stdout == result.stdout
