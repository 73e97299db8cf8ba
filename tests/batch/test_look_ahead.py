"""Looking ahead against a brute force over `Position.legal_plays` and `ROLLS`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from operator import mul
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, strategies as st

import loop
import wording
from boards import position_of, random_board, random_game
from gammonrules import ROLLS, ArgumentError, Position, PositionError, batch, strategies
from gammonrules._arrays.checks import Rows
from gammonrules.batch import _look_ahead

Values: TypeAlias = tuple[float, ...]
"""An equity alone, or five chances."""
WEIGHTS = [17, 5, 11, 23, 2, 29, 31, 3, 41, 7, 13, 47, 19, 53, 59, 61, 37, 67, 71, 43, 73, 79, 83, 89, 97, 101]
START = Position.start()
boards_of_any_kind = strategies.positions(kind="any", checkers=15)


# What an evaluator says must be exact, so that plays are equal in both programs or in neither, and few enough numbers
# that they often are.


def digits(mixture: Any, salt: int, number: int) -> Any:
    return (mixture * (2654435761 + salt) >> 7) % number


def equity(mixture: Any) -> tuple[Any]:
    return (digits(mixture, 0, 129) / 32 - 2,)


def chances(mixture: Any) -> tuple[Any, ...]:
    win, gammon, backgammon, lose_gammon, lose_backgammon = (digits(mixture, salt, 33) / 32 for salt in range(5))
    return (
        win,
        win * gammon,
        win * gammon * backgammon,
        (1 - win) * lose_gammon,
        (1 - win) * lose_gammon * lose_backgammon,
    )


Form: TypeAlias = Callable[[Any], tuple[Any, ...]]


def evaluator(form: Form) -> Callable[[Rows], np.ndarray]:
    def evaluate(boards: Rows) -> np.ndarray:
        values = np.stack(form(boards.astype(np.int64) @ WEIGHTS), axis=1)
        return values[:, 0] if form is equity else values

    return evaluate


# The brute force: a position is worth what its player on roll wins.


def worth(position: Position, form: Form, plies: int, keep: tuple[int, float] | None = None) -> Values:
    if position.outcome is not None:
        won, win = position.outcome.won, position.outcome.win
        levels = [float(win >= level) for level in (1, 2, 3)]
        if form is equity:
            return (float(win if won else -win),)
        return (*levels, 0.0, 0.0) if won else (0.0, 0.0, 0.0, *levels[1:])
    if plies == 0:
        return form(sum(map(mul, WEIGHTS, position.points)))
    each = [(roll.weight / 36, played(position, roll, form, plies, keep)) for roll in ROLLS]
    return tuple(sum(weight * values[at] for weight, values in each) for at in range(len(each[0][1])))


def played(position: Position, roll: Any, form: Form, plies: int, keep: tuple[int, float] | None = None) -> Values:
    """What the best play is worth to the player who makes it."""
    after = [play.position for play in position.legal_plays(roll)]
    if keep is not None and plies > 1:
        scores = [points(from_other_side(worth(each, form, 0))) for each in after]
        best = sorted(range(len(after)), key=lambda at: -scores[at])[: keep[0]]
        after = [after[at] for at in best if scores[at] >= max(scores) - keep[1]]
    return max((from_other_side(worth(each, form, plies - 1, keep)) for each in after), key=points)


def from_other_side(values: Values) -> Values:
    if len(values) == 1:
        return (-values[0],)
    win, gammon, backgammon, lose_gammon, lose_backgammon = values
    return 1 - win, lose_gammon, lose_backgammon, gammon, backgammon


def points(values: Values) -> float:
    if len(values) == 1:
        return values[0]
    win, gammon, backgammon, lose_gammon, lose_backgammon = values
    return win - (1 - win) + gammon + backgammon - lose_gammon - lose_backgammon


def some_positions(seed: str, count: int, most_plays: int = 10_000) -> list[Position]:
    """From games and from anywhere, with a 6-5 and a 2-1 of so many plays at most; of one in ten the game is over."""
    rng, some = random.Random(seed), list[Position]()
    while len(some) < count:
        (drawn, _), *_ = [(random_board(rng), None)] if rng.random() < 0.7 else random_game(rng, 40)[-1:]
        row = position_of(drawn).points
        position = Position.from_points([min(n, 0) for n in row] if len(some) % 10 == 0 else row)
        if len(position.legal_plays("65")) * len(position.legal_plays("21")) <= most_plays:
            some.append(position)
    return some


def check(some: Sequence[Position], form: Form, plies: int, keep: tuple[int, float] | None = None) -> None:
    boards = batch.from_positions(some)
    values = batch.look_ahead(boards, evaluator(form), plies=plies, keep=keep, checkers=some[0].checkers)
    expected = [worth(position, form, plies, keep) for position in some]
    assert values.dtype == np.float64
    assert values.shape == ((len(some),) if form is equity else (len(some), 5))
    assert np.allclose(values.reshape(len(some), -1), expected, rtol=0, atol=1e-12)


class TestBruteForce:
    """Boards of all kinds, equities and five chances; many plays are equal, and the first of them is played."""

    @loop.rows("form", equity, chances)
    def test_one_ply(self, form):
        check(some_positions("one ply", 30), form, 1)

    def test_two_plies(self):
        few = some_positions("two plies", 2, 6)
        check(few, chances, 2)
        for keep in ((2, 0.5), (1, 0)):
            check(few[1:], chances, 2, keep)

    @pytest.mark.long
    @pytest.mark.parametrize("form", [equity, chances])
    def test_many(self, form):
        some = some_positions("many", 800)
        for plies in (0, 1):
            check(some, form, plies)
        check(some[::8] if form is equity else some[1::8], form, 2, (3, 0.5))
        check(some_positions("few plays", 50, 40), form, 2)

    @loop.rows("form", equity, chances)
    def test_each_roll(self, form):
        some = [position for position in some_positions("rolls", 20) if position.outcome is None]
        values = batch.next_rolls(batch.from_positions(some), evaluator(form))
        expected = [[played(position, roll, form, 1) for roll in ROLLS] for position in some]
        assert values.tobytes() == np.array(expected).tobytes()
        assert values.shape == ((len(some), 21) if form is equity else (len(some), 21, 5))

    @loop.rows("form", equity, chances)
    def test_three_checkers(self, form):
        """Who has three checkers and bears off none loses a gammon."""
        games = batch.random_games(6, rng=np.random.default_rng(1), start="hypergammon")
        check(batch.to_positions(np.concatenate([games.points[-20:], games.final]), checkers=3), form, 1)


class TestLaws:
    @given(st.lists(boards_of_any_kind, min_size=1, max_size=6), st.data())
    def test_boards_are_worth_the_same_anywhere(self, some, data):
        """Equal ones are evaluated once, those of finished games never."""
        boards = batch.from_positions(some)
        order = data.draw(st.lists(st.integers(0, len(some) - 1), min_size=1, max_size=9))
        seen = list[Rows]()

        def watched(boards: Rows) -> np.ndarray:
            seen.append(boards)
            return evaluator(chances)(boards)

        values = batch.look_ahead(boards[order], watched)
        assert np.array_equal(values, batch.look_ahead(boards, evaluator(chances))[order])
        for asked in seen:
            assert (asked.dtype, asked.shape[1:], asked.flags.writeable) == (np.int8, (26,), False)
            assert len(np.unique(asked, axis=0)) == len(asked) > 0
            assert not batch.outcomes(asked).any()

    @given(st.lists(boards_of_any_kind, max_size=4))
    def test_one_number_or_five(self, some):
        """Equities are those of the chances, and the mean of the rolls is what one ply says."""
        boards = batch.from_positions(some)

        def alone(boards: Rows) -> np.ndarray:
            return np.array([points(five) for five in evaluator(chances)(boards).tolist()])

        for form, evaluate in ((chances, evaluator(chances)), (equity, alone)):
            rolls = batch.next_rolls(boards, evaluate)
            mean = sum(roll.weight / 36 * rolls[:, at] for at, roll in enumerate(ROLLS))
            values = batch.look_ahead(boards, evaluate)
            assert np.allclose(values, mean, rtol=0, atol=1e-12)
            if form is chances:
                expected = [points(five) for five in values.tolist()]
        assert np.allclose(values, expected, rtol=0, atol=1e-12)

    @given(st.lists(st.lists(st.integers(-1, 1), min_size=3, max_size=3), max_size=30), st.booleans())
    def test_distinct(self, few, collide):
        """Also if all boards are written into one place, and their bytes make the same number."""
        boards = np.zeros((len(few), 26), np.int8)
        boards[:, [0, 9, 25]] = np.reshape(few, (-1, 3))
        with pytest.MonkeyPatch.context() as patch:
            if collide:
                patch.setattr(_look_ahead, "_FACTORS", np.zeros(4, np.uint64))
            different = _look_ahead.distinct(boards)
        assert np.array_equal(boards[different.rows][different.numbers], boards)
        assert len(different.rows) == len(np.unique(boards, axis=0))

    def test_chunks(self, monkeypatch):
        boards = batch.random_games(4, rng=np.random.default_rng(1)).points[:150]
        whole = [call(boards, evaluator(chances)) for call in (batch.look_ahead, batch.next_rolls)]
        monkeypatch.setattr(_look_ahead, "_ROLLED_AT_ONCE", 7)
        monkeypatch.setattr(_look_ahead, "AT_ONCE", 40)
        for call, values in zip((batch.look_ahead, batch.next_rolls), whole, strict=True):
            assert np.array_equal(call(boards, evaluator(chances)), values)


class TestFinished:
    OVER = batch.from_positions([Position.of(mine={6: 15}), Position.of(theirs={6: 3}), Position.of(mine={20: 15})])

    @loop.rows("form", equity, chances)
    def test_they_are_worth_their_result(self, form):
        """In the form of the evaluator, which is asked about a board of a game that goes on."""
        seen = list[Rows]()

        def watched(boards: Rows) -> np.ndarray:
            seen.append(boards)
            return evaluator(form)(boards)

        expected = np.array([worth(position, form, 0) for position in batch.to_positions(self.OVER)])
        for plies in range(4):
            values = batch.look_ahead(self.OVER, watched, plies=plies)
            assert np.array_equal(values.reshape(3, -1), expected)
        rolls = batch.next_rolls(self.OVER, watched)
        assert rolls.shape == ((3, 21) if form is equity else (3, 21, 5))
        assert np.array_equal(rolls.reshape(3, 21, -1), np.repeat(expected[:, None], 21, axis=1))
        assert [batch.outcomes(boards).tolist() for boards in seen] == [[0]] * 5

    def test_all_plays_end_the_game(self):
        """The values have the form of the evaluator's, though it has nothing to evaluate."""
        last = batch.from_positions([Position.of(mine={1: 2}, theirs={1: 1, 7: 14})])
        assert batch.look_ahead(last, evaluator(chances)).tolist() == [[1, 1, 0, 0, 0]]
        assert batch.next_rolls(np.concatenate([last, self.OVER]), evaluator(chances)).shape == (4, 21, 5)
        assert batch.look_ahead(last, evaluator(equity)).tolist() == [2]

    def test_nothing(self):
        assert batch.look_ahead([], evaluator(chances)).shape == (0, 5)
        assert batch.next_rolls(np.zeros((0, 26), np.int8), evaluator(equity)).shape == (0, 21)


class TestBadInput:
    BOARDS = batch.from_positions([START, START.play("8/5 6/5", "31")])

    @loop.rows(
        ("values", "message"),
        (
            lambda boards: np.zeros((len(boards), 1)),
            "evaluate returns a float, or five chances, not float64 of shape (",
        ),
        (lambda boards: np.zeros(len(boards) + 1), "evaluate returns a float, or five chances, not float64 of shape ("),
        (
            lambda boards: np.zeros((5, len(boards))),
            "evaluate returns a float, or five chances, not float64 of shape (5",
        ),
        (lambda boards: boards[:, 0], "evaluate returns a float, or five chances, not int8 of shape ("),
        (lambda boards: None, "evaluate returns a float, or five chances, not object of shape ()"),
        (lambda boards: [[1.0], [1.0, 2.0]], "evaluate: rows of different lengths are not an array"),
        (lambda boards: np.full(len(boards), np.nan), "evaluate, row 0: nan is no value"),
        (lambda boards: np.where(np.arange(len(boards)) == 1, -np.inf, 0), "evaluate, row 1: -inf is no value"),
        (
            lambda boards: np.tile([0.4, 0.5, 0, 0, 0], (len(boards), 1)),
            "evaluate, row 0: win_gammon is 0.5, but win, 0.4",
        ),
        (lambda boards: np.tile([0.4, 0, 0, 0.7, 0], (len(boards), 1)), "evaluate, row 0: lose_gammon is 0.7, 0.6"),
        (lambda boards: np.tile([1.1, 0, 0, 0, 0], (len(boards), 1)), "evaluate, row 0: from 0 to 1, not 1.1"),
    )
    def test_no_values(self, values, message):
        for plies in (0, 1, 2):
            with wording.raises(ArgumentError, message):
                batch.look_ahead(self.BOARDS, values, plies=plies, keep=(1, 0))
        with wording.raises(ArgumentError, message):
            batch.next_rolls(self.BOARDS, values)

    def test_another_form_than_before(self):
        forms = iter([equity, chances])

        def first_one_then_five(boards: Rows) -> np.ndarray:
            return evaluator(next(forms))(boards)

        with wording.raises(ArgumentError, "evaluate returns a float, not float64 of shape ("):
            batch.look_ahead(self.BOARDS, first_one_then_five, plies=2)

    def test_its_own_errors_pass_through(self):
        for error in (ValueError("mine"), ArgumentError("mine"), KeyboardInterrupt()):
            with pytest.raises(type(error)) as caught:
                batch.look_ahead(self.BOARDS, lambda boards, error=error: (_ for _ in ()).throw(error))
            assert caught.value is error

    def test_it_cannot_change_boards(self):
        def write(boards: Rows) -> Rows:
            boards[:] = 0
            return boards

        before = self.BOARDS.copy()
        with pytest.raises(ValueError, match="read-only"):
            batch.look_ahead(self.BOARDS, write, plies=0)
        assert np.array_equal(self.BOARDS, before)

    def test_values_may_be_views_of_any_floats(self):
        memory = np.zeros((100_000, 2), np.float16)

        def same_memory(boards: Rows) -> np.ndarray:
            memory[: len(boards), 0] = evaluator(equity)(boards)
            return memory[: len(boards), 0][::-1][::-1]

        expected = batch.look_ahead(self.BOARDS, evaluator(equity), plies=2, keep=(2, 1))
        assert np.array_equal(batch.look_ahead(self.BOARDS, same_memory, plies=2, keep=(2, 1)), expected)

    def test_rounded_chances_are_cut(self):
        """In a copy: what was returned remains as it was."""
        rounded = np.array([[1.0005, 1, -1e-4, 0, 0]] * 2)
        values = batch.look_ahead(self.BOARDS, lambda boards: rounded, plies=0)
        assert values.tolist() == [[1, 1, 0, 0, 0]] * 2
        assert rounded.tolist() == [[1.0005, 1, -1e-4, 0, 0]] * 2

    @loop.rows(
        ("changed", "message"),
        ({"plies": -1}, "plies must be a whole number from 0 to 3, not -1"),
        ({"plies": 4}, "plies must be a whole number from 0 to 3, not 4"),
        ({"keep": 3}, "keep must be a pair, not 3"),
        ({"keep": (0, 1.0)}, "keep must be a whole number from 1 up, not 0"),
        ({"keep": (3, -1)}, "keep must be a number from 0 on, not -1"),
        ({"checkers": 16}, "checkers must be a whole number from 1 to 15, not 16"),
        ({"evaluate": None}, "evaluate must be a function, not None"),
    )
    def test_arguments(self, changed, message):
        with wording.raises(ArgumentError, message):
            batch.look_ahead(self.BOARDS, **{"evaluate": evaluator(equity)} | changed)

    @loop.rows(
        ("boards", "message"),
        ([[0] * 26], "points, row 0: both sides have borne off everything"),
        ([START.points, [16] + [0] * 25], "points, row 1: impossible position"),
        ([START.points[:25]], "points: expected whole numbers of shape (N, 26), not int64 of shape (1, 25)"),
        (np.zeros((1, 26)), "points: expected whole numbers"),
    )
    def test_boards(self, boards, message):
        for call in (batch.look_ahead, batch.next_rolls):
            with wording.raises(PositionError, message):
                call(boards, evaluator(equity))
