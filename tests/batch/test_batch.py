"""Many boards at once: `batch` gives for each board what `Position` gives."""

from __future__ import annotations

import ctypes
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, strategies as st

import gammonrules
import loop
import processes
import reference
import wording
from boards import boards, cases, position_of, positions, rolls
from fuzzing.kernel import inputs_of
from gammonrules import (
    ROLLS,
    ArgumentError,
    Dice,
    DiceError,
    DiceProblem,
    GammonError,
    MatchState,
    Position,
    PositionError,
    PositionProblem,
    batch,
)
from gammonrules._arrays import dispatch
from gammonrules._arrays.checks import Rows, rows_of as checked_rows
from gammonrules.board import pure
from gammonrules.values import shown
from move_generators import kernel, needs_kernel, packed, small_boards

KERNELS = ["pure"] if kernel is None else ["pure", "c"]
START = Position.start()
STARTS = batch.from_positions([START] * 3)
DICE = np.array([[3, 1], [6, 5], [2, 2]], np.int8)
FORMS = "expected a Position, a list of positions, or whole numbers of shape (26,) or (N, 26), not"


FULL_POSITIONS = positions().filter(lambda position: position.checkers == 15)


def pips(boards: np.ndarray) -> np.ndarray:
    """An evaluator."""
    mine, theirs = batch.pip_counts(boards).T
    return (theirs - mine) / 1000


FUNCTIONS: list[Callable[[Any], Any]] = [
    batch.flip,
    batch.pip_counts,
    batch.outcomes,
    batch.features,
    batch.kinds,
    batch.to_ids,
    batch.to_positions,
    lambda boards: attrs.astuple(batch.board_features(boards))[0],
    lambda boards: batch.legal_plays(boards, "31").counts,
    lambda boards: batch.look_ahead(boards, pips, plies=0),
]
"""All functions of boards that take little time."""


def same(values: Any, expected: Any) -> bool:
    """Lists, or arrays of the same numbers, shape and dtype."""
    if isinstance(expected, list):
        return bool(values == expected)
    return values.dtype == expected.dtype and np.array_equal(values, expected)


def use(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `batch` use one of the generators, whichever was chosen at import."""
    monkeypatch.setattr(dispatch, "kernel", kernel if kind == "c" else None)


def by_each(call: Callable[[], Any]) -> list[Any]:
    """What the kernel and NumPy give."""
    results = []
    for kind in KERNELS:
        with pytest.MonkeyPatch.context() as patch:
            use(kind, patch)
            results.append(call())
    return results


@pytest.fixture(params=KERNELS)
def generator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both generators behind `batch`, one after the other."""
    use(request.param, monkeypatch)
    return request.param


def rows_of(some: list[reference.Board]) -> Rows:
    return np.frombuffer(b"".join(packed(board) for board in some), np.int8).reshape(-1, 26)


def check(points: Rows, dice: np.ndarray, expected: list[gammonrules.Plays]) -> None:
    """Results, order and moves are those of `Plays`."""
    plays = batch.legal_plays(points, dice)
    assert plays.offsets.dtype == np.int64
    assert plays.points.dtype == plays.moves.dtype == np.int8
    assert plays.counts.tolist() == [len(some) for some in expected]
    for index, some in enumerate(expected):
        results, moves = plays[index]
        assert [tuple(row) for row in results.tolist()] == [play.position.points for play in some]
        written = [[[move.from_point, move.to_point] for move in play.moves] for play in some]
        assert moves.tolist() == [each + [[-1, -1]] * (4 - len(each)) for each in written]


def check_generators(call: Callable[[], batch.LegalPlays | batch.Games]) -> None:
    """The generators give the same rows in the same order, with the same moves."""
    plays, same = by_each(call)
    for name in {"offsets", "points", "moves", "dice", "results"} & {field.name for field in attrs.fields(type(plays))}:
        assert np.array_equal(getattr(plays, name), getattr(same, name)), name


def check_no_index(values: Any, name: str, number: int) -> None:
    for index in (number, -number - 1, 10**30):
        with pytest.raises(IndexError, match=f"^there is no {name} {index}, only {number}$"):
            values[index]
    for index in (slice(2), 1.0, None, (0, 1), "1"):
        with pytest.raises(TypeError, match=rf"index of a {name} is a whole number, not {re.escape(shown(index))}$"):
            values[index]


class TestLegalPlays:
    """One row for each play of `Position.legal_plays`, in its order."""

    @given(st.lists(st.tuples(boards(over=True), rolls()), max_size=4))
    def test_on_any_boards(self, some):
        points, dice = rows_of([board for board, _ in some]), np.array([dice for _, dice in some], int).reshape(-1, 2)
        expected = [position_of(board).legal_plays(dice) for board, dice in some]
        by_each(lambda: check(points, dice, expected))

    def test_on_many(self, generator, portion):
        """More boards than NumPy takes at once; test_kernel.py compares `pure` with the brute force."""
        some = list(cases(*portion)) * 3
        plays = batch.legal_plays(rows_of([board for board, _ in some]), [dice for _, dice in some])
        third = len(some) // 3
        expected = [pure.legal_plays(packed(board), max(dice), min(dice)) for board, dice in some[:third]]
        assert plays.points[: plays.offsets[third]].tobytes() == b"".join(map(b"".join, expected))
        assert plays.counts[:third].tolist() == [len(plays_of_row) for plays_of_row in expected]
        assert (plays.counts.reshape(3, third) == plays.counts[:third]).all()

    @needs_kernel
    def test_generators_agree(self, portion):
        some = list(cases(*portion))
        points, dice = rows_of([board for board, _ in some]), np.array([dice for _, dice in some])
        check_generators(lambda: batch.legal_plays(points, dice))

    @needs_kernel
    def test_generators_agree_on_small_boards(self):
        points = rows_of(list(small_boards(step=199)))
        dice = np.array([(roll.low, roll.high) for roll in ROLLS])
        turns = np.repeat(points, 21, axis=0), np.tile(dice, (len(points), 1))
        check_generators(lambda: batch.legal_plays(*turns))

    @pytest.mark.parametrize(
        ("points", "dice"), [(np.zeros((0, 26), np.int8), np.zeros((0, 2), np.int8)), ([], []), ((), [])]
    )
    def test_nothing(self, generator, points, dice):
        plays = batch.legal_plays(points, dice)
        assert plays.offsets.tolist() == [0]
        assert (plays.points.shape, plays.moves.shape) == ((0, 26), (0, 4, 2))
        assert len(plays) == 0

    def test_cases(self, generator):
        plays = batch.legal_plays(STARTS, DICE)
        assert len(plays) == 3
        assert len(list(plays)) == 3
        for number, (results, moves) in enumerate(plays):
            assert np.array_equal(results, plays[number][0])
            assert np.array_equal(moves, plays[number][1])
        for index in (-1, np.int8(2)):
            assert np.array_equal(plays[index][0], plays[2][0])
        assert np.array_equal(plays[-3][0], plays[0][0])
        assert plays.board_numbers.tolist() == [0] * 16 + [1] * 7 + [2] * len(START.legal_plays("22"))
        assert plays[1][0].base is not None
        check_no_index(plays, "board", 3)

    def test_best_of_nothing(self):
        plays = batch.legal_plays(np.zeros((0, 26), int), np.zeros((0, 2), int))
        assert plays.best(np.zeros(0)).tolist() == []
        assert plays.best(np.zeros(0)).dtype == plays.best([]).dtype == np.int64

    def test_no_best(self):
        plays = batch.legal_plays(STARTS, DICE)
        scores = np.zeros(len(plays.points))
        for wrong in (scores[1:], scores[None], scores > 0, scores.astype(object), None):
            with wording.raises(ArgumentError, f"scores: expected {len(scores)} numbers, not "):
                plays.best(wrong)
        with wording.raises(ArgumentError, "scores: rows of different lengths are not an array"):
            plays.best([[1, 2], [3]])
        with wording.raises(ArgumentError, "scores: a masked array does not have a number in every place"):
            plays.best(np.ma.masked_less(scores, 1))

    def test_long_dtypes_and_shapes(self):
        """No error repeats more than a part of them, beside the forms that are accepted."""
        wide = np.zeros(3, [(f"field {at}", "i1") for at in range(1000)])
        deep = np.zeros((1,) * 32, np.int8)
        plays = batch.legal_plays(STARTS, DICE)
        for array in (wide, deep):
            for call in (
                lambda array: batch.legal_plays(array, DICE),
                lambda array: batch.legal_plays(STARTS, array),
                plays.best,
                lambda array: batch.play_games(1, lambda plays, rng: array, rng=np.random.default_rng(1)),
            ):
                with pytest.raises(GammonError) as caught:
                    call(array)
                assert len(str(caught.value)) < 260

    def test_results_may_be_changed(self, generator):
        plays = batch.legal_plays(STARTS, DICE)
        plays.points[0, 0] = plays.moves[0, 0, 0] = plays.offsets[0] = 1

    @needs_kernel
    def test_errors_of_the_kernel_are_not_hidden(self, monkeypatch):
        def fails(*_: object) -> None:
            raise ValueError("something else")

        monkeypatch.setattr(kernel, "legal_plays_of_many", fails)
        use("c", monkeypatch)
        with pytest.raises(ValueError, match="something else"):
            batch.legal_plays(STARTS, DICE)


class TestInput:
    """Anything but arrays of boards and rolls is refused with a sentence; everything else is read correctly."""

    @pytest.mark.parametrize(
        "make",
        [
            lambda array: array.tolist(),
            lambda array: array.astype(np.int64),
            lambda array: array.astype(">i4"),
            lambda array: array.astype(np.uint64) if (array > 0).all() else array,
            np.asfortranarray,
            lambda array: np.repeat(array, 2, axis=0)[::2],
            lambda array: np.repeat(array, 2, axis=1)[:, ::2],
            lambda array: np.ascontiguousarray(array[::-1])[::-1],
            lambda array: np.frombuffer(array.tobytes(), np.int8).reshape(array.shape),
        ],
        ids=["list", "int64", "big-endian", "unsigned", "fortran", "rows", "columns", "reversed", "read-only"],
    )
    def test_accepted(self, generator, make):
        expected = batch.legal_plays(STARTS, DICE)
        plays = batch.legal_plays(make(STARTS), make(DICE))
        assert np.array_equal(plays.points, expected.points)
        assert np.array_equal(batch.pip_counts(make(STARTS)), [[167, 167]] * 3)

    def test_dice_of_any_kind(self, generator):
        """A list of `Dice`, or some of them among pairs."""
        points = np.repeat(STARTS[:1], 21, axis=0)
        expected = batch.legal_plays(points, [tuple(roll) for roll in ROLLS])
        texts = [str(roll) for roll in ROLLS]
        columns = np.array(texts), np.array([*ROLLS, None], object)[:-1]
        for dice in (ROLLS, list(ROLLS), [*ROLLS[:20], [6, 6]], texts, [*texts[:20], ROLLS[20]], *columns):
            assert np.array_equal(batch.legal_plays(points, dice).points, expected.points)
        for wrong in ([*ROLLS[:2], START], [*ROLLS[:2], "37"], [*ROLLS[:2], None]):
            with pytest.raises(DiceError, match=r"^dice[:,] "):
                batch.legal_plays(STARTS, wrong)

    @given(st.lists(FULL_POSITIONS, max_size=3), rolls())
    def test_one_roll_for_all_boards(self, boards, pair):
        """In every form that `Dice.of` accepts; it is the same as an array with this roll for each board."""
        expected = batch.legal_plays(boards, np.array([pair] * len(boards), np.int8).reshape(-1, 2))
        high, low = pair
        for dice in (f"{high}{low}", f"{low}-{high}", (high, low), [low, high], Dice(high, low), np.array([low, high])):
            plays = batch.legal_plays(boards, dice)
            assert np.array_equal(plays.offsets, expected.offsets)
            assert np.array_equal(plays.points, expected.points)
            turns = batch.Turns.of(boards, dice, rng=np.random.default_rng(1))
            assert turns.dice.shape == (len(boards), 2)
            assert (np.sort(turns.dice) == [min(pair), max(pair)]).all()

    def test_no_copy(self):
        assert checked_rows(STARTS, 26, "points") is STARTS

    @loop.rows(
        ("points", "message"),
        (STARTS.astype(np.float64), f"{FORMS} float64 of shape (3, 26); convert whole numbers with astype(numpy.int8)"),
        (STARTS > 0, f"{FORMS} bool of shape (3, 26); Position.points is such a board"),
        (STARTS.astype(object), f"{FORMS} object of shape (3, 26); Position.points is such a board"),
        ([[2**70] * 26], f"{FORMS} object of shape (1, 26); Position.points is such a board"),
        (None, f"{FORMS} None; Position.points is such a board"),
        (START.id, f"{FORMS} '4HPwATDgc/ABMA'; read Position IDs with batch.from_ids"),
        ([START.id], f"{FORMS} <U14 of shape (1,); read Position IDs with batch.from_ids"),
        ([MatchState.new(7)], f"{FORMS} object of shape (1,); pass the position of the state"),
        ([[1, 2], [3]], "rows of different lengths are not an array"),
        (np.ma.masked_equal(STARTS, 5), "a masked array does not have a number in every place"),
        (STARTS[0, :25], f"{FORMS} int8 of shape (25,); Position.points is such a board"),
        (STARTS[:, :25], f"{FORMS} int8 of shape (3, 25); Position.points is such a board"),
        (STARTS[None], f"{FORMS} int8 of shape (1, 3, 26); Position.points is such a board"),
    )
    def test_no_boards(self, points, message):
        for function in (batch.flip, batch.to_positions, lambda points: batch.legal_plays(points, DICE)):
            with wording.raises(PositionError, f"points: {message}") as caught:
                function(points)
            assert message.rpartition(" ")[2] in str(caught.value)
            assert caught.value.problems == PositionProblem.NOT_A_BOARD

    @loop.rows(
        ("changes", "message", "problem"),
        ({5: 2}, "mine: 17 checkers, but the game has 15", PositionProblem.TOO_MANY_CHECKERS),
        ({5: -1}, "theirs: 16 checkers, but the game has 15", PositionProblem.TOO_MANY_CHECKERS),
        ({2: -128, 3: -128}, "theirs: 271 checkers", PositionProblem.TOO_MANY_CHECKERS),
        ({0: 1, 6: 4}, "index 0 is the opponent's bar, not a place for 1", PositionProblem.CHECKERS_ON_WRONG_BAR),
        ({25: -1, 19: -4}, "index 25 is my bar, not a place for -1", PositionProblem.CHECKERS_ON_WRONG_BAR),
    )
    def test_impossible_boards(self, generator, changes, message, problem):
        points = STARTS.copy()
        for at, number in changes.items():
            points[1:, at] = number
        functions = (batch.flip, batch.pip_counts, batch.outcomes, batch.features, batch.to_positions)
        for function in (*functions, lambda boards: batch.legal_plays(boards, DICE)):
            with wording.raises(PositionError, f"points, row 1: impossible position: {message}") as caught:
                function(points)
            assert problem in caught.value.problems

    @loop.rows("number", 128, -129, 257, 2**40)
    def test_beyond_int8(self, number):
        points = STARTS.astype(np.int64)
        points[2, 7] = number
        with wording.raises(PositionError, f"points, row 2: {number} is beyond int8"):
            batch.legal_plays(points, DICE)

    @pytest.mark.parametrize("roll", [(0, 1), (1, 7), (-1, 3), (3, -128)])
    def test_impossible_dice(self, generator, roll):
        dice = DICE.copy()
        dice[2] = roll
        wrong = next(die for die in roll if not 1 <= die <= 6)
        with wording.raises(DiceError, f"dice, row 2: a die must be a whole number from 1 to 6, not {wrong}") as caught:
            batch.legal_plays(STARTS, dice)
        faces = zip(roll, (DiceProblem.INVALID_FIRST_DIE, DiceProblem.INVALID_SECOND_DIE), strict=True)
        assert caught.value.problems == next(problem for face, problem in faces if face == wrong)

    @loop.rows(
        ("dice", "message"),
        (DICE / 2, "dice: expected a roll, a list of rolls, or whole numbers, not float64 of shape (3, 2)"),
        (DICE[0, :1], "dice: expected a roll, a list of rolls, or whole numbers, not int8 of shape (1,)"),
        (31, "dice: expected a roll, a list of rolls, or whole numbers, not 31; pass one roll for all boards"),
        ([[300, 1], [1, 1], [1, 1]], "dice, row 0: 300 is beyond int8"),
    )
    def test_no_dice(self, dice, message):
        with wording.raises(DiceError, message, problems=DiceProblem.NOT_A_PAIR):
            batch.legal_plays(STARTS, dice)

    def test_lengths(self):
        with wording.raises(ArgumentError, "dice: 2 rolls for 3 boards; pass one roll for all, or one for each"):
            batch.legal_plays(STARTS, DICE[:2])

    @given(st.lists(FULL_POSITIONS, min_size=1, max_size=3))
    def test_boards_in_every_form(self, boards):
        """Positions give what an array of their boards gives; one board in any form is a batch of one."""
        array = batch.from_positions(boards)
        first = boards[0]
        for function in FUNCTIONS:
            expected = function(array)
            for form in (boards, tuple(boards), np.array([*boards, None], object)[:-1], array.tolist()):
                assert same(function(form), expected)
            alone = function(array[:1])
            assert len(alone) == 1
            for form in (first, first.points, array[0], [first]):
                assert same(function(form), alone)

    @given(st.sampled_from(("hypergammon", "hypergammon2", "longgammon")))
    def test_positions_know_their_checkers(self, name):
        checkers = Position.start(name).checkers
        over = Position.of(mine={6: 1, "off": checkers - 1}, theirs={"off": checkers}, checkers=checkers)
        array = batch.from_positions([over])
        for function in (batch.outcomes, batch.features, batch.to_positions, partial(batch.look_ahead, evaluate=pips)):
            assert same(function(over), function(array, checkers=checkers))
            assert same(function(over, checkers=checkers), function(over))
            wrong = 14 if checkers == 15 else 15
            with wording.raises(ArgumentError, f"checkers: these positions have {checkers} a side, not {wrong}"):
                function(over, checkers=wrong)

    def test_positions_of_different_games(self):
        with wording.raises(ArgumentError, "points, index 1: 3 checkers a side, but 15 at index 0"):
            batch.flip([START, Position.start("hypergammon")])
        with wording.raises(ArgumentError, "points, index 1: expected a Position, not None"):
            batch.flip([START, None])

    @loop.rows("checkers", 0, 16, True, 2.0, "15")
    def test_numbers_of_checkers(self, checkers):
        for function in (batch.outcomes, batch.features, batch.to_positions):
            with wording.raises(ArgumentError, f"checkers must be a whole number from 1 to 15, not {checkers!r}"):
                function(STARTS, checkers=checkers)


def some_turns() -> batch.Turns:
    return batch.Turns.of([Position.start().points], [(3, 1)], rng=np.random.default_rng(1))


def results_with_arrays() -> list[tuple[Any, str]]:
    return [
        (batch.legal_plays([Position.start().points], [(3, 1)]), "offsets points moves"),
        (some_turns(), "offsets points moves boards dice games numbers on_roll"),
        (batch.random_games(2, rng=np.random.default_rng(1)), "offsets points dice results moves final starters"),
    ]


@loop.rows("wrong", [], None, np.zeros(0, np.int8), np.zeros((9, 9, 9), np.int8), np.array("x"))
@loop.over(("value", "names"), results_with_arrays)
def test_arrays_of_ones_own(value, names, wrong):
    """The classes of results refuse arrays of other shapes or of no numbers, as `Tables` does."""
    for name in names.split():
        with wording.tells(ArgumentError, "expected", "whole numbers"):
            attrs.evolve(value, **{name: wrong})
    floats = value.offsets.astype(np.float64)
    with wording.raises(ArgumentError, "offsets: float64"):
        attrs.evolve(value, offsets=floats)


def test_memory_mapped(generator, tmp_path):
    np.save(tmp_path / "points.npy", STARTS.astype(np.int16))
    points = np.load(tmp_path / "points.npy", mmap_mode="r")
    assert np.array_equal(
        batch.legal_plays(points[1:], DICE[1:]).points, batch.legal_plays(STARTS[1:], DICE[1:]).points
    )


@needs_kernel
class TestMemory:
    """The kernel uses the memory of earlier results again, and only when nobody holds them any more."""

    def games(self) -> batch.Games:
        return batch.random_games(60, rng=np.random.default_rng(7))

    def test_results_in_use_are_left_alone(self):
        games = self.games()
        kept, copies = [], []
        for rows in (slice(None), slice(None, None, -1), slice(0, None, 2), slice(0, 3), slice(None)) * 2:
            plays = batch.legal_plays(games.points[rows], games.dice[rows])
            copies.append([np.copy(part) for part in (plays.offsets, plays.points, plays.moves)])
            kept.append([plays.offsets, plays.points[:], plays.moves[::2]])
            if len(kept) % 3 == 0:  # half of a result stays in use: its boards, but not its moves
                kept[-1][2] = copies[-1][2][::2]
        for (offsets, points, moves), copy in zip(kept, copies, strict=True):
            assert np.array_equal(offsets, copy[0])
            assert np.array_equal(points, copy[1])
            assert np.array_equal(moves, copy[2][::2])

    def test_used_memory_gives_the_same(self):
        games = self.games()
        first = batch.legal_plays(games.points, games.dice)
        for rows in (slice(None), slice(0, 100), slice(None), slice(0, 2000), slice(None), slice(50), slice(None)):
            plays = batch.legal_plays(games.points[rows], games.dice[rows])
            number = plays.offsets[-1]
            assert np.array_equal(plays.offsets, first.offsets[: len(plays) + 1])
            assert np.array_equal(plays.points, first.points[:number])
            assert np.array_equal(plays.moves, first.moves[:number])
            plays.points[:], plays.moves[:] = 77, 77

    def test_after_an_error(self):
        games = self.games()
        expected = batch.legal_plays(games.points, games.dice).points.copy()
        wrong = games.points.copy()
        wrong[-1, 5] = 99
        with wording.raises(PositionError, f"points, row {len(wrong) - 1}: "):
            batch.legal_plays(wrong, games.dice)
        assert np.array_equal(batch.legal_plays(games.points, games.dice).points, expected)


class TestBoards:
    """The other functions, board by board."""

    @given(st.sampled_from([15, 3, 1]), st.data())
    def test_as_position(self, checkers, data):
        some = data.draw(st.lists(positions(checkers=checkers, over=True), min_size=1, max_size=4))
        points = batch.from_positions(some)
        assert batch.to_positions(points, checkers=checkers) == some
        assert [tuple(row) for row in points.tolist()] == [position.points for position in some]
        assert batch.to_positions(batch.flip(points), checkers=checkers) == [position.flip() for position in some]
        pips = [[position.pip_count, position.opponent_pip_count] for position in some]
        assert batch.pip_counts(points).tolist() == pips
        outcomes = [position.outcome for position in some]
        signed = [0 if outcome is None else outcome.win * (1 if outcome.won else -1) for outcome in outcomes]
        assert batch.outcomes(points, checkers=checkers).tolist() == signed
        assert batch.pip_counts(points).dtype == np.int32
        assert batch.outcomes(points, checkers=checkers).dtype == np.int8
        features = batch.features(points, checkers=checkers)
        assert features.dtype == np.float32
        assert np.allclose(features, [inputs_of([*position.points], checkers) for position in some], atol=1e-7)

    @loop.rows("checkers", 15, 3, 1)
    def test_every_end(self, checkers):
        """The loser has all checkers left, or some, and the rearmost is on any point or on the bar."""
        some = []
        for place in range(1, 26):
            for left in {checkers, max(checkers - 1, 1)}:
                loser = {place: 1} | {1: left - (place > 1)}
                some += [Position.of(*sides, checkers=checkers) for sides in ((loser, {}), ({}, loser))]
        expected = [position.outcome.win * (1 if position.outcome.won else -1) for position in some]
        assert batch.outcomes(batch.from_positions(some), checkers=checkers).tolist() == expected
        assert set(expected) >= {-3, -2, 2, 3}
        assert ({-1, 1} <= set(expected)) is (checkers > 1)

    @loop.rows("none", np.zeros((0, 26), np.int8), [])
    def test_nothing(self, none):
        assert batch.from_positions([]).shape == batch.flip(none).shape == (0, 26)
        assert batch.to_positions(none) == []
        assert batch.pip_counts(none).shape == (0, 2)
        assert batch.outcomes(none).shape == (0,)
        assert batch.features(none).shape == (0, 198)

    def test_fewer_checkers_than_are_there(self):
        for function in (batch.outcomes, batch.features, batch.to_positions):
            with wording.raises(PositionError, "row 0: impossible position: mine: 15 checkers, but the game has 3"):
                function(STARTS, checkers=3)

    def test_impossible_for_a_position(self):
        with wording.raises(PositionError, "row 1: impossible position: both sides have borne off everything"):
            batch.outcomes([START.points, [0] * 26])
        with wording.raises(PositionError, "row 0: impossible position: both sides have borne off everything"):
            batch.to_positions([[0] * 26])

    @loop.rows(
        ("positions", "message"),
        ([START, "4HPwATDgc/ABMA"], "positions, index 1: expected a Position, not '4HPwATDgc/ABMA'"),
        (START, f"positions must be a list of Position, not {START!r}"),
        (None, "positions must be a list of Position, not None"),
        (np.array(3), "positions must be a list of Position, not an object of type ndarray"),
        ([START, Position.start("hypergammon")], "positions, index 1: 3 checkers a side, but 15 at index 0"),
    )
    def test_no_positions(self, positions, message):
        with wording.raises(ArgumentError, message):
            batch.from_positions(positions)

    def test_boards_may_be_changed(self):
        batch.from_positions([START])[0, 0] = -1


def test_arrays_are_not_searched_by_in():
    for value in (batch.legal_plays([START.points], [(3, 1)]), batch.random_games(1, rng=np.random.default_rng(1))):
        with pytest.raises(TypeError):
            "31" in value  # noqa: B015


def first_play(plays, rng):
    return plays.offsets[:-1]


class TestGames:
    """Random games are legal games."""

    def test_one_by_one(self):
        games = batch.random_games(20, rng=np.random.default_rng(3))
        assert games.offsets.dtype == np.int64
        assert games.points.dtype == games.dice.dtype == games.results.dtype == np.int8
        for number, (points, dice, result) in enumerate(games):
            rows = slice(games.offsets[number], games.offsets[number + 1])
            assert np.array_equal(points, games.points[rows])
            assert np.array_equal(dice, games.dice[rows])
            assert points.base is not None
            assert (type(result), result) == (int, games.results[number])
            for index in (number, number - 20, np.int8(number)):
                assert np.array_equal(games[index][0], points)
                assert games[index][2] == result
        assert len(list(games)) == len(games) == 20
        check_no_index(games, "game", 20)

    def test_start(self):
        with wording.raises(PositionError, "a start position must be"):
            batch.random_games(1, rng=np.random.default_rng(1), start="chess")
        for start in (None, 3, iter([START]), {START}.__iter__()):
            message = f"start must be the name of a start position, a Position or boards, not {shown(start)}"
            with wording.raises(ArgumentError, message):
                batch.random_games(1, rng=np.random.default_rng(1), start=start)
        with wording.raises(ArgumentError, "start: the game is over in this position"):
            batch.random_games(1, rng=np.random.default_rng(1), start=Position.of(theirs={6: 2}))

    @loop.rows(
        ("choose", "message"),
        (lambda plays, rng: None, r"choose returns one row for each of 2 boards, not object of shape \(\)"),
        (lambda plays, rng: plays.offsets, r"choose returns one row for each of 2 boards, not int64 of shape \(3"),
        (lambda plays, rng: plays.offsets[:-1] * 1.0, "choose returns one row for each of 2 boards, not float64"),
        (lambda plays, rng: [[1, 2], [3]], "^choose: rows of different lengths are not an array$"),
        (
            lambda plays, rng: np.ma.masked_equal(plays.offsets[:-1], 0),
            "^choose: a masked array does not have a number in every place$",
        ),
        (lambda plays, rng: plays.offsets[1:], "choose, index 0: row .* is not a play of this board"),
        (lambda plays, rng: plays.offsets[:-1] - [0, 1], "choose, index 1: row .* is not a play of this board"),
    )
    def test_bad_choices(self, choose, message):
        """Each is refused, as the choice of either side."""
        for function in (choose, (first_play, choose)):
            with wording.raises(ArgumentError, message):
                batch.play_games(2, function, rng=np.random.default_rng(1))

    @pytest.mark.parametrize("sides", [1, 2])
    def test_no_function_gets_a_board_played_that_is_no_result(self, generator, sides):
        """Not even one that writes past NumPy, into the memory itself, or changes what it was given."""

        def cheat(plays, rng):
            rows = first_play(plays, rng).copy()
            for array in (plays.offsets, plays.points, plays.moves):
                ctypes.memset(array.ctypes.data, 1, array.nbytes)
            assert (plays.points == 1).all()
            object.__setattr__(plays, "points", np.ones((9999, 26), np.int8))
            object.__setattr__(plays, "offsets", np.zeros(2, np.int64))
            return rows

        games = [
            batch.play_games(
                2, choose if sides == 1 else (choose, first_play), rng=np.random.default_rng(3), max_turns=15
            )
            for choose in (first_play, cheat)
        ]
        for name in ("offsets", "points", "dice", "results"):
            assert np.array_equal(*(getattr(some, name) for some in games)), name

    def test_plays_may_be_kept(self):
        """Those of a turn stay what they were while the games go on."""
        kept = []

        def keep(plays, rng):
            kept.append((plays, plays.points.copy(), plays.moves.copy()))
            return first_play(plays, rng)

        batch.play_games(3, keep, rng=np.random.default_rng(1))
        for plays, points, moves in kept:
            assert np.array_equal(plays.points, points)
            assert np.array_equal(plays.moves, moves)

    def test_rows_that_change_later(self):
        """The rows that a function returned may be its own memory, which it uses again."""
        memory = np.zeros(20, np.int64)

        def choose(plays, rng):
            memory[: len(plays)] = first_play(plays, rng)
            return memory[: len(plays)]

        games = batch.play_games(20, choose, rng=np.random.default_rng(1))
        expected = batch.play_games(20, first_play, rng=np.random.default_rng(1))
        assert np.array_equal(games.points, expected.points)

    @loop.rows("choose", None, (), (first_play,), (first_play,) * 3, (first_play, None), [first_play] * 2)
    def test_no_function(self, choose):
        with wording.raises(ArgumentError, f"choose must be a function, or a tuple of two, not {shown(choose)}"):
            batch.play_games(2, choose, rng=np.random.default_rng(1))


def surprise(numbers: np.ndarray) -> tuple[float, int]:
    """Chi-square of the counts of what should fall equally often, and its degrees of freedom."""
    return float(((numbers - numbers.mean()) ** 2).sum() / numbers.mean()), numbers.size - 1


def check_chances(*statistics: tuple[float, int]) -> None:
    """Chi-squares in all, by the approximation of Wilson and Hilferty, neither too large nor too small for chance."""
    chi_square, freedom = (sum(column) for column in zip(*statistics, strict=True))
    deviation = ((chi_square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5
    assert abs(deviation) < 3.5, (chi_square, freedom)


class TestChance:
    """Dice and choices fall as often as they should: with a fixed seed, chi-square tests never fail by chance."""

    def rolls(self, dice: np.ndarray) -> np.ndarray:
        return np.bincount(dice.astype(int) @ [6, 1] - 7, minlength=36).reshape(6, 6)

    def test_opening_rolls(self):
        games = batch.random_games(3000, rng=np.random.default_rng(2026), start="hypergammon1")
        rolls = self.rolls(games.dice[games.offsets[:-1]])
        assert (np.triu(rolls) == 0).all()  # the larger die is the starter's
        check_chances(surprise(rolls[np.tril_indices(6, -1)]))

    @loop.rows("start", "standard", Position.start("hypergammon"))
    def test_rolls(self, start):
        """All but the opening rolls; of games from a position, those that they begin with, too."""
        games = batch.random_games(150, rng=np.random.default_rng(2026), start=start)
        later = np.delete(games.dice, games.offsets[:-1], axis=0)
        check_chances(surprise(self.rolls(later)))

    def test_first_rolls_from_a_position(self):
        last_roll = Position.of(mine={6: 1}, theirs={1: 1})
        games = batch.random_games(3000, rng=np.random.default_rng(2026), start=last_roll)
        check_chances(surprise(self.rolls(games.dice[games.offsets[:-1]])))

    def test_plays(self):
        """For every number of plays, which of them was chosen; seen in the boards of the next turn."""
        games = batch.random_games(100, rng=np.random.default_rng(2026))
        plays = batch.legal_plays(games.points, games.dice)
        after = np.roll(games.points, -1, axis=0)[plays.board_numbers]
        rows = np.flatnonzero((plays.points == after).all(axis=1))
        rows = rows[~np.isin(plays.board_numbers[rows], games.offsets[1:] - 1)]  # after a last turn comes another game
        chosen, counts = rows - plays.offsets[plays.board_numbers[rows]], plays.counts[plays.board_numbers[rows]]
        assert len(rows) == len(games.points) - len(games)
        common = [size for size in range(2, 40) if (counts == size).sum() > 5 * size]
        assert len(common) > 15
        check_chances(*(surprise(np.bincount(chosen[counts == size], minlength=size)) for size in common))


class TestConcurrency:
    """Threads, forks and Ctrl-C."""

    @needs_kernel
    def test_the_interpreter_is_free_meanwhile(self):
        """The main thread goes on while another one generates plays: held up, it could not count at all."""
        points, dice = np.repeat(STARTS[:1], 40_000, axis=0), np.repeat(DICE[:1], 40_000, axis=0)
        calls: list[tuple[float, float]] = []

        def work() -> None:
            begun = time.perf_counter()
            kernel.legal_plays_of_many(points, dice)
            calls.append((begun, time.perf_counter()))

        def moments_inside() -> int:
            """How many are well inside the call, away from the switches of threads at both ends."""
            thread, seen = threading.Thread(target=work), []
            thread.start()
            while thread.is_alive():
                seen.append(time.perf_counter())
            begun, ended = calls.pop()
            margin = (ended - begun) / 4
            return sum(begun + margin < moment < ended - margin for moment in seen)

        assert any(moments_inside() > 10 for _ in range(50))  # a busy machine may run one thread at a time

    @pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX, and its fork")
    def test_fork_and_interrupt(self):
        program = """
import itertools, os
import numpy as np
from gammonrules import batch
games = batch.random_games(20, rng=np.random.default_rng(1))
child = os.fork()
count = len(batch.legal_plays(games.points[:1], [(3, 1)]).points)
if not child:
    os._exit(count)
assert count == 16 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print("ready", flush=True)
for _ in itertools.count():
    batch.legal_plays(games.points, games.dice)
"""
        with processes.running(sys.executable, "-c", program) as running:
            assert running.stdout is not None
            assert running.stdout.readline() == "ready\n"
            running.send_signal(signal.SIGINT)
            _, printed = running.communicate(timeout=30)
        assert running.returncode == -signal.SIGINT
        assert printed.rstrip().endswith("KeyboardInterrupt")


class TestHalves:
    """The halves of an array, given to two threads of the caller, bring the rows of the whole."""

    @pytest.fixture(scope="class")
    @classmethod
    def turns(cls) -> tuple[Any, Any]:
        games = batch.random_games(90, rng=np.random.default_rng(82))
        return np.resize(games.points, (17_001, 26)), np.resize(games.dice, (17_001, 2))

    @staticmethod
    def halves(function: Callable[..., Any], *arrays: Any) -> list[Any]:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(function, *(np.array_split(array, 2) for array in arrays)))

    @loop.rows("number", 0, 1, 4_095, 17_001)
    def test_legal_plays(self, turns, number):
        points, dice = (array[:number] for array in turns)
        whole = batch.legal_plays(points, dice)
        first, second = self.halves(batch.legal_plays, points, dice)
        for name in ("counts", "points", "moves"):
            joined = np.concatenate([getattr(first, name), getattr(second, name)])
            assert np.array_equal(joined, getattr(whole, name)), name

    @loop.rows("number", 0, 1, 17_001)
    def test_features(self, turns, number):
        points, out = turns[0][:number], np.full((number, 198), 7, np.float32)
        self.halves(batch.features, points, out)
        assert np.array_equal(out, batch.features(points))

    def test_games(self):
        def play(first: int, number: int) -> batch.Games:
            return batch.random_games(number, rng=np.random.default_rng(5), first=first)

        whole = play(0, 400)
        with ThreadPoolExecutor(2) as pool:
            first, second = pool.map(play, (0, 200), (200, 200))
        for name in ("points", "dice", "moves", "results", "final"):
            joined = np.concatenate([getattr(first, name), getattr(second, name)])
            assert np.array_equal(joined, getattr(whole, name)), name
