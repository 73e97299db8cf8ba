"""The plays of a roll: a move, a play, all the legal ones, and the errors that refuse another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NoReturn, cast, overload

import attrs

from gammonrules.board import notation
from gammonrules.board.encoding import BAR, Board, Packed, hits, pack, pack_flipped, points_of, unpack
from gammonrules.board.generator import Boards, Maker, PlainMove, moves_to, plays_of
from gammonrules.board.position import POSITIONS, Position, Printer
from gammonrules.board.refusals import BrokenRule
from gammonrules.board.turn import Stage, Turn
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.limits import MOST_MOVES
from gammonrules.values import first_items, make_plain, plain_text, shown

__all__ = ["AmbiguousPlayError", "IllegalPlayError", "Move", "Play", "Plays"]


class IllegalPlayError(GammonError):
    """A play that the rules forbid.

    Attributes:
        reason: the broken rule.
        witness: a legal play that proves it, or None where there is nothing to show.

    Examples:
        >>> from gammonrules import Position
        >>> try:
        ...     Position.start().play("8/5", "31")
        ... except IllegalPlayError as error:
        ...     print(error.reason, error.witness, sep=": ")
        both_dice: 24/23 8/5
    """

    def __init__(self, message: str, reason: BrokenRule | None = None, witness: Play | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.witness = witness

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.reason, self.witness)


class AmbiguousPlayError(IllegalPlayError):
    """A text that fits several legal plays which hit differently.

    Attributes:
        candidates: the legal plays that it may mean.

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
        super().__init__(message)
        self.candidates = tuple(candidates)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.candidates)


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

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.before.spelled_out()}.legal_plays("{self.dice}").find("{self}")')


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
        return plays_of(self._found, _PLAYS, POSITIONS, self.position, self.dice, self.position.checkers)

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

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.position.spelled_out()}.legal_plays("{self.dice}")')

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
        return _PLAYS.make(self.position, self.dice, POSITIONS.make(result, self.position.checkers))

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


_PLAYS = Maker(Play, "before", "dice", "position")
_ROLLS = Maker(notation.Roll, "board", "dice", "plays")
PLAYS_OF_A_ROLL = Maker(Plays, "position", "dice", "_found")


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
