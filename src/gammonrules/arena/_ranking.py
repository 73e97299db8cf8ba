"""Which pairs say most about the ranking of players, and between whom it is not clear yet."""

from __future__ import annotations

from collections.abc import Iterator
from math import erfc, pi, sqrt

import numpy as np
from attrs import frozen

from gammonrules._shared.sample_means import NORMAL_QUANTILE
from gammonrules.arena._intervals import MIN_PAIRS, wider_at_any_time
from gammonrules.arena._ratings import Floats, Pairings, ScoreArrays

_SPREAD = 4.0  # the variance of strengths of which nothing is known, in points a game or the logarithm of odds
_STEPS = 8  # among how many pairings at most the time is shared that is given out at once
_ROUNDS = 200  # of the least squares of seconds, of which more change nothing that matters
_erfc = np.vectorize(erfc, otypes=[float])


class Ranking:
    """What the games of each two players tell of the strengths: a normal distribution, by least squares.

    A pair of games counts by the variance in its pairing, to which 30 pairs of the usual variance are added. In matches
    the logarithm of the odds is fitted, with one pair more won and one more lost (Berkson, "Application of the logistic
    function to bio-assay", JASA 39, 1944; Agresti and Coull). Pairs with the same dice in several pairings are not
    independent: where that makes an error larger, it counts (Liang and Zeger, Biometrika 73, 1986).

    Attributes, for N pairings of P players:
        players: their names.
        signs: `(N, P)`, 1 for the first player of a pairing, and -1 for the second.
        counts: `(N,)`, how many pairs each pairing has played.
        information: `(N,)`, what a pair more of each pairing says of the difference of its players: 1 / variance.
        strengths: `(P,)`, the means of the distribution.
        covariance: `(P, P)`, that of the distribution.
        clustered: `(P, P)`, the covariance of the strengths, if pairs with the same dice are not independent.
        neighbors: `(P - 1, P)`, for players next to each other 1 for the stronger one, and -1 for the weaker one.
        games: `(P,)`, how many pairs each has played.
    """

    def __init__(self, pairs: Pairings, length: int | None) -> None:
        arrays = ScoreArrays.of(pairs)
        self.players = arrays.players
        self.signs = arrays.signs
        counts = arrays.counts
        self.counts = counts
        sums = np.nansum(arrays.scores, axis=0)
        means = sums / np.maximum(counts, 1)
        residuals = np.nan_to_num(arrays.scores - means)  # 0 beyond the last pair of a pairing
        squares = (residuals**2).sum(axis=0)
        is_money = length is None
        leads = _point_leads(means, squares, counts) if is_money else _odds_leads(sums, counts)
        slopes = leads.slopes
        # the variance of a lead is that of a score / slopes**2
        self.information = (
            slopes**2 * (counts + MIN_PAIRS) / (squares + MIN_PAIRS * leads.usual_variance)
        )
        # the normal equations of weighted least squares, with a prior for each strength
        weighted_signs = self.signs.T * (counts * self.information)
        precision: Floats = weighted_signs @ self.signs + np.eye(len(self.players)) / _SPREAD
        self.covariance: Floats = np.asarray(np.linalg.inv(precision), np.float64)
        self.strengths: Floats = self.covariance @ weighted_signs @ leads.leads
        # a row for all pairs with the same dice: what they add to the strengths
        weighted_residuals = residuals * self.information / slopes
        added: Floats = weighted_residuals @ self.signs @ self.covariance
        self.clustered: Floats = added.T @ added
        # a row for each place, with 1 for the player at this place
        players_by_place = np.eye(len(self.players))[np.argsort(-self.strengths, kind="stable")]
        self.neighbors = players_by_place[:-1] - players_by_place[1:]
        self.games = counts @ abs(self.signs)

    def unclear(self) -> Iterator[tuple[str, str]]:
        """Pairs of neighbors in the ranking, the stronger one first, whose order may be chance, whenever one looks."""
        for signs in self.neighbors:
            stronger = self.players[int(signs.argmax())]
            weaker = self.players[int(signs.argmin())]
            pairs = int(self.games[signs != 0].min())
            if pairs < MIN_PAIRS:
                yield stronger, weaker
                continue
            # the larger one of two estimates
            error = sqrt(max(signs @ self.covariance @ signs, signs @ self.clustered @ signs))
            lead = signs @ self.strengths
            if lead <= NORMAL_QUANTILE * wider_at_any_time(pairs) * error:
                yield stronger, weaker

    def most_telling(self, seconds: float, of_pairs: Floats) -> list[int]:
        """How many pairs each pairing is to play in these seconds; `of_pairs` is how long one of each takes.

        The seconds are given out in steps, each to the pairing that is expected to gain most a second. A gain is of two
        who are next to each other: how much stronger the one at the better place would be, were they ranked anew. That
        is the knowledge gradient (Frazier, Powell and Dayanik, "A knowledge-gradient policy for sequential information
        collection", SIAM Journal on Control and Optimization 47, 2008). Few pairs may tell nothing yet, and of many the
        last ones nothing more, so a pairing is judged by the best of three times (Frazier and Powell, "Paradoxes in
        learning and the marginal value of information", Decision Analysis 7, 2010).
        """
        covariance = self.covariance
        numbers = np.zeros(len(self.signs), int)
        longest_step = seconds / _STEPS
        # in each row, what the pairings would play in so many seconds, a pair at least
        times = [seconds, longest_step, longest_step / _STEPS]
        many = np.maximum(1, np.divide.outer(times, of_pairs))
        left = seconds
        while left > of_pairs.min() / 2:
            # a lead of somebody with few games is no lead yet
            games = self.games + numbers @ abs(self.signs)
            has_few = abs(self.neighbors) @ (games < MIN_PAIRS)
            leads = np.where(has_few, 0, self.neighbors @ self.strengths)[:, None]
            # of the difference of the two players of each pairing
            variances: Floats = (self.signs @ covariance * self.signs).sum(axis=1)
            telling = np.sqrt(many * self.information / (1 + many * self.information * variances))
            # for each time, a row for two neighbors, a column for a pairing: the standard deviation of the change of
            # their lead
            changes: Floats = abs(self.neighbors @ covariance @ self.signs.T) * telling[:, None]
            changes += 1e-100  # never 0, since leads are divided by it
            gains = changes * _expected_excess(leads / changes)
            gains_a_second = gains.sum(axis=1) / (many * of_pairs)
            time, best = divmod(int(gains_a_second.argmax()), len(of_pairs))
            step = min(times[time], longest_step, left)
            pairs = max(1, int(step / of_pairs[best] + 1e-9))
            # results only move the means, so the covariance after these pairs is known before they are played
            covariance_with_best: Floats = covariance @ self.signs[best]
            variance_of_results = variances[best] + 1 / (pairs * self.information[best])
            known_then = np.outer(covariance_with_best, covariance_with_best) / variance_of_results
            covariance = covariance - known_then
            numbers[best] += pairs
            left -= pairs * float(of_pairs[best])
        return [int(count) for count in numbers]

    def first_meetings(self) -> list[int]:
        """A pair for each player who has none: against the next player of the list, and the last against the first."""
        numbers = np.zeros(len(self.signs), int)
        for player in np.flatnonzero(self.games == 0):
            opponent = (player + 1) % len(self.players)
            are_both = (self.signs[:, player] != 0) & (self.signs[:, opponent] != 0)
            numbers[are_both] = 1
        return [int(count) for count in numbers]

    def seconds_of_pairs(self, seconds: Floats) -> Floats:
        """`(N,)`, how long a pair of each pairing takes, if all of them together took so long: `seconds`, `(N,)`.

        What its two players take elsewhere counts as one pair more, and alone where there is none yet. For that each
        player has seconds of their own, not below 0, so that those of pairings are off by as few percent as can be: by
        least squares (Lee and Seung, "Algorithms for non-negative matrix factorization", NIPS 13, 2000).
        """
        is_played = self.counts > 0
        measured = seconds[is_played] / self.counts[is_played]
        if measured.min() <= 0:  # too fast to be measured: all take the same
            return np.ones(len(seconds))
        players = abs(self.signs)
        shares = players[is_played] / measured[:, None]
        of_players = np.full(len(self.players), measured.min())
        for _ in range(_ROUNDS):
            of_players *= shares.sum(axis=0) / (shares.T @ (shares @ of_players))
        expected = np.maximum(players @ of_players, measured.min())
        of_pairs: Floats = (seconds + expected) / (self.counts + 1)
        return of_pairs


@frozen(eq=False)
class _Leads:
    """What the scores of N pairings say of the difference of their players, in the unit of the strengths.

    Attributes:
        leads: `(N,)`, of the first player of each pairing.
        slopes: `(N,)`, by how much a score rises with the lead.
        usual_variance: `(N,)`, that of the score of a pair, if nothing else is known of the pairing.
    """

    leads: Floats
    slopes: Floats
    usual_variance: Floats


def _point_leads(means: Floats, squares: Floats, counts: Floats) -> _Leads:
    """In money play a lead is the mean itself, and the usual variance that of all pairs of games."""
    slopes = np.ones(len(counts))
    variance_of_all = squares.sum() / max(counts.sum(), 1)
    if variance_of_all <= 0:  # nothing is known, or all pairs came out equal
        variance_of_all = 1.0
    return _Leads(means, slopes, slopes * variance_of_all)


def _odds_leads(sums: Floats, counts: Floats) -> _Leads:
    """In matches a lead is the logarithm of the odds, with one pair more won and one more lost."""
    shares = (sums + 1) / (counts + 2)
    slopes = shares * (1 - shares)  # and the variance of one match
    variance_of_pair = slopes / 2
    return _Leads(np.log(shares / (1 - shares)), slopes, variance_of_pair)


def _expected_excess(threshold: Floats) -> Floats:
    """By how much a standard normal variable is above a threshold on average, counting 0 where it is not."""
    density = np.exp(-(threshold**2) / 2) / sqrt(2 * pi)
    excess: Floats = density - threshold * _erfc(threshold / sqrt(2)) / 2
    return excess
