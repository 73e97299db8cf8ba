"""Rollouts against an exact table of bear-offs."""

from __future__ import annotations

import numpy as np

import loop
from bear_off_boards import bear_offs, by_pips, five, rng
from gammonrules import Position, batch, bearoff
from gammonrules._arrays.checks import Floats, Ints, Rows

TABLE = bearoff.two_sided(checkers=4)


def exact(boards: Rows) -> Floats:
    return TABLE.equities(boards)[:, 0]


def by_table(turns: batch.Turns, _: np.random.Generator) -> Ints:
    return turns.best(-batch.look_ahead(turns.points, exact, plies=0))


LAST = Position.of(mine={6: 1}, theirs={1: 1})
BOARDS = bear_offs(40, exact)


def share_covered(result: batch.Rollouts, values: Floats) -> float:
    return float((np.abs(result.mean - values) < 1.96 * result.standard_error).mean())


class TestExact:
    def test_without_luck_is_exact(self):
        """All games have the same result once the luck of an exact table is removed, wherever they are stopped."""
        for limit in (None, 0, 1, 2, 3):
            result = batch.rollout(BOARDS, 20, by_table, evaluate=exact, max_turns=limit, rng=rng())
            assert np.allclose(result.mean, exact(BOARDS), rtol=0, atol=1e-5)
            assert (result.standard_error < 1e-5).all()

    @loop.rows("evaluate", None, by_pips, five)
    def test_intervals_cover(self, evaluate):
        result = batch.rollout(BOARDS, 144, by_table, evaluate=evaluate, rng=rng())
        assert share_covered(result, exact(BOARDS)) > 0.8
        win, gammon, backgammon, lose_gammon, lose_backgammon = result.chances.T
        points = 2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon
        if evaluate is not by_pips:  # its luck is in the chances
            assert np.allclose(points, result.mean, rtol=0, atol=1e-9)

    def test_ended_by_the_table(self):
        result = batch.rollout(BOARDS, 3, by_table, end=exact, rng=rng())
        assert np.array_equal(result.mean, exact(BOARDS))
        assert np.isnan(result.chances).all()


class TestUntil:
    def test_a_margin(self):
        result = batch.rollout(BOARDS, 1000, by_table, until=0.15, rng=rng())
        assert result.games in (144, 288, 576)
        assert (1.96 * result.standard_error < 0.15).all()
        less = batch.rollout(BOARDS, result.games, by_table, rng=rng())
        assert np.array_equal(less.mean, result.mean)
        assert batch.rollout(BOARDS, 200, by_table, until=1e-9, rng=rng()).games == 200

    def test_decided(self):
        better = [Position.of(mine={1: 2}, theirs={6: 4}).points, LAST.points]
        result = batch.rollout(better, 1000, by_table, until="decided", rng=rng())
        assert (result.games, result.mean.argmax()) == (144, 0)
        assert batch.rollout([LAST.points] * 2, 300, by_table, until="decided", rng=rng()).games == 300
