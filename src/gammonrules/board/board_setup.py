"""Boards as callers describe them, and everything that makes a board impossible."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from gammonrules.board.encoding import BAR, SLOTS, Board, board_of, count_sides, join_halves
from gammonrules.errors import PositionError, PositionProblem as Problem
from gammonrules.values import first_items, plain_text, refuse_flagged, shown, whole_number

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
_MOST_ENTRIES = SLOTS + len(_POINT_OF_NAME)


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
    """A board as it was described: whole numbers, with nothing else checked yet."""

    mine: Side
    theirs: Side
    checkers: object

    def problems(self) -> Iterator[Wrong]:
        """Everything that makes this board impossible."""
        checkers = whole_number(self.checkers) or 0
        if not 1 <= checkers <= STANDARD_CHECKERS:
            sentence = (
                f"each side must have 1 to {STANDARD_CHECKERS} checkers, not {shown(self.checkers)}"
            )
            yield Problem.WRONG_CHECKER_COUNT, sentence
            checkers = STANDARD_CHECKERS
        for side in (self.mine, self.theirs):
            yield from _problems_of(side, checkers)
        for point, number in sorted(self.mine.counts.items()):
            if point < BAR and number > 0 and self.theirs.counts.get(BAR - point, 0) > 0:
                yield Problem.SHARED_POINT, f"both sides have checkers on my {point} point"
        mine, theirs = self.mine.counts, self.theirs.counts
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
        if (
            not problems
            and not any(self.mine.counts.values())
            and not any(self.theirs.counts.values())
        ):
            problems = [(Problem.BOTH_OFF, "both sides have borne off everything")]
        refuse_flagged(PositionError, "position", problems)
        points = [0] * SLOTS
        for point, number in self.theirs.counts.items():
            points[BAR - point] = -number
        for point, number in self.mine.counts.items():
            points[point] += number
        return board_of(points), cast("int", whole_number(self.checkers))


def _problems_of(side: Side, checkers: int) -> Iterator[Wrong]:
    for point, number in sorted(side.counts.items()):
        if number < 0:
            where = "the bar" if point == BAR else f"the {point} point"
            yield Problem.NEGATIVE_COUNT, f"{side.name}: {shown(number)} checkers on {where}"
    if (total := sum(side.counts.values())) > checkers:
        yield (
            Problem.TOO_MANY_CHECKERS,
            f"{side.name}: {shown(total)} checkers, but the game has {checkers}",
        )
    elif side.off is not None and side.off != checkers - total:
        stated = shown(side.off)
        off = shown(checkers - total)
        yield (
            Problem.WRONG_OFF,
            f"{side.name}: {stated} checkers off, but {off} of {checkers} are not on the board",
        )


# --- reading what a caller describes -----------------------------------------------------------------


def board_of_sides(mine: object, theirs: object, checkers: object) -> tuple[Board, int]:
    """The board from two mappings, each side in its own numbering, with "bar" and "off" by name or number."""
    problems: list[Wrong] = []
    return DescribedBoard(
        _side("mine", mine, problems), _side("theirs", theirs, problems), checkers
    ).checked(problems)


def board_of_halves(theirs: int, mine: int, checkers: int) -> tuple[Board, int]:
    """The board from two halves, as `join_halves` takes them."""
    board = join_halves(theirs, mine)
    # 256 and all its powers are 1 modulo 255, so this is the sum of the counts
    if board is not None and _is_plainly_possible(
        board, mine=mine % 255, theirs=theirs % 255, checkers=checkers
    ):
        return board, checkers
    my_side, their_side = (
        Side(name, dict(enumerate(half.to_bytes(BAR, "big"), 1)))
        for name, half in (("mine", mine), ("theirs", theirs))
    )
    return DescribedBoard(my_side, their_side, checkers).checked()


def _is_plainly_possible(board: Board, mine: int, theirs: int, checkers: object) -> bool:
    """Whether a board with this many checkers on each side is clearly possible, as nearly all are.

    All others go through the checks that name every problem.
    """
    if type(checkers) is not int or checkers > STANDARD_CHECKERS or not mine <= checkers >= theirs:
        return False
    theirs_on_bar, mine_on_bar = board[0], board[BAR]  # bytes below 128 count my checkers
    if theirs_on_bar:
        return theirs_on_bar >= 128 and not mine_on_bar
    return mine_on_bar < 128 and mine + theirs > 0


def _plain_board(points: object) -> Board | None:
    """The board from a list or tuple of 26 plain ints; None for anything else, even True or 3.0, which equal ints."""
    counts = cast("Sequence[int]", points)
    try:
        return (
            board_of(counts)
            if type(points) in {list, tuple} and [*map(type, counts)].count(int) == SLOTS
            else None
        )
    except struct.error:  # wrong length, or a number too large for a byte
        return None


def board_of_points(points: object, checkers: object) -> tuple[Board, int]:
    """The board from 26 counts, the opponent's negative."""
    if (board := _plain_board(points)) is not None:
        own, opposing = count_sides(board)
        if _is_plainly_possible(board, mine=own, theirs=opposing, checkers=checkers):
            return board, cast("int", checkers)
    problems: list[Wrong] = []
    counts = _counts_in(points, problems)
    if counts[BAR] < 0:
        problems.append(
            (Problem.WRONG_BAR, f"index 25 is my bar, not a place for {shown(counts[BAR])}")
        )
    if counts[0] > 0:
        problems.append(
            (
                Problem.WRONG_BAR,
                f"index 0 is the opponent's bar, not a place for {shown(counts[0])}",
            )
        )
    mine = {point: counts[point] for point in range(1, SLOTS) if counts[point] > 0}
    theirs = {BAR - point: -counts[point] for point in range(BAR) if counts[point] < 0}
    return DescribedBoard(Side("mine", mine), Side("theirs", theirs), checkers).checked(problems)


def _counts_in(points: object, problems: list[Wrong]) -> list[int]:
    """26 whole numbers; anything else is added to the problems, and counts as 0."""
    if (items := first_items(points, SLOTS + 1)) is None:
        raise PositionError(f"expected 26 counts, not {shown(points)}", Problem.WRONG_SHAPE)
    if len(items) != SLOTS:
        length = str(len(items)) if len(items) < SLOTS else "more"
        raise PositionError(f"expected 26 counts, not {length}", Problem.WRONG_SHAPE)
    counts = [whole_number(number) for number in items]
    for at, (number, count) in enumerate(zip(items, counts, strict=True)):
        if count is None:
            problems.append(
                (Problem.WRONG_SHAPE, f"index {at}: {shown(number)} is not a whole number")
            )
    return [count or 0 for count in counts]


def _side(name: str, checkers: object, problems: list[Wrong]) -> Side:
    """The checkers of a side, from a mapping of points to numbers; problems are added to those."""
    counts: dict[int, int] = {}
    for key, number in _mapping_entries(name, checkers, problems):
        text = plain_text(key)
        count = whole_number(number)
        point = whole_number(key) if text is None else _POINT_OF_NAME.get(text)
        if point is None or not 0 <= point <= BAR:
            problems.append(
                (
                    Problem.WRONG_SHAPE,
                    f'{name}: {shown(key)} is not a point (1 to 24, "bar", "off")',
                )
            )
        elif count is None:
            problems.append(
                (
                    Problem.WRONG_SHAPE,
                    f"{name}: {shown(number)} on {shown(key)} is not a whole number",
                )
            )
        else:
            counts[point] = counts.get(point, 0) + count
    off = counts.pop(0, None)
    return Side(name, counts, off)


def _mapping_entries(
    name: str, checkers: object, problems: list[Wrong]
) -> list[tuple[object, object]]:
    """The entries of a mapping, which may have no more than there are points."""
    if not isinstance(checkers, Mapping):
        problems.append(
            (Problem.WRONG_SHAPE, f"{name}: expected checkers by point, not {shown(checkers)}")
        )
        return []
    entries = list(islice(cast("Mapping[object, object]", checkers).items(), _MOST_ENTRIES + 1))
    if len(entries) > _MOST_ENTRIES:
        problems.append((Problem.WRONG_SHAPE, f"{name}: more entries than there are points"))
        return []
    return entries
