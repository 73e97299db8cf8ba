"""How strong players are who have played each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log, sqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules._shared.sample_means import student_quantile
from gammonrules.arena._intervals import Interval, wider_at_any_time

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]
Pairs: TypeAlias = Sequence[tuple[float, float]]
"""What the first player got in both games of each pair: as White, and as Black."""
Pairings: TypeAlias = Mapping[tuple[str, str], Pairs]


def ratings(
    pairs: Pairings, length: int | None = None, *, at_any_time: bool = False
) -> dict[str, Interval | None]:
    """The strength of each player, with its interval, from pairings that all had the same dice.

    In money play, a player wins from another as many points a game as their strength is larger, by least squares over
    all pairs of games. In matches to n points, they win with the probability 1 / (1 + 10^(-D sqrt(n) / 2000)) if it is
    larger by D, as ratings of FIBS are (its "help formula"), by maximum likelihood (Bradley and Terry, Biometrika 39,
    1952). Strengths add up to 0.

    Since pair t has the same dice in all pairings, they are not independent; the error of a strength is that of the
    sum, over t, of what all pairs t together add to it: the sandwich of Huber (1967) and White (1982), by clusters
    (Liang and Zeger, Biometrika 73, 1986). It is infinite if all of them add the same.

    If players won every match against others, nothing says how much stronger they are, nor if they did not play each
    other, directly or through others. Then the largest group without such players is rated, the first of several; the
    others get None, and so does everybody before there is a pair.

    Args:
        pairs: for two players, the results of the first in each pair of games, by the numbers of the pairs.
        length: the points that win a match, of which 1 is a win and 0 a loss; None for points of money play.
        at_any_time: whether the games ended by their results, so that intervals are to hold whenever one stops.
    """
    players, signs, counts, scores = score_arrays(pairs)
    shares = np.full(len(counts), 0.5)
    scale = 1.0
    if length is not None:
        shares = np.nansum(scores, axis=0) / np.maximum(counts, 1)
        scale = 2000 / log(10) / sqrt(length)
    rated = comparable(signs[counts > 0], shares[counts > 0])
    within = (counts > 0) & ~signs[:, ~rated].any(axis=1)
    strengths, parts = fitted(signs[within], scores[:, within], is_match=length is not None)
    strengths_by_name: dict[str, Interval | None] = dict.fromkeys(players)
    for i in np.flatnonzero(rated):
        count = int(counts[within & (signs[:, i] != 0)].max())
        own = parts[:, i] * count
        differ = count - int(np.unique(own[:count].round(9), return_counts=True)[1].max())
        error = sqrt((own**2).sum() / (count - 1) / count) * scale if differ else inf
        width = student_quantile(differ) * (wider_at_any_time(count) if at_any_time else 1)
        strengths_by_name[players[i]] = Interval(
            float(strengths[i] * scale), error=error, margin=error * width, pairs=count
        )
    return strengths_by_name


def score_arrays(pairs: Pairings) -> tuple[list[str], Floats, Floats, Floats]:
    """The players; for each pairing, 1 for the first and -1 for the second; its pairs; and their means, or NaN."""
    players = list(dict.fromkeys(player for pairing in pairs for player in pairing))
    signs = np.array(
        [[(name == first) - (name == second) for name in players] for first, second in pairs], float
    )
    counts = np.array([*map(len, pairs.values())], float)
    scores = np.full((max(1, int(counts.max())), len(counts)), np.nan)
    for column, results in enumerate(pairs.values()):
        scores[: len(results), column] = np.reshape(results, (-1, 2)).mean(axis=1)
    return players, signs, counts, scores


def comparable(signs: Floats, shares: Floats) -> Bools:
    """The largest group of at least two players of whom each won, directly or through others, against each other one.

    Only within such a group do strengths have a maximum of the likelihood (Ford, The American Mathematical Monthly 64,
    1957).
    """
    first, second = signs == 1, signs == -1
    beats = first[shares > 0].T @ second[shares > 0] | second[shares < 1].T @ first[shares < 1]
    beats |= np.eye(len(beats), dtype=bool)
    for _ in beats:
        beats = beats @ beats
    groups = beats & beats.T
    largest: Bools = groups[groups.sum(axis=1).argmax()]
    return largest & (np.count_nonzero(largest) > 1)


def fitted(signs: Floats, scores: Floats, *, is_match: bool) -> tuple[Floats, Floats]:
    """The strengths, and what each pair adds to them: Newton's method, in matches with bounded steps."""
    counts: Floats = (~np.isnan(scores)).sum(axis=0)
    strengths = np.zeros(signs.shape[1])
    parts = scores
    for _ in range(100):
        expected: Floats = 1 / (1 + np.exp(-signs @ strengths)) if is_match else signs @ strengths
        slopes: Floats = expected * (1 - expected) if is_match else np.ones_like(expected)
        inverse: Any = np.linalg.pinv(signs.T * (slopes * counts) @ signs, hermitian=True)
        parts = np.nan_to_num(scores - expected) @ signs @ inverse
        step: Floats = parts.sum(axis=0)
        strengths = strengths + step / (max(1, abs(step).max()) if is_match else 1)
        # each step has twice as many right digits
        if abs(step).max() < 1e-9 * max(1, abs(strengths).max()):
            break
    return strengths, parts
