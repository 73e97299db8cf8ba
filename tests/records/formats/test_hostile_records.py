"""Records that a stranger sends: files of other kinds, files that block, and texts built to cost time or memory."""

from __future__ import annotations

import gzip
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
import worst_records

import commands
import each
import loop
import processes
from gammonrules.board import IllegalPlayError, IllegalPlayReason, Position, refusals
from gammonrules.board.position import legal_play
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.records import MAX_RECORD_SIZE, FindingKind, Severity, load, loads, lost_fields, referee
from gammonrules.records.formats.mat import mat_reader
from gammonrules.records.transcript.findings import MAX_OF_A_KIND

RECORD = "7 point match\n Game 1\n Ann : 0    Bob : 0\n  1) 31: 8/5 6/5\n"


class TestFilesOfOtherKinds:
    """If a file is not a record, one sentence says what it is."""

    @loop.rows(
        ("content", "words"),
        (b"RGMH\1\0\0\0\x28\x20\0\0" + bytes(9000), "this eXtreme Gammon file is cut short or damaged"),
        (b"RGMH" + bytes(MAX_RECORD_SIZE), "this eXtreme Gammon file is cut short or damaged"),
        (b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n\x1f\x8b\0', "this BGBlitz file holds no"),
        (b"\xef\xbb\xbf( ;\nFF[4]\nGM[1]", "SGF is of a game other than backgammon"),
        (b"<!DOCTYPE html>\n<html><body>not found</body>", "a web page"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "a PDF document"),
        (gzip.compress(RECORD.encode()), "compressed with gzip: unpack it"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "an image"),
        (RECORD.encode("utf-16"), "this text is in UTF-16 or UTF-32: save it as UTF-8"),
        (RECORD.encode("utf-32"), "this text is in UTF-16 or UTF-32: save it as UTF-8"),
    )
    def test_is_named(self, content: str | bytes, words: str) -> None:
        with pytest.raises(ParseError) as caught:
            loads(content)
        assert words in str(caught.value)
        assert str(caught.value).startswith("this ")

    @loop.rows("first_line", "RGMH", "%PDF-1.7", "(;GM[6])", "PK", "<html>")
    def test_no_record_is_refused_for_its_first_line(self, first_line: str) -> None:
        assert loads(f"{first_line}\n{RECORD}").rolls == 1


class TestPaths:
    @loop.rows("path", "\ud800", "a\ud800.mat")
    def test_that_the_system_has_no_bytes_for(self, path: str) -> None:
        try:
            os.fsencode(path)
        except UnicodeEncodeError:
            with pytest.raises(ArgumentError, match="expected a path or an open file"):
                load(path)
        else:
            with pytest.raises(FileNotFoundError):
                load(path)

    def test_of_types_that_give_no_text(self) -> None:
        class OfBytes:
            def __fspath__(self) -> bytes:
                return b"x.mat"

        with pytest.raises(ArgumentError, match="expected a path or an open file"):
            load(OfBytes())


class TestWorstRecords:
    """Each is read, refereed and refused or written without an error that is not the library's, and without a flood."""

    @loop.over("name", worst_records.RECORDS)
    def test_small(self, name: str) -> None:
        size = 2_000 if name == "long names" else 1_000  # a name alone is longer
        match = loads(worst_records.RECORDS[name](size))
        findings = referee(match)
        counts = Counter((finding.severity, finding.kind) for finding in findings)
        assert all(number <= MAX_OF_A_KIND + 1 for number in counts.values())
        assert all(len(finding.text) <= 200 and len(finding.explanation) <= 700 for finding in findings)
        with suppress(GammonError):
            lost_fields(match, "mat")

    @loop.rows(
        ("name", "kind"),
        ("unknown variations", FindingKind.UNKNOWN_VARIATION),
        ("games of an illegal play", FindingKind.ILLEGAL_PLAY),
        ("games of an action out of turn", FindingKind.ILLEGAL_ACTION),
        ("games of one line", FindingKind.UNFINISHED_GAME),
        ("games of a match, scores that do not follow", FindingKind.SCORE_DOES_NOT_FOLLOW),
        ("lines that cannot be read", FindingKind.UNREADABLE_LINE),
    )
    def test_the_last_finding_says_that_there_are_more(self, name: str, kind: FindingKind) -> None:
        findings = [finding for finding in referee(loads(worst_records.RECORDS[name](8_000))) if finding.kind is kind]
        at_the_end = [
            finding.explanation.endswith("there may be more of this kind, which are not listed") for finding in findings
        ]
        assert at_the_end == [False] * MAX_OF_A_KIND + [True]

    def test_kinds_and_severities_are_counted_apart(self) -> None:
        """Many unimportant ones never hide an important one."""
        games = "Game 1\n A : 0 B : 0\n1)31:8/5 6/5\n" * 100 + "Game 1\n A : 0 B : 0\n1)31:2/1\n"
        assert [f.kind for f in referee(loads("0 point match\n" + games)) if f.severity is Severity.ERROR] == [
            FindingKind.ILLEGAL_PLAY
        ]


class TestShortLines:
    """A roll costs time however short it is, so a file has no more of them, and of lines, than real ones would fit."""

    def test_are_counted(self) -> None:
        """Two of the three marks of each row are rolls."""
        match = loads(worst_records.RECORDS["turns that pass"](32_000))
        assert match.rolls == pytest.approx((5_000 + 32_000 / 8) * 2 / 3, abs=2)
        (note,) = [finding.explanation for finding in match.findings if finding.kind is FindingKind.UNREADABLE_LINE]
        assert "no more than 8,999 lines and rolls are read" in note

    def test_end_the_reading_if_there_are_too_many(self) -> None:
        game = "Game 2\nA : 0 B : 0\n1) 31: 8/5 6/5\n"
        for size, games in ((9_000, 2), (16_000, 1)):
            assert len(loads(worst_records.RECORDS["lines that cannot be read"](size) + game).games) == games

    def test_of_a_real_game_are_read(self) -> None:
        """As short as people may write them."""
        rows = "1) 31: 8/5 6/5 62: 24/18 13/11\n" + "\n" * 3
        match = loads("0 point match\n" + f"Game 1\nA : 0 B : 0\n{rows}" * 250 + ";" * 20_000)
        assert match.rolls == 500
        line = "2) 31: 8/5 6/5 62: 24/18 13/11\n"
        assert loads(f"0 point match\nGame 1\nA : 0 B : 0\n{line * 3_000}").rolls == 6_000


class TestCubesAndBeavers:
    BEAVERS = f"0 point match\n Game 1\n A : 0 B : 0\n1) 31: 8/5 6/5\n2) {'':30}double\n" + "2)beaver beaver\n" * 700

    def test_are_bounded(self) -> None:
        match = loads(self.BEAVERS)
        assert match.rules.beavers == 24
        assert match.games[0].final().cube.value < 2**30
        assert [finding.kind for finding in referee(match) if finding.severity is Severity.ERROR] == [
            FindingKind.ILLEGAL_ACTION
        ]

    @pytest.mark.parametrize("end", ["", "      Losses\n", "      Wins 4 points\n", "2) take 31:\n"])
    @each.first("options", [(), ("--json",)])
    @pytest.mark.long
    def test_leave_the_other_files_of_a_run_alone(self, end: str, options: tuple[str, ...], tmp_path: Path) -> None:
        (tmp_path / "a.mat").write_text(self.BEAVERS + end)
        (tmp_path / "b.mat").write_text(RECORD)
        done = processes.run(*commands.PROGRAM, "referee", *options, tmp_path, check=False)
        assert (done.returncode, done.stderr) == (1, "")
        assert "b.mat" in done.stdout

    def test_a_cube_that_is_doubled_for_ever(self) -> None:
        match = loads(worst_records.RECORDS["cube doubled before each roll"](40_000))
        assert 2**20 <= match.games[0].final().cube.value <= 2**24
        assert "illegal-action" in {finding.kind for finding in referee(match)}


class TestWhatNobodyReads:
    """A legal play that proves another one illegal is only searched for if that one is listed."""

    def test_no_proof_is_searched(self, monkeypatch: pytest.MonkeyPatch) -> None:
        searched: list[object] = []
        nearest = refusals._nearest
        monkeypatch.setattr(refusals, "_nearest", lambda *arguments: searched.append(arguments) or nearest(*arguments))
        match = loads(worst_records.RECORDS["boards with the most plays, illegal"](15_000))
        assert len(match.games) > 75
        assert len(searched) == MAX_OF_A_KIND + 1

    def test_money_play_is_replayed_again_only_for_its_points(self, monkeypatch: pytest.MonkeyPatch) -> None:
        replayed: list[object] = []
        replay = mat_reader.replay
        monkeypatch.setattr(mat_reader, "replay", lambda *arguments: replayed.append(arguments) or replay(*arguments))
        loads("0 point match\n Game 1\n A : 0 B : 0\n1) 31: 2/1\n")
        assert len(replayed) == 1
        loads("0 point match\n Game 1\n A : 0 B : 0\n1) 31: 8/5 6/5\n      Wins 2 points\n")
        assert len(replayed) == 3

    @loop.rows("text", "24/23", "8/5", "24/18", "8/5 6/5", "bar/22", "", "2/1", "13/10 13/12", "8/5* 6/5")
    def test_what_is_legal_is_the_same(self, text: str) -> None:
        for roll in ("31", "11", "64"):
            plays = Position.start().legal_plays(roll)
            try:
                wanted = plays.find(text)
            except IllegalPlayError:
                wanted = None
            assert legal_play(plays, text) == wanted

    def test_the_proof_is_the_nearest_play(self) -> None:
        """The first of those that leave most points as they are, also among two thousand."""
        plays = Position.from_id("AAAA/3+UUlJKKQ").legal_plays("11")
        with pytest.raises(IllegalPlayError) as caught:
            plays.find("24/23")
        board = list(plays.position.points)
        board[24], board[23] = board[24] - 1, board[23] + 1
        agreements = [sum(map(int.__eq__, play.position.flip().points, board)) for play in plays]
        assert (caught.value.reason, caught.value.witness) == (
            IllegalPlayReason.MORE_OF_DOUBLET,
            plays[agreements.index(max(agreements))],
        )
