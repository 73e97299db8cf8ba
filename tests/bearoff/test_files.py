"""Files of bear-off tables, whole and damaged, and arguments that are not what they should be."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import re
import shutil
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import loop
import processes
import wording
from gammonrules import Position, bearoff
from gammonrules.errors import ArgumentError, DiceError, GammonError, ParseError, PositionError

Table = bearoff.OneSided | bearoff.TwoSided

SIDES = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)]
BOARDS = np.array([(0, *mine, *[0] * 20, -b, -a, 0) for mine in SIDES for a, b in SIDES if (*mine, a, b) != (0,) * 4])
LAST = Position.of(mine={1: 1, "off": 14}, theirs={1: 2, "off": 13})
MAKE = shutil.which("makebearoff", path=f"{os.environ['PATH']}{os.pathsep}/usr/games")
KINDS: dict[str, Callable[[], Table]] = {
    "one": lambda: bearoff.one_sided(1),
    "two": lambda: bearoff.two_sided(2, 2),
    "one of GNU": lambda: bearoff.one_sided(1, gnubg=True),
    "two of GNU": lambda: bearoff.two_sided(2, 2, gnubg=True),
}
kinds = pytest.mark.parametrize("name", KINDS)


def numbers(table: Table) -> list[Any]:
    """All that a table of these can be asked for."""
    one_sided = isinstance(table, bearoff.OneSided)
    return [table.rolls([count]) for count in range(16)] if one_sided else table.equities(BOARDS).tolist()


def accepted(path: Path) -> Table | None:
    """The table, if it is read and verified; anything but a table or one of our sentences is an error."""
    try:
        table = bearoff.open(path)
        table.verify()
    except ParseError as error:
        assert str(error).isprintable()
        assert len(str(error)) < 200 + len(str(path))
        return None
    return table


def sealed(header: bytes, data: bytes) -> bytes:
    """A file with the checksum of these lines and numbers."""
    checksum = f"SHA-256 {hashlib.sha256(header + data).hexdigest()}\n".encode()
    return (header + checksum).ljust(255) + b"\n" + data


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table"


class TestDamage:
    @kinds
    def test_a_wrong_byte(self, path: Path, name: str) -> None:
        """A checksum notices each; of a file of GNU Backgammon, those that change any number are noticed."""
        KINDS[name]().save(path)
        content, wrong = path.read_bytes(), []
        right = numbers(bearoff.open(path))
        for at in range(0, len(content), 1 if "GNU" in name else 3):
            path.write_bytes(content[:at] + bytes([content[at] ^ 1 << at % 8]) + content[at + 1 :])
            table = accepted(path)
            if table and ("GNU" not in name or numbers(table) != right):
                wrong.append(at)
        assert wrong == []

    def test_a_wrong_byte_beside_the_sample(self, path: Path) -> None:
        """The ends of the game are verified whole; what is no distribution is not answered for."""
        KINDS["two of GNU"]().save(path)
        content = path.read_bytes()
        for at in range(40 + 8 * 6, len(content), 8 * 6):
            path.write_bytes(content[:at] + b"\1" + content[at + 1 :])
            with pytest.raises(ParseError, match="a pair where a side has borne off everything"):
                bearoff.open(path).verify(1)
        KINDS["one of GNU"]().save(path)
        path.write_bytes(path.read_bytes()[:-1] + b"\1")
        with pytest.raises(ParseError, match="the chances of layout 15 do not add up to 1"):
            numbers(bearoff.open(path))

    @kinds
    def test_a_wrong_length(self, path: Path, name: str) -> None:
        KINDS[name]().save(path)
        content = path.read_bytes()
        lengths = [*range(0, len(content), 5), *(len(content) + more for more in (-1, 1, 2)), 2 * len(content)]
        assert [length for length in lengths if path.write_bytes((content * 2)[:length]) < 0 or accepted(path)] == []

    @loop.rows("name, place", ("one", 0), ("one", 18 * 8), ("one", -4), ("two", 0), ("two", 244), ("two", -4))
    @loop.rows("number", np.nan, np.inf, -2.0, 15.0, 1e30)
    def test_impossible_numbers_with_their_checksum(self, path: Path, name: str, place: int, number: float) -> None:
        """Whoever writes a file can write that, too: these numbers are told to nobody."""
        KINDS[name]().save(path)
        header, _, _ = path.read_bytes()[:256].partition(b"SHA-256")
        data = bytearray(path.read_bytes()[256:])
        wrong = np.array(number, "<f8" if (name, place) == ("one", 0) else "<f4").tobytes()
        place %= len(data)
        data[place : place + len(wrong)] = wrong
        path.write_bytes(sealed(header, bytes(data)))
        with pytest.raises(
            ParseError, match=f"^{re.escape(str(path))}: (an equity|a mean|the chances) .*: the file is damaged$"
        ):
            bearoff.open(path)
        with pytest.raises(ParseError):
            bearoff.open(path, check=False).verify()

    def test_a_possible_mean_that_no_play_has(self, path: Path) -> None:
        """It opens with its checksum; `verify` finds the layout whose plays lead to another."""
        KINDS["one"]().save(path)
        header, _, _ = path.read_bytes()[:256].partition(b"SHA-256")
        data = bytearray(path.read_bytes()[256:])
        means = np.frombuffer(data, "<f8", 16)
        means[5] *= 1 + 1e-6
        path.write_bytes(sealed(header, bytes(data)))
        table = bearoff.open(path)
        with pytest.raises(ParseError, match="layout 5 does not follow"):
            table.verify()

    @loop.rows("wrong", b"0", b"-1", b"1e9", b"nan", b"99", b"9" * 99, b"\xb2")
    def test_numbers_of_a_header_with_its_checksum(self, path: Path, wrong: bytes) -> None:
        """Its numbers are those of a table that can be, whether or not the checksum is looked at."""
        KINDS["one"]().save(path)
        content = path.read_bytes()
        text, data = content[:256].partition(b"SHA-256")[0], content[256:]
        for number in re.finditer(rb"(?<=[ \n])\d+(?= (?:and|rolls|points|checkers))", text):
            changed = text[: number.start()] + wrong + text[number.end() :]
            path.write_bytes(sealed(changed, data))
            for check in (True, False):
                with pytest.raises(ParseError):
                    bearoff.open(path, check=check)

    def test_more_rolls_than_there_can_be(self, path: Path) -> None:
        """Of which the file has chances, all of them 0: they would be told, and take memory."""
        bearoff.one_sided(2, 2).save(path)
        content = path.read_bytes()
        text = content[:256].partition(b"SHA-256")[0].replace(b"3 and 2 rolls", b"53 and 2 rolls")
        means, bear_off, first = content[256:328], content[328:400], content[400:]
        rows = [bear_off[at : at + 12] + bytes(200) for at in range(0, 72, 12)]
        data = b"".join((means, *rows, first))
        path.write_bytes(sealed(text, data))
        with wording.tells(ParseError, "53", "2 points"):
            bearoff.open(path)

    @loop.rows(
        "header, words",
        (b"", "not a bear-off table"),
        (b"PK\3\4 a ZIP archive", "not a bear-off table"),
        (b"gammonrules bear-off tables", "header of this bear-off table of gammonrules is damaged, or of a later"),
        (b"gammonrules bear-off table, version 2\n", "of a later version"),
        (b"gnubg-OS-06-15-1-1-1", "normal distributions instead of chances, which are not read"),
        (b"gnubg-OS-06-15-1-1-0", "cut short: it has 40 bytes, and its index takes 434,152"),
        (b"gnubg-OS-06-15-0-0-0", "cut short: it has 40 bytes instead of 3,472,936"),
        (b"gnubg-OS-06-15-1-7-0", "its header is not one of a bear-off"),
        (b"gnubg-TS-xx-06-1", "its header is not one of a bear-off"),
        (b"gnubg-TS-06-00-1", "no bear-off table has 6 points and 0 checkers"),
        (b"gnubg-TS-99-99-1", "no bear-off table has 99 points and 99 checkers"),
        (b"gnubg-TS-23-15-1", "cut short: it has 40 bytes instead of 1,914,885,"),
        (b"gnubg-H3", "for Hypergammon, which is not read"),
    )
    def test_headers(self, tmp_path: Path, header: bytes, words: str) -> None:
        path = tmp_path / "table"
        path.write_bytes(header.ljust(39, b"x") + b"\n" if header else b"")
        with pytest.raises(ParseError, match=re.escape(words)):
            bearoff.open(path)

    def test_what_is_no_file(self, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to("nowhere")
        for name in ("link", "missing"):
            with pytest.raises(FileNotFoundError):
                bearoff.open(tmp_path / name)
        for path in (tmp_path, Path(os.devnull)):
            with pytest.raises(ArgumentError, match="is not an ordinary file"):
                bearoff.two_sided(1, 1).save(path)
        with wording.tells(FileNotFoundError, filename=str(tmp_path / "no" / "a")):
            bearoff.two_sided(1, 1).save(tmp_path / "no" / "a")
        for wrong in (None, 3, b"table", "", "a\0b", ["table"]):
            for function in (bearoff.open, bearoff.two_sided(1, 1).save):
                with pytest.raises(ArgumentError, match="expected a path, not"):
                    function(wrong)  # type: ignore[arg-type]


class TestOpened:
    @kinds
    def test_saved_again(self, path: Path, name: str) -> None:
        """Over the file that it is read from; this one stays until the table is closed."""
        KINDS[name]().save(path)
        content = path.read_bytes()
        with bearoff.open(path) as table:
            right = numbers(table)
            if os.name == "posix":  # Windows keeps a file that is mapped
                table.save(path)
                bearoff.one_sided(1, 1).save(path)
                assert numbers(table) == right
                path.unlink()
            table.save(path)
            again = pickle.loads(pickle.dumps(table))
            both = copy.copy(table), copy.deepcopy(table)
            assert {table: 1}[table] == 1
            assert table.gnubg == ("GNU" in name)
        assert path.read_bytes() == content
        assert [numbers(other) for other in (again, *both)] == [right] * 3
        uses: list[Callable[[], object]] = [lambda: numbers(table), table.verify, lambda: table.save(path)]
        for use in uses:
            with pytest.raises(ArgumentError, match="this table is closed"):
                use()

    def test_not_written_to_the_end(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path.write_text("an older file", encoding="utf-8")

        def fail(_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space left"):
            bearoff.two_sided(1, 1).save(path)
        assert [each.read_text(encoding="utf-8") for each in path.parent.iterdir()] == ["an older file"]


ONE, TWO = bearoff.one_sided(2, 15), bearoff.two_sided(2, 2)
CONTACT = np.zeros((1, 26), np.int8)
CONTACT[0, [20, 3]] = 1, -1


@loop.over(
    "call, error, words",
    [
        *((lambda w=w: bearoff.one_sided(w), ArgumentError, "points must be") for w in (0, 11, True, 1.0)),
        *((lambda w=w: bearoff.one_sided(2, w), ArgumentError, "checkers must be") for w in (0, 16)),
        (lambda: bearoff.two_sided(2, 15), ArgumentError, "checkers must be a whole number from 1 to 14, not 15"),
        (lambda: bearoff.one_sided(2, 14, gnubg=True), ArgumentError, "checkers must be 15 in a one-sided table of"),
        (lambda: bearoff.two_sided(10, 14), ArgumentError, r"needs 123,\d{3},\d{3},\d{3},\d{3} bytes of memory"),
        *((lambda w=w: ONE[w], ArgumentError, "position must be a Position, not") for w in (None, "x")),
        *((lambda w=w: w in ONE, ArgumentError, "position must be a Position, not") for w in (None, "x", LAST.points)),
        *((lambda w=w: ONE.get(w), ArgumentError, "position must be a Position, not") for w in (None, LAST.id)),
        (lambda: TWO[Position.start()], bearoff.NotInTableError, "on the 24 point; the table ends with the 2 point"),
        (lambda: ONE.rolls([1, 2, 3]), ArgumentError, "counts must be those of at most 2 points"),
        *((lambda w=w: ONE.rolls(w), ArgumentError, "counts must be") for w in (None, "12", np.array(3))),
        *((lambda w=w: ONE.rolls(w), ArgumentError, r"counts\[1\] must be") for w in ([1, -1], [1, 0.5], [1, None])),
        (lambda: ONE.rolls([8, 8]), ArgumentError, "16 checkers, but the table has 15"),
        (lambda: ONE.plays(LAST, "71"), DiceError, "a roll must be"),
        *((lambda w=w: ONE.wins(w), PositionError, "points") for w in (None, [[1]], np.full((1, 26), np.nan))),
        *((lambda w=w: TWO.equities(w), PositionError, "points") for w in ([[16] * 26], [[300] * 26])),
        (lambda: TWO.equities(CONTACT, 16), ArgumentError, "checkers must be"),
        *((lambda w=w: TWO.plays(LAST, "31", w), ArgumentError, "cube must be") for w in ("", [])),
        *((lambda w=w: TWO[LAST].verdict(w), ArgumentError, "cube must be") for w in ("none", [])),
        *((lambda w=w: ONE.verify(w), ArgumentError, "sample must be") for w in (0, True)),
    ],
    ids=lambda case: case[2],
)
def test_arguments(call: Callable[[], object], error: type[GammonError], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_memory_that_does_not_suffice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers take twice 64 bytes; beside them, the plays need some."""
    monkeypatch.setattr("gammonrules.bearoff._make.free_memory", lambda: 200_000_127)
    with pytest.raises(ArgumentError, match="needs 200,000,128 bytes of memory to be computed, and 200,000,127 are"):
        bearoff.two_sided(1, 1)


def test_numbers_of_other_types() -> None:
    """Those of NumPy are whole numbers too, and large samples are all that there is."""
    table = bearoff.two_sided(np.int8(2), checkers=np.uint64(2))  # type: ignore[arg-type]
    assert (table.points, table.checkers, type(table.points)) == (2, 2, int)
    assert ONE.rolls(np.array([1, 1], np.int8)) == ONE.rolls((1, 1))
    table.verify(10**400)
    assert LAST in table


@pytest.mark.long
@pytest.mark.skipif(not MAKE, reason="no GNU Backgammon here")
class TestVariantsOfGnubg:
    """Each that `makebearoff` writes has the numbers of the plainest."""

    @pytest.mark.parametrize("options", ["", "-c", "-g", "-cg"])
    def test_one_sided(self, path: Path, options: str) -> None:
        processes.run(MAKE, "-o", 3, "-f", path, *options.split())
        table, right = bearoff.open(path), bearoff.one_sided(3, gnubg=True)
        assert isinstance(table, bearoff.OneSided)
        table.verify()
        for side in ([1, 0, 2], [0, 0, 15], [5, 4, 6], [3, 3, 3]):
            read, expected = table.rolls(side), right.rolls(side)
            assert (read.chances, read.mean) == (expected.chances, expected.mean)
            assert read.first_off == expected.first_off or "g" in options
            assert (not read.first_off) == ("g" in options)

    @pytest.mark.parametrize("options", ["", "-C"])
    def test_two_sided(self, path: Path, options: str) -> None:
        processes.run(MAKE, "-t", "2x2", "-f", path, *options.split())
        table, right = bearoff.open(path), bearoff.two_sided(2, 2, gnubg=True)
        assert isinstance(table, bearoff.TwoSided)
        table.verify()
        known = slice(0, 1 if options else 4)
        assert np.array_equal(table.equities(BOARDS)[:, known], right.equities(BOARDS)[:, known])
        if options:
            assert isnan(table[LAST].centered)
            assert table.plays(LAST, "31", "none")[0][1] == 1.0
            with pytest.raises(ArgumentError, match="this table has no equities with a cube"):
                table[LAST].best()
