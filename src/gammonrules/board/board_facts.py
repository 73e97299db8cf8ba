"""What the table of decisions has of a board, read from its two sides."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from gammonrules.board.encoding import BAR, SLOTS, Board, longest_prime, pips_of, sides
from gammonrules.board.position_id import bits_of_side, id_of_bits

Facts: TypeAlias = tuple[Any, ...]
"""The Position ID, and whether it is a race; then for the player on roll, and again for the opponent: checkers left,
pips, checkers on the bar, the longest prime and the number of anchors."""


def facts_of(board: Board) -> Facts:
    """What the table of decisions has of a board; the kernel has the same function."""
    mine, theirs = sides(board)
    bits, rear, *facts = _side_facts(mine)
    opponent_bits, opponent_rear, *opponent_facts = _side_facts(theirs)
    return id_of_bits(opponent_bits, bits), rear + opponent_rear <= SLOTS, *facts, *opponent_facts


@lru_cache(maxsize=16)
def _side_facts(side: bytes) -> tuple[Any, ...]:
    """What is read from one side of a board, which a turn seldom changes if it is the opponent's."""
    facts = (
        sum(side),
        pips_of(side),
        side[BAR],
        longest_prime(side),
        sum(count > 1 for count in side[19:BAR]),
    )
    return bits_of_side(side), len(side.rstrip(b"\0")), *facts
