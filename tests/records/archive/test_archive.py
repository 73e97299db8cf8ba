"""Archives of records: finding files, ZIP archives, reading in several processes, fingerprints."""

from __future__ import annotations

import copy
import io
import os
import re
import shutil
import struct
import warnings
import zipfile
from pathlib import Path

import pytest

import commands
import in_workers
import loop
import processes
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.records import ScanEntry, load, loads, scan
from gammonrules.records.archive import source_files, zip_files as zips
from gammonrules.records.archive.source_files import Source, for_each, sources

DATA = Path(__file__).parents[2] / "data" / "matches"
TEXTS = Path(__file__).parents[2] / "data" / "analysis" / "gnubg"
RECORD = "5 point match\n Game 1\n Zoë : 0      Kévin : 0\n  1) 31: 8/5 6/5\n"
OTHER = RECORD.replace("31: 8/5 6/5", "42: 8/4 6/4")
IS_POSIX = os.name == "posix"


def record(path: Path, text: str = RECORD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def paths_of(*paths: str | Path) -> list[str]:
    return [source.path for source in sources(*paths)]


class TestFindingFiles:
    def test_order(self, tmp_path: Path) -> None:
        for name in ("b/2.mat", "a/z/1.txt", "a/y.foo", "c.mat", "B.mat", "a/z.sgf", ".hidden/x.mat", "a/.x.mat"):
            record(tmp_path / name)
        wanted = ["B.mat", "c.mat", "a/y.foo", "a/z.sgf", "a/z/1.txt", "b/2.mat"]
        assert paths_of(tmp_path) == [str(tmp_path / name) for name in wanted]

    def test_every_file_once(self, tmp_path: Path) -> None:
        first, second = record(tmp_path / "a" / "1.mat"), record(tmp_path / "a" / "2.mat")
        assert paths_of(second, tmp_path, first, tmp_path / "a" / ".." / "a") == [str(second), str(first)]

    def test_what_is_named_is_hidden_or_not(self, tmp_path: Path) -> None:
        hidden = record(tmp_path / ".hidden" / ".x")
        assert [(source.path, source.is_named) for source in sources([hidden])] == [(str(hidden), True)]

    def test_a_file_that_is_named_after_its_folder(self, tmp_path: Path) -> None:
        named = record(tmp_path / "a.mat")
        record(tmp_path / "b.mat")
        assert [source.is_named for source in sources([tmp_path, named])] == [True, False]

    def test_an_archive_with_nothing_in_it(self, tmp_path: Path) -> None:
        zipfile.ZipFile(tmp_path / "e.zip", "w").close()
        for where, is_named in ((tmp_path / "e.zip", True), (tmp_path, False)):
            (source,) = sources([where])
            assert source.is_named is is_named
            assert "nothing to read" in str(source.error)

    def test_unreadable(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The tests may run as root, who can read everything."""
        record(tmp_path / "a" / "x.mat")
        record(tmp_path / "b" / "x.mat")
        listed = os.scandir

        def refuse(path: str) -> object:
            if path.endswith("a"):
                raise PermissionError(13, "Permission denied", path)
            return listed(path)

        monkeypatch.setattr(source_files.os, "scandir", refuse)
        assert [(Path(source.path).name, source.error) for source in sources([tmp_path])] == [
            ("a", "it cannot be opened: Permission denied"),
            ("x.mat", None),
        ]

    @loop.over(
        ("path", "words"),
        [("", "the path is empty"), ("a\0b", "NUL characters"), ("missing", "No such file"), ("\ud800", "cannot")],
    )
    def test_no_file(self, path: str, words: str) -> None:
        (source,) = sources([path])
        assert words in str(source.error)
        (entry,) = scan(path)
        assert entry == ScanEntry(source.path, error=source.error)

    @pytest.mark.skipif(not IS_POSIX, reason="paths of POSIX")
    def test_folders_nested_deeply(self, tmp_path: Path) -> None:
        """Until the paths are too long for the system."""
        here = os.open(tmp_path, os.O_RDONLY)
        for _ in range(1_400):
            os.mkdir("dd", dir_fd=here)
            inner = os.open("dd", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(here)
        (source,) = sources([tmp_path])
        assert "too long" in str(source.error)
        processes.run("rm", "-rf", tmp_path / "dd")

    @loop.rows("paths", (5,), (None,), (b"x",), ("x", [["y"]]), ([b"x"],))
    def test_no_path(self, paths: tuple[object, ...]) -> None:
        with pytest.raises(ArgumentError, match="expected paths"):
            scan(*paths)  # type: ignore[arg-type]


def zipped(path: Path, *members: tuple[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


def in_64_bits(*numbers: int) -> bytes:
    """An extra field."""
    return struct.pack(f"<2H{len(numbers)}Q", 1, 8 * len(numbers), *numbers)


NOT_THERE = "it is not in its ZIP archive, where the list of files there says"
DAMAGED = "it is damaged in its ZIP archive"
SPOILED: dict[str, tuple[bytes, dict[int, bytes], str | None]] = {
    "a place beyond 64 bits": (in_64_bits(1 << 63), {42: b"\xff" * 4}, NOT_THERE),
    "a place that is missing": (in_64_bits(), {42: b"\xff" * 4}, NOT_THERE),
    "a place beyond the end": (b"", {43: b"\x10"}, NOT_THERE),
    "the place of another": (b"", {42: b"\0" * 4}, DAMAGED),
    "a size in 64 bits": (in_64_bits(len(OTHER.encode())), {24: b"\xff" * 4}, None),
    "another size": (b"", {24: b"\1"}, DAMAGED),
    "more than there is": (b"", {23: b"\x10"}, NOT_THERE),
    "another checksum": (b"", {16: b"1234"}, DAMAGED),
    "an extra field that is cut": (b"\7\0\xff\0ab", {}, None),
    "a version to come": (b"", {6: b"\xff"}, None),
    "no UTF-8": (b"", {9: b"\x08", 46: b"\xff"}, None),
    "NUL": (b"", {46: b"\0"}, None),
    "encrypted": (b"", {8: b"\1"}, "it is encrypted in its ZIP archive: unpack it with its password"),
    "LZMA": (b"", {10: b"\x0e"}, "its ZIP archive uses a compression method other than deflate: unpack it"),
    "another part": (b"", {34: b"\1"}, NOT_THERE),
}
"""An extra field of a member and changes in its entry, which make it unreadable or do not."""


class TestPieces:
    """Texts of one game each, of matches that are alike: the names that GNU Backgammon gives them decide."""

    @staticmethod
    def texts(name: str, number: int) -> list[str]:
        """The first two games of a match, in one of which another position is shown."""
        first, second = ((TEXTS / f"match7662222_1ply{part}.txt").read_text("utf-8") for part in ("", "_002"))
        shown = re.findall(r"Position ID: (\S+)", first)
        return [f"{first.replace(shown[-1], shown[number], 1)}\n{name}\n", second.replace(shown[0], shown[number], 1)]

    def folder(self, path: Path, pattern: str) -> Path:
        """Three such matches."""
        for number, name in enumerate(("a", "b", "c")):
            for index, text in enumerate(self.texts(name, number)):
                record(path / pattern.format(name, "" if index == 0 else f"_{index + 1:03}"), text)
        return path

    @loop.rows("pattern", "match{}{}.txt", "{}{}.1ply.txt", "x{}{}")
    def test_joined_by_their_names(self, pattern: str, tmp_path_factory: pytest.TempPathFactory) -> None:
        folder = self.folder(tmp_path_factory.mktemp("x"), pattern)
        packed = tmp_path_factory.mktemp("y") / "x.zip"
        with zipfile.ZipFile(packed, "w") as file:
            for path in sorted(folder.iterdir()):
                file.write(path, f"in/{path.name}")
        for entries in ([*scan(folder)], [*scan(packed)]):
            names = [[Path(path).name for path in (entry.path, *entry.more)] for entry in entries]
            assert names == [[pattern.format(name, part) for part in ("", "_002")] for name in "abc"]
            assert all(entry.is_incomplete for entry in entries)  # two games more are missing

    def test_other_names_decide_nothing(self, tmp_path: Path) -> None:
        entries = [*scan(self.folder(tmp_path, "{}-game{}x.txt"))]
        assert [len(entry.more) for entry in entries] == [0] * 6

    def test_a_number_of_another_series_continues_nothing(self, tmp_path: Path) -> None:
        """Without the names, the first game of one match and the second of the other would be one."""
        self.folder(tmp_path, "{}{}.txt")
        for name in ("a_002.txt", "b.txt", "c.txt", "c_002.txt"):
            (tmp_path / name).unlink()
        entries = [*scan(tmp_path)]
        assert [(Path(entry.path).name, entry.more, entry.is_incomplete) for entry in entries] == [
            ("a.txt", (), True),
            ("b_002.txt", (), True),
        ]
        (tmp_path / "b_002.txt").rename(tmp_path / "b.txt")
        assert [len(entry.more) for entry in scan(tmp_path)] == [1]

    def test_a_number_that_does_not_fit_is_no_reason(self, tmp_path: Path) -> None:
        for name, part in (("x.txt", ""), ("x_002.txt", "_003")):
            shutil.copy(TEXTS / f"match7662222_1ply{part}.txt", tmp_path / name)
        assert [entry.more for entry in scan(tmp_path)] == [(), ()]

    def test_a_whole_match_is_not_loose(self, tmp_path: Path) -> None:
        for part in ("", "_002", "_003", "_004"):
            shutil.copy(TEXTS / f"match7662222_1ply{part}.txt", tmp_path)
        assert [entry.is_incomplete for entry in scan(tmp_path, TEXTS / "money-beaver_0ply.txt")] == [False, False]
        (unfinished,) = scan(record(tmp_path / "x" / "x.mat"))
        assert not unfinished.is_incomplete

    def test_what_stays_loose_is_said_where_matches_are_counted(self, tmp_path: Path) -> None:
        folder, output = tmp_path / "in", tmp_path / "out"
        folder.mkdir()
        for part in ("", "_003"):
            shutil.copy(TEXTS / f"match7662222_1ply{part}.txt", folder)
        said = "Counted as matches though some of their games are missing"
        for command in (
            ("export", folder, "-o", output / "t.csv"),
            ("convert", folder, output / "records", "--to", "json"),
            ("report", folder, "-o", output / "r.html"),
        ):
            run = commands.run(*command)
            assert f"{said}, which other texts may have: none continues them, or several do: 2 (" in run.stderr
        assert said in (output / "r.html").read_text("utf-8")
        summary = commands.run("referee", folder).stdout.splitlines()[-1]
        assert summary.startswith("2 matches, 2 of them without some games")


class TestZip:
    def test_members(self, tmp_path: Path) -> None:
        members = [("b/1.txt", RECORD), ("a.mat", OTHER), ("README.md", "Nothing\n"), ("__MACOSX/x", b"\0"), ("d/", "")]
        path = zipped(tmp_path / "x.zip", *members, ("b/.DS_Store", b"\0"))
        entries = list(scan(path))
        assert [entry.path for entry in entries] == [f"{path}/{name}" for name in ("b/1.txt", "a.mat", "README.md")]
        assert [entry.match for entry in entries] == [loads(RECORD), loads(OTHER), None]
        assert not any(entry.is_explicit for entry in entries)
        assert entries == list(scan(tmp_path))

    @loop.rows(
        ("names", "words"),
        (("gammonrules", "collection.anki2", "0"), "a deck of cards for Anki"),
        (("[Content_Types].xml", "word/document.xml"), "a document of Microsoft Office"),
        (("mimetype", "content.xml"), "a document or a book"),
        (("META-INF/MANIFEST.MF", "A.class"), "a program in Java"),
        (("points.npy", "dice.npy"), "a file of arrays for NumPy"),
    )
    def test_of_a_program(self, names: tuple[str, ...], words: str, tmp_path_factory: pytest.TempPathFactory) -> None:
        """It is one file, not an archive of those in it, and no record."""
        folder = tmp_path_factory.mktemp("own")
        path = zipped(folder / "x", *((name, RECORD) for name in names))
        for entry in (*scan(folder), *scan(path)):
            assert (entry.path, entry.error) == (str(path), f"this is {words}, not a record")
        with pytest.raises(ParseError, match=words):
            load(path)
        assert commands.run("referee", folder).stdout.endswith("skipped, not records: 1\n")

    def test_one_name_twice(self, tmp_path: Path) -> None:
        """Both are read, and each once, also where two paths lead to them."""
        path = tmp_path / "x.zip"
        with warnings.catch_warnings(action="ignore"):
            zipped(path, ("a", RECORD), ("a", OTHER))
        assert [entry.match for entry in scan(path, tmp_path)] == [loads(RECORD), loads(OTHER)]

    def test_load(self, tmp_path: Path) -> None:
        path = zipped(tmp_path / "x.zip", ("a.mat", RECORD), ("readme.txt", "Nothing"))
        assert load(path) == loads(path.read_bytes()) == loads(RECORD)
        assert load(io.BytesIO(path.read_bytes())) == loads(RECORD)

    @pytest.mark.parametrize(
        ("members", "words"),
        [
            ((), "has no record in it"),
            ((("a", RECORD), ("b", OTHER)), "several files in it, not just one record: records.scan"),
            ((("a", "Nothing"), ("b", "Nothing")), "has no record in it"),
            ((("a", "Nothing"),), "in this ZIP archive: the record holds no match"),
            (tuple((str(number), "Nothing") for number in range(101)), "several files"),
        ],
    )
    def test_load_without_one_record(self, tmp_path: Path, members: tuple[tuple[str, str], ...], words: str) -> None:
        with pytest.raises(ParseError, match=words):
            load(zipped(tmp_path / "x.zip", *members))

    def test_in_another(self, tmp_path: Path) -> None:
        inner = zipped(tmp_path / "inner.zip", ("a.mat", RECORD))
        outer = zipped(tmp_path / "outer.zip", ("inner.zip", inner.read_bytes()), ("b.mat", RECORD))
        first, second = scan(outer)
        assert first.error == "this is a ZIP archive inside another one: unpack the outer one first"
        assert second.match == loads(RECORD)

    def test_a_bomb(self, tmp_path: Path) -> None:
        first, second = scan(zipped(tmp_path / "x.zip", ("bomb", b"\0" * (2 << 20)), ("b.mat", RECORD)))
        assert first.error == "it inflates to more than 200 times its size in its ZIP archive, which no record does"
        assert second.match == loads(RECORD)

    def test_a_member_beyond_the_limit(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
            file.writestr("large", b" " * (zips.MAX_FILE_SIZE + 1))
        (entry,) = scan(tmp_path / "x.zip")
        assert entry.error == "the record is larger than 32 MiB, the limit"

    @pytest.mark.parametrize(("extra", "places", "words"), SPOILED.values(), ids=SPOILED)
    def test_a_bad_entry_spoils_no_other(
        self, tmp_path: Path, extra: bytes, places: dict[int, bytes], words: str | None
    ) -> None:
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("a.mat", RECORD)
            bad = zipfile.ZipInfo("b.mat")
            bad.extra = extra
            file.writestr(bad, OTHER)
        data = bytearray(path.read_bytes())
        entry = data.rindex(b"PK\x01\x02")
        for place, new in places.items():
            data[entry + place : entry + place + len(new)] = new
        path.write_bytes(data)
        good, other = scan(path)
        assert (good.path, good.match) == (f"{path}/a.mat", loads(RECORD))
        if words is None:
            assert other.match == loads(OTHER)
        else:
            assert words in str(other.error)
            assert load(path) == loads(RECORD)

    def test_cut_short_and_flipped_everywhere(self, tmp_path: Path) -> None:
        """Each gives sentences, never an exception, and what can be read is right."""
        path = zipped(tmp_path / "x.zip", ("a", RECORD), ("b", "\n"))
        data = path.read_bytes()
        for at in range(4, len(data), 2):
            for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]):
                path.write_bytes(damaged)
                entries = list(scan(path, workers=1))
                for entry in entries:
                    assert (entry.match is None) != (entry.error is None)
                    assert not entry.has_crashed
                if len(damaged) == len(data) and data.rindex(b"PK\x01\x02") <= at < data.index(b"PK\x05\x06"):
                    assert entries[0].match is not None  # whatever the entry of the other says

    def test_overlapping_members(self, tmp_path: Path) -> None:
        """As in the bombs that are smaller than what they inflate to by many orders of magnitude."""
        path = tmp_path / "x.zip"
        with zipfile.ZipFile(path, "w") as file:
            for name in "abc":
                file.writestr(name, RECORD + "\n" * 10_000)
            inside = file.filelist[1]
            swallowing = copy.copy(file.filelist[0])
            swallowing.compress_size *= 2
            file.filelist += [inside] * 9 + [swallowing]
        entries = list(scan(path))
        assert [entry.error for entry in entries[:3]] == [None] * 3
        assert {entry.error for entry in entries[3:]} == {"it overlaps another file in its ZIP archive"}

    def test_too_many_members(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = zipped(tmp_path / "x.zip", ("a", ""), ("b", ""))
        monkeypatch.setattr(zips, "MAX_MEMBERS", 1)
        assert [entry.error for entry in scan(path)] == ["this ZIP archive has more than 1 files, the limit"]
        monkeypatch.setattr(zips, "MAX_LIST_SIZE", 10)
        assert "list of files larger" in str(next(scan(path)).error)

    def test_a_list_that_is_said_to_be_huge(self, tmp_path: Path) -> None:
        path = zipped(tmp_path / "x.zip", ("a", ""))
        data = bytearray(path.read_bytes())
        at = data.index(b"PK\x05\x06") + 12
        data[at : at + 4] = (1 << 31).to_bytes(4, "little")
        path.write_bytes(data)
        assert "list of files larger" in str(next(scan(path)).error)

    def test_what_stands_around_it(self, tmp_path: Path) -> None:
        """Data before it, and a comment that contains the signs of a list; but not one part of several."""
        path = zipped(tmp_path / "x.zip", ("a", RECORD))
        whole = b"PK\x03\x04 or not" + path.read_bytes()[:-2] + b"\x19\x00PK\x05\x06 and PK\x06\x07" + b"." * 12
        path.write_bytes(whole)
        assert [entry.match for entry in scan(path)] == [loads(RECORD)]
        path.write_bytes(whole.replace(b"PK\x05\x06\0", b"PK\x05\x06\1"))
        assert [entry.error for entry in scan(path)] == [
            "this is one part of a ZIP archive that was split: join the parts first"
        ]

    @pytest.mark.parametrize(("encoding", "name"), [("utf-8", "שלום"), ("cp437", "é")])
    def test_names_without_an_encoding(self, tmp_path: Path, encoding: str, name: str) -> None:
        """UTF-8 that does not say so is recognized; others are shown as DOS would, and read all the same."""
        octets = name.encode(encoding)
        path = zipped(tmp_path / "x.zip", ("x" * len(octets), RECORD))
        path.write_bytes(path.read_bytes().replace(b"x" * len(octets), octets))
        (entry,) = scan(path)
        assert (entry.match, entry.path) == (loads(RECORD), f"{path}/{name}")

    def test_changed_while_it_is_read(self, tmp_path: Path) -> None:
        path = zipped(tmp_path / "x.zip", ("a", RECORD), ("b", OTHER))
        members = list(sources([path]))
        zipped(path, ("a", RECORD))
        assert members[0].content() == RECORD.encode()
        with pytest.raises(ParseError, match="damaged in its ZIP archive"):
            members[1].content()
        path.unlink()
        with pytest.raises(ParseError, match="cannot be opened"):
            members[0].content()


class TestScan:
    def test_no_record(self, tmp_path: Path) -> None:
        record(tmp_path / "README.txt", "Records of 2024\n")
        (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
        (tmp_path / "x.xg").write_bytes(b"RGMH and no more")
        record(tmp_path / "x.mat")
        by_name = {Path(entry.path).name: entry for entry in scan(tmp_path)}
        assert by_name["x.mat"].match == loads(RECORD)
        assert by_name["x.png"].error == "this is an image, not a record"
        assert {name for name, entry in by_name.items() if entry.error} == {"README.txt", "x.png", "x.xg"}
        assert all(not entry.is_explicit for entry in by_name.values())

    def test_duplicates(self, tmp_path: Path) -> None:
        swapped = RECORD.replace("  1) 31: 8/5 6/5", "  1)                   13: 6/5 8/5")
        swapped = swapped.replace("Zoë : 0      Kévin", "Kévin : 0      Zoë")
        record(tmp_path / "1.mat", OTHER)
        record(tmp_path / "2.mat")
        record(tmp_path / "3.mat", swapped)
        record(tmp_path / "4.mat")
        entries = list(scan(tmp_path))
        first = str(tmp_path / "2.mat")
        assert [entry.duplicate_of for entry in entries] == [None, None, first, first]
        assert list(scan(tmp_path, unique=True)) == list(scan(tmp_path, unique="game")) == entries[:2]
        record(tmp_path / "5.mat", RECORD.replace("Zoë", "Eve"))  # one equal play is no sign of a copy
        assert [entry.duplicate_of for entry in scan(tmp_path)] == [None, None, first, first, None]
        assert [len([*scan(tmp_path, unique=unique)]) for unique in (True, "game")] == [3, 3]

    def test_a_zip_file_among_texts_of_one_game_each(self, tmp_path: Path) -> None:
        for part in ("", "_002", "_003"):
            shutil.copy(TEXTS / f"match7662222_1ply{part}.txt", tmp_path)
        with zipfile.ZipFile(tmp_path / "match7662222_1ply_001.zip", "w") as archive:
            archive.writestr("readme.md", "Nothing")
        assert [entry.match and len(entry.match.games) for entry in scan(tmp_path)] == [3, None]

    @pytest.mark.parametrize("analyzed_first", [True, False])
    def test_texts_of_one_game_each_are_one_match(self, tmp_path: Path, analyzed_first: bool) -> None:
        """The match is the one in the record, whichever comes first, and the analyzed one is kept."""
        folders = tmp_path / "texts", tmp_path / "records"
        for part in ("", "_002", "_003", "_003_mwc", "_004"):
            record(folders[0] / f"x{part}.txt", (TEXTS / f"match7662222_1ply{part}.txt").read_text(encoding="utf-8"))
        record(folders[1] / "x.mat", (DATA / "galaxy" / "match7662222.txt").read_text(encoding="utf-8"))
        in_order = folders if analyzed_first else folders[::-1]
        by_name = {Path(entry.path).name: entry for entry in scan(*in_order)}
        assert by_name.keys() == {"x.txt", "x_003_mwc.txt", "x.mat"}
        whole, twin, other = (by_name[name] for name in ("x.txt", "x_003_mwc.txt", "x.mat"))
        assert [Path(path).name for path in whole.more] == ["x_002.txt", "x_003.txt", "x_004.txt"]
        assert whole.match is not None
        assert (whole.match.score, [game.number for game in whole.match.games]) == ((5, 1), [1, 2, 3, 4])
        assert whole.fingerprint == other.fingerprint
        first, second = (whole, other) if analyzed_first else (other, whole)
        assert (first.duplicate_of, second.duplicate_of, twin.duplicate_of is not None) == (None, first.path, True)
        assert twin.duplicate_games == (str(folders[0] / "x_003.txt") if analyzed_first else other.path,)
        assert [entry.path for entry in scan(*in_order, unique=True) if entry.path != twin.path] == [whole.path]
        assert [entry.path for entry in scan(*in_order, unique="game")] == [whole.path]

    def test_matches_without_a_play_are_no_duplicates(self, tmp_path: Path) -> None:
        for name in ("1.mat", "2.mat"):
            record(tmp_path / name, "5 point match\n Game 1\n A : 0      B : 0\n")
        entries = list(scan(tmp_path, unique=True))
        assert [(entry.fingerprint, entry.duplicate_of) for entry in entries] == [(None, None)] * 2


class TestWorkers:
    def test_a_function_fails(self) -> None:
        files = [Source(str(number)) for number in range(40)]
        results = list(for_each(in_workers.fail, files, in_workers.lost, workers=1))
        assert results[7] == "7 lost: gammonrules failed on this file, please report this: ValueError: what a mistake"
        assert results[8:] == [str(number) for number in range(8, 40)]


def test_twins_in_two_formats_have_the_same_fingerprint() -> None:
    first, other = (load(DATA / "xg-text" / name) for name in ("test.mat", "test.txt"))
    assert first.fingerprint == other.fingerprint
    others = [load(path) for path in (DATA / "endings").glob("*.txt")]
    assert len({match.fingerprint for match in (first, *others)}) == 1 + len(others)


def test_the_list_of_a_large_zip_file_is_bounded_too() -> None:
    """Files beyond 4 GiB state the size of the list a second time, in a larger field, and where that is."""

    def large(size: int) -> bytes:
        return struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, 0)

    whole = large(10) + large(zips.MAX_LIST_SIZE + 1) + struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 0, 0, 0)
    with pytest.raises(ParseError, match=r"^this ZIP archive has a list of files larger than 32 MiB, the limit$"):
        list(zips.listed_members(io.BytesIO(whole + end)))
    with pytest.raises(
        ParseError, match=r"^this ZIP archive is damaged or cut short: the list of its files is missing$"
    ):
        list(zips.listed_members(io.BytesIO(whole)))
