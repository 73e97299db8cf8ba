"""Two-sided tables computed, block by block: a block has all pairs of a layout of so many pips and one of so many.

Of the side on roll, E is the equity without a cube; O, C and X are those of rolling now while they own the cube, while
it is centered, and while the opponent owns it; Vo and Vc those of rolling or doubling, whichever is better: the larger
of O or C and the smaller of 2X and 1. After a play the opponent is on roll, so E is minus the mean over the rolls of
the least E that a play leads to; likewise O comes from X, C from Vc, and X from Vo. Blocks that others are computed
from have the opponent's pips as they are after the play, which are fewer.
"""

from __future__ import annotations

from itertools import product
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
from attrs import define, frozen

from gammonrules._arrays.checks import Ints
from gammonrules._shared.forks import cached_property
from gammonrules.bearoff._layouts import (
    ROLLS,
    WEIGHTS,
    Counts,
    ProgressCallback,
    all_layouts,
    levels,
    pips_of_layouts,
    plays_of_layouts,
)

Values: TypeAlias = npt.NDArray[Any]
AT_ONCE = 32
"""Layouts on roll whose rows are compared at once, so that these stay in the processor's cache."""


class Exact:
    """Equities as float32."""

    dtype: ClassVar[np.dtype[Any]] = np.dtype("<f4")
    lost = -1.0
    won = 1.0

    def rolled(self, least: Values) -> Values:
        """The worth to the side on roll, if each of the 21 rolls, the second axis, leaves this to the opponent."""
        equities: Values = np.matmul(WEIGHTS / -36, least, dtype=np.float64)
        return equities

    def best(self, rolling: Values, opponent_owns: Values) -> Values:
        """The equity of rolling or doubling, whichever is better."""
        best: Values = np.maximum(rolling, np.minimum(2 * opponent_owns, np.float32(1)))
        return best


class GnubgRounding(Exact):
    """Equities as GNU Backgammon 1.07 has them while it computes: (2s + 1) / 65535 of a point, where s is an int16."""

    dtype = np.dtype("<i2")
    lost = -32768
    won = 32767

    def rolled(self, least: Values) -> Values:
        # a number s stands for (2s + 1) / 65535, so -1 - s for the opposite; the weights are 36 together
        sums = -36 - np.einsum("r,nrv->nv", WEIGHTS.astype(np.int32), least)
        equities: Values = (np.sign(sums) * (abs(sums) // 36)).astype(np.int16)
        return equities

    def best(self, rolling: Values, opponent_owns: Values) -> Values:
        # twice as much, and 32767, which is 1 point, at most; an int16 overflows only where nobody doubles
        doubled = 2 * np.minimum(opponent_owns, 16383)
        doubled += opponent_owns >= 16383
        one_if_negative = -(rolling >> 15)
        half_of_rolling = (rolling + one_if_negative) >> 1  # rounded to zero
        is_double_better = opponent_owns >= half_of_rolling
        # quicker than np.where
        best: Values = rolling + (doubled - rolling) * is_double_better
        return best


@frozen(eq=False)
class PlaysOfPart:
    """The plays of some layouts of a level: for each roll of each of them, in falling order of their number."""

    rows: slice
    order: Ints
    """Where the plays of the roll that comes first, second, ... belong."""
    successors: list[npt.NDArray[np.integer]]
    """The first plays of all rolls; the second plays of those that have any, and so on."""

    @classmethod
    def of(
        cls, rows: slice, starts: Ints, counts: Ints, after: npt.NDArray[np.integer]
    ) -> PlaysOfPart:
        """The plays of the rolls of some layouts.

        Args:
            rows: which layouts.
            starts: where the plays of each roll start in `after`.
            counts: how many plays each roll has.
            after: what all plays lead to.
        """
        order = np.argsort(-counts, kind="stable")
        starts_in_order = starts[order]
        successors: list[npt.NDArray[np.integer]] = []
        for number in range(int(counts.max())):
            # the rolls with more plays than this number come first
            rolls = int(np.count_nonzero(counts > number))
            successors.append(after[starts_in_order[:rolls] + number])
        return cls(rows, order, successors)


@define(slots=False)
class _LayoutsOfPips:
    """All layouts of some pips, which are next to each other in the order of all levels."""

    layouts: Counts
    numbers: Ints
    rows: slice
    """The places of the layouts in the order of all levels."""
    checkers: int
    rank: npt.NDArray[np.int32]
    """Of the layout with each number, the position in the order of all levels."""

    @cached_property
    def plays(self) -> list[PlaysOfPart]:
        parts: list[PlaysOfPart] = []
        for start in range(0, len(self.layouts), AT_ONCE):
            layouts = self.layouts[start : start + AT_ONCE]
            rows = slice(start, start + len(layouts))
            # so few layouts come in one piece
            ((_, offsets, numbers),) = plays_of_layouts(layouts, self.checkers)
            counts = np.diff(offsets)
            parts.append(PlaysOfPart.of(rows, offsets[:-1], counts, self.rank[numbers]))
        return parts


def _levels_of(points: int, checkers: int) -> list[_LayoutsOfPips]:
    """The layouts of 0, 1, 2, ... pips: some stand for every number of pips up to the largest."""
    layouts = all_layouts(points, checkers)
    pips = pips_of_layouts(layouts)
    order = np.argsort(pips, kind="stable")
    rank = np.empty(len(layouts), np.int32)
    rank[order] = np.arange(len(layouts))
    everything_off = np.zeros(1, np.int64)  # the number of the layout of 0 pips
    by_pips = list[_LayoutsOfPips]()
    start = 0
    for numbers in (everything_off, *levels(pips)):
        rows = slice(start, start + len(numbers))
        by_pips.append(_LayoutsOfPips(layouts[numbers], numbers, rows, checkers, rank))
        start = rows.stop
    return by_pips


def solve_pairs(
    points: int, checkers: int, arithmetic: Exact, progress: ProgressCallback
) -> Values:
    """The equities of all pairs, in the order of the numbers of their layouts: `(layouts on roll, layouts, 4)`."""
    by_pips = _levels_of(points, checkers)
    number = by_pips[-1].rows.stop
    everything_off = 0  # the number of this layout, and its position in the order of all levels
    values = np.empty((number, number, 4), arithmetic.dtype)
    values[:, everything_off] = arithmetic.lost
    values[everything_off] = arithmetic.won
    # for each level on roll, what is left to it against each layout that the other side has come to
    known = [np.empty((number, 4, len(level.numbers)), arithmetic.dtype) for level in by_pips]
    for rows in known:
        rows[everything_off] = arithmetic.lost
    done = 0
    pips = range(1, len(by_pips))
    # a play lowers the pips of its side, so blocks are computed in the order of the sum of both sides' pips
    for mine, theirs in sorted(product(pips, pips), key=sum):
        level = by_pips[mine]
        opponent = by_pips[theirs]
        block = _solve_block(level, known[theirs], arithmetic)
        # in a block the equities are the second axis, in `values` the last
        values[level.numbers[:, None], opponent.numbers] = block.swapaxes(1, 2)
        known[mine][opponent.rows] = known_from(block, arithmetic)
        done += len(level.numbers) * len(opponent.numbers)
        progress(done / (number - 1) ** 2)
    return values


def _solve_block(level: _LayoutsOfPips, opponent: Values, arithmetic: Exact) -> Values:
    """The equities E, O, C and X of a block: `(layouts on roll, 4, layouts of the other side)`.

    What is known of the opponent on roll, E, X, Vc and Vo, has the same axes; its first has the layouts that plays lead
    to, in the order of all levels.
    """
    width = opponent.shape[2]
    after = opponent.reshape(len(opponent), -1)
    block = np.empty((len(level.numbers), 4, width), arithmetic.dtype)
    buffers = np.empty((2, AT_ONCE * ROLLS, 4 * width), arithmetic.dtype)
    for part in level.plays:
        least, spare = buffers[:, : len(part.order)]
        first_plays, *further_plays = part.successors
        np.take(after, first_plays, axis=0, out=least, mode="clip")
        for plays_of_rolls in further_plays:
            # rolls with more plays come first, so these are the second, third, ... plays of the first rolls
            reached = spare[: len(plays_of_rolls)]
            np.take(after, plays_of_rolls, axis=0, out=reached, mode="clip")
            least_so_far = least[: len(reached)]
            np.minimum(least_so_far, reached, out=least_so_far)
        rolls_in_order = spare  # its memory is free again
        rolls_in_order[part.order] = least
        rolled = arithmetic.rolled(rolls_in_order.reshape(-1, ROLLS, 4 * width))
        block[part.rows] = rolled.reshape(-1, 4, width)
    return block


def known_from(block: Values, arithmetic: Exact) -> Values:
    """What `_solve_block` needs of a block when the other side moves: its E, X, Vc and Vo, with the axes exchanged."""
    known = np.empty((block.shape[2], 4, len(block)), block.dtype)
    for start in range(0, len(block), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        cubeless, owned, centered, opponent_owns = block[rows].transpose(1, 2, 0)
        known[:, 0, rows] = cubeless
        known[:, 1, rows] = opponent_owns
        known[:, 2, rows] = arithmetic.best(centered, opponent_owns)
        known[:, 3, rows] = arithmetic.best(owned, opponent_owns)
    return known
