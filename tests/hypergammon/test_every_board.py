"""The generators on whole games: every board of one and of two checkers a side with every roll.

`benchmarks/hypergammon.py` does the same with three, which takes some minutes.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from gammonrules import KERNEL, batch
from gammonrules._arrays import numpy_generator
from move_generators import ROLLS, check_generators

pytestmark = [pytest.mark.long, pytest.mark.skipif(KERNEL != "c", reason="the kernel is not in use")]

UNFINISHED = {1: (601, 13_231), 2: (106_552, 5_968_418)}
"""By the checkers of a side: how many positions there are, and plays of all rolls."""


def unfinished(checkers: int) -> np.ndarray:
    sides = [*combinations_with_replacement(range(26), checkers)][1:]  # 0 is off; the first has everything there
    counts = np.array([[side.count(place) for place in range(26)] for side in sides], np.int8)
    mine, theirs = counts[np.indices((len(counts),) * 2).reshape(2, -1)]
    apart = ~((mine[:, 1:25] > 0) & (theirs[:, 24:0:-1] > 0)).any(axis=1)
    boards = mine[apart]
    boards[:, 0] = 0
    boards[:, :25] -= theirs[apart, :0:-1]
    return boards


@pytest.mark.parametrize("checkers", UNFINISHED)
def test_kernel_and_arrays(checkers: int) -> None:
    """The same plays and moves, in the same order; and each ID is read as the board it was written for."""
    boards = unfinished(checkers)
    plays = 0
    for some in np.array_split(boards, 1 + len(boards) // 2_000):
        points, rolls = np.repeat(some, len(ROLLS), axis=0), np.tile(np.array(ROLLS, np.int8), (len(some), 1))
        by_kernel = batch.legal_plays(points, rolls)
        offsets, results, moves = numpy_generator.legal_plays_of_many(points, rolls)
        assert (by_kernel.offsets == offsets).all()
        assert (by_kernel.points == results).all()
        assert (by_kernel.moves == moves).all()
        ids = batch.to_ids(some)
        assert (batch.from_ids(ids, checkers=checkers) == some).all()
        assert [position.id for position in batch.to_positions(some, checkers=checkers)] == ids.tolist()
        plays += len(results)
    assert (len(boards), plays) == UNFINISHED[checkers]


@pytest.mark.parametrize(("checkers", "step"), [(1, 1), (2, 97)])
def test_brute_force(checkers: int, step: int) -> None:
    for position in batch.to_positions(unfinished(checkers)[::step], checkers=checkers):
        points = position.points
        mine = position.off, *(max(count, 0) for count in points[1:])
        theirs = position.opponent_off, *(max(-count, 0) for count in points[24::-1])
        for roll in ROLLS:
            expected = [np.array(play.position.points, np.int8).tobytes() for play in position.legal_plays(roll)]
            assert check_generators((mine, theirs), roll) == expected
