"""The kind of a position: `conditions` define each, of many boards at once; one board has a shorter way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import reduce
from operator import getitem, itemgetter
from typing import Any, TypeAlias

from gammonrules.board.board_setup import STARTS
from gammonrules.board.encoding import BAR, MADE, Board, pips_of, sides

Counts: TypeAlias = Sequence[Any]
"""The checkers of a side by its own points, with 25 for its bar and nothing at 0: a number, or an array of boards."""

_START = STARTS["standard"]
_at_start: Callable[[bytes], tuple[int, ...]] = itemgetter(*_START)
"""The checkers of a side on the points where some start."""
_UNMOVED = [bytes(min(count, start) for count in range(16)) for start in _START.values()]
"""How many of the checkers on each of these points started there, by their number."""


class PositionKind(StrEnum):
    """What players call a position: of the kinds in this order, the first whose definition holds for either side.

    The words are those of players, the numbers in them a choice. A point is *made* by two checkers; an *anchor* is a
    point made in the opponent's home board; *back* are the checkers there and on the bar. The page *Kinds of positions*
    has a picture of each, positions that authors call so, and who says what.

    Attributes:
        OVER: a side has borne off all its checkers.
        BEAR_OFF: no contact, and both sides have all their checkers at home.
        BEAR_IN: a side without a checker beyond its 12 point, ahead in the race or with all six home points made,
            brings its checkers home or bears them off against the other side, which has at most one anchor.
        RACE: no contact, so that neither side can hit or block.
        BACK_GAME: a side with two anchors or more is behind in the race.
        PRIME_AGAINST_PRIME: both sides have made four points in a row in front of a checker of the other side.
        BLITZ: a side with three home points made attacks checkers that are back, none of them on an anchor, while the
            other side still has more to bring home.
        CONTAINMENT: one or two checkers of a side are back, on no anchor, and all its others are home or off.
        HOLDING_GAME: a side has made the opponent's 4, 5 or bar point, or has an anchor while no opposing checker is
            back.
        OPENING: of the 30 checkers, at least 22 are where they started.
        OTHER: none of these.

    Examples:
        >>> from gammonrules import Position, PositionKind
        >>> Position.start().kind is PositionKind.OPENING
        True
        >>> print(Position.from_id("zN6NAQBmG2GAMQ").kind)
        back game
    """

    OVER = "over"
    BEAR_OFF = "bear-off"
    BEAR_IN = "bear-in"
    RACE = "race"
    BACK_GAME = "back game"
    PRIME_AGAINST_PRIME = "prime against prime"
    BLITZ = "blitz"
    CONTAINMENT = "containment"
    HOLDING_GAME = "holding game"
    OPENING = "opening"
    OTHER = "other"


def position_kind_of(board: Board) -> PositionKind:
    """The kind of one board, which is that of the first of its `conditions` that holds."""
    my_counts, their_counts = sides(board)
    us = _SideOfBoard(my_counts)
    them = _SideOfBoard(their_counts)
    if us.rear < 0 or them.rear < 0:
        return PositionKind.OVER
    if us.rear + them.rear > BAR:  # the rearmost checkers have yet to pass each other
        return _kind_in_contact(us, them)
    are_home = us.rear < 7 and them.rear < 7
    return PositionKind.BEAR_OFF if are_home else PositionKind.RACE


def _kind_in_contact(us: _SideOfBoard, them: _SideOfBoard) -> PositionKind:
    if us.bears_in(them) or them.bears_in(us):
        return PositionKind.BEAR_IN
    if us.plays_back_game(them) or them.plays_back_game(us):
        return PositionKind.BACK_GAME
    if us.blocks(them) and them.blocks(us):
        return PositionKind.PRIME_AGAINST_PRIME
    if us.attacks(them) or them.attacks(us):
        return PositionKind.BLITZ
    if us.is_contained() or them.is_contained():
        return PositionKind.CONTAINMENT
    if us.holds(them) or them.holds(us):
        return PositionKind.HOLDING_GAME
    if us.unmoved() + them.unmoved() > 21:
        return PositionKind.OPENING
    return PositionKind.OTHER


class _SideOfBoard:
    """The checkers of a side of one board, counted when a kind depends on them."""

    __slots__ = ("anchors", "counts", "made", "rear")

    def __init__(self, counts: bytes) -> None:
        self.counts = counts
        self.rear = len(counts.rstrip(b"\0")) - 1
        """The point of the rearmost checker; -1 without any."""
        self.made = counts.translate(MADE)
        """A `#` for each point that is made."""
        self.anchors = self.made.count(b"#", 19, BAR)

    def bears_in(self, other: _SideOfBoard) -> bool:
        if self.rear > 12 or other.anchors > 1:
            return False
        is_closed = self.made.count(b"#", 1, 7) == 6
        return is_closed or pips_of(self.counts) < pips_of(other.counts)

    def plays_back_game(self, other: _SideOfBoard) -> bool:
        return self.anchors > 1 and pips_of(self.counts) > pips_of(other.counts)

    def blocks(self, other: _SideOfBoard) -> bool:
        """Whether there are four points in a row in front of a checker of the other."""
        return self.made.rfind(b"####", 0, BAR) + other.rear > BAR  # those farthest from home

    def attacks(self, other: _SideOfBoard) -> bool:
        if other.rear < 19 or other.anchors > 0:
            return False
        return self.made.count(b"#", 1, 7) > 2 and any(other.counts[7:19])

    def is_contained(self) -> bool:
        if self.rear < 19 or self.anchors > 0:
            return False
        return sum(self.counts[19:]) < 3 and not any(self.counts[7:19])

    def holds(self, other: _SideOfBoard) -> bool:
        """Whether the side has the opponent's bar point, 5 or 4, or an anchor while none of the other is back."""
        if self.anchors > 0 and other.rear < 19:
            return True
        return self.counts[18] > 1 or self.counts[20] > 1 or self.counts[21] > 1

    def unmoved(self) -> int:
        """How many checkers are where they started."""
        return sum(map(getitem, _UNMOVED, _at_start(self.counts)))


_OF_A_SIDE: dict[PositionKind, Callable[[_SideOfBoard, _SideOfBoard], bool]] = {
    PositionKind.BEAR_IN: _SideOfBoard.bears_in,
    PositionKind.BACK_GAME: _SideOfBoard.plays_back_game,
    PositionKind.BLITZ: _SideOfBoard.attacks,
    PositionKind.CONTAINMENT: lambda side, _: side.is_contained(),
    PositionKind.HOLDING_GAME: _SideOfBoard.holds,
}


def is_mine(kind: PositionKind, board: Board) -> bool | None:
    """Whether a board is of its kind by what I do or have, such as attack in a blitz; None if by both, or neither."""
    if kind not in _OF_A_SIDE:
        return None
    my_side, their_side = sides(board)
    us = _SideOfBoard(my_side)
    them = _SideOfBoard(their_side)
    condition = _OF_A_SIDE[kind]
    mine = condition(us, them)
    theirs = condition(them, us)
    return None if mine == theirs else mine


def conditions(mine: Counts, theirs: Counts) -> Iterator[Any]:
    """Whether boards meet the condition of each kind but the last, in their order; each is computed when asked for.

    The comment says which kind it is. `beyond[6]` are the checkers of a side that are not home, `beyond[0]` all. All
    values may be arrays, so `&`, `|` and `== 0` stand for "and", "or" and "not".
    """
    us = _Checkers(mine)
    them = _Checkers(theirs)

    def either(holds: Callable[[_Checkers, _Checkers], Any]) -> Any:
        return holds(us, them) | holds(them, us)

    # we have a checker that one of theirs has yet to pass
    contact = _any((us.counts[at] > 0) & (them.beyond[BAR - at] > 0) for at in range(1, BAR + 1))
    yield (us.beyond[0] == 0) | (them.beyond[0] == 0)  # OVER
    yield (contact == 0) & (us.beyond[6] + them.beyond[6] == 0)  # BEAR_OFF
    yield contact & either(_bears_in)  # BEAR_IN
    yield contact == 0  # RACE
    yield either(_plays_back_game)  # BACK_GAME
    yield us.blocks(them) & them.blocks(us)  # PRIME_AGAINST_PRIME
    yield either(_attacks)  # BLITZ
    yield us.is_contained | them.is_contained  # CONTAINMENT
    yield either(_holds)  # HOLDING_GAME
    yield us.unmoved + them.unmoved > 21  # OPENING


class _Checkers:
    """What is counted of the checkers of a side."""

    def __init__(self, counts: Counts) -> None:
        made = [count > 1 for count in counts]  # whether each point is
        self.counts = counts
        beyond_from_bar: list[Any] = []
        farther: Any = 0
        for place in range(BAR, -1, -1):
            beyond_from_bar.append(farther)
            farther = farther + counts[place]
        self.beyond = beyond_from_bar[::-1]
        """How many checkers are farther from home than each place."""
        self.back = self.beyond[18]  # in the opponent's home board or on the bar
        self.pips = sum(self.beyond)
        self.home_points = sum(made[1:7])
        self.anchors = sum(made[19:BAR])
        self.holds_advanced = made[18] | made[20] | made[21]  # the opponent's bar point, 5 and 4
        self._fours = [made[at] & made[at + 1] & made[at + 2] & made[at + 3] for at in range(1, 22)]

    @property
    def is_contained(self) -> Any:
        """Whether the last checkers on their way home are back, on no anchor."""
        return (
            (self.anchors == 0) & (self.back > 0) & (self.back < 3) & (self.beyond[6] == self.back)
        )

    @property
    def unmoved(self) -> Any:
        """How many checkers are where they started."""
        unmoved: Any = 0
        for at, start in _START.items():
            count = self.counts[at]
            added = (count > start) * (count - start)  # `max(count - start, 0)`, also of an array
            unmoved = unmoved + count - added
        return unmoved

    def blocks(self, other: _Checkers) -> Any:
        """Whether there are four points in a row in front of a checker of the other."""
        return _any(four & (other.beyond[BAR - at] > 0) for at, four in enumerate(self._fours, 1))


def _any(holding: Iterator[Any]) -> Any:
    return reduce(lambda before, now: before | now, holding)


def _bears_in(side: _Checkers, other: _Checkers) -> Any:
    return (
        (side.beyond[12] == 0)
        & ((side.pips < other.pips) | (side.home_points == 6))
        & (other.anchors < 2)
    )


def _plays_back_game(side: _Checkers, other: _Checkers) -> Any:
    return (side.anchors > 1) & (side.pips > other.pips)


def _attacks(side: _Checkers, other: _Checkers) -> Any:
    return (
        (side.home_points > 2)
        & (other.anchors == 0)
        & (other.back > 0)
        & (other.beyond[6] > other.back)  # some are neither home nor back
    )


def _holds(side: _Checkers, other: _Checkers) -> Any:
    return side.holds_advanced | (side.anchors > 0) & (other.back == 0)
