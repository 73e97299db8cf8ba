"""ZIP archives of records, changed at random, read as one record and as an archive; none of them ends the reading."""

from __future__ import annotations

import io
import random
import re
import tempfile
import warnings
import zipfile
from pathlib import Path

from fuzzing.harness import attempt, within
from fuzzing.readers import DATA, MAX_MESSAGE_LENGTH, SECONDS, SECONDS_A_MB, changed_bytes, changed_text, files
from gammonrules import ParseError
from gammonrules.records import Match, loads, scan

TEXTS = files("matches/endings/*")
BINARY = [path.read_bytes() for path in sorted(DATA.glob("matches/xg/*.xg"))][:1]
NAMES = ("a.mat", "b.txt", "../../c.mat", "/d.mat", "deep/e.mat", "e\\f.mat", ".hidden", "__MACOSX/._a", "ü.mat")


def case(rng: random.Random) -> bytes:
    """A ZIP file with a few members."""
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(file, "w") as archive:  # of names that come twice
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            method = rng.choice((zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2))
            info = zipfile.ZipInfo(rng.choice(NAMES))
            info.extra = rng.choice(
                (b"", b"", b"\1\0\x18\0" + rng.randbytes(24), b"\1\0\x08\0" + b"\0" * 8, rng.randbytes(7))
            )
            archive.writestr(info, _member(rng), method)
    data = file.getvalue()
    if rng.random() < 0.3:
        data = _relisted(rng, data)
    return changed_bytes(rng, data) if rng.random() < 0.6 else data


def _relisted(rng: random.Random, data: bytes) -> bytes:
    """With hostile numbers in one field of the list of its members, or at its end."""
    places = [
        header.start() + rng.choice(_FIELDS[header[0]]) for header in re.finditer(rb"PK(\x01\x02|\x05\x06)", data)
    ]
    at = rng.choice(places)
    return data[:at] + rng.choice(_NUMBERS) + data[at + 4 :]


_FIELDS = {b"PK\1\2": (6, 8, 16, 20, 24, 28, 30, 32, 34, 42), b"PK\5\6": (4, 6, 12, 16, 20)}
_NUMBERS = (b"\xff" * 4, b"\0" * 4, b"\0\0\0\x80", b"\xff\xff\0\0", b"\1\0\0\0", b"\0\0\1\0")


def _member(rng: random.Random) -> bytes:
    match rng.randrange(8):
        case 0:
            return rng.choice(BINARY)
        case 1:
            return b"\0" * rng.choice((0, 10, 1_000_000))
        case 2:
            return case(rng)
        case _:
            return changed_text(rng, TEXTS, "\n", 5_000)


def octets(case: bytes) -> bytes:
    """The file itself."""
    return case


def check(case: bytes) -> None:
    """One record is read, or there is a sentence; an archive gives an entry for each file in it."""
    seconds = 4 * SECONDS + 20 * SECONDS_A_MB * len(case) / 1e6
    match, error = attempt(lambda: loads(case), seconds=seconds, longest=MAX_MESSAGE_LENGTH)
    assert isinstance(match, Match) or isinstance(error, ParseError)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.zip")
        path.write_bytes(case)
        with within(seconds):
            entries = list(scan(folder, workers=1))
    assert entries
    for entry in entries:
        assert (entry.match is None) == (entry.error is not None)
        assert "please report" not in (entry.error or ""), entry.error
