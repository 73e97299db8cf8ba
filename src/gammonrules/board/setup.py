"""Boards as users write them, and everything that makes a board impossible, all of it at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Literal, TypeAlias, cast, get_args

import attrs

from gammonrules.board.encoding import BAR, SLOTS, Board, board_of, count_sides, join_halves
from gammonrules.errors import PositionError, PositionProblem
from gammonrules.values import first_items, listed, one_of, plain_text, shown, whole_number

STANDARD_CHECKERS = 15

StartName: TypeAlias = Literal["standard", "nackgammon", "longgammon", "hypergammon", "hypergammon2", "hypergammon1"]
"""The start positions that have a name. Hypergammon is played with three checkers a side, or with two or one."""

START_NAMES: tuple[StartName, ...] = get_args(StartName)
"""All of them, for a menu or a check."""
_STARTS: Mapping[StartName, Mapping[int, int]] = {
    "standard": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "longgammon": {24: 15},
    "hypergammon": {24: 1, 23: 1, 22: 1},
    "hypergammon2": {24: 1, 23: 1},
    "hypergammon1": {24: 1},
}
_POINT_OF_NAME: Mapping[str, int] = {"bar": BAR, "off": 0}
_MOST_ENTRIES = SLOTS + len(_POINT_OF_NAME)


@attrs.define(eq=False)
class _Problems:
    """The problems of a board that is being checked."""

    flags: PositionProblem = PositionProblem(0)
    sentences: list[str] = attrs.Factory(list[str])

    def add(self, flag: PositionProblem, sentence: str) -> None:
        self.flags |= flag
        self.sentences.append(sentence)

    def raise_any(self) -> None:
        if self.sentences:
            raise PositionError(f"impossible position: {listed(self.sentences)}", self.flags)


@attrs.frozen(eq=False)
class _Side:
    """The checkers of one side by its own points (25 is the bar), and the number off if it was stated."""

    name: str
    counts: dict[int, int]
    stated_off: int | None = None


def board_of_start(name: StartName) -> tuple[Board, int]:
    """The board of a start position, the same for both sides."""
    text = plain_text(name)
    if text not in START_NAMES:
        sentence = f"a start position is {one_of(START_NAMES)}, not {shown(name)}"
        raise PositionError(sentence, PositionProblem.NO_SUCH_START)
    return _checked_start(text)


@cache
def _checked_start(name: StartName) -> tuple[Board, int]:
    """The board of a start position that exists; every game begins with one."""
    side = _STARTS[name]
    return board_of_sides(side, side, checkers_of_start(name))


def checkers_of_start(name: StartName) -> int:
    """The checkers of a side in a start position that exists."""
    return sum(_STARTS[name].values())


def board_of_sides(mine: object, theirs: object, checkers: object) -> tuple[Board, int]:
    """The board of two mappings, each side in its own numbering, with "bar" and "off" by name or number."""
    problems = _Problems()
    return _board(_read("mine", mine, problems), _read("theirs", theirs, problems), checkers, problems)


def board_of_halves(theirs: int, mine: int, checkers: int) -> tuple[Board, int]:
    """The board of two halves as `movegen.board` takes them."""
    board = join_halves(theirs, mine)
    # 256 leaves 1 if divided by 255, and so does each of its powers: what is left is the sum of the counts
    if board is not None and _is_plainly_possible(board, mine % 255, theirs % 255, checkers):
        return board, checkers
    my_counts, their_counts = (dict(enumerate(half.to_bytes(BAR, "big"), 1)) for half in (mine, theirs))
    return board_of_sides(my_counts, their_counts, checkers)


def _is_plainly_possible(board: Board, mine: int, theirs: int, checkers: object) -> bool:
    """Whether a board with so many checkers of each side is possible beyond doubt, as nearly all are.

    All else goes through the checks that name every problem.
    """
    if type(checkers) is not int or checkers > STANDARD_CHECKERS or not mine <= checkers >= theirs:
        return False
    theirs_on_bar, mine_on_bar = board[0], board[BAR]  # a byte below 128 counts my checkers
    if theirs_on_bar:
        return theirs_on_bar >= 128 and not mine_on_bar
    return mine_on_bar < 128 and mine + theirs > 0


def _plain_board(points: object) -> Board | None:
    """The board of a list or tuple of 26 plain ints; None of anything else. True and 3.0 are equal to ints."""
    counts = cast("Sequence[int]", points)
    try:
        return board_of(counts) if type(points) in {list, tuple} and [*map(type, counts)].count(int) == SLOTS else None
    except Exception:  # noqa: BLE001  another number of them, or one that no byte holds, or of a class that equals int
        return None


def board_of_points(points: object, checkers: object) -> tuple[Board, int]:
    """The board of 26 counts, the opponent's negative."""
    board = _plain_board(points)
    if board is not None:
        own, opposing = count_sides(board)
        if _is_plainly_possible(board, own, opposing, checkers):
            return board, cast("int", checkers)
    problems = _Problems()
    counts = _counts(points, problems)
    if counts[BAR] < 0:
        problems.add(PositionProblem.WRONG_BAR, f"index 25 is my bar, it cannot hold {shown(counts[BAR])}")
    if counts[0] > 0:
        problems.add(PositionProblem.WRONG_BAR, f"index 0 is the opponent's bar, it cannot hold {shown(counts[0])}")
    mine = {point: counts[point] for point in range(1, SLOTS) if counts[point] > 0}
    theirs = {BAR - point: -counts[point] for point in range(BAR) if counts[point] < 0}
    return _board(_Side("mine", mine), _Side("theirs", theirs), checkers, problems)


def _counts(points: object, problems: _Problems) -> list[int]:
    """26 whole numbers; what is none is a problem, and counts 0."""
    given = first_items(points, SLOTS + 1)
    if given is None:
        raise PositionError(f"26 counts are needed, not {shown(points)}", PositionProblem.WRONG_SHAPE)
    if len(given) != SLOTS:
        length = str(len(given)) if len(given) < SLOTS else "more"
        raise PositionError(f"26 counts are needed, not {length}", PositionProblem.WRONG_SHAPE)
    counts = [whole_number(number) for number in given]
    for at, (number, count) in enumerate(zip(given, counts, strict=True)):
        if count is None:
            problems.add(PositionProblem.WRONG_SHAPE, f"index {at}: {shown(number)} is no whole number")
    return [count or 0 for count in counts]


def _read(name: str, given: object, problems: _Problems) -> _Side:
    """A side as a user writes it."""
    counts: dict[int, int] = {}
    if not isinstance(given, Mapping):
        problems.add(PositionProblem.WRONG_SHAPE, f"{name}: checkers by point are needed, not {shown(given)}")
        return _Side(name, counts)
    entries = list(islice(cast("Mapping[object, object]", given).items(), _MOST_ENTRIES + 1))
    if len(entries) > _MOST_ENTRIES:
        problems.add(PositionProblem.WRONG_SHAPE, f"{name}: more entries than there are points")
        return _Side(name, counts)
    for key, number in entries:
        point, count = _point(key), whole_number(number)
        if point is None or not 0 <= point <= BAR:
            problems.add(PositionProblem.WRONG_SHAPE, f'{name}: {shown(key)} is no point (1 to 24, "bar", "off")')
        elif count is None:
            problems.add(PositionProblem.WRONG_SHAPE, f"{name}: {shown(number)} on {shown(key)} is no whole number")
        else:
            counts[point] = counts.get(point, 0) + count
    return _Side(name, counts, counts.pop(0, None))


def _point(key: object) -> int | None:
    """The number of a point that is given by number or name."""
    text = plain_text(key)
    return whole_number(key) if text is None else _POINT_OF_NAME.get(text)


def _board(mine: _Side, theirs: _Side, given_checkers: object, problems: _Problems) -> tuple[Board, int]:
    """The board of two sides and the checkers of a side, after every check."""
    checkers = whole_number(given_checkers)
    if checkers is None or not 1 <= checkers <= STANDARD_CHECKERS:
        problems.add(
            PositionProblem.WRONG_CHECKER_COUNT,
            f"a side has 1 to {STANDARD_CHECKERS} checkers, not {shown(given_checkers)}",
        )
        checkers = STANDARD_CHECKERS
    for side in (mine, theirs):
        _check_side(side, checkers, problems)
    _check_both(mine, theirs, problems)
    problems.raise_any()
    points = [0] * SLOTS
    for point, number in theirs.counts.items():
        points[BAR - point] = -number
    for point, number in mine.counts.items():
        points[point] += number
    return board_of(points), checkers


def _check_side(side: _Side, checkers: int, problems: _Problems) -> None:
    for point, number in sorted(side.counts.items()):
        if number < 0:
            where = "the bar" if point == BAR else f"the {point} point"
            problems.add(PositionProblem.NEGATIVE_COUNT, f"{side.name}: {shown(number)} checkers on {where}")
    total = sum(side.counts.values())
    if total > checkers:
        problems.add(
            PositionProblem.TOO_MANY_CHECKERS, f"{side.name}: {shown(total)} checkers, the game has {checkers}"
        )
    elif side.stated_off is not None and side.stated_off != checkers - total:
        stated, off = shown(side.stated_off), shown(checkers - total)
        problems.add(
            PositionProblem.WRONG_OFF,
            f"{side.name}: {stated} checkers off, but {off} of {checkers} are not on the board",
        )


def _check_both(mine: _Side, theirs: _Side, problems: _Problems) -> None:
    for point, number in sorted(mine.counts.items()):
        if point < BAR and number > 0 and theirs.counts.get(BAR - point, 0) > 0:
            problems.add(PositionProblem.SHARED_POINT, f"both sides have checkers on my {point} point")
    if not problems.flags and not any(mine.counts.values()) and not any(theirs.counts.values()):
        problems.add(PositionProblem.BOTH_OFF, "both sides have borne off everything")
    if _is_shut_out(mine, theirs) and _is_shut_out(theirs, mine):
        problems.add(
            PositionProblem.BOTH_SHUT_OUT, "both sides are on the bar against a closed board, nobody can ever move"
        )


def _is_shut_out(side: _Side, other: _Side) -> bool:
    return side.counts.get(BAR, 0) > 0 and all(other.counts.get(point, 0) >= 2 for point in range(1, 7))
