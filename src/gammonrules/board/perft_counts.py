"""Perft: plays and positions counted by depth over all rolls, to compare implementations of the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules.board.encoding import Board
from gammonrules.board.generator import legal_plays
from gammonrules.board.position import Position
from gammonrules.dice import ROLLS
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_DEPTH
from gammonrules.values import shown, whole_argument

_Ways: TypeAlias = dict[Board, int]
"""The positions of one depth, each with the number of sequences of plays that lead to it."""
_Track: TypeAlias = Callable[[Collection[tuple[Board, int]]], Iterable[tuple[Board, int]]]

_ROLLS = tuple((roll.high, roll.low) for roll in ROLLS)
_MAX_COUNT = 10**1_000
"""More than any count can be: a position has fewer than a million plays over all rolls."""


@attrs.frozen
class PerftCount:
    """The counts of `perft` at one depth.

    *Equality*: all three numbers.

    Attributes:
        depth: how many plays were made, by both sides in turn.
        plays: the number of sequences of that many plays.
        positions: the number of distinct positions after them.

    Raises:
        ArgumentError: `depth` is not from 1 to 100, or a count is not a whole number from 0 up (with at most 1,000
            digits, more than any depth needs).

    Examples:
        >>> from gammonrules import Position
        >>> (count,) = perft(Position.start(), 1)
        >>> count == PerftCount(depth=1, plays=447, positions=406)
        True
    """

    depth: int
    plays: int
    positions: int

    def __attrs_post_init__(self) -> None:
        _ = whole_argument("depth", self.depth, minimum=1, maximum=MAX_DEPTH)
        for number in (self.depth, self.plays, self.positions):
            if type(number) is not int or not 0 <= number < _MAX_COUNT:
                raise ArgumentError(f"counts must be whole numbers from 0 up, not {shown(number)}")


def perft(position: Position, depth: int) -> tuple[PerftCount, ...]:
    """Count plays and positions by depth over the 21 rolls, to test move generators.

    A sequence has one roll and one legal play of it for each depth. Rolls are not weighted: 3-1 and 1-3 are one roll,
    which counts once, as a doublet does. Plays that lead to the same position are one play, and so is a roll that
    cannot be played. A finished game has no plays. Positions are seen by the player on roll; those of finished games
    count too. The number of checkers in the game makes no difference, since checkers that are off take no part.

    Time grows with the number of plays, memory with the number of positions at the last depth: about 110 bytes each.

    Args:
        position: the position to start from.
        depth: how many plays deep, from 1 to 100.

    Returns:
        One count for each depth from 1 up.

    Raises:
        ArgumentError: `position` is not a `Position`, or `depth` is not a whole number from 1 to 100.
        MemoryError: the positions do not fit into memory; a smaller depth may.

    Examples:
        >>> for count in perft(Position.start(), 2):
        ...     print(count.depth, count.plays, count.positions)
        1 447 406
        2 202782 163706
    """
    return tuple(count_depths(position, depth))


def count_depths(position: Position, depth: int, track: _Track = iter) -> Iterator[PerftCount]:
    """The counts of `perft`, one by one; `track` gets the positions of each depth and yields them, to show progress."""
    check_kind("position", position, Position)
    last = whole_argument("depth", depth, minimum=1, maximum=MAX_DEPTH)
    return _level_counts(position._board, last, track)


def count_plays(position: Position, depth: int) -> Iterator[int]:
    """The plays of `perft` at each depth alone: without the positions of the last one, it takes little memory."""
    last = whole_argument("depth", depth, minimum=1, maximum=MAX_DEPTH)
    level = {position._board: 1}
    for _ in range(last - 1):
        plays, level = _next(level.items())
        yield plays
    plays = 0
    for board, ways in level.items():
        for high, low in _ROLLS:
            plays += ways * len(legal_plays(board, high, low))
    yield plays


def _level_counts(board: Board, last: int, track: _Track) -> Iterator[PerftCount]:
    """The counts of each depth; a level has the positions of a depth, and in how many ways each is reached."""
    level: _Ways = {board: 1}
    for depth in range(1, last):
        plays, level = _next(track(level.items()))
        yield PerftCount(depth, plays, len(level))
    plays, positions = _last(track(level.items()))
    yield PerftCount(last, plays, positions)


def _next(level: Iterable[tuple[Board, int]]) -> tuple[int, _Ways]:
    """The plays from these positions, and the positions after them."""
    plays = 0
    after: _Ways = {}
    for board, ways in level:
        for high, low in _ROLLS:
            results = legal_plays(board, high, low)
            plays += ways * len(results)
            for result in results:
                after[result] = after.get(result, 0) + ways
    return plays, after


def _last(level: Iterable[tuple[Board, int]]) -> tuple[int, int]:
    """The number of plays from these positions, and of positions after them; only numbers are kept, to save memory."""
    plays = 0
    after: set[Board] = set()
    for board, ways in level:
        for high, low in _ROLLS:
            results = legal_plays(board, high, low)
            plays += ways * len(results)
            after.update(results)
    return plays, len(after)
