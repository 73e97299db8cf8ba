"""The file of a table: 256 characters that say what follows; then for each position its numbers, of 24 bits each.

First the five chances of a game without a cube, in units of 1 / (2^24 - 1); then the equities of the columns, in units
of 1 / 2,796,202 above -3: so 0 and whole points are exact. They are little-endian, and positions stand in the order of
their numbers.
"""

from __future__ import annotations

import re
from math import prod
from typing import Final

import numpy as np
from attrs import frozen

from gammonrules._arrays.checks import Floats
from gammonrules.bearoff.internals import Bytes, check_size, checksum
from gammonrules.errors import ParseError
from gammonrules.hypergammon._board_numbers import numbering
from gammonrules.hypergammon._columns import SolvedGame
from gammonrules.values import counted, shown

HEADER: Final = 256
CHANCES: Final = 5
SIGN: Final = b"gammonrules Hypergammon table"
_FORM: Final = re.compile(
    SIGN + rb", version 1\n(?P<checkers>[123]) checkers?, "
    rb"(?:matches to (?P<length>[1-9])"
    rb"|(?P<jacoby>with|without) the Jacoby rule, (?P<beavers>with|without) beavers)\n"
    rb"largest error of a look at the next roll: (?P<residual>\S+), rounded (?P<rounded>\S+)\n"
    rb"SHA-256 (?P<checksum>\w{64})\n *\n"
)
_MAX_ERROR: Final = 6
"""Points: an equity is from -3 to 3."""
_OF_CHANCES: Final = 2**24 - 1
_OF_EQUITIES: Final = 2**23 // 3
_ZERO: Final = 3 * _OF_EQUITIES
"""Units of 1 chance and of 1 point, and what stands for an equity of 0."""


def to_bytes(chances: Floats, equities: Floats) -> Bytes:
    """`(N, 5 + columns, 3)`: numbers that stand in columns, as bytes."""
    words = np.empty((chances.shape[1], CHANCES + len(equities)), "<u4")
    np.rint(chances.T * _OF_CHANCES, out=words[:, :CHANCES], casting="unsafe")
    words_of_equities = words[:, CHANCES:].T
    for equities_of_column, words_of_column in zip(equities, words_of_equities, strict=True):
        np.rint(equities_of_column * _OF_EQUITIES + _ZERO, out=words_of_column, casting="unsafe")
    four_bytes = words.view(np.uint8).reshape((*words.shape, 4))
    return np.ascontiguousarray(four_bytes[..., :3])  # little-endian: the highest of the four is 0


def from_bytes(content: Bytes) -> tuple[Floats, Floats]:
    """The chances and the equities of rows of bytes, in columns."""
    low, middle, high = (content[..., i].T.astype(np.int32) for i in range(3))
    words = low | (middle << 8) | (high << 16)
    return words[:CHANCES] / _OF_CHANCES, (words[CHANCES:] - _ZERO) / _OF_EQUITIES


def rules_text(game: SolvedGame) -> str:
    return f"{SIGN.decode()}, version 1\n{counted(game.checkers, 'checker')}, {game.rules}\n"


def header(rules: str, residual: float, rounded: float, numbers: Bytes) -> bytes:
    text = (
        f"{rules}largest error of a look at the next roll: {residual:.2e}, rounded {rounded:.2e}\n"
    )
    text += f"SHA-256 {checksum(text.encode(), [numbers])}\n"
    return text.encode().ljust(HEADER - 1) + b"\n"


@frozen(eq=False)
class Contents:
    """What a file has."""

    game: SolvedGame
    residual: float
    numbers: Bytes


def contents(content: Bytes, *, check: bool) -> Contents:
    """The contents of a file with these bytes. Raises ParseError. `check`: whether its checksum is compared."""
    start = content[:HEADER].tobytes()
    form = _FORM.fullmatch(start)
    if not form:
        if start.startswith(SIGN):
            raise ParseError("the header of this file is damaged, or of a later version")
        raise ParseError("the header of this file is not that of a Hypergammon table")
    _error_in(form["residual"])  # only checked: the numbers in the file are rounded
    residual = _error_in(form["rounded"])
    game = SolvedGame(
        int(form["checkers"]),
        length=None if form["length"] is None else int(form["length"]),
        jacoby=form["jacoby"] != b"without",
        beavers=form["beavers"] != b"without",
    )
    numbers = content[HEADER:]
    positions = int(numbering(game.checkers).starts[-1])
    bytes_of_number = 3
    shape = (positions, CHANCES + game.width, bytes_of_number)
    check_size(len(content), HEADER + prod(shape))
    if check:
        text = start[: form.start("checksum") - len("SHA-256 ")]
        if checksum(text, [numbers]).encode() != form["checksum"]:
            raise ParseError("the checksum of this table does not fit: the file is damaged")
    return Contents(game, residual, numbers.reshape(shape))


def _error_in(text: bytes) -> float:
    """An error as `header` writes it. Raises ParseError."""
    if re.fullmatch(rb"\d\.\d\de[-+]\d{2,3}", text):
        error = float(text)
        if error <= _MAX_ERROR:
            return error
    needed = f"a number from 0 to {_MAX_ERROR} such as 2.58e-07"
    raise ParseError(
        f"the header of this file is damaged: an error is {needed}, not {shown(text.decode('latin-1'))}"
    )
