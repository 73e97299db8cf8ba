"""The board as the generators take it, and the packed form that the pure Python one works with.

A board is 26 signed bytes. Byte 25 is the bar of the player on roll, bytes 24 to 1 are the points as that player
numbers them, byte 0 is the opponent's bar. Their own checkers count up from zero, the opponent's down. Checkers that
are neither on the board nor on a bar are off.

A packed board is the same as one integer: 26 slots of eight bits, slot 0 in the lowest bits, each holding 128 more
than the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from struct import Struct
from typing import TypeAlias

Board: TypeAlias = bytes
Packed: TypeAlias = int

SLOTS = 26
_PIPS = range(SLOTS)
_EMPTY = b"\0"
BAR = 25
ZERO = 128
"""What an empty slot of a packed board holds."""

_COUNTS = Struct(f"{SLOTS}b")
_NEGATED = bytes(-byte & 0xFF for byte in range(256))
_NEGATED_BYTE_OF_SLOT = bytes(ZERO - slot & 0xFF for slot in range(256))
_NOT_OPPOSING = bytes(range(128))
_NOT_OWN = bytes([0, *range(128, 256)])
_OWN_COUNTS = bytes(range(128)) + bytes(128)
"""For `translate`: the counts of the player on roll, 0 for others."""
_OPPOSING_COUNTS = bytes(129) + bytes(range(127, 0, -1))
"""For `translate`: the counts of the opponent, 0 for others."""
MADE = b"  ".ljust(128, b"#").ljust(256)
"""For `translate`: a blank unless the player on roll has two or more checkers."""
_SLOT_OF_NEGATED_BYTE = bytes(ZERO - byte & 0xFF for byte in range(256))


def every(value: int, slots: range = range(SLOTS)) -> Packed:
    """The integer with this value in each of the slots."""
    return sum(value << 8 * slot for slot in slots)


_ZEROS = every(ZERO)
_FLAGS = every(0x80)
_BELOW_FLAGS = every(0x7F)


def board_of(points: Sequence[int]) -> Board:
    """The board of 26 counts, the opponent's negative."""
    return _COUNTS.pack(*points)


def join_halves(theirs: Packed, mine: Packed) -> Board | None:
    """The board with these counts on points 1 to 24 and the bar, each side in its own numbering.

    A half holds the counts in slots that start at zero, the bar in the lowest. None if both sides are on one point.
    """
    # theirs are in board order already
    own = int.from_bytes(mine.to_bytes(BAR, "big"), "little") << 8
    if own + _BELOW_FLAGS & theirs + _BELOW_FLAGS & _FLAGS:
        return None
    return unpack(_ZEROS + own - theirs)


def count_sides(board: Board) -> tuple[int, int]:
    """How many checkers on the board and the bars are mine, and how many are the opponent's."""
    return sum(board.translate(None, _NOT_OWN)), sum(board.translate(_NEGATED, _NOT_OPPOSING))


points_of: Callable[[Board], tuple[int, ...]] = _COUNTS.unpack
"""The 26 counts of a board, the opponent's negative."""


def has_own(board: Board) -> bool:
    """Whether the player on roll has a checker on the board or the bar."""
    return bool(board.strip(_NOT_OWN))  # stops at the first one from either end


def has_opposing(board: Board) -> bool:
    """Whether the opponent has one: a byte with the sign bit set."""
    return not board.isascii()


def sides(board: Board) -> tuple[bytes, bytes]:
    """The counts of the player on roll and those of the opponent by the points of each; 25 is the bar."""
    return board.translate(_OWN_COUNTS), board[::-1].translate(_OPPOSING_COUNTS)


def pips_of(side: bytes) -> int:
    """The pips that a player needs with these counts."""
    return sum(map(mul, side, _PIPS))


def own_pips(board: Board) -> int:
    """The pips that the player on roll needs."""
    return pips_of(board.translate(_OWN_COUNTS))


def opposing_pips(board: Board) -> int:
    """The pips that the opponent needs."""
    return pips_of(board[::-1].translate(_OPPOSING_COUNTS))


def is_race(board: Board) -> bool:
    """Whether the sides have passed each other: no opposing checker is in front of the rearmost one."""
    rear = len(board.translate(_OWN_COUNTS).rstrip(_EMPTY))
    return board.translate(_OPPOSING_COUNTS)[:rear].strip(_EMPTY) == b""


def longest_prime(board: Board) -> int:
    """The most points in a row that the player on roll has made."""
    return max(map(len, board[1:BAR].translate(MADE).split()), default=0)


def flip(board: Board) -> Board:
    """The same board as the opponent sees it: bytes reversed, signs changed."""
    return board[::-1].translate(_NEGATED)


def pack(board: Board) -> Packed:
    """The packed form of a board."""
    return int.from_bytes(board, "little") ^ _ZEROS


def unpack(packed: Packed) -> Board:
    """The board of a packed form."""
    return (packed ^ _ZEROS).to_bytes(SLOTS, "little")


def pack_flipped(board: Board) -> Packed:
    """The same as `pack(flip(board))`, in fewer steps."""
    return int.from_bytes(board.translate(_SLOT_OF_NEGATED_BYTE), "big")


def unpack_flipped(packed: Packed) -> Board:
    """The same as `flip(unpack(packed))`, in fewer steps."""
    return packed.to_bytes(SLOTS, "big").translate(_NEGATED_BYTE_OF_SLOT)


def hits(packed: Packed, target: int) -> bool:
    """Whether a move that ends there hits a checker."""
    return target > 0 and count(packed, target) < 0


def count(packed: Packed, slot: int) -> int:
    """The checkers in one slot, the opponent's negative."""
    return (packed >> 8 * slot & 0xFF) - ZERO
