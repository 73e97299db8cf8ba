"""Match text has a dot in place of a colon, as in names of an arena: `--player` finds both spellings."""

from __future__ import annotations

import sqlite3
import zipfile
from functools import cache
from pathlib import Path

import attrs
import pytest

import loop
import wording
from commands import run
from gammonrules import Player
from gammonrules.cli import linked_pages
from gammonrules.cli.player_aliases import names_joined
from gammonrules.records import Match, dump, dumps, load, loads, report_to_html, to_html
from gammonrules.records.internals import match_in_set
from real_records import loaded

ANALYZED = Path(__file__).parents[1] / "data" / "analysis" / "gnubg" / "match7662222_1ply.sgf"
COLON, DOT = "bots:choose", "bots.choose"
OTHER = "selftaught:2"


@cache
def played_by(white: str, black: str) -> Match:
    """A game with analyses."""
    match = loaded(ANALYZED)
    return attrs.evolve(match, players=(white, black), games=match.games[2:3], stated_rolls=None)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a record of each spelling."""
    monkeypatch.chdir(tmp_path)
    for name in (COLON, DOT):
        (tmp_path / name.replace(":", "_")).mkdir()
        dump(played_by(OTHER, name), tmp_path / name.replace(":", "_") / "game.json")
    return tmp_path


def folder_of(name: str) -> str:
    return name.replace(":", "_")


BOTH_WAYS = [(asked, written) for asked in (COLON, DOT) for written in (COLON, DOT)]


def test_the_dot_is_that_of_match_text() -> None:
    assert loads(dumps(played_by(OTHER, COLON), "mat")).players == ("selftaught.2", DOT)


@loop.over(("asked", "written"), BOTH_WAYS)
def test_view(asked: str, written: str, here: Path) -> None:
    result = run("view", f"{folder_of(written)}/game.json", "-o", "-", "--player", asked)
    match = load(f"{folder_of(written)}/game.json")
    assert result.stdout == to_html(match, bottom=Player.BLACK, player=Player.BLACK)


@loop.over(("asked", "written"), BOTH_WAYS)
def test_report(asked: str, written: str, here: Path) -> None:
    result = run("report", folder_of(written), "-o", "-", "--player", asked)
    assert (result.exit_code, result.stdout) == (0, report_to_html(folder_of(written), player=asked))
    assert f"<title>{asked}:" in result.stdout


def test_report_about_both_spellings(here: Path) -> None:
    """They are one player: the same game of both counts once, and the player is at the bottom of each page."""
    other = attrs.evolve(played_by(DOT, OTHER), games=loaded(ANALYZED).games[:1])
    dump(other, here / "other.json")
    every_game = ("report", f"{folder_of(COLON)}/game.json", "other.json", "-o", "pages", "--pages", "--player", COLON)
    once = run(*every_game)
    twice = run(*every_game, f"{folder_of(DOT)}/game.json")
    assert (twice.exit_code, twice.stdout, once.stderr) == (0, once.stdout, "")
    assert twice.stderr == "3 records: 2 matches, 1 copy; 1 game left out as a copy\n"
    assert DOT not in (here / "pages" / "index.html").read_text(encoding="utf-8")
    page = (here / "pages" / "matches" / "other.html").read_text(encoding="utf-8")
    assert page == match_in_set(load("other.json"), Player.WHITE, linked_pages._LINKS_OF_MATCH)


@loop.rows(("asked", "written"), (COLON, DOT), (DOT, COLON))
def test_cards(asked: str, written: str, here: Path) -> None:
    def cards_of(name: str) -> list[tuple[str, ...]]:
        result = run("cards", folder_of(written), "-o", "deck.apkg", "--player", name, "--error", 0.01, "--force")
        assert result.exit_code == 0, result.stderr
        with zipfile.ZipFile("deck.apkg") as deck:
            Path("deck.db").write_bytes(deck.read("collection.anki2"))
        with sqlite3.connect("deck.db") as db:
            return db.execute("select guid, flds from notes order by guid").fetchall()

    assert cards_of(asked) == cards_of(written) != []


@loop.rows(
    ("pairs", "player", "listed"),
    ("ab", None, {"a": "b"}),
    ("ab bc", None, {"a": "c", "b": "c"}),
    ("bc ab", None, {"a": "c", "b": "c"}),
    ("ba ab", None, {"a": "b"}),  # the last one counts
    ("ab cd", "a", {"b": "a", "c": "d"}),
    ("ab bc aa", "b", {"a": "b", "c": "b"}),
)
def test_names_are_joined(pairs: str, player: str | None, listed: dict[str, str]) -> None:
    assert names_joined([(pair[0], pair[1]) for pair in pairs.split()], player) == listed


def test_an_exact_name_comes_first(here: Path) -> None:
    dump(played_by(COLON, DOT), here / "both.json")
    for player, name in zip(Player, (COLON, DOT), strict=True):
        page = run("view", "both.json", "-o", "-", "--player", name).stdout
        assert page == to_html(load("both.json"), bottom=player, player=player)


@loop.rows(("players", "asked"), (("a:b.c", "a.b:c"), "a:b:c"), (("a:b.c", "a.b:c"), "a.b.c"), ((" ", "Ann"), ""))
def test_a_name_that_is_not_that_of_one_player(players: tuple[str, str], asked: str, here: Path) -> None:
    dump(played_by(*players), here / "both.json")
    for command in ("view", "report", "cards"):
        result = run(command, "both.json", "-o", "-", "--player", asked)
        assert result.exit_code == 2
        wording.check(result.stderr.rstrip("\n"), "there is no player", repr(asked))


@loop.rows("name", "bots choose", "bots;choose", "choose", "")
def test_other_signs_are_other_names(name: str, here: Path) -> None:
    for command in ("view", "report", "cards"):
        result = run(command, f"{folder_of(COLON)}/game.json", "-o", "-", "--player", name)
        assert result.exit_code == 2
        wording.check(result.stderr.rstrip("\n"), "there is no player", repr(name))
