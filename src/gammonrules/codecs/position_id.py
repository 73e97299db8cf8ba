"""GNU Backgammon's Position ID: a board in 14 characters, on plain values.

The board is written as 80 bits, least significant bit of each byte first: for the player *not* on roll
and then for the player on roll, the points 1 to 24 in that player's own numbering and then his bar, each
as one `1` a checker and a closing `0`. The ten bytes are Base64 text without its padding.
"""

from __future__ import annotations

from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Iterable

from gammonrules.codecs.text import base64_characters
from gammonrules.errors import IdentifierError

_BYTES = 10
_FIELDS = 25  # points 1 to 24 and the bar
LENGTH = 14


def encode(theirs: Iterable[int], mine: Iterable[int]) -> str:
    """The Position ID of two halves, each the counts on points 1 to 24 and the bar."""
    bits = 0
    width = 0
    for count in (*theirs, *mine):
        bits |= ((1 << count) - 1) << width
        width += count + 1
    return b64encode(bits.to_bytes(_BYTES, "little")).decode("ascii")[:LENGTH]


def decode(text: str) -> tuple[bytes, bytes]:
    """The two halves (theirs, mine) of a Position ID, a byte for each count; IdentifierError if it is none."""
    body = base64_characters(text, "Position ID", LENGTH)
    # 14 characters are four bits more than ten bytes; a writer leaves them 0
    if body[-1] not in "AQgw":
        raise IdentifierError(f"Position ID: bits are set beyond the tenth byte, in the last character of {body!r}")
    counts = width = 0
    for byte in a2b_base64(body + "=="):
        counts += _COUNTS[byte] << width
        width += _WIDTHS[byte]
    if width < 8 * 2 * _FIELDS:
        raise IdentifierError(f"Position ID: {body!r} ends before both sides are described")
    if counts >> 8 * 2 * _FIELDS:
        raise IdentifierError(f"Position ID: bits are set behind the board in {body!r}")
    halves = counts.to_bytes(2 * _FIELDS, "little")
    return halves[:_FIELDS], halves[_FIELDS:]


def _counts_of_bytes() -> list[int]:
    """What the ones of each byte add to the fields, of eight bits each, from the field that is open before it."""
    counts = [0]
    for byte in range(1, 256):
        without_lowest = counts[byte >> 1]
        counts.append(without_lowest + 1 if byte & 1 else without_lowest << 8)
    return counts


_COUNTS = _counts_of_bytes()
_WIDTHS = [8 * (8 - byte.bit_count()) for byte in range(256)]
"""Eight bits for each field that the byte closes."""
