"""The packed board and the packed route: plain integers, shared by every twin of the generator.

A board has 26 slots of eight bits, slot 0 in the lowest. Slot 25 is the bar of the player on roll, slots 24
to 1 are the points as that player numbers them, slot 0 is the opponent's bar. A slot holds 64 + n for n of
one's own checkers and 64 - n for n of the opponent's. What is not on the board or a bar is off.

A route is the moves of a play in their order: their sources, five bits each, the first one lowest, and the
mark `LOW_FIRST` where the lower die is played first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import Struct
from typing import TypeAlias

Board: TypeAlias = int
Route: TypeAlias = int

SLOTS = 26
BAR = 25
ZERO = 64
"""What an empty slot holds."""

LOW_FIRST: Route = 1 << 20

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


def count(board: Board, slot: int) -> int:
    """The checkers in one slot, the opponent's negative."""
    return (board >> 8 * slot & 0xFF) - ZERO


def follow(board: Board, route: Route, high: int, low: int) -> Iterator[tuple[int, int, bool]]:
    """The moves of a route, from the rear: from, to, and whether a checker is hit there.

    No move depends on one from a lower point, so the order from the rear is always a legal one.
    """
    dice = (low, high) if route & LOW_FIRST else (high, low)
    route &= LOW_FIRST - 1
    moves: list[tuple[int, int]] = []
    while route:
        moves.append((route & 31, dice[len(moves) % 2]))
        route >>= 5
    open_blots = {slot for slot in range(1, BAR) if count(board, slot) == -1}
    for source, die in sorted(moves, key=lambda move: -move[0]):
        target = max(source - die, 0)
        yield source, target, target in open_blots
        open_blots.discard(target)
