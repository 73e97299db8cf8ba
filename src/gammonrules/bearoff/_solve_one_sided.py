"""One-sided tables computed: the fewest rolls on average to bear off, and to bear off the first checker."""

from __future__ import annotations

from math import ceil
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Floats, Ints
from gammonrules._arrays.dispatch import best_of_many
from gammonrules.bearoff._layouts import (
    ROLLS,
    WEIGHTS,
    ProgressCallback,
    all_layouts,
    levels,
    number_with_some_off,
    pips_of_layouts,
    plays_of_layouts,
)

GNUBG_ROLLS = 32
GNUBG_WHOLE = 65535


class Race:
    """How many rolls it takes from each layout until something has happened; in row 0 it has.

    Attributes:
        skip: what must be taken from the number of a layout to find its row; below 0 that is row 0.
        chances: for each row, the chance of exactly 0, 1, 2, ... rolls.
        means: for each row, what the plays make as small as possible: the rolls on average, or a multiple of that.
    """

    def __init__(self, skip: int, chances: npt.NDArray[Any], means: Floats) -> None:
        self.skip = skip
        self.chances = chances
        self.means = means

    @classmethod
    def new(cls, skip: int, rows: int, rolls: int) -> Self:
        """A race of which only row 0 is known."""
        race = cls(skip, np.zeros((rows, rolls), "<f4"), np.zeros(rows, "<f8"))  # as in files
        race.chances[0, 0] = 1
        return race

    def add(self, numbers: Ints, offsets: Ints, successors: Ints) -> None:
        """Fill the rows of layouts from those that their plays lead to."""
        rows, means, chances = self.solved(numbers, offsets, successors)
        self.means[rows] = means
        self.chances[rows] = chances

    @np.errstate(over="ignore", invalid="ignore")
    def first_wrong(self, numbers: Ints, offsets: Ints, successors: Ints) -> int | None:
        """The first of these layouts whose row does not follow from those that its plays lead to."""
        rows, means, chances = self.solved(numbers, offsets, successors)
        differences = abs(chances - self.chances[rows].astype(np.float64))
        # a NaN is not at most anything, so it is not right
        are_right = abs(means - self.means[rows]) <= 1e-9 * means
        are_right &= differences.max(axis=1, initial=0) <= 1e-6
        if are_right.all():
            return None
        first_wrong_row = int(rows[~are_right][0])
        return first_wrong_row + self.skip

    def solved(
        self, numbers: Ints, offsets: Ints, successors: Ints
    ) -> tuple[Ints, Floats, npt.NDArray[Any]]:
        """The rows of those of these layouts that have any, and the means and chances that follow from their plays.

        Of plays that are equally good, the first is chosen.
        """
        # layouts up to that of row 0 are left out with their plays: they are at the beginning, since `numbers` rise
        number_of_row_1 = self.skip + 1
        left_out = int(np.searchsorted(numbers, number_of_row_1))
        offsets_left = offsets[left_out * ROLLS :]
        first_play = offsets_left[0]
        rows_after = self._rows(successors[first_play:])
        offsets_after = offsets_left - first_play
        best = np.empty(len(offsets_after) - 1, np.int64)
        best_of_many(offsets_after, scores=-self.means[rows_after], out=best, check=lambda: None)
        means, chances = self.mixed(rows_after[best].reshape(-1, ROLLS))
        return self._rows(numbers[left_out:]), means, chances

    def _rows(self, numbers: Ints) -> Ints:
        return np.maximum(numbers - self.skip, 0)

    def trim(self) -> None:
        """Leave out numbers of rolls that do not occur."""
        last = int(np.flatnonzero(self.chances.any(axis=0))[-1])
        self.chances = np.ascontiguousarray(self.chances[:, : last + 1])

    def mixed(self, chosen: Ints) -> tuple[Floats, npt.NDArray[Any]]:
        """Means and chances of layouts whose 21 rolls lead to these rows."""
        chances = np.zeros((len(chosen), self.chances.shape[1]), np.float32)
        chances[:, 1:] = np.matmul(WEIGHTS / 36, self.chances[chosen, :-1], dtype=np.float64)
        return 1 + self.means[chosen] @ WEIGHTS / 36, chances


class GnubgRace(Race):
    """A race with the rounding of GNU Backgammon 1.07: chances are multiples of 1/65535, of at most 31 rolls."""

    @classmethod
    def new(cls, skip: int, rows: int, rolls: int) -> Self:  # noqa: ARG003
        race = cls(skip, np.zeros((rows, GNUBG_ROLLS), np.uint16), np.zeros(rows))
        race.chances[0, 0] = GNUBG_WHOLE
        return race

    def mixed(self, chosen: Ints) -> tuple[Floats, npt.NDArray[Any]]:
        words = np.zeros((len(chosen), GNUBG_ROLLS), np.int64)
        sums = np.einsum("r,nrk->nk", WEIGHTS, self.chances[chosen, :-1].astype(np.int32))
        words[:, 1:] = (sums + 18) // 36  # one roll more than after it; rounded to the nearest
        # the largest chance of each layout takes what rounding left
        left = GNUBG_WHOLE - words.sum(axis=1)
        each_row = np.arange(len(words))
        words[each_row, words.argmax(axis=1)] += left
        return words @ np.arange(float(GNUBG_ROLLS)), words.astype(np.uint16)


def skip_to_first(points: int, checkers: int) -> int:
    """The `skip` of a race to bear off the first checker: all layouts of which one is off share row 0."""
    return number_with_some_off(points, checkers) - 1


def most_rolls(points: int, checkers: int) -> int:
    """No bear-off takes more: a roll takes at least 3 pips, or 2 if only the ace point is held."""
    return ceil(checkers * (points - 1) / 3) + ceil(checkers / 2)


def solve_sides(
    points: int, checkers: int, race: type[Race], progress: ProgressCallback
) -> tuple[Race, Race]:
    """Solve how many rolls each layout needs: the race to bear off all checkers, and the one to bear off the first.

    `race`: the class of both, which computes a layout from those that its plays lead to.
    """
    layouts = all_layouts(points, checkers)
    numbers_of_rolls = most_rolls(points, checkers) + 1  # from 0 on
    skip = skip_to_first(points, checkers)
    bear_off = race.new(0, len(layouts), numbers_of_rolls)
    first = race.new(skip, len(layouts) - skip, numbers_of_rolls)
    done = 0
    # by rising pips, since a play leads to fewer
    for level in levels(pips_of_layouts(layouts)):
        for part, offsets, successors in plays_of_layouts(layouts[level], checkers):
            bear_off.add(level[part], offsets, successors)
            first.add(level[part], offsets, successors)
        done += len(level)
        progress(done / len(layouts))
    return bear_off, first
