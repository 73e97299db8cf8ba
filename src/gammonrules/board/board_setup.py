"""Boards as callers describe them, and everything that makes a board impossible."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board.encoding import BAR, SLOTS, Board, board_of, count_sides, join_halves
from gammonrules.errors import PositionError, PositionProblem as Problem
from gammonrules.values import (
    first_items,
    is_mapping,
    plain_text,
    refuse_flagged,
    shown,
    suggestion,
    whole_number,
)

STANDARD_CHECKERS = 15

StartName: TypeAlias = Literal[
    "standard", "nackgammon", "longgammon", "hypergammon", "hypergammon2", "hypergammon1"
]
"""The names of the start positions. Hypergammon has three checkers a side; "hypergammon2" and "hypergammon1" fewer."""

START_NAMES: tuple[StartName, ...] = get_args(StartName)
"""The names of all start positions, for a menu for example."""
STARTS: Mapping[StartName, Mapping[int, int]] = {
    "standard": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "longgammon": {24: 15},
    "hypergammon": {24: 1, 23: 1, 22: 1},
    "hypergammon2": {24: 1, 23: 1},
    "hypergammon1": {24: 1},
}
_POINT_OF_NAME: Mapping[str, int] = {"bar": BAR, "off": 0}
_MAX_ENTRIES = SLOTS + len(_POINT_OF_NAME)


Wrong: TypeAlias = tuple[Problem, str]
"""What is wrong, as a flag and a sentence."""


class Side(NamedTuple):
    """The checkers of one side by point in its own numbering (25 is the bar), and the number off if it was stated."""

    name: str
    counts: Mapping[int, int]
    off: int | None = None


def is_shut_out(side: Mapping[int, int], opposing: Mapping[int, int]) -> bool:
    """Whether a side has a checker on the bar against a closed board; each side's counts in its own numbering."""
    return side.get(BAR, 0) > 0 and all(opposing.get(point, 0) >= 2 for point in range(1, 7))


class DescribedBoard(NamedTuple):
    """A board as it was described: whole numbers, with nothing else checked yet.

    `checkers` is how many each side is said to have, which may be anything.
    """

    mine: Side
    theirs: Side
    checkers: object

    def problems(self) -> Iterator[Wrong]:
        """Everything that makes this board impossible."""
        checkers = whole_number(self.checkers) or 0  # 0 is refused too
        if not 1 <= checkers <= STANDARD_CHECKERS:
            sentence = (
                f"each side must have 1 to {STANDARD_CHECKERS} checkers, not {shown(self.checkers)}"
            )
            yield Problem.CHECKERS_OUT_OF_RANGE, sentence
            checkers = STANDARD_CHECKERS
        mine = self.mine.counts
        theirs = self.theirs.counts
        yield from _problems_of(self.mine, checkers)
        yield from _problems_of(self.theirs, checkers)
        for point, number in sorted(mine.items()):
            if point < BAR and number > 0 and theirs.get(BAR - point, 0) > 0:
                yield Problem.SHARED_POINT, f"both sides have checkers on my {point} point"
        if is_shut_out(mine, theirs) and is_shut_out(theirs, mine):
            yield (
                Problem.BOTH_SHUT_OUT,
                "both sides are on the bar against a closed board, so neither can ever move",
            )

    def checked(self, problems_of_reading: Iterable[Wrong] = ()) -> tuple[Board, int]:
        """The board, and the number of checkers a side.

        Raises:
            PositionError: the board is impossible. The error has all problems, also those met while reading it.
        """
        problems = [*problems_of_reading, *self.problems()]
        counts = [*self.mine.counts.values(), *self.theirs.counts.values()]
        if not problems and not any(counts):
            problems = [(Problem.BOTH_OFF, "both sides have borne off everything")]
        refuse_flagged(PositionError, "position", problems)
        points = [0] * SLOTS
        for point, number in self.theirs.counts.items():
            points[BAR - point] = -number
        for point, number in self.mine.counts.items():
            points[point] += number  # may be 0 where the opponent has checkers
        checkers = whole_number(self.checkers)
        assert checkers is not None
        return board_of(points), checkers


def _problems_of(side: Side, checkers: int) -> Iterator[Wrong]:
    for point, number in sorted(side.counts.items()):
        if number < 0:
            where = "the bar" if point == BAR else f"the {point} point"
            yield Problem.NEGATIVE_COUNT, f"{side.name}: {shown(number)} checkers on {where}"
    total = sum(side.counts.values())
    if total > checkers:
        yield (
            Problem.TOO_MANY_CHECKERS,
            f"{side.name}: {shown(total)} checkers, but the game has {checkers}",
        )
    elif side.off is not None and side.off != checkers - total:
        stated = shown(side.off)
        off = shown(checkers - total)
        yield (
            Problem.WRONG_NUMBER_OFF,
            f"{side.name}: {stated} checkers off, but {off} of {checkers} are not on the board",
        )


# --- reading what a caller describes -----------------------------------------------------------------


def board_of_sides(mine: object, theirs: object, checkers: object) -> tuple[Board, int]:
    """The board from two mappings, each side in its own numbering, with "bar" and "off" by name or number."""
    problems: list[Wrong] = []
    my_side = _side("mine", mine, problems)
    their_side = _side("theirs", theirs, problems)
    return DescribedBoard(my_side, their_side, checkers).checked(problems)


def board_of_halves(theirs: int, mine: int, checkers: int) -> tuple[Board, int]:
    """The board from two halves, as `join_halves` takes them."""
    board = join_halves(theirs, mine)
    # 256 and all its powers are 1 modulo 255, so the remainder is the sum of the counts
    my_checkers = mine % 255
    their_checkers = theirs % 255
    if board is not None and _is_plainly_possible(board, my_checkers, their_checkers, checkers):
        if RECHECK:
            assert _described_by_halves(theirs, mine, checkers) == (board, checkers)
        return board, checkers
    return _described_by_halves(theirs, mine, checkers)


def _described_by_halves(theirs: int, mine: int, checkers: int) -> tuple[Board, int]:
    """The same for a board that may be impossible: every problem is named."""
    my_side = Side("mine", _counts_of_half(mine))
    their_side = Side("theirs", _counts_of_half(theirs))
    return DescribedBoard(my_side, their_side, checkers).checked()


def _counts_of_half(half: int) -> dict[int, int]:
    """The counts of a half by point, 25 for the bar."""
    return dict(enumerate(half.to_bytes(BAR, "big"), 1))


_FIRST_NEGATIVE = 128
"""From here up, bytes that are read as 0 to 255 stand for negative numbers, which count the opponent's checkers."""


def _is_plainly_possible(
    board: Board, my_checkers: int, their_checkers: int, checkers: object
) -> bool:
    """Whether a board is clearly possible, as nearly all are, if each side has so many checkers on it.

    All others go through the checks that name every problem.
    """
    if type(checkers) is not int or checkers > STANDARD_CHECKERS:
        return False
    if my_checkers > checkers or their_checkers > checkers:
        return False
    if my_checkers == 0 and their_checkers == 0:
        return False
    my_bar = board[BAR]
    their_bar = board[0]
    has_theirs_on_my_bar = my_bar >= _FIRST_NEGATIVE
    has_mine_on_their_bar = 0 < their_bar < _FIRST_NEGATIVE
    if has_theirs_on_my_bar or has_mine_on_their_bar:
        return False
    # with both sides on the bar, both may be shut out, which is impossible
    return my_bar == 0 or their_bar == 0


_SERIES = (list, tuple)


def _plain_board(points: Any) -> Board | None:
    """The board from a list or tuple of 26 plain ints; None for anything else, even True or 3.0, which equal ints."""
    if type(points) not in _SERIES:
        return None
    plain_ints = [*map(type, points)].count(int)  # faster than a loop over the items
    if plain_ints != len(points):
        return None
    try:
        return board_of(points)
    except struct.error:  # not 26 items, or a number too large for a byte
        return None


def board_of_points(points: object, checkers: object) -> tuple[Board, int]:
    """The board from 26 counts, the opponent's negative."""
    board = _plain_board(points)
    if board is not None and type(checkers) is int:
        mine, theirs = count_sides(board)
        if _is_plainly_possible(board, mine, theirs, checkers):
            if RECHECK:
                assert _described_by_points(points, checkers) == (board, checkers)
            return board, checkers
    return _described_by_points(points, checkers)


def _described_by_points(points: object, checkers: object) -> tuple[Board, int]:
    """The same for a board that may be impossible: every problem is named."""
    problems: list[Wrong] = []
    counts = _counts_in(points, problems)
    if counts[BAR] < 0:
        sentence = f"index 25 is my bar, not a place for {shown(counts[BAR])}"
        problems.append((Problem.CHECKERS_ON_WRONG_BAR, sentence))
    if counts[0] > 0:
        sentence = f"index 0 is the opponent's bar, not a place for {shown(counts[0])}"
        problems.append((Problem.CHECKERS_ON_WRONG_BAR, sentence))
    mine = {point: counts[point] for point in range(1, SLOTS) if counts[point] > 0}
    theirs = {BAR - point: -counts[point] for point in range(BAR) if counts[point] < 0}
    return DescribedBoard(Side("mine", mine), Side("theirs", theirs), checkers).checked(problems)


def _counts_in(points: object, problems: list[Wrong]) -> list[int]:
    """26 whole numbers; anything else is added to the problems, and counts as 0."""
    items = first_items(points, SLOTS + 1)  # the series may be endless, so one too many is enough
    if items is None:
        raise PositionError(f"expected 26 counts, not {shown(points)}", Problem.NOT_A_BOARD)
    if len(items) != SLOTS:
        length = str(len(items)) if len(items) < SLOTS else "more"
        raise PositionError(f"expected 26 counts, not {length}", Problem.NOT_A_BOARD)
    counts: list[int] = []
    for at, number in enumerate(items):
        count = whole_number(number)
        if count is None:
            sentence = f"index {at}: {shown(number)} is not a whole number"
            problems.append((Problem.NOT_A_BOARD, sentence))
        counts.append(count or 0)
    return counts


def _side(name: str, checkers: object, problems: list[Wrong]) -> Side:
    """The checkers of a side, from a mapping of points to numbers; problems are added to those."""
    counts: dict[int, int] = {}
    for key, number in _mapping_entries(name, checkers, problems):
        name_of_point = plain_text(key)
        point = whole_number(key) if name_of_point is None else _POINT_OF_NAME.get(name_of_point)
        count = whole_number(number)
        if point is None or not 0 <= point <= BAR:
            near = suggestion(key, _POINT_OF_NAME)
            sentence = f'{name}: {shown(key)} is not a point (1 to 24, "bar", "off"){near}'
            problems.append((Problem.NOT_A_BOARD, sentence))
        elif count is None:
            sentence = f"{name}: {shown(number)} on {shown(key)} is not a whole number"
            problems.append((Problem.NOT_A_BOARD, sentence))
        else:
            counts[point] = counts.get(point, 0) + count
    off = counts.pop(0, None)  # point 0 is "off", which is no place on the board
    return Side(name, counts, off)


def _mapping_entries(
    name: str, checkers: object, problems: list[Wrong]
) -> list[tuple[object, object]]:
    """The entries of a mapping, which may have no more than there are points."""
    if not is_mapping(checkers):
        sentence = f"{name}: expected checkers by point, not {shown(checkers)}"
        problems.append((Problem.NOT_A_BOARD, sentence))
        return []
    entries = [*islice(checkers.items(), _MAX_ENTRIES + 1)]
    if len(entries) > _MAX_ENTRIES:
        problems.append((Problem.NOT_A_BOARD, f"{name}: more entries than there are points"))
        return []
    return entries
