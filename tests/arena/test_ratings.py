"""Ratings of players who have played each other with the same dice."""

from __future__ import annotations

from itertools import combinations
from math import inf, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, strategies as st

import loop
from gammonrules.arena._intervals import Interval, Scores
from gammonrules.arena._ratings import Pairs, ratings

PLAYERS = "ABCD"
PAIRINGS = list(combinations(PLAYERS, 2))
ELO = 2000 / log(10)
WON, EVEN, LOST = (1, 1), (0, 1), (0, 0)


def results(least: int, most: int) -> st.SearchStrategy[dict[tuple[str, str], Pairs]]:
    """Those of all pairings; each may have played a different number of pairs, or none."""
    pairs = st.lists(st.tuples(st.integers(least, most), st.integers(least, most)), max_size=6)
    return st.fixed_dictionaries(dict.fromkeys(PAIRINGS, pairs))


def rated(pairs: dict[tuple[str, str], Pairs], length: int | None = None) -> dict[str, Interval]:
    """The ratings, if there are all of them."""
    return {player: rating for player, rating in ratings(pairs, length).items() if rating is not None}


@given(results(-8, 8))
def test_strengths_in_money_play(pairs: dict[tuple[str, str], Pairs]) -> None:
    """Each won as many points as their strengths let expect; the error is that of clusters with the same dice."""
    strengths = rated(pairs)
    among = {both: played for both, played in pairs.items() if played and {*both} <= strengths.keys()}
    assert sum(rating.mean for rating in strengths.values()) == pytest.approx(0, abs=1e-9)
    lines, clusters = [], dict[int, dict[str, float]]()
    for (first, other), played in among.items():
        lines.append([len(played) * ((name == first) - (name == other)) for name in strengths])
        for number, values in enumerate(played):
            surplus = float(np.mean(values)) - (strengths[first].mean - strengths[other].mean)
            cluster = clusters.setdefault(number, dict.fromkeys(strengths, 0.0))
            cluster[first] += surplus
            cluster[other] -= surplus
    totals = [sum(cluster[name] for cluster in clusters.values()) for name in strengths]
    assert totals == pytest.approx([0] * len(strengths), abs=1e-9)
    for place, (name, rating) in enumerate(strengths.items()):
        assert rating.pairs == max(len(played) for both, played in among.items() if name in both)
        if rating.error < inf:
            weights = sum(
                np.outer(sign, sign) * len(played)
                for (first, other), played in among.items()
                for sign in [np.array([(each == first) - (each == other) for each in strengths])]
            )
            adds = [np.linalg.pinv(weights)[place] @ [*cluster.values()] for cluster in clusters.values()]
            variance = sum(each**2 for each in adds) * rating.pairs / (rating.pairs - 1)
            assert rating.error == pytest.approx(sqrt(variance), abs=1e-9)


@given(results(0, 1), st.integers(1, 25))
def test_strengths_in_matches(pairs: dict[tuple[str, str], Pairs], length: int) -> None:
    """The likelihood is greatest where every player is expected to win as many matches as they did."""
    strengths = rated(pairs, length)
    gained = dict.fromkeys(strengths, 0.0)
    for (first, other), played in pairs.items():
        if {first, other} <= strengths.keys():
            expected = 1 / (1 + 10 ** (-(strengths[first].mean - strengths[other].mean) * sqrt(length) / 2000))
            surplus = sum(float(np.mean(values)) - expected for values in played)
            gained[first] += surplus
            gained[other] -= surplus
    assert list(gained.values()) == pytest.approx([0] * len(gained), abs=1e-8)
    assert sum(rating.mean for rating in strengths.values()) == pytest.approx(0, abs=1e-6)


@given(st.lists(st.sampled_from([WON, EVEN, LOST]), min_size=2).filter(lambda pairs: 0 < np.mean(pairs) < 1))
def test_two_players(pairs: list[tuple[int, int]]) -> None:
    """Their difference is that of the chance of winning, and so is its error, by the slope there."""
    better, share = rated({("A", "B"): pairs}, 9)["A"], float(np.mean(pairs))
    assert 2 * better.mean == pytest.approx(ELO / 3 * log(share / (1 - share)), abs=1e-6)
    error = np.mean(pairs, axis=1).std(ddof=1) / sqrt(len(pairs)) or inf
    assert 2 * better.error == pytest.approx(ELO / 3 * error / (share * (1 - share)), abs=1e-6)
    scores = Scores()
    for pair in pairs:
        scores.seen[pair] += 1
    assert rated({("A", "B"): pairs})["A"].margin * 2 == pytest.approx(scores.interval(None).margin)


ALL_OR_NOTHING = [
    ({"AB": [WON]}, ""),
    ({"AB": []}, ""),
    ({"AB": [EVEN]}, "AB"),
    ({"AB": [WON, EVEN], "AC": [WON, WON], "BC": [WON, WON]}, "AB"),
    ({"AB": [WON], "BC": [WON], "AC": [LOST]}, "ABC"),
    ({"AB": [EVEN], "CD": [EVEN], "AC": [WON], "AD": [WON], "BC": [WON], "BD": [WON]}, "AB"),
    ({"AB": [EVEN], "CD": [EVEN], "DE": [EVEN], "AC": [WON]}, "CDE"),
]


@loop.over("pairs, known", ALL_OR_NOTHING)
def test_nobody_is_infinitely_strong(pairs: dict[str, Pairs], known: str) -> None:
    strengths = ratings({(first, other): played for (first, other), played in pairs.items()}, 7)
    assert "".join(player for player, rating in strengths.items() if rating is not None) == known
    assert strengths.keys() == set("".join(pairs))


def round_robin(rng: np.random.Generator, strengths: np.ndarray, pairs: int) -> dict[tuple[str, str], Pairs]:
    """Matches of one point in which the dice favor whoever plays a style, in all pairings alike."""
    style, played = rng.standard_normal((pairs, 1, len(strengths))), {}
    for (i, first), (j, other) in combinations(enumerate(PLAYERS), 2):
        luck = style[:, :, i] - style[:, :, j] + rng.standard_normal((pairs, 2))
        chance = 1 / (1 + 10 ** (-(strengths[i] - strengths[j]) / 2000))
        bound = NormalDist(0, sqrt(3)).inv_cdf(1 - chance)
        played[first, other] = (luck > bound).astype(int).tolist()
    return played


def check_coverage(arenas: int, pairs: int) -> float:
    rng, strengths, held = np.random.default_rng(1), np.array([300.0, 100, -100, -300]), []
    for _ in range(arenas):
        for strength, rating in zip(strengths, rated(round_robin(rng, strengths, pairs), 1).values(), strict=True):
            held.append(rating.low <= strength <= rating.high)
    return float(np.mean(held))


def test_coverage_in_few_arenas() -> None:
    assert check_coverage(30, 50) >= 0.88


@pytest.mark.long
@pytest.mark.parametrize("pairs", [25, 100, 500])
def test_coverage(pairs: int) -> None:
    assert 0.93 <= check_coverage(1_000, pairs) <= 0.97
