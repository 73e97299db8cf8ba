"""What one side can reach in a race: its layouts, and their plays, which the other side makes no difference to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from gammonrules.bearoff._layouts import ROLLS, Counts, numbers_of, results_of_layouts
from gammonrules.bearoff._solve_two_sided import AT_ONCE, PlaysOfPart
from gammonrules.board.array_checks import Ints
from gammonrules.board.internals import BAR, SLOTS, STANDARD_CHECKERS, of_many

WIDEST = 128
"""Layouts of a level, so that what is known of them stays in the processor's cache."""
OFF = 0
NOW = 1
"""The rows of the layout with everything off, and of that from which the others are reached."""


def most_reachable(side: Sequence[int]) -> int:
    """How many layouts there are in which no checker of this one is farther than before: few more than dice allow.

    `side` has the checkers on the ace point, the 2 point, and so on.
    """
    places = list[int]()
    for point, count in enumerate(side, 1):
        places += [point] * count
    farthest, *others = reversed(places)
    # in how many ways the checkers so far can stand, by the place of the last of them, off being 0
    ways = [1] * (farthest + 1)
    for place in others:
        # the next checker is no farther than the one before
        ways = [sum(ways[next_place:]) for next_place in range(place + 1)]
    return sum(ways)


@frozen(eq=False)
class Reach:
    """The layouts that a side can reach, a row each.

    Attributes:
        numbers: the numbers of the layouts.
        starts: `(N, 21)`, where the plays of each roll start in `successors`.
        counts: `(N, 21)`, how many they are.
        successors: the rows of the layouts that plays lead to.
        levels: the rows in parts: all plays lead to earlier ones. The first is `OFF` alone, the last `NOW` alone.
        plays: the plays of each level, in parts.
        lost: how much the side loses if the other one has everything off: 1, 2 for a gammon, 3 for a backgammon.
    """

    numbers: Ints
    starts: Ints
    counts: Ints
    successors: Ints
    levels: list[Ints]
    plays: list[list[PlaysOfPart]]
    lost: Ints


def reach_of(side: Sequence[int]) -> Reach:
    """All that a side can reach, from its checkers on the ace point, the 2 point, and so on."""
    layouts, counts, results = _all_plays(np.array([side], np.int8))
    numbers = numbers_of(layouts, STANDARD_CHECKERS)
    # the row of each layout that plays lead to is looked up by its number
    by_number = np.argsort(numbers)
    numbers_after = numbers_of(results, STANDARD_CHECKERS)
    successors = by_number[np.searchsorted(numbers, numbers_after, sorter=by_number)]
    starts = (np.cumsum(counts) - counts.ravel()).reshape(counts.shape)
    turns = _last_turns(counts.sum(axis=1), successors)
    levels = list[Ints]()
    for turn in range(turns[OFF], -1, -1):
        rows = np.flatnonzero(turns == turn)
        levels += [rows[first : first + WIDEST] for first in range(0, len(rows), WIDEST)]
    plays = [_plays_of_level(starts[rows], counts[rows], successors) for rows in levels]
    return Reach(numbers, starts, counts, successors, levels, plays, lost=_lost_if_over(layouts))


def _all_plays(now: Counts) -> tuple[Counts, Ints, Counts]:
    """The layouts that can be reached, how many plays each of their rolls has, and what all of these lead to."""
    layouts = [np.zeros_like(now)]
    counts = [np.zeros((1, ROLLS), np.int64)]
    results = list[Counts]()
    known = numbers_of(layouts[0], STANDARD_CHECKERS)
    new = now
    while len(new):
        layouts.append(new)
        known = np.concatenate([known, numbers_of(new, STANDARD_CHECKERS)])
        reached = list[Counts]()
        for _, offsets, after in results_of_layouts(new):
            counts.append(np.diff(offsets).reshape(-1, ROLLS))
            reached.append(after)
        results += reached
        after = np.concatenate(reached)
        numbers, first = np.unique(numbers_of(after, STANDARD_CHECKERS), return_index=True)
        new = after[first[~np.isin(numbers, known)]]
    return np.concatenate(layouts), np.concatenate(counts), np.concatenate(results)


def _last_turns(plays: Ints, successors: Ints) -> Ints:
    """After how many turns, at most, each layout is reached."""
    source = np.repeat(np.arange(len(plays)), plays)
    turns = np.zeros(len(plays), np.int64)
    turn = 0
    reached_now = np.arange(len(plays)) == NOW
    while reached_now.any():
        turns[reached_now] = turn  # a later turn overwrites an earlier one
        successors_now = successors[reached_now[source]]
        reached_now[:] = False
        reached_now[successors_now] = True
        turn += 1
    return turns


def _plays_of_level(starts: Ints, counts: Ints, successors: Ints) -> list[PlaysOfPart]:
    """The plays of the layouts of a level."""
    if not counts.any():
        return []
    spans = [slice(first, first + AT_ONCE) for first in range(0, len(starts), AT_ONCE)]
    return [
        PlaysOfPart.of(span, starts[span].ravel(), counts[span].ravel(), successors)
        for span in spans
    ]


def _lost_if_over(layouts: Counts) -> Ints:
    boards = np.zeros((len(layouts), SLOTS), np.int8)
    boards[:, 1 : layouts.shape[1] + 1] = layouts
    boards[OFF, BAR - 1] = -1  # this one has not lost
    lost = np.zeros(len(boards), np.int8)
    of_many("outcomes", lambda: None, boards, lost, STANDARD_CHECKERS)
    return -lost.astype(np.int64)
