"""Known numbers of the game."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import loop
from gammonrules import Dice, Position
from gammonrules.dice import ROLLS

ROLLS_BY_HIGHER_DIE = "11 21 22 31 32 33 41 42 43 44 51 52 53 54 55 61 62 63 64 65 66".split()
OPENING = [42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11]
NACKGAMMON = [70, 23, 103, 22, 27, 101, 15, 17, 17, 25, 12, 16, 17, 11, 17, 10, 13, 13, 8, 7, 3]
OPENING_ROLLS = [roll for roll in ROLLS if not roll.is_doublet]


class TestRolls:
    def test_weights(self):
        assert sum(roll.weight for roll in ROLLS) == 36
        thrown = [Dice(first, second) for first in range(1, 7) for second in range(1, 7)]
        assert all(roll.weight == thrown.count(roll) for roll in ROLLS)

    def test_pips(self):
        assert Fraction(sum(roll.weight * roll.pips for roll in ROLLS), 36) == Fraction(49, 6)


class TestPlays:
    def test_id(self):
        assert Position.start().id == "4HPwATDgc/ABMA"

    @loop.rows(("start", "counts"), ("standard", OPENING), ("nackgammon", NACKGAMMON))
    def test_counts(self, start, counts):
        assert [len(Position.start(start).legal_plays(roll)) for roll in ROLLS_BY_HIGHER_DIE] == counts


class TestFirstTurns:
    """K11 of the laws: counts over the first two turns."""

    def test_positions_after_an_opening_roll(self):
        assert len({play.position for roll in OPENING_ROLLS for play in Position.start().legal_plays(roll)}) == 175

    def test_plays_of_two_turns(self):
        assert (
            sum(
                len(play.position.legal_plays(reply))
                for roll in OPENING_ROLLS
                for play in Position.start().legal_plays(roll)
                for reply in ROLLS
            )
            == 89_153
        )


@loop.over("count", range(7))
def test_rolls_that_enter(count):
    """Against n open points 36 - (6 - n)^2 of the 36 rolls enter a checker."""
    expected = {0: 0, 1: 11, 2: 20, 3: 27, 4: 32, 5: 35, 6: 36}[count]
    for points in combinations(range(1, 7), 6 - count):
        position = Position.of(mine={"bar": 1}, theirs=dict.fromkeys(points, 2) | {12: 1})
        entering = [roll for roll in ROLLS if position.legal_plays(roll)[0].moves]
        assert sum(roll.weight for roll in entering) == expected
