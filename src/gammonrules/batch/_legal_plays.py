"""The legal plays of many boards and rolls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, SupportsIndex, TypeAlias, TypeGuard, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import (
    Boards,
    Bools,
    Floats,
    Ints,
    Rows,
    are_rows,
    check_arrays,
    check_boards,
    check_dice,
    number_of_parts,
    numbered,
    numbers_for,
    plain_array,
    refuse_first,
    rows_of,
    rows_of_boards,
    what,
)
from gammonrules._arrays.dispatch import best_of_many, of_many
from gammonrules._arrays.frozen_arrays import unchecked
from gammonrules.batch._random_streams import check_generator
from gammonrules.board.internals import SLOTS
from gammonrules.dice import Dice, DiceLike
from gammonrules.errors import ArgumentError, DiceError
from gammonrules.values import (
    counted,
    first_items,
    items_of_pair,
    not_a_pair,
    real_argument,
    saying_where,
    shown,
    whole_argument,
    whole_number,
)

Rolls: TypeAlias = DiceLike | Sequence[DiceLike] | npt.ArrayLike
"""One roll for all boards, in any form that `Dice.of` accepts; or one for each board, as a list or as `(N, 2)`."""
Sizes: TypeAlias = int | Sequence[int]
"""Numbers of rows, of which the smallest that suffices is taken; beyond the largest, that is doubled."""
_MAX_SIZES = 1_000
_MAX_SIZE = 1 << 30  # 26 GB of boards
_Values = TypeVar("_Values", bound=npt.NDArray[Any])


def checked_sizes(name: str, sizes: object) -> tuple[int, ...]:
    """Numbers of rows in rising order. Raises ArgumentError."""
    number = whole_number(sizes)
    items = [number] if number is not None else first_items(sizes, _MAX_SIZES)
    if not items:
        raise ArgumentError(f"{name} must be a number of rows, or several, not {shown(sizes)}")
    numbers = [
        whole_argument(f"each of {name}", value=item, minimum=1, maximum=_MAX_SIZE)
        for item in items
    ]
    return tuple(sorted(numbers))


def fitting_size(sizes: tuple[int, ...], number: int) -> int:
    """The smallest of these sizes that suffices for so many rows, or the largest, doubled until it does."""
    for size in sizes:
        if size >= number:
            return size
    size = sizes[-1]
    while size < number:
        size *= 2
    return size


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
        number_of_parts(self.offsets)
        check_arrays(self, self.points, points=(SLOTS,), moves=(4, 2))

    def __repr__(self) -> str:
        return f"<LegalPlays of {counted(len(self), 'board', ',')}: {counted(self._number_of_plays, 'play', ',')}>"

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

    __contains__ = None
    """`in` raises TypeError: the items are arrays, which have no single answer to `==`."""

    def __iter__(self) -> Iterator[tuple[Rows, Rows]]:
        """The points and the moves of each board in turn, as views."""
        return map(self.__getitem__, range(len(self)))

    @property
    def _number_of_plays(self) -> int:
        """M; in padded turns, rows follow that are no plays."""
        return len(self.points)

    @property
    def counts(self) -> Ints:
        """`(N,) int64`: the number of plays of each board."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def board_numbers(self) -> Ints:
        """`(M,) int64`: for each row, the number of its board."""
        return self._for_each_row(self._boards_of_plays, len(self))

    @property
    def _boards_of_plays(self) -> Ints:
        return np.repeat(np.arange(len(self)), self.counts)

    def _for_each_row(self, values: _Values, filler: int) -> _Values:
        """A value for each row of `points`: those of the plays, then the filler for rows of padding."""
        padding = len(self.points) - len(values)
        if padding == 0:
            return values
        joined: Any = np.concatenate([values, np.full(padding, filler, values.dtype)])
        for_each_row: _Values = joined
        return for_each_row

    def best(self, scores: npt.ArrayLike) -> Ints:
        """For each board, the row with the highest score; if several are equal, the first of them.

        Args:
            scores: `(M,)`, a number for each row of `points`.

        Returns:
            `(N,) int64`, rows of `points` and `moves`; -1 for a board without plays, whose game is over. (As an index
            of `points` this would be the last row: leave these boards out first.)

        Raises:
            ArgumentError: `scores` is not one number for each row, is a masked array or has a NaN, or `offsets` do not
                rise from 0 to M.
        """
        return self._best_rows(self._numbers(scores, "scores"))

    def _best_rows(self, numbers: npt.NDArray[Any]) -> Ints:
        rows = np.empty(len(self), np.int64)
        offsets = np.ascontiguousarray(self.offsets, np.int64)
        best_of_many(
            offsets,
            scores=np.ascontiguousarray(numbers),
            out=rows,
            check=lambda: self._check_scores(numbers),
        )
        return rows

    def top(self, scores: npt.ArrayLike, k: int, within: float | None = None) -> Ints:
        """For each board, the rows with the highest scores: those that are worth a closer look.

        Args:
            scores: `(M,)`, a finite number for each row of `points`.
            k: how many rows a board has at most, from 1 on.
            within: by how much a score may be below the highest of its board; None for any.

        Returns:
            `(R,) int64`, rows of `points` and `moves`, board by board, the highest score first; if several are equal,
            in the order of the rows. `board_numbers` says whose they are; a board without plays has none.

        Raises:
            ArgumentError: `scores` is not one finite number for each row, `k` is not a whole number from 1 on, or
                `within` is not a number from 0 on.

        Examples:
            >>> from gammonrules import Position, batch
            >>> points = batch.from_positions([Position.start()] * 2)
            >>> plays = batch.legal_plays(points, [(3, 1), (6, 5)])
            >>> blots = (plays.points == -1).sum(axis=1)
            >>> rows = plays.top(-blots, 2)
            >>> plays.board_numbers[rows].tolist(), blots[rows].tolist()
            ([0, 0, 1, 1], [0, 1, 1, 1])
            >>> plays.board_numbers[plays.top(-blots, 2, within=0)].tolist()
            [0, 1, 1]
        """
        numbers = self._finite(scores, "scores")
        count = whole_argument("k", value=k, minimum=1, maximum=None)
        boards = self._boards_of_plays
        rows = np.lexsort((-numbers, boards))  # board by board, the highest score first
        # no row leaves its board, so `boards` and `offsets` are those of the sorted rows too
        ranks = np.arange(len(rows)) - self.offsets[boards]
        is_on_top = ranks < count
        if within is not None:
            needed = "a number from 0 on"
            margin = real_argument("within", within, needed, fits=lambda number: number >= 0)
            highest = numbers[self._best_rows(numbers)[boards]]
            is_on_top &= numbers[rows] >= highest - margin
        return rows[is_on_top]

    def softmax(self, scores: npt.ArrayLike, temperature: float) -> Floats:
        """Probabilities of the plays of each board, higher where the score is.

        They are proportional to `exp(score / temperature)`; the lower the temperature, the surer the best play.

        Args:
            scores: `(M,)`, a finite number for each row of `points`.
            temperature: a finite number above 0, in the unit of the scores.

        Returns:
            `(M,) float64`; the sum of those of each board is 1.

        Raises:
            ArgumentError: `scores` is not one finite number for each row, or `temperature` not such a number.

        Examples:
            >>> from gammonrules import Position, batch
            >>> points = batch.from_positions([Position.start("nackgammon")])
            >>> plays = batch.legal_plays(points, [(6, 6)])
            >>> plays.softmax([1, 0, 0], 0.5).round(2).tolist()
            [0.79, 0.11, 0.11]
        """
        numbers = self._finite(scores, "scores")
        needed = "a finite number above 0"
        heat = real_argument(
            "temperature", temperature, needed, fits=lambda number: 0 < number < np.inf
        )
        boards = self._boards_of_plays
        highest = numbers[self._best_rows(numbers)[boards]]
        # a low temperature may make a difference infinite, whose weight is 0
        with np.errstate(over="ignore"):
            weights: Floats = np.exp((numbers - highest) / heat)
        weights /= np.bincount(boards, weights)[boards]
        return self._for_each_row(weights, 0)

    def sample(self, weights: npt.ArrayLike, *, rng: np.random.Generator) -> Ints:
        """For each board, a row drawn with the probabilities of `softmax`, or with other weights.

        Args:
            weights: `(M,)`, a finite number from 0 on for each row of `points`; those of a board need not add up to 1.
            rng: M numbers are drawn from it.

        Returns:
            `(N,) int64`, rows of `points` and `moves`; -1 for a board without plays.

        Raises:
            ArgumentError: `weights` is not one such number for each row, all of a board are 0, or `rng` is not a NumPy
                generator.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> def choose(turns, rng):
            ...     pips = batch.pip_counts(turns.points)[:, 1]
            ...     return turns.sample(turns.softmax(-pips, 5), rng=rng)
            >>> games = batch.play_games(10, choose, rng=np.random.default_rng(1))
            >>> len(games)
            10
        """
        numbers = self._finite(weights, "weights")
        check_generator(rng)
        refuse_first(numbers < 0, lambda row: f"weights, row {row}: {numbers[row]} is below 0")
        # a row has the highest sum of Gumbel noise and its logarithm with a chance in proportion to its weight
        with np.errstate(divide="ignore"):  # the logarithm of 0 is never the highest
            rows = self._best_rows(np.log(numbers) + rng.gumbel(size=len(numbers)))
        is_weightless: Bools = np.bincount(self._boards_of_plays, numbers > 0, len(self)) == 0
        has_plays = rows >= 0
        refuse_first(is_weightless & has_plays, "weights: those of board {} are all 0".format)
        return rows

    def padded(self, sizes: Sizes) -> tuple[Rows, Ints]:
        """`points` and `board_numbers` with rows after them that are no plays, in one of a few shapes.

        A function that is compiled for each shape, such as one of `jax.jit`, is so compiled a few times only.
        `play_games(..., pad=sizes)` pads the turns themselves.

        Args:
            sizes: numbers of rows, in any order, or a single one; the smallest that suffices is taken. If none does,
                the largest is doubled until it suffices.

        Returns:
            `(K, 26) int8`, the resulting boards, then the last of them again (without plays, boards without checkers);
            and `(K,) int64`, the numbers of their boards, then N, which no board has. (The sums and maxima of `jax.ops`
            leave it out where N is `num_segments`.)

        Raises:
            ArgumentError: `sizes` are not whole numbers from 1 on.

        Examples:
            >>> from gammonrules import Position, batch
            >>> boards = batch.from_positions([Position.start()] * 100)
            >>> plays = batch.legal_plays(boards, [(3, 1)] * 100)
            >>> points, numbers = plays.padded([64, 512])
            >>> len(plays.points), points.shape
            (1600, (2048, 26))
            >>> numbers[1599:1601].tolist()
            [99, 100]
        """
        number = self._number_of_plays
        room = fitting_size(checked_sizes("sizes", sizes), number) - number
        last = self.points[:number][-1:] if number else np.zeros((1, SLOTS), np.int8)
        points = np.concatenate([self.points[:number], np.repeat(last, room, axis=0)])
        boards = np.concatenate([self._boards_of_plays, np.full(room, len(self))])
        return points, boards

    def _numbers(self, argument: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
        """Check an argument that has a number for each row, and leave out those of padding."""
        count = len(self.points)
        numbers: npt.NDArray[Any] = numbers_for(
            argument, name, number=count, kinds="iuf", expected=f"{name}: expected {count} numbers"
        )
        return numbers[: self._number_of_plays]

    def _finite(self, argument: npt.ArrayLike, name: str) -> Floats:
        """A finite number for each row, where the offsets fit."""
        numbers = self._numbers(argument, name).astype(np.float64)
        refuse_first(
            ~np.isfinite(numbers), lambda row: f"{name}, row {row}: {numbers[row]} is not finite"
        )
        self._check_offsets()
        return numbers

    def _check_scores(self, numbers: npt.NDArray[Any]) -> None:
        refuse_first(
            np.isnan(numbers),
            "scores, row {}: NaN is neither better nor worse than any number".format,
        )
        self._check_offsets()

    def _check_offsets(self) -> None:
        count = self._number_of_plays
        if self.offsets[0] != 0 or self.offsets[-1] != count or (self.counts < 0).any():
            raise ArgumentError(
                f"offsets: expected numbers that rise from 0 to {count}, the rows of points"
            )


def legal_plays(points: Boards, dice: Rolls) -> LegalPlays:
    """The legal plays of many boards, with one roll for all or one for each.

    The C kernel releases the interpreter lock, so other threads can go on. One call cannot be interrupted,
    and its results take about 700 bytes for each board: give it some thousands of boards at a time. No other thread may
    change `points` or `dice` during a call: that could raise an error, or give plays of a mixture of boards, but not
    crash.

    When a large result is no longer used, its memory (up to 128 MB for each of the three arrays) is kept for the next
    call, but only that of the last such result. So a result may use 60% more memory than its arrays need.

    Args:
        points: the boards, in any form of `Boards`. How many checkers the game has makes no difference here.
        dice: one roll for all boards or one for each, in any form of `Rolls`, such as "31", a list of `Dice` or an
            array `(N, 2)` with either die first.

    Raises:
        PositionError: `points` are not boards, or a board is impossible. (Two kinds of boards that
            `Position` refuses are accepted: with both sides off there are no plays, with both shut out a dance.)
        DiceError: `dice` are not rolls, or a roll is impossible.
        ArgumentError: there are several rolls, but not as many as boards.

    Examples:
        >>> from gammonrules import Position, batch
        >>> len(batch.legal_plays(Position.start(), "31").points)
        16
        >>> boards = [Position.start()] * 3
        >>> plays = batch.legal_plays(boards, ["31", (1, 3), (4, 4)])
        >>> plays.offsets.tolist()
        [0, 16, 32, 84]
    """
    rows = rows_of_boards(points)
    rolls = rows_of_rolls(dice, len(rows))
    # the check is asked for its error if the kernel refuses a row
    offsets, results, moves = of_many(
        "legal_plays_of_many", lambda: _check_rows(rows, rolls), rows, rolls
    )
    boards = np.frombuffer(results, np.int8).reshape(-1, SLOTS)
    steps = np.frombuffer(moves, np.int8).reshape(-1, 4, 2)
    return unchecked(
        LegalPlays, offsets=np.frombuffer(offsets, np.int64), points=boards, moves=steps
    )


def rows_of_rolls(dice: Rolls, count: int) -> Rows:
    """A roll for each of so many boards, `(count, 2)`.

    Raises:
        DiceError: these are no rolls; the message has what is accepted and the next step.
        ArgumentError: there are several rolls, but not as many as boards.
    """
    if are_rows(dice, 2) and len(dice) == count:  # usual
        return dice
    values: Any = dice
    if not isinstance(dice, (Dice, str, list, tuple)):
        values = plain_array(values, "dice")
        if values.ndim == 1 and values.dtype.kind in "UO":  # a column of strings or of `Dice`
            values = values.tolist()
    if _is_one_roll(values):
        with saying_where("dice"):
            roll = Dice.of(values)
        return np.repeat(np.array([(roll.high, roll.low)], np.int8), count, axis=0)
    if is_list(values):
        faces = [_faces_of(roll, index) for index, roll in enumerate(values)]
        values = faces or np.zeros((0, 2), np.int8)  # NumPy reads an empty list as floats
    array = plain_array(values, "dice")
    if array.shape == (2,):
        array = np.repeat(array[np.newaxis], count, axis=0)
    if array.dtype.kind not in "iu" or array.shape[1:] != (2,):
        raise _no_rolls(array)
    rolls = rows_of(array, 2, "dice")
    if len(rolls) != count:
        boards = counted(count, "board", ",")
        raise ArgumentError(
            f"dice: {counted(len(rolls), 'roll', ',')} for {boards}; pass one roll for all, or one for each"
        )
    return rolls


def _is_one_roll(value: object) -> bool:
    """Whether this is meant as a single roll: `Dice`, a string, or a list of two values that are no rolls."""
    if isinstance(value, (Dice, str)):
        return True
    pair = items_of_pair(value)
    return pair is not None and not any(
        isinstance(item, Dice) or hasattr(item, "__len__") for item in pair
    )


def _faces_of(roll: object, index: int) -> object:
    """An item of a list of rolls: the two faces of `Dice` or of a string; anything else unchanged."""
    if isinstance(roll, str):
        with saying_where(f"dice, row {index}"):
            roll = Dice.of(roll)
    return tuple(roll) if isinstance(roll, Dice) else roll


def _no_rolls(array: npt.NDArray[Any]) -> DiceError:
    forms = 'a roll such as "31", (3, 1) or Dice(3, 1), a list of rolls, or whole numbers of shape (N, 2)'
    value = what(array) if array.ndim else shown(array.item())
    return not_a_pair(
        f"dice: expected {forms}, not {value}; pass one roll for all boards, or one for each"
    )


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether this is a list or a tuple."""
    return isinstance(value, (list, tuple))


def _check_rows(rows: Rows, rolls: Rows) -> None:
    check_boards(rows)
    check_dice(rolls, "dice, row {}".format)
