"""GNU Backgammon's Position ID: a board in 14 characters.

The board is 80 bits, least significant bit of each byte first: for the player *not* on roll and then for the player on
roll, points 1 to 24 in that player's own numbering and then their bar, each as one `1` per checker and a closing `0`.
The ten bytes are written in Base64 without padding.
"""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

from gammonrules._shared.identifier_text import base64_characters, labeled
from gammonrules.errors import IdentifierError

_BYTES = 10
FIELDS = 25  # points 1 to 24 and the bar
# without checkers every bit closes a field, and one stays open at the end
_MAX_FIELDS = 8 * _BYTES + 1
LENGTH = 14


def id_of_bits(theirs: str, mine: str) -> str:
    """The Position ID of the bits of both sides."""
    return b2a_base64(int(mine + theirs, 2).to_bytes(_BYTES, "little")).decode("ascii")[:LENGTH]


def bits_of_side(side: bytes) -> str:
    """The bits of a side, the last one first, from its counts on points 1 to 24 and the bar."""
    return "".join(map(_BITS, side[:0:-1]))


_BITS = ["0" + "1" * count for count in range(128)].__getitem__
"""The bits of a count, the last one first."""


def halves_of_id(text: str) -> tuple[int, int]:
    """The two halves (theirs, mine) of a Position ID.

    A half is one integer, eight bits for each count, point 1 in the highest and the bar in the lowest.

    Raises:
        IdentifierError: the text is not a Position ID.
    """
    body, data = _bytes_of_id(text)
    counts = 0  # eight bits for each field that the bits of the ID close, the first in the highest
    for byte in data:
        width, ones = _STEPS[byte]
        counts = (counts << width) + ones
    # 256 and all its powers are 1 modulo 255, so this is the sum of the counts
    checkers = counts % 255
    # each bit of the ID is a checker or closes a field, so there are fewer fields the more checkers there are
    fields = _MAX_FIELDS - checkers
    # the fields behind those of both sides must be empty
    fields_behind = fields - 2 * FIELDS
    if fields_behind <= 0:
        raise IdentifierError(f"Position ID: {body!r} ends before both sides are described")
    bits_behind = 8 * fields_behind
    board = counts >> bits_behind
    is_empty_behind = board << bits_behind == counts
    if not is_empty_behind:
        raise IdentifierError(f"Position ID: bits are set after the board in {body!r}")
    return board >> 8 * FIELDS, board & _ONE_HALF


def is_position_id(text: str) -> bool:
    """Whether a pasted text looks like a Position ID, even one with a mistake."""
    if LENGTH - 4 <= len(text) <= LENGTH + 4 and ":" not in text:
        return True
    label, _ = labeled(text)
    return label == "Position ID"


def _bytes_of_id(text: str) -> tuple[str, bytes]:
    """The characters of a Position ID and their ten bytes."""
    if type(text) is str and len(text) == LENGTH and text[-1] in _LAST_CHARACTERS:  # the usual case
        try:
            return text, a2b_base64(text + "==", strict_mode=True)
        except ValueError:  # there is a character that is not Base64
            pass
    body = base64_characters(text, "Position ID", LENGTH)
    if body[-1] not in _LAST_CHARACTERS:
        raise IdentifierError(
            f"Position ID: bits are set beyond the tenth byte, in the last character of {body!r}"
        )
    return body, a2b_base64(body + "==")


_ONE_HALF = (1 << 8 * FIELDS) - 1
_LAST_CHARACTERS = "AQgw"
"""14 characters have four bits more than ten bytes; these must be 0."""


def _byte_steps() -> list[tuple[int, int]]:
    """For each byte of an ID, by how many bits it shifts the counts before it, and what it adds to them.

    Bits are read from the lowest on: a `0` closes a count, so the next one begins eight bits lower; a `1` adds 1.
    """
    steps = [(0, 0)]  # of no bits at all
    # Then of all numbers of one bit, of two bits, up to eight, each at its own index. The new bit is the highest, which
    # is read last.
    for _ in range(8):
        with_zero = [(width + 8, ones << 8) for width, ones in steps]
        with_one = [(width, ones + 1) for width, ones in steps]
        steps = with_zero + with_one
    return steps


_STEPS = _byte_steps()
