"""Copies of matches and games, in every command and in any order of the files."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import permutations
from pathlib import Path

import attrs
import pytest
from test_game_copies import ANN, EIGHT, LONG, OTHER_LONG, folder, match_of, tally_of

import commands
from gammonrules import Event, Player
from gammonrules.records import report_to_html

__all__ = ["folder"]
pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")


def test_every_command_counts_alike(folder: Path) -> None:
    """A record that is cut is a copy of a match, and all games that are left out are counted."""
    counts = "5 records: 3 matches, 2 copies"
    games = f"{counts}; 4 games left out as copies"
    hint = "; --unique-games counts each game once"
    export_to = "export", folder, "-o"
    for expected, *command in (
        (games, "report", folder, "-o", "page.html"),
        (games, "cards", folder, "-o", "deck.apkg"),
        (games, "find", "dice = 31", folder),
        (games, "openings", folder, "-o", "openings.html"),
        (games, *export_to, "games.csv", "--unique-games"),
        (f"{counts}; 1 record left out: another has the same games{hint}", *export_to, "matches.csv", "--unique"),
        (f"{counts}{hint}", *export_to, "all.csv"),
        (counts, "referee", folder),
    ):
        done = commands.run(*command)
        assert expected in (done.stderr + done.stdout).splitlines(), (command, done.output)
    assert f"<p>{games}; with analyses: 3, " in Path("page.html").read_text(encoding="utf-8")


def test_the_parts_of_a_match_are_one_match_in_any_order() -> None:
    """Also of a player: the record with all games has no new game if it comes last, and alone tells who won."""
    unfinished = match_of(ANN, LONG, OTHER_LONG, EIGHT, length=5)
    last = unfinished.games[2]
    end = (Event("resign", Player.BLACK, "backgammon"), Event("accept", Player.WHITE))
    won = attrs.evolve(last, events=(*last.events[:-2], *end))
    whole = attrs.evolve(unfinished, games=(*unfinished.games[:2], won))
    parts = [attrs.evolve(whole, games=games) for games in (whole.games[:1], whole.games[1:2], whole.games[1:3])]
    for order in permutations([whole, *parts]):
        tally = tally_of(order)
        (sums,) = tally.totals.values()
        details = tally.details(tally.evaluators()[0], ["Ann", "Bob"])
        for name, expected in ("Ann", {"matches": 1, "won": 1}), ("Bob", {"matches": 1, "lost": 1}):
            (with_opponent,) = details[name].opponents.values()
            counts = [each.counts for each in (sums[name], details[name].all, with_opponent)]
            assert counts == [expected] * 3, order
        assert "5-0 against" in report_to_html(order, player="Ann"), order
