"""`Position`, a board as the player on roll sees it, and how a finished game ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Protocol

import attrs

from gammonrules.board import position_id
from gammonrules.board.board_setup import (
    STANDARD_CHECKERS,
    START_NAMES,
    STARTS,
    StartName,
    board_of_halves,
    board_of_points,
    board_of_sides,
)
from gammonrules.board.encoding import (
    BAR,
    Board,
    count_sides,
    flip,
    has_opposing,
    has_own,
    is_race,
    longest_prime,
    opposing_pips,
    own_pips,
    points_of,
    sides,
)
from gammonrules.board.generator import Maker, faces_of, fast_points, legal_plays
from gammonrules.dice import ROLLS, Dice, DiceLike
from gammonrules.errors import ArgumentError, PositionError, PositionProblem
from gammonrules.values import one_of, plain_text, refuse, shown, wrong_fields

EMPTY: Mapping[int | str, int] = MappingProxyType({})


class Counts(Protocol):
    """A mapping of points to numbers of checkers, such as `{24: 2, "bar": 1}`, for `Position.of`.

    `Position.of` checks whether it is a mapping, and its keys.

    Examples:
        >>> from collections import Counter
        >>> def pips(mine: Counts) -> int:
        ...     return Position.of(mine, {1: 1}).pip_count
        >>> pips({6: 2, 8: 1}), pips(Counter([6, 6, 8]))
        (20, 20)
    """

    def items(self) -> Iterable[tuple[int | str, int]]:
        """Pairs of a point and its number of checkers."""
        ...


class Win(IntEnum):
    """How much a game is won by; the number multiplies the cube.

    *Equality*: a member equals its number, as in any IntEnum.

    Source: all rule texts agree, except that the Finnish rules do not say that a backgammon needs "none borne off", as
    the others and the tournament rules do.

    Examples:
        >>> 4 * Win.GAMMON
        8
    """

    SINGLE = 1
    """The loser has borne off a checker, or only single games count."""
    GAMMON = 2
    """The loser has borne off none."""
    BACKGAMMON = 3
    """The loser has borne off none, and has a checker on the bar or in the winner's home board."""


@attrs.frozen
class Outcome:
    """How a finished game ended, as the player on roll sees it.

    *Equality*: by both fields.

    Attributes:
        won: whether the player on roll has won; after the last play of a game, they have lost.
        win: single, gammon or backgammon.

    Raises:
        ArgumentError: a field has the wrong type.

    Examples:
        >>> Position.of(mine={6: 15}).outcome == Outcome(won=False, win=Win.GAMMON)
        True
    """

    won: bool
    win: Win

    def __attrs_post_init__(self) -> None:
        refuse("outcome", wrong_fields(self))


@attrs.frozen(init=False, repr=False)
class Position:
    """A board as the player on roll sees it: their points are 24 to 1, their bar is 25, off is 0.

    Make one by `Position.start`, `Position.of`, `Position.from_points` or `Position.from_id`. `Position(points)` is
    there because a class has a constructor, and that of every value here checks everything; `from_points` says by its
    name what it takes. Checkers that are neither on the board nor on the bar are off. Who the player on roll is, the
    dice and the cube are in `MatchState`.

    *Equality*: two positions are equal if they have the same checkers on the same points and the same number of
    checkers a side.

    Args:
        points: 26 counts, as in the attribute `points`.
        checkers: how many each side has, on the board and off; 15 except in variants such as Hypergammon.

    Attributes:
        checkers: how many each side has, on the board and off.

    Raises:
        PositionError: with all the problems of an impossible board.

    Examples:
        >>> pos = Position.start()
        >>> pos.points[24], pos.points[19], pos.pip_count
        (2, -5, 167)
        >>> pos.made_points, pos.blots, pos.is_race
        ((24, 13, 8, 6), (), False)
        >>> end = Position.of(mine={"bar": 1, 6: 2}, theirs={1: 1})
        >>> end.bar, end.off, end.opponent_bar, end.opponent_off
        (1, 12, 0, 14)
        >>> end.pip_count, end.opponent_pip_count
        (37, 1)
        >>> Position.from_points(pos.points) == Position.from_id(pos.id) == pos
        True
    """

    _board: Board
    checkers: int

    def __init__(self, points: Sequence[int], *, checkers: int = STANDARD_CHECKERS) -> None:
        self.__attrs_init__(*board_of_points(points, checkers))  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    # --- making one --------------------------------------------------------------------------------

    @classmethod
    def start(cls, name: StartName = "standard") -> Position:
        """A start position, by name.

        Args:
            name: "standard" (24:2 13:5 8:3 6:5 on each side, 167 pips), "nackgammon" (24:2 23:2 13:4 8:3 6:4, 194
                pips), "longgammon" (all 15 on 24, 360 pips), "hypergammon" with three checkers a side (24:1 23:1 22:1,
                69 pips), "hypergammon2" with the first two of these, or "hypergammon1" with the first.

        Raises:
            PositionError: there is no start position with this name.

        Examples:
            >>> Position.start().id, Position.start("hypergammon").checkers
            ('4HPwATDgc/ABMA', 3)
        """
        start = _STARTS.get(plain_text(name) or "")
        if start is None:
            sentence = f"a start position must be {one_of(START_NAMES)}, not {shown(name)}"
            raise PositionError(sentence, PositionProblem.NO_SUCH_START)
        return start

    @classmethod
    def of(cls, mine: Counts = EMPTY, theirs: Counts = EMPTY, *, checkers: int = STANDARD_CHECKERS) -> Position:
        """Make a position from the checkers of both sides, each in its own numbering.

        Args:
            mine: checkers of the player on roll by point: 1 to 24, "bar" (or 25), "off" (or 0; optional, but checked if
                present). By default none: all are off.
            theirs: the opponent's checkers, in the opponent's numbering. By default none.
            checkers: how many each side has, on the board and off; 15 except in variants.

        Raises:
            PositionError: with all the problems of an impossible board.

        Examples:
            >>> theirs = {24: 2, 6: 3, "off": 10}
            >>> Position.of(mine={24: 1, 13: 2, "bar": 1}, theirs=theirs).id
            '4AAADAAMgAIAAA'
        """
        return make_position(*board_of_sides(mine, theirs, checkers))

    @classmethod
    def from_points(cls, points: Sequence[int], *, checkers: int = STANDARD_CHECKERS) -> Position:
        """Make a position from 26 counts, by the constructor.

        Arguments and errors are those of `Position`.

        Examples:
            >>> Position.from_points(Position.start().points) == Position.start()
            True
        """
        return cls(points, checkers=checkers)

    @classmethod
    def from_id(cls, text: str, *, checkers: int = STANDARD_CHECKERS) -> Position:
        """Make a position from a GNU Backgammon Position ID.

        Args:
            text: the 14 characters. They may have the label "Position ID:" and the padding "==".
            checkers: how many each side has, on the board and off, which the text does not say; 15 except in variants.

        Raises:
            IdentifierError: the text is not a Position ID.
            PositionError: the text describes an impossible board.

        Examples:
            >>> Position.from_id("4HPwATDgc/ABMA") == Position.start()
            True
        """
        theirs, mine = position_id.halves_of_id(text)
        return make_position(*board_of_halves(theirs, mine, checkers))

    # --- what is on it -----------------------------------------------------------------------------

    @property
    def points(self) -> tuple[int, ...]:
        """26 counts, mine positive and the opponent's negative.

        Indexes 1 to 24 are the points, 25 is my bar, and 0 is the opponent's bar.

        Examples:
            >>> points = Position.of(mine={"bar": 1, 6: 3}, theirs={5: 2}).points
            >>> points[25], points[6], points[20]  # the opponent's 5 point is my 20 point
            (1, 3, -2)
        """
        return points_of(self._board)

    @property
    def mine(self) -> dict[int | str, int]:
        """My checkers by point, with "bar" and "off" if there are any: what `Position.of` takes.

        Examples:
            >>> Position.of(mine={6: 3, "bar": 1}, theirs={5: 2}).mine
            {6: 3, 'bar': 1, 'off': 11}
        """
        return _by_point(sides(self._board)[0], self.off)

    @property
    def theirs(self) -> dict[int | str, int]:
        """The opponent's, in the opponent's numbering.

        Examples:
            >>> board = Position.start()
            >>> board.theirs
            {6: 5, 8: 3, 13: 5, 24: 2}
            >>> Position.of(board.mine, board.theirs) == board
            True
        """
        return _by_point(sides(self._board)[1], self.opponent_off)

    @property
    def bar(self) -> int:
        """My checkers on the bar."""
        return self.points[BAR]

    @property
    def opponent_bar(self) -> int:
        """The opponent's checkers on the bar."""
        return -self.points[0]

    @property
    def off(self) -> int:
        """My checkers borne off."""
        return self.checkers - count_sides(self._board)[0]

    @property
    def opponent_off(self) -> int:
        """The opponent's checkers borne off."""
        return self.checkers - count_sides(self._board)[1]

    @property
    def pip_count(self) -> int:
        """The pips that I need to bear off all checkers; a checker on the bar counts 25."""
        return own_pips(self._board)

    @property
    def opponent_pip_count(self) -> int:
        """The pips that the opponent needs to bear off all checkers."""
        return opposing_pips(self._board)

    @property
    def blots(self) -> tuple[int, ...]:
        """My points with a single checker, highest first; the bar is not included."""
        points = self.points
        return tuple(point for point in range(24, 0, -1) if points[point] == 1)

    @property
    def made_points(self) -> tuple[int, ...]:
        """My points with two or more checkers, highest first."""
        points = self.points
        return tuple(point for point in range(24, 0, -1) if points[point] >= 2)

    @property
    def anchors(self) -> tuple[int, ...]:
        """My made points in the opponent's home board, 24 to 19, highest first.

        The opponent's are `flip().anchors`, in their numbering.

        Examples:
            >>> Position.of(mine={24: 2, 20: 3, 13: 2}).anchors
            (24, 20)
        """
        points = self.points
        return tuple(point for point in range(24, 18, -1) if points[point] >= 2)

    @property
    def longest_prime(self) -> int:
        """How many made points I have in a row, at most; no checker passes six. 0 if I have made none.

        The opponent's is `flip().longest_prime`.

        Examples:
            >>> Position.of(mine={8: 2, 7: 2, 6: 3, 5: 2, 3: 2}).longest_prime
            4
        """
        return longest_prime(self._board)

    @property
    def is_race(self) -> bool:
        """Whether the sides have passed each other, so that neither can hit or block anymore."""
        return is_race(self._board)

    @property
    def outcome(self) -> Outcome | None:
        """Who has won and how much, or None while both sides have checkers left.

        It is a gammon if the loser has borne off no checker, and a backgammon if they also have one on the bar or in
        the winner's home board.

        Examples:
            >>> Position.of(mine={6: 14, 20: 1}).outcome
            Outcome(won=False, win=<Win.BACKGAMMON: 3>)
        """
        if not has_own(self._board):
            return Outcome(True, _win(self.points[0:7], self.opponent_off))
        if not has_opposing(self._board):
            return Outcome(False, _win(self.points[19:], self.off))
        return None

    @property
    def id(self) -> str:
        """The GNU Backgammon Position ID, 14 characters.

        It does not include the number of checkers, the dice, the cube or the score. Pass `checkers` to
        `Position.from_id` if there are not 15 a side; for the rest, see `MatchState.gnubg_id`.

        Examples:
            >>> Position.start().id
            '4HPwATDgc/ABMA'
        """
        mine, theirs = map(position_id.bits_of_side, sides(self._board))
        return position_id.id_of_bits(theirs, mine)

    def flip(self) -> Position:
        """The same board as the opponent sees it, who is then on roll.

        Examples:
            >>> after = Position.start().play("8/5 6/5", "31")  # the opponent is on roll
            >>> after.points[20], after.flip().points[5]
            (-2, 2)
        """
        return make_position(flip(self._board), self.checkers)

    # --- playing -----------------------------------------------------------------------------------

    def legal_plays(self, dice: DiceLike) -> Plays:
        """The legal plays of a roll, one for each distinct resulting position.

        If nothing can be played, there is one play without moves; in a finished game there are no plays.

        The rules: a checker on the bar must enter before any other moves; a checker cannot land on a point held by two
        or more opposing checkers; as many dice as possible must be played, and the higher one if only one of two can
        be; bearing off begins when all checkers are home, and a die larger than the highest point held takes a checker
        from that point. Source: all rule texts; for the higher die the Finnish, the Philos and the tournament rules
        (the others are silent).

        Order: first the plays of the higher die and then the lower, then those that are new if the lower die is played
        first; each die is tried with the rearmost checker first. The moves of a doublet go from the rear forward.

        On a `MatchState` this is a property, since the state knows the dice.

        Raises:
            DiceError: this is not a roll.

        Examples:
            >>> len(Position.start().legal_plays("31"))
            16
        """
        roll = dice if type(dice) is Dice else _ROLL_OF_FACES.get(faces_of(dice)) or Dice.of(dice)
        return make_plays(self, roll, legal_plays(self._board, roll.high, roll.low))

    def play(self, play: PlayLike, dice: DiceLike) -> Position:
        """The position after a play, with the opponent on roll.

        Raises:
            DiceError: this is not a roll.
            ParseError: the text cannot be read.
            ArgumentError: `play` is not a play in any form that `Plays.find` takes.
            IllegalPlayError: the play is not legal; `reason` names the rule.

        Examples:
            >>> Position.start().play("8/5 6/5", "31").id
            'sGfwATDgc/ABMA'
        """
        return self.legal_plays(dice).find(play).position

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r}{self._variant})"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - IPython and Hypothesis call it
        printer.text(self._spelled_out())

    def _spelled_out(self) -> str:
        """An expression for this position that shows where the checkers are."""
        mine, theirs = (str(_by_point(side)).replace("'", '"') for side in sides(self._board))
        return f"Position.of(mine={mine}, theirs={theirs}{self._variant})"

    @property
    def _variant(self) -> str:
        """The argument `checkers`, if it is not the default."""
        return "" if self.checkers == STANDARD_CHECKERS else f", checkers={self.checkers}"

    def __str__(self) -> str:
        from gammonrules.draw.text import board  # noqa: PLC0415  drawings are loaded when used

        return board(self)

    def _repr_svg_(self) -> str:
        return self._drawn()

    def _drawn(self, dice: Dice | None = None, arrows: Play | None = None) -> str:
        """The picture for a notebook, perhaps with a roll and a play of it."""
        from gammonrules.draw.svg import USUAL_WIDTH, board  # noqa: PLC0415  drawings are loaded when used

        return board(self, dice=dice, arrows=arrows, size=USUAL_WIDTH)


def start_of_games(start: StartName | Position) -> Position:
    """Read the argument `start` of games: a name as in `Position.start`, or a position in which the game goes on.

    Raises:
        ArgumentError: `start` is neither, or the game is over.
        PositionError: there is no start position with this name.
    """
    if isinstance(start, str):
        return Position.start(start)
    if not isinstance(start, Position):
        raise ArgumentError(f"start must be the name of a start position or a Position, not {shown(start)}")
    if start.outcome is not None:
        raise ArgumentError("start: the game is over in this position")
    return start


class Printer(Protocol):
    """What IPython and Hypothesis pass to `_repr_pretty_`."""

    def text(self, text: str, /) -> None:
        """Print a text."""


def _by_point(side: bytes, off: int = 0) -> dict[int | str, int]:
    """The checkers of a side as the mapping that `Position.of` takes."""
    counts = {"bar" if point == BAR else point: number for point, number in enumerate(side) if number}
    return counts | {"off": off} if off else counts


def _win(home_and_bar: Iterable[int], borne_off: int) -> Win:
    """The level of a win, from the loser's checkers in the winner's home board, on the bar, and off."""
    return Win.SINGLE if borne_off else Win.BACKGAMMON if any(home_and_bar) else Win.GAMMON


# For boards that are known to be possible. The function has a name of its own, here and in other modules, since
# Python 3.11 takes longer to call a method of an imported object.
POSITIONS = Maker(Position, "_board", "checkers")
make_position = POSITIONS.make
_STARTS: Mapping[str, Position] = {
    name: make_position(*board_of_sides(side, side, sum(side.values()))) for name, side in STARTS.items()
}


def position_of_sides(mine: bytes, theirs: bytes, checkers: int) -> Position:
    """The position with these counts on points 1 to 24 and the bar, each side in its own numbering, 15 at most.

    Raises:
        PositionError: with all the problems of an impossible board.
    """
    return make_position(*board_of_halves(int.from_bytes(theirs, "big"), int.from_bytes(mine, "big"), checkers))


board_in: Callable[[Position], Board] = attrgetter("_board")
type.__setattr__(Position, "points", fast_points(POSITIONS, vars(Position)["points"]))
_ROLL_OF_FACES = {10 * first + second: roll for roll in ROLLS for first, second in (roll, tuple(roll)[::-1])}

# At the end, since positions and plays refer to each other; `board/__init__.py` always imports this module first.
from gammonrules.board.plays import Play, PlayLike, Plays, make_plays  # noqa: E402
