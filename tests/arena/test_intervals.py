"""Intervals of the mean over pairs of games hold the true mean as often as they say."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from functools import partial
from math import inf, sqrt
from pathlib import Path
from statistics import NormalDist, mean, stdev, variance
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, strategies as st

import loop
from gammonrules import ArgumentError, batch
from gammonrules.arena._intervals import LEAST, Interval, Scores, Until, margin_at_any_time, student_t

EXAMPLES = Path(__file__).parents[2] / "examples"
CUBES = np.array([1, 2, 4, 8, 16]), np.array([0.2, 0.5, 0.23, 0.06, 0.01])
RESULTS = st.integers(-16, 16)


def scores_of(pairs: np.ndarray, even: float = 0.0, until: Until = None) -> Scores:
    """The scores at the end of an arena that may end early."""
    scores = Scores(even)
    for white, black in pairs.tolist():
        scores.add(white, black)
        if scores.is_enough(until):
            break
    return scores


def points(rng: np.random.Generator, pairs: int, win: float, gammon: float = 0.25) -> np.ndarray:
    """Points of pairs with the same luck, seats exchanged: cubes as players turn them, and gammons, more often won."""
    luck, own = rng.standard_normal(pairs), rng.standard_normal((2, pairs))
    won = np.stack([luck, -luck]) + own + sqrt(2) * NormalDist().inv_cdf(win) > 0
    level = 1 + (rng.random((2, pairs)) < np.where(won, gammon, 0.25))
    return (np.where(won, 1, -1) * level * rng.choice(CUBES[0], (2, pairs), p=CUBES[1])).T


def mean_points(win: float, gammon: float = 0.25) -> float:
    return float(CUBES[0] @ CUBES[1]) * (win * (1 + gammon) - (1 - win) * 1.25)


def wins(rng: np.random.Generator, pairs: int, win: float) -> np.ndarray:
    return (points(rng, pairs, win) > 0).astype(float)


Draw: TypeAlias = Callable[[int], np.ndarray]


def coverage(
    draw: Draw, true: float, pairs: int, until: Until = None, *, even: float = 0, arenas: int = 1_000
) -> float:
    """In how many of these arenas, of at most so many pairs each, the interval at the end contains the true mean."""
    ends = [scores_of(draw(pairs), even, until).interval(until) for _ in range(arenas)]
    return sum(end.low <= true <= end.high for end in ends) / arenas


@given(st.lists(st.tuples(RESULTS, RESULTS), min_size=2))
def test_the_sums_tell_what_the_pairs_do(pairs: list[tuple[int, int]]) -> None:
    scores, means = scores_of(np.array(pairs)), [(white + black) / 2 for white, black in pairs]
    interval = scores.interval(None)
    assert interval.mean == pytest.approx(mean(means))
    assert interval.error == pytest.approx(stdev(means) / sqrt(len(pairs)))
    assert interval.margin == pytest.approx(interval.error * student_t(len(pairs) - 1))
    games = sum(map(variance, zip(*pairs, strict=True)))
    ratio = scores.variance_ratio
    if variance(means):
        assert ratio == pytest.approx(games / (4 * variance(means)))
    else:
        assert ratio == (inf if games else None)


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_a_share_has_a_margin_unless_all_pairs_are_even(won: int, even: int, lost: int) -> None:
    """It is that of Agresti and Coull, by one pair more of each kind."""
    pairs = [(1, 1)] * won + [(0, 1)] * even + [(0, 0)] * lost
    scores = scores_of(np.array(pairs), 0.5)
    interval = scores.interval(None)
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1
    if len(pairs) < 2:
        assert (interval.error, interval.low, interval.high) == (inf, 0, 1)
    elif won or lost:
        assert scores.error == pytest.approx(
            stdev([1] * won + [0.5] * even + [0] * lost + [1, 0]) / sqrt(len(pairs) + 2)
        )
    else:
        assert (interval.mean, interval.error, interval.margin) == (0.5, 0, 0)


STUDENT = [
    (1, 12.7062, 0),
    (2, 4.30265, 0),
    (3, 3.18245, -1.2e-3),
    (4, 2.77645, -3e-4),
    (9, 2.26216, 0),
    (99, 1.98422, 0),
]


@loop.over("degrees, quantile, error", STUDENT)
def test_quantile_of_student(degrees: int, quantile: float, error: float) -> None:
    """Abramowitz and Stegun, table 26.10, with two more digits, and how far their approximation is from it."""
    assert student_t(degrees) / quantile - 1 == pytest.approx(error, abs=5e-5)


def test_the_margin_at_any_time_is_narrowest_where_it_should_be() -> None:
    margins = {pairs: margin_at_any_time(1, pairs) for pairs in (LEAST - 1, LEAST, 400, 500, 600, 10_000)}
    assert margins[LEAST - 1] == inf
    assert margins[500] == pytest.approx(3.0351, abs=1e-4) == min(margins.values())
    assert margins[LEAST] > margins[400]
    assert margins[600] < margins[10_000] < 3.6


def test_when_an_arena_ends() -> None:
    alike = np.array([(4, -4)] * 100)
    close, better = np.array([(5, 4), (-4, -4)] * 50), np.array([(2, 1), (1, 0)] * 50)
    assert [scores_of(alike, until=until).pairs for until in (None, "decided", 0.1)] == [100, 100, LEAST]
    assert [scores_of(better, until=until).pairs for until in (None, "decided", 0.4)] == [100, LEAST, LEAST]
    assert scores_of(better, until="decided").interval("decided").is_decided
    assert scores_of(close, until="decided").pairs == 100
    narrow = scores_of(better, until=0.15)
    assert narrow.interval(None).margin <= 0.15 < scores_of(better[: narrow.pairs - 1]).interval(None).margin


@loop.over(
    "changed", [{"mean": inf}, {"mean": "1"}, {"error": -1}, {"margin": float("nan")}, {"pairs": 1.5}, {"level": 2}]
)
def test_impossible_intervals(changed: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(changed))):
        Interval(**{"mean": 0, "error": 0, "margin": 0, "pairs": 2} | changed)


def test_coverage_in_few_arenas() -> None:
    rng = np.random.default_rng(1)
    assert coverage(lambda pairs: points(rng, pairs, 0.6, 0.4), mean_points(0.6, 0.4), 50, arenas=200) >= 0.9
    assert coverage(lambda pairs: wins(rng, pairs, 0.9), 0.9, 10, even=0.5, arenas=200) >= 0.9
    assert coverage(lambda pairs: points(rng, pairs, 0.5), 0, 300, "decided", arenas=60) >= 0.9


SIMULATED = {
    "equal": (lambda rng, pairs: points(rng, pairs, 0.5), 0.0, 0.0),
    "better": (lambda rng, pairs: points(rng, pairs, 0.6, 0.4), mean_points(0.6, 0.4), 0.0),
    "equal in matches": (lambda rng, pairs: wins(rng, pairs, 0.5), 0.5, 0.5),
    "much better in matches": (lambda rng, pairs: wins(rng, pairs, 0.95), 0.95, 0.5),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SIMULATED)
def test_coverage(name: str) -> None:
    draw, true, even = SIMULATED[name]
    check_coverage(partial(draw, np.random.default_rng(1)), true, even)


@pytest.mark.long
def test_coverage_in_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The players are known by thousands of pairs of games, from which the arenas draw theirs."""
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    names = runpy.run_path(str(EXAMPLES / "players.py"))
    both, rng = (names["heuristic"], names["careful"]), np.random.default_rng(1)
    white, black = (batch.play_games(3_000, np.random.default_rng(1), each).results for each in (both, both[::-1]))
    known = np.stack([white, -black], axis=1)
    check_coverage(lambda pairs: rng.choice(known, pairs), float(known.mean()), 0)


def check_coverage(draw: Draw, true: float, even: float) -> None:
    """After these numbers of pairs; of arenas that end at a margin, and of those that end when it is decided."""
    spread = float(draw(10_000).mean(axis=1).std())
    found = {str(pairs): coverage(draw, true, pairs, even=even) for pairs in (10, 25, 100)}
    found["margin"] = coverage(draw, true, 500, 1.96 * spread / sqrt(25), even=even)
    found["decided"] = coverage(draw, true, 500, "decided", even=even)
    assert not {case: share for case, share in found.items() if share < (0.95 if case == "decided" else 0.93)}, found
