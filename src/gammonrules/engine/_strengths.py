"""How players of a strength err: which play they choose, and whether they double and take, by a number drawn at random.

A choice has a weight of e to the power of what it is worth by a temperature, in normalized equity: the higher that is,
the more often a player errs. At 0 they choose what is best.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import exp
from typing import Final

from gammonrules.board import Play, Position

_IN_RACES: Final = 0.25
"""The part of a temperature that is left in a race, where people see more of what a play loses."""
_MAX_EXPONENT: Final = 700.0
"""Of the powers of e that a float can be."""


def play_drawn(
    plays: Sequence[Play], equities: Sequence[float], temperature: float, number: float
) -> Play:
    """The play that a number from 0 to 1 stands for, of all legal plays of a roll with their equities.

    In a bear-off without contact it bears off as many checkers as possible.
    """
    before = plays[0].before
    least_off = 0
    if before.is_race:
        temperature *= _IN_RACES
        if _all_are_home(before):
            least_off = max(_off_after(play) for play in plays)
    possible = list[Play]()
    worths = list[float]()
    for play, equity in zip(plays, equities, strict=True):
        if _off_after(play) >= least_off:
            possible.append(play)
            worths.append(equity)
    best = max(worths)
    sums = list(accumulate(exp((worth - best) / temperature) for worth in worths))
    share = number * sums[-1]
    return next(play for play, below in zip(possible, sums, strict=True) if below > share)


def chance_of_risk(gain: float, temperature: float) -> float:
    """The chance of a double, or of a take, by which a player gains so much equity."""
    exponent = min(-gain / temperature, _MAX_EXPONENT)
    return 1 / (1 + exp(exponent))


def _all_are_home(position: Position) -> bool:
    home = 6
    return all(count <= 0 for count in position.points[home + 1 :])


def _off_after(play: Play) -> int:
    return play.position.opponent_off
