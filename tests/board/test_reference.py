"""The brute force of reference.py against cases worked out by hand, and the random cases that it is for.

tests/board/test_kernel.py tries the generators on these, on as many as you like: `--cases 200000`.
"""

from __future__ import annotations

import random

import loop
import reference
from boards import board_of, random_board
from gammonrules import Position

START = reference.side({24: 2, 13: 5, 8: 3, 6: 5})


class TestBruteForce:
    """The brute force is held against cases that were worked out by hand."""

    def test_worked_position(self):
        """The asymmetric position of the specification of identifiers, both ways."""
        mine = reference.side({25: 1, 22: 1, 13: 3, 8: 3, 6: 5, 5: 1, 4: 1})
        theirs = reference.side({25: 1, 13: 3, 8: 3, 6: 4, 2: 1})
        assert reference.encode_id((mine, theirs)) == "wnNwAAj1OTiACA"
        assert reference.encode_id((theirs, mine)) == "qM/BAUTCc3AACA"
        assert reference.decode_id("wnNwAAj1OTiACA") == (mine, theirs)

    def test_both_numbers_even_at_the_end(self):
        """A checker alone on 3 with 3-1: where 3/2*/off hits, only that is legal; else 3/off is the same play."""
        lone = reference.side({3: 1})
        blot, elsewhere = reference.side({23: 1}), reference.side({1: 1})
        assert reference.results((lone, blot), (3, 1)) == {(reference.side({}), reference.side({25: 1}))}
        assert reference.results((lone, elsewhere), (3, 1)) == {(reference.side({}), elsewhere)}

    def test_sequences_lead_to_the_results(self):
        rng = random.Random(5)
        for _ in range(25):
            board, dice = random_board(rng), (rng.randint(1, 3), rng.randint(1, 6))
            arrivals = set(reference.sequences(board, dice).values())
            assert arrivals == reference.results(board, dice) == set(reference.endings(board, dice).values())


@loop.rows(
    ("mine", "theirs", "roll", "text"),
    ({3: 1}, {23: 1}, "31", "3/2*/off"),  # two numbers hit at the end
    ({3: 1}, {1: 1}, "31", "3/off"),  # one number is enough
    ({24: 1, 8: 1, 6: 13}, {21: 2, 9: 2, 7: 3, 6: 4, 5: 4}, "62", "24/22 8/2"),  # other programs miss it
    ({24: 1, 23: 1, 1: 13}, {4: 2, 7: 2, 8: 2, 9: 2}, "62", "24/22"),  # two in the field, only the lower
    ({24: 1, 23: 1, 1: 13}, {3: 2, 4: 2, 8: 2, 9: 2}, "62", "24/18"),  # two in the field, only the higher
    ({24: 2, 1: 13}, {9: 2}, "62", "24/18 24/22"),  # two in the field, one each
    ({24: 2, 1: 13}, {3: 2, 7: 2}, "62", "no play"),  # two in the field, none
)
def test_the_only_play(mine, theirs, roll, text):
    position = Position.of(mine=mine, theirs=theirs)
    (play,) = position.legal_plays(roll)
    assert str(play) == text
    (after,) = reference.results(board_of(position), (int(roll[0]), int(roll[1])))
    assert board_of(play.position.flip()) == after
