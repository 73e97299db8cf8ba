"""Records from open files and into them, as the standard library's readers take them."""

from __future__ import annotations

import errno
import io
import os
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final, Literal

import pytest

import loop
import wording
from gammonrules._shared import disk_files
from gammonrules._shared.disk_files import file_to_extend, new_file, write_whole
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.records import FindingKind, Match, Severity, dump, dumps, load, load_all, loads, loads_all
from gammonrules.records.formats.registry import MAX_FILE_SIZE, seems_to_be

DATA = Path(__file__).parents[1] / "data"
RECORD = "5 point match\n Game 1\n Zoë : 0      Kévin : 0\n  1) 31: 8/5 6/5\n"
MATCH = loads(RECORD)


class Endless:
    """A file without an end, which counts what is taken from it."""

    def __init__(self, item: str | bytes, most: int) -> None:
        self.item, self.most, self.taken = item, most, 0

    def read(self, size: int, /) -> str | bytes:
        part = self.item * min(size, self.most)
        self.taken += len(part)
        return part


class TestReading:
    @loop.rows("file", io.StringIO(RECORD), io.BytesIO(RECORD.encode()), io.BytesIO(RECORD.encode("cp1252")))
    def test_text_and_bytes(self, file: io.StringIO | io.BytesIO) -> None:
        assert load(file) == MATCH
        assert not file.closed

    def test_from_where_it_stands(self) -> None:
        file = io.StringIO("a line of something else\n" + RECORD)
        file.readline()
        assert load(file) == MATCH

    @loop.rows("size", 1, 7)
    def test_in_small_parts(self, size: int) -> None:
        class Slow(io.BytesIO):
            def read(self, most: int | None = -1, /) -> bytes:
                return super().read(size)

        assert load(Slow(RECORD.encode())) == MATCH

    @loop.rows("item", "x", b"x")
    @loop.rows("most", 1_000_000, MAX_FILE_SIZE + 1)
    def test_no_more_than_the_limit(self, item: str | bytes, most: int) -> None:
        file = Endless(item, most)
        with pytest.raises(ParseError, match="larger than 32 MiB"):
            load(file)
        assert file.taken == MAX_FILE_SIZE + 1

    def test_a_file_in_another_encoding(self) -> None:
        file = io.TextIOWrapper(io.BytesIO(RECORD.encode("cp1252")), encoding="utf-8")
        with pytest.raises(ParseError, match=r"cannot be read: .*0xeb"):
            load(file)

    def test_a_closed_file(self) -> None:
        file = io.StringIO(RECORD)
        file.close()
        with pytest.raises(ParseError, match="closed file"):
            load(file)

    def test_a_file_for_writing(self, tmp_path: Path) -> None:
        with (tmp_path / "x.mat").open("wb") as file, pytest.raises(OSError, match="read"):
            load(file)

    @loop.rows(("gives", "error"), (None, ParseError), (5, ArgumentError), (["x"], ArgumentError))
    def test_what_gives_no_text(self, gives: object, error: type[GammonError]) -> None:
        class Odd:
            def read(self, size: int, /) -> Any:
                return gives

        with pytest.raises(error):
            load(Odd())

    def test_a_binary_format_is_not_text(self) -> None:
        with pytest.raises(ParseError, match=r"^a record in the format 'xg' must be bytes, not a string$"):
            loads(RECORD, format="xg")

    def test_files_take_the_formats_that_texts_take(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text(NOT_RECORDS["a-page-on-the-format"], "utf-8")
        assert load(path, "mat") == load_all(path, "mat")[0]
        for read in (load, load_all):
            with pytest.raises(ParseError):
                read(path)
            with pytest.raises(ArgumentError, match=r"format must be .* not 'txt'"):
                read(path, "txt")

    def test_text_and_bytes_by_turns(self) -> None:
        class Odd:
            parts = iter(["x", b"x", ""])

            def read(self, size: int, /) -> str | bytes:
                return next(self.parts)

        with pytest.raises(ArgumentError, match="text or bytes"):
            load(Odd())


class TestWriting:
    @loop.rows(
        "open_file",
        io.StringIO,
        io.BytesIO,
        lambda: tempfile.NamedTemporaryFile("w+", encoding="utf-8"),  # noqa: SIM115
        tempfile.TemporaryFile,
    )
    def test_text_and_bytes(self, open_file: Callable[[], IO[Any]]) -> None:
        with open_file() as file:
            dump(MATCH, file)
            file.seek(0)
            assert load(file) == MATCH
            file.seek(0)
            assert file.read() in (dumps(MATCH), dumps(MATCH).encode())

    def test_a_character_that_the_encoding_lacks(self) -> None:
        octets = io.BytesIO()
        file = io.TextIOWrapper(octets, encoding="ascii")
        with pytest.raises(GammonError, match=r"cannot be written to this file: .*ascii"):
            dump(MATCH, file)
        file.flush()
        assert octets.getvalue() == b""

    def test_a_closed_file(self) -> None:
        file = io.StringIO()
        file.close()
        with pytest.raises(GammonError, match="closed file"):
            dump(MATCH, file)

    def test_a_file_for_reading(self, tmp_path: Path) -> None:
        (tmp_path / "x.mat").touch()
        with (tmp_path / "x.mat").open("rb") as file, pytest.raises(OSError, match="write"):
            dump(MATCH, file)

    def test_nothing_is_written_of_what_is_refused(self) -> None:
        file = io.StringIO()
        with pytest.raises(GammonError):
            dump(Match(("A", "B"), 7), file)
        with pytest.raises(ArgumentError):
            dump(MATCH, file, "bgf")
        assert file.getvalue() == ""


on_posix = pytest.mark.skipif(os.name != "posix", reason="links, locks and permissions of POSIX")


class TestWholeFiles:
    """What `dump`, `export` and the command write is complete or not there, and nothing else is touched."""

    @pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
    def test_a_run_that_is_stopped(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
        def fail(_number: int) -> None:
            assert len(list(tmp_path.iterdir())) == 2
            raise error

        (tmp_path / "x.mat").write_text("mine")
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(KeyboardInterrupt if error is KeyboardInterrupt else OSError):
            dump(MATCH, tmp_path / "x.mat")
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("x.mat", "mine")]

    @on_posix
    def test_nobody_can_put_something_in_the_way(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Not even who guesses the hidden name."""
        (tmp_path / "precious").write_text("mine")
        (tmp_path / ".gammonrules-0123456789abcdef.unfinished").symlink_to("precious")
        monkeypatch.setattr(os, "urandom", lambda _: bytes.fromhex("0123456789abcdef"))
        with pytest.raises(FileExistsError):
            dump(MATCH, tmp_path / "x.mat")
        assert (tmp_path / "precious").read_text() == "mine"
        assert not (tmp_path / "x.mat").exists()

    @on_posix
    def test_permissions(self, tmp_path: Path) -> None:
        path, plain = tmp_path / "x.mat", tmp_path / "plain"
        plain.touch()
        dump(MATCH, path)
        assert path.stat().st_mode == plain.stat().st_mode
        path.chmod(0o602)
        dump(MATCH, path)
        assert path.stat().st_mode & 0o777 == 0o602
        path.chmod(0o400)
        if not os.access(path, os.W_OK):
            with pytest.raises(PermissionError):
                dump(MATCH, path)

    @on_posix
    def test_links_are_followed(self, tmp_path: Path) -> None:
        for name in ("old", "new"):
            (tmp_path / f"{name}.mat").symlink_to(f"{name}-target")
        (tmp_path / "old-target").touch()
        for name in ("old", "new"):
            dump(MATCH, tmp_path / f"{name}.mat")
            assert (tmp_path / f"{name}.mat").is_symlink()
            assert load(tmp_path / f"{name}-target") == MATCH

    @on_posix
    def test_what_is_no_file(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        for path in (tmp_path, tmp_path / "pipe", "/dev/null"):
            with pytest.raises(ArgumentError, match="is not an ordinary file, so no file can replace it"):
                dump(MATCH, path)

    @pytest.mark.parametrize("name", ["x" * 251, "ש" * 125, "好" * 83])
    def test_the_longest_names(self, tmp_path: Path, name: str) -> None:
        for _ in range(2):
            dump(MATCH, tmp_path / f"{name}.mat")
        assert [path.name for path in tmp_path.iterdir()] == [f"{name}.mat"]

    @on_posix
    def test_a_folder_that_vanishes(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        with new_file(str(tmp_path / "in" / "x")) as new:
            (tmp_path / "in").rename(tmp_path / "out")
            with pytest.raises(FileNotFoundError):
                new.put_in_place()

    def test_two_at_the_same_time(self, tmp_path: Path) -> None:
        """Each is whole; the last one wins."""
        path = str(tmp_path / "x")
        with new_file(path) as first, new_file(path) as second:
            write_whole(path, b"three")
            for number, new in enumerate((first, second)):
                new.file.write(b"%d" % number)
                new.put_in_place()
                assert Path(path).read_bytes() == b"%d" % number
        assert [file.name for file in tmp_path.iterdir()] == ["x"]

    def test_a_second_run_on_one_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is added to is locked, where the system and the file system can."""

        def fail(*_: object) -> None:
            raise OSError(errno.ENOLCK, "No locks available")

        path = str(tmp_path / "x")
        with file_to_extend(path):
            if disk_files.fcntl is not None:
                with pytest.raises(ParseError, match="another run is writing to this file"), file_to_extend(path):
                    pass
                monkeypatch.setattr(disk_files.fcntl, "flock", fail)
                with file_to_extend(path):
                    pass
            monkeypatch.setattr(disk_files, "fcntl", None)
            with file_to_extend(path):
                pass


EXAMPLE = RECORD.replace(" Game", "\n Game")
BOARD = """ GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAkAAAAAAAAA
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
 | X           O    |   | O              X |     0 points
 | X           O    |   | O              X |
 |                  |BAR|                  |     7 point match (Cube: 1)
 | O           X    |   | X              O |     0 points
 +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: user
"""
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n"
PROSE = "Two columns follow, one for each player.\nThe roll stands before the play.\nBlank lines do not matter.\n"
CODE = "func TestParse(t *testing.T) {\n\tmatch, err := Parse(text)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"
NOT_RECORDS = {
    "a-page-on-the-format": f"# The .mat format\n\n## Example\n\n```\n{EXAMPLE}```\n\n## Rows\n\n{PROSE}",
    "a-test-in-go": f'package mat\n\nimport "testing"\n\n{CODE}\nconst text = `\n{EXAMPLE}`\n\n{CODE}',
    "a-manual-with-a-board": f"Node: Boards, Up: Top\n\nBoards\n******\n\n{PROSE * 5}\n{BOARD}\n{PROSE * 5}",
    "a-readme-with-xgids": f"# Boards\n\nDraws one:\n\n```\n{XGID}```\n\nor another one:\n\n```\n{XGID}```\n\n{PROSE}",
    "a-mail": f"From: Ann\nTo: Bob\n\nWhat would you play here?\n\n{XGID}\nI cannot see why running is wrong.\n\nAnn\n",
    "a-long-list": "# Contents\n\n" + "".join(f"1.{n} Boards\n" for n in range(6_000)) + PROSE * 2_100 + BOARD,
    "a-page-on-bgblitz": f"# Export\n\n{PROSE}\nPosition-ID: 4HPwATDgc/ABMA Match-ID: cAkAAAAAAAAA\n\n{PROSE}",
}


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(mark + line for line in text.splitlines(keepends=True))


PASTED = [
    DATA / "matches" / "galaxy" / "match1033650.txt",
    DATA / "matches" / "endings" / "match2900236.txt",
    DATA / "analysis" / "gnubg" / "match7662222_1ply.txt",
    DATA / "analysis" / "gnubg-boards" / "session.txt",
    DATA / "matches" / "bgblitz-text" / "01_checkerPosition_EN.txt",
    DATA / "analysis" / "xg-text" / "money_play.txt",
]
CUBES = [
    DATA / "analysis" / "xg-text" / "rollout-cube_money_decimal-comma.txt",
    DATA / "analysis" / "xg-text" / "money_play-with-note.txt",
    DATA / "analysis" / "bgblitz-text" / "02_NDT_JP.txt",
]


def each_line(text: str, change: Callable[[str], str]) -> str:
    return "\n".join(map(change, text.split("\n")))


def blanks_of_a_page(text: str) -> str:
    return text.replace("  ", "\N{NO-BREAK SPACE} ")


LINE_ENDS = {
    name: name.encode().decode("unicode_escape") for name in (r"\r\n", r"\r", r"\r\r\n", r"\n\r", r"\v", r"\u2028")
}
BLANK_LINES = {"doubled": "\n\n", "with blanks": "\n \t\n", "tripled": "\n\n\n"}
SIGNS: dict[str, Callable[[str], str]] = {
    "indented": lambda text: each_line(text, "    {}".format),
    "by tabs": lambda text: each_line(text, "\t{}".format),
    "blanks at ends": lambda text: each_line(text, "{} \t".format),
    "blanks of a page": blanks_of_a_page,
    "only such blanks": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
    "marks of an encoding": lambda text: f"\ufeff\ufeff\u200b{text}",
    "a page of paper": lambda text: f"\f{text}",
}


def all_of(match: Match) -> object:
    """What is read, apart from the lines of the file."""
    notes = [(game.notes, game.comments, game.pending) for game in match.games]
    return match.players, match.games, notes, [decision.analysis for decision in match.decisions()]


class TestPasted:
    """Texts as mails, forums and the sources of web pages show them; lines keep their numbers."""

    @loop.over("path", [*PASTED, *CUBES], ids=lambda path: path.name)
    def test_other_ends_of_lines_and_blanks(self, path: Path) -> None:
        text = path.read_text("utf-8")
        match = loads(text)
        expected = all_of(match)
        for how, change in SIGNS.items():
            assert all_of(loads(change(text))) == expected, how
        lines = [game.line or 0 for game in match.games]
        for how, end in (LINE_ENDS | BLANK_LINES).items():
            read = loads(text.replace("\n", end).encode())
            assert all_of(read) == expected, how
            factor = end.count("\n") if how in BLANK_LINES else 1
            assert [game.line for game in read.games] == [factor * (line - 1) + 1 for line in lines], how

    @loop.over("path", PASTED[2:4], ids=lambda path: path.name)
    def test_without_its_indentation(self, path: Path) -> None:
        text = path.read_text("utf-8")
        assert all_of(loads(each_line(text, str.strip))) == all_of(loads(text))

    def test_a_blank_of_a_name_stays(self) -> None:
        name = "Zo\N{NO-BREAK SPACE}B"
        assert loads(RECORD.replace("Zoë", name)).players[0] == name

    @loop.over("path", PASTED, ids=lambda path: path.name)
    def test_reads_like_the_file(self, path: Path) -> None:
        text = path.read_text("utf-8")
        expected = loads(text)
        entities = text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;").replace('"', "&quot;")
        pasted = {
            **{mark: quoted(text, mark) for mark in ("> ", ">", "> > ", ">>")},
            "a mail": f"Hello Ann,\n\n{quoted(text)}",
            "a fence": f"```text\n{text}```\n",
            "another fence": f"~~~\n{text}\n~~~\n",
            "a quoted fence": quoted(f"```\n{text}\n```\n"),
            "a quotation in a page": quoted(entities, "&gt; "),
        }
        if "=>" in text:
            pasted["a page"] = entities
        for how, each in pasted.items():
            read = loads(each)
            assert (read.format, read.players, read.tags) == (expected.format, expected.players, expected.tags), how
            assert read.games == expected.games, how
            more = 2 * how.startswith("a mail") + ("fence" in how)
            assert [game.line for game in read.games] == [(game.line or 0) + more for game in expected.games], how

    @loop.rows("form", "sgf", "json")
    def test_what_formats_say_themselves_stays(self, form: Literal["sgf", "json"]) -> None:
        words = "> a remark\n```\n=&gt;\n```"
        text = dumps(MATCH, form)
        for pasted in (quoted(text), f"```{form}\n{text}\n```\n", quoted(f"~~~\n{text}~~~\n")):
            assert loads(pasted).games == MATCH.games
        match = loads(dumps(MATCH, "sgf").replace("PW[", f"C[{words}]PW["))
        assert match.games[0].comments == tuple(words.split("\n"))
        assert loads(dumps(match, form)).games[0].comments == match.games[0].comments

    def test_an_entity_in_a_name_is_one(self) -> None:
        """Without the arrow of a double, or a quotation, nothing shows that the text comes from a web page."""
        assert loads(RECORD.replace("Zoë", "A&amp;B")).players[0] == "A&amp;B"
        assert loads(f"{RECORD}  2)  Doubles =&gt; 2\n".replace("Zoë", "A&amp;B")).players[0] == "A&B"

    def test_games_without_the_line_of_the_match(self) -> None:
        part = RECORD.split("\n", 1)[1]
        match = loads(part, "mat")
        assert (match.length, match.games[0].events) == (None, MATCH.games[0].events)
        (finding, *_) = match.findings
        assert (finding.severity, finding.line) == (Severity.WARNING, 1)
        missing = 'the line "N point match" or "Unlimited game" is missing'
        assert finding.explanation == f"{missing}, so the games are read as money play"
        with wording.raises(ParseError, missing):
            loads(part)
        with wording.raises(ParseError, "holds no match"):
            loads("nothing\n", "mat")


class TestEncodings:
    NAMES: Final = {"shift_jis": "テスト太郎", "cp1254": "Işık Ağaoğlu", "cp1251": "Иван Петров", "gbk": "你好世界"}

    @loop.over(("encoding", "name"), NAMES.items())
    def test_named(self, tmp_path: Path, encoding: str, name: str) -> None:
        path = tmp_path / "x.mat"
        path.write_bytes(RECORD.replace("Zoë", name).replace("é", "e").encode(encoding))
        expected = loads(RECORD.replace("Zoë", name).replace("é", "e"))
        for match in (load(path, encoding=encoding), *load_all(path, encoding=encoding)):
            assert (match, match.findings) == (expected, expected.findings)
        (every,) = loads_all(path.read_bytes(), "mat", encoding=encoding)
        assert loads(path.read_bytes(), encoding=encoding) == every == expected
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
            archive.write(path, "x.mat")
        assert load(tmp_path / "x.zip", encoding=encoding) == expected

    @loop.over("encoding", [name for name in NAMES if name != "cp1254"])
    def test_neither_utf_8_nor_windows_1252(self, encoding: str) -> None:
        text = f'; [Event "x"]\n{RECORD}'.replace("Zoë", self.NAMES[encoding]).replace("é", "e")
        finding, *_ = loads(text.encode(encoding)).findings
        assert (finding.kind, finding.severity, finding.line) == (FindingKind.UNREADABLE_LINE, Severity.WARNING, 4)
        assert "neither UTF-8 nor, it seems, Windows-1252" in finding.explanation
        for known in (loads(text), loads(text.encode()), loads(text.encode(encoding), encoding=encoding)):
            assert finding not in known.findings

    @loop.over(
        "name", ["Zoë", "Ærøskøbing", "ÅÄÖ", "Żaneta O’Brien", "„Ünal“", "Señor Ñandú", "crème brûlée…", "½ £5", "Çağ"]
    )
    def test_names_of_western_languages_are_plausible(self, name: str) -> None:
        record = RECORD.replace("Zoë", name.replace("ğ", "g").replace("Ż", "Z"))
        assert loads(record.encode("cp1252")).findings == loads(record).findings

    @loop.rows(
        ("record", "encoding", "sentence"),
        (RECORD.encode(), "klingon", "there is no encoding 'klingon' of texts"),
        (RECORD.encode(), "rot13", "there is no encoding 'rot13' of texts"),
        (RECORD.encode(), "a\0", "there is no encoding 'a\\x00' of texts"),
        (RECORD.encode(), 8, "encoding must be the name of one, such as 'shift_jis', not 8"),
        (RECORD, "utf-8", "encoding='utf-8' is for bytes, and this record is a string"),
        (RECORD.encode("cp1252"), "utf-8", "the record is not in the encoding 'utf-8': see line 3"),
    )
    def test_refused(self, record: Any, encoding: Any, sentence: str) -> None:
        with pytest.raises((ArgumentError, ParseError)) as caught:
            loads(record, encoding=encoding)
        assert str(caught.value) == sentence

    def test_a_binary_record_has_none(self) -> None:
        path = DATA / "matches" / "xg" / "test.xg"
        assert load(path, encoding="shift_jis") == load(path)


class TestOnlyALineOfOne:
    """Manuals, sources and mails have lines that look like a record; that alone does not make them one."""

    @loop.over("text", NOT_RECORDS.values())
    def test_is_refused(self, text: str) -> None:
        with wording.tells(ParseError, "not a record"):
            loads(text)
        assert seems_to_be(text.encode()) is None

    def test_a_sign_that_is_damaged_as_well(self) -> None:
        assert seems_to_be(b"# Identifiers\n\nAn XGID begins with\n\nXGID=-b----E-C---eE---c-e----B-:x\n") is None

    def test_is_read_in_a_format_that_is_named(self) -> None:
        assert loads(NOT_RECORDS["a-page-on-the-format"], "mat").rolls == 1
        assert loads(NOT_RECORDS["a-mail"], "xg-text").length == 7
        assert loads(NOT_RECORDS["a-manual-with-a-board"], "gnubg-text").players == ("user", "gnubg")

    @loop.rows("before", "Ann wrote:\n\n", '# 1\n; [Site "?"]\n\n', "From: a@example.org\n\nHello Bob,\n\n")
    @loop.rows(
        "name",
        "matches/galaxy/match9806622.txt",
        "analysis/xg-text/money_play-with-note.txt",
        "analysis/bgblitz-text/05_NRT_FR.txt",
    )
    def test_a_little_around_a_record(self, before: str, name: str) -> None:
        text = (DATA / name).read_text(encoding="utf-8-sig")
        assert [game.events for game in loads(before + text).games] == [game.events for game in loads(text).games]

    @loop.rows(
        "before",
        "Player A: Ann\nPlayer B: Bob\nSite: Club\nEvent: Open\nRound: Final\n",
        "# Played by Ann and Bob\n// one\n% two\n// three\n% four\n",
        "---------\n  Ann\n  Bob\n---------\n",
        "Hi all,\nhere is my last match.\nWhat do you think?\n[code]\n",
    )
    def test_a_banner_above_a_short_record(self, before: str) -> None:
        rows = "  1) 31: 8/5 6/5                   42: 24/20 13/11\n  2)  Doubles => 2                  Drops\n"
        assert loads(f"{before}{RECORD}\n{rows}      Wins 1 point\n").winner is None

    def test_whatever_follows_its_beginning(self) -> None:
        for beginning in (RECORD, XGID, "; a comment\n\n" + RECORD):
            assert loads(beginning + PROSE * 9).length in {5, 7}
