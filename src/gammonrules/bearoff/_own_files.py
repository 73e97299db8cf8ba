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
from attrs import frozen

from gammonrules.bearoff._gnubg_files import check_size, must_be_possible
from gammonrules.bearoff._layouts import Bytes, number_of_layouts
from gammonrules.bearoff._one_sided import ExactStore, OneSided
from gammonrules.bearoff._solve_one_sided import Race, most_rolls, skip_to_first
from gammonrules.bearoff._two_sided import ExactPairs, TwoSided
from gammonrules.errors import ParseError

SIGN: Final = b"gammonrules bear-off table"
HEADER = 256
_FLOAT32 = 4
_FLOAT64 = 8
"""Bytes."""
_FORM = re.compile(
    rb"(?P<text>"
    + SIGN
    + rb", version 1\n(?:one-sided: (?P<bear_off>\d{1,9}) and (?P<first>\d{1,9}) rolls|two-sided)\n"
    + rb"(?P<points>\d{1,2}) points, (?P<checkers>\d{1,2}) checkers\n)"
    + rb"SHA-256 (?P<checksum>\w{64})\n *\n"
)


def own_header(kind: str, points: int, checkers: int, parts: list[npt.NDArray[Any]]) -> Bytes:
    text = f"{SIGN.decode()}, version 1\n{kind}\n{points} points, {checkers} checkers\n".encode()
    text += b"SHA-256 " + checksum(text, parts).encode() + b"\n"
    return np.frombuffer(text.ljust(HEADER - 1) + b"\n", np.uint8)


def checksum(text: bytes, parts: list[npt.NDArray[Any]]) -> str:
    """The SHA-256 of a header without its checksum, and of the numbers after it."""
    digest = hashlib.sha256(text)
    for part in parts:
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def read_own(content: Bytes, *, check: bool) -> OneSided | TwoSided:
    """The table in a file with these bytes. Raises ParseError. `check`: whether its checksum is compared."""
    header = content[:HEADER].tobytes()
    form = _FORM.fullmatch(header)
    if not form:
        raise ParseError(
            "the header of this bear-off table of gammonrules is damaged, or of a later version"
        )
    points = int(form["points"])
    checkers = int(form["checkers"])
    must_be_possible(points, checkers)
    number = number_of_layouts(points, checkers)
    is_one_sided = form["bear_off"] is not None
    if is_one_sided:
        races = _sizes_of_races(form, points, checkers)
        _check_data(content, form, races.size, check=check)
        return OneSided(points, checkers, _races_in(content, races, check=check))
    equities = 4 * number**2
    _check_data(content, form, _FLOAT32 * equities, check=check)
    values = content[HEADER:].view("<f4").reshape(number, number, 4)
    if check:
        # float32 may be a little beyond 1; with a NaN among the values both comparisons are false
        are_possible = values.min() > -1.001 and values.max() < 1.001
        if not are_possible:
            raise ParseError("an equity of this table is not from -1 to 1: the file is damaged")
    return TwoSided(points, checkers, ExactPairs(values, content[:HEADER]))


def _check_data(content: Bytes, form: re.Match[bytes], size: int, *, check: bool) -> None:
    """Raise ParseError unless so many bytes follow the header, and, to be checked, those that its checksum is of."""
    check_size(len(content), HEADER + size)
    if check and checksum(form["text"], [content[HEADER:]]).encode() != form["checksum"]:
        raise ParseError("the checksum of this table does not fit: the file is damaged")


@frozen
class _SizesOfRaces:
    """The rows of the two races of a one-sided table, and the numbers of rolls in them.

    Attributes:
        rows: the layouts to bear off.
        rolls: the columns of their chances.
        first_rows: the layouts to bear off the first checker, and one for all others.
        first_rolls: the columns of their chances.
    """

    rows: int
    rolls: int
    first_rows: int
    first_rolls: int

    @property
    def size(self) -> int:
        """In bytes: a mean for each row, and a chance for each number of rolls."""
        row = _FLOAT64 + _FLOAT32 * self.rolls
        first_row = _FLOAT64 + _FLOAT32 * self.first_rolls
        return self.rows * row + self.first_rows * first_row


def _sizes_of_races(form: re.Match[bytes], points: int, checkers: int) -> _SizesOfRaces:
    number = number_of_layouts(points, checkers)
    rolls = int(form["bear_off"])
    first_rolls = int(form["first"])
    most_columns = most_rolls(points, checkers) + 1  # one for 0 rolls, too
    for columns in (rolls, first_rolls):
        if not 1 <= columns <= most_columns:
            raise ParseError(
                f"no bear-off of {points} points and {checkers} checkers has chances of {columns} rolls"
            )
    first_rows = number - skip_to_first(points, checkers)
    return _SizesOfRaces(number, rolls, first_rows=first_rows, first_rolls=first_rolls)


def _races_in(content: Bytes, races: _SizesOfRaces, *, check: bool) -> ExactStore:
    # the means of both races, then the chances of both
    end_of_means = HEADER + _FLOAT64 * (races.rows + races.first_rows)
    means = content[HEADER:end_of_means].view("<f8")
    chances = content[end_of_means:].view("<f4")
    highest_mean = max(races.rolls, races.first_rolls)
    are_possible = (means >= 0) & (means <= highest_mean)  # which a NaN is not
    if not are_possible.all():
        raise ParseError("a mean number of rolls in this table is impossible: the file is damaged")
    size_of_bear_off = races.rows * races.rolls
    of_bear_off = chances[:size_of_bear_off].reshape(races.rows, races.rolls)
    of_first = chances[size_of_bear_off:].reshape(races.first_rows, races.first_rolls)
    if check:
        add_up = _are_chances(of_bear_off) and _are_chances(of_first)
        if not add_up:
            raise ParseError(
                "the chances of a layout of this table do not add up to 1: the file is damaged"
            )
    skip = races.rows - races.first_rows
    bear_off = Race(0, of_bear_off, means[: races.rows])
    first = Race(skip, of_first, means[races.rows :])
    return ExactStore(bear_off, first, content[:HEADER])


def _are_chances(rows: npt.NDArray[Any]) -> bool:
    """Whether each row adds up to 1. Whoever writes a file can write its checksum, too."""
    if rows.min(initial=0) < 0 or rows.max(initial=0) > 1:
        return False
    return bool(abs(rows.sum(axis=1) - 1).max() < 1e-3)  # which a NaN is not
