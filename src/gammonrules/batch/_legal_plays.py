"""The legal plays of many boards and rolls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex, TypeAlias, TypeVar, cast

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.board.array_checks import (
    Ints,
    Rows,
    array_of,
    check_arrays,
    check_boards,
    check_dice,
    numbered,
    numbers_for,
    parts_of,
    refuse_first,
    rows_of,
)
from gammonrules.board.internals import SLOTS, best_of_many, of_many
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError
from gammonrules.problems import whole_argument
from gammonrules.values import counted

Rolls: TypeAlias = npt.ArrayLike | Sequence[Dice]
"""`(N, 2)`, either die first; or a list of `Dice`."""


@attrs.frozen(eq=False, repr=False)
class LegalPlays:
    """The legal plays of N boards and rolls; those of board i are the rows from `offsets[i]` up to `offsets[i + 1]`.

    The plays of one board, and their order, are those of `Position.legal_plays`: one row for each distinct result, one
    row without moves if nothing can be played, none if the game is over.

    `plays[i]` is the pair of `points` and `moves` of board i alone; iterating gives these pairs.

    *Equality*: identity.

    Attributes:
        offsets: `(N + 1,) int64`, from 0 to M.
        points: `(M, 26) int8`, the resulting boards, with the opponent on roll.
        moves: `(M, 4, 2) int8`, from and to of each move in a legal order, as in `Play.moves`; 25 is the bar, 0 is off,
            -1 where there is no move.

    Raises:
        ArgumentError: one of these is not an array of whole numbers of its shape.

    Examples:
        >>> from gammonrules import Position, batch
        >>> points = batch.from_positions([Position.start()])
        >>> plays = batch.legal_plays(points, [(6, 5)])
        >>> isinstance(plays, batch.LegalPlays), plays
        (True, <LegalPlays of 1 board: 7 plays>)
        >>> plays.counts.tolist(), set(plays.board_numbers.tolist())
        ([7], {0})
        >>> points, moves = plays[0]
        >>> moves[0].tolist()
        [[24, 18], [18, 13], [-1, -1], [-1, -1]]
        >>> plays.points[:, 0].tolist() == [0] * len(points)  # nobody was hit
        True
    """

    offsets: Ints
    points: Rows
    moves: Rows

    def __attrs_post_init__(self) -> None:
        parts_of(self.offsets)
        check_arrays(self, self.points, points=(SLOTS,), moves=(4, 2))

    def __repr__(self) -> str:
        return f"<LegalPlays of {counted(len(self), 'board', ',')}: {counted(len(self.points), 'play', ',')}>"

    def __len__(self) -> int:
        """N, the number of boards."""
        return len(self.offsets) - 1

    def __getitem__(self, index: SupportsIndex) -> tuple[Rows, Rows]:
        """The points and the moves of one board, as views.

        Raises:
            TypeError: the index is not a whole number; there are no slices.
            IndexError: there is no board with this number.
        """
        rows = numbered(index, self.offsets, "board")
        return self.points[rows], self.moves[rows]

    def __iter__(self) -> Iterator[tuple[Rows, Rows]]:
        """The points and the moves of each board in turn, as views."""
        return map(self.__getitem__, range(len(self)))

    @property
    def counts(self) -> Ints:
        """`(N,) int64`: the number of plays of each board."""
        return np.diff(self.offsets)

    @property
    def board_numbers(self) -> Ints:
        """`(M,) int64`: for each row, the number of its board."""
        return np.repeat(np.arange(len(self)), self.counts)

    def best(self, scores: npt.ArrayLike) -> Ints:
        """For each board, the row with the highest score; if several are equal, the first of them.

        Args:
            scores: `(M,)`, a number for each row of `points`.

        Returns:
            `(N,) int64`, rows of `points` and `moves`.

        Raises:
            ArgumentError: `scores` is not one number for each row, is a masked array or has a NaN, a board has no plays
                because its game is over, or `offsets` do not rise from 0 to M.
        """
        count = len(self.points)
        numbers = numbers_for(scores, "scores", count, "iuf", f"scores: expected {count} numbers")
        rows = np.empty(len(self), np.int64)
        offsets = np.ascontiguousarray(self.offsets, np.int64)
        best_of_many(offsets, np.ascontiguousarray(numbers), rows, lambda: self._check_scores(numbers))
        return rows

    def _check_that_none_is_over(self) -> None:
        refuse_first(self.counts == 0, "board {} has no plays: its game is over".format)

    def _check_scores(self, numbers: npt.NDArray[Any]) -> None:
        refuse_first(np.isnan(numbers), "scores, row {}: NaN is neither better nor worse than any number".format)
        self._check_that_none_is_over()
        if self.offsets[0] != 0 or self.offsets[-1] != len(numbers) or (self.counts < 0).any():
            raise ArgumentError(f"offsets: expected numbers that rise from 0 to {len(numbers)}, the rows of points")


_Plays = TypeVar("_Plays", bound=LegalPlays)


def legal_plays(points: npt.ArrayLike, dice: Rolls) -> LegalPlays:
    """The legal plays of many boards, each with its own roll.

    The C kernel releases the interpreter lock, so threads can use all processors. One call cannot be interrupted;
    `legal_plays_in_chunks` can be, after every chunk. No other thread may change `points` or `dice` during a call: that
    could raise an error, or give plays of a mixture of boards, but not crash.

    When a large result is no longer used, its memory (up to 128 MB for each of the three arrays) is kept for the next
    call, but only that of the last such result. So a result may use 60% more memory than its arrays need.

    Args:
        points: `(N, 26)`, the boards. How many checkers the game has makes no difference here.
        dice: `(N, 2)`, the rolls, either die first; or a list of `Dice`.

    Raises:
        PositionError: `points` has the wrong shape or dtype, or a board is impossible. (Two kinds of boards that
            `Position` refuses are accepted: with both sides off there are no plays, with both shut out a pass.)
        DiceError: `dice` has the wrong shape or dtype, or a roll is impossible.
        ArgumentError: there are not as many boards as rolls.

    Examples:
        >>> from gammonrules import Position, batch
        >>> points = batch.from_positions([Position.start()] * 3)
        >>> plays = batch.legal_plays(points, [(3, 1), (1, 3), (4, 4)])
        >>> plays.offsets.tolist()
        [0, 16, 32, 84]
    """
    return _legal_plays(points, dice, 0)


def legal_plays_in_chunks(  # noqa: D417  `legal_plays` describes the others
    points: npt.ArrayLike, dice: Rolls, *, size: int = 65536
) -> Iterator[LegalPlays]:
    """The same as `legal_plays`, for `size` boards at a time, so that the memory needed does not grow with N.

    With 65,536 boards of random games at a time, the results of a chunk take 45 MB, and twice that while the next chunk
    is made. For 10,000,000 boards the interpreter with NumPy needed 150 MB in all, apart from the boards themselves;
    these may be memory-mapped files, of which only the rows of one chunk are read at a time.

    Arguments and errors are those of `batch.legal_plays`, except that impossible boards and rolls are found when their
    chunk is reached, and:

    Args:
        size: how many boards a chunk has, from 1 on.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(10, np.random.default_rng(1))
        >>> chunks = batch.legal_plays_in_chunks(games.points, games.dice, size=100)
        >>> whole = batch.legal_plays(games.points, games.dice)
        >>> sum(len(chunk.points) for chunk in chunks) == len(whole.points)
        True
    """
    step = whole_argument("size", size, 1, None)
    boards, rolls = array_of(points, SLOTS, "points"), array_of(pairs(dice), 2, "dice")
    _check_lengths(len(boards), len(rolls))
    starts = range(0, len(boards), step)
    return (_legal_plays(boards[start : start + step], rolls[start : start + step], start) for start in starts)


def _legal_plays(points: npt.ArrayLike, dice: Rolls, first_row: int) -> LegalPlays:
    """The plays of a part of longer arrays; errors name the rows of the whole arrays."""
    rows, rolls = rows_of(points, SLOTS, "points", first_row), rows_of(pairs(dice), 2, "dice", first_row)
    _check_lengths(len(rows), len(rolls))
    offsets, results, moves = of_many("legal_plays_of_many", lambda: _check(rows, rolls, first_row), rows, rolls)
    boards = np.frombuffer(results, np.int8).reshape(-1, SLOTS)
    steps = np.frombuffer(moves, np.int8).reshape(-1, 4, 2)
    return unchecked(LegalPlays, np.frombuffer(offsets, np.int64), boards, steps)


def unchecked(kind: type[_Plays], *values: object) -> _Plays:
    """Plays, or turns, of these values; for a few boards, checking the arrays would take as long as making them."""
    made = object.__new__(kind)
    for name, value in zip(kind.__match_args__, values, strict=True):  # `attrs.fields` takes longer
        object.__setattr__(made, name, value)
    return made


def pairs(dice: Rolls) -> npt.ArrayLike:
    """The same rolls, with each `Dice` in a list as its two faces."""
    if not isinstance(dice, (list, tuple)):
        return cast("npt.ArrayLike", dice)
    rolls = cast("Sequence[object]", dice)
    return cast("npt.ArrayLike", [tuple(roll) if isinstance(roll, Dice) else roll for roll in rolls])


def _check(rows: Rows, rolls: Rows, first_row: int) -> None:
    check_boards(rows, first_row=first_row)
    check_dice(rolls, lambda row: f"dice, row {first_row + row}")


def _check_lengths(boards: int, rolls: int) -> None:
    if boards != rolls:
        raise ArgumentError(f"every board needs a roll: points has {boards} rows, dice has {rolls}")
