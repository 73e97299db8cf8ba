"""Files of this library: 256 characters that say what follows, with its checksum; then the numbers as computed.

A one-sided table has the means of all layouts to bear off and of those with all checkers to bear off the first, as
float64 (the latter after a row for all others), then the chances of both as float32; a two-sided one the equities of
all pairs as float32. All are little-endian.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gammonrules.bearoff._gnubg_files import check_size, must_be_possible
from gammonrules.bearoff._layouts import Bytes, number_of_layouts
from gammonrules.bearoff._one_sided import ExactStore, OneSided
from gammonrules.bearoff._solve_one_sided import Race, most_rolls
from gammonrules.bearoff._two_sided import ExactPairs, TwoSided
from gammonrules.errors import ParseError

SIGN: Final = b"gammonrules bear-off table"
HEADER = 256
_FORM = re.compile(
    SIGN
    + rb", version 1\n(?:one-sided: (\d{1,9}) and (\d{1,9}) rolls|two-sided)\n"
    + rb"(\d{1,2}) points, (\d{1,2}) checkers\nSHA-256 (\w{64})\n *\n"
)


def own_header(kind: str, points: int, checkers: int, parts: list[npt.NDArray[Any]]) -> Bytes:
    text = f"{SIGN.decode()}, version 1\n{kind}\n{points} points, {checkers} checkers\n".encode()
    text += b"SHA-256 " + checksum(text, parts).encode() + b"\n"
    return np.frombuffer(text.ljust(HEADER - 1) + b"\n", np.uint8)


def checksum(text: bytes, parts: list[npt.NDArray[Any]]) -> str:
    digest = hashlib.sha256(text)
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def read_own(content: Bytes, *, check: bool) -> OneSided | TwoSided:
    """The table in a file with these bytes. Raises ParseError."""
    header = content[:HEADER].tobytes()
    if not (form := _FORM.fullmatch(header)):
        raise ParseError(
            "the header of this bear-off table of gammonrules is damaged, or of a later version"
        )
    *rolls, points, checkers = (int(part) if part else 0 for part in form.groups()[:4])
    must_be_possible(points, checkers)
    if wrong := [
        count for count in rolls if form[1] and not 1 <= count <= most_rolls(points, checkers) + 1
    ]:
        raise ParseError(
            f"no bear-off of {points} points and {checkers} checkers has chances of {wrong[0]} rolls"
        )
    number = number_of_layouts(points, checkers)
    data = content[HEADER:]
    text = header[: form.start(5) - len("SHA-256 ")]
    skip = number_of_layouts(points, checkers - 1) - 1
    rows = number, number - skip
    of_races = sum(count * (8 + 4 * columns) for count, columns in zip(rows, rolls, strict=True))
    check_size(len(content), HEADER + (of_races if form[1] else 16 * number**2))
    if check and checksum(text, [data]).encode() != form[5]:
        raise ParseError("the checksum of this table does not fit: the file is damaged")
    if not form[1]:
        values = data.view("<f4").reshape(number, number, 4)
        if check and not (values.min() > -1.001 and values.max() < 1.001):
            raise ParseError("an equity of this table is not from -1 to 1: the file is damaged")
        return TwoSided(points, checkers, ExactPairs(values, content[:HEADER]))
    means = data[: 8 * sum(rows)].view("<f8")
    chances = data[8 * sum(rows) :].view("<f4")
    if not ((means >= 0) & (means <= max(rolls))).all():
        raise ParseError("a mean number of rolls in this table is impossible: the file is damaged")
    of_bear_off, of_first = np.split(chances, [rows[0] * rolls[0]])
    bear_off = Race(0, of_bear_off.reshape(rows[0], rolls[0]), means[: rows[0]])
    first = Race(skip, of_first.reshape(rows[1], rolls[1]), means[rows[0] :])
    if check and not (_are_chances(bear_off.chances) and _are_chances(first.chances)):
        raise ParseError(
            "the chances of a layout of this table do not add up to 1: the file is damaged"
        )
    return OneSided(points, checkers, ExactStore(bear_off, first, content[:HEADER]))


def _are_chances(rows: npt.NDArray[Any]) -> bool:
    """Whether each row adds up to 1. Whoever writes a file can write its checksum, too."""
    possible = rows.min(initial=0) >= 0 and rows.max(initial=0) <= 1
    return bool(possible and abs(rows.sum(axis=1) - 1).max() < 1e-3)
