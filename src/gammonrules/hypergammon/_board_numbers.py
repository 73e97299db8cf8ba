"""Numbers of positions: one for each unfinished position of a game of one, two or three checkers a side.

A side is the rising list of its checkers' places, as it counts them: 0 to 23 are the points 1 to 24, 24 is the bar, 25
is off. Lists are ordered by their last places, then by those before, and so on, so the number of one is the sum of
C(place i + i, i + 1), i from 0 on. The opponent's list counts only the places that the player on roll does not occupy.
So the positions of a side on roll follow each other without a gap, from its start on.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from gammonrules._arrays.checks import Ints, Rows
from gammonrules.batch import legal_plays
from gammonrules.bearoff.internals import ROLL_PAIRS
from gammonrules.board.internals import SLOTS

OFF: Final = 25
_POINTS: Final = 24
MAX_CHECKERS: Final = 3
_NOWHERE: Final = 99
"""Beyond every place: it fills up rows of places."""
_FARTHEST_HOME: Final = 19
"""From this point to the bar is the opponent's home board."""
_WEIGHTS: Final = np.array(
    [
        *(0, 1, 4, 13, 32, 71, 124, 218, 375, 572, 744, 1208, 1556, 2441, 3097, 4047, 5297, 6703),
        *(7838, 10986, 12331, 15464, 19143, 24545, 28973, 34405),
    ],
    np.float32,  # exact here, and several times as fast as whole numbers
)
"""What a checker weighs in each slot of a board, so that no two sides of up to three weigh the same.

No two sums of three are equal: A051912 of the On-Line Encyclopedia of Integer Sequences.
"""
_TERMS: Final = np.array(
    [[comb(place + i, i + 1) for place in range(OFF + 1)] for i in range(MAX_CHECKERS)]
)
"""What place i of a list adds to its number."""


@frozen(eq=False)
class Numbering:
    """The numbers of all unfinished positions with so many checkers a side.

    Attributes:
        sides: `(S, checkers) int8`: the places of every side, in order; the last has everything off.
        starts: `(S,)`: the first number with each side on roll; the last is how many positions there are.
        mirrored: `(S, checkers) int8`: the points of each side as the opponent counts them, without repetitions.
        side_of: the number of a side, by the sum of what its checkers weigh.
    """

    sides: Rows
    starts: Ints
    mirrored: Rows
    side_of: npt.NDArray[np.int16]

    def numbers(self, points: Rows) -> Ints:
        """`(N,)`: the numbers of boards, of which only those of unfinished games mean something."""
        my_weight = (np.maximum(points, 0) @ _WEIGHTS).astype(np.int32)
        # the opponent counts the points from the other end
        their_weight = (np.maximum(-points, 0) @ _WEIGHTS[::-1]).astype(np.int32)
        mine = self.side_of[my_weight]
        theirs = self.side_of[their_weight]
        places = self.sides[theirs]
        # only places that the player on roll does not occupy are counted, so each of theirs below takes 1 away
        places_counted = places.copy()
        for occupied in self.mirrored[mine].T:
            places_counted -= places > occupied[:, None]
        numbers: Ints = self.starts[mine]
        for i in range(places_counted.shape[1]):
            numbers += _TERMS[i][places_counted[:, i]]
        return numbers

    def pairs(self) -> tuple[Ints, Ints]:
        """The sides on roll and not on roll of all positions, in the order of their numbers."""
        # in an unfinished position neither side is the last one, with everything off
        unfinished = self.sides[:-1]
        mine = np.repeat(np.arange(len(unfinished)), np.diff(self.starts))
        theirs = list[Ints]()
        for occupied in self.mirrored[:-1]:
            is_possible = ~np.isin(unfinished, occupied).any(axis=1)
            theirs.append(np.flatnonzero(is_possible))
        return mine, np.concatenate(theirs)

    def boards(self) -> Rows:
        """`(S, 26) int8`: each side on roll, alone."""
        boards = np.zeros((len(self.sides), SLOTS + 1), np.int8)  # one slot more, for what is off
        each_side = np.arange(len(boards))
        for places in self.sides.T:  # of one checker of each side
            boards[each_side, places + 1] += 1
        return boards[:, :SLOTS]


@lru_cache
def numbering(checkers: int) -> Numbering:
    """The numbers of positions with so many checkers a side."""

    def last_places_first(side: tuple[int, ...]) -> tuple[int, ...]:
        return side[::-1]

    sides = sorted(combinations_with_replacement(range(OFF + 1), checkers), key=last_places_first)
    heaviest = MAX_CHECKERS * int(_WEIGHTS[-1])
    side_of = np.zeros(heaviest + 1, np.int16)
    opposing_sides = list[int]()
    mirrored = list[list[int]]()
    for number, side in enumerate(sides):
        weight = sum(_WEIGHTS[place + 1] for place in side if place < OFF)
        side_of[int(weight)] = number
        # the points of this side as the opponent counts them, who cannot be there
        occupied = {_POINTS - 1 - place for place in side if place < _POINTS}
        filling = [_NOWHERE] * (checkers - len(occupied))
        mirrored.append([*occupied, *filling])
        # all sides on the other places, but not that with everything off
        places_left = OFF + 1 - len(occupied)
        opposing_sides.append(comb(places_left + checkers - 1, checkers) - 1)
    return Numbering(
        np.array(sides, np.int8),
        starts=np.cumsum([0, *opposing_sides[:-1]]),  # the last side has everything off
        mirrored=np.array(mirrored, np.int8),
        side_of=side_of,
    )


def points_lost(points: Rows, checkers: int) -> Ints:
    """`(N,)`: how many points the side on roll has lost where the opponent has everything off: 1 to 3, else 0."""
    # the opponent, who is negative, has no checker left
    over = np.flatnonzero((points >= 0).all(axis=1))
    left = points[over]
    is_gammon = left.sum(axis=1) == checkers
    is_in_winners_home = (left[:, _FARTHEST_HOME:] > 0).any(axis=1)
    is_backgammon = is_gammon & is_in_winners_home
    lost = np.zeros(len(points), np.int64)
    lost[over] = 1
    lost[over[is_gammon]] = 2
    lost[over[is_backgammon]] = 3
    return lost


def opening_plays(numbers: Numbering) -> tuple[Ints, Ints]:
    """The numbers of what the plays of the 15 opening rolls lead to, and where those of each roll begin."""
    checkers = numbers.sides.shape[1]
    start = np.zeros(SLOTS, np.int8)
    start[_POINTS - checkers + 1 : _POINTS + 1] = 1  # a checker on each of the last points
    board = start - start[::-1]  # the opponent's checkers stand alike, seen from the other end
    rolls = np.array([(high, low) for high, low in ROLL_PAIRS if high != low])
    plays = legal_plays(np.tile(board, (len(rolls), 1)), rolls)
    return numbers.numbers(plays.points), plays.offsets[:-1]
