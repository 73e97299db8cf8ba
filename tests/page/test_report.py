"""A report: its numbers are those of `error_rates` and of the table, whatever the records contain and however many."""

from __future__ import annotations

import re
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import attrs
import pytest

from gammonrules.records import ErrorRate, Match, Scanned, error_rates, report, scan, to_table
from gammonrules.transcript import judges_in
from real_records import loaded

ROOT = Path(__file__).parents[2]
DATA, EXAMPLES = ROOT / "tests" / "data", ROOT / "examples" / "matches"
XG = EXAMPLES / "xg" / "test.xg"
GNUBG = DATA / "analysis" / "gnubg" / "match7662222_1ply.sgf"
UNANALYZED = EXAMPLES / "galaxy" / "match9806622.txt"
HOSTILE = '<script>alert("1")</script>&\u202e%%title%%'
VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    """What a browser shows: the tables, by their labels, and everything that leads somewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.tables: dict[str, list[list[str]]] = defaultdict(list)
        """The rows of each table; those of all players, one after another."""
        self.source = text
        self._label = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not any(name.startswith("on") or name == "style" for name in given)
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src"}]
        self.ids += filter(None, [given.get("id")])
        if tag not in VOID:
            self.open.append(tag)
        if given.get("role") == "region":
            self._label = given["aria-label"] or ""
        if tag == "tr":
            self.tables[self._label].append([])
        if tag in {"td", "th"}:
            self.tables[self._label][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "table" in self.open:
            self.tables[self._label][-1][-1] += data


def page_of(*records: Any, **options: Any) -> Page:
    return Page(report(*records, **options))


def cells(rate: ErrorRate) -> list[str]:
    """How the tables write it."""
    numbers = "–" if rate.pr is None else f"{rate.pr:.2f}", "–" if rate.rate is None else f"{rate.rate:.1f}"
    return [f"{rate.decisions:,}", *numbers, signed(rate.luck)]


def signed(number: float | None) -> str:
    return "–" if number is None else f"{number:+.2f}".replace("-", "−")


def with_names(match: Match, *names: str, **fields: Any) -> Match:
    return attrs.evolve(match, players=names, **fields)


def judged_files() -> list[Path]:
    """All records that are given with analyses of whole games; the same game in another form is left out."""
    folders = DATA / "analysis", DATA / "matches", EXAMPLES
    return [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]


@pytest.fixture(scope="module")
def entries() -> list[Scanned]:
    return [entry for entry in scan(judged_files(), jobs=1) if entry.match is not None]


class TestNumbers:
    """Each is that of `error_rates`, or of the table of decisions."""

    def test_of_every_record_that_is_given(self, entries: list[Scanned]) -> None:
        """A report of each record by itself, by each engine and level that analyzed it."""
        told = 0
        for entry in entries:
            assert entry.match is not None
            for engine, levels in judges_in(entry.match.decisions()).items():
                for level in levels or [None]:
                    choice: dict[str, Any] = {"engine": engine, "level": level}
                    rates = error_rates([entry.match], **choice)
                    if entry.duplicate_of or not any(rate.decisions for rate in rates.values()):
                        continue
                    page = page_of(entry.match, **choice)
                    by_name = {row[0]: row[4:] for row in page.tables["Players"][1:]}
                    assert by_name == {name: cells(rate) for name, rate in rates.items()}
                    told += sum(rate.decisions for rate in rates.values())
        assert told > 1000

    def test_of_many_matches(self, entries: list[Scanned]) -> None:
        """Those of eXtreme Gammon together: all players, and each by month, opponent, match and kind."""
        matches = [*{one.fingerprint: one.match for one in entries[::-1] if one.match and one.format == "xg"}.values()]
        rates = error_rates(matches)
        page = page_of(entries, engine="xg")
        assert {row[0]: row[4:] for row in page.tables["Players"][1:]} == {
            name: cells(rate) for name, rate in rates.items()
        }
        for name, rate in rates.items():
            played = [match for match in matches if name in match.players]
            own = page_of(played, player=name)
            kinds = {row[0]: row for row in own.tables["By kind of decision"][1:]}
            for words, errors in ("Plays", rate.plays), ("Takes", None), ("Doubles", None):
                if words in kinds and errors is not None:
                    assert kinds[words][1:3] == [str(errors.decisions), f"{errors.pr:.2f}"]
                    assert kinds[words][4] == f"{errors.error:.3f}"
            assert own.tables["By kind of decision"][1][1:4] == cells(rate)[:-1]
            for label, key in ("Opponents", opponent_of), ("Months, the last one first", month_of):
                groups: dict[str, list[Match]] = defaultdict(list)
                for match in played:
                    groups[key(match, name)].append(match)
                expected = {group: cells(error_rates(some)[name]) for group, some in groups.items()}
                assert {row[0]: row[4:] for row in own.tables[label][1:]} == expected
            assert sorted(row[3:7] for row in own.tables["Matches, the last one first"][1:]) == sorted(
                cells(error_rates([match])[name]) for match in played
            )

    @pytest.mark.parametrize("path", [XG, GNUBG], ids=lambda path: path.suffix)
    def test_of_the_table(self, path: Path) -> None:
        """Cube decisions by score, mistakes, openings and replies."""
        decisions = to_table(path).to_pandas()
        decisions = decisions[decisions["counts_xg"] == True]  # noqa: E712  it may be null
        for name, mine in decisions.groupby("player"):
            page = page_of(path, player=name)
            worst = re.findall(r'class="loss">−([\d.]+)<', page.source)
            assert worst == [f"{error:.3f}" for error in sorted(mine["error"], reverse=True)[:25] if error]
            cube = mine[mine["decision"].isin(["double", "answer"])]
            by_score = cube.groupby(["away", "opponent_away"])["error"].agg(["sum", "count"])
            head, *rows = page.tables["Cube decisions by score"]
            shown = {
                (int(row[0].split()[0]), int(theirs.split()[0])): cell
                for row in rows
                for theirs, cell in zip(head[1:], row[1:], strict=True)
            }
            assert {score: cell for score, cell in shown.items() if cell} == {
                score: f"{row['sum']:.2f}{int(row['count'])}" for score, row in by_score.iterrows()
            }
            first = mine[(mine["decision"] == "play") & (mine["turn"] == 1)]
            assert sum(int(row[2]) for row in page.tables["opening"][1:]) == len(first)
            assert sum(float(row[5]) for row in page.tables["opening"][1:]) == pytest.approx(
                first["error"].sum(), abs=0.01
            )
            second = mine[(mine["decision"] == "play") & (mine["turn"] == 2)]
            assert sum(int(row[4]) for row in page.tables["reply"][1:]) == len(second)

    def test_results_and_luck(self) -> None:
        """In matches, as chances of winning them; money play in points, which do not mix."""
        match = loaded(XG)
        white, black = match.error_rates()
        for name, rate, result in (match.players[0], white, "+0.50"), (match.players[1], black, "−0.50"):
            (row,) = page_of(match, player=name).tables["Results and luck"][1:]
            assert row[4:] == [result, signed(rate.luck_adjusted), signed(rate.luck), signed(rate.luck_mwc)]


def opponent_of(match: Match, name: str) -> str:
    return match.players[match.players[0] == name]


def month_of(match: Match, _: str) -> str:
    return f"{match.date:%Y-%m}" if match.date else "no date, or older"
