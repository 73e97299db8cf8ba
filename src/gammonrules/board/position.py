"""A board as the player on roll sees it, the plays of a roll, and the result of a finished game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property
from types import MappingProxyType
from typing import NoReturn, Protocol, cast, overload

import attrs

from gammonrules.board import notation, position_id
from gammonrules.board.encoding import (
    BAR,
    SLOTS,
    Board,
    Packed,
    flip,
    has_opposing,
    has_own,
    hits,
    pack,
    pack_flipped,
    points_of,
    unpack,
)
from gammonrules.board.generator import Boards, Maker, PlainMove, faces_of, legal_plays, moves_to, plays_of, read_points
from gammonrules.board.setup import (
    STANDARD_CHECKERS,
    START_NAMES,
    StartName,
    board_of_halves,
    board_of_points,
    board_of_sides,
    board_of_start,
)
from gammonrules.board.turn import Stage, Turn
from gammonrules.dice import ROLLS, Dice, DiceLike
from gammonrules.errors import (
    AmbiguousPlayError,
    ArgumentError,
    BrokenRule,
    GammonError,
    IllegalPlayError,
    ParseError,
)
from gammonrules.limits import MOST_MOVES
from gammonrules.values import first_items, make_plain, plain_text, shown

__all__ = ["START_NAMES", "Counts", "Move", "Outcome", "Play", "Plays", "Position", "StartName", "Win"]

_BAR_NAME = '"bar"'
_NONE: Mapping[int | str, int] = MappingProxyType({})


class Counts(Protocol):
    """A mapping of points to numbers of checkers, as `Position.of` takes it: `{24: 2, "bar": 1}`, `dict[int, int]`, ...

    What keys there may be, and that it is a mapping indeed, is checked there.
    """

    def items(self) -> Iterable[tuple[int | str, int]]:
        """Each point with its checkers."""
        ...


class Win(IntEnum):
    """How much a game is won by; the number multiplies the cube.

    *Equality*: that of its number, as for any IntEnum.

    Source: the same in all rule texts; the Finnish rules leave out "none borne off" for the backgammon, which the
    others and the tournament rules require.

    Examples:
        >>> 4 * Win.GAMMON
        8
    """

    SINGLE = 1
    """The loser has borne off a checker, or only single games count."""
    GAMMON = 2
    """The loser has borne off none."""
    BACKGAMMON = 3
    """And moreover has a checker on the bar or in the winner's home board."""


@attrs.frozen
class Outcome:
    """How a finished game ended, as the player on roll sees it.

    *Equality*: by both fields.

    Attributes:
        won: whether the player on roll has won (after a last play he has lost).
        win: single, gammon or backgammon.

    Raises:
        GammonError: values of other types.

    Examples:
        >>> Position.of(mine={6: 15}).outcome
        Outcome(won=False, win=<Win.GAMMON: 2>)
    """

    won: bool
    win: Win

    def __attrs_post_init__(self) -> None:
        if type(self.won) is not bool or type(self.win) is not Win:
            wrong = f"{shown(self.won)} and {shown(self.win)}"
            raise GammonError(f"an outcome is True or False and a Win, not {wrong}")


@attrs.frozen
class Move:
    """One checker moved by one die, in the numbering of the player who moves.

    *Equality*: by all three fields.

    Attributes:
        from_point: 24 to 1, or 25 for the bar.
        to_point: 24 to 1, or 0 for off.
        hit: whether a checker of the opponent is hit there.

    Raises:
        ArgumentError: a point that is no whole number from 0 to 25, or a `hit` that is no bool. Whether a move is
            legal, backward moves too, only `Plays` tells.

    Examples:
        >>> print(Move(25, 22, hit=True))
        bar/22*
    """

    from_point: int
    to_point: int
    hit: bool = False

    def __attrs_post_init__(self) -> None:
        make_plain(self, "from_point", "to_point")
        for point in (self.from_point, self.to_point):
            if type(point) is not int or not 0 <= point <= BAR:
                raise ArgumentError(f"a move leads from point to point, 0 (off) to 25 (bar), not {shown(point)}")
        if type(self.hit) is not bool:
            raise ArgumentError(f"a move hits or does not, True or False, not {shown(self.hit)}")

    def __str__(self) -> str:
        return notation.write([(self.from_point, self.to_point, self.hit)])


@attrs.frozen(init=False, repr=False)
class Position:
    """A board as the player on roll sees it: his points run 24 to 1, his bar is 25, off is 0.

    Make one with `start`, `of`, `from_points` or `from_id`; each refuses an impossible board with all its
    problems. What is on neither board nor bar is off.

    *Equality*: the same checkers on the same points and the same number of checkers in the game. Who the
    player on roll is, the dice and the cube belong to `MatchState`.

    Attributes:
        checkers: checkers of each side, on the board and off; 15 except in variants such as Hypergammon.

    Examples:
        >>> pos = Position.start()
        >>> pos.points[24], pos.points[19], pos.pip_count
        (2, -5, 167)
        >>> Position.from_id(pos.id) == pos
        True
    """

    _board: Board
    checkers: int

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError("make a Position with Position.start(), of(), from_points() or from_id()")

    # --- making one --------------------------------------------------------------------------------

    @classmethod
    def _unchecked(cls, board: Board, checkers: int) -> Position:
        """A position that is known to be possible (results of move generation)."""
        return _POSITIONS.make(board, checkers)

    @classmethod
    def start(cls, name: StartName = "standard") -> Position:
        """The start of a game.

        Args:
            name: "standard" (24:2 13:5 8:3 6:5 on each side, 167 pips), "nackgammon" (24:2 23:2 13:4 8:3 6:4, 194
                pips), "longgammon" (all 15 on 24, 360 pips), or "hypergammon" with three checkers a side (24:1 23:1
                22:1, 69 pips), "hypergammon2" with the first two of them, "hypergammon1" with the first.

        Raises:
            PositionError: there is no such start.

        Examples:
            >>> Position.start().id, Position.start("hypergammon").checkers
            ('4HPwATDgc/ABMA', 3)
        """
        return cls._unchecked(*board_of_start(name))

    @classmethod
    def of(
        cls,
        mine: Counts = _NONE,
        theirs: Counts = _NONE,
        *,
        checkers: int = STANDARD_CHECKERS,
    ) -> Position:
        """A position from the checkers of both sides, each in its own numbering.

        Args:
            mine: checkers of the player on roll by point: 1 to 24, "bar" (or 25), "off" (or 0; may be
                left out, and is checked if given).
            theirs: the opponent's, in the opponent's numbering.
            checkers: of each side, on the board and off; 15 unless given.

        Raises:
            PositionError: with all the problems of an impossible board.

        Examples:
            >>> Position.of(mine={24: 1, 13: 2, "bar": 1}, theirs={24: 2, 6: 3, "off": 10}).id
            '4AAADAAMgAIAAA'
        """
        return cls._unchecked(*board_of_sides(mine, theirs, checkers))

    @classmethod
    def from_points(cls, points: Sequence[int], *, checkers: int = STANDARD_CHECKERS) -> Position:
        """A position from 26 counts, mine positive, the opponent's negative, as in `points`.

        Raises:
            PositionError: with all the problems of an impossible board.

        Examples:
            >>> Position.from_points(Position.start().points) == Position.start()
            True
        """
        board, checkers = board_of_points(points, checkers)
        return _POSITIONS.make(board, checkers)

    @classmethod
    def from_id(cls, text: str, *, checkers: int = STANDARD_CHECKERS) -> Position:
        """A position from a GNU Backgammon Position ID.

        The label "Position ID:" and the padding "==" may be there.

        Raises:
            IdentifierError: the text is no Position ID.
            PositionError: it describes an impossible board.

        Examples:
            >>> Position.from_id("4HPwATDgc/ABMA") == Position.start()
            True
        """
        theirs, mine = position_id.decode(text)
        board, checkers = board_of_halves(theirs, mine, checkers)
        return _POSITIONS.make(board, checkers)

    # --- what is on it -----------------------------------------------------------------------------

    @property
    def points(self) -> tuple[int, ...]:
        """26 counts, mine positive and the opponent's negative.

        Index 1 to 24 are the points, 25 is my bar, 0 the opponent's bar.
        """
        return read_points(self)

    @property
    def off(self) -> int:
        """My checkers borne off."""
        return self.checkers - sum(n for n in self.points if n > 0)

    @property
    def opponent_off(self) -> int:
        """The opponent's checkers borne off."""
        return self.checkers + sum(n for n in self.points if n < 0)

    @property
    def pip_count(self) -> int:
        """The pips that I need to bear everything off; a checker on the bar counts 25."""
        return sum(point * n for point, n in enumerate(self.points) if n > 0)

    @property
    def opponent_pip_count(self) -> int:
        """The pips that the opponent needs."""
        return sum((point - BAR) * n for point, n in enumerate(self.points) if n < 0)

    @property
    def blots(self) -> tuple[int, ...]:
        """My points with a single checker, the highest first (the bar is no point)."""
        points = self.points
        return tuple(point for point in range(24, 0, -1) if points[point] == 1)

    @property
    def made_points(self) -> tuple[int, ...]:
        """My points with two checkers or more, the highest first.

        Examples:
            >>> Position.start().made_points
            (24, 13, 8, 6)
        """
        points = self.points
        return tuple(point for point in range(24, 0, -1) if points[point] >= 2)

    @property
    def is_race(self) -> bool:
        """Whether the sides have passed each other, so that nobody can hit or block any more."""
        points = self.points
        rear = max((point for point, n in enumerate(points) if n > 0), default=0)
        return all(n >= 0 for n in points[:rear])

    @property
    def outcome(self) -> Outcome | None:
        """None while both sides have checkers left, then who has won and how much.

        Source: gammon if the loser has none off; backgammon if moreover a checker of his is on the bar or
        in the winner's home board.

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

        It does not carry the number of checkers, the dice, the cube or the score. `Position.from_id` takes `checkers`
        where they are not 15, and a `MatchState` puts the rest beside a board.
        """
        points = self.points
        theirs = [max(-points[BAR - point], 0) for point in range(1, SLOTS)]
        return position_id.encode(theirs, [max(n, 0) for n in points[1:]])

    def flip(self) -> Position:
        """The same board seen by the other side, who is then on roll."""
        return Position._unchecked(flip(self._board), self.checkers)

    # --- playing -----------------------------------------------------------------------------------

    def legal_plays(self, dice: DiceLike) -> Plays:
        """Every legal play of a roll, one for each distinct resulting position.

        A roll that cannot be played at all has one play without moves; a finished game has none.

        The rules: a checker on the bar enters before any other moves; no point held by two or more opposing checkers
        is entered; as many dice as possible are played, and the higher one if only one of two can be; bearing off
        begins when all checkers are home, and a die too large for any takes the rearmost. Source: all rule texts,
        for the higher die the Finnish and the Philos rules and the tournament rules (the others are silent).

        On a `MatchState` this is a property, since the dice lie on the table.

        Raises:
            DiceError: the dice are no roll.

        Examples:
            >>> len(Position.start().legal_plays("31"))
            16
        """
        roll = dice if type(dice) is Dice else _ROLL_OF_FACES.get(faces_of(dice)) or Dice.of(dice)
        return _PLAYS_OF_A_ROLL.make(self, roll, legal_plays(self._board, roll.high, roll.low))

    def play(self, play: str | Play | Iterable[Move], dice: DiceLike) -> Position:
        """The position after a play, with the opponent on roll.

        Raises:
            DiceError: the dice are no roll.
            ParseError: the text cannot be read.
            IllegalPlayError: the play is not legal; its `reason` names the rule.

        Examples:
            >>> Position.start().play("8/5 6/5", "31").id
            'sGfwATDgc/ABMA'
        """
        return self.legal_plays(dice).find(play).position

    def __repr__(self) -> str:
        return f"Position.from_id({self.id!r}{self._variant})"

    def _repr_pretty_(self, printer: _Printer, _cycle: bool) -> None:  # noqa: FBT001 - IPython and Hypothesis call it
        printer.text(self._spelled_out())

    def _spelled_out(self) -> str:
        """The expression for this position that tells a person where the checkers are."""
        mine = _spelled_side((point, n) for point, n in enumerate(self.points) if n > 0)
        theirs = _spelled_side((point, n) for point, n in enumerate(self.flip().points) if n > 0)
        return f"Position.of(mine={mine}, theirs={theirs}{self._variant})"

    @property
    def _variant(self) -> str:
        """The argument for an unusual number of checkers."""
        return "" if self.checkers == STANDARD_CHECKERS else f", checkers={self.checkers}"

    def __str__(self) -> str:
        from gammonrules.draw.text import board  # noqa: PLC0415  drawings are loaded when used

        return board(self)

    def _repr_svg_(self) -> str:
        from gammonrules.draw.svg import USUAL_WIDTH, board  # noqa: PLC0415  drawings are loaded when used

        return board(self, width=USUAL_WIDTH)


class _Printer(Protocol):
    """What IPython and Hypothesis pass to `_repr_pretty_`."""

    def text(self, text: str, /) -> None:
        """Print this."""


def _spelled_side(counts: Iterable[tuple[int, int]]) -> str:
    """The checkers of a side as the mapping that `Position.of` takes."""
    named = (f"{_BAR_NAME if point == BAR else point}: {number}" for point, number in counts)
    return f"{{{', '.join(named)}}}"


def _win(home_and_bar: Iterable[int], borne_off: int) -> Win:
    """The level of a win, from what the loser has in the winner's home board and on the bar, and off."""
    if borne_off:
        return Win.SINGLE
    return Win.BACKGAMMON if any(home_and_bar) else Win.GAMMON


# --- plays -----------------------------------------------------------------------------------------


@attrs.frozen(init=False, eq=False, repr=False)
class Play:
    """A whole turn: the use of one roll by the player on roll.

    Plays come from `Plays`; there is no other way to make one, so each is legal.

    *Equality*: two plays are equal if they lead from the same position to the same position, however they
    are written and whatever was rolled.

    Attributes:
        before: the position in which it is played.
        dice: the roll.
        position: the position after it; the opponent is on roll.

    Examples:
        >>> play = Position.start().legal_plays("31").find("6/5 8/5")
        >>> str(play), play.moves
        ('8/5 6/5', (Move(from_point=8, to_point=5, hit=False), Move(from_point=6, to_point=5, hit=False)))
    """

    before: Position
    dice: Dice
    position: Position

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError("a Play comes from Position.legal_plays(dice)")

    @property
    def moves(self) -> tuple[Move, ...]:
        """The single moves in a legal order, high points first; empty if nothing can be played."""
        return tuple(Move(*move) for move in self._plain_moves())

    def _plain_moves(self) -> list[PlainMove]:
        return moves_to(self.before._board, self.dice.high, self.dice.low, self.position._board) or []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self.position == other.position and self.before == other.before

    def __hash__(self) -> int:
        return hash((self.position, self.before))

    def __str__(self) -> str:
        return notation.write(self._plain_moves())

    def __repr__(self) -> str:
        return f"<Play {self.dice}: {self}>"

    def _repr_pretty_(self, printer: _Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.before._spelled_out()}.legal_plays("{self.dice}").find("{self}")')


@attrs.frozen(init=False, eq=False, repr=False)
class Plays(Sequence[Play]):
    """The legal plays of one roll: an immutable sequence, one play for each distinct result.

    Plays are decoded when they are asked for; `len` and `in` decode nothing.

    *Equality*: the same position and the same roll.

    Attributes:
        position: the position in which they may be played.
        dice: the roll.

    Examples:
        >>> plays = Position.start().legal_plays((6, 5))
        >>> len(plays), plays.find("24/13") in plays
        (7, True)
    """

    position: Position
    dice: Dice
    _found: Boards

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError("Plays come from Position.legal_plays(dice)")

    def __reduce__(self) -> tuple[Callable[..., Plays], tuple[Position, Dice]]:
        return Position.legal_plays, (self.position, self.dice)  # a copy may live where the other twin is in use

    # --- the sequence ------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Play]:
        return plays_of(self._found, _PLAYS, _POSITIONS, self.position, self.dice, self.position.checkers)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Play, ...]: ...
    def __getitem__(self, index: int | slice) -> Play | tuple[Play, ...]:
        if isinstance(index, slice):
            return tuple(self._play(self._found[one]) for one in range(*index.indices(len(self))))
        return self._play(self._found[index])

    def __contains__(self, play: object) -> bool:
        return isinstance(play, Play) and play.position._board in self._found and play.before == self.position

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Plays):
            return NotImplemented
        return (self.position, self.dice) == (other.position, other.dice)

    def __hash__(self) -> int:
        return hash((self.position, self.dice))

    def __repr__(self) -> str:
        first = ", ".join(str(play) for play in self[:3])
        return f"<Plays {self.dice}, {len(self)}: {first}{', ...' if len(self) > 3 else ''}>"

    def _repr_pretty_(self, printer: _Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.position._spelled_out()}.legal_plays("{self.dice}")')

    # --- reading a play ----------------------------------------------------------------------------

    def find(self, play: str | Play | Iterable[Move]) -> Play:
        """The legal play that a text, a `Play` or a series of moves means.

        Every spelling of a legal play is accepted, in any order and case: "13/7/5", "13/5", "bar/22* 6/4(2)",
        "25/22", "2/0"; stars may be missing. "", "no play" and "Cannot Move" are a pass.

        Raises:
            ParseError: the text cannot be read.
            IllegalPlayError: no legal play is meant; `reason` names the broken rule and `witness` is a
                legal play that proves it, where there is one.
            AmbiguousPlayError: plays that hit differently are meant equally well.

        Examples:
            >>> plays = Position.of(mine={24: 1, 8: 1, 1: 13}, theirs={9: 2, 19: 2}).legal_plays("62")
            >>> try:
            ...     plays.find("24/18")
            ... except IllegalPlayError as error:
            ...     print(error)
            "24/18" with 62: both dice can be played (24/22 8/2), this plays only one
        """
        if isinstance(play, Play):
            return self._own(play)
        text = plain_text(play)
        chains = [_chain(move) for move in _moves(play)] if text is None else notation.parse(text)
        found = notation.find(self._roll, chains, by_die=text is None) if self._found else _GAME_OVER
        if isinstance(found, Board):
            return self._play(found)
        given = notation.spell(chains) if text is None else " ".join(text.split())
        if isinstance(found, notation.Refusal):
            witness = None if found.witness is None else self._play(found.witness)
            raise IllegalPlayError(f'"{given}" with {self.dice}: {found.sentence}', found.reason, witness)
        candidates = [self._play(result) for result in found.results]
        texts = " or ".join(str(candidate) for candidate in candidates)
        raise AmbiguousPlayError(f'"{given}" with {self.dice}: which checkers are hit on the way? {texts}', candidates)

    def _own(self, play: Play) -> Play:
        if play in self:
            return self._play(play.position._board)
        sentence = f'"{play}" with {self.dice}: this play does not belong to this position and roll'
        raise IllegalPlayError(sentence, BrokenRule.OTHER_POSITION)

    def _play(self, result: Board) -> Play:
        return _PLAYS.make(self.position, self.dice, _POSITIONS.make(result, self.position.checkers))

    @property
    def _roll(self) -> notation.Roll:
        return _ROLLS.make(self.position._board, self.dice, self._found)

    # --- a turn, checker by checker ----------------------------------------------------------------

    def next_moves(self, so_far: Iterable[Move] = ()) -> tuple[Move, ...]:
        """The single moves that may be offered next in a turn, high points first.

        Every path through them ends in a legal play, and every legal play is reached.

        Args:
            so_far: the moves made in this turn, in their order.

        Raises:
            IllegalPlayError: these moves cannot have been made.
            ParseError: this is no series of `Move`.

        Examples:
            >>> plays = Position.start().legal_plays("65")
            >>> print(*plays.next_moves([Move(24, 18)]))
            18/13 13/8 8/3
        """
        board, stages = self._replay(so_far)
        ways = sorted(self._turn.moves(stages), reverse=True)
        return tuple(Move(source, target, hits(board, target)) for source, target in ways)

    def complete(self, so_far: Iterable[Move] = ()) -> bool:
        """Whether the turn ends after these moves: nothing more must, or can, be played.

        Raises:
            IllegalPlayError: these moves cannot have been made.
            ParseError: this is no series of `Move`.

        Examples:
            >>> plays = Position.start().legal_plays("65")
            >>> plays.complete([Move(24, 18)]), plays.complete([Move(24, 18), Move(18, 13)])
            (False, True)
        """
        return not self.next_moves(so_far)

    def points_after(self, so_far: Iterable[Move] = ()) -> tuple[int, ...]:
        """The board in mid-turn, 26 counts as the mover sees them (see `Position.points`).

        Raises:
            IllegalPlayError: these moves cannot have been made.
            ParseError: this is no series of `Move`.

        Examples:
            >>> points = Position.start().legal_plays("65").points_after([Move(24, 18)])
            >>> points[24], points[18]
            (1, 1)
        """
        return points_of(unpack(self._replay(so_far)[0]))

    @cached_property
    def _turn(self) -> Turn:
        """The turn checker by checker."""
        return Turn(pack(self.position._board), self.dice.to_play, frozenset(map(pack_flipped, self._found)))

    def _replay(self, so_far: Iterable[Move]) -> tuple[Packed, frozenset[Stage]]:
        """The board and the stages of the turn after some moves."""
        turn = self._turn
        stages, board, made = turn.start, turn.board, _moves(so_far)
        for number, move in enumerate(made):
            after = turn.after(stages, move.from_point, move.to_point)
            if not after:
                self._refuse_path(made[: number + 1])
            if move.hit and not hits(board, move.to_point):
                refusal = notation.nothing_to_hit(move.to_point)
                raise IllegalPlayError(f'"{move}" with {self.dice}: {refusal.sentence}', refusal.reason)
            stages = after
            board = next(iter(stages))[0]
        return board, stages

    def _refuse_path(self, made: tuple[Move, ...]) -> NoReturn:
        """Raise the error that names what is wrong with a series of moves."""
        self.find(made)
        sentence = f'"{made[-1]}" with {self.dice}: it cannot be played at this moment of the turn'
        raise IllegalPlayError(sentence, BrokenRule.OTHER_ORDER)


# Programs read the points of every result: a call of a Python function would take as long again.
type.__setattr__(Position, "points", property(read_points, doc=Position.points.__doc__))

# The one way past the constructors, for what is known to be right.
_POSITIONS = Maker(Position, "_board", "checkers")
_PLAYS = Maker(Play, "before", "dice", "position")
_ROLLS = Maker(notation.Roll, "board", "dice", "plays")
_PLAYS_OF_A_ROLL = Maker(Plays, "position", "dice", "_found")

_ROLL_OF_FACES = {10 * one + other: roll for roll in ROLLS for one, other in (roll, tuple(roll)[::-1])}


def legal_play(plays: Plays, text: str) -> Play | None:
    """What `Plays.find` gives, or None where it refuses: for readers who do not ask why, in a fraction of the time.

    Raises:
        ParseError: the text cannot be read.
        AmbiguousPlayError: plays that hit differently are meant equally well.
    """
    found = notation.find(plays._roll, notation.parse(text), by_die=False, explain=False) if plays._found else None
    if isinstance(found, Board):
        return plays._play(found)
    return plays.find(text) if isinstance(found, notation.Ambiguity) else None


_GAME_OVER = notation.Refusal(BrokenRule.GAME_OVER, "the game is over")


def _moves(given: object) -> tuple[Move, ...]:
    """The moves of a series; ParseError if it is anything else."""
    moves = series_of_moves(given)
    if moves is None:
        raise ParseError(f"a play is a text, a Play or a series of Move, not {shown(given, 60)}")
    return moves


def series_of_moves(given: object) -> tuple[Move, ...] | None:
    """The moves of a series, or None if it is anything else.

    A series of more moves than a play can have is taken up to the first that is too many: no roll allows that one, and
    who makes the series may never come to its end.
    """
    moves = first_items(given, MOST_MOVES + 1)
    if moves is None or not all(isinstance(move, Move) for move in moves):
        return None
    return cast("tuple[Move, ...]", tuple(moves))


def _chain(move: Move) -> notation.Chain:
    return notation.Chain((move.from_point, move.to_point), frozenset({move.to_point} if move.hit else ()))
