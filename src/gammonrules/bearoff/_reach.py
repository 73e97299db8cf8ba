"""What one side can reach in a race: its layouts, and their plays, which the other side makes no difference to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from gammonrules._arrays.checks import Ints
from gammonrules._arrays.dispatch import of_many
from gammonrules.bearoff._layouts import ROLLS, Counts, numbers_of, results_of_layouts
from gammonrules.bearoff._solve_two_sided import AT_ONCE, PlaysOfPart
from gammonrules.board.internals import BAR, SLOTS, STANDARD_CHECKERS

WIDEST = 128
"""Layouts of a level, so that what is known of them stays in the processor's cache."""
OFF = 0
NOW = 1
"""The rows of the layout with everything off, and of that from which the others are reached."""


def most_reachable(side: Sequence[int]) -> int:
    """The number of layouts in which no checker of this one is farther than before: few more than dice allow.

    `side` has the checkers on the ace point, the 2 point, and so on.
    """
    places = list[int]()
    for point, count in enumerate(side, 1):
        places += [point] * count
    farthest, *others = reversed(places)
    # checker by checker, the farthest first: by the place of the last one, off being 0, the ways in which those so far
    # can stand
    ways = [1] * (farthest + 1)
    for place in others:
        # each checker is no farther than the one before it, so that no layout is counted twice
        ways = [sum(ways[place_now:]) for place_now in range(place + 1)]
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
    # the plays of a roll start after those of all rolls before it
    ends = np.cumsum(counts).reshape(counts.shape)
    starts = ends - counts
    last_turns = _last_turns(counts.sum(axis=1), successors)
    levels = list[Ints]()
    # what is reached last comes first; the layout with everything off is the last of all
    for turn in range(last_turns[OFF], -1, -1):
        rows = np.flatnonzero(last_turns == turn)
        levels += [rows[first : first + WIDEST] for first in range(0, len(rows), WIDEST)]
    plays = [_plays_of_level(starts[rows], counts[rows], successors) for rows in levels]
    return Reach(numbers, starts, counts, successors, levels, plays, lost=_lost_if_over(layouts))


def _all_plays(now: Counts) -> tuple[Counts, Ints, Counts]:
    """The layouts that can be reached, how many plays each of their rolls has, and what all of these lead to."""
    everything_off = np.zeros_like(now)
    layouts = [everything_off]
    counts = [np.zeros((1, ROLLS), np.int64)]  # which has no plays
    results = list[Counts]()
    known_numbers = numbers_of(everything_off, STANDARD_CHECKERS)
    new = now
    while len(new) > 0:
        layouts.append(new)
        known_numbers = np.concatenate([known_numbers, numbers_of(new, STANDARD_CHECKERS)])
        results_of_parts = list[Counts]()
        for _, offsets, results_of_part in results_of_layouts(new):
            counts.append(np.diff(offsets).reshape(-1, ROLLS))
            results_of_parts.append(results_of_part)
        reached = np.concatenate(results_of_parts)
        results.append(reached)
        numbers, first_of_each = np.unique(
            numbers_of(reached, STANDARD_CHECKERS), return_index=True
        )
        is_new = ~np.isin(numbers, known_numbers)
        new = reached[first_of_each[is_new]]
    return np.concatenate(layouts), np.concatenate(counts), np.concatenate(results)


def _last_turns(number_of_plays: Ints, successors: Ints) -> Ints:
    """After how many turns, at most, each layout is reached, from its number of plays and what they lead to."""
    number = len(number_of_plays)
    row_of_play = np.repeat(np.arange(number), number_of_plays)
    last_turns = np.zeros(number, np.int64)
    turn = 0
    is_reached_now = np.arange(number) == NOW
    while is_reached_now.any():
        last_turns[is_reached_now] = turn  # a later turn overwrites an earlier one
        is_play_of_now = is_reached_now[row_of_play]
        is_reached_now = np.zeros(number, np.bool_)
        is_reached_now[successors[is_play_of_now]] = True
        turn += 1
    return last_turns


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
    """The points that a side with each layout loses against one with everything off; 0 with everything off itself."""
    boards = np.zeros((len(layouts), SLOTS), np.int8)
    boards[:, 1 : layouts.shape[1] + 1] = layouts
    opponents_ace_point = BAR - 1
    boards[OFF, opponents_ace_point] = -1  # a board without checkers would be impossible
    outcomes = np.zeros(len(boards), np.int8)  # for the side on roll: negative if it has lost
    of_many("outcomes", lambda: None, boards, outcomes, STANDARD_CHECKERS)
    return -outcomes.astype(np.int64)
