"""What the table of decisions has of a board, from the kernel and in Python."""

from __future__ import annotations

from hypothesis import given

from boards import boards
from gammonrules import Position
from gammonrules.board.internals import points_of
from gammonrules.records.archive.board_facts import facts_in_python, facts_of
from move_generators import kernel, packed


@given(boards(over=True))
def test_facts(board: list[int]) -> None:
    """Each as the position says it, and as its opponent sees it."""
    position = Position.from_points(points_of(packed(board)))
    sides = [
        (15 - side.off, side.pip_count, side.bar, side.longest_prime, len(side.anchors))
        for side in (position, position.flip())
    ]
    for facts in (facts_in_python, facts_of, *([kernel.facts_of] if kernel else [])):
        assert facts(position._board) == (position.id, position.is_race, *sides[0], *sides[1])
