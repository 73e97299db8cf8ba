"""Two dice, and every way in which people write them."""

from __future__ import annotations

import copy
import pickle
import random

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammonrules import Dice, GammonError, Position
from gammonrules.dice import ROLLS
from gammonrules.errors import DiceError

THREE_ONE = ["31", "13", "3-1", "1-3", "31 ", " 31", " 3-1 ", (3, 1), (1, 3), [3, 1], [1, 3], Dice(3, 1), Dice(1, 3)]
NO_ROLL = [
    "3", "", " ", "-", "3-", "99", "07", "70", "0", "00", "311", "3-1-1", "3,1x", "three one", "31\0", "-31", "3--1",
    "+31",
    "３１", "٣١", "3" * 1_000_000, b"31", 3, 31, 3.0, True, None, object(),
    (), (3,), (3, 1, 1), [3], [], (3.0, 1), (3, 1.0), (0, 1), (1, 0), (7, 1), (1, 7), (-1, 3), (True, 3), (3, True),
    (None, 1), ("3", "1"), ("3", 1), [[3], [1]], {3: 1}, {3, 1}, (10**30, 1), (float("nan"), 1), iter((3, 1)),
]  # fmt: skip


class TestReading:
    @pytest.mark.parametrize("value", THREE_ONE, ids=repr)
    def test_accepted(self, value):
        assert Dice.of(value) == Dice(3, 1)
        assert len(Position.start().legal_plays(value)) == 16

    @pytest.mark.parametrize("value", NO_ROLL, ids=lambda value: repr(value)[:20])
    def test_refused(self, value):
        for read in (Dice.of, Position.start().legal_plays):
            with pytest.raises(DiceError) as caught:
                read(value)
            assert isinstance(caught.value, GammonError)
            assert isinstance(caught.value, ValueError)
            assert 0 < len(str(caught.value)) < 200
            assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("faces", [(0, 1), (7, 1), (1, 7), (3.0, 1), (1, 3.0), ("3", "1"), (True, 1), (None, None)])
    def test_constructor_refuses(self, faces):
        with pytest.raises(DiceError):
            Dice(*faces)

    @given(st.text())
    def test_any_text_is_read_or_refused(self, text):
        try:
            assert Dice.of(text) in ROLLS
        except DiceError as error:
            assert len(str(error)) < 200

    @given(st.integers(1, 6), st.integers(1, 6))
    def test_every_spelling(self, first, second):
        assert (
            Dice(first, second)
            == Dice.of(f"{first}{second}")
            == Dice.of(f"{second}-{first}")
            == Dice.of([first, second])
        )


class TestDice:
    def test_larger_first(self):
        assert (Dice(1, 3).high, Dice(1, 3).low) == (3, 1)
        assert list(Dice(1, 3)) == [3, 1]
        assert str(Dice(1, 3)) == "31"

    def test_pips(self):
        assert [Dice(6, 5).pips, Dice(2, 1).pips, Dice(6, 6).pips, Dice(1, 1).pips] == [11, 3, 24, 4]

    def test_doublet(self):
        assert [roll.is_doublet for roll in ROLLS].count(True) == 6
        assert (Dice(4, 4).weight, Dice(4, 3).weight) == (1, 2)

    def test_random_is_the_callers(self):
        throws = [Dice.random(random.Random(7)) for _ in range(3)]
        assert len(set(throws)) == 1
        rng = random.Random(7)
        assert {Dice.random(rng) for _ in range(1000)} == set(ROLLS)

    def test_is_a_value(self):
        assert Dice(3, 1) == Dice(1, 3)
        assert hash(Dice(3, 1)) == hash(Dice(1, 3))
        assert len(set(ROLLS)) == 21
        assert Dice(3, 1) != Dice(3, 2)
        assert Dice(3, 1) != (3, 1)
        assert repr(Dice(1, 3)) == "Dice(high=3, low=1)"

    @pytest.mark.parametrize("roll", ROLLS, ids=str)
    def test_copies_are_equal(self, roll):
        assert pickle.loads(pickle.dumps(roll)) == copy.copy(roll) == copy.deepcopy(roll) == roll
        assert eval(repr(roll), {"Dice": Dice}) == roll

    def test_is_frozen(self):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            Dice(3, 1).high = 4
        with pytest.raises((AttributeError, TypeError)):
            Dice(3, 1).other = 4
