"""The command `report`: what it writes, replaces and refuses."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from urllib.parse import unquote

import attrs
import pytest
from click.testing import Result

import wording
from commands import at_terminal, refused, run
from gammonrules.records import dump, dumps, report_to_html
from real_records import loaded

ROOT = Path(__file__).parents[2]
MATCHES = ROOT / "examples" / "matches"
XG = MATCHES / "xg" / "test.xg"


def beginning(name: str) -> str:
    """Two moves of a match that nobody has analyzed."""
    return (MATCHES / "galaxy" / name).read_text(encoding="utf-8").partition("  3) ")[0]


@pytest.fixture(scope="module")
def unanalyzed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unanalyzed") / "match.txt"
    path.write_text(beginning("match9806622.txt"), encoding="utf-8")
    return path


def test_a_player_who_is_not_there(here: Path, game: Path) -> None:
    """Nothing is said of analyses, which nobody has looked for."""
    result = run("report", game, "-o", "page.html", "--player", "Maxence")
    sentence = "there is no player 'Maxence' in these records: did you mean 'Maxence Job'?"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {sentence}\n")
    assert not (here / "page.html").exists()


def test_the_page_is_that_of_the_function(here: Path, game: Path) -> None:
    result = run("report", game, "-o", "new/page.html", "--player", "Maxence Job")
    page = report_to_html(game, player="Maxence Job")
    sentence = " ".join(re.findall('<p class="lead">([^<]+)</p>\n<p>([^<]+)</p>', page)[0])
    written = "new/page.html is written: open it in a browser\n"
    assert (result.exit_code, result.stdout) == (0, f"{written}Maxence Job: {sentence}\n")
    assert (here / "new" / "page.html").read_bytes().decode() == page
    options = "--rule", "gnubg", "--analyzed-by", "xg"
    assert run("report", game, "-o", "-", *options).stdout == report_to_html(game, rule="gnubg", analyzed_by="xg")
    same = "--alias", "Maxence Job", "Max"
    assert run("report", game, "-o", "-", *same).stdout == report_to_html(game, aliases={"Maxence Job": "Max"})


def test_the_names_that_player_takes_are_told(here: Path, game: Path) -> None:
    """Of more than two players: eight with the most decisions, but for names that can be shown only changed."""
    match, shown = loaded(XG), ("Bob", "Bo", "B")
    for number in range(5):
        names = f"Ann {number}", ["Bob\x1b[31m", "Bob" * 40, *shown][number]
        dump(attrs.evolve(match, players=names, games=match.games[number : number + 1]), here / f"{number}.json")
    result = run("report", ".", "-o", "page.html")
    _, head, *named, last = result.stdout.splitlines()
    assert (result.exit_code, "--player" in head, last) == (0, True, "and 2 more players")
    numbers = [int(line.split()[0]) for line in named]
    assert (len(named), numbers) == (8, sorted(numbers, reverse=True))
    assert {line.partition("decisions  ")[2] for line in named} == {*shown, *(f"Ann {number}" for number in range(5))}


def links_of(page: Path) -> dict[str, set[str]]:
    """Where a page leads, by the other page, as fragments."""
    links: dict[str, set[str]] = {}
    for address in re.findall('href="([^"#:]+(?:#[^"]*)?)"', page.read_text(encoding="utf-8")):
        path, _, fragment = address.partition("#")
        links.setdefault(unquote(path), set()).add(fragment)
    return links


def test_pages_of_a_folder_link_to_one_another(here: Path, game: Path) -> None:
    """No link is dead, also after the folder has moved; two records of one name and a name that is HTML have pages."""
    for folder in ("a", "b"):
        (here / folder).mkdir()
    shutil.copy(game, here / "a" / "match.json")
    match = loaded(XG)
    dump(attrs.evolve(match, players=("Bob", "<b>Ann</b>"), games=match.games[3:4]), here / "b" / "match.json")
    dump(attrs.evolve(match, games=match.games[:1]), here / "c %23&<.json")
    result = run("report", "a", "b", "c %23&<.json", "-o", "new/set", "--pages", "--workers", "1")
    first, *named = result.stdout.splitlines()
    assert (result.exit_code, first) == (0, "new/set/index.html is written: open it in a browser")
    assert [line.partition("decisions  ")[2] for line in named[1:]] == [
        "Kévin Unger",
        "Maxence Job",
        "<b>Ann</b>",
        "Bob",
    ]
    (here / "new" / "set").rename(here / "moved")
    pages = sorted((here / "moved").rglob("*.html"))
    names = {page.relative_to(here / "moved").as_posix() for page in pages}
    assert names == {"index.html", "openings.html", *(f"matches/{name}" for name in MATCH_PAGES)}
    for page in pages:
        for path, fragments in links_of(page).items():
            target = (page.parent / path).resolve()
            assert target in {other.resolve() for other in pages}, (page, path)
            text = target.read_text(encoding="utf-8")
            boards = [fragment.partition(":")[0] for fragment in fragments]
            assert all(f'href="#{board}:' in text for board in boards if board), (page, path)
    led_to = links_of(here / "moved" / "index.html")
    assert {"openings.html", *(f"matches/{name}" for name in MATCH_PAGES)} == led_to.keys()
    assert any(led_to["matches/match.html"])
    assert links_of(here / "moved" / "matches" / "match.html").keys() == {"../index.html", "../openings.html"}
    assert links_of(here / "moved" / "openings.html").keys() == {"../index.html"[3:]}


MATCH_PAGES = "match.html", "match-2.html", "c %23&_.html"


def test_pages_are_of_the_engine_that_is_asked_for(here: Path, game: Path) -> None:
    """The openings too, of a match of which another one has analyzed more."""
    match = loaded(ROOT / "tests" / "data" / "matches" / "sgf" / "test.sgf")
    copies = game, here / "gnubg.json"
    analyses = (*match.games[2].analyses[:9], None, *match.games[2].analyses[10:])
    dump(attrs.evolve(match, games=(attrs.evolve(match.games[2], number=1, analyses=analyses),)), copies[1])
    assert run("report", *copies, "-o", "set", "--pages", "--analyzed-by", "gnubg", "--workers", "1").exit_code == 0
    openings = (here / "set" / "openings.html").read_text(encoding="utf-8")
    assert ("GNU Backgammon" in openings, "eXtreme Gammon" in openings) == (True, False)


def test_pages_are_of_files_with_one_match(here: Path, game: Path) -> None:
    """As `view` makes none; the report counts them, without a link."""
    match = loaded(XG)
    two = dumps(attrs.evolve(match, games=match.games[:1]), "sgf") * 2
    (here / "two.sgf").write_text(two, encoding="utf-8")
    result = run("report", "two.sgf", "-o", "set", "--pages")
    assert result.exit_code == 0, result.output
    assert links_of(here / "set" / "index.html").keys() == {"openings.html"}
    assert not (here / "set" / "matches").exists()


def test_a_page_of_anything_else_is_not_replaced(here: Path, game: Path) -> None:
    (here / "a.html").write_text("<!DOCTYPE html>\n<html>", encoding="utf-8")
    refused("report", game, "-o", "a.html", says="--force")
    for force in ["--force"], []:  # then it is its own
        assert run("report", game, "-o", "a.html", *force).exit_code == 0


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


def test_what_is_no_record_is_skipped_and_named(here: Path, unanalyzed: Path) -> None:
    """The first twenty of them; the report is written."""
    for number in range(25):
        (here / f"{number:02}.txt").write_text("nothing", encoding="utf-8")
    shutil.copy(unanalyzed, here)
    result = run("report", ".", "-o", "-")
    assert result.exit_code == 1
    assert [line.partition(":")[0].partition(";")[0] for line in result.stderr.splitlines()] == [
        *(f"{number:02}.txt" for number in range(20)),
        "and 5 more files skipped",
        "No match is analyzed, so the page is empty",
    ]
    said = result.stderr.splitlines()[-1]
    wording.check(said, "1 record", "exact values", "bgsage", "level 2+", "minute", "--analyze analyzed", longest=200)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([XG, "-o", "a.html", "--player", "maxence job"], "'Maxence Job'"),
        ([XG, "-o", "a.html", "--analyze", ROOT / "README.md"], "not a folder"),
        ([XG, "--analyze", "-o", "a.html"], "--analyze DIR"),
        ([XG, "-o", "a.html", "--engine", "bgsage", "--analyzed-by", "xg"], "--analyzed-by"),
        ([XG, "-o", "a.html", "--engine", "nobody"], "nobody"),
        (["nothing.xg", "-o", "a.html"], "no match"),
    ],
)
def test_refusals(here: Path, game: Path, arguments: list[str], named: str) -> None:
    result = run("report", *(game if argument == XG else argument for argument in arguments))
    assert result.exit_code == 2
    wording.check(result.stderr.splitlines()[-1], named)
    assert [*here.iterdir()] == []


@pytest.fixture
def record(here: Path, unanalyzed: Path) -> None:
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    shutil.copy(unanalyzed, here / "a.txt")


def answering(monkeypatch: pytest.MonkeyPatch, answer: str) -> Result:
    """The report that was made when somebody at a terminal was asked."""
    return at_terminal(monkeypatch, answer, "report", ".", "-o", "a.html", "--workers", "1")


@pytest.mark.usefixtures("record")
def test_it_asks_at_a_terminal(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is analyzed unless somebody says so; what is kept is used without a question, also beside a new match."""
    asked = answering(monkeypatch, "n\n")
    assert (asked.exit_code, Path("analyzed").exists()) == (1, False)
    wording.check(asked.stderr.splitlines()[0].strip(), "1 record", "level 2+", "minute", "analyzed", longest=200)
    assert answering(monkeypatch, "").exit_code == 1
    assert answering(monkeypatch, "\n").exit_code == 0
    page = Path("a.html").read_text(encoding="utf-8")
    assert ("level 2+" in page, [path.name for path in Path("analyzed").iterdir()]) == (True, ["a.txt.json"])
    for _ in range(2):
        again = run("report", ".", "-o", "a.html")
        assert (again.exit_code, "--analyze" in again.stderr) == (0, False)
    assert Path("a.html").read_text(encoding="utf-8").count("sgardino") == page.count("sgardino")
    (here / "b.txt").write_text(beginning("match2151849.txt"), encoding="utf-8")
    assert "1 record by exact values" in run("report", ".", "-o", "a.html").stderr


def test_no_engine(here: Path, unanalyzed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence says how to install one."""
    monkeypatch.setitem(sys.modules, "bgsage", None)
    result = run("report", unanalyzed, "-o", "a.html")
    assert (result.exit_code, result.stdout, Path("a.html").exists()) == (1, "", True)
    wording.check(result.stderr.strip(), "No match is analyzed", "engine", "pip install", longest=240)
    refused("report", unanalyzed, "-o", "b.html", "--analyze", "kept", says="pip install")
