"""The legal plays of a roll, and the errors for all others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn, TypeAlias, overload

import attrs

from gammonrules.board import notation, refusals
from gammonrules.board.encoding import Board, hits, pack, points_of, unpack
from gammonrules.board.generator import Maker, PlainMove, ResultBoards, legal_plays, moves_to, plays_of
from gammonrules.board.moves import Move, MoveLike, make_move, read_move, read_moves
from gammonrules.board.position import POSITIONS, Position, Printer, make_position
from gammonrules.board.pure import own_slots
from gammonrules.board.refusals import BrokenRule
from gammonrules.board.turn import Stage, TurnTree
from gammonrules.dice import Dice, DiceLike
from gammonrules.errors import GammonError
from gammonrules.values import check_kind, plain_text


class IllegalPlayError(GammonError):
    """Raised when a play is illegal.

    Attributes:
        reason: the rule that it breaks.
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
        reason: BrokenRule,
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

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.reason, self.witness), vars(self)


class AmbiguousPlayError(IllegalPlayError):
    """Raised when a text fits several legal plays, which hit different checkers; `reason` is `BrokenRule.AMBIGUOUS`.

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
        super().__init__(message, BrokenRule.AMBIGUOUS)
        self.candidates = tuple(candidates)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.candidates)


@attrs.frozen(init=False, eq=False, repr=False)
class Play:
    """A legal play of one roll: all the moves of a turn.

    Most plays come from `Position.legal_plays`. The constructor checks its arguments, so every `Play` is legal.

    *Equality*: two plays are equal if they lead from the same position to the same position, however they are written
    and whatever was rolled.

    Attributes:
        before: the position before the play.
        dice: the roll.
        position: the position after the play; the opponent is on roll.

    Raises:
        ArgumentError: `before` or `position` is not a `Position`.
        DiceError: `dice` is not a roll.
        IllegalPlayError: no legal play of this roll leads from `before` to `position`.

    Examples:
        >>> play = Position.start().legal_plays("31").find("6/5 8/5")
        >>> str(play), play.moves[0]
        ('8/5 6/5', Move(from_point=8, to_point=5, hit=False))
        >>> Play(play.before, "31", play.position) == play
        True
    """

    before: Position
    dice: Dice
    position: Position

    def __init__(self, before: Position, dice: DiceLike, position: Position) -> None:
        plays = Plays(before, dice)
        check_kind("position", position, Position)
        _ = plays.find(position)
        self.__attrs_init__(before, plays.dice, position)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves in a legal order, high points first; empty if nothing can be played.

        They play as many dice as possible: the text "3/off" may stand for 3/2 and 2/off.

        Examples:
            >>> print(*Position.start().legal_plays("66").find("24/18(2) 13/7(2)").moves)
            24/18 24/18 13/7 13/7
        """
        made, high, low = self._plain_moves(), self.dice.high, self.dice.low
        first = low if made and made[0][0] - made[0][1] <= low else high
        return tuple(map(make_move, *zip(*made, strict=True), (first, high + low - first, high, high))) if made else ()

    @property
    def is_dance(self) -> bool:
        """Whether nothing is moved, because nothing can be: a dance.

        Examples:
            >>> plays = Position.of(mine={"bar": 1}, theirs={6: 2, 5: 2}).legal_plays("65")
            >>> [play.is_dance for play in plays]
            [True]
        """
        return self.before.flip() == self.position

    def _plain_moves(self) -> list[PlainMove]:
        return moves_to(self.before._board, self.dice.high, self.dice.low, self.position._board) or []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Play):
            return NotImplemented
        return self.position == other.position and self.before == other.before

    def __hash__(self) -> int:
        return hash((self.position, self.before))

    def __str__(self) -> str:
        return notation.canonical_text(self._plain_moves())

    def __repr__(self) -> str:
        return f"<Play {self.dice}: {self}>"

    def _repr_pretty_(self, printer: Printer, _cycle: bool) -> None:  # noqa: FBT001 - see Position
        printer.text(f'{self.before._spelled_out()}.legal_plays("{self.dice}").find("{self}")')

    def _repr_svg_(self) -> str:
        return self.before._drawn(self.dice, self)


@attrs.frozen(init=False, eq=False, repr=False)
class Plays(Sequence[Play]):
    """The legal plays of one roll: an immutable sequence, one play for each distinct result.

    They come from `position.legal_plays(dice)`. The constructor `Plays(position, dice)` does the same; it is there for
    pickles, which contain the position and the roll, and generate the plays where they are read. Each `Play` is made
    when you ask for it; `len` and `in` make none.

    *Equality*: the same position and the same roll.

    Attributes:
        position: the position before the plays.
        dice: the roll.

    Raises:
        ArgumentError: `position` is not a `Position`.
        DiceError: `dice` is not a roll.

    Examples:
        >>> plays = Position.start().legal_plays((6, 5))
        >>> len(plays), plays.find("24/13") in plays
        (7, True)
        >>> plays == Plays(Position.start(), "65")
        True
    """

    position: Position
    dice: Dice
    _found: ResultBoards
    _tree: TurnTree = attrs.field(init=False)

    def __init__(self, position: Position, dice: DiceLike) -> None:
        check_kind("position", position, Position)
        roll = Dice.of(dice)
        boards = legal_plays(position._board, roll.high, roll.low)
        self.__attrs_init__(position, roll, boards)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    def __reduce__(self) -> tuple[type[Plays], tuple[Position, Dice]]:
        return Plays, (self.position, self.dice)  # a pickle may be read where the other generator is in use

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
            return tuple(self._play(self._found[index_of_play]) for index_of_play in range(*index.indices(len(self))))
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
        chains = notation.chains_of(read_moves(play)) if text is None else notation.parse_play(text)
        by_die = text is None
        results = notation.matching_results(self._roll, chains, by_die=by_die)
        if len(results) == 1:
            return self._play(results[0])
        words = f'"{notation.spell_play(chains) if text is None else " ".join(text.split())}" with {self.dice}'
        if results:
            raise self._ambiguous(words, results)
        raise self._illegal(f"{words}: ", refusals.why(self._roll, chains, by_die=by_die))

    def _ambiguous(self, words: str, results: tuple[Board, ...]) -> AmbiguousPlayError:
        candidates = [self._play(result) for result in results]
        texts = " or ".join(str(candidate) for candidate in candidates)
        return AmbiguousPlayError(f"{words}: several plays fit, which hit different checkers: {texts}", candidates)

    def _illegal(self, prefix: str, refusal: refusals.Refusal) -> IllegalPlayError:
        witness = None if refusal.witness is None else self._play(refusal.witness)
        return IllegalPlayError(prefix + refusal.sentence, refusal.reason, witness, **refusal.facts)

    def _own(self, play: Play) -> Play:
        if play in self:
            return self._play(play.position._board)
        sentence = f'"{play}" with {self.dice}: this play belongs to another position or roll'
        raise IllegalPlayError(sentence, BrokenRule.OTHER_POSITION)

    def _leading_to(self, position: Position) -> Play:
        if position.checkers == self.position.checkers and position._board in self._found:
            return self._play(position._board)
        flipped = " (it is seen from the wrong side: try its flip())" * (position.flip()._board in self._found)
        sentence = f"{position.id} with {self.dice}: no legal play leads to this position{flipped}"
        raise IllegalPlayError(sentence, BrokenRule.OTHER_POSITION)

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
        ways = sorted(stage.moves, reverse=True)
        return tuple(make_move(source, target, hits(stage.board, target), die) for source, target, die, _ in ways)

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
        best = self._replay(so_far).series()
        return tuple(tuple(make_move(*move) for move in best[way]) for way in sorted(best, reverse=True))

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
        return stage.dice if self._found and own_slots(stage.board) else ()

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
            object.__setattr__(self, "_tree", TurnTree(self.position, self.dice))
        return self._tree

    def why(self, from_point: int, to_point: int, so_far: Iterable[MoveLike] = ()) -> IllegalPlayError | None:
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
        if len(series) > 1 and target == 0 and source <= max(stage.dice):
            alone = notation.chains_of([(source, target, False)])
            return self._illegal("", refusals.why(self._roll, alone, by_die=True))
        if series:
            return None
        return self._illegal("", refusals.why_not(self._roll, stage.board, stage.dice, source, target))

    def _replay(self, so_far: Iterable[MoveLike]) -> Stage:
        """The stage of the turn after some moves."""
        made = read_moves(so_far)
        stage = Stage(self.tree().nodes, pack(self.position._board), self.dice.to_play)
        for number, (source, target, hit) in enumerate(made, 1):
            move = next((move for move in stage.moves if move[:2] == (source, target)), None)
            if move is None:
                self._refuse_path(made[:number])
            if hit and not hits(stage.board, target):
                prefix = f'"{notation.canonical_text([made[number - 1]])}" with {self.dice}: '
                raise self._illegal(prefix, refusals.nothing_to_hit(target))
            stage = stage.after(move)
        return stage

    def _refuse_path(self, made: list[PlainMove]) -> NoReturn:
        """Raise the error that says what is wrong with a series of moves."""
        play = self.find(made)
        if len(made) < len(play.moves):
            chains = notation.chains_of(made)
            prefix = f'"{notation.spell_play(chains)}" with {self.dice}: '
            raise self._illegal(prefix, refusals.why(self._roll, chains, by_die=True))
        sentence = (
            f'"{notation.canonical_text(made[-1:])}" with {self.dice}: it cannot be played at this point of the turn'
        )
        raise IllegalPlayError(sentence, BrokenRule.OTHER_ORDER, move=make_move(*made[-1], None))


PlayLike: TypeAlias = str | Play | Position | Iterable[MoveLike]
"""Anything that functions accept as a play: see `Plays.find`."""


def legal_play(plays: Plays, text: str) -> Play | None:
    """The same as `Plays.find`, but None for an illegal play, in a fraction of the time.

    Raises:
        ParseError: the text cannot be read.
        AmbiguousPlayError: the text fits several plays, which hit different checkers.
    """
    results = notation.matching_results(plays._roll, notation.parse_play(text), by_die=False)
    return plays._play(results[0]) if len(results) == 1 else plays.find(text) if results else None


def play_to(plays: Plays, board: Board) -> Play | None:
    """The play that leads to a board as the opponent sees it, or None if no legal play does."""
    return plays._play(board) if board in plays._found else None


_PLAYS = Maker(Play, "before", "dice", "position")
_make_play = _PLAYS.make
make_plays = Maker(Plays, "position", "dice", "_found").make
"""Makes `Plays` from results that are known to be legal."""
