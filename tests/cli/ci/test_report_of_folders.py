"""The command `report`, with the pages of folders and an engine on the way."""

from __future__ import annotations

import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import attrs
import pytest
from test_cut_games import CUT, SAID, whole
from test_report_command import ROOT, XG, answering, beginning, links_of, record, unanalyzed

import commands
from commands import refused, run
from gammonrules._shared.disk_files import NewFile
from gammonrules.records import dump
from real_records import contents_read, loaded

__all__ = ["record", "unanalyzed", "whole"]


def dead_links(folder: Path) -> list[str]:
    """Links of the pages in a folder that lead to no file."""
    dead: list[str] = []
    for page in folder.rglob("*.html"):
        dead += [f"{page.name}: {path}" for path in links_of(page) if not (page.parent / path).is_file()]
    return dead


def test_no_link_is_dead_wherever_a_run_is_stopped(here: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each file, in a new folder and in one with the pages of another run."""
    (here / "mine").mkdir()
    shutil.copy(game, here / "mine" / "a.json")
    dump(attrs.evolve(loaded(XG), games=loaded(XG).games[:1]), here / "mine" / "b.json")
    after_files: list[tuple[str, list[str]]] = []

    def put_in_place_and_look(new: NewFile) -> None:
        put_in_place(new)
        after_files.append((new.target.name, dead_links(here / "set")))

    put_in_place = NewFile.put_in_place
    monkeypatch.setattr(NewFile, "put_in_place", put_in_place_and_look)
    for records in ("mine/a.json", "mine"):
        assert run("report", records, "-o", "set", "--pages", "--workers", "1").exit_code == 0
    of_first = ["index.html", "openings.html", "a.html", "index.html"]
    assert after_files == [(name, []) for name in [*of_first, "openings.html", "a.html", "b.html", "index.html"]]


def test_each_record_is_read_once(here: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the report, the pages of matches and the openings too; what is kept for that is gone at the end."""
    read = contents_read(monkeypatch)
    (here / "mine").mkdir()
    for name in ("a.json", "b.json"):
        shutil.copy(game, here / "mine" / name)
    for command in (
        ("report", "mine", "-o", "set", "--pages"),
        ("report", "mine", "-o", "report.html"),
        ("openings", "mine", "-o", "page.html"),
        ("cards", "mine", "-o", "deck.apkg"),
        ("find", "dice = 31", "mine"),
        ("export", "mine", "-o", "table.csv", "--unique"),
    ):
        assert run(*command).exit_code == 0
        assert len(read) == 2, command
        read.clear()
    assert {path.name for path in (here / "set").iterdir()} == {"index.html", "openings.html", "matches"}
    assert [path.name for path in (here / "set" / "matches").iterdir()] == ["a.html"]
    assert run("report", "mine", "-o", "other", "--pages", "--player", "Nobody").exit_code == 2
    assert not (here / "other").exists()


def test_pages_of_one_player(here: Path, game: Path) -> None:
    """Who the report is about sits at the bottom, and the openings are theirs; with two names, those of all."""
    player = "--player", "Maxence Job"
    assert run("report", game, "-o", "set", "--pages", *player).exit_code == 0
    openings = (here / "set" / "openings.html").read_text(encoding="utf-8")
    assert "Openings by Maxence Job" in re.sub("</?bdi>", "", openings)
    match = (here / "set" / "matches" / "game.html").read_text(encoding="utf-8")
    assert 'id="table" class="flipped"' in match
    assert '"asked":"black"' in match
    same = "--player", "Max", "--alias", "Maxence Job", "Max"
    assert run("report", game, "-o", "set", "--pages", *same).exit_code == 0
    assert (here / "set" / "matches" / "game.html").read_text(encoding="utf-8") == match
    assert "Openings by " not in (here / "set" / "openings.html").read_text(encoding="utf-8")
    assert run("report", game, "-o", "set", "--pages").exit_code == 0
    assert '"asked"' not in (here / "set" / "matches" / "game.html").read_text(encoding="utf-8")


def test_pages_replace_only_their_own(here: Path, game: Path) -> None:
    """What is in the way is found before any page is written."""
    command = "report", game, "-o", "set", "--pages"
    for name in ("index.html", "openings.html", "matches/game.html"):
        foreign = here / "set" / name
        foreign.parent.mkdir(parents=True, exist_ok=True)
        foreign.write_text("<!DOCTYPE html>", encoding="utf-8")
        refused(*command, says=(name, "--force"))
        assert list((here / "set").rglob("*.html")) == [foreign]
        foreign.unlink()
    assert run(*command).exit_code == run(*command).exit_code == 0
    (here / "set" / "openings.html").write_text("mine", encoding="utf-8")
    assert run(*command, "--force").exit_code == 0
    (here / "file").touch()
    refused("report", game, "-o", "file", "--pages", says="not a folder")


@pytest.mark.usefixtures("record")
def test_what_is_analyzed_on_the_way_is_read_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the report, which tells how long it takes, and the engine; what is skipped or lacks games is told once."""
    read = contents_read(monkeypatch)
    (here / "notes").mkdir()
    for number in range(25):
        (here / "notes" / f"{number}.md").write_text("nothing", encoding="utf-8")
    shutil.copy(ROOT / "tests" / "data" / "analysis" / "gnubg" / "match7662222_1ply_002.txt", here / "b.txt")
    asked = answering(monkeypatch, "\n")
    pages = run("report", "a.txt", "b.txt", "notes", "-o", "set", "--pages", "--analyze", "kept", "--workers", "1")
    for result in asked, pages:
        assert result.exit_code == 0
        assert (result.stderr.count("skipped: "), result.stderr.count("b.txt")) == (20, 1)
        assert "and 5 more files skipped" in result.stderr
    # of b.txt, which another engine has analyzed, the decisions are read again that tell how long the work takes
    assert [read.count((here / name).read_bytes()) for name in ("a.txt", "b.txt")] == [2, 3]


@pytest.mark.usefixtures("record", "real_bgsage")
def test_an_engine_analyzes_on_the_way(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has not analyzed, and nothing else. What DIR has is never replaced."""
    command = "report", "a.txt", "-o", "-", "--workers", "1"
    result = run(*command, "--analyze", "kept")
    assert (result.exit_code, "level 2+" in result.stdout) == (0, True)
    assert run("analyze", "a.txt", "-o", "analyzed", "--workers", "1").exit_code == 0
    assert Path("analyzed/a.txt.json").read_bytes() == Path("kept/a.txt.json").read_bytes()
    refused(*command, "--level", "1", says=("a.txt.json was analyzed by exact values and bgsage", "analyze --force"))
    (here / "a.txt").write_text(beginning("match2151849.txt"), encoding="utf-8")
    refused(*command, "--analyze", "kept", says="a.txt.json is another match")
    monkeypatch.setattr("gammonrules.records.analyzed_files.analyze", None)
    assert run("report", "analyzed", "-o", "-", "--analyze", "again").stdout.count("<h2") == result.stdout.count("<h2")
    refused("report", "analyzed", "-o", "-", "--analyze", "analyzed", says="must be different")


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")
def test_pages_of_a_folder_name_it_too(whole: Path, tmp_path: Path) -> None:
    """Once: of the report and the openings together."""
    ended = commands.run("report", CUT, whole, "-o", tmp_path / "set", "--pages")
    assert (ended.exit_code, ended.stderr.count(f"{CUT}: {SAID}"), ended.stderr.count("cut off")) == (0, 1, 1)
