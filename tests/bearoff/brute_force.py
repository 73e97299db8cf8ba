"""Bear-offs solved with whole numbers alone, straight from the rules: from `Position.legal_plays`, and nothing else.

A side is its checkers on its ace point, its 2 point, and so on. Equities are whole multiples of 1 / `SCALE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

from gammonrules import Position
from gammonrules.bearoff import Verdict
from gammonrules.dice import ROLLS

SCALE = 36**30
"""No more rolls occur in the positions that are tried, so dividing by 36 never leaves a rest."""

Side = tuple[int, ...]
Values = tuple[int, int, int, int]


def sides(points: int, checkers: int) -> Iterator[Side]:
    """All sides with at least one checker."""
    for number in range(1, checkers + 1):
        for places in combinations_with_replacement(range(points), number):
            yield tuple(places.count(point) for point in range(points))


def position_of(mine: Side, theirs: Side) -> Position:
    """The position of these sides, all other checkers off."""
    of_both = ({i + 1: n for i, n in enumerate(side) if n} | {"off": 15 - sum(side)} for side in (mine, theirs))
    return Position.of(*of_both)


@cache
def results(side: Side) -> list[tuple[int, list[Side]]]:
    """For each roll its weight of 36, and the sides that its plays lead to."""
    position = position_of(side, (1,))
    return [
        (roll.weight, [play.position.flip().points[1 : len(side) + 1] for play in position.legal_plays(roll)])
        for roll in ROLLS
    ]


@cache
def chances(side: Side) -> tuple[Fraction, ...]:
    """The chances of bearing off in exactly 0, 1, 2, ... rolls, with the plays that need the fewest on average."""
    if not any(side):
        return (Fraction(1),)
    total = [Fraction(0)] * 40
    for weight, after in results(side):
        for rolls, chance in enumerate(chances(min(after, key=mean))):
            total[rolls + 1] += weight * chance / 36
    while not total[-1]:
        total.pop()
    return tuple(total)


@cache
def mean(side: Side) -> Fraction:
    """The fewest rolls on average."""
    if not any(side):
        return Fraction(0)
    return 1 + sum(weight * min(map(mean, after)) for weight, after in results(side)) / Fraction(36)


def verdict(rolling: int, double_take: int) -> Verdict:
    """No double if that is as good as one, a take if that is as good as a drop; of the multiples in `values`."""
    if rolling >= min(double_take, SCALE):
        return Verdict.NO_DOUBLE
    return Verdict.TAKE if double_take <= SCALE else Verdict.DROP


@cache
def values(mine: Side, theirs: Side) -> Values:
    """Rolling now: cubeless, and while the side on roll owns the cube, it is centered, or the other side owns it."""
    if not any(theirs):
        return (-SCALE,) * 4
    sums = [0] * 4
    for weight, after in results(mine):
        for kind, left in enumerate(zip(*(left_to(theirs, each) for each in after), strict=True)):
            sums[kind] += weight * min(left)
    wrong = [total % 36 for total in sums]
    assert wrong == [0] * 4
    cubeless, owned, centered, opponent_owns = (-total // 36 for total in sums)
    return cubeless, owned, centered, opponent_owns


@cache
def left_to(mine: Side, theirs: Side) -> Values:
    """What a play leaves to the opponent, who is on roll now: without a cube, and where the player who has played owns
    it, it is centered, or the opponent owns it."""
    cubeless, owned, centered, opponent_owns = values(mine, theirs)
    doubled = min(2 * opponent_owns, SCALE)
    return cubeless, opponent_owns, max(centered, doubled), max(owned, doubled)
