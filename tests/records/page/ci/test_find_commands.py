"""The commands that a report names: each finds what its row counts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from test_report import DATA, GNUBG, XG, commands_on, found_by, table, with_commands

from gammonrules.records.page import aggregates, report
from real_records import loaded

__all__ = ["table"]


class TestFindCommands:
    """What the rows of a report say to list their positions."""

    def test_each_lists_what_its_row_counts(self, table: Path) -> None:
        """They find as many decisions as the page says."""
        page = with_commands(XG, player="Maxence Job")
        titles = commands_on(page, table)
        counts: dict[str, str] = {}
        for name in ("Decision", "Position"):
            counts |= {row[0]: row[3] for row in page.tables[name][1:]}
        assert {*counts} <= {*titles}
        assert "Openings" in counts
        for title, number in counts.items():
            assert found_by(titles[title]) == number
        for dice, play, best, number, _ in page.tables["Opening plays"][1:]:
            assert found_by(titles[f"{dice}: {play}, best {best}"]) == number

    @pytest.mark.parametrize(("rule", "least"), [("xg", "0.02 or more"), ("gnubg", "more than 0.03")])
    def test_mistakes_with_the_cube(self, rule: str, least: str) -> None:
        """The sentence has the numbers that the commands find, as they stand, and says from which cost on."""
        page = with_commands(GNUBG, player="lasse", rule=rule)
        titles = commands_on(page)
        (told,) = re.findall(rf"; errors of {least}: ([^.]+)\.", page.source)
        numbers = re.findall(r"(\d+) ([a-z ]+?)s?(?:, |$)", told)
        assert numbers
        for number, name in numbers:
            assert found_by(titles[f"{name.capitalize()}s"]) == number
        match = loaded(GNUBG)
        small = [each for each in match.decisions() if each.cube_analysis and 0 < each.error < 0.02]
        assert "lasse" in [match.players[decision.player] for decision in small]

    def test_by_score(self, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Those that lost most first; nine points stand for more."""
        monkeypatch.setattr(report, "_FEW_CUBES", 0)
        monkeypatch.setattr(aggregates, "FARTHEST", 5)
        monkeypatch.setattr(report, "FARTHEST", 5)
        page = with_commands(XG, player="Maxence Job")
        titles = {title: line for title, line in commands_on(page, table).items() if "away" in title}
        rows = page.tables["Cube decisions by score"]
        cells = {
            (row[0], column): cell[4:] for row in rows[1:] for column, cell in zip(rows[0][1:], row[1:], strict=True)
        }
        assert any("5+" in title for title in titles)
        assert len(titles) == len([cell for cell in cells.values() if cell])
        for title, line in titles.items():
            mine, theirs = re.findall(r"\d\+?", title)
            assert found_by(line) == cells[f"{mine} away", theirs]

    @pytest.mark.parametrize(
        ("records", "options"),
        [
            ((DATA / "analysis" / "gnubg",), {"player": "lasse"}),  # two levels of one engine
            ((XG,), {"player": "Kim", "aliases": {"Maxence Job": "Kim"}}),
            ((XG.parent, GNUBG.parent), {"player": "lasse", "analyzed_by": "gnubg", "analysis_level": "1-ply"}),
        ],
    )
    def test_none_where_it_would_find_others(self, records: Any, options: dict[str, Any]) -> None:
        assert commands_on(with_commands(*records, **options)) == {}
