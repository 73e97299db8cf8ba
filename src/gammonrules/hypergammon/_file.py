"""The file of a table: 256 characters that say what follows; then for each position its numbers, of 24 bits each.

First the five chances of a game without a cube, in units of 1 / (2^24 - 1); then the equities of the columns, in units
of 1 / 2,796,202 above -3: so 0 and whole points are exact. They are little-endian, and positions stand in the order of
their numbers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Final

import numpy as np
from attrs import frozen

from gammonrules.bearoff.internals import Bytes, check_size
from gammonrules.board.array_checks import Floats
from gammonrules.errors import ParseError
from gammonrules.hypergammon._numbers import numbering
from gammonrules.values import counted

HEADER: Final = 256
CHANCES: Final = 5
EQUITIES: Final = 4
SIGN: Final = b"gammonrules Hypergammon table"
_FORM: Final = re.compile(
    SIGN + rb", version 1\n([123]) checkers?, (with|without) the Jacoby rule, (with|without) beavers\n"
    rb"largest error of a look at the next roll: (\S+), rounded (\S+)\nSHA-256 (\w{64})\n *\n"
)
_OF_CHANCES: Final = 2**24 - 1
_OF_EQUITIES: Final = 2**23 // 3
_ZERO: Final = 3 * _OF_EQUITIES


def to_bytes(chances: Floats, equities: Floats) -> Bytes:
    """`(N, 9, 3)`: the numbers as bytes."""
    words = np.empty((len(chances), CHANCES + equities.shape[1]), "<u4")
    np.rint(chances * _OF_CHANCES, out=words[:, :CHANCES], casting="unsafe")
    np.rint(equities * _OF_EQUITIES + _ZERO, out=words[:, CHANCES:], casting="unsafe")
    return np.ascontiguousarray(words.view(np.uint8).reshape(*words.shape, 4)[..., :3])


def from_bytes(content: Bytes) -> tuple[Floats, Floats]:
    """The chances and the equities of rows of bytes."""
    low, middle, high = (content[..., i].astype(np.int32) for i in range(3))
    words = low | middle << 8 | high << 16
    return words[..., :CHANCES] / _OF_CHANCES, (words[..., CHANCES:] - _ZERO) / _OF_EQUITIES


def rules_text(checkers: int, *, jacoby: bool, beavers: bool) -> str:
    options = (("without", "with")[option] for option in (jacoby, beavers))
    rules = "{} the Jacoby rule, {} beavers".format(*options)
    return f"{SIGN.decode()}, version 1\n{counted(checkers, 'checker')}, {rules}\n"


def header(rules: str, residuals: Iterable[float], numbers: Bytes) -> bytes:
    text = rules + "largest error of a look at the next roll: {:.2e}, rounded {:.2e}\n".format(*residuals)
    return f"{text}SHA-256 {_hash_of(text.encode(), numbers)}\n".encode().ljust(HEADER - 1) + b"\n"


@frozen(eq=False)
class Contents:
    """What a file has."""

    checkers: int
    jacoby: bool
    beavers: bool
    residual: float
    numbers: Bytes


def contents(content: Bytes, *, check: bool) -> Contents:
    """What a file with these bytes has. Raises ParseError."""
    start = content[:HEADER].tobytes()
    form = _FORM.fullmatch(start)
    if not form:
        other = "is damaged, or of a later version" if start.startswith(SIGN) else "is not that of a Hypergammon table"
        raise ParseError(f"the header of this file {other}")
    checkers, residual = int(form[1]), float(form[5])
    numbers = content[HEADER:]
    positions = int(numbering(checkers).starts[-1])
    columns = CHANCES + EQUITIES
    check_size(len(content), HEADER + 3 * columns * positions)
    if check and _hash_of(start[: form.start(6) - len("SHA-256 ")], numbers).encode() != form[6]:
        raise ParseError("the checksum of this table does not fit: the file is damaged")
    return Contents(checkers, form[2] == b"with", form[3] == b"with", residual, numbers.reshape(positions, columns, 3))


def _hash_of(text: bytes, numbers: Bytes) -> str:
    digest = hashlib.sha256(text)
    digest.update(numbers.data)
    return digest.hexdigest()
