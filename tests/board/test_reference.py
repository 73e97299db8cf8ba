"""The brute force of reference.py against cases worked out by hand, and the random cases that it is for.

tests/board/test_kernel.py tries the generators on these, on as many as you like: `--cases 200000`.
"""

from __future__ import annotations

import random

import reference
from boards import random_board

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
