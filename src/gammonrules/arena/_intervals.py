"""What the mean over pairs of games tells: its interval, and whether an arena has played enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import inf, isinf, log, sqrt
from operator import itemgetter
from typing import Annotated, Literal, TypeAlias

from attrs import define, field, frozen

from gammonrules._shared.checked_fields import Bounds, Checked, wrong_fields
from gammonrules._shared.sample_means import LEVEL, NORMAL_QUANTILE, student_quantile
from gammonrules.analysis.internals import signed
from gammonrules.values import Until, real_number, shown

# which ends all games, when the order of the players is clear
ArenaUntil: TypeAlias = Until | Literal["ranked"]
MIN_PAIRS = 30
"""The fewest pairs after which an arena may end early, and so many must differ before the interval is Student's alone:
`tests/arena/test_intervals.py` measures what that costs."""
TUNED_FOR = 500
"""The number of pairs at which the interval that holds at any time is narrowest for its standard error."""


def wrong_or_below_0(name: str, value: object) -> Iterator[str]:
    """A sentence about what is not a number from 0 up; it may be infinite."""
    number = real_number(value)
    is_right = number is not None and number >= 0  # NaN is not
    if not is_right:
        yield f"{name} must be a number from 0 up, not {shown(value)}"


@frozen
class Interval(Checked):
    """A mean over pairs of games, and how far it can be trusted.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        mean: points a game, or the share of the matches that were won.
        error: the standard error of the mean, in the same unit; infinite for fewer than two pairs, and for points if
            all pairs came out equal, since then they do not tell it.
        margin: half the width of the interval, in the same unit; infinite if the pairs do not tell it. It is 0 only
            for a player against themselves.
        pairs: how many pairs of games or matches were played.
        level: the probability with which an interval found in this way contains the true mean.
        even: the mean of two equal players: 0 points, or half of the matches. A share is shown in percent.

    Raises:
        ArgumentError: an attribute has the wrong type, or is out of bounds.

    Examples:
        >>> from gammonrules.arena import Interval
        >>> points = Interval(0.213, error=0.023, margin=0.045, pairs=1000)
        >>> print(points)
        +0.213 ± 0.045
        >>> share = Interval(0.5, error=0.14, margin=0.3, pairs=10, even=0.5)
        >>> print(share)
        50.0% ± 30.0%
        >>> share.low, share.high, share.level
        (0.2, 0.8, 0.95)
        >>> print(Interval(0, error=float("inf"), margin=float("inf"), pairs=30))
        +0.000, no interval: all 30 pairs came out equal, so fewer than 9.5% differ
        >>> print(Interval(0.5, error=0.2, margin=float("inf"), pairs=4))
        +0.500, no interval yet
    """

    mean: float
    error: float
    margin: float
    pairs: Annotated[int, Bounds(0)]
    level: Annotated[float, Bounds(0, 1)] = LEVEL
    even: float = 0.0

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self, "mean", "pairs", "level", "even")
        yield from wrong_or_below_0("error", self.error)
        yield from wrong_or_below_0("margin", self.margin)

    @property
    def low(self) -> float:
        """The lower end; that of a share is at least 0."""
        return max(self.mean - self.margin, 0.0 if is_share(self.even) else -inf)

    @property
    def high(self) -> float:
        """The upper end; that of a share is at most 1."""
        return min(self.mean + self.margin, 1.0 if is_share(self.even) else inf)

    def __str__(self) -> str:
        if is_unknown(self):
            fewer = f"fewer than {100 * unseen_rate(self.pairs):.2g}% differ"
            return f"{signed(self.mean)}, no interval: all {self.pairs:,} pairs came out equal, so {fewer}"
        if isinf(self.margin):
            return f"{mean_text(self)}, no interval yet"
        margin = f"{self.margin:.1%}" if is_share(self.even) else f"{self.margin:.3f}"
        return f"{mean_text(self)} ± {margin}"


def is_share(even: float) -> bool:
    """Whether a mean is a share of matches, and not points, by what equal players get."""
    return even != 0


def is_unknown(interval: Interval) -> bool:
    """Whether the pairs tell no interval, because all came out equal."""
    return isinf(interval.error) and isinf(interval.margin) and interval.pairs > 1


def mean_text(interval: Interval) -> str:
    """The mean as it is printed, without the margin."""
    return f"{interval.mean:.1%}" if is_share(interval.even) else signed(interval.mean)


@define
class Scores:
    """How often the first player got what in pairs of games with the same dice, from which any interval follows.

    Points (even=0.0), or wins as 1 and losses as 0 (even=0.5). All sums of these are exact.

    Between players who hardly differ, most pairs come out alike, and the few that do not are all that tells the
    variance. So Student's t has as many degrees of freedom as pairs differ from the most common result, as in surveys
    the units in which a rare group was met (NHANES Tutorials, "Reliability of Estimates", after Korn and Graubard).
    """

    even: float = 0.0
    limit: float = inf
    """How far the mean of a pair can be from `even`."""
    are_same: bool = False
    """Whether the two players are one, so that nothing can differ."""
    seen: Counter[tuple[float, float]] = field(factory=Counter)
    """How many pairs brought so much as White and so much as Black."""

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.seen.total()

    @property
    def _pair_sums(self) -> Counter[float]:
        """The number of pairs by what both games together brought the first player."""
        sums = Counter[float]()
        for pair, number in self.seen.items():
            sums[sum(pair)] += number
        return sums

    @property
    def mean(self) -> float:
        """The mean result of a game for the first player; without any, that of equal players."""
        if not self.seen:
            return self.even
        total = sum(number * pair_sum for pair_sum, number in self._pair_sums.items())
        return total / (2 * self.pairs)

    @property
    def is_exact(self) -> bool:
        """Whether a player has come out exactly even against themselves."""
        return self.are_same and set(self._pair_sums) == {2 * self.even}

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite if the pairs do not tell it.

        Ten matches won of ten would have no error. So the variance of a share is that of these pairs with one more won
        and one more lost, as Agresti and Coull add two wins and two losses ("Approximate is better than 'exact'", The
        American Statistician 52, 1998).
        """
        if self.is_exact:
            return 0
        if self.pairs < 2:
            return inf
        seen = self.seen
        if is_share(self.even):
            one_more_lost_and_won = Counter[tuple[float, float]]([(0, 0), (1, 1)])
            seen = seen + one_more_lost_and_won
        elif len(self._pair_sums) == 1:
            return inf
        pairs = seen.total()
        # the variance of a pair is the scatter / pairs / (pairs - 1); that of their total is `pairs` times as large
        variance_of_total = _scatter(seen, sum) / (pairs - 1)
        games = 2 * pairs
        return sqrt(variance_of_total) / games

    @property
    def variance_ratio(self) -> float | None:
        """How many times as large the variance of the mean would be if the two games of a pair had their own dice.

        Infinite if only the means of the pairs are all the same, and None if the games are, too.
        """
        of_games = _scatter(self.seen, itemgetter(0)) + _scatter(self.seen, itemgetter(1))
        of_pairs = _scatter(self.seen, sum)
        if of_pairs:
            return of_games / of_pairs
        return inf if of_games else None

    def margin(self, until: ArenaUntil) -> float:
        """Half the width of the interval, if an arena ends by this rule.

        If all pairs came out equal, it is how often at most they would not, times how much at most they would differ.
        Where that is known, no margin is below it at first. The more pairs differ from the most common result, the less
        this bound counts, and it counts no more when 30 do, or half of them.
        """
        if self.is_exact:
            return 0
        # "decided" and "ranked" end by the interval itself
        is_to_hold_at_any_time = isinstance(until, str)
        least_pairs = MIN_PAIRS if is_to_hold_at_any_time else 2
        if self.pairs < least_pairs:
            return inf
        [(usual_sum, usual_pairs)] = self._pair_sums.most_common(1)
        unusual_pairs = self.pairs - usual_pairs
        usual_mean = usual_sum / 2
        # infinite for money play with a cube
        most_difference = self.limit + abs(usual_mean - self.even)
        least_margin = unseen_rate(self.pairs) * most_difference
        if unusual_pairs == 0:
            return least_margin
        degrees = unusual_pairs
        if is_share(self.even):
            # `error` counts one pair more won and one more lost, which are unusual, too
            degrees = min(unusual_pairs + 2, self.pairs - 1)
        width_in_errors = student_quantile(degrees)
        if is_to_hold_at_any_time:
            width_in_errors *= wider_at_any_time(self.pairs)
        margin = self.error * width_in_errors
        if isinf(least_margin):
            return margin
        enough_unusual_pairs = min(MIN_PAIRS, self.pairs / 2)
        weight_of_bound = 1 - unusual_pairs / enough_unusual_pairs
        return max(margin, least_margin * weight_of_bound)  # of a weight below 0 the margin

    def interval(self, until: ArenaUntil) -> Interval:
        """The interval, if an arena ends by this rule."""
        return Interval(
            self.mean,
            self.error,
            margin=self.margin(until),
            pairs=self.pairs,
            level=LEVEL,
            even=self.even,
        )

    def is_enough(self, until: ArenaUntil) -> bool:
        """Whether an arena may end now by this rule, which it asks after every block of pairs.

        So "decided" takes an interval that holds at any time, where rollouts, which look a few times, share out the
        chance of an error to their looks. A margin is that of Chow and Robbins, "On the asymptotic theory of
        fixed-width sequential confidence intervals for the mean", The Annals of Mathematical Statistics 36 (1965).
        """
        if until is None or until == "ranked" or self.pairs < MIN_PAIRS:
            return False
        margin = self.margin(until)
        if until == "decided":
            return abs(self.mean - self.even) > margin
        return margin <= until


def _scatter(
    seen: Counter[tuple[float, float]], of: Callable[[tuple[float, float]], float]
) -> float:
    """The sum of the squared distances from the mean, times the count."""
    total = sum(number * of(pair) for pair, number in seen.items())
    squares = sum(number * of(pair) ** 2 for pair, number in seen.items())
    return max(0.0, seen.total() * squares - total**2)


def unseen_rate(pairs: int) -> float:
    """The highest rate of something that has not happened in so many pairs, with the probability LEVEL.

    At that rate it would have been missed with the probability 1 - LEVEL: about 3 / pairs, the rule of three (Hanley
    and Lippman-Hand, "If nothing goes wrong, is everything all right?", JAMA 249, 1983). It holds at any time, since
    the first pair that differs ends it.
    """
    return float(1 - (1 - LEVEL) ** (1 / pairs))


def wider_at_any_time(pairs: int) -> float:
    """How many times as wide an interval is that holds however often one looks, and whenever one stops.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit
    theory and asymptotic confidence sequences", The Annals of Statistics 52 (2024), after Robbins (1970).
    """
    u = pairs * _NARROWEST / TUNED_FOR  # n rho^2
    return sqrt((u + 1) / u * (log(u + 1) - 2 * log(1 - LEVEL))) / NORMAL_QUANTILE


_NARROWEST = 8.212
"""The u where (u + 1) / u * (log(u + 1) - 2 log(1 - LEVEL)) is least."""
