"""The packed board: one integer, shared by every twin of the generator.

A board has 26 slots of eight bits, slot 0 in the lowest. Slot 25 is the bar of the player on roll, slots 24
to 1 are the points as that player numbers them, slot 0 is the opponent's bar. A slot holds 64 + n for n of
one's own checkers and 64 - n for n of the opponent's. What is not on the board or a bar is off.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import TypeAlias

Board: TypeAlias = int

SLOTS = 26
BAR = 25
ZERO = 64
"""What an empty slot holds."""

_SIGNED = bytes((byte - ZERO) & 0xFF for byte in range(256))
_COUNTS = Struct(f"{SLOTS}b")


def every(value: int, slots: range = range(SLOTS)) -> Board:
    """The integer with this value in each of the slots."""
    return sum(value << 8 * slot for slot in slots)


_TWICE_EMPTY = every(2 * ZERO)


def pack(points: Sequence[int]) -> Board:
    """The board of 26 counts, the opponent's negative."""
    return sum(ZERO + count << 8 * slot for slot, count in enumerate(points))


def unpack(board: Board) -> tuple[int, ...]:
    """The 26 counts of a board, the opponent's negative."""
    counts: tuple[int, ...] = _COUNTS.unpack(board.to_bytes(SLOTS, "little").translate(_SIGNED))
    return counts


def flip(board: Board) -> Board:
    """The same board as the opponent sees it: slots in reverse order, signs changed."""
    return _TWICE_EMPTY - int.from_bytes(board.to_bytes(SLOTS, "big"), "little")


def hits(board: Board, target: int) -> bool:
    """Whether a checker of the opponent is hit by a move that ends there."""
    return target > 0 and count(board, target) < 0


def count(board: Board, slot: int) -> int:
    """The checkers in one slot, the opponent's negative."""
    return (board >> 8 * slot & 0xFF) - ZERO
