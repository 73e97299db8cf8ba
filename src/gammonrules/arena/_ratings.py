"""How strong players are who have all played each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, log, sqrt
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.arena._intervals import Interval, student_t

Floats: TypeAlias = npt.NDArray[np.float64]
Pairs: TypeAlias = Sequence[tuple[float, float]]
"""What the first player got in both games of each pair: as White, and as Black."""


def ratings(pairs: Mapping[tuple[str, str], Pairs], match_length: int | None = None) -> dict[str, Interval | None]:
    """The strength of each player, with its interval, from pairings that all had the same dice.

    In money play, a player wins from another as many points a game as their strength is larger, by least squares over
    the pairings. In matches to n points, they win with the probability 1 / (1 + 10^(-D sqrt(n) / 2000)) if it is larger
    by D, as ratings of FIBS are (its "help formula"), by maximum likelihood (Bradley and Terry, Biometrika 39, 1952).
    Strengths add up to 0.

    Only pairs that all pairings have are counted. Since pair t has the same dice in all of them, they are not
    independent; the error of a strength is that of the mean, over t, of what all pairs t together add to it. In
    matches, that is the sandwich of Huber (1967) and White (1982). It is infinite if all of them add the same.

    If players won every match against others, nothing says how much stronger they are. Then the largest group without
    such players is rated, the first of several; the others get None, and so does everybody before there is a pair.

    Args:
        pairs: for two players, the results of the first in each pair of games.
        match_length: the points that win a match, of which 1 is a win and 0 a loss; None for points of money play.
    """
    players = list(dict.fromkeys(player for pairing in pairs for player in pairing))
    count = min(map(len, pairs.values()))
    if not count:
        return dict.fromkeys(players)
    signs = np.array([[(name == first) - (name == second) for name in players] for first, second in pairs], float)
    scores = np.array([np.mean(results[:count], axis=1) for results in pairs.values()]).T
    rated, scale = np.ones(len(players), bool), 1.0
    if match_length is not None:
        rated, scale = comparable(signs, scores.mean(axis=0)), 2000 / log(10) / sqrt(match_length)
        within = ~signs[:, ~rated].any(axis=1)
        signs, scores = signs[within], scores[:, within]
    strengths, parts = (fitted if match_length is None else fitted_to_shares)(signs, scores)
    strengths_by_name: dict[str, Interval | None] = dict.fromkeys(players)
    for i in np.flatnonzero(rated):
        differ = count - int(np.unique(parts[:, i].round(9), return_counts=True)[1].max())
        error = float(parts[:, i].std(ddof=1) * scale) / sqrt(count) if differ else inf
        strengths_by_name[players[i]] = Interval(float(strengths[i] * scale), error, error * student_t(differ), count)
    return strengths_by_name


def comparable(signs: Floats, shares: Floats) -> npt.NDArray[np.bool_]:
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
    largest: npt.NDArray[np.bool_] = groups[groups.sum(axis=1).argmax()]
    return largest & (np.count_nonzero(largest) > 1)


def fitted(signs: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """The strengths by least squares, and what each pair adds to them, or takes away."""
    parts = scores @ np.linalg.pinv(signs).T
    return parts.mean(axis=0), parts


def fitted_to_shares(signs: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """The strengths of greatest likelihood, and what each pair adds to them: Newton's method with bounded steps."""
    strengths, parts = np.zeros(signs.shape[1]), shares @ signs
    for _ in range(100):
        expected = 1 / (1 + np.exp(-signs @ strengths))
        inverse = np.linalg.pinv(signs.T * (expected * (1 - expected)) @ signs, hermitian=True)
        parts = (shares - expected) @ signs @ inverse
        step = parts.mean(axis=0)
        strengths = strengths + step / max(1, abs(step).max())
        if abs(step).max() < 1e-9:  # each step has twice as many right digits as the one before
            break
    return strengths, parts
