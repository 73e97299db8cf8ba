"""What the mean of a sample tells of the true mean: its standard error, and how far away the true mean may be."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan, cos, inf, pi, sin, sqrt, tan
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

LEVEL: Final = 0.95
"""The probability with which an interval contains the true mean, and with which what is called decided is right."""
NORMAL_QUANTILE: Final = 1.9599639845400536
"""How many standard errors the true mean of many numbers is away at most, with the probability LEVEL."""


def error_of_mean(numbers: Sequence[float]) -> float:
    """The standard error of the mean of at least two numbers."""
    from statistics import stdev  # noqa: PLC0415 - it takes time to load

    return stdev(numbers) / sqrt(len(numbers))


def errors_of_means(columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The standard error of the mean of each column; infinite if there is one number in it."""
    if len(columns) == 1:
        # an array of infinities, made without an import of NumPy
        unknown: npt.NDArray[np.float64] = 0 * columns[0] + inf
        return unknown
    deviations: npt.NDArray[np.float64] = columns.std(axis=0, ddof=1)
    return deviations / sqrt(len(columns))


def normal_quantile(probability: float) -> float:
    """The number below which a normal variable is with this probability."""
    from statistics import NormalDist  # noqa: PLC0415 - it takes time to load

    return NormalDist().inv_cdf(probability)


def student_quantile(degrees: int) -> float:
    """How many standard errors the true mean is away at most, with the probability LEVEL; infinite for 0 degrees.

    The quantile of Student's t: NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.2; Abramowitz and
    Stegun, Handbook of Mathematical Functions, 26.7.5, which is at most 0.12% too small; for 1 and 2 degrees exact.
    """
    if degrees == 0:
        return inf
    if degrees == 1:
        return tan(pi * LEVEL / 2)
    if degrees == 2:
        return LEVEL * sqrt(2 / (1 - LEVEL**2))
    # factors of the powers of 1 / degrees
    square = NORMAL_QUANTILE**2
    factors = (
        (square + 1) / 4,
        ((5 * square + 16) * square + 3) / 96,
        (((3 * square + 19) * square + 17) * square - 15) / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    series = sum(factor / float(degrees) ** power for power, factor in enumerate(factors, 1))
    return NORMAL_QUANTILE * (1 + series)


def student_tail(t: float, degrees: int) -> float:
    """The probability that Student's t is above a number, for an odd number of degrees of freedom.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3.
    """
    angle = atan(t / sqrt(degrees))
    total = angle
    # for 1 degree there is the angle alone, and for each further pair of degrees another term
    term = sin(angle) * cos(angle)
    for k in range(1, degrees - 1, 2):
        total += term
        term *= (k + 1) / (k + 2) * cos(angle) ** 2
    return 0.5 - total / pi


def chance_spent_at(look: int) -> float:
    """The chance of an error that is spent at a look, of which 1 is the first; of all looks it adds up to 1 - LEVEL.

    However many there are (Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983).
    What compares several things at a look shares the chance out to them.
    """
    return (1 - LEVEL) / (look * (look + 1))
