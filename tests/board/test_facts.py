"""Known numbers of the game."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import loop
from gammonrules import Dice, Position
from gammonrules.dice import ROLLS

ROLLS_BY_HIGHER_DIE = "11 21 22 31 32 33 41 42 43 44 51 52 53 54 55 61 62 63 64 65 66".split()
OPENING = dict(
    zip(
        ROLLS_BY_HIGHER_DIE, [42, 15, 75, 16, 17, 73, 14, 18, 17, 52, 8, 8, 9, 9, 4, 10, 14, 14, 14, 7, 11], strict=True
    )
)
NACKGAMMON = dict(
    zip(
        ROLLS_BY_HIGHER_DIE,
        [70, 23, 103, 22, 27, 101, 15, 17, 17, 25, 12, 16, 17, 11, 17, 10, 13, 13, 8, 7, 3],
        strict=True,
    )
)
OPENING_ROLLS = [roll for roll in ROLLS if not roll.is_doublet]


class TestRolls:
    def test_there_are_21(self):
        assert sorted(str(roll) for roll in ROLLS) == ROLLS_BY_HIGHER_DIE

    def test_weights(self):
        assert sum(roll.weight for roll in ROLLS) == 36
        thrown = [Dice(first, second) for first in range(1, 7) for second in range(1, 7)]
        assert all(roll.weight == thrown.count(roll) for roll in ROLLS)

    def test_pips(self):
        assert Fraction(sum(roll.weight * roll.pips for roll in ROLLS), 36) == Fraction(49, 6)

    def test_fifteen_opening_rolls(self):
        assert len(OPENING_ROLLS) == 15
        assert {roll.weight for roll in OPENING_ROLLS} == {2}


class TestStart:
    def test_pips(self):
        assert (Position.start().pip_count, Position.start().opponent_pip_count) == (167, 167)

    def test_is_symmetric(self):
        assert Position.start().flip() == Position.start()

    def test_id(self):
        assert Position.start().id == "4HPwATDgc/ABMA"

    @loop.over(("roll", "count"), OPENING.items())
    def test_plays(self, roll, count):
        assert len(Position.start().legal_plays(roll)) == count

    def test_sums(self):
        assert sum(OPENING.values()) == 447
        assert sum(count for roll, count in OPENING.items() if roll[0] != roll[1]) == 190


class TestVariants:
    @loop.rows(
        ("name", "checkers", "pips"),
        ("nackgammon", 15, 194),
        ("longgammon", 15, 360),
        ("hypergammon", 3, 69),
        ("hypergammon2", 2, 47),
        ("hypergammon1", 1, 24),
    )
    def test_pips(self, name, checkers, pips):
        position = Position.start(name)
        assert position.checkers == checkers
        assert (position.pip_count, position.opponent_pip_count) == (pips, pips)
        assert (position.off, position.opponent_off) == (0, 0)
        assert position.flip() == position

    @loop.over(("roll", "count"), NACKGAMMON.items())
    def test_nackgammon_plays(self, roll, count):
        assert len(Position.start("nackgammon").legal_plays(roll)) == count


class TestFirstTurns:
    """K11 of the laws: counts over the first two turns."""

    def test_positions_after_an_opening_roll(self):
        assert len({play.position for roll in OPENING_ROLLS for play in Position.start().legal_plays(roll)}) == 175

    def test_positions_after_any_roll(self):
        assert len({play.position for roll in ROLLS for play in Position.start().legal_plays(roll)}) == 406

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


class TestEntering:
    """Against n open points 36 - (6 - n)^2 of the 36 rolls enter a checker."""

    @loop.over("count", range(7))
    def test_rolls_that_enter(self, count):
        expected = {0: 0, 1: 11, 2: 20, 3: 27, 4: 32, 5: 35, 6: 36}[count]
        for points in combinations(range(1, 7), 6 - count):
            position = Position.of(mine={"bar": 1}, theirs=dict.fromkeys(points, 2) | {12: 1})
            entering = [roll for roll in ROLLS if position.legal_plays(roll)[0].moves]
            assert sum(roll.weight for roll in entering) == expected
