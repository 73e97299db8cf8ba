"""Rollouts against games played one by one with the same dice; `test_exact_rollouts.py` compares them with a table."""

from __future__ import annotations

import numpy as np
import pytest

import loop
import wording
from bear_off_boards import bear_offs, by_pips, five, rng
from gammonrules import ROLLS, ArgumentError, Dice, Position, PositionError, batch
from gammonrules._arrays.checks import Floats, Ints, Rows
from gammonrules.batch.internals import Stream

START = Position.start()
BOARDS = bear_offs(40, by_pips)
LAST = Position.of(mine={6: 1}, theirs={1: 1})


def first_play(turns: batch.Turns, _: np.random.Generator) -> Ints:
    return turns.offsets[:-1]


def no_value(boards: Rows) -> Floats:
    return np.full(len(boards), np.nan)


def fails(boards: Rows) -> Floats:
    raise ValueError("mine")


class TestGames:
    def test_a_position_is_its_board(self):
        hyper = Position.start("hypergammon")
        means = [
            batch.rollout(boards, 20, lambda turns, _: turns.offsets[:-1], rng=rng(), **checkers).mean
            for boards, checkers in ((hyper, {}), ([hyper.points], {"checkers": 3}))
        ]
        assert np.array_equal(*means)

    @loop.rows("evaluate", None, by_pips, five)
    def test_one_by_one(self, evaluate):
        """With `Position` and the same dice, the first of all plays; luck from `next_rolls`."""
        boards, games = batch.random_games(3, rng=rng(3), max_turns=30).points[[0, 25, 60]], 3
        result = batch.rollout(boards, games, first_play, evaluate=evaluate, max_turns=evaluate and 9, rng=rng())
        stream = Stream.drawn_from(rng())
        expected = [
            [alone(Position.from_points(board), stream, game, evaluate) for game in range(games)]
            for board in boards.tolist()
        ]
        assert np.allclose(result.mean, np.mean(expected, axis=1), rtol=0, atol=1e-9)
        assert np.allclose(result.standard_error, np.std(expected, axis=1, ddof=1) / games**0.5, rtol=0, atol=1e-9)

    def test_equal_boards_have_the_same_dice(self):
        result = batch.rollout([START.points] * 3, 5, lambda turns, _: turns.best(turns.random()), rng=rng())
        assert len(set(result.mean.tolist())) == len(set(result.standard_error.tolist())) == 1


class TestBadInput:
    @loop.rows(
        ("changed", "message"),
        ({"boards": np.zeros((0, 26), np.int8)}, "boards: there are none"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"games": 10**9}, "games: 1,000,000,000 of each of 2 boards are too many"),
        ({"choose": None}, "choose must be a function, or a tuple of two"),
        ({"evaluate": 1}, "evaluate must be a function or None, not 1"),
        ({"workers": "map"}, "workers must be a whole number from 1 to 256, a function like map, or None, not 'map'"),
        ({"max_turns": 3}, "max_turns needs evaluate"),
        ({"max_turns": -1, "evaluate": by_pips}, "max_turns must be a whole number from 0"),
        ({"rng": 1}, "rng must be a NumPy generator, not 1; write numpy.random.default_rng(1)"),
        ({"workers": 0}, "workers must be a whole number from 1 to 256"),
        ({"until": "clear"}, 'until must be "decided", a margin above 0, or None'),
        ({"until": "decided", "boards": [LAST.points]}, 'until: "decided" compares boards, and there is only one'),
        ({"checkers": 16}, "checkers must be a whole number from 1 to 15"),
        ({"evaluate": no_value}, "evaluate, row 0: nan is no value"),
        ({"evaluate": lambda boards: np.zeros((len(boards), 1))}, "evaluate returns a float, or five chances"),
        ({"boards": [Position.of(theirs={6: 3}).points]}, "boards, row 0: the game is over on this board"),
        ({"choose": lambda turns, _: turns.offsets[1:]}, "choose, index 0: row"),
        ({"end": lambda boards: np.zeros(len(boards) + 1)}, "end returns one float, or five chances"),
    )
    def test_arguments(self, changed, message):
        whole = {"boards": [LAST.points] * 2, "games": 2, "choose": first_play, "rng": rng()} | changed
        with wording.raises(ArgumentError, message):
            batch.rollout(**whole)

    @loop.rows(
        ("boards", "message"),
        ([START.points[:25]], "boards: points: expected whole numbers of shape (N, 26), not int64 of shape (1, 25)"),
        ([START.points, [16] + [0] * 25], "boards: points, row 1: impossible position"),
    )
    def test_boards(self, boards, message):
        with wording.raises(PositionError, message):
            batch.rollout(boards, 2, first_play, rng=rng())

    def test_what_functions_raise_passes_through(self):
        with pytest.raises(ValueError, match="mine"):
            batch.rollout(BOARDS, 2, first_play, evaluate=fails, rng=rng())

    def test_boards_cannot_be_changed(self):
        def write(boards: Rows) -> Floats:
            boards[:] = 0
            return by_pips(boards)

        for option in ({"evaluate": write}, {"end": write}):
            with pytest.raises(ValueError, match="read-only"):
                batch.rollout(BOARDS, 2, first_play, rng=rng(), **option)

    def test_too_few_results(self):
        def run(function, parts):
            return [function(part) for part in parts][:-1]

        with wording.raises(ArgumentError, "run returned fewer results than it was given items"):
            batch.rollout([LAST.points], 3_000, first_play, rng=rng(), workers=run)

    def test_what_cannot_be_sent(self):
        pytest.importorskip("cloudpickle")
        numbers = (number for number in range(3))
        with wording.raises(ArgumentError, "functions cannot be sent to other processes; with workers=1"):
            batch.rollout(BOARDS, 2, lambda turns, _: turns.offsets[:-1] + next(numbers), rng=rng(), workers=2)


def alone(position: Position, stream: Stream, game: int, evaluate) -> float:
    """The points of one game for the player on roll, without luck, which is worked out turn by turn."""
    sign, luck = 1, 0.0
    for turn in range(9 if evaluate else 10_000):
        roll = stream.rolls([game], [0], [turn])[0].tolist()
        if evaluate:
            values = dict(zip(ROLLS, points(batch.next_rolls([position.points], evaluate)[0]).tolist(), strict=True))
            mean = sum(each.weight / 36 * value for each, value in values.items())
            luck += sign * (values[Dice(*sorted(roll, reverse=True))] - mean)
        position = position.legal_plays(roll)[0].position
        sign = -sign
        if position.outcome is not None:
            won = position.outcome.win if position.outcome.won else -position.outcome.win
            return sign * won - luck
    return sign * float(points(evaluate(np.array([position.points], np.int8)))[0]) - luck


def points(values: Floats) -> Floats:
    return values if values.shape[-1:] != (5,) else values @ [2, 1, 1, -1, -1] - 1
