"""`Position`, a board as the player on roll sees it, with its plays, the errors for all others, and turns move by move.

All in one file, since they name each other: a position has plays, and a play leads to a position.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Never, NoReturn, Protocol, TypeAlias, overload

import attrs

from gammonrules._shared.checked_fields import Checked
from gammonrules._shared.guessed_names import explain_guesses
from gammonrules._shared.json_form import JsonField
from gammonrules._shared.pasted_text import with_plain_signs
from gammonrules.board import notation, position_id, refusals
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
    Packed,
    count_sides,
    flip,
    has_opposing,
    has_own,
    hits,
    is_race,
    longest_prime,
    opposing_pips,
    own_pips,
    pack,
    points_of,
    sides,
    unpack,
)
from gammonrules.board.generator import (
    Branch,
    Maker,
    Node,
    PlainMove,
    ResultBoards,
    faces_of,
    fast_points,
    legal_plays,
    moves_to,
    plays_of,
    turn_nodes,
)
from gammonrules.board.moves import Move, MoveLike, make_move, read_move, read_moves
from gammonrules.board.notation import PlayText
from gammonrules.board.position_kinds import PositionKind, position_kind_of
from gammonrules.board.possible_outcomes import possible_outcomes
from gammonrules.board.pure import own_slots, sources_and_steps, without
from gammonrules.board.refusals import IllegalPlayReason
from gammonrules.dice import ROLLS, Dice, DiceLike, dice_apart, receive_wrong_dice
from gammonrules.errors import ArgumentError, GammonError, PositionError, PositionProblem
from gammonrules.values import one_of, plain_text, shown, suggestion

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


class NoConstructor:
    """The base of values that come only from other values or class methods."""

    __slots__ = ()
    _made_by: ClassVar[str]

    # not `NoReturn`, since mypy then finds no class methods
    def __init__(self, *_: Never, **__: Never) -> None:
        raise TypeError(f"{type(self).__name__} has no constructor: use {self._made_by}")


class Win(JsonField, IntEnum):
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
class Outcome(Checked, JsonField):
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


@attrs.frozen(init=False, repr=False)
class Position(NoConstructor, JsonField):
    """A board as the player on roll sees it: their points are 24 to 1, their bar is 25, off is 0.

    Make one by `Position.start`, `Position.of`, `Position.from_points` or `Position.from_id`. Checkers that are neither
    on the board nor on the bar are off. Who the player on roll is, the dice and the cube are in `MatchState`.

    *Equality*: two positions are equal if they have the same checkers on the same points and the same number of
    checkers a side.

    Attributes:
        checkers: how many each side has, on the board and off; 15 except in variants such as Hypergammon.

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

    _made_by = "Position.start, Position.of, Position.from_points or Position.from_id"
    _board: Board
    checkers: int

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
            near = suggestion(name, START_NAMES)
            sentence = f"a start position must be {one_of(START_NAMES)}, not {shown(name)}{near}"
            raise PositionError(sentence, PositionProblem.UNKNOWN_START)
        return start

    @classmethod
    def of(
        cls, mine: Counts = EMPTY, theirs: Counts = EMPTY, *, checkers: int = STANDARD_CHECKERS
    ) -> Position:
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
        board, plain_checkers = board_of_sides(mine, theirs, checkers)
        return make_position(board, plain_checkers)

    @classmethod
    def from_points(cls, points: Sequence[int], *, checkers: int = STANDARD_CHECKERS) -> Position:
        """Make a position from 26 counts.

        Args:
            points: the counts, as in `Position.points`.
            checkers: how many each side has, on the board and off; 15 except in variants.

        Raises:
            PositionError: with all the problems of an impossible board.

        Examples:
            >>> Position.from_points(Position.start().points) == Position.start()
            True
        """
        board, plain_checkers = board_of_points(points, checkers)
        return make_position(board, plain_checkers)

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
        board, plain_checkers = board_of_halves(theirs, mine, checkers)
        return make_position(board, plain_checkers)

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
    def kind(self) -> PositionKind:
        """What players call this position, whoever is on roll: `PositionKind` defines each.

        Examples:
            >>> Position.from_id("4HPGAQPg28HBAA").kind
            <PositionKind.HOLDING_GAME: 'holding game'>
        """
        return position_kind_of(self._board)

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
            opponents_in_my_home = any(self.points[0:7])  # with those on their bar
            return Outcome(True, _win(self.opponent_off, is_near=opponents_in_my_home))
        if not has_opposing(self._board):
            mine_in_their_home = any(self.points[19:])  # with those on my bar
            return Outcome(False, _win(self.off, is_near=mine_in_their_home))
        return None

    @property
    def possible_outcomes(self) -> frozenset[Outcome]:
        """Every outcome to which this game can still lead by plays, over all rolls and legal plays of both sides.

        As the player on roll sees them; a finished game has its one. It tells which resignations can count, and whether
        a game is decided. Drops, resignations and forfeits are not plays. It is exact once the sides have passed each
        other, and also in most positions with contact; there it may contain an outcome that cannot happen, but it never
        lacks one that can.

        Source: the definitions of the three levels in all rule texts; that 66 and 21 are the fastest and the slowest
        rolls, and where they are not, is shown in `board/possible_outcomes.py`.

        Examples:
            >>> last_two = Position.of(mine={1: 2}, theirs={"bar": 1, 6: 14})
            >>> last_two.possible_outcomes
            frozenset({Outcome(won=True, win=<Win.BACKGAMMON: 3>)})
            >>> len(Position.start().possible_outcomes)
            6
        """
        outcome = self.outcome
        if outcome is not None:
            return frozenset([outcome])
        levels = possible_outcomes(self._board, self.checkers)
        return frozenset(_OUTCOME_OF_LEVEL[level] for level in levels)

    @property
    def is_shut_out(self) -> bool:
        """Whether I am on the bar against a closed board, so that no roll can be played.

        The opponent has made all six points of their home board. The turn passes without a move, whatever is rolled.

        Source: the rules of entering in all rule texts.

        Examples:
            >>> closed_board = dict.fromkeys(range(1, 7), 2)
            >>> Position.of(mine={"bar": 1, 6: 14}, theirs=closed_board).is_shut_out
            True
        """
        return self.bar > 0 and all(self.points[point] <= -2 for point in range(24, 18, -1))

    @property
    def id(self) -> str:
        """The GNU Backgammon Position ID, 14 characters.

        It does not include the number of checkers, the dice, the cube or the score. Pass `checkers` to
        `Position.from_id` if there are not 15 a side; for the rest, see `MatchState.gnubg_id`.

        Examples:
            >>> Position.start().id
            '4HPwATDgc/ABMA'
        """
        mine, theirs = sides(self._board)
        my_bits = position_id.bits_of_side(mine)
        their_bits = position_id.bits_of_side(theirs)
        return position_id.id_of_bits(their_bits, my_bits)

    def flip(self) -> Position:
        """The same board as the opponent sees it, who is then on roll.

        Examples:
            >>> after = Position.start().play("8/5 6/5", "31")  # the opponent is on roll
            >>> after.points[20], after.flip().points[5]
            (-2, 2)
        """
        return make_position(flip(self._board), self.checkers)

    # --- playing -----------------------------------------------------------------------------------

    @receive_wrong_dice()
    def legal_plays(self, dice: DiceLike, *_apart: *tuple[()]) -> Plays:
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
        if _apart:
            raise dice_apart("legal_plays(", dice, *_apart)
        roll = dice if type(dice) is Dice else _ROLL_OF_FACES.get(faces_of(dice))
        if roll is None:  # in none of the usual forms
            roll = Dice.of(dice)
        return make_plays(self, roll, legal_plays(self._board, roll.high, roll.low))

    @receive_wrong_dice()
    def play(self, play: PlayLike, dice: DiceLike, *_apart: *tuple[()]) -> Position:
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
        if _apart:
            raise dice_apart(f"play({shown(play)}, ", dice, *_apart)
        return self.legal_plays(dice).find(play).position

    def _remade(self) -> Position:
        return Position.from_points(self.points, checkers=self.checkers)

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r}{self._variant})"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - IPython and Hypothesis call it
        printer.text(self._spelled_out())

    def _spelled_out(self) -> str:
        """An expression for this position that shows where the checkers are."""
        my_side, their_side = sides(self._board)
        mine = str(_by_point(my_side)).replace("'", '"')
        theirs = str(_by_point(their_side)).replace("'", '"')
        return f"Position.of(mine={mine}, theirs={theirs}{self._variant})"

    @property
    def _variant(self) -> str:
        """The argument `checkers`, if it is not the default."""
        return "" if self.checkers == STANDARD_CHECKERS else f", checkers={self.checkers}"

    def __str__(self) -> str:
        from gammonrules.draw.text import position  # noqa: PLC0415  drawings are loaded when used

        return position(self)

    def _repr_svg_(self) -> str:
        return self._drawn()

    def _drawn(self, dice: Dice | None = None, arrows: Play | None = None) -> str:
        """The picture for a notebook, perhaps with a roll and a play of it."""
        from gammonrules.draw.svg import NOTEBOOK_STYLE, position  # noqa: PLC0415  drawings are loaded when used

        return position(self, dice=dice, arrows=arrows, style=NOTEBOOK_STYLE)


def start_of_games(start: StartName | Position) -> Position:
    """Read the argument `start` of games: a name as in `Position.start`, or a position in which the game goes on.

    Raises:
        ArgumentError: `start` is neither, or the game is over.
        PositionError: there is no start position with this name.
    """
    if isinstance(start, str):
        return Position.start(start)
    if not isinstance(start, Position):
        raise ArgumentError(
            f"start must be the name of a start position or a Position, not {shown(start)}"
        )
    if start.outcome is not None:
        raise ArgumentError("start: the game is over in this position")
    return start


class Printer(Protocol):
    """What IPython and Hypothesis pass to `_repr_pretty_`."""

    def text(self, text: str, /) -> None:
        """Print a text."""


def _by_point(side: bytes, off: int = 0) -> dict[int | str, int]:
    """The checkers of a side as the mapping that `Position.of` takes."""
    counts: dict[int | str, int] = {}
    for point, number in enumerate(side):
        if number:
            counts["bar" if point == BAR else point] = number
    if off:
        counts["off"] = off
    return counts


def _win(borne_off: int, *, is_near: bool) -> Win:
    """The level of a win over a loser who has borne off so many.

    `is_near`: whether one of the loser's checkers is in the winner's home or on the bar.
    """
    if borne_off:
        return Win.SINGLE
    return Win.BACKGAMMON if is_near else Win.GAMMON


# For boards that are known to be possible. The function has a name of its own, here and in other modules, since
# Python 3.11 takes longer to call a method of an imported object.
POSITIONS = Maker(Position, "_board", "checkers")
make_position = POSITIONS.make
_STARTS: Mapping[str, Position] = {
    name: Position.of(side, side, checkers=sum(side.values())) for name, side in STARTS.items()
}


def position_of_sides(mine: bytes, theirs: bytes, checkers: int) -> Position:
    """The position with these counts on points 1 to 24 and the bar, each side in its own numbering, 15 at most.

    Raises:
        PositionError: with all the problems of an impossible board.
    """
    their_half = int.from_bytes(theirs, "big")
    my_half = int.from_bytes(mine, "big")
    board, plain_checkers = board_of_halves(their_half, my_half, checkers)
    return make_position(board, plain_checkers)


_OUTCOME_OF_LEVEL = {
    **{int(win): Outcome(True, win) for win in Win},
    **{-int(win): Outcome(False, win) for win in Win},
}
board_in: Callable[[Position], Board] = attrgetter("_board")
type.__setattr__(Position, "points", fast_points(POSITIONS, vars(Position)["points"]))
_ROLL_OF_FACES = {
    **{10 * roll.high + roll.low: roll for roll in ROLLS},
    **{10 * roll.low + roll.high: roll for roll in ROLLS},
}


# --- the plays of a roll ----------------------------------------------------------------------------------------


class IllegalPlayError(GammonError):
    """Raised when a play is illegal.

    Attributes:
        reason: the rule that it breaks; None if the error was made from its sentence alone.
        witness: a legal play that proves it, or None if no play can.
        move: the `Move` that cannot be made.
        pips: how far `move` goes, where the dice do not give that.
        dice: the dice that the rule is about: those rolled or left (`DIE_NOT_ROLLED`), those that must be played
            (`BOTH_DICE`, `HIGHER_DIE`, `MORE_OF_DOUBLET`), the one that is too large (`HIGHER_CHECKER_FIRST`).
        point: the point that is blocked, empty, the opponent's, not hit, or where the checker stands that must move.
        count: how many checkers the opponent has on `point`, or how many dice are played (`MORE_OF_DOUBLET`).

    The last five are facts for messages in other languages. Each is None where it does not apply.

    Examples:
        >>> from gammonrules import Position
        >>> try:
        ...     Position.start().play("8/5", "31")
        ... except IllegalPlayError as error:
        ...     print(error.reason, error.witness, sep=": ")
        both_dice: 24/23 8/5
        >>> error = Position.start().legal_plays("51").why(24, 19)
        >>> print(error.reason, error.move, error.point, error.count)
        blocked_point 24/19 19 5
    """

    def __init__(
        self,
        message: str,
        reason: IllegalPlayReason | None = None,
        witness: Play | None = None,
        *,
        move: Move | None = None,
        pips: int | None = None,
        dice: tuple[int, ...] | None = None,
        point: int | None = None,
        count: int | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.witness = witness
        self.move = move
        self.pips = pips
        self.dice = dice
        self.point = point
        self.count = count


class AmbiguousPlayError(IllegalPlayError):
    """Raised when a string fits several legal plays, which hit different checkers.

    The `reason` is `IllegalPlayReason.AMBIGUOUS`.

    Attributes:
        candidates: the legal plays that the text fits.

    Examples:
        >>> from gammonrules import Position
        >>> board = Position.of(mine={24: 1}, theirs={3: 1, 7: 1})
        >>> try:
        ...     board.legal_plays("62").find("24/16")
        ... except AmbiguousPlayError as error:
        ...     print(*error.candidates, sep=" or ")
        24/18*/16 or 24/22*/16
    """

    def __init__(self, message: str, candidates: Iterable[Play] = ()) -> None:
        super().__init__(message, IllegalPlayReason.AMBIGUOUS)
        self.candidates = tuple(candidates)


@attrs.frozen(init=False, repr=False)
class Play(NoConstructor, JsonField):
    """A legal play of one roll: all the moves of a turn.

    Plays come from `Position.legal_plays` alone, so every `Play` is legal.

    *Equality*: two plays are equal if they lead from the same position to the same position, however they are written
    and whatever was rolled.

    Attributes:
        before: the position before the play.
        dice: the roll.
        position: the position after the play; the opponent is on roll.

    Examples:
        >>> play = Position.start().legal_plays("31").find("6/5 8/5")
        >>> str(play), play.moves[0]
        ('8/5 6/5', Move(from_point=8, to_point=5, hit=False))
        >>> play.before.legal_plays("31").find(play.position) == play
        True
    """

    _made_by = "Position.legal_plays"
    before: Position
    dice: Dice = attrs.field(eq=False)
    position: Position

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves in a legal order, high points first; empty if nothing can be played.

        They play as many dice as possible: the text "3/off" may stand for 3/2 and 2/off.

        Examples:
            >>> print(*Position.start().legal_plays("66").find("24/18(2) 13/7(2)").moves)
            24/18 24/18 13/7 13/7
        """
        made = self._plain_moves()
        if not made:
            return ()
        dice = self.dice.to_play  # the higher die first
        source, target, _ = made[0]
        is_low_die_first = source - target <= self.dice.low
        if is_low_die_first:
            dice = dice[::-1]
        # now the dice are in the order of the moves; some may be left
        moves: list[Move] = []
        for number, (source, target, hit) in enumerate(made):
            moves.append(make_move(source, target, hit, dice[number]))
        return tuple(moves)

    @property
    def is_dance(self) -> bool:
        """Whether nothing is moved, because nothing can be: a dance.

        Examples:
            >>> plays = Position.of(mine={"bar": 1}, theirs={6: 2, 5: 2}).legal_plays("65")
            >>> [play.is_dance for play in plays]
            [True]
        """
        return self.before.flip() == self.position

    def _remade(self) -> Play:
        return self.before.legal_plays(self.dice).find(self.position)

    def _plain_moves(self) -> list[PlainMove]:
        return (
            moves_to(self.before._board, self.dice.high, self.dice.low, self.position._board) or []
        )

    def __str__(self) -> str:
        dice = self.dice
        return notation.text_to(self.before._board, dice.high, dice.low, self.position._board)

    def __repr__(self) -> str:
        return f"<Play {self.dice}: {self}>"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.before._spelled_out()}.legal_plays("{self.dice}").find("{self}")')

    def _repr_svg_(self) -> str:
        return self.before._drawn(self.dice, self)


PlayLike: TypeAlias = str | Play | Position | Iterable[MoveLike]
"""Anything that functions accept as a play: see `Plays.find`."""


class _ContainsPlayLike(Container[PlayLike], ABC):
    """What `in` accepts in `Plays`, for mypy: from `Sequence[Play]` alone it infers that no string can be in it."""

    __slots__ = ()


@attrs.frozen(init=False, repr=False)
class Plays(NoConstructor, _ContainsPlayLike, Sequence[Play]):
    """The legal plays of one roll: an immutable sequence, one play for each distinct result.

    They come from `position.legal_plays(dice)`. Each `Play` is made when you ask for it; `len` makes none. A pickle
    contains the position and the roll; the plays are generated where it is read.

    `in`, `index` and `count` accept everything that `find` accepts. An illegal play is not in the plays. An ambiguous
    string is, and `count` returns how many plays it fits. Anything that is not a play raises the error of `find`.

    *Equality*: the same position and the same roll.

    Attributes:
        position: the position before the plays.
        dice: the roll.

    Examples:
        >>> plays = Position.start().legal_plays((6, 5))
        >>> len(plays), plays.find("24/13") in plays
        (7, True)
        >>> "24/13" in plays, "13/7 8/2" in plays, plays.index("24/13")
        (True, False, 0)
    """

    _made_by = "Position.legal_plays"
    position: Position
    dice: Dice
    _found: ResultBoards = attrs.field(eq=False)
    _tree: TurnTree = attrs.field(init=False, eq=False)

    def _remade(self) -> Plays:
        return self.position.legal_plays(self.dice)

    def __reduce__(self) -> tuple[Callable[[Position, Dice], Plays], tuple[Position, Dice]]:
        # a pickle may be read where the other generator is in use
        return Position.legal_plays, (self.position, self.dice)

    # --- the sequence ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Play]:
        return plays_of(
            self._found, _PLAYS, POSITIONS, self.position, self.dice, self.position.checkers
        )

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Play, ...]: ...
    def __getitem__(self, index: int | slice) -> Play | tuple[Play, ...]:
        if isinstance(index, slice):
            numbers = range(len(self))[index]
            return tuple(self._play(self._found[number]) for number in numbers)
        return self._play(self._found[index])

    # anything else raises an error here, unlike in other sequences
    def __contains__(self, play: PlayLike) -> bool:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        if isinstance(play, Play):
            return play.position._board in self._found and play.before == self.position
        return self.count(play) > 0

    def index(self, value: PlayLike, start: int = 0, stop: int | None = None) -> int:
        """The number of a play in this sequence; of an ambiguous string, the number of the first play that fits.

        Args:
            value: a play in any form that `Plays.find` accepts.
            start: the first number to look at, as in `list.index`.
            stop: the number before which to stop; None (the default) for the end.

        Raises:
            IllegalPlayError: the play is not legal. Like the error of `list.index`, it is a ValueError.
            ArgumentError: the play is legal, but not between `start` and `stop`; or `value` is not a play.
            ParseError: the string cannot be read.

        Examples:
            >>> plays = Position.start().legal_plays("31")
            >>> plays[plays.index("8/5 6/5")]
            <Play 31: 8/5 6/5>
        """
        fitting = self._fitting(value)
        results = [play.position._board for play in fitting]
        for number in range(len(self))[start:stop]:
            if self._found[number] in results:
                return number
        end = "the end" if stop is None else stop
        raise ArgumentError(f"{fitting[0]} is not among the plays from {start} to {end}")

    def count(self, value: PlayLike) -> int:
        """How many of these plays fit: 1 for a legal play, 0 for an illegal one, several for an ambiguous string.

        Args:
            value: a play in any form that `Plays.find` accepts.

        Raises:
            ArgumentError: `value` is not a play.
            ParseError: the string cannot be read.

        Examples:
            >>> plays = Position.start().legal_plays("31")
            >>> plays.count("8/5 6/5"), plays.count("8/5 8/7")
            (1, 1)
        """
        try:
            return len(self._fitting(value))
        except IllegalPlayError:
            return 0

    def _fitting(self, play: PlayLike) -> tuple[Play, ...]:
        """The legal plays that a play fits: one, or several for an ambiguous string. Raises the errors of `find`."""
        try:
            return (self.find(play),)
        except AmbiguousPlayError as error:
            return error.candidates

    def __repr__(self) -> str:
        plays = ", ".join(str(play) for play in self[:3])
        if len(self) > 3:
            plays += ", ..."
        return f"<Plays {self.dice}, {len(self)}: {plays}>"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.position._spelled_out()}.legal_plays("{self.dice}")')

    def _repr_svg_(self) -> str:
        return self.position._drawn(self.dice)

    # --- reading a play ----------------------------------------------------------------------------

    def find(self, play: PlayLike) -> Play:
        """Find the legal play for a text, moves, a `Play`, or the resulting position.

        Every usual spelling of a legal play is accepted, in any order and case: "13/7/5", "13/5", "bar/22* 6/4(2)",
        "25/22", "2/0", "8-5 6-5"; stars may be missing. "", "no play", "no move", "Cannot Move" and "Pass" are a dance;
        after moves, as in "bar/20 Pass", it means that the other die cannot be played. A text that may mean something
        else is refused: "6-5" alone, a roll or a score, and "8-5 6/5". Moves may be plain pairs: `[(8, 5), (6, 5)]`.

        A text is read as people paste it: "8/5; 6→5", "**8/5 6/5**?", "B/24", and with the roll before it, as in
        "31: 8/5 6/5", which must be this one.

        Args:
            play: text, a series of moves (see `MoveLike`), a `Play`, or a `Position` with the opponent on roll.

        Raises:
            ParseError: the text cannot be read.
            ArgumentError: `play` is none of these.
            IllegalPlayError: the play is not legal; `reason` is the rule that it breaks and `witness` a legal play that
                proves it, if there is one.
            AmbiguousPlayError: the text fits several plays, which hit different checkers.

        Examples:
            >>> board = Position.of(mine={24: 1, 8: 1, 1: 13}, theirs={9: 2, 19: 2})
            >>> plays = board.legal_plays("62")
            >>> plays.find([(8, 2), (24, 22)])
            <Play 62: 24/22 8/2>
            >>> try:
            ...     plays.find("24/18")
            ... except IllegalPlayError as error:
            ...     print(error)
            "24/18" with 62: both dice can be played (24/22 8/2), but this plays only one
        """
        if isinstance(play, Play):
            return self._own(play)
        if isinstance(play, Position):
            return self._leading_to(play)
        text = plain_text(play)
        if text is None:
            chains = notation.chains_of(read_moves(play))
        else:
            play_text = notation.parse_play(text)
            chains = play_text.chains
            if self._is_of_another_roll(play_text):
                words = f'"{with_plain_signs(text)}" with {self.dice}'
                sentence = f"{words}: this is a play of another roll"
                raise IllegalPlayError(sentence, IllegalPlayReason.OTHER_POSITION)
        by_die = text is None  # a move is made with one die, a chain of a text perhaps with several
        roll = self._roll
        reading = notation.read_chains(roll, chains, by_die=by_die)
        if len(reading.results) == 1:
            return self._play(reading.results[0])
        # there are several results, or none
        shown_text = notation.spell_play(chains) if text is None else with_plain_signs(text)
        words = f'"{shown_text}" with {self.dice}'
        if reading.results:
            raise self._ambiguous(words, reading.results)
        refusal = refusals.why(roll, chains, reading, by_die=by_die)
        raise self._illegal(f"{words}: ", refusal)

    def _is_of_another_roll(self, play_text: PlayText) -> bool:
        """Whether a text begins with a roll that is not this one."""
        return play_text.roll is not None and play_text.roll != self.dice

    def _ambiguous(self, words: str, results: tuple[Board, ...]) -> AmbiguousPlayError:
        candidates = [self._play(result) for result in results]
        texts = " or ".join(str(candidate) for candidate in candidates)
        return AmbiguousPlayError(
            f"{words}: several plays fit, which hit different checkers: {texts}", candidates
        )

    def _illegal(self, prefix: str, refusal: refusals.Refusal) -> IllegalPlayError:
        witness = None if refusal.witness is None else self._play(refusal.witness)
        return IllegalPlayError(prefix + refusal.sentence, refusal.reason, witness, **refusal.facts)

    def _own(self, play: Play) -> Play:
        if play in self:
            return self._play(play.position._board)
        sentence = f'"{play}" with {self.dice}: this play belongs to another position or roll'
        raise IllegalPlayError(sentence, IllegalPlayReason.OTHER_POSITION)

    def _leading_to(self, position: Position) -> Play:
        if position.checkers == self.position.checkers and position._board in self._found:
            return self._play(position._board)
        sentence = f"{position.id} with {self.dice}: no legal play leads to this position"
        if position.flip()._board in self._found:
            sentence += " (it is seen from the wrong side: try its flip())"
        raise IllegalPlayError(sentence, IllegalPlayReason.OTHER_POSITION)

    def _play(self, result: Board) -> Play:
        return _make_play(self.position, self.dice, make_position(result, self.position.checkers))

    @property
    def _roll(self) -> notation.Roll:
        return notation.Roll(self.position._board, self.dice, self._found)

    # --- a turn, checker by checker ----------------------------------------------------------------

    def next_moves(self, so_far: Iterable[MoveLike] = ()) -> tuple[Move, ...]:
        """The moves that may come next in a turn, high points first.

        Whichever you choose, the turn can be completed, and every legal play can be reached this way.

        Args:
            so_far: the moves already made in this turn, in order; none by default.

        Raises:
            IllegalPlayError: these moves cannot have been made.
            ArgumentError: `so_far` is not a series of moves.

        Examples:
            >>> plays = Position.start().legal_plays("65")
            >>> print(*plays.next_moves([(24, 18)]))
            18/13 13/8 8/3
        """
        stage = self._replay(so_far)
        moves: list[Move] = []
        for source, target, die, _ in sorted(stage.moves, reverse=True):
            moves.append(make_move(source, target, hits(stage.board, target), die))
        return tuple(moves)

    def combined_moves(self, so_far: Iterable[MoveLike] = ()) -> tuple[tuple[Move, ...], ...]:
        """Everything that one checker can do next, with one die or several: what a click on two points may mean.

        There is one series of moves for each pair of points between which a checker can move, such that the turn can
        still be completed. If there are several, it is the one that hits least on the way, then the one with the fewest
        moves, then the one that plays the higher die first.

        Arguments and errors are those of `Plays.next_moves`.

        Returns:
            Series of moves, high points first. Those with a single move are the `next_moves`.

        Examples:
            >>> plays = Position.start().legal_plays("61")
            >>> for series in plays.combined_moves():
            ...     print(*series, sep=", ")
            24/23
            24/18
            13/7
            13/7, 7/6
            8/7
            8/2
            6/5
        """
        series_of_way = self._replay(so_far).series()
        highest_first = sorted(series_of_way, reverse=True)
        return tuple(series_of_way[way] for way in highest_first)

    def dice_left(self, so_far: Iterable[MoveLike] = ()) -> tuple[int, ...]:
        """The dice that have not been played, the higher first; a doublet counts as four dice.

        Dice that cannot be played are included, unless the game is over. If a checker can have been borne off by either
        die, the smaller is taken as played.

        Arguments and errors are those of `Plays.next_moves`.

        Examples:
            >>> plays = Position.start().legal_plays("65")
            >>> plays.dice_left(), plays.dice_left([(24, 18)])
            ((6, 5), (5,))
        """
        stage = self._replay(so_far)
        is_over = not self._found or not own_slots(stage.board)
        return () if is_over else stage.dice

    def is_complete(self, so_far: Iterable[MoveLike] = ()) -> bool:
        """Whether the turn is over after these moves, since nothing more can be played.

        Arguments and errors are those of `Plays.next_moves`.

        Examples:
            >>> plays = Position.start().legal_plays("65")
            >>> plays.is_complete([(24, 18)]), plays.is_complete([(24, 18), (18, 13)])
            (False, True)
        """
        return not self._replay(so_far).moves

    def points_after(self, so_far: Iterable[MoveLike] = ()) -> tuple[int, ...]:
        """The board in the middle of a turn: 26 counts as the player on roll sees them (see `Position.points`).

        Arguments and errors are those of `Plays.next_moves`.

        Examples:
            >>> points = Position.start().legal_plays("65").points_after([(24, 18)])
            >>> points[24], points[18]
            (1, 1)
        """
        return points_of(unpack(self._replay(so_far).board))

    def tree(self) -> TurnTree:
        """The whole turn in one value: every order of moves that is a legal play. It is made once.

        Examples:
            >>> tree = Position.start().legal_plays("65").tree()
            >>> from_point, to_point, die, next_node = tree.nodes[0][0]
            >>> from_point, to_point, die, tree.nodes[next_node][0]
            (24, 18, 6, (18, 13, 5, 6))
        """
        if not hasattr(self, "_tree"):
            nodes = turn_nodes(self.position._board, self.dice.high, self.dice.low)
            object.__setattr__(self, "_tree", _make_tree(self.position, self.dice, nodes))
        return self._tree

    def why(
        self, from_point: int, to_point: int, so_far: Iterable[MoveLike] = ()
    ) -> IllegalPlayError | None:
        """Why a checker cannot go from one point to another now; None if it can, with one die or several.

        The error is returned, not raised. Its text is one sentence, to be shown where the move was tried. If one die
        would bear the checker off and leave the other unplayed, it says how both do so.

        Args:
            from_point: 24 to 1, or 25 for the bar; any other point that exists has its reason too.
            to_point: 24 to 1, or 0 for off.
            so_far: see `Plays.next_moves`.

        Raises:
            IllegalPlayError: the moves so far cannot have been made.
            ArgumentError: a point does not exist, or `so_far` is not a series of moves.

        Examples:
            >>> plays = Position.start().legal_plays("65")
            >>> print(plays.why(24, 19))
            24/19 is blocked, since the opponent holds the 19 point with 5 checkers
            >>> print(plays.why(13, 7, [(24, 18)]))
            the 6 has been played already
            >>> plays.why(24, 13) is None
            True
        """
        source, target, _ = read_move((from_point, to_point))
        stage = self._replay(so_far)
        series = stage.series().get((source, target), ())
        is_borne_off_by_one_die = target == 0 and source <= max(stage.dice, default=0)
        needs_several_dice = len(series) > 1
        if is_borne_off_by_one_die and needs_several_dice:  # one would leave the other unplayed
            alone: PlainMove = (source, target, False)
            return self._illegal("", refusals.why_unfinished(self._roll, [alone]))
        if series:
            return None
        refusal = refusals.why_not(self._roll, stage.board, stage.dice, source, target)
        return self._illegal("", refusal)

    def _replay(self, so_far: Iterable[MoveLike]) -> Stage:
        """The stage of the turn after some moves."""
        made = read_moves(so_far)
        stage = Stage(self.tree().nodes, pack(self.position._board), self.dice.to_play)
        for number, (source, target, hit) in enumerate(made, 1):
            move = stage.move_between(source, target)
            if move is None:
                up_to_this_one = made[:number]
                self._refuse_path(up_to_this_one)
            if hit and not hits(stage.board, target):
                text = notation.canonical_text([(source, target, hit)])
                prefix = f'"{text}" with {self.dice}: '
                raise self._illegal(prefix, refusals.nothing_to_hit(target))
            stage = stage.after(move)
        return stage

    def _refuse_path(self, made: list[PlainMove]) -> NoReturn:
        """Raise the error that says what is wrong with a series of moves."""
        # `find` raises the error, unless only their order or their number is wrong
        legal_play_of_these = self.find(made)
        are_too_few = len(made) < len(legal_play_of_these.moves)
        if are_too_few:
            words = notation.spell_play(notation.chains_of(made))
            refusal = refusals.why_unfinished(self._roll, made)
            raise self._illegal(f'"{words}" with {self.dice}: ', refusal)
        source, target, hit = made[-1]
        text = notation.canonical_text([(source, target, hit)])
        sentence = f'"{text}" with {self.dice}: it cannot be played at this point of the turn'
        move = make_move(source, target, hit, None)
        raise IllegalPlayError(sentence, IllegalPlayReason.OTHER_ORDER, move=move)


def legal_play(plays: Plays, text: str) -> Play | None:
    """The same as `Plays.find`, but None for an illegal play, in a fraction of the time.

    Raises:
        ParseError: the text cannot be read.
        AmbiguousPlayError: the text fits several plays, which hit different checkers.
    """
    play_text = notation.parse_play(text)
    if plays._is_of_another_roll(play_text):
        return None
    results = notation.read_chains(plays._roll, play_text.chains, by_die=False).results
    if not results:
        return None
    if len(results) == 1:
        return plays._play(results[0])
    return plays.find(text)  # which raises the error with the plays that fit


def play_to(plays: Plays, board: Board) -> Play | None:
    """The play that leads to a board as the opponent sees it, or None if no legal play does."""
    return plays._play(board) if board in plays._found else None


_PLAYS = Maker(Play, "before", "dice", "position")
_make_play = _PLAYS.make
make_plays = Maker(Plays, "position", "dice", "_found").make
"""Makes `Plays` from results that are known to be legal."""


# --- a turn move by move ----------------------------------------------------------------------------------------


@attrs.frozen(init=False)
class TurnTree(NoConstructor):
    """Every order of moves that ends in a legal play of one roll, for a board that walks through it.

    Each plays as many dice as possible, also where fewer would lead to the same position. A last checker alone may be
    borne off by fewer if nothing else comes of it, since the game is over: with 6-1 from the 2 point by 2/off and
    2/1/off.

    It comes from `Plays.tree`.

    *Equality*: the same position and the same roll.

    Attributes:
        position: the position before the turn.
        dice: the roll.
        nodes: the boards on the way, each with its dice left, as tuples of the moves that may come next:
            `(from_point, to_point, die, next_node)`, where `next_node` is the index of the node after the move. They
            stand in order: high points first, then the higher die. Node 0 is the start; in a node without moves the
            turn is finished. Where either die bears a checker off, there is one move, with the smaller die.

    Examples:
        >>> board = Position.of(mine={5: 1, 3: 1}, theirs={6: 2})
        >>> tree = board.legal_plays("41").tree()
        >>> tree.nodes[0]
        ((5, 1, 4, 1), (5, 4, 1, 2), (3, 2, 1, 3))
        >>> tree.nodes[2]
        ((4, 0, 4, 5),)
    """

    _made_by = "Plays.tree"
    position: Position
    dice: Dice
    nodes: tuple[Node, ...] = attrs.field(eq=False, repr=False)

    def _remade(self) -> TurnTree:
        return self.position.legal_plays(self.dice).tree()

    @property
    def boards(self) -> tuple[tuple[int, ...], ...]:
        """The board at each node: 26 counts as the player on roll sees them (see `Position.points`).

        Examples:
            >>> tree = Position.start().legal_plays("65").tree()
            >>> _, _, _, next_node = tree.nodes[0][0]  # 24/18
            >>> board = tree.boards[next_node]
            >>> board[24], board[18]
            (1, 1)
        """
        start = Stage(self.nodes, pack(board_in(self.position)), self.dice.to_play)
        stage_of_node = {0: start}
        boards: list[tuple[int, ...]] = []
        for node in range(len(self.nodes)):
            # it is there, since a node stands after those that lead to it
            stage = stage_of_node[node]
            boards.append(points_of(unpack(stage.board)))
            for move in stage.moves:
                after = stage.after(move)
                stage_of_node[after.node] = after
        return tuple(boards)

    @property
    def data(self) -> dict[str, list[int] | list[list[int]]]:
        """The tree as plain data: `points` (see `Position.points`), `dice`, and `nodes` with four numbers for a move.

        Examples:
            >>> board = Position.of(mine={1: 1}, theirs={6: 2})
            >>> board.legal_plays("21").tree().data["nodes"]
            [[1, 0, 1, 1], []]
        """
        return {
            "points": list(self.position.points),
            "dice": [self.dice.high, self.dice.low],
            "nodes": [[*chain.from_iterable(node)] for node in self.nodes],
        }

    def to_json(self) -> str:
        """`data` as compact JSON: usually 1 kB, and less than 175 kB, since no turn has more than 12,240 moves.

        Examples:
            >>> board = Position.of(mine={1: 1}, theirs={6: 2})
            >>> board.legal_plays("21").tree().to_json()[-36:]
            '"dice":[2,1],"nodes":[[1,0,1,1],[]]}'
        """
        import json  # noqa: PLC0415 - it takes time to load, and few programs need it

        return json.dumps(self.data, separators=(",", ":"))


_make_tree = Maker(TurnTree, "position", "dice", "nodes").make


class Stage(NamedTuple):
    """A board in the middle of a turn."""

    nodes: tuple[Node, ...]
    board: Packed
    dice: tuple[int, ...]
    """Those left."""
    node: int = 0

    @property
    def moves(self) -> Node:
        """The moves that may come next."""
        return self.nodes[self.node]

    def move_between(self, source: int, target: int) -> Branch | None:
        """The one of them that goes from one point to another, if any does."""
        for move in self.moves:
            if move[0] == source and move[1] == target:
                return move
        return None

    def after(self, move: Branch) -> Stage:
        """The stage after one of them."""
        source, _, die, node = move
        _, steps = sources_and_steps(self.board, die)
        board = self.board + steps[source]
        return Stage(self.nodes, board, without(die, self.dice), node)

    def series(self) -> dict[tuple[int, int], tuple[Move, ...]]:
        """For everything one checker can do next, with one die or several, the series that hits least on the way.

        They are by the points from which and to which the checker goes.
        """
        best: dict[tuple[int, int], tuple[Move, ...]] = {}

        def go_on(series: tuple[Move, ...], stage: Stage) -> None:
            for branch in stage.moves:
                source, target, die, _ = branch
                if series and series[-1].to_point != source:
                    continue  # another checker
                longer = (*series, make_move(source, target, hits(stage.board, target), die))
                start = longer[0].from_point
                way = (start, target)
                if way not in best or _rank(longer) < _rank(best[way]):
                    best[way] = longer
                go_on(longer, stage.after(branch))

        go_on((), self)
        return best


def _rank(series: tuple[Move, ...]) -> tuple[int, list[int]]:
    """Lower is better: fewer hits on the way, then no stop, then stops at lower points, as after the higher die."""
    on_the_way = series[:-1]
    hits_on_the_way = sum(1 for move in on_the_way if move.hit)
    stops = [move.to_point for move in on_the_way]
    return hits_on_the_way, stops


explain_guesses(Position)
