"""What people name on a board, for many boards: primes, anchors, blots in range, and the phase of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Boards, Bools, Rows, check_boards, rows_of_boards
from gammonrules.batch._board_arrays import AT_ONCE
from gammonrules.board import PositionKind
from gammonrules.board.internals import BAR, SLOTS, conditions
from gammonrules.values import counted

_Columns: TypeAlias = dict[str, npt.NDArray[Any]]
_Part = TypeVar("_Part")

# places of a board as a side sees it, from the opponent's bar at 0 to its own at 25
_POINTS = slice(1, BAR)
_MY_HOME = slice(1, 7)
_OUTSIDE_HOME = slice(7, SLOTS)
_THEIR_HOME = slice(19, BAR)
_THEIR_HOME_AND_BAR = slice(19, SLOTS)
"""The home board of the opponent, and the bar from which a checker enters there."""


@attrs.frozen(eq=False, repr=False)
class BoardFeatures:
    """What people name on N boards, an array of N for each; those of the opponent are counted as they see the board.

    `attrs.asdict` makes a table of it, as pandas, Polars and PyArrow take it.

    *Equality*: identity.

    Attributes:
        longest_prime: `int8`, the most made points in a row, wherever they are; a point is made by two checkers or
            more. As `Position.longest_prime`.
        anchors: `int8`, the points made in the opponent's home board. As the length of `Position.anchors`.
        home_points: `int8`, the points made in one's own home board.
        checkers_back: `int8`, the checkers in the opponent's home board and on the bar.
        blots_in_range: `int8`, the blots that the other side can hit with one die from where it stands: a checker of
            theirs is one to six pips away, and is on the bar itself if they have any there.
        opponent_longest_prime: `int8`, the same for the opponent, and so on.
        opponent_anchors: `int8`.
        opponent_home_points: `int8`.
        opponent_checkers_back: `int8`.
        opponent_blots_in_range: `int8`, the blots of the opponent that the player on roll can hit with one die.
        contact: `bool`, whether a checker still has to pass one of the other side. If not, neither side can hit.
        phase: `U8`, "contact"; without contact "bear-off" if both sides have all checkers in their home boards, else
            "race"; "over" if a side has borne off all.

    Examples:
        >>> import attrs
        >>> from gammonrules import Position, batch
        >>> after = Position.start().play("8/5 6/5", "31").flip()
        >>> features = batch.board_features(batch.from_positions([after]))
        >>> isinstance(features, batch.BoardFeatures), features
        (True, <BoardFeatures of 1 board>)
        >>> features.longest_prime.tolist(), features.phase.tolist()
        ([2], ['contact'])
        >>> list(attrs.asdict(features))[:2]
        ['longest_prime', 'anchors']
    """

    longest_prime: Rows
    anchors: Rows
    home_points: Rows
    checkers_back: Rows
    blots_in_range: Rows
    opponent_longest_prime: Rows
    opponent_anchors: Rows
    opponent_home_points: Rows
    opponent_checkers_back: Rows
    opponent_blots_in_range: Rows
    contact: Bools
    phase: npt.NDArray[np.str_]

    def __repr__(self) -> str:
        return f"<BoardFeatures of {counted(len(self.phase), 'board', ',')}>"


def board_features(points: Boards) -> BoardFeatures:
    """What people name on boards: primes, anchors, checkers back, blots in range, contact, the phase of the game.

    `BoardFeatures` defines each of them. `features` has the inputs of a network instead.

    Args:
        points: the boards, in any form of `Boards`.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.

    Examples:
        >>> from gammonrules import Position, batch
        >>> held = Position.of(mine={24: 2, 6: 5}, theirs={7: 2, 5: 2, 4: 2})
        >>> features = batch.board_features(batch.from_positions([held]))
        >>> features.anchors.tolist(), features.opponent_home_points.tolist()
        ([1], [2])
    """
    parts = _some_at_once(_feature_columns, points)
    return BoardFeatures(
        **{name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    )


def kinds(points: Boards) -> npt.NDArray[np.str_]:
    """What players call each board, as `Position.kind`: `(N,) U19`.

    Args:
        points: the boards, in any form of `Boards`.

    Raises:
        PositionError: `points` are not boards, or a board is impossible.

    Examples:
        >>> from gammonrules import Position, batch
        >>> ended = Position.of(theirs={1: 2})
        >>> batch.kinds(batch.from_positions([Position.start(), ended])).tolist()
        ['opening', 'over']
    """
    return np.concatenate(_some_at_once(_names_of_kinds, points))


def _some_at_once(read: Callable[[Rows, int], _Part], points: Boards) -> list[_Part]:
    """The results of a function that reads boards, some at a time; of no boards one result as well."""
    rows = rows_of_boards(points)
    return [
        read(rows[start : start + AT_ONCE], start) for start in range(0, max(len(rows), 1), AT_ONCE)
    ]


def _names_of_kinds(rows: Rows, first_row: int) -> npt.NDArray[np.str_]:
    """For each board the first kind whose condition it meets; the last kind has none, and is that of all others."""
    check_boards(rows, first_row=first_row)
    places = np.ascontiguousarray(rows.T, np.int16)  # int8 would be too small for pip counts
    turned = -places[::-1]  # as the opponent sees the boards
    mine = [*np.maximum(places, 0)]
    theirs = [*np.maximum(turned, 0)]
    names = [kind.value for kind in PositionKind]
    return np.select([*conditions(mine, theirs)], names[:-1], default=names[-1])


def _feature_columns(rows: Rows, first_row: int) -> _Columns:
    mine, theirs = check_boards(rows, first_row=first_row)
    # sums of long columns take a third of the time of those of short rows
    places = np.ascontiguousarray(rows.T)
    turned = -places[::-1]  # as the opponent sees the boards
    # the player moves down from place 25, the opponent up from place 0
    my_rearmost = BAR - (places[::-1] > 0).argmax(axis=0)
    their_rearmost = (places < 0).argmax(axis=0)
    is_over = (mine == 0) | (theirs == 0)
    has_contact = ~is_over & (their_rearmost < my_rearmost)
    is_outside_home = (places[_OUTSIDE_HOME] > 0) | (turned[_OUTSIDE_HOME] > 0)
    are_home = ~is_outside_home.any(axis=0)
    phase = np.select([is_over, has_contact, are_home], ["over", "contact", "bear-off"], "race")
    columns = _of_side(places)
    for name, numbers in _of_side(turned).items():
        columns[f"opponent_{name}"] = numbers
    columns["contact"] = has_contact
    columns["phase"] = phase
    return columns


def _of_side(places: Rows) -> _Columns:
    """The columns of the side whose checkers are positive, of boards in columns, `(26, N)`."""
    made = places >= 2  # at the bars this means nothing
    blots_in_range = (places == 1) & _hit_by_one_die(places)
    return {
        "longest_prime": _longest_stretch(made[_POINTS]),
        "anchors": made[_THEIR_HOME].sum(axis=0, dtype=np.int8),
        "home_points": made[_MY_HOME].sum(axis=0, dtype=np.int8),
        "checkers_back": np.maximum(places[_THEIR_HOME_AND_BAR], 0).sum(axis=0, dtype=np.int8),
        "blots_in_range": blots_in_range[_POINTS].sum(axis=0, dtype=np.int8),
    }


def _longest_stretch(made: Bools) -> Rows:
    """How many made points follow each other at most, counted by looking for longer and longer stretches."""
    longest = np.zeros(made.shape[1], np.int8)
    while made.any():
        longest += made.any(axis=0)
        made = made[1:] & made[:-1]  # where a stretch begins that is one point longer
    return longest


def _hit_by_one_die(places: Rows) -> Bools:
    """The places that an opposing checker reaches with one die. The opponent moves up, from the bar at place 0."""
    may_move = places < 0
    is_on_bar = may_move[0]
    may_move[1:] &= ~is_on_bar  # a side with a checker on the bar must enter it first
    reached = np.zeros(places.shape, np.bool_)
    for die in range(1, 7):
        reached[die:] |= may_move[:-die]  # each place from the one that is `die` pips below
    return reached
