"""What a decision loses on average, with an interval: by rollouts, and by what one engine says of many more."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot, inf, sqrt
from typing import Final

import numpy as np
from attrs import evolve, frozen

from gammonrules._arrays.checks import Floats
from gammonrules._shared.sample_means import student_quantile
from gammonrules.analysis.internals import signed
from gammonrules.arena._intervals import unseen_rate
from gammonrules.values import counted

MIN_LOSSES: Final = 10
"""With fewer positions a mean has no interval: they may all miss what happens one time in four."""
TINY: Final = 1e-9
_THOUSANDTHS: Final = 1000
"""Of a point, in which a mean loss is told."""
_STEEPEST: Final = 2.0
"""No slope is larger. What engines lose is 1.2 to 1.4 times what level 3 says."""


@frozen
class MeanLoss:
    """What a decision loses on average, in thousandths of a point, with a 95% interval.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        decisions: how many tell it whose losses are known by rollouts, or exactly.
        loss: the mean; None without a decision. Between two bots, how much more the first one loses.
        low: the lower end of the interval; None if they do not tell it.
        high: the upper end.
        further: how many more tell it, which level 3 of bgsage alone has judged.
        mistakes: in how many of all these something is lost; between two bots, in how many they lose differently. None
            if that is not known.
        is_difference: whether it is one between two bots.

    Examples:
        >>> from gammonrules.arena import MeanLoss
        >>> print(MeanLoss(150, 12.3, 8.1, 16.5))
        12.3 (8.1 to 16.5) in 150 decisions
        >>> print(MeanLoss(150, 11.9, 10.2, 13.8, further=2000))
        11.9 (10.2 to 13.8) in 150 decisions and 2,000 further ones
        >>> print(MeanLoss(10, 0, 0, 989.3, mistakes=0))
        no mistake in 10 decisions
    """

    decisions: int = 0
    loss: float | None = None
    low: float | None = None
    high: float | None = None
    further: int = 0
    mistakes: int | None = None
    is_difference: bool = False

    def __str__(self) -> str:
        made = counted(self.decisions, "decision", ",")
        if self.loss is None:
            return made
        if self.further:
            made += f" and {self.further:,} further ones"
        if self.mistakes == 0:
            return f"no {'difference' if self.is_difference else 'mistake'} in {made}"
        interval = "no interval"
        if self.low is not None and self.high is not None:
            interval = f"{signed(self.low, 'z.1f')} to {signed(self.high, 'z.1f')}"
        return f"{signed(self.loss, 'z.1f')} ({interval}) in {made}"


@frozen
class LostHere:
    """What is lost in a decision, in points; or how much more than another bot loses.

    Attributes:
        loss: by rollouts, or exactly.
        error: its standard error.
        judged: by level 3 of bgsage; 0 if it was not asked.
    """

    loss: float
    error: float
    judged: float


@frozen(eq=False)
class Sample:
    """What is lost in positions of one part of the benchmark.

    Attributes:
        losses: of each position, in points; two decisions about a cube have one mean.
        judged: the same by level 3 of bgsage.
        error: the standard error that the mean of the losses has since they are not exact themselves.
        decisions: how many these are.
        mistakes: in how many of them something is lost.
    """

    losses: Floats
    judged: Floats
    error: float
    decisions: int
    mistakes: int

    @property
    def distance_by_errors(self) -> float:
        """How far away the true mean may be because of the errors alone."""
        return student_quantile(len(self.losses)) * self.error


def sample_of(positions: Iterable[list[LostHere]]) -> Sample:
    """What is lost in these positions, of each of which the decisions are given."""
    losses = list[float]()
    judged = list[float]()
    decisions = list[LostHere]()
    for position in positions:
        losses.append(sum(lost.loss for lost in position) / len(position))
        judged.append(sum(lost.judged for lost in position) / len(position))
        decisions += position
    error = hypot(*[lost.error for lost in decisions]) / max(1, len(decisions))
    mistakes = sum(lost.loss != 0 for lost in decisions)
    return Sample(np.array(losses), np.array(judged), error, len(decisions), mistakes)


def mean_loss(known: Sample, further: Sample, *, limit: float, is_difference: bool) -> MeanLoss:
    """What a decision loses on average.

    The further positions count if there are ten of them and of the known ones, and if level 3 tells something of both.

    Args:
        known: positions whose losses are known by rollouts, or exactly.
        further: those that level 3 alone has judged.
        limit: what one decision loses at most, in points.
        is_difference: whether this is how much more one bot loses than another.
    """
    if not len(known.losses):
        return MeanLoss(is_difference=is_difference)
    told = MeanLoss(known.decisions, mistakes=known.mistakes, is_difference=is_difference)
    if len(known.losses) < MIN_LOSSES:
        return _with_interval(told, float(known.losses.mean()), None)
    slope = _slope(known)
    if len(further.losses) < MIN_LOSSES or slope == 0 or further.judged.std() < TINY:
        # the errors are a part of the scatter, too; they are small beside it
        distances = np.hypot(_distances(known.losses, limit), known.distance_by_errors)
        return _with_interval(told, float(known.losses.mean()), distances)
    told = evolve(told, further=further.decisions, mistakes=known.mistakes + further.mistakes)
    return _with_interval(told, *_with_further(known, further, slope, limit))


def _with_interval(told: MeanLoss, mean: float, distances: Floats | None) -> MeanLoss:
    """The same with a mean, in points, and how far below and above it the true one may be, if that is known."""
    # a bot loses 0 or more, but it may lose less than another one
    least = -inf if told.is_difference else 0.0
    told = evolve(told, loss=_THOUSANDTHS * max(mean, least))
    if distances is None:
        return told
    down, up = distances.tolist()
    return evolve(
        told, low=_THOUSANDTHS * max(mean - down, least), high=_THOUSANDTHS * max(mean + up, least)
    )


def _with_further(
    known: Sample, further: Sample, slope: float, limit: float
) -> tuple[float, Floats]:
    """The mean by the known and the further positions, and how far below and above it the true one may be.

    It is the regression estimator for double sampling (Cochran, "Sampling Techniques", third edition, 1977, chapter
    12): the mean of what level 3 says of all positions, times the slope, and the mean of what the known ones, which are
    some of all, lose more than that. With a slope of 1 it would be the difference estimator.

    The two means are independent, so the squares of how far away the true ones may be add up (Zou and Donner,
    "Construction of confidence limits about effect measures", Statistics in Medicine 27, 2008).
    """
    weight = slope * len(further.losses) / (len(known.losses) + len(further.losses))
    rest = known.losses - weight * known.judged
    judged = weight * further.judged
    mean = float(rest.mean() + judged.mean())
    # the scatter already contains the errors of the losses, which would be a large part of this interval
    distances_of_rest = np.maximum(
        _wider(known, further) * _distances(rest, limit), known.distance_by_errors
    )
    return mean, np.hypot(distances_of_rest, _distances(judged, limit))


def _distances(losses: Floats, limit: float) -> Floats:
    """How far below and above their mean the true one may be.

    Most decisions lose nothing, and a few lose much, so Student's t alone would hold the true mean in as few as 24%
    of the cases. On each side it is compared with the t that Peter Hall transforms for skew losses ("On the removal
    of skewness by transformation", Journal of the Royal Statistical Society B 54, 1992), and the farther end
    counts. Both have as many degrees of freedom as decisions lose something.

    Args:
        losses: numbers, one of each position.
        limit: what one of them is at most.
    """
    count = len(losses)
    mean = losses.mean()
    spread = losses.std()
    if spread < TINY:  # all are equal, but so many others may be unseen, which lose `limit` at most
        return np.full(2, unseen_rate(count) * limit)
    # Hall's transformation has a third of the skewness
    third = ((losses - mean) ** 3).mean() / spread**3 / 3
    third = np.copysign(max(abs(third), TINY), third)  # never 0, since it divides
    degrees = int(np.count_nonzero(losses))
    width = student_quantile(degrees) / count**0.5
    # the ends where the transformed t is as far from 0 as Student's quantile
    sides = np.array([-1, 1])  # down to the lower end, and up to the higher one
    transformed = 1 - 3 * third * (sides * width + third / 2 / count)
    skew_widths = abs((np.cbrt(transformed) - 1) / third)
    distances: Floats = losses.std(ddof=1) * np.maximum(width, skew_widths)
    return distances


def _slope(known: Sample) -> float:
    """How much is lost for each point that level 3 says is lost; at least 0, where it tells nothing, and at most 2."""
    deviations = known.judged - known.judged.mean()
    squares = float(deviations @ deviations)
    if squares < TINY:
        return 0.0
    slope = float(deviations @ known.losses / squares)
    return min(max(0.0, slope), _STEEPEST)


def _wider(known: Sample, further: Sample) -> float:
    """How many times as wrong level 3 may be about all positions as about the known ones.

    What loses much is rare, and level 3 errs most there. If there is more of it among all than among the known ones,
    the variance grows as the mean of the squares of what level 3 says (Wu, "Estimation of variance of the ratio
    estimator", Biometrika 69, 1982, has this for ratios).
    """
    squares_of_known = known.judged**2
    squares_of_all = np.concatenate([squares_of_known, further.judged**2])
    return max(1.0, sqrt(squares_of_all.mean() / squares_of_known.mean()))
