"""Records of the Jellyfish text family: real files, their dialects, and everything that can be wrong with a file."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given

import each
import loop
import wording
from fact_tables import table
from gammonrules import Forfeit, RecordEvent, SetPosition, strategies
from gammonrules.board import Position, Win
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.match import Action, Cube, Event, MatchState, Player
from gammonrules.records import (
    MAX_RECORD_SIZE,
    FindingKind,
    Game,
    Match,
    RecordedResult,
    Severity,
    dump,
    dumps,
    load,
    loads,
    loads_all,
    lost_fields,
    referee,
)
from gammonrules.records.formats import match_reading
from gammonrules.rules import MONEY, Rules
from real_records import loaded, refereed

DATA = Path(__file__).parents[2] / "data"
MATCHES = DATA / "matches"


EXPECTED = table(MATCHES / "expected.tsv")
LEFT_IS_PLAYER_0 = {
    line["file"] for line in table(DATA / "replays.players.tsv") if line["left_column_is_player"] == "0"
}
GAME_STATE_PLAYING = 1 << 8
REPLAYS: dict[str, list[tuple[str, ...]]] = defaultdict(list)
for line in table(DATA / "replays.tsv.gz"):
    who = "" if line["who"].startswith(":") else line["who"]  # how gnubg reads a blank name and the score after it
    match_id = line["match_id"]
    if line["decision"] == "1":  # gnubg shows game state 0 there, a game that has not begun
        bits = int.from_bytes(b64decode(match_id), "little") | GAME_STATE_PLAYING
        match_id = b64encode(bits.to_bytes(9, "little")).decode()
    REPLAYS[line["file"]].append((line["game"], line["kind"], who, line["dice"], line["position_id"], match_id))


SOME = list({row["oddities"]: row for row in EXPECTED if "bot-money" not in row["file"]}.values())
"""A record for each set of oddities."""


def record(*lines: str, length: int = 7, score: str = " Ann : 0                         Bob : 0") -> str:
    return "\n".join([f" {length} point match", "", " Game 1", score, *lines, ""])


def kinds(match: Match) -> list[str]:
    return [str(finding.kind) for finding in referee(match)]


def plays(match: Match, game: int = 0) -> list[object]:
    return [
        event.argument
        for event in match.games[game].events
        if isinstance(event, Event) and event.action in (Action.PLAY, Action.ROLL, Action.OPENING_ROLL)
    ]


class TestRealMatches:
    """Every file that is listed, with what an independent reader found in it."""

    # What we report beyond the list, all of it of severity info; data/matches/README.md says why.
    BEYOND_THE_LIST = {
        "galaxy/match3241209.txt": {"resign-without-marker"},
        "galaxy/match1282666.txt": {"capped-points"},
        "galaxy/match2151849.txt": {"capped-points"},
        "galaxy/match6137959.txt": {"capped-points"},
    }

    @loop.over("row", SOME, ids=lambda row: row["file"])
    def test_as_expected(self, row: dict[str, str]) -> None:
        self.check(row)

    @pytest.mark.long
    @loop.over("row", EXPECTED, ids=lambda row: row["file"])
    def test_every_one_as_expected(self, row: dict[str, str]) -> None:
        self.check(row)

    def check(self, row: dict[str, str]) -> None:
        match = loaded(MATCHES / row["file"])
        assert (match.length or 0, len(match.games), match.rolls) == (
            int(row["match_length"]),
            int(row["games"]),
            int(row["rolls"]),
        )
        findings = refereed(match)
        oddities = set(filter(None, row["oddities"].split(";")))
        beyond = self.BEYOND_THE_LIST.get(row["file"], set()) | ({"coin-game"} if match.is_coin_game else set())
        assert {str(finding.kind) for finding in findings} == oddities | beyond
        assert all(finding.severity is not Severity.ERROR for finding in findings)
        if not oddities:
            assert all(finding.severity is Severity.INFO for finding in findings)

    @each.first("files", [sorted(REPLAYS)[::6], sorted(REPLAYS)], ids=["some", "all"])
    def test_every_decision_as_gnubg_has_it(self, files: list[str]) -> None:
        for file in files:
            assert list(decisions(loaded(MATCHES / file), swapped=file in LEFT_IS_PLAYER_0)) == REPLAYS[file]

    def test_number_of_decisions(self) -> None:
        assert sum(map(len, REPLAYS.values())) == 9367

    @loop.over("row", SOME, ids=lambda row: row["file"])
    def test_written_and_read_again(self, row: dict[str, str]) -> None:
        match = loaded(MATCHES / row["file"])
        named = attrs.evolve(match, players=(match.players[0] or "White", match.players[1] or "Black"))
        again = loads(dumps(match))
        assert again == named


def decisions(match: Match, *, swapped: bool):
    """(game, kind, who, dice, Position ID, Match ID) of every play and cube action, as gnubg seats the players."""
    kinds = {Action.PLAY: "roll-play"} | dict.fromkeys((Action.DOUBLE, Action.TAKE, Action.DROP), "cube-action")
    for game in match.games:
        for event, state in zip(game.events, game.states(), strict=False):
            if event.action in kinds:
                dice = "" if state.dice is None else str(state.dice)
                there = attrs.evolve(state, length=match.length)  # gnubg takes coin games for matches
                ids = (there.swap_players() if swapped else there).gnubg_id.split(":")
                yield str(game.number), kinds[event.action], match.players[event.by], dice, *ids


class TestHeader:
    def test_tags_and_comments(self) -> None:
        match = loads('; [Site "a "b" c"]\n# free remark\n; [ClockType "x"]\n' + record())
        assert match.tags == (("Site", 'a "b" c'), ("ClockType", "x"))
        assert match.comments == ("free remark",)

    @loop.rows("line", "Unlimited game", "unlimited game", " Unlimited Game ", "\tUNLIMITED  GAME\r")
    def test_an_unlimited_game_is_money_play(self, line: str) -> None:
        """As two programs write it. Among the lines of a mail, too, and where a second match begins."""
        written = record(length=0)
        text = written.replace("0 point match", line)
        assert text != written
        assert (loads(text), loads(text).findings) == (loads(written), loads(written).findings)
        assert loads(f"Dear Ann,\n\n{text}") == loads(written)
        assert [match.length for match in loads_all(record(length=7) + "\n" + text)] == [7, None]
        xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
        assert loads(f"; {xgid}\n{text}").format == "mat"
        assert loads(f"{text}\n{xgid}\n") == loads(f"{written}\n{xgid}\n")

    @loop.rows(
        ("tags", "rules"),
        ("", MONEY),
        ('; [Jacoby "Off"]\n; [Beaver "Off"]', Rules()),
        ('; [Jacoby "Off"]\n; [CubeLimit "1"]', Rules(cube=False, beavers=1)),
        ('; [CubeLimit "64"]', Rules(jacoby=True, beavers=1, max_cube=64)),
        ('; [CubeLimit "1024"]', MONEY),
        ('; [CubeLimit "many"]', MONEY),
    )
    def test_rules_of_money_play(self, tags: str, rules: Rules) -> None:
        match = loads(tags + "\n" + record(length=0))
        assert (match.length, match.rules, match.games[0].start.rules) == (None, rules, rules)

    @loop.rows(
        ("name", "start_name"),
        ("NackGammon", "nackgammon"),
        (" longgammon ", "longgammon"),
        ("HyperGammon (3)", "hypergammon"),
        ("Hypergammon", "hypergammon"),
        ("HyperGammon (2)", "hypergammon2"),
        ("hypergammon1", "hypergammon1"),
    )
    def test_variation(self, name: str, start_name: str) -> None:
        """Every game begins from that start, and the record is written so that it is read the same."""
        start = Position.start(start_name)
        for length in (7, 0):
            row = f"  1) 31: {start.legal_plays('31')[0]}"
            match = loads(f'; [Variation "{name}"]\n' + record(row, length=length))
            assert (match.rules.start, match.games[0].start.position) == (start_name, start)
            assert kinds(match) == ["unfinished-game"]
            text = dumps(match)
            again = loads(text)
            assert again == (match if length else attrs.evolve(match, tags=again.tags))  # which say more for money
            assert f'; [Variation "{name}"]' in text
            assert "Set Pos" not in text

    @loop.rows("name", "Backgammon", "Standard", "Tavla", "Nackgammon 2", "")
    def test_other_variations_start_as_ever(self, name: str) -> None:
        match = loads(f'; [Variation "{name}"]\n' + record("  1) 31: 8/5 6/5"))
        assert match.rules.start == "standard"
        assert f'; [Variation "{name}"]' in dumps(match)
        unknown = [finding for finding in referee(match) if finding.kind == "unknown-variation"]
        assert [finding.text for finding in unknown] == ([] if name in {"Backgammon", ""} else [f'Variation "{name}"'])
        assert all(finding.severity is Severity.INFO for finding in unknown)

    def test_a_position_set_by_hand_has_the_checkers_of_its_game(self) -> None:
        board = "-AB--------------------ba-"
        match = loads('; [Variation "Hypergammon"]\n' + record(f"; Set Pos={board}/0", "  1) 31: 2/off 1/off"))
        assert match.games[0].events[0].position.checkers == 3

    @loop.rows(
        "score, names",
        ("  Dr. J. O'Neil/2 : 0           Łukasz 7 : 0", ("Dr. J. O'Neil/2", "Łukasz 7")),
        (" lasse : 0                        : 0", ("lasse", "")),
        ("  : 0                         lasse : 0", ("", "lasse")),
        (" #1 player : 0                   2) x : 0", ("#1 player", "2) x")),
    )
    def test_names(self, score: str, names: tuple[str, str]) -> None:
        assert loads(record("  1) 31: 8/5 6/5", score=score)).players == names


class TestRows:
    """Which cell belongs to which player."""

    @loop.rows(
        "row",
        "  1) 31: 8/5 6/5                 62: 24/18 13/11",
        "1) 31: 8/5 6/5 62: 24/18 13/11",
        "  1)\t31: 8/5 6/5\t\t62: 24/18 13/11",
        "  1) 13: 6/5 8/5                 26: 13/11 24/18",
        "  1) 31: 8/5 6/5 0/0             62: 24/18 13/11",
        "  1) 31: 8/5 6/5               1)  62: 24/18 13/11",
    )
    def test_two_columns(self, row: str) -> None:
        assert plays(loads(record(row))) == [(3, 1), "8/5 6/5", loads_dice("62"), "24/18 13/11"]

    @loop.rows("row", "  1)        31: 8/5 6/5      62: 24/18 13/11", "  1)\t31: 8/5 6/5\t62: 24/18 13/11")
    @loop.rows("score", " A : 0          B : 0", " Ann : 0                         Bob : 0", " : 0 : 0")
    def test_two_columns_wherever_they_stand(self, row: str, score: str) -> None:
        for blanks in ("", " " * 30):
            match = loads(record(row.replace(")", ")" + blanks), score=score))
            assert plays(match) == [(3, 1), "8/5 6/5", loads_dice("62"), "24/18 13/11"]
        for end in ("      Wins 1 point", " 2)  Doubles => 2" + " " * 9 + "Drops"):
            assert loads(record(row, end, score=score)).games[0].final().result.winner is Player.WHITE

    @loop.rows(("column", "side"), (13, Player.WHITE), (14, Player.BLACK))
    def test_a_cell_alone(self, column: int, side: Player) -> None:
        """The right column begins six columns before the right name."""
        score = " Ann : 0".ljust(20) + "Bob : 0"
        for cell in ("31: 8/5 6/5", "31:     Wins 1 point"):
            match = loads(record("  1)".ljust(column) + cell, score=score))
            assert match.games[0].events[0].argument == ((3, 1) if side is Player.WHITE else (1, 3))

    @loop.rows(
        ("old", "new"),
        *(("31:", "٣١:"), ("7 point match", "٧ point match"), ("Game 1", "Game ١"), ("Ann : 0", "Ann : ٠")),
        *(("Bob : 0", "Bob : ٠"), ("1)", "١)"), ("Wins 1", "Wins ١"), ("Wins 1", "Winſ 1")),
        *(("      Wins 1", "  2)  Reſigns"), ("      Wins 1", "  2)  Loſſes 1")),
    )
    def test_other_digits_and_letters_are_no_part_of_a_record(self, old: str, new: str) -> None:
        text = record("  1) 31: 8/5 6/5", "      Wins 1 point")
        assert kinds(loads(text)) == ["resign-without-marker"]
        try:
            assert "unreadable-line" in kinds(loads(text.replace(old, new)))
        except ParseError as error:
            assert old == "7 point match" or old == "Game 1", error

    def test_long_left_name(self) -> None:
        score = " A name that is longer than the column : 0    Bob : 0"
        match = loads(record("  1)                             31: 8/5 6/5", score=score))
        assert match.games[0].events[0] == Event(Action.OPENING_ROLL, argument=(1, 3))

    @loop.rows(
        "rows, expected",
        (
            ["  1) 31: 8/5 6/5                 62: 24/18 13/11", "  1) 11: 8/7(2) 6/5(2)"],
            ["repeated-row-number", "unfinished-game"],
        ),
        (["  1) 31: 8/5 6/5", "  2)                              Drops      Wins 1 point"], ["illegal-action"]),
        (["  1) 31: Cannot Move               62: 24/18 13/11"], ["illegal-play"]),
        (["  1) 31: 8/5 6/5                 62: 24/18 13/11   11: 8/7(2) 6/5(2)"], ["unreadable-line"]),
        *(
            ([row, "  2) 11: 8/7(2)"], ["unreadable-line"])
            for row in ("  1) 31: 8/5 6/5 blah", "  1) hello", "  1) 31: 8/5 6/5    Doubles 2")
        ),
        (["  1) 31: 8/5 6/5", " Game 2", " Ann : 0          Bob : 0"], ["unfinished-game"] * 2),
    )
    def test_what_is_found(self, rows: list[str], expected: list[str]) -> None:
        match = loads(record(*rows))
        assert kinds(match) == expected
        assert match.games[0].cut == (expected[0] not in {"repeated-row-number", "unfinished-game"})
        assert match.score == (0, 0)

    def test_windows_1252(self) -> None:
        """Its bytes 0x80 to 0x9F are letters, other than in Latin-1; five mean nothing."""
        assert loads(record(score=" \x8aA\x81 : 0          B\x9c : 0").encode("latin-1")).players == ("ŠA\ufffd", "Bœ")


def loads_dice(text: str) -> object:
    return Event(Action.ROLL, argument=text).argument


class TestPlays:
    """The ways of writing plays, and of not writing them."""

    @loop.rows(("dice", "taken"), ("31", "18/15*/14"), ("13", "18/17*/14"))
    def test_ambiguous_play(self, dice: str, taken: str) -> None:
        """Both routes hit, and no star tells which: the order of the dice as written does."""
        board = "-" * 15 + "a-aA" + "-" * 7
        match = loads(record(f"; Set Pos={board}/0", f"  1) {dice}: 18/14                    62:"))
        assert kinds(match)[0] == "ambiguous-play"
        assert plays(match)[1] == taken

    @loop.rows(("text", "expected"), ("????", "hidden-play"), ("", "resign-without-marker"))
    def test_resigned_after_the_roll(self, text: str, expected: str) -> None:
        match = loads(record(f"  1) 31: {text}                  Wins 2 point"))
        final = match.games[0].final()
        assert kinds(match) == [expected]
        assert (final.result.winner, final.result.win, match.score) == (Player.BLACK, Win.GAMMON, (0, 2))


class TestEnds:
    """Who won, and how much."""

    def test_the_next_score_decides(self) -> None:
        text = record("  1) 31: 8/5 6/5", "      Wins 4016 point", " Game 2", " Ann : 0          Bob : 2")
        match = loads(text)
        result = match.games[0].final().result
        assert (result.winner, result.points) == (Player.BLACK, 2)
        assert set(kinds(match)) >= {"resign-odd-value"}

    @loop.rows(
        ("lines", "row", "words"),
        (("      Wins 1 point", "  2) 61: 13/7 8/7"), 2, "goes on after its stated end"),
        (("      Wins 1 point", "                                  Wins 1 point"), None, "more than once"),
        (("      Wins 1 point", "      Wins 2 point"), None, "more than once"),
        (("  2)  Losses 1 point                  Wins 2 point",), 2, "more than once"),
        (
            ("  2)  Doubles => 2                Drops", "      Wins 1 point", "      Wins 3 point"),
            None,
            "more than once",
        ),
    )
    def test_ends_that_contradict(self, lines: tuple[str, ...], row: int | None, words: str) -> None:
        first = "  1) 31: 8/5 6/5                 62: 24/18 13/11"
        finding = referee(loads(record(first, *lines)))[0]
        warned = Severity.WARNING, FindingKind.POINTS_MISMATCH, 1, row
        assert (finding.severity, finding.kind, finding.game, finding.row) == warned
        assert words in finding.explanation

    def test_only_the_points_of_the_winner_are_capped(self) -> None:
        lines = (
            "  1) 31: 8/5 6/5                 62: 24/18 13/11",
            "  2)  Losses 2 point                  Wins {} point",
        )
        for length, won, expected in ((1, 1, False), (2, 1, True), (0, 1, True), (7, 2, False), (3, 3, True)):
            text = record(*lines, length=length).format(won)
            assert any("more than once" in finding.explanation for finding in referee(loads(text))) == expected

    @loop.rows(
        ("line", "points"),
        ("wins wins wins losses wins", None),
        ("  2) Wins 1 point  Wins 1 point  Wins 1 point  Wins 1 point", 1),
    )
    def test_too_many_ends_in_a_row(self, line: str, points: int | None) -> None:
        match = loads(record("  1) 31: 8/5 6/5                 62: 24/18 13/11", line))
        assert FindingKind.UNREADABLE_LINE in kinds(match)
        result = match.games[0].result
        assert match.games[0].cut == (result is None)
        assert points == (result and result.points)

    def test_jacoby_by_the_points(self) -> None:
        text = record("  1) 31: 8/5 6/5", "      Wins 2 point", length=0)
        assert not loads(text).rules.jacoby
        assert loads('; [Jacoby "On"]\n' + text).rules.jacoby


class TestCube:
    START = ("  1) 31: 8/5 6/5                  Doubles => 2",)

    @loop.rows(
        "rows",
        ("  1) 31: 8/5 6/5                  Doubles => 4", "  2)  Takes"),
        ("  1) 31: 8/5 6/5                 62: 24/18 13/11", "  2)  Doubles => 2", "  3) 61: 13/7 8/7"),
        ("  1) 31: 8/5 6/5", "  2)  Doubles => 2"),
    )
    def test_wrong_value_no_answer_and_out_of_turn(self, rows: tuple[str, ...]) -> None:
        """Only after a beaver may the doubler roll without a word of taking."""
        match = loads(record(*rows))
        assert [kind for kind in kinds(match) if kind != "unfinished-game"] == ["illegal-action"]
        assert match.games[0].cut == (len(rows) != 2 or "=> 2" in rows[1])

    def test_raccoon(self) -> None:
        lines = ("  2)  Beavers => 4                Raccoons => 8", "  3)                             62: 24/18 13/11")
        match = loads(record(*self.START, *lines, "                                  Wins 8 points", length=0))
        assert match.games[0].final().cube == Cube(8, Player.WHITE)
        assert match.rules.beavers == 2
        assert loads(dumps(match)) == match


BOARD = "-b----E-C---eE---c-e----B-"


class TestSetByHand:
    DUMP = "Illegal play (7;0;1;0;0;Bob;Ann;0;0;0;1;0;0;{board};0;0;0;)"

    def test_illegal_play(self) -> None:
        board = [0] * 25
        for point, count in {1: -2, 6: 5, 8: 3, 12: -5, 13: 5, 17: -2, 18: -1, 19: -5, 24: 2}.items():
            board[point - 1] = count
        dump_ = self.DUMP.format(board=";".join(map(str, board)))
        match = loads(record(f"  1) 31: {dump_}    62: 24/18 13/11", "  2) 11: 8/7(2)"))
        assert kinds(match)[0] == "illegal-play"
        assert isinstance(match.games[0].events[1], SetPosition)
        assert match.games[0].events[1].on_roll is Player.BLACK
        followed = attrs.evolve(match, games=(attrs.evolve(match.games[0], cut=False),))
        assert loads(dumps(followed)) == match

    @loop.rows("field", "x", "", "99", "-3")
    def test_bad_dump(self, field: str) -> None:
        board = ";".join([field] + ["0"] * 24)
        match = loads(record(f"  1) 31: {self.DUMP.format(board=board)}", "  2) 11: 8/7(2)"))
        assert match.games[0].cut

    @loop.rows(("cube", "expected"), ("0", Cube()), ("-1", Cube(2, Player.WHITE)), ("2", Cube(4, Player.BLACK)))
    def test_set_pos(self, cube: str, expected: Cube) -> None:
        text = record(f"; Set Pos={BOARD}/{cube}", "  1)                           66: 24/18(2) 13/7(2)")
        match = loads(text)
        assert kinds(match) == ["unfinished-game"] + ["position-set"] * (expected != Cube())
        assert match.games[0].events[0] == SetPosition(Position.start(), Player.BLACK, expected)
        assert loads(dumps(match)) == match

    @loop.rows("bad", "", "?" * 26 + "/0", f"{BOARD}/x", f"{BOARD}/99")
    def test_bad_set_pos(self, bad: str) -> None:
        match = loads(record(f"; Set Pos={bad}", "  1) 31: 8/5 6/5"))
        assert match.games[0].cut

    def test_cannot_be_written(self) -> None:
        start = MatchState.new(7)
        events = (Event(Action.OPENING_ROLL, argument=(3, 1)), Event(Action.PLAY, Player.WHITE, "8/5 6/5"))
        game = Game(1, start, (*events, SetPosition(Position.start(), Player.WHITE)))
        with wording.raises(GammonError, "cannot be written"):
            dumps(Match(("A", "B"), 7, (game,)))


class TestBadInput:
    """Each is one clear sentence, or a finding beside which the rest is read."""

    @loop.rows(
        ("text", "sentence"),
        ("", "holds no match"),
        ("hello\nworld", "holds no match"),
        (b"\x7fELF\2\1\1\0\0\0", "NUL bytes"),
        ("7 point match\n Game 1\n Ann : 0  Bob : 0\n\0", "NUL bytes"),
        (" 7 point match\n\n", "holds no game"),
        (b"x" * (MAX_RECORD_SIZE + 1), "larger than 4 MiB"),
        ("x" * (MAX_RECORD_SIZE + 1), "larger than 4 MiB"),
    )
    def test_refused(self, text: str | bytes, sentence: str) -> None:
        with wording.raises(ParseError, sentence):
            loads(text)

    @loop.rows("text", "", " \r\n\t\n", b"\xef\xbb\xbf\n")
    def test_an_empty_file_is_called_so(self, text: str | bytes) -> None:
        with wording.tells(ParseError, "empty"):
            loads(text)

    @loop.over("marks", range(4))
    def test_byte_order_marks(self, marks: int) -> None:
        """However many stand at the beginning, a text and its bytes are the same record."""
        text = "\ufeff" * marks + ";\n" + record()
        as_text, as_bytes = loads(text), loads(text.encode())
        assert (as_text, as_text.findings) == (as_bytes, as_bytes.findings)

    @loop.rows("nothing", None, 5, b"x", ["x"], "a\0b", Path("a\0b"))
    def test_not_a_path(self, nothing: object) -> None:
        with wording.raises(ArgumentError, "expected a path or an open file, not "):
            load(nothing)
        with wording.raises(ArgumentError, "expected a path or an open file, not "):
            dump(resigned(3, Rules()), nothing)

    @loop.rows("nothing", None, 5, bytearray(b"7 point match"), ["7 point match"])
    def test_not_a_text(self, nothing: object) -> None:
        with wording.raises(ParseError, "a record must be a string or bytes, not "):
            loads(nothing)

    def test_not_a_match(self, tmp_path: Path) -> None:
        with wording.raises(ArgumentError, "match must be a Match, not 'x'"):
            dumps("x")
        with wording.raises(ArgumentError, "match must be a Match, not 'x'"):
            dump("x", tmp_path / "x.mat")
        assert not list(tmp_path.iterdir())

    def test_lines_outside_of_games(self) -> None:
        text = "what is this\n7 point match\nand this\n" + " Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5\n"
        match = loads(text)
        assert kinds(match)[:2] == ["unreadable-line", "unreadable-line"]
        assert len(match.games) == 1

    def test_a_game_without_its_score(self) -> None:
        match = loads(record("  1) 31: 8/5 6/5", "      Wins 2 point") + " Game 2\n  1) 31: 8/5 6/5\n")
        assert [game.score for game in match.games] == [(0, 0), (2, 0)]
        assert "unreadable-line" in kinds(match)

    def test_many_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As many as a file of this size may have: short ones cost as much time as others."""
        assert match_reading.MAX_GAMES == 5_000
        for most, read in ((5_000, 245), (200, 200)):
            monkeypatch.setattr(match_reading, "MAX_GAMES", most)
            match = loads("7 point match\n" + " Game 1\n : 0 : 0\n\n" * 1_000)
            assert len(match.games) == read
            assert any(f"no more than {read:,} games are read" in finding.explanation for finding in match.findings)


OPENING = Event(Action.OPENING_ROLL, argument=(3, 1))


def resigned(length: int | None, rules: Rules) -> Match:
    """A record of one game in which Black resigns."""
    first = OPENING if rules.opening == "shared" else Event(Action.OPENING_ROLL, argument=(3, 2))
    events = (first, Event(Action.RESIGN, Player.BLACK, Win.SINGLE), Event(Action.ACCEPT, Player.WHITE))
    return Match(("A", "B"), length, (Game(1, MatchState.new(length, rules=rules), events),), rules)


def renumbered(number: int) -> Match:
    match = resigned(3, Rules())
    return attrs.evolve(match, games=(attrs.evolve(match.games[0], number=number),))


def twice(first: Match, other: Match) -> Match:
    return attrs.evolve(first, games=(*first.games, *other.games))


def commented(comment: str) -> Match:
    match = resigned(3, Rules())
    return attrs.evolve(match, games=(attrs.evolve(match.games[0], comments=(comment,)),))


def agreed_starter(dice: str | None) -> Match:
    """A game without opening roll, which begins with this roll or with a double."""
    start = MatchState(Position.start(), Player.WHITE, length=3)
    event = Event(Action.DOUBLE, Player.WHITE) if dice is None else Event(Action.ROLL, Player.WHITE, dice)
    return Match(("A", "B"), 3, (Game(1, start, (event,)),))


class TestWriting:
    def test_file(self, tmp_path: Path) -> None:
        match = load(MATCHES / "xg-text/test.txt")
        dump(match, tmp_path / "again.mat")
        data = (tmp_path / "again.mat").read_bytes()
        assert load(tmp_path / "again.mat") == match
        assert not data.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in data
        assert data.endswith(b"\n")

    @loop.rows(
        "events",
        (),
        (Event("play", Player.BLACK, "8/5 6/5"), Event("roll", Player.WHITE, "62")),
        (Event("resign", Player.BLACK, Win.SINGLE), Event("accept", Player.WHITE)),
    )
    @loop.rows("is_opening", False, True)
    def test_a_record_that_begins_in_mid_turn(self, events: tuple[Event, ...], is_opening: bool) -> None:
        """The roll that is to be played is written, and what the format cannot say is named."""
        start = MatchState.new(7).opening_roll(white=1, black=3)
        if not is_opening:
            start = MatchState.new(7).opening_roll(white=3, black=1).play("8/5 6/5").roll("31")
        match = Match(("Ann", "Bob"), 7, (Game(1, start, events),))
        states = [state for state in loads(dumps(match)).games[0].states() if state.dice is not None]
        assert (states[0].position, states[0].on_roll, states[0].dice) == (start.position, Player.BLACK, start.dice)
        assert "games[0].start" in lost_fields(match, "mat")

    def test_canonical_form(self) -> None:
        match = loads(
            record(
                "  1)                             65: 24/13",
                "  2) 31: 8/5 6/5                  Doubles => 2",
                "  3)  Takes                      ????",
            ).replace("                      ????", "                      11: ????")
            + "      Wins 4 point\n"
        )
        assert dumps(match) == CANONICAL

    def test_hostile_names(self) -> None:
        match = Match(("a: 3 \x1b[2J b", " "), 7, (Game(1, MatchState.new(7)),))
        assert loads(dumps(match)).players == ("a. 3  [2J b", "Black")

    def test_only_missing_tags_are_added(self) -> None:
        rules = Rules(crawford=False, max_cube=64)
        match = Match(("A", "B"), 3, (Game(1, MatchState.new(3, rules=rules)),), rules, (("cubelimit", "64"),))
        again = loads(dumps(match))
        assert again.tags == (("cubelimit", "64"), ("Crawford", "Off"))
        assert again.rules == rules

    def test_another_start(self) -> None:
        start = Position.from_points((0, -2, *(0,) * 22, 2, 0))
        events = (Event(Action.OPENING_ROLL, argument=(3, 1)), Event(Action.PLAY, Player.WHITE, "24/21 24/23"))
        match = Match(("A", "B"), 3, (Game(1, MatchState.new(3, position=start), events),))
        again = loads(dumps(match)).games[0]
        assert again.events[0] == SetPosition(start, Player.WHITE, Cube())
        assert again.final().position == match.games[0].final().position

    @loop.rows(
        "rules",
        *(Rules(beavers=3), Rules(jacoby=True, beavers=1, auto_doubles=2)),
        *(Rules(max_cube=1), Rules(max_cube=2), Rules(max_cube=2048), Rules(jacoby=True, cube=False, max_cube=8)),
        *(Rules(gammons=False, backgammons=False), Rules(backgammons=False), Rules(opening="reroll")),
        *(Rules(cube=False, scoring="pips"), Rules(start="longgammon"), Rules(start="hypergammon1")),
    )
    @loop.rows("form", "mat", "sgf", "ogxm")
    def test_rules_with_tags_of_their_own(self, rules: Rules, form: str) -> None:
        again = loads(dumps(resigned(None, rules), form))
        assert again.rules == (rules if rules.cube else attrs.evolve(rules, max_cube=None))

    @loop.rows(
        "tags",
        '; [Scoring "Pips"]\n; [Jacoby "On"]\n; [Beaver "On"]\n; [CubeLimit "64"]\n; [AutoDoubles "3"]\n',
        '; [Gammons "Off"]\n; [Backgammons "On"]\n',
        '; [AutoDoubles "9999999999"]\n; [MaxCube "3"]\n; [OpeningRoll "twice"]\n; [Scoring "x"]\n',
    )
    def test_tags_of_ours_that_contradict_each_other(self, tags: str) -> None:
        """They give rules that are possible, whoever wrote them."""
        match = loads(tags + record("  1) 31: 8/5 6/5                 62: 24/18 13/11", length=0))
        assert len(match.games[0].events) == 4

    def test_tags_against_the_rules_are_replaced(self) -> None:
        match = attrs.evolve(resigned(3, Rules()), tags=(("crawford", "off"), ("Site", "x"), ("Jacoby", "On")))
        again = loads(dumps(match))
        assert again.tags == (("Site", "x"), ("Crawford", "On"), ("CubeLimit", "1024"))
        assert again == match

    def test_jacoby_is_said_where_a_reader_would_guess(self) -> None:
        """A stated end that fits better without Jacoby must not change the rules of the record."""
        stated = RecordedResult(Player.WHITE, 2)
        game = attrs.evolve(resigned(None, MONEY).games[0], events=(OPENING,), stated=stated)
        assert loads(dumps(Match(("A", "B"), None, (game,)))).rules == MONEY

    @loop.rows(
        ("match", "sentence"),
        (lambda: Match(("A", "B"), 3), "cannot be written in this format: the record holds no game"),
        (lambda: resigned(10**7, Rules()), "the record holds no match"),
        (lambda: renumbered(10**7), "the record holds no game"),
        (lambda: twice(renumbered(1), renumbered(10**7)), "only 1 of its 2 games would be read back"),
    )
    def test_what_would_be_read_as_something_else(self, match: Callable[[], Match], sentence: str) -> None:
        with wording.raises(GammonError, sentence):
            dumps(match())

    @loop.over(
        "comment",
        ['[Crawford "Off"]', '[Event "x"', "Set Pos=-b----E-C---eE---c-e----B-/3", "set pos=", "\tSET POS=/1"],
    )
    def test_comments_that_look_like_something_else(self, comment: str) -> None:
        """They stay comments: no rule, tag or board comes from them."""
        match = attrs.evolve(commented(comment), comments=(comment,))
        again = loads(dumps(match))
        assert again.comments == again.games[0].comments == (comment.strip(),)
        assert (again.rules, again.tags) == (match.rules, match.tags)
        assert again.games[0].events == match.games[0].events
        lost = [name for name in lost_fields(match, "mat") if "findings" not in name]
        assert lost == ([] if comment == comment.strip() else ["comments", "games[0].comments"])

    def test_lines_that_would_be_too_long(self) -> None:
        match = resigned(3, Rules())
        long = "x" * 2500
        for change in ({"players": (long, "B")}, {"tags": (("Event", long),)}, {"comments": (long,)}):
            with wording.raises(GammonError, "a name, a tag or a comment is too long"):
                dumps(attrs.evolve(match, **change))

    @loop.rows(("dice", "lost"), ("31", set()), ("33", {"findings.illegal-action"}))
    def test_agreed_starter(self, dice: str, lost: set[str]) -> None:
        """The first roll is written as if it opened the game; what that changes is named."""
        match = agreed_starter(dice)
        again = loads(dumps(match))
        assert again.games[0].final().position == match.games[0].final().position
        assert {name.removeprefix("games[0].") for name in lost_fields(match, "mat")} == {"start", "events"} | lost

    def test_a_starter_who_doubles_at_once(self) -> None:
        match = agreed_starter(None)
        assert loads(dumps(match)).games[0].events[1:] == match.games[0].events
        assert lost_fields(match, "mat") == ("games[0].start", "games[0].events")
        rerolls = MatchState.new(3, rules=Rules(opening="reroll"))
        dropped = Match.from_events(PLAYERS, rerolls, (OPENING, Event("double"), Event("drop")))
        assert loads(dumps(dropped)).score == dropped.score == (1, 0)

    def test_a_cut_game(self, tmp_path: Path) -> None:
        """Its error would be lost, so it is refused; shortened, its events and its stated end are written."""
        match = loads(record("  1) 31: 8/5 6/4                 62: 24/18 13/11", "      Wins 2 points"))
        assert match.games[0].cut
        with wording.raises(GammonError, "game 1 cannot be written: part of it could not be replayed"):
            dumps(match)
        with pytest.raises(GammonError):
            dump(match, tmp_path / "x.mat")
        assert not list(tmp_path.iterdir())
        shortened = dumps(match, shorten=True)
        assert shortened.endswith("  1) 31:\n      Wins 2 points\n".replace("31:\n", "31:" + " " * 25 + "\n"))
        dump(match, tmp_path / "x.mat", shorten=True)
        assert (tmp_path / "x.mat").read_text(encoding="utf-8") == shortened
        assert {"games[0].rest", "rolls", "games[0].findings.illegal-play"} <= {*lost_fields(match, "mat")}
        with wording.raises(ArgumentError, "shorten must be"):
            dumps(match, shorten="yes")  # type: ignore[call-overload]


CANONICAL = """\
 7 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             65: 24/18 18/13
  2) 31: 8/5 6/5                  Doubles => 2
  3)  Takes                      11: ????
      Wins 4 points
"""

RESIGNED = (OPENING, Event(Action.RESIGN, Player.BLACK), Event(Action.ACCEPT, Player.WHITE))
NEXT = Event(Action.NEXT_GAME)
PLAYERS = ("Ann", "Bob")
NEW = MatchState.new(3)


class TestFromEvents:
    """A server's log becomes a record: each next game begins a new game."""

    @given(strategies.matches(max_games=3, max_turns=5))
    def test_is_the_record_of_its_own_log(self, match: Match) -> None:
        log: list[RecordEvent] = []
        for game in match.games:
            begin = [Event(Action.NEXT_GAME, argument=game.start.position)] if log else []
            log += [*begin, *game.events]
        assert Match.from_events(match.players, match.games[0].start, log) == match

    @loop.rows("file_format", "mat", "sgf", "json")
    def test_equals_the_record_in_a_file(self, file_format: str) -> None:
        """However the events of a log are spelled, and whether or not they say who acted."""
        log = [
            Event("opening_roll", Player.BLACK, (2, 1)),
            Event("play", argument=[(6, 5), (13, 11)]),
            Event("double"),
            Event("take"),
            Event("roll", argument="14"),
            Event("play", Player.BLACK, [(6, 5), (24, 20)]),  # which hits
            Event("roll", argument="62"),
            Event("play", argument="24/18 25/23"),
            Event("resign", Player.BLACK),
            Event("accept"),
            Event("next_game", Player.WHITE),
            SetPosition(Position.start(), Player.WHITE),
            Event("roll", argument="65"),
            Event("play", argument=Position.start().legal_plays("65").find("24/13")),
            Forfeit(Player.WHITE),
        ]
        match = Match.from_events(PLAYERS, MatchState.new(5), log)
        assert match.games[0].events[5] == Event("play", Player.BLACK, "24/20* 6/5")
        assert loads(dumps(match, file_format)) == match

    def test_in_the_midst_of_a_match(self) -> None:
        start = MatchState.new(7, score=(2, 4)).opening_roll(3, 1)
        (game,) = Match.from_events(PLAYERS, start, RESIGNED[1:]).games
        assert (game.number, game.start, game.final().score) == (1, start, (3, 4))

    def test_positions_set_by_hand(self) -> None:
        """They stay in their game, also at the beginning of a game, or where a game goes on after its end."""
        board = SetPosition(Position.of(mine={6: 2}, theirs={5: 2}), Player.WHITE, Cube())
        roll = Event(Action.ROLL, Player.WHITE, "21")
        resign = Event(Action.RESIGN, Player.WHITE), Event(Action.ACCEPT, Player.BLACK)
        match = Match.from_events(PLAYERS, MatchState.new(3), (*RESIGNED, NEXT, board, roll, *resign))
        assert match.games[1].events == (board, roll, *resign)
        assert loads(dumps(match)).games[1].final() == match.games[1].final()
        again = Match.from_events(PLAYERS, MatchState.new(3), (*RESIGNED, board, *resign, NEXT))
        assert [game.start.score for game in again.games] == [(0, 0), (0, 1)]

    @loop.rows(
        ("players", "start", "events", "sentence"),
        (PLAYERS, NEW, (OPENING, NEXT), "event 2 of the log: no next game: the game is not over"),
        (
            PLAYERS,
            NEW,
            (OPENING, Event("play", argument="8/5 6/4")),
            'event 2 of the log: "8/5 6/4" with 31: 6/4 is 2 pips, which a roll of 31 does not give',
        ),
        (PLAYERS, NEW, (OPENING, "roll"), "event 2 of the log: an Event is applied to a table, not 'roll'"),
        (PLAYERS, NEW, OPENING, f"a log is a series of Event, SetPosition and Forfeit, not {OPENING!r:.60}..."),
        (PLAYERS, None, (), "a log starts with a MatchState, not None"),
        ("AB", NEW, (), "impossible match: players is a pair of names, White's and Black's, not 'AB'"),
        (
            PLAYERS,
            MatchState.new(3).opening_roll(3, 1).resign().accept(),
            (NEXT,),
            "impossible game: start is a game that is already over",
        ),
    )
    def test_refused(self, players: object, start: object, events: object, sentence: str) -> None:
        with wording.raises(GammonError, sentence):
            Match.from_events(players, start, events)

    @loop.rows(
        "event",
        Event("play", argument="8/6"),  # with 31, both dice can be played
        Event("play", argument="8/5 6/4"),
        Event("play", argument="two checkers"),
        Event("double"),
        Event("play", Player.BLACK, "8/5 6/5"),
        SetPosition(Position.of(mine={6: 1}, theirs={5: 1}), Player.WHITE, Cube(4, Player.WHITE)),
        Forfeit(Player.BLACK, 9),
        "roll",
    )
    def test_a_refusal_is_the_error_of_the_event(self, event: Any) -> None:
        """Its class and all its facts are those that `apply` raises, whose message it repeats."""
        start = MatchState.new(3, rules=Rules(max_cube=2))
        with pytest.raises(GammonError) as applied:
            start.apply(OPENING).apply(event)
        with pytest.raises(type(applied.value)) as refused:
            Match.from_events(PLAYERS, start, (OPENING, event))
        assert type(refused.value) is type(applied.value)
        assert vars(refused.value) == vars(applied.value)
        assert str(refused.value) == f"event 2 of the log: {applied.value}"


class TestRulesOfARecord:
    """Rules that are left out are those of the games."""

    RULES = Rules(start="nackgammon", crawford=False)

    def test_left_out(self) -> None:
        games = (Game(1, MatchState.new(5, rules=self.RULES)),)
        assert Match(PLAYERS, 5, games) == Match(PLAYERS, 5, games, None) == Match(PLAYERS, 5, games, self.RULES)
        assert Match(PLAYERS, 5, games).rules == self.RULES

    def test_of_games_that_differ(self) -> None:
        games = (Game(1, MatchState.new(5, rules=self.RULES)), Game(2, MatchState.new(5)))
        with wording.raises(GammonError, "impossible match: game 2 has different rules from the record"):
            Match(PLAYERS, 5, games)

    @loop.rows("rules", 5, np.array([3, 1]))
    @loop.rows("length", "7", (1,) * 100_000, np.array([3, 1]))
    def test_games_are_compared_with_a_length_and_rules_only(self, length: object, rules: object) -> None:
        """An array has no truth value when it is compared."""
        with pytest.raises(GammonError) as caught:
            Match(PLAYERS, length, (Game(1, MatchState.new(5)),), rules)
        assert "game 1" not in str(caught.value)
        assert len(str(caught.value)) < 300

    @loop.rows("form", np.array(["mat", "sgf"]), ["mat"], "castle")
    def test_what_is_no_format(self, form: object) -> None:
        for call in (lambda: loads("x", form), lambda: dumps(Match(PLAYERS, 5), form)):
            with pytest.raises(ArgumentError, match=r"^(the format to write|format) must be "):
                call()


@loop.rows("end", "\n\x1a", "\x1a", "\r\n\x1a")
def test_the_sign_at_the_end_of_a_dos_file_is_no_line(end: str) -> None:
    text = "5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5"
    assert loads(text + end) == loads((text + end).encode()) == loads(text)
    assert referee(loads(text + end)) == referee(loads(text))


def test_more_games_than_a_reader_takes() -> None:
    given_up = [Event("opening_roll", argument=(3, 1)), Event("resign", Player.BLACK), Event("accept")]
    log = [*given_up, Event("next_game")] * 400
    match = Match.from_events(("Ann", "Bob"), MatchState.new(None), log)
    with wording.tells(GammonError, "games", "401"):
        dumps(match)
