"""ZIP archives of records, changed at random, read as one record and as an archive; none of them ends the reading."""

from __future__ import annotations

import io
import random
import tempfile
import warnings
import zipfile
from pathlib import Path

from fuzzing.harness import attempt, within
from fuzzing.readers import DATA, LONGEST_MESSAGE, SECONDS, SECONDS_A_MB, changed_bytes, changed_text, files
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
            archive.writestr(zipfile.ZipInfo(rng.choice(NAMES)), _member(rng), method)
    data = file.getvalue()
    return changed_bytes(rng, data) if rng.random() < 0.8 else data


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
    match, error = attempt(lambda: loads(case), seconds=seconds, longest=LONGEST_MESSAGE)
    assert isinstance(match, Match) or isinstance(error, ParseError)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.zip")
        path.write_bytes(case)
        with within(seconds):
            entries = list(scan(folder, jobs=1))
    assert entries
    for entry in entries:
        assert (entry.match is None) == (entry.error is not None)
        assert "please report" not in (entry.error or ""), entry.error
