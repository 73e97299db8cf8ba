"""What the table of decisions has of a board, read from its two sides."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from gammonrules.board.encoding import BAR, SLOTS, Board, longest_prime, pips_of, sides
from gammonrules.board.position_id import bits_of_side, id_of_bits

Facts: TypeAlias = tuple[Any, ...]
"""The Position ID, and whether it is a race; then for the player on roll, and again for the opponent: checkers left,
pips, checkers on the bar, the longest prime and the number of anchors."""


def facts_of(board: Board) -> Facts:
    """The facts of a board that the table of decisions has; the kernel has the same function."""
    my_side, their_side = sides(board)
    mine = _side_facts(my_side)
    theirs = _side_facts(their_side)
    is_race = mine.rear + theirs.rear <= SLOTS
    return id_of_bits(theirs.bits, mine.bits), is_race, *mine.counts, *theirs.counts


class _SideFacts(NamedTuple):
    """What is read from one side of a board."""

    bits: str
    """Its part of a Position ID."""
    rear: int
    """One more than the point of its rearmost checker."""
    counts: tuple[int, ...]
    """Checkers left, pips, checkers on the bar, the longest prime and the number of anchors."""


@lru_cache(maxsize=16)
def _side_facts(side: bytes) -> _SideFacts:
    # a turn seldom changes the opponent's side
    anchors = sum(count > 1 for count in side[19:BAR])
    counts = (sum(side), pips_of(side), side[BAR], longest_prime(side), anchors)
    return _SideFacts(bits_of_side(side), len(side.rstrip(b"\0")), counts)
