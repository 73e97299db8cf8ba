"""Files with more than one match: all are read, each as if it were alone, and `load` says how many there are."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

import commands
import loop
import wording
from gammonrules.errors import ParseError
from gammonrules.records import Match, dumps, load, load_all, loads, loads_all, scan
from gammonrules.records.formats import match_reading, registry
from gammonrules.records.formats.decoding import unpacked
from real_records import loaded

DATA = Path(__file__).parents[2] / "data" / "matches"
MATCHES = [loaded(DATA / "galaxy" / f"match{number}.txt") for number in (1033650, 912571, 963673)]
SHORT = """; [Event "Spring {0}"]

{0} point match

 Game 1
 Ann{0} : 0                      Bob : 0
  1) 31: 8/5 6/5                 62: ????
      Wins 1 point{1}
"""
THREE = "\n".join(SHORT.format(length, " and the match" * (length == 1)) for length in (1, 3, 5))


def kinds(match: Match) -> list[str]:
    return [str(finding.kind) for finding in match.findings]


class TestEachAsIfAlone:
    @loop.rows("name", "mat", "sgf")
    def test_texts(self, name: registry.WrittenFormat) -> None:
        texts = [str(dumps(match, name)) for match in MATCHES]
        for end in ("\n", "\n\n\n"):
            matches = loads_all(end.join(texts))
            alone = [loads(text) for text in texts]
            assert matches == tuple(alone)
            assert [*map(kinds, matches)] == [*map(kinds, alone)]
            assert [match.rolls for match in matches] == [match.rolls for match in alone]

    def test_lines_are_those_of_the_file(self) -> None:
        assert [match.games[0].line for match in loads_all(THREE)] == [6, 15, 24]

    @loop.rows(
        ("between", "notes", "tags", "comments"),
        ('; [Site "X"]\n\n', (), 2, ()),
        (
            '; said of the first\n\n; said of the second\n; [Site "X"]\n',
            ("said of the first",),
            2,
            ("said of the second",),
        ),
        ("; said of the first\n\n", ("said of the first",), 1, ()),
        ("> an email\n", (), 1, ()),
    )
    def test_header_and_comments(
        self, between: str, notes: tuple[str, ...], tags: int, comments: tuple[str, ...]
    ) -> None:
        first, second = loads_all(SHORT.format(3, "") + between + SHORT.format(5, ""))
        assert (first.games[0].comments, second.comments, len(second.tags)) == (notes, comments, tags)

    def test_a_forfeit_belongs_to_the_match_before(self) -> None:
        first, second = loads_all(SHORT.format(3, "") + "; Bob wins by forfeit\n" + SHORT.format(5, ""))
        assert (len(first.games), len(second.games), len(second.tags)) == (2, 1, 1)

    @loop.rows(
        ("line", "games"),
        ("5 point match\n", 1),  # and no more
        ("5 point match\n  2) 31: 6/5 8/5\n Game 2\n Ann : 1  Bob : 0\n", 1),  # in mid-game
    )
    def test_a_line_without_a_game_begins_no_match(self, line: str, games: int) -> None:
        match = loads(SHORT.format(3, "") + line)
        assert len(match.games) == games
        assert "unreadable-line" in kinds(match)

    def test_other_games_in_sgf_are_left_out(self) -> None:
        of_go, (first, second, _) = "(;FF[4]GM[1]SZ[19];B[aa])", [str(dumps(match, "sgf")) for match in MATCHES]
        matches = loads_all(first + of_go + second)
        assert matches == tuple(map(loads, (first, second)))
        assert [
            [finding.game for finding in match.findings if "GM[1]" in finding.explanation] for match in matches
        ] == [[None], []]

    def test_matches_to_one_point_by_the_same_players(self) -> None:
        text = str(dumps(loads_all(THREE)[0], "sgf"))
        assert loads_all(text * 3) == (loads(text),) * 3

    def test_games_are_counted_together(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(match_reading, "MAX_GAMES", 2)
        first, second = loads_all(THREE)
        assert ("unreadable-line" in kinds(first), "unreadable-line" in kinds(second)) == (False, True)


class TestFiles:
    def test_load_says_how_many(self, tmp_path: Path) -> None:
        path = tmp_path / "three.mat"
        path.write_text(THREE)
        assert len(load_all(path)) == 3
        with pytest.raises(ParseError, match=r"holds 3 matches.*Ann1 against Bob, to 1, on line 6.*Ann3") as caught:
            load(path)
        wording.check(str(caught.value).removeprefix(f"{path}: "))

    def test_folders_and_zip_archives(self, tmp_path: Path) -> None:
        (tmp_path / "three.mat").write_text(THREE)
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
            archive.writestr("three.mat", THREE)
        scanned = [(entry.path, entry.match and entry.match.length) for entry in scan(tmp_path)]
        names = [str(tmp_path / name) for name in ("three.mat", "x.zip/three.mat")]
        assert scanned == [(name, length) for name in names for length in (1, 3, 5)]
        with pytest.raises(ParseError, match="holds 3 matches"):
            load(tmp_path / "x.zip")

    def test_the_command(self, tmp_path: Path) -> None:
        (tmp_path / "three.mat").write_text(THREE)
        result = commands.run("referee", tmp_path / "three.mat")
        assert [name in result.stdout for name in ("Ann1", "Ann3", "Ann5")] == [True] * 3
        out = tmp_path.with_name(f"{tmp_path.name}-out")
        result = commands.run("convert", tmp_path, out, "--to", "sgf")
        assert (result.exit_code, result.stdout) == (0, "3 records written\n")
        names = {path.name: load(path).length for path in out.iterdir()}
        assert names == {"three.sgf": 1, "three-2.sgf": 3, "three-3.sgf": 5}
        commands.refused("convert", tmp_path / "three.mat", tmp_path / "one.sgf", says="holds 3 matches")


COMPRESSED = b"\x28\xb5\x2f\xfd\x24\x05\x29\x00\x00hello\xa3\x6d\x9f\x88"
"""The bytes "hello" as Zstandard stores them, with a checksum."""


class TestZstandard:
    def test_an_older_python_names_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "compression.zstd", None)
        with pytest.raises(ParseError, match=r"Zstandard, which needs Python 3\.14"):
            loads(COMPRESSED)

    def test_a_newer_python_reads_it(self, tmp_path: Path) -> None:
        zstd = pytest.importorskip("compression.zstd", reason="needs Python 3.14")
        (tmp_path / "three.mat.zst").write_bytes(zstd.compress(THREE.encode()))
        assert [entry.match and entry.match.length for entry in scan(tmp_path)] == [1, 3, 5]
        assert load_all(tmp_path / "three.mat.zst") == loads_all(THREE)

    def test_it_is_bounded_and_may_be_damaged(self) -> None:
        zstd = pytest.importorskip("compression.zstd", reason="needs Python 3.14")
        assert len(unpacked(zstd.compress(bytes(10**7)), 1_000)) == 1_001
        with pytest.raises(ParseError, match="larger than 32 MiB"):
            loads(zstd.compress(b" " * (registry.MAX_FILE_SIZE + 1)))
        for content in (
            zstd.compress(THREE.encode())[:-9],
            COMPRESSED[:6],
            COMPRESSED[:9] + b"jello" + COMPRESSED[-4:],
        ):
            with pytest.raises(ParseError, match="damaged or cut short"):
                loads(content)
        assert registry.seems_to_be(COMPRESSED[:6]) is None
        assert unpacked(COMPRESSED, 9) == b"hello"
