"""Which boards a table answers for."""

from __future__ import annotations

import numpy as np

from gammonrules._arrays.checks import Bools, Ints, Rows, check_boards
from gammonrules._shared.checked_fields import check_kind
from gammonrules.bearoff._layouts import Counts
from gammonrules.board import Position
from gammonrules.board.internals import BAR
from gammonrules.errors import GammonError
from gammonrules.values import counted


class NotInTableError(GammonError, KeyError):
    """Raised when a table does not answer for a position; the message says why. It is a KeyError, too.

    Examples:
        >>> from gammonrules import Position, bearoff
        >>> table = bearoff.two_sided(checkers=2)
        >>> try:
        ...     table[Position.of(mine={1: 3, "off": 12}, theirs={1: 2, "off": 13})]
        ... except bearoff.NotInTableError as error:
        ...     print(error)
        the player on roll has 3 checkers left; the table has 2
    """

    __str__ = Exception.__str__  # that of KeyError quotes the sentence


def sides_of(position: Position, points: int) -> tuple[list[int], list[int]]:
    """The counts of both sides on their own first points."""
    mine = position.points[1 : points + 1]
    theirs = position.flip().points[1 : points + 1]
    return [max(0, count) for count in mine], [max(0, count) for count in theirs]


def why_not_covered(position: Position, points: int, checkers: int, *, whole_sides: bool) -> str:
    """Why a table does not answer for a position; nothing if it does.

    A side that has borne off nothing may lose a gammon, and is only in tables with `whole_sides` of all its checkers.

    Raises:
        ArgumentError: `position` is not a Position.
    """
    check_kind("position", position, Position)
    board = position.points
    if position.outcome is not None:
        return "the game is over"
    # the rearmost checker of each side, on its own points
    my_highest = max(slot for slot in range(1, BAR + 1) if board[slot] > 0)
    their_highest = max(BAR - slot for slot in range(BAR) if board[slot] < 0)
    for highest, who in ((my_highest, "the player on roll"), (their_highest, "the opponent")):
        if highest > points:
            place = "the bar" if highest == BAR else f"the {highest} point"
            return f"a checker of {who} is on {place}; the table ends with the {points} point"
    # the sides have passed each other if the opponent's rearmost checker, on my point 25 less theirs, is behind mine
    if my_highest + their_highest >= BAR:
        return "the sides are still in contact"
    for off, who in ((position.off, "the player on roll"), (position.opponent_off, "the opponent")):
        left = position.checkers - off
        if left > checkers:
            return f"{who} has {counted(left, 'checker')} left; the table has {checkers}"
        is_whole_side_known = whole_sides and left == checkers
        if off == 0 and not is_whole_side_known:
            return f"{who} has not borne off a checker and may lose a gammon, which this table does not know"
    return ""


def counts_of(rows: Rows, points: int, checkers: int) -> tuple[Counts, Counts]:
    """Both sides' counts on their first points, in games with so many checkers. Raises PositionError."""
    check_boards(rows, checkers)
    mine = np.maximum(rows[:, 1 : points + 1], 0)
    # their ace point is my 24 point, and their points go down from there
    their_ace_point = BAR - 1
    on_their_points = rows[:, their_ace_point : their_ace_point - points : -1]
    theirs = -np.minimum(on_their_points, 0)
    return mine, theirs


def covered(
    rows: Counts, mine: Counts, theirs: Counts, checkers: int, at_start: int, *, whole_sides: bool
) -> Bools:
    """Which boards a table of so many checkers answers for, where each side began with `at_start`."""
    points = mine.shape[1]
    my_left: Ints = mine.sum(axis=1, dtype=np.int64)
    their_left: Ints = theirs.sum(axis=1, dtype=np.int64)
    most_left = np.maximum(my_left, their_left)
    on_board = np.abs(rows).sum(axis=1, dtype=np.int64)
    # no checker is beyond the points of the table
    is_covered: Bools = on_board == my_left + their_left
    is_covered &= most_left > 0
    is_covered &= most_left <= checkers
    knows_whole_sides = whole_sides and at_start == checkers
    if not knows_whole_sides:
        is_covered &= most_left < at_start
    can_meet = 2 * points >= BAR
    if can_meet:
        # from the last point down, the first one with a checker is the highest
        my_highest = points - (mine[:, ::-1] > 0).argmax(axis=1)
        their_highest = points - (theirs[:, ::-1] > 0).argmax(axis=1)
        has_passed = my_highest + their_highest < BAR
        is_over = (my_left == 0) | (their_left == 0)
        is_covered &= is_over | has_passed
    return is_covered
