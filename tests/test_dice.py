"""Two dice, and every way in which people write them."""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
import random
import typing

import attrs
import numpy as np
import pytest
from hypothesis import given, strategies as st

import loop
import wording
from gammonrules import ROLLS, ArgumentError, Dice, GammonError, MatchState, Player, Position
from gammonrules.errors import DiceError, DiceProblem

THREE_ONE = ["31", "13", "3-1", "1-3", "31 ", " 31", " 3-1 ", (3, 1), (1, 3), [3, 1], [1, 3], Dice(3, 1), Dice(1, 3)]
THREE_ONE += ["31" + 18 * " ", (np.int8(3), np.uint64(1)), [np.int64(1), 3], np.str_("31"), np.array([3, 1], object)]
THREE_ONE += [np.array([1, 3], dtype) for dtype in (np.int8, np.uint8, np.int16, np.int64, np.uint64, ">i4")]
THREE_ONE += [np.array([[3, 5], [1, 5]])[:, 0], np.frombuffer(b"\1\3", np.int8)]
NO_ROLL = [
    "3", "", "99", "07", "70", "311", "three one", "31\0", "-31", "3--1", "31" + 19 * " ", "３１", "3" * 1_000_000,
    b"31", 31, None, object(), (), (3,), (3, 1, 1), (3.0, 1), (0, 1), (1, 7), (-1, 3), (True, 3), (None, 1),
    ("3", "1"), [[3], [1]], {3: 1}, {3, 1}, (10**30, 1), (float("nan"), 1), iter((3, 1)),
]  # fmt: skip
NO_ROLL += [np.array(faces) for faces in ([3], [3, 1, 1], [[3, 1]], 31, [3.0, 1.0], [True, True], [3, 7], ["3", "1"])]
NO_ROLL += [np.ma.masked_equal([3, 1], 1), np.array(["2026-01-01", "2026-01-03"], "M8[D]"), (np.True_, np.True_)]
NO_ROLL += [np.zeros(1_000_000, int), np.array([(3, 1)], "i1, i1")]


class TestReading:
    @loop.over("value", THREE_ONE)
    def test_accepted(self, value):
        assert Dice.of(value) == Dice(3, 1)
        assert len(Position.start().legal_plays(value)) == 16

    @loop.over("value", NO_ROLL)
    def test_refused(self, value):
        for read in (Dice.of, Position.start().legal_plays):
            with pytest.raises(DiceError) as caught:
                read(value)
            assert isinstance(caught.value, GammonError)
            assert isinstance(caught.value, ValueError)
            assert 0 < len(str(caught.value)) < 200
            assert "\n" not in str(caught.value)

    @loop.rows("rng", random.Random(1), np.random.default_rng(1))
    def test_a_generator_is_no_roll_but_throws_one(self, rng):
        for read in (Dice.of, MatchState.new(3).opening_roll(3, 1).play("8/5 6/5").roll):
            with pytest.raises(DiceError, match=r"; Dice\.random\(rng\) throws the dice$"):
                read(rng)

    def test_two_dice_apart_are_shown_the_right_call(self):
        start, opening = Position.start(), MatchState.new(3)
        to_roll = opening.opening_roll(3, 1).play("8/5 6/5")
        for call, beginning in (
            (start.legal_plays, "legal_plays("),
            (to_roll.roll, "roll("),
            (functools.partial(start.play, "8/5 6/5"), "play('8/5 6/5', "),
            (Dice.of, "Dice.of("),
        ):
            for dice, wrong in (
                ((3, 1), "3, 1"),
                (("3", "1"), "'3', '1'"),
                (("31", "6-2"), "'31', '6-2'"),
                ((3, 1, 2), "3, 1, 2"),
            ):
                with wording.tells(
                    DiceError, f"{beginning}(3, 1))", f'{beginning}"31")', f"{beginning}{wrong})"
                ) as caught:
                    call(*dice)
                assert caught.value.problems is DiceProblem.NOT_A_PAIR

    @loop.rows("dice", ("31",), ((3, 1),), (Dice(3, 1),), (3,), (), (3, 1, 2))
    def test_an_opening_roll_without_both_dice_is_shown_the_right_call(self, dice):
        with wording.tells(DiceError, "opening_roll(white=3, black=1)") as caught:
            MatchState.new(3).opening_roll(*dice)
        assert caught.value.problems is DiceProblem.NOT_A_PAIR

    @loop.rows(
        ("action", "wrong", "right"),
        ("opening_roll", (3, 1, "white"), "(3, 1, by='white')"),
        ("opening_roll", (3, np.int8(1), Player.BLACK), "by=Player.BLACK)"),
        ("roll", ("31", Player.BLACK), "('31', by=Player.BLACK)"),
        ("roll", (3, 1, "black"), "((3, 1), by='black')"),
        ("roll", ("31", "gray"), "('31', by='gray')"),
    )
    def test_a_player_in_place_is_shown_as_by(self, action, wrong, right):
        state = MatchState.new(3)
        if action == "roll":
            state = state.opening_roll(3, 1).play("8/5 6/5")
        with wording.tells(ArgumentError, f"write {action}", right):
            getattr(state, action)(*wrong)

    @loop.rows("arguments", ("31",), ((3, 1),), (Dice(3, 1),), (3,), ())
    def test_the_constructor_with_one_value_names_the_function_that_reads_it(self, arguments):
        with wording.tells(DiceError, 'Dice.of("31")', "not Dice(") as caught:
            Dice(*arguments)
        assert caught.value.problems is DiceProblem.NOT_A_PAIR

    @loop.rows("function", Dice, Dice.of, Position.legal_plays, Position.play, MatchState.roll, MatchState.opening_roll)
    def test_signatures_have_only_what_a_right_call_has(self, function):
        parameters = inspect.signature(function).parameters
        assert not any("apart" in name for name in parameters)
        optional = [name for name, each in parameters.items() if each.default is not each.empty]
        assert optional == [name for name in parameters if name == "by"]
        assert not any("apart" in name for name in typing.get_type_hints(MatchState.roll))

    def test_an_opening_roll_by_name(self):
        by_place = MatchState.new(3).opening_roll(3, 1)
        assert (
            MatchState.new(3).opening_roll(3, black=1) == MatchState.new(3).opening_roll(black=1, white=3) == by_place
        )
        with pytest.raises(DiceError, match="white=3, black=1"):
            MatchState.new(3).opening_roll(white=3)
        with pytest.raises(TypeError, match="dice"):
            MatchState.new(3).opening_roll(white=3, black=1, dice="31")
        with pytest.raises(TypeError, match="blakc"):
            MatchState.new(3).opening_roll(white=3, blakc=1)

    @loop.rows("faces", (0, 1), (7, 1), (1, 7), (3.0, 1), (1, 3.0), ("3", "1"), (True, 1), (None, None))
    def test_constructor_refuses(self, faces):
        with pytest.raises(DiceError):
            Dice(*faces)

    def test_contains_its_faces(self):
        assert [face in Dice(3, 1) for face in (1, np.int8(3), 2, 7)] == [True, True, False, False]

    @loop.rows("face", "3", 3.0, None, True, (3, 1))
    def test_contains_no_other_types(self, face):
        with pytest.raises(ArgumentError, match="a face of a die must be a whole number, not"):
            face in Dice(3, 1)  # noqa: B015

    @given(st.text())
    def test_any_text_is_read_or_refused(self, text):
        try:
            assert Dice.of(text) in ROLLS
        except DiceError as error:
            assert len(str(error)) < 200


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

    @loop.rows("make", random.Random, np.random.default_rng, lambda seed: np.random.Generator(np.random.MT19937(seed)))
    def test_random_of_any_generator(self, make):
        """The same seed gives the same rolls, and each of the 36 falls."""
        rng, same = make(7), make(7)
        throws = [Dice.random(rng) for _ in range(1000)]
        assert throws == [Dice.random(same) for _ in range(1000)]
        assert set(throws) == set(ROLLS)
        assert all(type(face) is int for face in throws[0])

    @loop.rows("rng", None, 1, np.random, np.random.RandomState(1), random.random, random.Random, np.random.Generator)
    def test_no_generator(self, rng):
        """The `randint` of NumPy's older generators leaves out the 6; it is not that of `random.Random`."""
        with wording.raises(ArgumentError, "rng must be a random.Random or a NumPy generator, not") as caught:
            Dice.random(rng)
        assert str(caught.value).endswith("; write random.Random(1)")

    @given(st.integers())
    def test_a_number_is_shown_as_the_seed_of_a_generator(self, number):
        """So the message has what to write, also for a number that is no seed."""
        with pytest.raises(ArgumentError) as caught:
            Dice.random(number)
        shown = str(caught.value).rpartition("; write ")[2]
        dice = Dice.random(eval(shown, {"random": random}))
        assert number < 0 or dice == Dice.random(random.Random(number))

    def test_is_a_value(self):
        assert Dice(3, 1) == Dice(1, 3)
        assert hash(Dice(3, 1)) == hash(Dice(1, 3))
        assert len(set(ROLLS)) == 21
        assert Dice(3, 1) != Dice(3, 2)
        assert Dice(3, 1) != (3, 1)
        assert repr(Dice(1, 3)) == "Dice(high=3, low=1)"

    @loop.over("roll", ROLLS, ids=str)
    def test_copies_are_equal(self, roll):
        assert pickle.loads(pickle.dumps(roll)) == copy.copy(roll) == copy.deepcopy(roll) == roll
        assert eval(repr(roll), {"Dice": Dice}) == roll

    def test_is_frozen(self):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            Dice(3, 1).high = 4
        with pytest.raises((AttributeError, TypeError)):
            Dice(3, 1).other = 4
