"""Openings in records that spell a player in two ways."""

from __future__ import annotations

from pathlib import Path

import attrs
from test_spellings_of_players import ANALYZED, COLON, DOT, OTHER, folder_of, here, played_by

from commands import run
from gammonrules.records import dump
from real_records import loaded

__all__ = ["here"]


def test_openings_of_both_spellings(here: Path) -> None:
    """The page of openings is that of the same records with the name that is asked for."""
    games = loaded(ANALYZED).games[2:]
    for number, name in enumerate((COLON, DOT)):
        match = attrs.evolve(played_by(OTHER, name), games=games[number : number + 1])
        dump(match, here / folder_of(name) / "game.json")
        (here / "equal").mkdir(exist_ok=True)
        dump(attrs.evolve(match, players=(OTHER, COLON)), here / "equal" / f"{number}.json")
    pages: list[str] = []
    for folders in ([folder_of(COLON), folder_of(DOT)], ["equal"]):
        result = run("report", *folders, "-o", "pages", "--pages", "--player", COLON, "--force")
        assert result.exit_code == 0, result.stderr
        pages.append((here / "pages" / "openings.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    assert "No opening meets this" not in pages[0]
