"""How strong players are who have played each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import inf, log, sqrt
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from attrs import frozen

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
    arrays = ScoreArrays.of(pairs)
    signs = arrays.signs
    counts = arrays.counts
    if length is None:
        shares = np.full(len(counts), 0.5)  # as if both had won: points compare in any case
        scale = 1.0
    else:
        shares = np.nansum(arrays.scores, axis=0) / np.maximum(counts, 1)
        scale = 2000 / log(10) / sqrt(length)  # from the logarithm of odds
    is_played = counts > 0
    is_rated = comparable_players(signs[is_played], shares[is_played])
    # pairings between two rated players
    counts_for_rating = is_played & ~signs[:, ~is_rated].any(axis=1)
    strengths, parts = fit_strengths(
        signs[counts_for_rating], arrays.scores[:, counts_for_rating], is_match=length is not None
    )
    intervals: dict[str, Interval | None] = dict.fromkeys(arrays.players)
    for player in np.flatnonzero(is_rated):
        is_of_player = counts_for_rating & (signs[:, player] != 0)
        pairs_played = int(counts[is_of_player].max())
        intervals[arrays.players[player]] = _strength_interval(
            strengths[player], parts[:, player], pairs_played, scale, at_any_time=at_any_time
        )
    return intervals


def _strength_interval(
    strength: float, parts: Floats, pairs: int, scale: float, *, at_any_time: bool
) -> Interval:
    """A strength with its interval.

    Args:
        strength: as it was fitted.
        parts: by how much each pair moves it; 0 beyond the last pair.
        pairs: how many the player has played.
        scale: how much a strength of 1 is as a rating.
        at_any_time: as in `ratings`.
    """
    by_pair = parts * pairs  # if it were the only one
    without_rounding_errors = by_pair[:pairs].round(9)
    _, pairs_alike = np.unique(without_rounding_errors, return_counts=True)
    # as many degrees of freedom as pairs differ from the most common one, as in `Scores`
    unusual_pairs = pairs - int(pairs_alike.max())
    error = inf
    if unusual_pairs > 0:
        error = sqrt((by_pair**2).sum() / (pairs - 1) / pairs) * scale
    width_in_errors = student_quantile(unusual_pairs)
    if at_any_time:
        width_in_errors *= wider_at_any_time(pairs)
    return Interval(
        float(strength * scale), error=error, margin=error * width_in_errors, pairs=pairs
    )


@frozen(eq=False)
class ScoreArrays:
    """Pairings as arrays, with a row or a column for each of P players and each of N pairings.

    Attributes:
        players: their names.
        signs: `(N, P)`, 1 for the first player of a pairing, and -1 for the second.
        counts: `(N,)`, how many pairs were played.
        scores: `(pairs, N)`, what the first player got in a game of each pair; NaN beyond the last pair.
    """

    players: list[str]
    signs: Floats
    counts: Floats
    scores: Floats

    @classmethod
    def of(cls, pairs: Pairings) -> Self:
        """The arrays of pairings."""
        players = list(dict.fromkeys(chain.from_iterable(pairs)))
        counts = np.array([len(results) for results in pairs.values()], float)
        signs = np.zeros((len(pairs), len(players)))
        scores = np.full((max(1, int(counts.max())), len(pairs)), np.nan)
        for number, ((first, second), results) in enumerate(pairs.items()):
            signs[number, players.index(first)] = 1
            signs[number, players.index(second)] = -1
            games_of_pairs = np.reshape(results, (-1, 2))  # also where there are none
            scores[: len(results), number] = games_of_pairs.mean(axis=1)
        return cls(players, signs, counts, scores)


def comparable_players(signs: Floats, shares: Floats) -> Bools:
    """The largest group of at least two players of whom each won, directly or through others, against each other one.

    Only within such a group do strengths have a maximum of the likelihood (Ford, The American Mathematical Monthly 64,
    1957).
    """
    is_first = signs == 1
    is_second = signs == -1
    first_won = shares > 0
    second_won = shares < 1
    # in row i and column j: whether i has won against j, directly at first
    beats = is_first[first_won].T @ is_second[first_won]
    beats |= is_second[second_won].T @ is_first[second_won]
    beats |= np.eye(len(beats), dtype=bool)
    # each product doubles through how many others one beats another; so many products are more than enough
    for _ in beats:
        beats = beats @ beats
    groups = beats & beats.T  # in row i, those who beat i and are beaten by i
    largest: Bools = groups[groups.sum(axis=1).argmax()]
    has_two_players = np.count_nonzero(largest) > 1
    return largest if has_two_players else np.zeros_like(largest)


def fit_strengths(signs: Floats, scores: Floats, *, is_match: bool) -> tuple[Floats, Floats]:
    """The strengths, `(P,)`, and by how much each pair moves them, `(pairs, P)`.

    Newton's method, in matches with bounded steps. All sizes are those of `ScoreArrays`.

    Args:
        signs: `(N, P)`.
        scores: `(pairs, N)`.
        is_match: whether scores are those of matches, else of money play.
    """
    counts: Floats = (~np.isnan(scores)).sum(axis=0)
    strengths = np.zeros(signs.shape[1])
    parts = np.zeros((len(scores), signs.shape[1]))
    for _ in range(100):
        leads: Floats = signs @ strengths
        expected: Floats = 1 / (1 + np.exp(-leads)) if is_match else leads
        slopes: Floats = expected * (1 - expected) if is_match else np.ones_like(expected)
        # (P, P): how steeply the expected scores of the players rise with each strength
        steepness: Floats = signs.T * (slopes * counts) @ signs
        # it has no true inverse, since nothing changes if all strengths rise by the same
        inverse: Any = np.linalg.pinv(steepness, hermitian=True)
        # (pairs, N), then (pairs, P): by how much more was scored than was expected
        more_than_expected: Floats = np.nan_to_num(scores - expected)
        more_by_player: Floats = more_than_expected @ signs
        parts = more_by_player @ inverse
        # once the strengths fit, what some pairs add to a strength is what others take from it: the sum is 0
        step: Floats = parts.sum(axis=0)
        shortening = max(1, abs(step).max()) if is_match else 1
        strengths = strengths + step / shortening
        # each step doubles the number of right digits, so the next one would change nothing
        if abs(step).max() < 1e-9 * max(1, abs(strengths).max()):
            break
    return strengths, parts
