"""What chooses among the plays of each board: `top`, `softmax`, `sample` and `padded`."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise

import numpy as np
from hypothesis import given, strategies as st

import loop
import wording
from gammonrules import ArgumentError, Position, batch

scores_by_board = st.lists(st.lists(st.integers(-4, 4).map(lambda number: number / 2), max_size=6), max_size=5)


def plays_of(scores: list[list[float]]) -> tuple[batch.LegalPlays, np.ndarray]:
    """Boards with so many plays each, some perhaps without any, and the scores of all rows."""
    offsets = np.cumsum([0, *map(len, scores)])
    rows = np.zeros((offsets[-1], 26), np.int8)
    rows[:, 6] = np.arange(len(rows)) % 16
    plays = batch.LegalPlays(offsets, rows, np.zeros((len(rows), 4, 2), np.int8))
    return plays, np.array([score for some in scores for score in some], float)


class TestTop:
    @given(scores_by_board, st.integers(1, 7), st.none() | st.sampled_from([0, 0.5, 2, math.inf]))
    def test_by_sorting_each_board(self, scores, k, within):
        plays, flat = plays_of(scores)
        expected = list[int]()
        for start, end in pairwise(plays.offsets.tolist()):
            best = sorted(range(start, end), key=lambda row: -flat[row])[:k]
            expected += [row for row in best if within is None or flat[row] >= flat[best[0]] - within]
        rows = plays.top(flat, k, within)
        assert rows.tolist() == expected
        assert rows.dtype == np.int64

    @given(scores_by_board)
    def test_the_first_is_the_best(self, scores):
        plays, flat = plays_of(scores)
        best = plays.best(flat)
        assert plays.top(flat, 1).tolist() == best[best >= 0].tolist()


class TestSoftmax:
    @given(scores_by_board, st.sampled_from([0.1, 1, 30]))
    def test_by_its_formula(self, scores, temperature):
        plays, flat = plays_of(scores)
        probabilities = plays.softmax(flat, temperature)
        expected = list[float]()
        for some in scores:
            weights = [math.exp(score / temperature) for score in some]
            expected += [weight / sum(weights) for weight in weights]
        assert np.allclose(probabilities, expected, rtol=1e-9)

    def test_scores_far_apart(self):
        """Without an overflow, which would be a warning and NaN."""
        plays, flat = plays_of([[1e308, -1e308], [5e-324, 0], [-1e308]])
        assert plays.softmax(flat, 1e-300).tolist() == [1, 0, 0.5, 0.5, 1]


class TestSample:
    def test_as_often_as_the_weights_say(self):
        """Each of 20,000 boards by itself, every second without plays; the square of errors is that of chance."""
        weights = [3.0, 0.0, 1.0, 4.0, 0.0]
        plays, flat = plays_of([weights, []] * 20_000)
        rows = plays.sample(flat, rng=np.random.default_rng(1)).reshape(-1, 2)
        assert (rows[:, 1] == -1).all()
        counts = np.bincount(rows[:, 0] - plays.offsets[:-1:2], minlength=5)
        expected = np.array(weights) / 8 * 20_000
        assert counts[[1, 4]].tolist() == [0, 0]
        assert ((counts - expected) ** 2)[expected > 0] @ (1 / expected[expected > 0]) < 13.8  # 1 in 1,000 by chance

    @given(scores_by_board)
    def test_a_sure_play(self, scores):
        plays, flat = plays_of(scores)
        best = plays.best(flat)
        sure = np.zeros(len(flat))
        sure[best[best >= 0]] = 1e-300
        assert plays.sample(sure, rng=np.random.default_rng(1)).tolist() == best.tolist()

    def test_in_games(self):
        """A low temperature plays as `best` does."""

        def by_chance(turns, rng):
            return turns.sample(turns.softmax(turns.points[:, 25] + turns.random(), 1e-6), rng=rng)

        def best(turns, rng):
            return turns.best(turns.points[:, 25] + turns.random())

        games = [
            batch.play_games(5, choose, rng=np.random.default_rng(1), max_turns=20) for choose in (by_chance, best)
        ]
        assert games[0].moves.tolist() == games[1].moves.tolist()


class TestPadded:
    @given(scores_by_board, st.lists(st.integers(30, 60), max_size=3))
    def test_the_same_and_nothing_else(self, scores, larger):
        plays, flat = plays_of(scores)
        points, numbers = plays.padded([*larger, 30])
        assert (points.shape, points.dtype, numbers.shape) == ((30, 26), np.int8, (30,))
        assert np.array_equal(points[: len(flat)], plays.points)
        repeated = plays.points[-1] if len(flat) else np.zeros(26)
        assert (points[len(flat) :] == repeated).all()
        assert numbers.tolist() == plays.board_numbers.tolist() + [len(plays)] * (30 - len(flat))

    @loop.rows(
        ("sizes", "rows"),
        *((6, 6), ([6], 6), ([7, 5], 7), (4, 8), (1, 8), ([2, 3], 6), (np.array([4, 5]), 10), (np.int64(64), 64)),
    )
    def test_the_smallest_that_suffices_or_the_largest_doubled(self, sizes, rows):
        plays, _ = plays_of([[0.0] * 3] * 2)
        assert len(plays.padded(sizes)[0]) == rows


def by_chance(turns, rng):
    """Uses all that padding may disturb: what is random, and what chooses."""
    scores = turns.points[:, 25] + turns.random()
    assert len(turns.points) == len(turns.moves) == len(turns.board_numbers) == len(scores)
    kept = turns.top(scores, 3)
    best = turns.best(scores)
    assert set(best) <= set(kept)
    assert turns.best(turns.softmax(scores, 0.5)).tolist() == best.tolist()
    drawn = turns.sample(turns.softmax(scores, 0.1), rng=rng)
    return np.where(turns.numbers % 3 == 0, drawn, np.where(turns.numbers % 3 == 1, turns.random_rows(), best))


class TestPaddedTurns:
    """With `pad`."""

    @loop.rows(
        ("pad", "sizes"),
        (1, {2**power for power in range(12)}),
        ([700, 16, 100], {16, 100, *(700 * 2**power for power in range(4))}),
    )
    def test_the_same_games(self, pad, sizes):
        """Whatever is chosen by, of one player or two, with a cube or without."""

        def shapes_seen(turns, rng):
            shapes.add(len(turns.points))
            return by_chance(turns, rng)

        shapes: set[int] = set()
        race = Position.of(mine={6: 3, 4: 2}, theirs={5: 4})
        for play in (
            lambda choose, **more: (
                batch.play_games(9, choose, rng=np.random.default_rng(1), max_turns=30, **more).moves
            ),
            lambda choose, **more: (
                batch.play_matches(
                    3, (choose, by_chance), rng=np.random.default_rng(1), length=3, max_turns=30, **more
                ).moves
            ),
            lambda choose, **more: batch.rollout(race, 5, choose, rng=np.random.default_rng(1), **more).mean,
        ):
            assert play(shapes_seen, pad=pad).tolist() == play(partial(by_chance)).tolist()
        assert shapes <= sizes

    def test_rows_that_are_no_plays(self):
        """They can be evaluated like all others, and their numbers make no difference."""

        def choose(turns, rng):
            end = turns.offsets[-1]
            assert len(turns.points) == 512 > end
            assert turns.board_numbers[end:].tolist() == [len(turns)] * (512 - end)
            assert (turns.moves[end:] == -1).all()
            batch.outcomes(turns.points, checkers=turns.checkers)
            scores = np.arange(512.0)
            scores[end:] = [np.nan, np.inf] * ((512 - end) // 2) + [np.nan] * ((512 - end) % 2)
            assert turns.best(scores).tolist() == (turns.offsets[1:] - 1).tolist()
            assert str(turns) == f"<Turns of {len(turns)} games: {end} plays>"
            return np.full(len(turns), end)

        with wording.raises(ArgumentError, "choose, index 0: row is not a play of this board"):
            batch.play_games(5, choose, rng=np.random.default_rng(1), pad=512)

    @loop.rows("pad", 0, [], "64", [64, 0], [64.0], 2**31)
    def test_no_sizes(self, pad):
        for call in (batch.play_games, batch.play_matches):
            with wording.tells(ArgumentError, "pad", ""):
                call(1, by_chance, rng=np.random.default_rng(1), pad=pad)


class TestBadInput:
    PLAYS, _ = plays_of([[0.0] * 3] * 2)

    @loop.rows(
        ("scores", "message"),
        (np.zeros(5), "expected 6 numbers, not float64 of shape (5,)"),
        (np.zeros((6, 1)), "expected 6 numbers, not float64 of shape (6, 1)"),
        (np.zeros(6, bool), "expected 6 numbers, not bool of shape (6,)"),
        ([0, 0, 0, np.nan, 0, 0], "row 3: nan"),
        ([0, 0, 0, 0, np.inf, 0], "row 4: inf"),
        ([-np.inf, 0, 0, 0, 0, 0], "row 0: -inf"),
    )
    def test_numbers(self, scores, message):
        for name, call in (
            ("scores", lambda: self.PLAYS.top(scores, 1)),
            ("scores", lambda: self.PLAYS.softmax(scores, 1)),
            ("weights", lambda: self.PLAYS.sample(scores, rng=np.random.default_rng(1))),
        ):
            with wording.raises(ArgumentError, f"{name}: {message}" if "expected" in message else f"{name}, {message}"):
                call()

    @loop.rows(
        ("call", "message"),
        (lambda plays: plays.top(range(6), 0), "k must be a whole number from 1 up, not 0"),
        (lambda plays: plays.top(range(6), 1, -0.1), "within must be a number from 0 on, not -0.1"),
        (lambda plays: plays.top(range(6), 1, np.nan), "within must be a number from 0 on, not nan"),
        (lambda plays: plays.softmax(range(6), 0), "temperature must be a finite number above 0, not 0"),
        (lambda plays: plays.softmax(range(6), np.inf), "temperature must be a finite number above 0, not inf"),
        (
            lambda plays: plays.sample([1, 1, 1, 0, 0, -1], rng=np.random.default_rng(1)),
            "weights, row 5: -1.0 is below 0",
        ),
        (
            lambda plays: plays.sample([1, 1, 1, 0, 0, 0], rng=np.random.default_rng(1)),
            "weights: those of board 1 are all 0",
        ),
        (
            lambda plays: plays.sample(range(6), rng=7),
            "rng must be a NumPy generator, not 7; write numpy.random.default_rng(7)",
        ),
        (lambda plays: plays.padded([]), "sizes must be a number of rows, or several, not []"),
        (lambda plays: plays.padded([64, 0]), "each of sizes must be a whole number from 1 to 1,073,741,824, not 0"),
    )
    def test_arguments(self, call, message):
        with wording.raises(ArgumentError, message):
            call(self.PLAYS)

    @loop.rows("offsets", [0, 3], [0, 3, 7])
    def test_offsets_of_other_plays(self, offsets):
        plays = batch.LegalPlays(np.array(offsets), self.PLAYS.points, self.PLAYS.moves)
        for call in (lambda: plays.top(range(6), 1), lambda: plays.softmax(range(6), 1)):
            with wording.raises(ArgumentError, "offsets: expected numbers that rise from 0 to 6"):
                call()

    def test_no_play_is_no_choice(self):
        """The row of a board without plays is none that a game or a state can play."""
        over = batch.legal_plays([Position.of(theirs={6: 3}).points], [(2, 1)])
        assert over.best([]).tolist() == over.sample([], rng=np.random.default_rng(1)).tolist() == [-1]
        with wording.raises(ArgumentError, "choose, index 0: row -1 is not a play of this board"):
            batch.play_games(2, lambda turns, rng: np.full(len(turns), -1), rng=np.random.default_rng(1))
        states = batch.MatchStates.new(1, length=None).apply("opening_roll", dice=[(2, 1)])
        with wording.raises(ArgumentError, "rows, state 0: row -1 is not a play of this state"):
            states.apply("play", rows=[-1])
