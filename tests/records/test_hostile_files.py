"""Every format alike: files cut anywhere, two in one, under a wrong name, with numbers that are none, and noise.

Each is a match with findings, or one sentence. `fuzzing.readers.check_record` says what else must hold of a match.
"""

from __future__ import annotations

import io
import random
import zipfile
from pathlib import Path

import pytest

import bgf_files
import loop
from fuzzing import xg
from fuzzing.readers import check_record
from gammonrules import ParseError
from gammonrules.records import dumps, load, loads

DATA = Path(__file__).parents[1] / "data"
GAME = """; [Site "Turku"]
 3 point match

 Game 1
 Ann : 0      Bob : 0
  1) 31: 8/5 6/5     62: 24/18 13/11
  2)  Doubles => 2    Drops
      Wins 1 point
"""


def zipped(*contents: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number, content in enumerate(contents):
            archive.writestr(f"{number}.txt", content, zipfile.ZIP_DEFLATED)
    return file.getvalue()


SAMPLES = {
    "mat": GAME.encode(),
    "json": dumps(loads(GAME), "json").encode(),
    "sgf": dumps(loads(GAME), "sgf").encode(),
    "gnubg-text": (DATA / "analysis/gnubg-languages/match7662222_1ply_game1.en.txt").read_bytes()[:2_600],
    "xg-text": (DATA / "analysis/xg-text/money_play-with-note.txt").read_bytes(),
    "bgblitz-text": (DATA / "analysis/bgblitz-text/05_NRT_FR.txt").read_bytes(),
    "bgf": bgf_files.packed(bgf_files.match(bgf_files.game(bgf_files.OPENING, bgf_files.record(-1, 4, 7)))),
    "ogxm": (DATA / "matches/ogxm/fields.ogxm").read_bytes(),
    "zip": zipped(GAME.encode()),
}
"""A small file of each; that of .xg has thousands of bytes more."""
NAMES = list(SAMPLES)
XG = xg.packed({xg.MATCH: b"".join([xg._records()[0][0], *xg._records()[1][0][:9]])})


@pytest.mark.parametrize("name", NAMES)
class TestSamples:
    def test_is_read(self, name: str) -> None:
        match = loads(SAMPLES[name])
        assert match.games
        assert match.format == (name if name not in {"json", "zip"} else "mat")

    def test_cut_anywhere(self, name: str) -> None:
        """At every 19th byte, of those with more than a thousand at every 251st, and everywhere near the ends."""
        sample = SAMPLES[name]
        size = len(sample)
        for cut in range(size):
            if cut % (19 if size < 1_000 else 251) == 0 or not 5 <= cut < size - 10:
                check_record(sample[:cut])

    def test_without_its_beginning(self, name: str) -> None:
        sample = SAMPLES[name]
        for cut in range(1, len(sample), 1 + len(sample) // 12):
            check_record(sample[cut:])

    @loop.over("other", NAMES)
    def test_two_files_in_one(self, name: str, other: str) -> None:
        check_record(SAMPLES[name] + b"\0" * (name < other) + SAMPLES[other])

    @loop.rows("suffix", ".mat", ".sgf", ".xg", ".json", ".zip", ".exe", "")
    def test_its_name_means_nothing(self, name: str, suffix: str, tmp_path: Path) -> None:
        path = tmp_path / f"record{suffix}"
        path.write_bytes(SAMPLES[name])
        assert load(path) == loads(SAMPLES[name])


class TestXg:
    """The same for a binary file, whose bytes are too many to try each."""

    def test_is_read(self) -> None:
        assert loads(XG).format == "xg"

    def test_numbers_beyond_all_limits(self) -> None:
        head, game = xg._records()[0][0], xg._records()[1][0][:3]
        for at in range(8, 60, 4):
            for piece in (b"\xff\xff\xff\x7f", b"\0\0\0\x80"):
                changed = game[0][:at] + piece + game[0][at + 4 :]
                check_record(xg.packed({xg.MATCH: b"".join([head, changed, *game[1:]])}), 100_000)

    def test_cut_and_mixed(self) -> None:
        size = 20 * len(XG)
        for cut in (*range(0, 60, 5), *range(60, len(XG), 6_000), len(XG) - 1):
            check_record(XG[:cut], size)
        for sample in SAMPLES.values():
            check_record(sample + XG, size)
        check_record(XG + SAMPLES["mat"], size)


class TestNoise:
    @loop.rows("start", b"", b"RGMH", b"PK\3\4", b"(;GM[6]", b'{"type":"Match"', b"XGID=", b"5 point match\n")
    def test_of_any_length(self, start: bytes) -> None:
        rng = random.Random(repr(start))
        for size in (0, 1, 2, 10, 100, 1_000, 9_000, 100_000):
            check_record(start + rng.randbytes(size))
            check_record(start + bytes(size))

    def test_is_no_record(self) -> None:
        for content in (b"", b" ", b"\n" * 1000, b"\0" * 1000, b"hello", random.Random(1).randbytes(5_000)):
            with pytest.raises(ParseError):
                loads(content)
