"""Every position computed, level by level: a level has all positions with so many pips of both sides together.

A column of a position is the equity of rolling now: minus the mean, over the rolls, of the least that a play leaves to
the opponent, who may then double if that is better. A play that hits nobody lowers the pips, a dance leaves them, and a
hit raises them. So a sweep over the levels, the lowest first, settles all but what hits bring back; sweeps go on until
nothing changes. A level is computed from what was known before it, by any number of threads with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Protocol

import numpy as np
import numpy.typing as npt
from attrs import frozen

from gammonrules.batch import legal_plays
from gammonrules.bearoff.internals import ROLL_PAIRS, ROLLS, WEIGHTS
from gammonrules.board.array_checks import Floats, Ints, Rows
from gammonrules.board.internals import SLOTS
from gammonrules.hypergammon._numbers import Numbering, points_lost


class Replies(Protocol):
    """What is known of the plays of some positions, and what follows for these from what is known of others."""

    @property
    def positions(self) -> Ints: ...
    def rolling(self, known: Floats) -> Floats: ...


@frozen(eq=False)
class Successors:
    """The plays of some positions.

    Attributes:
        positions: the numbers of the positions.
        counts: `(21 P,) uint8`: how many plays each roll of each position has.
        after: what the plays lead to: first one play of each roll, then a second of those that have two, and so on.
            Rolls come in falling order of their counts.
    """

    positions: Ints
    counts: npt.NDArray[np.uint8]
    after: npt.NDArray[np.int32]

    def least(self, known: Floats) -> Floats:
        """`(21 P, columns)`: the least that a play of each roll leaves to the opponent."""
        order, having = _falling(self.counts)
        least = np.take(known, self.after[: len(order)], axis=0)
        start = len(order)
        for count in having[1:]:
            reached = np.take(known, self.after[start : start + count], axis=0)
            np.minimum(least[:count], reached, out=least[:count])
            start += count
        in_order = np.empty_like(least)
        in_order[order] = least
        return in_order

    def rolling(self, known: Floats) -> Floats:
        """`(P, columns)`: the equities of rolling now."""
        least = self.least(known)
        return -_mean(least)

    def best(self, equities: Floats) -> npt.NDArray[np.int32]:
        """`(21 P,)`: what the play of each roll leads to that leaves the opponent the least of these equities."""
        order, having = _falling(self.counts)
        best = self.after[: len(order)].copy()
        least = equities[best]
        start = len(order)
        for count in having[1:]:
            after = self.after[start : start + count]
            reached = equities[after]
            better = reached < least[:count]
            np.copyto(best[:count], after, where=better)
            np.copyto(least[:count], reached, where=better)
            start += count
        in_order = np.empty_like(best)
        in_order[order] = best
        return in_order


@frozen(eq=False)
class BestReplies:
    """The best plays of some positions: `after` is what that of each of their 21 rolls leads to."""

    positions: Ints
    after: npt.NDArray[np.int32]

    def rolling(self, known: Floats) -> Floats:
        """`(P, columns)`: the mean of what is known of the positions that the rolls lead to."""
        return _mean(np.take(known, self.after, axis=0))


def _mean(of_rolls: Floats) -> Floats:
    """The means of rows of the 21 rolls, by how often they come up."""
    means: Floats = np.einsum("r,prc->pc", WEIGHTS / 36, of_rolls.reshape(-1, ROLLS, of_rolls.shape[1]))
    return means


def passed_chances(chances: Floats) -> Floats:
    """The five chances of the opponent."""
    passed = chances[:, [0, 3, 4, 1, 2]]
    passed[:, 0] = 1 - passed[:, 0]
    return passed


def _falling(counts: npt.NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """The rolls in falling order of their counts, and how many have at least one play, two, and so on."""
    order: Ints = np.argsort(255 - counts, kind="stable")
    return order, len(counts) - np.searchsorted(counts[order[::-1]], np.arange(1, int(counts.max()) + 1))


def positions_by_pips(numbers: Numbering) -> list[Ints]:
    """The positions of each number of pips of both sides, the fewest first."""
    boards = numbers.boards()
    pips: Ints = (boards * np.arange(SLOTS)).sum(axis=1)
    mine, theirs = numbers.pairs()
    both: Ints = pips[mine] + pips[theirs]
    order = np.argsort(both, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(both[order])) + 1)


def successors_of(numbers: Numbering, positions: Ints, boards: Rows) -> Successors:
    """The plays of positions with these boards. Games that are lost have the next numbers after all positions."""
    every = legal_plays(np.repeat(boards, ROLLS, axis=0), np.tile(ROLL_PAIRS, (len(boards), 1)))
    after = numbers.numbers(every.points)
    lost = points_lost(every.points, numbers.sides.shape[1])
    after = np.where(lost, numbers.starts[-1] - 1 + lost, after).astype(np.int32)
    counts = every.counts.astype(np.uint8)
    order, having = _falling(counts)
    firsts = every.offsets[:-1][order]
    return Successors(positions, counts, np.concatenate([after[firsts[:count] + i] for i, count in enumerate(having)]))


def sweep(
    levels: Sequence[Sequence[Replies]],
    values: Floats,
    known: Floats,
    pool: Executor,
    passed: Callable[[Floats], Floats] | None = None,
) -> float:
    """Compute all values from what is known, and say how much they differ from these at most.

    With `passed` they take the place of these, and what is passed on is known.
    """

    def rolling(replies: Replies) -> Floats:
        return replies.rolling(known)

    change = 0.0
    for level in levels:
        computed = [*pool.map(rolling, level)]  # all before any is known
        for plays, new in zip(level, computed, strict=True):
            change = max(change, float(abs(new - values[plays.positions]).max()))
            if passed:
                values[plays.positions], known[plays.positions] = new, passed(new)
    return change
