"""Intervals of the mean over pairs of games hold the true mean as often as they say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from math import inf, sqrt
from statistics import NormalDist, mean, stdev, variance
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, strategies as st

import each
import loop
import wording
from gammonrules import ArgumentError
from gammonrules._shared.sample_means import LEVEL, NORMAL_QUANTILE, normal_quantile, student_quantile
from gammonrules.arena._intervals import MIN_PAIRS, Interval, Scores, unseen_rate, wider_at_any_time
from gammonrules.values import Until

CUBES = np.array([1, 2, 4, 8, 16]), np.array([0.2, 0.5, 0.23, 0.06, 0.01])
RESULTS = st.integers(-16, 16)


def scores_of(pairs: np.ndarray, even: float = 0.0, until: Until = None, most: float = inf) -> Scores:
    """The scores at the end of an arena that may end early."""
    scores = Scores(even, even or most)
    for white, black in pairs.tolist():
        scores.seen[white, black] += 1
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


def rare(rng: np.random.Generator, pairs: int, rate: float, by: dict[float, float], even: float = 0) -> np.ndarray:
    """Pairs in which each player wins what the other one does, but for this share of them: by so much, so often."""
    differ, both = rng.random(pairs) < rate, rng.choice(list(by), pairs, p=list(by.values()))
    return np.stack([even + 2 * np.where(differ, both, 0) - 1, np.full(pairs, even + 1)], axis=1)


Draw: TypeAlias = Callable[[int], np.ndarray]


def coverage(
    draw: Draw, true: float, pairs: int, until: Until = None, *, even: float = 0, most: float = inf, arenas: int = 1_000
) -> float:
    """In how many of these arenas, of at most so many pairs each, the interval at the end contains the true mean."""
    ends = [scores_of(draw(pairs), even, until, most).interval(until) for _ in range(arenas)]
    return sum(end.low <= true <= end.high for end in ends) / arenas


@given(st.lists(st.tuples(RESULTS, RESULTS), min_size=2))
def test_the_sums_tell_what_the_pairs_do(pairs: list[tuple[int, int]]) -> None:
    scores, means = scores_of(np.array(pairs)), [(white + black) / 2 for white, black in pairs]
    interval = scores.interval(None)
    assert interval.mean == pytest.approx(mean(means))
    differ = len(means) - max(map(means.count, means))
    assert interval.error == pytest.approx(stdev(means) / sqrt(len(pairs)) if differ else inf)
    assert interval.margin == pytest.approx(interval.error * student_quantile(differ))
    games = sum(map(variance, zip(*pairs, strict=True)))
    ratio = scores.variance_ratio
    if variance(means):
        assert ratio == pytest.approx(games / (4 * variance(means)))
    else:
        assert ratio == (inf if games else None)


@given(st.integers(0, 100), st.integers(0, 100), st.integers(0, 100))
def test_a_share_has_a_margin(won: int, even: int, lost: int) -> None:
    """Its error is that of Agresti and Coull, by one pair more of each kind."""
    pairs = [(1, 1)] * won + [(0, 1)] * even + [(0, 0)] * lost
    scores = scores_of(np.array(pairs), 0.5)
    interval = scores.interval(None)
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1
    if len(pairs) < 2:
        assert (interval.error, interval.low, interval.high) == (inf, 0, 1)
    else:
        values = [1] * won + [0.5] * even + [0] * lost + [1, 0]
        assert scores.error == pytest.approx(stdev(values) / sqrt(len(values)))
        assert interval.margin > 0


@given(st.floats(0, 1), st.sampled_from([inf, 8]), st.sampled_from([None, "decided"]), st.integers(0, 2**32))
def test_the_margin_is_students_where_enough_pairs_differ(rate: float, most: float, until: Until, seed: int) -> None:
    """At most a tenth more than with a degree of freedom for every pair."""
    rng = np.random.default_rng(seed)
    scores = scores_of(rare(rng, 200, rate, {0.5: 0.7, 1: 0.2, -3: 0.1}), most=most)
    sums = [sum(pair) for pair in scores.seen.elements()]
    differ = scores.pairs - max(map(sums.count, {*sums}))
    if differ >= MIN_PAIRS:
        width = student_quantile(scores.pairs - 1) if until is None else 1.96 * wider_at_any_time(scores.pairs)
        assert 1 <= scores.margin(until) / (scores.error * width) <= 1.1


def test_equal_pairs_tell_how_many_differ_at_most() -> None:
    """So many that they would have been missed once in 20 times; then the margin needs to know by how much."""
    for both in ((1, -1), (3, 1)):
        equal = np.array([both] * 60)
        unknown = scores_of(equal).interval(None)
        assert (unknown.error, unknown.low, unknown.high) == (inf, -inf, inf)
        wording.check(str(unknown), "no interval", "60", "4.9%")
        assert scores_of(equal, until=1_000.0).pairs == scores_of(equal, until="decided").pairs == 60
        assert scores_of(equal, most=3).margin(None) == pytest.approx(unseen_rate(60) * (3 + mean(both)))
    assert (1 - unseen_rate(60)) ** 60 == pytest.approx(0.05)
    assert scores_of(np.ones((10, 2)), 0.5).interval(None).low == pytest.approx(0.05**0.1)  # as Clopper and Pearson
    themselves = Scores(are_same=True)
    themselves.seen[2, -2] += 2
    assert themselves.interval(None) == Interval(0, error=0, margin=0, pairs=2)
    themselves.seen[2, -4] += 1  # they have chance of their own
    assert themselves.margin(None) > 1


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
    assert student_quantile(degrees) / quantile - 1 == pytest.approx(error, abs=5e-5)
    assert normal_quantile((1 + LEVEL) / 2) == NORMAL_QUANTILE


def test_the_margin_at_any_time_is_narrowest_where_it_should_be() -> None:
    margins = {pairs: 1.96 * wider_at_any_time(pairs) for pairs in (MIN_PAIRS, 400, 500, 600, 10_000)}
    assert margins[500] == pytest.approx(3.0351, abs=1e-4) == min(margins.values())
    assert margins[MIN_PAIRS] > margins[400]
    assert margins[600] < margins[10_000] < 3.6
    assert scores_of(np.array([(1, 0), (2, 5)] * 14)).margin("decided") == inf  # there are too few pairs


def test_when_an_arena_ends() -> None:
    alike = np.array([(4, -4)] * 100)
    close, better = np.array([(5, 4), (-4, -4)] * 50), np.array([(2, 1), (1, 0)] * 50)
    assert [scores_of(alike, until=until).pairs for until in (None, "decided", 0.1)] == [100, 100, 100]
    assert scores_of(alike, until=0.1, most=3).pairs == 89  # of which fewer than 1 / 30 differ, by 3 points
    assert [scores_of(better, until=until).pairs for until in (None, "decided", 0.4)] == [100, MIN_PAIRS, MIN_PAIRS]
    decided = scores_of(better, until="decided").interval("decided")
    assert abs(decided.mean) > decided.margin
    assert scores_of(close, until="decided").pairs == 100
    narrow = scores_of(better, until=0.15)
    assert narrow.interval(None).margin <= 0.15 < scores_of(better[: narrow.pairs - 1]).interval(None).margin


@loop.over(
    "changed", [{"mean": inf}, {"mean": "1"}, {"error": -1}, {"margin": float("nan")}, {"pairs": 1.5}, {"level": 2}]
)
def test_impossible_intervals(changed: dict[str, object]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(changed))):
        Interval(**{"mean": 0, "error": 0, "margin": 0, "pairs": 2} | changed)


NEARLY_EQUAL: dict[str, dict[float, float]] = {
    "resigns more often": {1: 1},
    "differs in few plays": {-2: 0.05, -1: 0.35, -0.5: 0.1, 0.5: 0.1, 1: 0.35, 2: 0.05},
    "wins gammons now and then": {1: 0.9, 3: 0.1},
    "loses a little, and wins much": {-0.5: 0.8, 2: 0.2},
}


def coverage_of_nearly_equal(name: str, numbers: Iterable[int], arenas: int) -> dict[tuple[object, ...], float]:
    """Without a cube, with one unless pairs differ by too little to tell how much some do, and in matches."""
    rng, by, covered = np.random.default_rng(1), NEARLY_EQUAL[name], dict[tuple[object, ...], float]()
    largest = max(map(abs, by))
    kinds = [(0.0, 3.0, by), (0.5, 0.5, {size / largest / 2: share for size, share in by.items()})]
    kinds += [(0.0, inf, by)] if set(by) == {-size for size in by} or len(by) == 1 else []
    for rate, pairs, (even, most, sizes) in product((0.003, 0.03, 0.2), numbers, kinds):
        true = even + rate * sum(size * share for size, share in sizes.items())
        draw = partial(rare, rng, rate=rate, by=sizes, even=even)
        covered[rate, pairs, even, most] = coverage(draw, true, pairs, even=even, most=most, arenas=arenas)
    return covered


@each.first(
    ("name", "numbers", "arenas", "least"),
    [("differs in few plays", (10, 60), 50, 0.9), *((name, (10, 20, 50, 200), 1_000, 0.93) for name in NEARLY_EQUAL)],
)
def test_coverage_of_nearly_equal_players(name: str, numbers: tuple[int, ...], arenas: int, least: float) -> None:
    covered = coverage_of_nearly_equal(name, numbers, arenas)
    assert not {case: share for case, share in covered.items() if share < least}, covered


SIMULATED = {
    "equal": (lambda rng, pairs: points(rng, pairs, 0.5), 0.0, 0.0),
    "better": (lambda rng, pairs: points(rng, pairs, 0.6, 0.4), mean_points(0.6, 0.4), 0.0),
    "much better": (lambda rng, pairs: points(rng, pairs, 0.95, 0.6), mean_points(0.95, 0.6), 0.0),
    "equal in matches": (lambda rng, pairs: wins(rng, pairs, 0.5), 0.5, 0.5),
    "much better in matches": (lambda rng, pairs: wins(rng, pairs, 0.95), 0.95, 0.5),
    "differs in few plays": (lambda rng, pairs: rare(rng, pairs, 0.03, NEARLY_EQUAL["differs in few plays"]), 0.0, 0.0),
}


@pytest.mark.long
@pytest.mark.parametrize("name", SIMULATED)
def test_coverage(name: str) -> None:
    """After these numbers of pairs; of arenas that end at a margin, and of those that end when it is decided."""
    draw_pairs, true, even = SIMULATED[name]
    draw = partial(draw_pairs, np.random.default_rng(1))
    spread = float(draw(10_000).mean(axis=1).std())
    cases = {str(pairs): coverage(draw, true, pairs, even=even) for pairs in (10, 20, 100)}
    cases["margin"] = coverage(draw, true, 500, 1.96 * spread / sqrt(25), even=even)
    cases["decided"] = coverage(draw, true, 500, "decided", even=even)
    assert not {case: share for case, share in cases.items() if share < (0.95 if case == "decided" else 0.93)}, cases
