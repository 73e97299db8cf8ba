"""Layouts: how the checkers of one side can stand, and where a roll can take them.

A layout is a row of counts, the ace point first; what is not on it is off. Its number is that of GNU Backgammon: the
sum of C(A + i - 1, i), where A is the number of checkers on the i highest points (Benjamin and Ross, Enumerating
Backgammon Positions: The Perfect Hash, Interface 16(1), 1996). Number 0 has everything off, and every legal play lowers
the number. The layouts of fewer checkers come first, so their numbers do not depend on how many a table has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from math import comb
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Ints
from gammonrules._arrays.dispatch import of_many
from gammonrules.board.internals import BAR, SLOTS

Bytes: TypeAlias = npt.NDArray[np.uint8]
Counts: TypeAlias = npt.NDArray[np.int8]
ProgressCallback: TypeAlias = Callable[[float], object]
"""Called with the part of the work that is done, from 0 to 1."""

ROLL_PAIRS = np.array(
    [(high, low) for high, low in product(range(1, 7), repeat=2) if high >= low], np.int8
)
ROLLS = len(ROLL_PAIRS)
WEIGHTS = np.where(ROLL_PAIRS[:, 0] == ROLL_PAIRS[:, 1], 1, 2)
"""Of 36."""
_AT_ONCE = 2048
"""Layouts whose plays are generated at once, about 350,000 of them."""


def number_of_layouts(points: int, checkers: int) -> int:
    """The number of layouts of at most so many checkers."""
    return comb(points + checkers, points)


def number_with_some_off(points: int, checkers: int) -> int:
    """The number of layouts of at most so many checkers with one of them off; these have the lowest numbers."""
    return number_of_layouts(points, checkers - 1)


def all_layouts(points: int, checkers: int) -> Counts:
    """`(N, points) int8`: the layouts, in the order of their numbers."""
    # a row for each point: in every layout, the checkers on this point and those above it
    rows = [np.arange(checkers + 1, dtype=np.int8)]
    for _ in range(points - 1):
        # each layout so far becomes several: 0, 1, ... up to all of the checkers in its last row are above that point
        choices = rows[-1].astype(np.int64) + 1
        starts = np.cumsum(choices) - choices  # where the layouts begin that each one becomes
        rows = [np.repeat(row, choices) for row in rows]
        start_of_each = np.repeat(starts, choices)
        above = np.arange(len(start_of_each)) - start_of_each
        rows.append(above.astype(np.int8))
    above_the_last = np.zeros_like(rows[0])
    rows.append(above_the_last)
    return np.stack([on_or_above - above for on_or_above, above in pairwise(rows)], axis=1)


@lru_cache(maxsize=64)
def terms(points: int, checkers: int) -> tuple[tuple[int, ...], ...]:
    """For the 1, 2, ... highest points, what each number of checkers on them adds to the number of a layout."""
    rows = list[tuple[int, ...]]()
    for highest in range(1, points + 1):
        row = (comb(on_them + highest - 1, highest) for on_them in range(checkers + 1))
        rows.append(tuple(row))
    return tuple(rows)


def number_of(counts: Sequence[int], checkers: int) -> int:
    """The number of one layout of at most so many checkers."""
    number = 0
    on_highest_points = 0  # of which there is one more each time
    for count, term in zip(reversed(counts), terms(len(counts), checkers), strict=True):
        on_highest_points += count
        number += term[on_highest_points]
    return number


def numbers_of(counts: npt.NDArray[np.integer], checkers: int) -> Ints:
    """The numbers of `(N, points)` layouts of at most so many checkers."""
    numbers = np.zeros(len(counts), np.int64)
    on_highest_points = np.zeros(len(counts), np.intp)  # of which there is one more each time
    columns = counts.T[::-1]  # the highest point first
    for column, term in zip(columns, terms(counts.shape[1], checkers), strict=True):
        on_highest_points += column
        numbers += np.array(term)[on_highest_points]
    return numbers


def pips_of_layouts(layouts: Counts) -> Ints:
    return layouts.astype(np.int64) @ np.arange(1, len(layouts.T) + 1)


def levels(pips: Ints) -> list[Ints]:
    """The numbers of the layouts of 1, 2, ... pips, where there are any, in rising order."""
    order = np.argsort(pips, kind="stable")
    starts = np.flatnonzero(np.diff(pips[order])) + 1
    _, *levels_with_pips = np.split(order, starts)  # without the layout of 0 pips
    return levels_with_pips


def plays_of_layouts(layouts: Counts, checkers: int) -> Iterator[tuple[slice, Ints, Ints]]:
    """As `results_of_layouts`, but with the numbers of the layouts that the plays lead to."""
    for part, offsets, after in results_of_layouts(layouts):
        yield part, offsets, numbers_of(after, checkers)


def results_of_layouts(layouts: Counts) -> Iterator[tuple[slice, Ints, Counts]]:
    """The plays of every roll on these layouts, some of them at a time, none of which has everything off.

    Yields which layouts; the offsets of the plays of their rolls, 21 each, and at the end the number of plays; and the
    layouts that the plays lead to, in the order of `Position.legal_plays`.
    """
    points = layouts.shape[1]
    opponents_ace_point = BAR - 1
    for start in range(0, len(layouts), _AT_ONCE):
        part = layouts[start : start + _AT_ONCE]
        boards = np.zeros((len(part), SLOTS), np.int8)
        boards[:, 1 : points + 1] = part
        boards[:, opponents_ace_point] = -1  # without an opponent the game would be over
        # each board with each of the 21 rolls
        rolls = np.tile(ROLL_PAIRS, (len(part), 1))
        boards = np.repeat(boards, ROLLS, axis=0)
        offsets, results, _ = of_many("legal_plays_of_many", _are_possible, boards, rolls)
        # the opponent sees the boards after the plays: there the side is negative, from the 24 point down
        after = np.frombuffer(results, np.int8).reshape(-1, SLOTS)
        layouts_after = -after[:, opponents_ace_point : opponents_ace_point - points : -1]
        yield slice(start, start + len(part)), np.frombuffer(offsets, np.int64), layouts_after


def _are_possible() -> None:
    """The check of boards that `legal_plays_of_many` asks for."""
