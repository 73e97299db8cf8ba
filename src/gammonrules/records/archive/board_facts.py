"""What the table of decisions has of a board, read from its two sides by the kernel, or without it in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from gammonrules.board.internals import (
    BAR,
    SLOTS,
    bits_of_side,
    id_of_bits,
    kernel,
    longest_prime,
    pips_of,
    sides,
)

Facts: TypeAlias = tuple[Any, ...]
"""The Position ID, and whether it is a race; then for the player on roll, and again for the opponent: checkers left,
pips, checkers on the bar, the longest prime and the number of anchors."""


def facts_in_python(board: bytes) -> Facts:
    """The same as `facts_of` in the kernel."""
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


facts_of: Callable[[bytes], Facts] = facts_in_python if kernel is None else kernel.facts_of
"""The facts of a board that the table of decisions has."""
