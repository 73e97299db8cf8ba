"""GNU Backgammon's Position ID: a board in 14 characters, on plain values.

The board is written as 80 bits, least significant bit of each byte first: for the player *not* on roll
and then for the player on roll, the points 1 to 24 in that player's own numbering and then his bar, each
as one `1` a checker and a closing `0`. The ten bytes are Base64 text without its padding.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
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
    return _text(bits)


def decode(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The two halves (theirs, mine) of a Position ID; IdentifierError if it is none."""
    body = base64_characters(text, "Position ID", LENGTH)
    bits = int.from_bytes(b64decode(body + "=="), "little")
    # b64decode drops the four bits that lie beyond the tenth byte; a writer leaves them 0
    if _text(bits) != body:
        raise IdentifierError(f"Position ID: bits are set beyond the tenth byte, in the last character of {body!r}")
    # the runs of ones between the zeros, in the order of the bits; the last one has no closing zero
    runs = [len(run) for run in format(bits, f"0{8 * _BYTES}b")[::-1].split("0")]
    if len(runs) <= 2 * _FIELDS:
        raise IdentifierError(f"Position ID: {body!r} ends before both sides are described")
    if any(runs[2 * _FIELDS :]):
        raise IdentifierError(f"Position ID: bits are set behind the board in {body!r}")
    return tuple(runs[:_FIELDS]), tuple(runs[_FIELDS : 2 * _FIELDS])


def _text(bits: int) -> str:
    """The 80 bits as 14 characters."""
    return b64encode(bits.to_bytes(_BYTES, "little")).decode("ascii")[:LENGTH]
