"""`match.error_rates`: what players lost by mistakes and won by luck, counted as two programs count it."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from functools import cache, partial
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import attrs
import pytest

import each
import loop
import wording
from fact_tables import table
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, Player
from gammonrules.records import (
    Candidate,
    CubeAnalysis,
    ErrorRate,
    Game,
    Match,
    PlayAnalysis,
    error_rates,
    export,
    loads,
    similar_names,
)
from gammonrules.records.transcript.luck import in_mwc
from real_records import loaded

DATA = Path(__file__).parents[2] / "data"
XG = [DATA / "analysis" / "xg" / "aachen2024-double-7pt-a.xg", *sorted((DATA / "matches" / "xg").glob("*.xg"))]
SGF = [
    *(DATA / "analysis" / "gnubg" / f"{name}.sgf" for name in ("match7662222_1ply", "rollout_3pt-game1")),
    DATA / "matches" / "sgf" / "test.sgf",
]
TEXT = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n  2) 41: 13/9 6/5"
GNU = "GNU Backgammon 1.07.001"


@cache
def rates_of(path: Path, rule: str = "xg") -> tuple[ErrorRate, ErrorRate]:
    return loaded(path).error_rates(rule)


def as_it_counts(game: Game) -> Game:
    """A game without the luck of a roll before a resignation: GNU Backgammon states it, but does not count it if it
    keeps that roll as dice set by hand (`DI`), as in these files."""
    is_given_up = [getattr(event, "action", None) is Action.RESIGN for event in game.events]
    pairs = zip_longest(is_given_up, game.analyses, fillvalue=None)
    return attrs.evolve(game, analyses=tuple(None if given_up else analysis for given_up, analysis in pairs))


@cache
def rates_as_it_counts(path: Path) -> tuple[ErrorRate, ErrorRate]:
    match = loaded(path)
    return attrs.evolve(match, games=tuple(map(as_it_counts, match.games))).error_rates("gnubg")


class TestExtremeGammon:
    @loop.over("row", table(DATA / "analysis" / "xg" / "xg-statistics.tsv"), ids=lambda row: row["pr"])
    def test_its_window(self, row: dict[str, str]) -> None:
        """Every number of the window, to its last digit."""
        path = next(path for path in XG if path.name == row["file"])
        rate = rates_of(path)[int(row["player"]) - 1]
        kinds = {"checker": rate.plays, "double": rate.doubles, "take": rate.takes}
        counts = rate.decisions, *(kind.decisions for kind in kinds.values())
        names = "decisions", "unforced_plays", "double_decisions", "take_decisions"
        assert counts == tuple(int(row[name]) for name in names)
        assert f"{rate.pr:.2f}" == row["pr"]
        for name, size in ("errors", "error"), ("blunders", "blunder"):
            assert row[name] in {"", str(rate.mistakes[size])}
        for name, kind in kinds.items():
            assert float(f"{kind.error:.3f}") == float(row[f"emg_{name}"])
            assert float(f"{100 * (kind.mwc_error or 0):.2f}") == float(row[f"mwc_pct_{name}"])

    @each.first("path", XG, ids=lambda path: path.stem)
    def test_levels_of_one_file_are_one(self, path: Path) -> None:
        white, black = rates_of(path)
        assert white.levels_text == black.levels_text == ", ".join(map(str, white.levels))
        assert {"4-ply", "2-ply"} < {*white.levels}
        assert loaded(path).error_rates(analysis_level=white.levels_text) == (white, black)
        assert loaded(path).error_rates(analysis_level="4-ply")[0].decisions < white.decisions


class TestGnuBackgammon:
    @each.first("path", SGF, of_these=len(SGF) - 1, ids=lambda path: path.stem)
    def test_the_statistics_in_its_files(self, path: Path) -> None:
        """`GS` has, for each game, counts of plays, what plays and cubes lost, and the luck of both players."""
        statistics = re.findall(r"GS\[M:([^]]*)\]\[C:([^]]*)\]\[D:([^]]*)\]", path.read_text(encoding="utf-8"))
        games = loaded(path).games
        assert len(statistics) == len(games)
        for game, texts in zip(map(as_it_counts, games), statistics, strict=True):
            plays, cube, luck = ([float(number) for number in text.split()] for text in texts)
            for index, rate in enumerate(game.error_rates("gnubg")):
                mistakes = rate.plays.mistakes
                assert plays[index] == rate.plays.decisions
                assert plays[4 + index : 10 : 2] == [mistakes["very bad"], mistakes["bad"], mistakes["doubtful"]]
                assert rate.plays.error == pytest.approx(plays[12 + 2 * index], abs=1e-5)
                assert (rate.plays.mwc_error or 0) == pytest.approx(plays[13 + 2 * index], abs=1e-5)
                lost = [sum(cube[20 + 12 * index + more : 32 + 12 * index : 2]) for more in (0, 1)]
                assert rate.doubles.error + rate.takes.error == pytest.approx(lost[0], abs=1e-4)
                assert (rate.doubles.mwc_error or 0) + (rate.takes.mwc_error or 0) == pytest.approx(lost[1], abs=1e-5)
                assert [rate.luck, rate.luck_mwc] == pytest.approx(luck[10 + 2 * index : 12 + 2 * index], abs=1e-4)

    @loop.over("row", table(DATA / "gnubg_statistics.tsv"), ids=lambda row: f"{row['file']}-{row['player']}")
    def test_what_it_prints(self, row: dict[str, str]) -> None:
        """It also counts the answer to a beaver, which it cannot analyze."""
        match, player = loaded(DATA / row["file"]), [*Player][int(row["player"])]
        rate = rates_as_it_counts(DATA / row["file"])[player]
        offers = (decision.state.pending_double for decision in match.decisions() if decision.player is player)
        beavers = sum(offer is not None and offer.beavers > 0 for offer in offers)
        cube = rate.doubles.decisions + rate.takes.decisions + beavers
        assert (rate.plays.decisions, cube) == (int(row["unforced"]), int(row["close_or_actual"]))
        assert rate.plays.error == pytest.approx(-float(row["play_error"]), abs=6e-4)
        assert rate.doubles.error + rate.takes.error == pytest.approx(-float(row["cube_error"]), abs=6e-4)
        assert rate.luck == pytest.approx(float(row["luck"]), abs=6e-4)
        adjusted = float(row["luck_adjusted"]) / 100 if row["luck_adjusted"] else None
        assert rate.luck_adjusted == (adjusted if adjusted is None else pytest.approx(adjusted, abs=6e-5))

    @loop.rows("last", "W[44]", "PL[W]DI[44]")
    def test_the_luck_of_a_roll_before_a_resignation(self, last: str) -> None:
        """`show statistics match` printed these numbers of the first of these files."""
        root = "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:2][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]RE[B+2R]"
        match = loads(f"{root};W[21mkxw]LU[-0.01080];B[65aggl]LU[-0.03100];{last}LU[0.19263])")
        white, black = match.error_rates("gnubg")
        assert [white.luck, black.luck] == pytest.approx([0.182, -0.031], abs=5e-4)
        assert [white.luck_mwc, black.luck_mwc] == pytest.approx([0.03225, -0.0055], abs=5e-6)
        assert [white.luck_adjusted, black.luck_adjusted] == pytest.approx([-0.5377, 0.5377], abs=5e-5)


def judged(*analyses: CubeAnalysis | PlayAnalysis | None, text: str = TEXT) -> Match:
    """The match with these analyses of its decisions."""
    match = loads(text)
    game = match.games[0]
    by_event: list[CubeAnalysis | PlayAnalysis | None] = [None] * len(game.events)
    for decision, analysis in zip(match.decisions(), analyses, strict=False):
        by_event[decision.index] = analysis
    return attrs.evolve(match, games=(attrs.evolve(game, analyses=tuple(by_event)),))


def play(*equities: float, played: int = 0, level: str = "2-ply", engine: str = GNU) -> PlayAnalysis:
    plays = next(loads(TEXT).decisions()).state.legal_plays
    candidates = [Candidate(str(plays[n]), plays[n].position, worth, level=level) for n, worth in enumerate(equities)]
    return PlayAnalysis(tuple(candidates), played, engine=engine)


def cube(no_double: float, level: str = "2-ply", engine: str = GNU) -> CubeAnalysis:
    return CubeAnalysis(no_double, 0.1, level=level, engine=engine)


class TestWhatCounts:
    """Ann plays 31; Bob may double, and plays 62; Ann may double, and plays 41."""

    def test_without_analyses(self) -> None:
        for rate in loads(TEXT).error_rates():
            assert rate == ErrorRate(mistakes=rate.mistakes, plays=rate.plays, doubles=rate.plays, takes=rate.plays)
            assert (rate.decisions, rate.rate, rate.pr, rate.luck, rate.luck_adjusted) == (0, None, None, None, None)

    def test_of_one_decision(self) -> None:
        ann, bob = judged(play(0.5, 0.375, played=1)).error_rates()
        assert (ann.decisions, ann.error, ann.rate, ann.pr) == (1, 0.125, 125, 62.5)
        assert (ann.mistakes, bob.decisions) == ({"error": 1, "blunder": 1}, 0)
        assert judged(play(0.5, 0.375, played=1)).error_rates("gnubg")[0].mistakes["very bad"] == 1

    @loop.rows(
        ("analysis", "xg", "gnubg"),
        (cube(0.05), 1, 1),  # a double was right
        (cube(0.25), 1, 1),
        (cube(0.27), 1, 0),
        (cube(0.31), 0, 0),
        (CubeAnalysis(), 0, 0),
    )
    def test_a_roll(self, analysis: CubeAnalysis, xg: int, gnubg: int) -> None:
        match = judged(None, analysis)
        counts = [match.error_rates(rule)[Player.BLACK].doubles.decisions for rule in ("xg", "gnubg")]
        assert counts == [xg, gnubg]

    def test_plays_that_are_worth_the_same(self) -> None:
        """They are no choice by the rule of eXtreme Gammon, which knows that of its own plays."""
        for equities, stated, xg in ((0.5, 0.49995), None, 0), ((0.5, 0.4), None, 1), ((0.5, 0.5), 0.0, 1):
            match = judged(attrs.evolve(play(*equities, engine="eXtreme Gammon"), stated_error=stated))
            counts = [match.error_rates(rule)[Player.WHITE].decisions for rule in ("xg", "gnubg")]
            assert counts == [xg, 1]

    @each.first("path", [XG[0], SGF[0], *XG[1:], *SGF[1:]], of_these=2, ids=lambda path: path.stem)
    @pytest.mark.parametrize("rule", ["xg", "gnubg"])
    def test_a_match_is_the_sum_of_its_games(self, path: Path, rule: str) -> None:
        match = loaded(path)
        games = [game.error_rates(rule) for game in match.games]
        for player, rate in zip(Player, rates_of(path, rule), strict=True):
            parts = [game[player] for game in games]
            assert rate.decisions == sum(part.decisions for part in parts)
            assert rate.decisions == sum(kind.decisions for kind in (rate.plays, rate.doubles, rate.takes))
            for name in "error", "mwc_error", "luck", "luck_mwc", "luck_net", "luck_worth", "luck_adjusted":
                total = math.fsum(getattr(part, name) or 0 for part in parts)
                assert getattr(rate, name) == pytest.approx(total, abs=1e-9)


ANALYZED = sorted(
    path
    for folder in ("analysis", "matches")
    for path in (DATA / folder).rglob("*.*")
    if path.suffix in {".xg", ".sgf"} or "gnubg" in path.parent.name
)


@each.first("paths", [[XG[0], SGF[0].with_name("money-beaver_0ply.sgf")], ANALYZED], ids=["few", "all"])
def test_the_table_of_decisions_counts_the_same(paths: list[Path], tmp_path: Path) -> None:
    export(paths, tmp_path / "table.jsonl")
    counted_in: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in map(json.loads, (tmp_path / "table.jsonl").read_text(encoding="utf-8").splitlines()):
        for rule in "xg", "gnubg":
            if row[f"counts_{rule}"]:
                counted_in[rule, row["file"], row["seat"]].append(row)
    assert len({file for _, file, _ in counted_in}) >= min(20, len(paths))
    for path, rule in product(paths, ("xg", "gnubg")):
        for player, rate in zip(Player, rates_of(path, rule), strict=True):
            counted = counted_in[rule, str(path), player]
            assert len(counted) == rate.decisions, path
            assert sum(row["error"] for row in counted) == pytest.approx(rate.error, abs=1e-9)
            assert sum(row["mwc_error"] or 0 for row in counted) == pytest.approx(rate.mwc_error or 0, abs=1e-9)


class TestEnginesAndLevels:
    def test_two_engines(self) -> None:
        match = judged(play(0.5, 0.375, played=1), cube(0.05, engine="bgsage 2.0"))
        with pytest.raises(ArgumentError) as caught:
            match.error_rates()
        wording.check(str(caught.value), GNU, "bgsage 2.0")
        ann, bob = match.error_rates(analyzed_by="gnubg")
        assert (ann.decisions, bob.decisions, ann.engine) == (1, 0, GNU)

    @loop.rows(
        ("asked", "words"),
        ({"analyzed_by": "nobody"}, ("analyzed_by='nobody'", GNU, "bgsage 2.0")),
        ({"analyzed_by": "gnubg", "analysis_level": "3-ply"}, ("analysis_level='3-ply'", "'2-ply'")),
    )
    def test_what_no_analysis_has(self, asked: dict[str, str], words: tuple[str, ...]) -> None:
        """It is refused, but not where nothing was analyzed; of many matches only if it is so in all."""
        plain, other = loads(TEXT), judged(attrs.evolve(play(0.5, 0.375, played=1, level="3-ply"), engine="nobody"))
        match = judged(play(0.5, 0.375, played=1), cube(0.05, engine="bgsage 2.0"))
        for rates in match.error_rates, partial(error_rates, [plain, match]):
            with pytest.raises(ArgumentError) as caught:
                rates(**asked)
            wording.check(str(caught.value), *words)
        assert plain.error_rates(**asked)[0].decisions == 0
        assert match.games[0].error_rates(**asked)[0].decisions == 0
        if "analysis_level" not in asked:
            assert error_rates([plain, match, other], **asked)["Ann"].decisions == 1

    @loop.rows(
        "match",
        judged(play(0.5, 0.49, level="0-ply"), cube(0.05)),
        judged(None, cube(0.05, "0-ply"), None, cube(0.05)),
        judged(play(0.5, 0.49, level="0-ply"), None, play(0.5, 0.49)),
    )
    def test_two_levels(self, match: Match) -> None:
        with pytest.raises(ArgumentError) as caught:
            match.error_rates()
        wording.check(str(caught.value), "0-ply", "2-ply")
        rates = [match.error_rates(analysis_level=level) for level in ("0-ply", "2-ply")]
        assert [white.decisions + black.decisions for white, black in rates] == [1, 1]

    def test_a_clear_play_and_a_rollout_are_part_of_a_level(self) -> None:
        clear, rollout = play(0.5, 0.2, level="0-ply"), attrs.evolve(cube(0.05), level="rollout")
        for index, rate in enumerate(judged(clear, cube(0.05), None, rollout).error_rates()):
            assert (rate.levels_text, rate.decisions) == ("2-ply, rollout", 2 - index)

    def test_beyond_the_match_equity_table(self) -> None:
        """No part of a sum passes for all of it."""
        lucky, last = attrs.evolve(play(0.5, 0.375, played=1), luck=0.25), TEXT.replace(" : 0", " : 1")
        far, near = (judged(lucky, text=text.replace("5 point", "26 point")) for text in (TEXT, last))
        assert near.error_rates()[0].mwc_error is not None
        ann, _ = attrs.evolve(near, games=(*far.games, *near.games)).error_rates()
        assert (ann.decisions, ann.luck, ann.mwc_error, ann.luck_mwc) == (2, 0.5, None, None)

    def test_another_rule(self) -> None:
        with pytest.raises(ArgumentError) as caught:
            loads(TEXT).error_rates("snowie")
        wording.check(str(caught.value), '"xg" or "gnubg"', "snowie")


class TestNetLuck:
    """What the dice gave a player more than the opponent, and what that was worth."""

    @loop.over("path", [SGF[0], SGF[0].with_name("money-beaver_0ply.sgf")], ids=lambda path: path.stem)
    def test_of_both_players(self, path: Path) -> None:
        """The worth of each roll is added up from the table's numbers: by the cube in money play."""
        match = loaded(path)
        worths = dict.fromkeys(Player, 0.0)
        for decision in match.decisions():
            if decision.play_analysis is not None and decision.play_analysis.luck is not None:
                luck, roller = decision.play_analysis.luck, decision.state.on_roll or decision.player
                worth = in_mwc(luck, decision) if match.length else luck * decision.state.cube.value
                worths[roller] += worth or 0
        rates = match.error_rates()
        for player, rate in zip(Player, rates, strict=True):
            other = rates[player.opponent]
            assert rate.luck_net == pytest.approx((rate.luck or 0) - (other.luck or 0))
            assert rate.luck_worth == pytest.approx(worths[player] - worths[player.opponent])
            if match.winner:
                assert (rate.luck_adjusted or 0) + (rate.luck_worth or 0) == pytest.approx(
                    0.5 if match.winner is player else -0.5
                )

    def test_half_of_it_is_not_told_as_all(self) -> None:
        """The luck of one player may not be known, as where a program analyzed one side alone."""
        lucky, ended = attrs.evolve(play(0.5, 0.4), luck=0.25), f"{TEXT}\n  3)                             Wins 1 point"
        match, other = judged(lucky, text=ended), judged(lucky, None, lucky, text=ended)
        half = match.error_rates()[Player.WHITE]
        assert (half.luck, half.luck_net, half.luck_worth, half.luck_adjusted) == (0.25, None, None, None)
        both = error_rates([match, other])["Ann"]
        assert (both.luck, both.luck_net, both.luck_worth) == (0.5, None, None)

    def test_who_did_not_roll_had_none(self) -> None:
        text = f"{TEXT.partition('  62:')[0]}\n  2) Wins 1 point"
        white, black = judged(attrs.evolve(play(0.5, 0.4), luck=0.25), text=text).error_rates()
        assert (white.luck_net, black.luck, black.luck_mwc, black.luck_net) == (0.25, 0, 0, -0.25)
        assert white.luck_worth == -(black.luck_worth or 0)
        assert (white.luck_adjusted or 1) + (white.luck_worth or 0) < 0.5  # one point of five


class TestManyMatches:
    def test_who_has_no_name_is_nobody_else(self) -> None:
        match = judged(play(0.5, 0.375, played=1))
        nameless = attrs.evolve(match, players=("", "Bob"))
        rates = error_rates([match, nameless, nameless, match])
        assert {name: rate.decisions for name, rate in rates.items()} == {
            "Ann": 2,
            "Bob": 0,
            "white of match 2": 1,
            "white of match 3": 1,
        }
        assert rates["Ann"].rate == 125
        assert [*error_rates([attrs.evolve(match, players=("Ann", "Ann"))])] == ["white of match 1", "black of match 1"]

    def test_names_are_joined_by_a_map_alone(self) -> None:
        match = judged(play(0.5, 0.375, played=1))
        matches = [match, attrs.evolve(match, players=("ann", "Bob"))]
        names = error_rates(matches)
        assert [*names] == ["Ann", "Bob", "ann"]
        assert similar_names(names) == [("Ann", "ann")]
        assert similar_names(["Lasse M.", "lasse", "Lasse_K", "Lasse Moe", "bot 1", "bot", "A. B."]) == [
            ("lasse", "Lasse M."),
            ("lasse", "Lasse_K"),
        ]
        with pytest.raises(ArgumentError, match=r"names\[1\] must be a string, not 3"):
            similar_names(["a", 3])  # type: ignore[list-item]
        assert error_rates(matches, aliases={"ann": "Ann"})["Ann"].decisions == 2
        for wrong in [("ann", "Ann")], {"ann": None}:
            with pytest.raises(ArgumentError, match="aliases must be a mapping from names to names"):
                error_rates(matches, aliases=wrong)  # type: ignore[arg-type]

    def test_a_match_alone(self) -> None:
        with pytest.raises(ArgumentError, match="several, as in a list"):
            error_rates(loads(TEXT))  # type: ignore[arg-type]

    def test_engines_and_levels_of_two_matches(self) -> None:
        matches = [judged(None, cube(0.05, level)) for level in ("2-ply", "0-ply")]
        with pytest.raises(ArgumentError) as caught:
            error_rates(matches)
        wording.check(str(caught.value), GNU, "0-ply", "2-ply")
        assert error_rates(matches, analysis_level="0-ply")["Bob"].decisions == 1
        with pytest.raises(ArgumentError, match="bgsage"):
            error_rates([matches[0], judged(None, cube(0.05, engine="bgsage"))])

    def test_points_and_chances_are_not_added(self) -> None:
        """The luck of money play is adjusted in points."""
        ended = f"{TEXT}\n  3)                             Wins 1 point"
        rolls = attrs.evolve(play(0.5, 0.4), luck=0.25), None, PlayAnalysis(luck=0.125, engine=GNU)
        match, money = (judged(*rolls, text=ended.replace("5 point", f"{length} point")) for length in (5, 0))
        ann = error_rates([money])["Ann"]
        assert (ann.luck, ann.luck_mwc, ann.mwc_error) == (0.25, None, None)
        assert (ann.luck_net, ann.luck_worth, ann.luck_adjusted) == (0.125, 0.125, -1.125)
        both = error_rates([match, money])["Ann"]
        assert (both.luck, both.luck_net, both.luck_worth, both.luck_adjusted) == (0.5, 0.25, None, None)
        assert both.luck_mwc == match.error_rates()[Player.WHITE].luck_mwc
