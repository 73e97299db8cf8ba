"""Every position computed, level by level: a level has all positions with so many pips of both sides together.

A column of a position is the equity of rolling now: the mean, over the rolls, of the most that a play leaves to the
player who makes it, while the opponent may then double if that is better. A play that hits nobody lowers the pips, a
dance leaves them, and a hit raises them. So a sweep over the levels, the lowest first, settles all but what hits bring
back. Most sweeps keep the best plays of an earlier one, so they look at one play of a roll instead of all; these are
chosen anew until nothing changes. A level is computed from what was known before it, by any number of threads with the
same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from itertools import count

import numpy as np
import numpy.typing as npt
from attrs import frozen

from gammonrules._arrays.checks import Floats, Ints, Rows
from gammonrules.batch import legal_plays
from gammonrules.bearoff.internals import ROLL_PAIRS, ROLLS, WEIGHTS, ProgressCallback
from gammonrules.board.internals import SLOTS
from gammonrules.hypergammon._board_numbers import Numbering, points_lost

SETTLED = 1e-11
"""The change of a sweep, in points, after which nothing of ten digits changes."""
_KEPT = 12
"""So many sweeps look at the same plays."""
_AT_ONCE = 2048
"""Positions whose plays are looked at together: their arrays stay in the processor's cache."""
_KNOWN_AT_ONCE = 1 << 18
"""Positions of which it is told at a time what they are worth: of all at once it takes half a gigabyte."""
_AHEAD = 6
"""After so many sweeps the rest of the way is guessed, which saves half of them."""


@frozen(eq=False)
class EveryPlay:
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

    def best(self, known: Floats) -> BestPlays:
        """The play of each roll that is worth most, in each column."""
        order, rolls_with_more = _falling(self.counts)
        all_rolls = len(order)
        best = np.empty((len(known), all_rolls), np.int32)
        for column, best_of_column in zip(known, best, strict=True):
            best_so_far = self.after[:all_rolls].copy()  # the first play of each roll
            worth_so_far = column.take(best_so_far)
            start = all_rolls
            for rolls in rolls_with_more[1:]:
                # the next play of those rolls that have one: they come first
                plays = self.after[start : start + rolls]
                worth = column.take(plays)
                is_better = worth > worth_so_far[:rolls]
                np.copyto(best_so_far[:rolls], plays, where=is_better)
                np.copyto(worth_so_far[:rolls], worth, where=is_better)
                start += rolls
            best_of_column[order] = best_so_far
        return BestPlays(self.positions, best)


@frozen(eq=False)
class BestPlays:
    """The best plays of some positions.

    Attributes:
        positions: the numbers of the positions.
        after: `(columns, 21 P)`: what the best play of each roll leads to; one row may stand for all columns.
    """

    positions: Ints
    after: npt.NDArray[np.int32]

    def best(self, _known: Floats) -> BestPlays:
        return self

    def rolling(self, known: Floats) -> Floats:
        """`(columns, P)`: the mean of what is known of the positions that the rolls lead to."""
        after = self.after if len(self.after) == len(known) else [*self.after] * len(known)
        reached = [column.take(plays) for column, plays in zip(known, after, strict=True)]
        by_rolls = np.concatenate(reached).reshape(len(known), -1, ROLLS)
        mean: Floats = np.einsum("r,cpr->cp", WEIGHTS / 36, by_rolls)
        return mean


Levels = Sequence[Sequence[EveryPlay | BestPlays]]


def levels_of_plays(numbers: Numbering, pool: Executor, progress: ProgressCallback) -> Levels:
    """All plays of all positions, level by level, the fewest pips first."""
    mine, theirs = numbers.pairs()
    boards_of_sides = numbers.boards()
    pips: Ints = (boards_of_sides * np.arange(SLOTS)).sum(axis=1)
    pips_of_both: Ints = pips[mine] + pips[theirs]
    # by pips, and among equals by the opponent's side: neighbors then reach mostly the same positions, which are
    # still in the processor's cache
    order = np.lexsort((theirs, pips_of_both))
    starts = np.flatnonzero(np.diff(pips_of_both[order])) + 1
    positions_of_levels = np.split(order, starts)

    def plays_of(positions: Ints) -> EveryPlay:
        opponents = boards_of_sides[theirs[positions], ::-1]  # seen from the other end
        boards = boards_of_sides[mine[positions]] - opponents
        return _successors(numbers, positions, boards)

    levels: list[list[EveryPlay]] = []
    for positions in positions_of_levels:
        parts = [
            positions[start : start + _AT_ONCE] for start in range(0, len(positions), _AT_ONCE)
        ]
        levels.append(list(pool.map(plays_of, parts)))
        progress(len(levels) / len(positions_of_levels))
    return levels


def _successors(numbers: Numbering, positions: Ints, boards: Rows) -> EveryPlay:
    """The plays of positions with these boards. Games that are lost have the next numbers after all positions."""
    plays = legal_plays(np.repeat(boards, ROLLS, axis=0), np.tile(ROLL_PAIRS, (len(boards), 1)))
    lost = points_lost(plays.points, numbers.sides.shape[1])
    positions_after = numbers.numbers(plays.points)
    first_end = numbers.starts[-1]  # that of a single game, of 1 point
    ends_after = first_end + lost - 1
    after = np.where(lost > 0, ends_after, positions_after).astype(np.int32)
    counts = plays.counts.astype(np.uint8)
    order, rolls_with_more = _falling(counts)
    first_plays = plays.offsets[:-1][order]
    parts: list[npt.NDArray[np.int32]] = []
    for number, rolls in enumerate(rolls_with_more):
        # only the first rolls in falling order have a play with this number, which counts from 0
        plays_with_number = first_plays[:rolls] + number
        parts.append(after[plays_with_number])
    return EveryPlay(positions, counts, np.concatenate(parts))


def _falling(counts: npt.NDArray[np.uint8]) -> tuple[Ints, Ints]:
    """The rolls in falling order of their counts, and how many have at least one play, two, and so on."""
    order: Ints = np.argsort(255 - counts, kind="stable")  # a uint8 cannot be negative
    rising = counts[order[::-1]]
    numbers_of_plays = np.arange(1, int(counts.max()) + 1)
    rolls_with_fewer: Ints = np.searchsorted(rising, numbers_of_plays)
    return order, len(counts) - rolls_with_fewer


@frozen(eq=False)
class Sweeper:
    """What sweeps compute.

    Attributes:
        values: `(columns, N)`: what is computed.
        over: `(columns, 3)`: what games are worth to those who have won them: single, a gammon, a backgammon.
        passed: what positions are worth to the player who has just played, by a slice or an array of their numbers.
        pool: where parts of a level are computed.
    """

    values: Floats
    over: Floats
    passed: Callable[[Ints | slice], Floats]
    pool: Executor

    def _known(self) -> Floats:
        """`(columns, N + 3)`: what each position is worth to the player who has just played, then what the ends are."""
        positions = self.values.shape[1]
        to_fill = np.empty_like(self.values)
        known = np.concatenate((to_fill, self.over), axis=1)
        unfinished = known[:, :positions]
        for start in range(0, positions, _KNOWN_AT_ONCE):
            part = slice(start, start + _KNOWN_AT_ONCE)
            unfinished[:, part] = self.passed(part)
        return known

    def residual(self, levels: Levels) -> float:
        """The largest difference of a value from what a look at the next roll says."""
        _, change = self._sweep(levels, self._known(), store=False)
        return change

    def _sweep(self, levels: Levels, known: Floats, *, store: bool = True) -> tuple[Levels, float]:
        """Compute all values from what is known. Returns the best plays, and the largest change of a value.

        Unless they are to be stored, values and what is known stay as they are, and no plays are returned.
        """

        def computed(plays: EveryPlay | BestPlays) -> tuple[BestPlays, Floats]:
            best = plays.best(known)
            return best, best.rolling(known)

        change = 0.0
        chosen = list[list[BestPlays]]()
        for level in levels:
            # a thread for a single part would cost more than it saves
            results = self.pool.map(computed, level) if len(level) > 1 else map(computed, level)
            parts = list(results)  # a level is computed whole before anything of it becomes known
            for best, values in parts:
                change = max(change, float(abs(values - self.values[:, best.positions]).max()))
                if store:
                    self.values[:, best.positions] = values
                    known[:, best.positions] = self.passed(best.positions)
            if store:
                chosen.append([best for best, _ in parts])
        return chosen, change

    def settle(self, levels: Levels, watched: ProgressCallback) -> Levels:
        """Sweep until nothing changes, and return the best plays.

        Args:
            levels: the plays from which the best are chosen, every `_KEPT` sweeps.
            watched: told by how much values have changed in a sweep that chose plays.
        """
        known = self._known()
        plays = levels
        step = np.zeros_like(self.values)
        for sweep in count():
            previous_values = self.values.copy()
            previous_step = step
            chooses_plays = sweep % _KEPT == 0
            if chooses_plays:
                plays = levels  # what was best so far need not stay in memory
            plays, change = self._sweep(plays, known)
            if chooses_plays:
                watched(change)
                if change <= SETTLED:
                    return plays
            memory = previous_values  # which is not needed anymore
            step = np.subtract(self.values, previous_values, out=memory)
            is_time_to_guess = sweep % _AHEAD == _AHEAD - 1
            if is_time_to_guess:
                self.values[:] += step * _still_to_go(step, previous_step)
                del known  # it would be in memory twice
                known = self._known()
        raise AssertionError


def _still_to_go(step: Floats, previous_step: Floats) -> Floats:
    """How many times this change is still to come, in each column, if changes go on to shrink as from the one before.

    If each is q times the one before it, all that come are q + q^2 + ... = q / (1 - q) times this one.
    """
    squares = np.einsum("cn,cn->c", previous_step, previous_step)
    quotients = np.einsum("cn,cn->c", step, previous_step) / np.maximum(squares, 1e-30)
    q: Floats = np.clip(quotients, 0, 0.9)[:, None]
    return q / (1 - q)
