"""BGBlitz' own files: what they hold, against match texts of the same matches, and SMILE against its specification."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import pytest

import bgf_files as bgf
import each
import loop
import wording
from fact_tables import table
from fuzzing.readers import check_record
from gammonrules import Position, Win
from gammonrules.errors import ParseError
from gammonrules.match import End, Player
from gammonrules.records import (
    CubeAnalysis,
    DecisionKind,
    FindingKind,
    Match,
    PlayAnalysis,
    dumps,
    load,
    loads,
    lost_fields,
    referee,
    to_html,
)
from gammonrules.records.formats.bgf import bgf_reader
from gammonrules.records.formats.bgf.bgf_reader import _KEPT
from gammonrules.records.formats.bgf.smile import HEADER, MAX_VALUES, read_smile
from real_records import loaded

DATA = Path(__file__).parents[2] / "data" / "matches" / "bgf"
MONEY, FIVE, SEVEN = (
    DATA / f"{name}.bgf" for name in ("B4_SrGcsKAQmoTyHlgJCbM", "XCu3RJ0UvDg_Tldl", "broken/5nqfGw9bWG3deTaU")
)


@cache
def document(path: Path) -> dict:
    """The whole document, decoded."""
    data = gzip.decompress(path.read_bytes().partition(b"\n")[2])
    value, defect = read_smile(data.removeprefix(HEADER))
    assert not defect
    return value


def kinds(match: Match) -> list[str]:
    return [f"{finding.severity} {finding.kind}" for finding in referee(match)]


def made(*records: object, **more: object) -> Match:
    """A match of one game with these records."""
    return loads(bgf.packed(bgf.match(bgf.game(*records, **more))))


class TestRealFiles:
    @loop.over("row", table(DATA / "expected.tsv"), ids=lambda row: row["file"])
    def test_hold_what_another_reader_found(self, row):
        match, whole = loaded(DATA / row["file"]), document(DATA / row["file"])
        records = [record for game in whole["games"] for record in game["moves"]]
        analyzed = [record["moveAnalysis"] for record in records if record["moveAnalysis"]]
        cubes = [record for record in records if (record["equity"] or {}).get("cubeDecision")]
        numbers = [record["equity"]["cubeDecision"]["eqNoDouble"] for record in cubes if record["red"] not in (2, 3) or
                   record["green"] != 7]  # fmt: skip
        assert {
            "green": match.players[0],
            "red": match.players[1],
            "length": str(match.length or 0),
            "games": str(len(match.games)),
            "final_green_red": f"{whole['finalGreen']}-{whole['finalRed']}",
            "dice_turns": str(match.rolls),
            "analysed_checker_plays": str(len(analyzed)),
            "alternatives": str(sum(map(len, analyzed))),
            "doubles": str(sum((record["red"], record["green"]) == (1, 7) for record in records)),
            "cube_decisions_with_equities": str(sum(not number.startswith("-999") for number in numbers)),
            "stored_wonPoints": ",".join(str(game["wonPoints"]) for game in whole["games"]),
        } == {name: value for name, value in row.items() if name != "file"}

    @loop.rows("path", MONEY, FIVE, SEVEN)
    def test_hold_the_games_of_the_match_text(self, path):
        """Every roll, play and cube, and the results; in one game up to the same illegal play."""
        ours, theirs = loaded(path), load(path.with_suffix(".mat"))
        assert (ours.length, ours.games, ours.rules, ours.rolls) == (
            theirs.length,
            theirs.games,
            theirs.rules,
            theirs.rolls,
        )
        assert (ours.date, ours.site) == (theirs.date, theirs.site)
        assert ours.format == "bgf"

    def test_judged(self):
        assert kinds(loaded(MONEY)) == ["info resign-without-marker"]
        assert kinds(loaded(FIVE)) == []
        assert kinds(loaded(SEVEN)) == ["error illegal-play"]

    def test_points_and_ends(self):
        """The last game of the session has its points only in the score; two games have a resignation of their own."""
        last = loaded(MONEY).games[-1]
        assert (last.stated.points, last.result.points, last.result.end) == (6, 6, End.RESIGNED)
        assert [game.result.end for game in loaded(SEVEN).games[1:]] == [
            End.DROPPED, End.DROPPED, End.RESIGNED, End.DROPPED, End.RESIGNED
        ]  # fmt: skip

    @each.first("path", [MONEY, FIVE, SEVEN], of_these=2, ids=lambda path: path.stem)
    def test_errors_are_those_that_the_file_states(self, path):
        """What plays and cubes cost, by the equities that are made of chances of winning the match."""
        whole, match, checked = document(path), loaded(path), 0
        records = [record for game in whole["games"] for record in game["moves"]]
        for decision in match.decisions():
            stated = records[decision.line - 1]["pr"]
            name = "checkerError" if decision.kind is DecisionKind.PLAY else "cubeError"
            if stated and float(stated[name]) > -90 and decision.analysis is not None:
                assert decision.error == pytest.approx(-float(stated[name]), abs=1e-6)
                checked += 1
        assert checked > 50

    def test_numbers_in_money_play(self):
        decision = next(decision for decision in loaded(MONEY).decisions() if decision.kind is DecisionKind.PLAY)
        best = decision.play_analysis.best
        assert (best.play, best.equity, best.chances.win, best.level, best.mwc) == (
            "24/20 13/8", 0.04335061, 0.5062251, "3-ply", None
        )  # fmt: skip
        assert decision.play_analysis.made == best
        doubled = next(decision for decision in loaded(MONEY).decisions() if decision.action == "double")
        assert isinstance(doubled.analysis, CubeAnalysis)
        assert doubled.cube_analysis.double_drop == 1

    def test_chances_of_winning_the_match(self):
        play = next(decision for decision in loaded(FIVE).decisions() if decision.kind is DecisionKind.PLAY)
        assert (play.equity_best, play.play_analysis.best.mwc) == (0.00182553, 0.50014726)

    def test_dances_are_evaluated(self):
        dances = [decision for decision in loaded(SEVEN).decisions() if decision.action == "no play"]
        assert dances
        for dance in dances:
            (only,) = dance.play_analysis.candidates
            assert (only.play, dance.error, dance.play_analysis.engine) == ("no play", 0, "BGBlitz")
            assert dance.luck is not None

    def test_what_other_formats_leave_out(self):
        match = loaded(MONEY)
        assert lost_fields(match, "json") == ()
        assert set(lost_fields(match, "mat")) == {f"games[{game}].analyses" for game in range(3)}
        assert [game.events for game in loads(dumps(match, "sgf")).games] == [game.events for game in match.games]


class TestSmile:
    """Bytes made by hand from the specification; other decoders of these files read the first four wrongly."""

    @loop.rows(
        ("data", "value"),
        (b"\x24\x01\x80", 64 >> 1),
        (b"\x24\x40\x81", -2049),
        (b"\x25\x03\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f\xbf", -(2**63)),
        (b"\x29\x00\x3f\x78\x00\x00\x00\x00\x00\x00\x00", 1.0),
        (b"\x29\x01\x40\x02\x10\x7d\x7a\x21\x3a\x4c\x1a", None),
        (b"\x28\x04\x00\x00\x00\x00", 2.0),
        (b"\x60" + b"x" * 33, "x" * 33),
        (b"\x7f" + b"x" * 64, "x" * 64),
        (b"\x81" + "é!".encode(), "é!"),
        (b"\x9f" + "é".encode() + b"x" * 31, "é" + "x" * 31),
        (b"\xbf" + b"\xe2\x82\xac" * 21 + b"ab", "€" * 21 + "ab"),
        (b"\xe0" + b"x" * 99 + b"\xfc", "x" * 99),
        (b"\xe4" + "é".encode() * 50 + b"\xfc", "é" * 50),
        (b"\x5f" + b"y" * 32, "y" * 32),
        (b"\x20", ""),
        (b"\x21", None),
        (b"\xf8\x22\x23\xc0\xc1\xdf\xf9", [False, True, 0, -1, -16]),
        (b"\xfa\x80a\xfa\x81bc\xc2\x40\xc4\xfb\x41\x21\xfb", {"a": {"bc": 1, "a": 2}, "bc": None}),
        (b"\xfa\xc0" + "é".encode() + b"\xc2\xfb\xff", {"é": 1}),
    )
    def test_a_value(self, data: bytes, value: object) -> None:
        read, defect = read_smile(data)
        if value is not None or data == b"\x21":
            assert (read, defect) == (value, "")
        assert not defect

    def test_names_by_long_numbers_and_a_second_time_from_zero(self):
        """Names from the 65th on have two bytes; after 1,024 of them the next is number 0."""
        whole = {f"n{number}": number for number in range(1500)}
        again = [whole, dict(list(whole.items())[1100:1300])]
        assert read_smile(bgf.smile(again).removeprefix(HEADER)) == (again, "")
        assert b"\x30\x40" in bgf.smile([dict.fromkeys(list(whole)[:70]), {"n64": 1}])

    @pytest.mark.parametrize(
        "whole",
        [
            [
                {f"n{number}": number for number in range(300)},
                {"eq": {"n248": {"n249": 1, "n250": "0.5"}, "n251": [{"n252": 3}]}},
            ],
            [
                {"n0": {"eq": {"new": "US$", "a": {"é": "é", "n0": 2000}, "n1": [1, 2000, "é"]}}, "é": 1},
                {"eq": [{"b": 5000, "a": []}, {}], "n1": -33, "b": {"eq": [], "pr": {}, "é": 31, "new": [-32, 32]}},
            ],
        ],
        ids=["many names", "new names"],
    )
    def test_what_is_kept_encoded_is_the_same(self, whole):
        def opened(value: object) -> object:
            if isinstance(value, tuple):
                return opened(read_smile(*value)[0])
            if isinstance(value, dict):
                return {name: opened(item) for name, item in value.items()}
            return [opened(item) for item in value] if isinstance(value, list) else value

        assert opened(read_smile(bgf.smile(whole).removeprefix(HEADER), kept=_KEPT)[0]) == whole

    @loop.rows(
        "data",
        b"",
        b"\x26\x81\x01",
        b"\xe8\x81\x01",
        b"\xfd\x81\x01",
        b"\xfa\x40\xc0\xfb",
        b"\xfa\x80a\xc0\x41\xc0\xfb",
        b"\xfa\x33\xff\xc0\xfb",
        b"\xfa\x3a\xc0\xfb",
        b"\x24" + b"\x00" * 50 + b"\x80",
        b"\xe0xyz",
        b"\xf8\xc0",
        b"\xfb",
        b"\xf8" * 100 + b"\xf9" * 100,
    )
    def test_what_is_wrong_is_said(self, data: bytes) -> None:
        assert read_smile(data)[1].startswith("its data ")

    def test_no_more_values_than_the_limit(self):
        assert read_smile(b"\xf8" + b"\x21" * (MAX_VALUES + 1) + b"\xf9")[1]


class TestGames:
    def test_comments_names_and_rules(self):
        about = {"site": "Club", "event": "Open\n<b>", "date": "2026.01.13", "cubeLimit": 64, "comment": "good"}
        opening = {**bgf.OPENING, "comment": "fine"}
        match = loads(
            bgf.packed(bgf.match(bgf.game(opening, comment=["one", "", 2]), nameGreen="Zoë <i>\u202e", **about))
        )
        assert match.players[0].startswith("Zoë <i>")
        assert (match.site, match.event, match.date.isoformat(), match.rules.max_cube) == (
            "Club",
            "Open <b>",
            "2026-01-13",
            64,
        )
        assert match.comments == ("good",)
        assert (match.games[0].comments, match.games[0].notes) == (("one",), (None, "fine"))
        assert "<i>" not in to_html(match)
        money = loads(bgf.packed(bgf.match(bgf.game(), length=0, useJacoby=True, useBeaver=True, useCube=False)))
        assert (money.rules.jacoby, money.rules.beavers, money.rules.cube) == (True, 1, False)

    def test_cube_actions_share_an_analysis(self):
        cube = bgf.evaluation(0.7, cube=(0.8, 0.9, 1.0, 0.9))
        match = made(bgf.OPENING, bgf.REPLY, {**bgf.DOUBLE, "equity": cube, "ply": 3}, bgf.DROP, bgf.record(-1, 4, 7))
        doubled, dropped = list(match.decisions())[-2:]
        assert doubled.analysis == dropped.analysis
        assert (doubled.error, round(dropped.error, 3), doubled.analysis.level) == (0, 0.1, "3-ply")
        assert kinds(match) == []

    @loop.rows(
        ("records", "more", "end"),
        ([bgf.record(1, 9, 7), bgf.record(-1, 4, 7)], {"won": 2}, (End.RESIGNED, Win.GAMMON, [])),
        ([bgf.record(-1, 4, 7)], {"won": 1, "wasResignation": True}, (End.RESIGNED, Win.SINGLE, [])),
        ([bgf.record(-1, 4, 7)], {"won": 3}, (End.RESIGNED, Win.BACKGAMMON, ["info resign-without-marker"])),
        ([bgf.record(-1, 4, 7)], {"won": 0}, (End.RESIGNED, Win.SINGLE, ["info resign-without-marker"])),
        ([bgf.record(-1, 4, 7)], {"won": 2, "lostOnTime": True}, (End.FORFEITED, None, ["warning forfeit"])),
    )
    def test_ends_without_a_last_checker(self, records, more, end):
        match = made(bgf.OPENING, bgf.REPLY, *records, **more)
        result = match.games[0].result
        assert (result.end, result.win, kinds(match)) == end

    def test_a_game_with_its_end_alone(self):
        match = made(bgf.record(-1, 4, 7), won=1)
        assert (match.games[0].result, match.games[0].stated.points, kinds(match)) == (
            None,
            1,
            ["info unfinished-game"],
        )

    @loop.rows(
        "strange",
        bgf.record(-1, 8, 7),
        bgf.record(0, 3, 1, "8/5 6/5"),
        bgf.record(-1, "3", 1),
        bgf.record(-1, [], {}),
        {"player": -1, "red": 5, "green": 7, "from": [], "to": "x"},
        bgf.record(-1, 5, 7, "3/0"),
        None,
        bgf.TAKE,
    )
    def test_what_is_unknown_ends_the_game_with_a_finding(self, strange):
        match = made(strange, bgf.record(-1, 4, 7))
        assert match.games[0].cut
        assert any(finding.severity == "error" for finding in referee(match)), strange
        for finding in referee(match):
            wording.check(finding.explanation)

    @loop.rows(("after", "cut"), ([], False), ([bgf.REPLY], True))
    def test_a_last_play_that_is_unknown(self, after, cut):
        """The end that the file states is taken, unless the game goes on before it."""
        match = made(bgf.record(-1, 3, 1, "99/5 6/5"), *after, bgf.record(-1, 4, 7), won=1)
        assert (match.games[0].cut, match.score) == (cut, (1, 0))
        assert (match.games[0].result is None, kinds(match)[0]) == (cut, "error unreadable-line")

    @loop.over(
        "initial",
        [{"points": [0] * 28}, {"cube": 2}, {"cubeOwner": -1}, {"gameMode": 1}, {"egyptian": True}, {"points": 1}],
    )
    def test_another_beginning_is_said(self, initial):
        usual = bgf.game()["initial"]
        match = made(bgf.OPENING, initial={**usual, **initial})
        assert [finding.kind for finding in match.findings] == [FindingKind.UNREADABLE_LINE]
        assert match.games[0].events == ()

    def test_records_after_the_end(self):
        match = made(bgf.OPENING, bgf.record(-1, 4, 7), bgf.REPLY)
        assert "error illegal-action" in kinds(match)
        assert match.games[0].result is not None

    def test_scores(self):
        games = bgf.game(bgf.OPENING, bgf.record(-1, 4, 7)), bgf.game(bgf.OPENING, score=(3, 0)), bgf.game(score=(9, 9))
        match = loads(bgf.packed(bgf.match(*games)))
        assert [game.score for game in match.games] == [(0, 0), (3, 0)]
        assert kinds(match).count("error score-does-not-follow") == 2

    def test_true_is_no_die(self):
        """Not even after the same roll, whose 1 equals it."""
        assert kinds(made(bgf.OPENING)) == ["info unfinished-game"]
        assert kinds(made({**bgf.OPENING, "green": True})) == ["error illegal-action"]


class TestNumbers:
    @loop.rows("number", "nan", "1e999", "1_0", None, 5, "9" * 400, "-999.90000000")
    def test_those_that_are_none_are_left_out(self, number):
        play = {"move": {"from": [8, 6], "to": [5, 5]}, "eq": bgf.evaluation(myWins=number), "ply": 3, "played": True}
        match = made({**bgf.OPENING, "moveAnalysis": [play], "luck": {"mode": "Money", "luckPlain": number}})
        (decision,) = match.decisions()
        assert isinstance(decision.analysis, PlayAnalysis)
        assert decision.play_analysis.best.play == "8/5 6/5"
        chances = decision.play_analysis.best.chances
        assert chances is None or 0 <= chances.win <= 1

    def test_equities_of_a_match_are_in_proportion(self):
        """A double is worth what winning a point is, halfway between the chances before and after."""
        cube = bgf.evaluation(0.6, cube=(0.55, 0.5, 0.7), hasEMG=True, emg="0.00000000", matchEquity="0.50000000")
        match = made(bgf.OPENING, bgf.REPLY, {**bgf.record(-1, 6, 4, "24/18 18/14"), "equity": cube})
        roll = next(decision for decision in match.decisions() if decision.cube_analysis is not None)
        about = roll.cube_analysis
        assert [about.no_double, about.double_take, about.double_drop] == pytest.approx([0.25, 0, 1])
        assert about.mwc == (0.55, 0.5, 0.7)
        assert roll.player is Player.WHITE


class TestDamage:
    def test_cut_anywhere(self):
        """The packed file here and there, and what is in a small one at every byte."""
        content = MONEY.read_bytes()
        for cut in (0, 20, 66, 70, 90, 5_000):
            check_record(content[:cut], 150_000)
        small = bgf.smile(bgf.match(bgf.game(bgf.OPENING), length=1))
        for cut in range(len(small)):
            try:
                assert loads(bgf.HEAD + gzip.compress(small[:cut], 1)).findings
            except ParseError as error:
                wording.check(error)

    def test_what_is_left_of_a_cut_file_is_read(self):
        content = FIVE.read_bytes()
        match = loads(content[: len(content) * 2 // 3])
        assert FindingKind.DAMAGED_FILE in [finding.kind for finding in match.findings]
        assert match.games[0] == loaded(FIVE).games[0]

    @loop.rows(
        "content",
        bgf.HEAD,
        bgf.HEAD + b"noise",
        bgf.HEAD + gzip.compress(b""),
        bgf.HEAD + gzip.compress(b"{}"),
        bgf.HEAD + gzip.compress(b":)\n\x03\xfa\xfb"),
        bgf.packed([]),
        bgf.packed({"matchlen": 7, "games": {}}),
        bgf.packed({"matchlen": "7", "games": [{}]}),
        bgf.packed(bgf.match(bgf.game(), length=-5)),
        bgf.packed(bgf.match(bgf.game(), length=2**62)),
        bgf.packed(bgf.match(bgf.game(score=(9, 9)))),
    )
    def test_what_holds_no_match_is_refused_in_a_sentence(self, content):
        with pytest.raises(ParseError) as error:
            loads(content)
        wording.check(str(error.value))

    def test_a_bomb_stops_at_the_limit(self):
        with pytest.raises(ParseError, match="64 MiB"):
            loads(bgf.HEAD + gzip.compress(bytes(65 << 20), 1))

    def test_too_many_games(self, monkeypatch):
        monkeypatch.setattr(bgf_reader, "MAX_GAMES", 100)
        match = loads(bgf.packed(bgf.match(*[{}] * 101)))
        assert len(match.games) == 100
        assert match.findings[0].kind is FindingKind.UNREADABLE_LINE

    def test_a_zlib_stream_or_a_head_in_another_order(self):
        head = b'{"version": "1.0", "format": "BGF"}\n'
        assert loads(bgf.packed(bgf.match(bgf.game(bgf.OPENING)), head=head)).games

    def test_a_board_is_that_of_the_package(self):
        assert [*reversed(Position.start().points[1:25]), 0, 0, 0, 0] == bgf.START
