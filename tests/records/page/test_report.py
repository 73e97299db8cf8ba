"""A report: its numbers are those of `error_rates` and of the table, whatever the records contain and however many."""

from __future__ import annotations

import html
import re
import shlex
import shutil
from collections import defaultdict
from pathlib import Path
from statistics import stdev
from typing import Any
from zipfile import ZipFile

import attrs
import pytest
from test_records_html import Page

import commands
import each
import wording
from gammonrules.analysis.internals import DEVIATIONS
from gammonrules.errors import ArgumentError
from gammonrules.match import Player
from gammonrules.records import (
    Candidate,
    ErrorRate,
    ErrorSummary,
    Match,
    PlayAnalysis,
    RecordedResult,
    ScanEntry,
    dump,
    error_rates,
    export,
    loads,
    report_to_html,
    scan,
    to_html,
    to_table,
)
from gammonrules.records.internals import report_page as page_of_tally, tallied
from gammonrules.records.page import aggregates, report
from gammonrules.records.page.aggregates import AwayScore
from gammonrules.records.transcript import levels_by_engine, statistics
from real_records import decoded, loaded

ROOT = Path(__file__).parents[3]
DATA, EXAMPLES = ROOT / "tests" / "data", ROOT / "examples" / "matches"
XG = EXAMPLES / "xg" / "test.xg"
GNUBG = DATA / "analysis" / "gnubg" / "match7662222_1ply.sgf"
MONEY = DATA / "analysis" / "gnubg" / "money-beaver_0ply.sgf"
UNANALYZED = EXAMPLES / "galaxy" / "match9806622.txt"
HOSTILE = '<script>alert("1")</script>&\u202e%%title%%'


class Report(Page):
    """What a browser shows: the tables, by their labels, and everything that leads somewhere."""

    def __init__(self, text: str) -> None:
        self.tables: dict[str, list[list[str]]] = defaultdict(list)
        """The rows of each table; those of all players, one after another."""
        self.source = text
        self._label = ""
        super().__init__(text)
        attributes = [(name, value or "") for _, several in self.tags for name, value in several.items()]
        assert not any(name.startswith("on") or name == "style" for name, _ in attributes)
        self.addresses = [value for name, value in attributes if name in {"href", "src"}]
        self.ids = [value for name, value in attributes if name == "id"]
        self.names = {tag for tag, _ in self.tags}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        attributes = dict(attrs)
        if attributes.get("role") == "region":
            self._label = attributes["aria-label"] or ""
        if tag == "tr":
            self.tables[self._label].append([])
        if tag in {"td", "th"}:
            self.tables[self._label][-1].append("")

    def handle_data(self, data: str) -> None:
        super().handle_data(data)
        if "table" in self.open:
            self.tables[self._label][-1][-1] += data


def page_of(*records: Any, **options: Any) -> Report:
    return Report(report_to_html(*records, **options))


def cells(rate: ErrorRate) -> list[str]:
    """How the tables write it."""
    pr = "–" if rate.pr is None else "too few" if rate.decisions < 20 else f"{rate.pr:.2f}"
    return [f"{rate.decisions:,}", pr, signed(rate.luck_net)]


def signed(number: float | None) -> str:
    return "–" if number is None else f"{number:+.2f}".replace("-", "−")


EVERYTHING = (DATA / "analysis", DATA / "matches", EXAMPLES)


@pytest.fixture(scope="module", params=[(XG.parent, GNUBG), pytest.param(EVERYTHING, marks=pytest.mark.long)], ids=len)
def entries(request: pytest.FixtureRequest) -> list[ScanEntry]:
    entries = scan(request.param, workers=1)
    return [attrs.evolve(entry, match=decoded(entry.match)) for entry in entries if entry.match is not None]


class TestNumbers:
    """Each is that of `error_rates`, or of the table of decisions."""

    def test_of_every_record_that_is_given(self, entries: list[ScanEntry]) -> None:
        """A report of each record by itself, by each engine and level that analyzed it."""
        told = 0
        for entry in entries:
            assert entry.match is not None
            for engine, levels in levels_by_engine(entry.match.decisions()).items():
                for level in levels or [None]:
                    choice: dict[str, Any] = {"analyzed_by": engine, "analysis_level": level}
                    rates = error_rates([entry.match], **choice)
                    if entry.duplicate_of or not any(rate.decisions for rate in rates.values()):
                        continue
                    page = page_of(entry.match, **choice)
                    by_name = of_players(page)
                    assert by_name == {name: cells(rate) for name, rate in rates.items()}
                    told += sum(rate.decisions for rate in rates.values())
        assert told > 500

    def test_of_many_matches(self, entries: list[ScanEntry]) -> None:
        """Those of eXtreme Gammon together: all players, and each by month, opponent, match and kind."""
        by_fingerprint = {
            entry.fingerprint: entry.match
            for entry in entries[::-1]
            if entry.match and {*levels_by_engine(entry.match.decisions())} == {"eXtreme Gammon"}
        }
        matches = [*by_fingerprint.values()]
        rates = error_rates(matches)
        page = page_of(entries, analyzed_by="xg")
        assert of_players(page) == {name: cells(rate) for name, rate in rates.items()}
        for name, rate in rates.items():
            played = [match for match in matches if name in match.players]
            own = page_of(played, player=name)
            decided, kinds = ({row[0]: row[2:] for row in own.tables[name][1:]} for name in ("Decision", "Position"))
            pr = f"{rate.plays.pr:.2f}" if rate.plays.decisions >= 20 else "too few"
            assert decided["Checker plays"][:3] == [f"{rate.plays.error:.3f}", str(rate.plays.decisions), pr]
            assert decided["All"][1] == cells(rate)[0]
            assert sum(int(row[1]) for row in kinds.values()) == rate.decisions
            assert {row[2] == "too few" for row in kinds.values() if int(row[1]) < 20} <= {True}
            groups: dict[str, list[Match]] = defaultdict(list)
            for match in played:
                groups[opponent_of(match, name)].append(match)
            expected = {group: cells(error_rates(some)[name]) for group, some in groups.items()}
            assert {row[0]: row[4:] for row in own.tables["Opponent"][1:]} == (expected if len(expected) > 1 else {})
            each = sorted(cells(error_rates([match])[name]) for match in played)
            listed = sorted(row[3:6] for row in own.tables["Matches, the last one first"][1:])
            assert listed == (each if len(each) > 1 else [])

    @each.first("path", [GNUBG, XG], ids=lambda path: path.suffix)
    def test_of_the_table(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Cube decisions by score, mistakes, and openings that cost."""
        monkeypatch.setattr(report, "_FEW_CUBES", 0)
        decisions = to_table(path).to_pandas()
        decisions = decisions[decisions["counts_xg"] == True]  # noqa: E712  it may be null
        for name, mine in decisions.groupby("player"):
            page = page_of(path, player=name)
            asked, solved = page.source.split("solved</span></h2>")
            before, drawn = (re.findall(r'class="loss">([\d.]+)<', some) for some in (asked, solved))
            worst = [f"{error:.3f}" for error in sorted(mine["error"], reverse=True)[:25] if error >= 0.02]
            assert drawn[:3] == worst[:3]
            assert sorted(before + drawn, reverse=True) == worst
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
            first = mine[(mine["decision"] == "play") & (mine["turn"] == 1) & (mine["error"] >= 0.0005)]
            rows = page.tables["Opening plays"][1:]
            assert sum(int(row[3]) for row in rows) == len(first)
            plays = zip(first["dice"], first["action"], first["best"], strict=True)
            assert {tuple(row[:3]) for row in rows} == {*plays}
            assert sum(float(row[4]) for row in rows) == pytest.approx(first["error"].sum(), abs=0.01)

    def test_money_play_is_won_by_who_has_more_points(self) -> None:
        """Also a coin game, which is written as a match to 16."""
        (game,) = loaded(MONEY).games
        match = attrs.evolve(loaded(MONEY), games=(attrs.evolve(game, stated=RecordedResult(Player.BLACK, 2)),))
        coin = attrs.evolve(match, length=16, tags=(("Site", "BackgammonGalaxy"),))
        for played in match, coin:
            for name, rate, counts in zip(
                *(played.players, played.error_rates(), (["1", "0", "1"], ["1", "1", "0"])), strict=True
            ):
                more = analyzed(name, "Zoe", engine=rate.engine, level=rate.levels_text)
                by_opponent = {row[0]: row for row in page_of(played, more, player=name).tables["Opponent"]}
                (other,) = by_opponent.keys() - {"Opponent", "Zoe"}
                assert by_opponent[other][1:4] == counts


def opponent_of(match: Match, name: str) -> str:
    return match.players[match.players[0] == name]


def analyzed(
    name: str = "Ann",
    opponent: str = "Bob",
    number: int = 0,
    error: float = 0.1,
    length: int = 999,
    luck: float | None = None,
    engine: str = "engine",
    level: str = "2-ply",
    best: str = "8/5 6/5",
    **fields: Any,
) -> Match:
    """A match of one opening play, which cost this much, at a score of its own."""
    match = loads(f"{length} point match\n Game 1\n Ann : {number}  Bob : 0\n  1) 31: 24/23 6/3")
    (game,), legal = match.games, next(match.decisions()).state.legal_plays
    worth = (legal.find(best), 0.1), (legal.find("24/23 6/3"), 0.1 - error)
    candidates = tuple(Candidate(str(play), play.position, equity, level=level) for play, equity in worth)
    games = (attrs.evolve(game, analyses=(None, PlayAnalysis(candidates, 1, luck, engine=engine))),)
    return attrs.evolve(match, players=(name, opponent), games=games, **fields)


def of_players(page: Report) -> dict[str, list[str]]:
    """What the table says of each: decisions, PR and net luck."""
    told: dict[str, list[str]] = {}
    for name, pr, _, luck, *_, decisions, _ in page.tables["Players"][1:]:
        told[name] = [decisions, pr.split(" ±")[0], luck]
    return told


class TestArchives:
    def test_once(self) -> None:
        """The same match in two files, a text of one of its games, and one without analyses count once."""
        texts = sorted(GNUBG.parent.glob("match7662222_1ply*.txt"))
        page = page_of(GNUBG, texts, DATA / "matches" / "galaxy" / "match7662222.txt")
        rows = sorted(page.tables["Players"][1:])
        assert [(row[0], *row[4:7]) for row in rows] == [("lasse", "1", "0", "1"), ("the_boys", "0", "1", "1")]
        assert [*of_players(page).values()] == [cells(rate) for rate in loaded(GNUBG).error_rates()]

    def test_what_is_no_record_is_left_out(self, tmp_path: Path) -> None:
        """In folders, in ZIP archives, and if it is named."""
        with ZipFile(tmp_path / "all.zip", "w") as archive:
            archive.write(XG, "match.xg")
            archive.writestr("notes.txt", "nothing")
            archive.writestr("x" * 3000, UNANALYZED.read_bytes())
        (tmp_path / "page.html").write_text("<html>", encoding="utf-8")
        page = page_of(tmp_path, EXAMPLES / "README.md", file=tmp_path / "all.html")
        assert len(page.tables["Players"]) == 3
        assert "files that are no records: 3" in page.source

    def test_two_engines_and_two_levels_do_not_mix(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The one with the most decisions is told, and the others are named; each can be chosen."""
        monkeypatch.setattr(statistics, "MIN_DECISIONS", 1)
        matches = [analyzed(number=number, error=0.1) for number in range(3)]
        matches += [analyzed(number=number, error=0.3, engine="other") for number in range(2)]
        matches += [analyzed(number=9, error=0.4, level="3-ply")]
        page = page_of(matches)
        assert of_players(page)["Ann"][:2] == ["3", "50.00"]
        assert "<bdi>other</bdi>, <bdi>2-ply</bdi>: 2 decisions" in page.source
        assert "<bdi>engine</bdi>, <bdi>3-ply</bdi>: 1 decisions" in page.source
        assert of_players(page_of(matches, analyzed_by="other"))["Ann"][:2] == ["2", "150.00"]
        assert of_players(page_of(matches, analysis_level="3-ply"))["Ann"][:2] == ["1", "200.00"]
        for choice in {"analyzed_by": "nobody"}, {"analysis_level": "9-ply"}:
            with pytest.raises(ArgumentError) as caught:
                report_to_html(matches, **choice)  # type: ignore[arg-type]
            wording.check(caught.value, *choice.values())

    def test_the_engine_that_analyzed_more_is_told(self) -> None:
        """Not the one of whose analyses one decision more counts (95 against 94); of equals, the first one read."""
        whole = loaded(DATA / "matches" / "sgf" / "test.sgf"), loaded(XG)
        gnubg, xg = (decoded(attrs.evolve(match, games=match.games[4:5])) for match in whole)
        of_gnubg, of_xg = page_of(gnubg).tables, page_of(xg).tables
        for copies in (gnubg, xg), (xg, gnubg):
            assert page_of(copies).tables == of_xg
        assert page_of(gnubg, xg, analyzed_by="gnubg").tables == of_gnubg
        matches = [analyzed(engine="one", error=0.1), analyzed(engine="two", error=0.3)]
        for first in matches, matches[::-1]:
            assert page_of(first).tables["Players"] == page_of(first[0]).tables["Players"]

    def test_without_analyses(self) -> None:
        """It is told how to get them."""
        page = page_of(UNANALYZED, player="lasse")
        assert "--analyze" in page.source
        assert page.tables == {}
        assert "--analyze" not in page_of(analyzed()).source

    def test_what_is_missing_comes_after_the_headline(self) -> None:
        """It is told once, small, before the first boards."""
        of_all = [analyzed(name, opponent, number) for number, (name, opponent) in enumerate(["AB", "CD"])]
        for player, matches in ("", of_all), ("A", of_all[:1]):
            unanalyzed = attrs.evolve(loaded(UNANALYZED), players=("A", "Zoe"))
            source = page_of([*matches, unanalyzed], player=player or None).source
            headline, missing, first_board = map(source.index, ('class="lead"', "has no analysis", 'class="boards"'))
            assert headline < missing < first_board
            assert source.count("has no analysis") == 1

    def test_links_to_pages_of_matches(self, tmp_path: Path) -> None:
        """Beside the record, or beside the report; names are quoted, and the report is no such page."""
        (tmp_path / "records").mkdir()
        record, file, match = tmp_path / "records" / 'a"b #1.json', tmp_path / "report.html", analyzed()
        dump(match, record, "json")
        page, own, other = to_html(match), record.with_suffix(".html"), tmp_path / f"{record.name}.html"
        assert {*page_of(record, file=file, player="Ann").addresses} == {"data:,"}
        for beside, address in {own: "records/a%22b%20%231.html", other: "a%22b%20%231.json.html"}.items():
            beside.write_text(page, encoding="utf-8")
            links = {link for link in page_of(record, file=file, player="Ann").addresses if link != "data:,"}
            (anchor,) = {link.partition("#")[2] for link in links if "#" in link}
            assert links == {address, f"{address}#{anchor}"}
            assert f'href="#{anchor}"' in page
            assert {*page_of(record, file=beside, player="Ann").addresses} == {"data:,"}
            beside.unlink()


class TestPlayers:
    def test_twenty_decisions_have_a_pr(self) -> None:
        """Of fewer, the number of decisions is told wherever a PR would be, also in the sentence of the command."""
        matches = [analyzed(number=number) for number in range(20)]
        few, enough = page_of(matches[:19], player="Ann"), page_of(matches, player="Ann")
        assert of_players(page_of(matches[:19]))["Ann"][:2] == ["19", "too few"]
        assert of_players(page_of(matches))["Ann"][:2] == ["20", "50.00"]
        assert "<dt>PR</dt><dd>–</dd><dd>19 decisions: too few, it takes 20</dd>" in few.source
        assert "<dt>PR: lower is better</dt><dd>50.0 " in enough.source
        assert few.source.count("50.0") == 0
        assert "Checkers: 19 decisions, too few for a PR. Cube: " in few.source
        assert "Checkers: PR 50.0. Cube: " in enough.source

    def test_one_decision(self) -> None:
        page = page_of(analyzed(), player="Ann")
        numbers = ["", "0.100", "1", "too few", "1", "1"]
        assert page.tables["Decision"][1:] == [["All", *numbers], ["Checker plays", *numbers]]
        assert page.tables["Position"][1:] == [["Openings", *numbers]]
        few = "Checkers: 1 decision, too few for a PR. Cube: 0 decisions, too few for a PR."
        assert f"Mistakes cost 0.10 points. {few} One match is only a hint." in page.source
        assert "Too few decisions to say what to practice.<" in page.source
        assert page.tables["Opening plays"][1:] == [["31", "24/23 6/3", "8/5 6/5", "1", "0.100"]]

    def test_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """All are in the table, and the five with the most decisions have sections."""
        monkeypatch.setattr(report, "_MAX_SECTIONS", 5)
        matches = [analyzed(f"player {number}", f"opponent {number}", number) for number in range(6)]
        page = page_of(matches, (analyzed("Zoe", number=900 + number) for number in range(2)))
        assert len(page.tables["Players"]) == 1 + 6 + 6 + 2
        assert page.source.count("<h2 id=") == 5
        assert of_players(page)["Zoe"][0] == "2"

    def test_others_are_proposed(self) -> None:
        for wanted, meant in (
            *(("maxence job", "Maxence Job"), ("Kevin Unger", "Kévin Unger"), ("charlot", "charlot1")),
            *(("kevin", "Kévin Unger"), ("job", "Maxence Job")),
        ):
            with wording.tells(ArgumentError, wanted, meant):
                report_to_html(EXAMPLES / "xg", player=wanted, workers=1)
        nobody: list[Any] = [HOSTILE * 100, ["Ann"]]
        for name in nobody:
            with wording.tells(ArgumentError, "player", str(name[0])[:3]):
                report_to_html(analyzed(), player=name)

    def test_names_of_one_player(self) -> None:
        matches = [analyzed("Ann", number=1), analyzed("ann_", number=2)]
        assert of_players(page_of(matches, aliases={"ann_": "Ann"}))["Ann"][0] == "2"
        with pytest.raises(ArgumentError):
            report_to_html(matches, aliases=["Ann"])  # type: ignore[arg-type]

    def test_hostile_texts_are_text(self) -> None:
        """In names, levels and engines, in charts, links and boards too."""
        matches = [analyzed(HOSTILE, f"{HOSTILE}2", number, engine=HOSTILE, level=HOSTILE) for number in range(21)]
        for page in page_of(matches), page_of(matches, player=HOSTILE):
            assert page.source.count("<script") == 1
            assert "\u202e" not in page.source
            assert "%%title%%" in page.source
            assert "polyline" in page.names
            assert {address for address in page.addresses if not re.fullmatch(r"#player-\d+", address)} == {"data:,"}
            assert len(page.ids) == len({*page.ids})

    def test_what_is_kept_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """What falls out of the groups of a player is summed up, so that nothing is lost in all."""
        for name in "MAX_OPPONENTS", "MAX_LATEST":
            monkeypatch.setattr(aggregates, name, 10)
        days = [(("EventDate", f"{2000 + number}.01.02"),) for number in range(40)]
        page = page_of([analyzed("Ann", f"Bob {at}", at, tags=day) for at, day in enumerate(days)], player="Ann")
        *rows, others = page.tables["Opponent"][1:]
        assert len(rows) < 25
        assert others[0] == "others"
        assert sum(int(row[1]) for row in (*rows, others)) == 40
        latest = page.tables["Matches, the last one first"][1:]
        assert [row[0] for row in latest] == [f"Bob {number}" for number in range(39, 29, -1)]

    def test_needs_nothing_else(self) -> None:
        """No script but its own, no address of another place; whoever does not see a board is told what is on it."""
        page = page_of(XG, player="Kévin Unger")
        assert {"img", "iframe", "form", "input"}.isdisjoint(page.names)
        assert {*page.addresses} == {"data:,", "#practice-0"}
        assert "default-src 'none'; script-src 'sha256-" in page.source
        assert page.source.count("<script") == 1
        assert page.source.count("<desc>") == page.source.count('<article class="lesson">') == 25
        assert "Arrows: " not in page.source


def test_the_interval_of_a_rate_is_that_of_a_sample() -> None:
    """95% of the PRs of players who lose as this one does lie so near to it; one decision tells nothing of that."""
    errors = [0.0, 0.1, 0.0, 0.05]
    details = aggregates.Details()
    for number, error in enumerate(errors, start=1):
        details.all.rate = ErrorRate(decisions=number, error=sum(errors[:number]))
        details.parts.squares += error**2
        if number == 1:
            assert details.uncertainty is None
    expected = 500 * DEVIATIONS * stdev(errors) / len(errors) ** 0.5
    assert details.uncertainty == pytest.approx(expected)


class TestReader:
    """A page about all begins with the player whose matches they are."""

    def test_comes_first_and_the_others_below(self) -> None:
        page = page_of([analyzed("Ann", f"Bob {number}", number, error=0.5 if number else 0.01) for number in range(3)])
        source = page.source
        assert '<bdi>Ann</bdi> <small>named most, in 3 matches; <a href="#players">3 other players</a>' in source
        assert source.index("<h1 id=") < source.index("Mistakes cost 1.0 points") < source.index('id="players"')
        assert page.ids.count("players") == 1
        assert {address[1:] for address in page.addresses if address.startswith("#")} <= {*page.ids}
        assert source.index('id="players"') < source.index('aria-label="Players"')
        assert "<title>Ann: PR" in source

    @pytest.mark.parametrize(
        ("pairs", "is_known"),
        [
            (["Ann Bob", "Ann Eve"], True),
            (["Ann Bob", "Bob Ann", "Eve Ann"], True),
            (["Ann Bob", "Ann Eve", "Kim Joe", "Ian Lou"], True),
            (["Ann Bob"], False),  # both are told at once
            (["Ann Bob", "Eve Kim"], False),  # nobody twice
            (["Ann Bob", "Ann Bob", "Eve Kim"], False),  # two as often
            (["Ann Bob", "Ann Eve", "Kim Joe", "Ian Lou", "Gus Hal"], False),  # in fewer than half
        ],
    )
    def test_is_in_half_of_the_matches_and_in_more_than_anybody_else(self, pairs: list[str], *, is_known: bool) -> None:
        matches = [analyzed(*pair.split(), number) for number, pair in enumerate(pairs)]
        assert ("named most" in page_of(matches).source) == is_known

    def test_has_a_section(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whoever decided too little for one is not the reader."""
        few = [analyzed("Ann", f"Bob {number}", number) for number in range(2)]
        monkeypatch.setattr(report, "_MAX_SECTIONS", 0)
        assert "named most" not in page_of(few).source

    def test_is_not_asked_for_where_a_player_is_named(self) -> None:
        assert "named most" not in page_of([analyzed(number=number) for number in range(3)], player="Ann").source


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "xg.parquet"
    export(XG, path, workers=1)
    return path


class TestFindCommands:
    """What the rows of a report say to list their positions."""

    def test_an_opening_play_that_two_plays_would_have_beaten(self) -> None:
        """Each has a row, whose command finds what it counts."""
        matches = [analyzed(number=1), analyzed(number=2, best="13/10 6/5")]
        page = with_commands(*matches, place="records", player="Ann")
        lines = [line for title, line in commands_on(page).items() if title.startswith("31: ")]
        assert len(lines) == len(page.tables["Opening plays"]) - 1 == 2
        assert [re.findall('"best = ([^"]+)"', line) for line in lines] == [["8/5 6/5"], ["13/10 6/5"]]

    def test_cells_that_lost_the_same_are_equally_dark(self) -> None:
        """In the two decimals of the map: 0.146 and 0.154 are both 0.15 there."""
        costs = {AwayScore(1, 2): 0.146, AwayScore(2, 1): 0.154, AwayScore(2, 2): 0.6, AwayScore(1, 1): 0.004}
        drawn = report._map({score: ErrorSummary(20, cost) for score, cost in costs.items()}, None)
        cells = re.findall(r'class="heat(\d)">([\d.]+)<', drawn)
        assert cells == [("0", "0.00"), ("1", "0.15"), ("1", "0.15"), ("4", "0.60")]

    def test_by_the_engine_of_the_page(self, tmp_path: Path, by_gnubg_and_xg: tuple[Path, Path]) -> None:
        """Where others have analyzed other matches."""
        shutil.copy(by_gnubg_and_xg[1], tmp_path)
        dump(attrs.evolve(loaded(GNUBG), games=loaded(GNUBG).games[:1]), tmp_path / "gnubg.json")
        page = with_commands(tmp_path)
        (line,) = [
            line
            for line in re.findall("<code>(.*?)</code>", page.source)
            if "Job" in line and line.count("&quot;") == 6
        ]
        assert "engine = eXtreme Gammon" in line
        assert found_by(html.unescape(line)) == of_players(page)["Maxence Job"][0]

    def test_a_match_that_two_have_analyzed(self) -> None:
        match = analyzed(number=1, error=0.1)
        other = analyzed(number=1, error=0.2, engine="other")
        assert commands_on(with_commands(match, place="records", player="Ann"))
        assert commands_on(with_commands(match, match, place="records", player="Ann"))
        assert not commands_on(with_commands(match, other, place="records", player="Ann"))

    @pytest.mark.parametrize("name", ["O'Neil", "a $(b) `c` \\", 'say "hi"', "-x", "Kévin; ls", "<b>&amp;"])
    def test_names_of_strangers_stay_one_word(self, name: str) -> None:
        match = attrs.evolve(analyzed(number=1, error=0.1), players=(name, "Bob"))
        lines = commands_on(with_commands(match, place="my records", player=name))
        assert shlex.split(lines["All"])[2:] == [f"player = {name}", "counts_xg = true", "my records"]

    @pytest.mark.parametrize("name", ["a\nb", "a\u202eb", " Ann"])
    def test_none_for_a_name_that_nobody_could_copy(self, name: str) -> None:
        match = attrs.evolve(analyzed(number=1, error=0.1), players=(name, "Bob"))
        assert commands_on(with_commands(match, place="records", player=name)) == {}


def with_commands(*records: Any, place: str = "", **options: Any) -> Report:
    """A report whose rows have commands, for `place` or the only record."""
    arguments: dict[str, Any] = {
        "player": None,
        "rule": "xg",
        "analyzed_by": None,
        "analysis_level": None,
        "aliases": None,
        "workers": 1,
    }
    tally = tallied(records, **arguments | options)
    return Report(page_of_tally(tally, find_in=place or str(records[0])).html)


def commands_on(page: Report, table: Path | None = None) -> dict[str, str]:
    """The commands of a page, by the titles of the rows; for a table of its record, which is read sooner."""
    lines = re.findall(r"<p>([^\n]*?)<code>(gammonrules find .*?)</code>", page.source)
    by_title = {html.unescape(title): html.unescape(line) for title, line in lines}
    return {title: line.replace(str(XG), str(table or XG)) for title, line in by_title.items()}


def found_by(line: str) -> str:
    """How many decisions the command finds."""
    result = commands.run(*shlex.split(line)[1:])
    return re.findall(r"(?m)^([\d,]+) decisions?(?:, [\d.]+ points lost)?(?:, the first 20 listed)?$", result.stdout)[0]
