"""Many boards at once: NumPy arrays in, NumPy arrays out (extra `numpy`).

    pip install "gammonrules[numpy]"

A board is a row of 26 counts as in `Position.points`: index 1 to 24 are the points as the player on roll numbers them,
25 is his bar, 0 the opponent's; his checkers are positive, the opponent's negative. Arrays of any integer dtype and
memory layout are taken, also lists; what is int8 and contiguous already is not copied. Boards are checked: no side has
more than 15 checkers, and none stands on the other side's bar. The error about a wrong number names the first row that
has one. What is returned belongs to the caller, who may write into it; only
the plays that `play_games` shows to a function are read-only.

Examples:
    >>> import numpy as np
    >>> from gammonrules import Position, batch
    >>> points = batch.from_positions([Position.start(), Position.start("nackgammon")])
    >>> plays = batch.legal_plays(points, [(3, 1), (6, 6)])
    >>> len(plays), plays.counts.tolist(), plays.points.shape, plays.moves.shape
    (2, [16, 3], (19, 26), (19, 4, 2))
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import attrs

try:
    import numpy as np
    import numpy.typing as npt
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise ImportError('gammonrules.batch needs NumPy: pip install "gammonrules[numpy]"', name="numpy") from error

from gammonrules.batch._checks import (
    array_of,
    boards_of,
    check_boards,
    check_dice,
    first,
    number_of_checkers,
    plain_array,
    refuse_board,
    rows_of,
    what,
)
from gammonrules.board import Position
from gammonrules.board.encoding import BAR, SLOTS
from gammonrules.board.generator import KERNEL, Buffer, legal_plays_of_many
from gammonrules.board.setup import STANDARD_CHECKERS, StartName
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, PositionError
from gammonrules.values import counted, shown, whole_number

__all__ = [
    "Games",
    "LegalPlays",
    "features",
    "flip",
    "from_positions",
    "legal_plays",
    "legal_plays_in_chunks",
    "outcomes",
    "pip_counts",
    "play_games",
    "random_games",
    "to_positions",
]

Rows: TypeAlias = npt.NDArray[np.int8]
Ints: TypeAlias = npt.NDArray[np.int64]
Rolls: TypeAlias = "npt.ArrayLike | Sequence[Dice]"
_Number = TypeVar("_Number", np.int8, np.int64)


# --- legal plays ----------------------------------------------------------------------------------


@attrs.frozen(eq=False, repr=False)
class LegalPlays:
    """The legal plays of N boards and rolls: those of board i are the rows `offsets[i]` to `offsets[i + 1]`.

    The plays of one board, and their order, are those of `Position.legal_plays`: one row for each distinct result, a
    row without moves if nothing can be played, none if the game is over.

    *Equality*: identity.

    Attributes:
        offsets: `(N + 1,) int64`, beginning with 0 and ending with M.
        points: `(M, 26) int8`, the results, with the opponent on roll.
        moves: `(M, 4, 2) int8`, from and to of each move in a legal order, as in `Play.moves`; 25 is the bar, 0 is off,
            -1 where unused.

    Examples:
        >>> plays = legal_plays(from_positions([Position.start()]), [(6, 5)])
        >>> plays
        <LegalPlays of 1 board: 7 plays>
        >>> results, moves = plays[0]
        >>> moves[0].tolist()
        [[24, 18], [13, 8], [-1, -1], [-1, -1]]
        >>> plays.points[:, 0].tolist() == [0] * len(results)  # nobody was hit
        True
    """

    offsets: Ints
    points: Rows
    moves: Rows

    def __repr__(self) -> str:
        return f"<LegalPlays of {counted(len(self), 'board', ',')}: {counted(len(self.points), 'play', ',')}>"

    def __len__(self) -> int:
        """N, the number of boards."""
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> tuple[Rows, Rows]:
        """The results and the moves of one board, as views.

        Raises:
            TypeError: the index is no whole number; there are no slices of boards.
            IndexError: there is no such board.
        """
        try:
            number = operator.index(index)
        except TypeError:
            raise TypeError(f"a board is named by a whole number, not by {shown(index)}") from None
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no board {shown(number)}, there are {len(self)}")
        number %= len(self)
        rows = slice(self.offsets[number], self.offsets[number + 1])
        return self.points[rows], self.moves[rows]

    def __iter__(self) -> Iterator[tuple[Rows, Rows]]:
        """The results and the moves of each board in turn, as views."""
        return map(self.__getitem__, range(len(self)))

    @property
    def counts(self) -> Ints:
        """`(N,) int64`: the number of plays of each board."""
        return np.diff(self.offsets)

    @property
    def board_numbers(self) -> Ints:
        """`(M,) int64`: the number of the board to which each row belongs."""
        return np.repeat(np.arange(len(self)), self.counts)

    def best(self, scores: npt.ArrayLike) -> Ints:
        """For each board the row with the highest score; of equal ones the first.

        Args:
            scores: `(M,)`, a number for each row.

        Returns:
            `(N,) int64`, rows of `points` and `moves`.

        Raises:
            GammonError: not one number for each row, a masked array, a NaN, or a board without plays, whose game is
                over.

        Examples:
            >>> plays = legal_plays(from_positions([Position.start()] * 2), [(3, 1), (6, 1)])
            >>> made_points = (plays.points <= -2).sum(axis=1)  # the mover's checkers are negative now
            >>> plays.moves[plays.best(made_points), :2].tolist()
            [[[8, 5], [6, 5]], [[13, 7], [8, 7]]]
        """
        numbers = plain_array(scores, "scores")
        if numbers.dtype.kind not in "iuf" or numbers.shape != (len(self.points),):
            raise GammonError(f"scores: {len(self.points)} numbers are needed, not {what(numbers)}")
        nan = first(np.isnan(numbers))
        if nan is not None:
            raise GammonError(f"scores, row {nan}: NaN is neither better nor worse than another number")
        finished = first(self.counts == 0)
        if finished is not None:
            raise GammonError(f"board {finished} has no plays, its game is over")
        if not len(self):
            return np.zeros(0, np.int64)
        board = self.board_numbers
        highest = np.maximum.reduceat(numbers, self.offsets[:-1])
        rows = np.flatnonzero(numbers == highest[board])
        return rows[np.searchsorted(board[rows], np.arange(len(self)))]


def legal_plays(points: npt.ArrayLike, dice: Rolls) -> LegalPlays:
    """Every legal play of each board with its roll.

    With the compiled twin the interpreter is free meanwhile, so threads use as many processors as there are. One call
    cannot be interrupted; `legal_plays_in_chunks` can be after every chunk. No other thread may change `points` or
    `dice` during a call: the result would be an error, or plays of a mixture of boards, though no crash.

    When nobody holds a large result any more, its memory (up to 128 MB for each of the three arrays) is kept for the
    next call; that of the last one which was let go. A result may therefore hold 60 % more than its arrays need.

    Args:
        points: `(N, 26)`, the boards. How many checkers the game has makes no difference here.
        dice: `(N, 2)`, the rolls, either die first; or a list of `Dice`.

    Raises:
        PositionError: an array of another shape or dtype, or an impossible board; `Position` also refuses boards on
            which both sides are off, which have no plays here, or both shut out, which have a pass.
        DiceError: the same for the dice.
        GammonError: not as many boards as rolls.

    Examples:
        >>> plays = legal_plays(from_positions([Position.start()] * 3), [(3, 1), (1, 3), (4, 4)])
        >>> plays.offsets.tolist()
        [0, 16, 32, 84]
    """
    return _legal_plays(points, dice, 0)


def legal_plays_in_chunks(points: npt.ArrayLike, dice: Rolls, *, size: int = 65536) -> Iterator[LegalPlays]:
    """The same for `size` boards at a time: what is needed in memory does not grow with N.

    With 65,536 boards of random games at a time, the results of a chunk take 45 MB, and twice that while the next one
    is made. For 10,000,000 boards the interpreter with NumPy needed 150 MB in all, besides the boards themselves; these
    may be memory-mapped files, of which only the rows of one chunk are read at a time.

    Raises:
        GammonError: as for `legal_plays`, when the chunk with the wrong row is reached; `size` is no whole number
            from 1.

    Examples:
        >>> games = random_games(10, np.random.default_rng(1))
        >>> chunks = legal_plays_in_chunks(games.points, games.dice, size=100)
        >>> sum(len(chunk.points) for chunk in chunks) == len(legal_plays(games.points, games.dice).points)
        True
    """
    step = whole_number(size)
    if step is None or step < 1:
        raise GammonError(f"the size of a chunk is a whole number from 1, not {shown(size)}")
    boards, rolls = array_of(points, SLOTS, "points"), array_of(_pairs(dice), 2, "dice")
    _check_lengths(len(boards), len(rolls))
    starts = range(0, len(boards), step)
    return (_legal_plays(boards[start : start + step], rolls[start : start + step], start) for start in starts)


def _legal_plays(points: npt.ArrayLike, dice: Rolls, first_row: int) -> LegalPlays:
    """The plays of a part of some longer arrays, whose rows errors name."""
    rows, rolls = rows_of(points, SLOTS, "points", first_row), rows_of(_pairs(dice), 2, "dice", first_row)
    _check_lengths(len(rows), len(rolls))
    offsets, results, moves = _generated(rows, rolls, first_row)
    return LegalPlays(
        np.frombuffer(offsets, np.int64),
        np.frombuffer(results, np.int8).reshape(-1, SLOTS),
        np.frombuffer(moves, np.int8).reshape(-1, 4, 2),
    )


def _pairs(dice: Rolls) -> npt.ArrayLike:
    """The same rolls with each `Dice` of a list as its two faces."""
    if not isinstance(dice, (list, tuple)):
        return cast("npt.ArrayLike", dice)
    rolls = cast("Sequence[object]", dice)
    return cast("npt.ArrayLike", [tuple(roll) if isinstance(roll, Dice) else roll for roll in rolls])


def _generated(rows: Rows, rolls: Rows, first_row: int) -> tuple[Buffer, Buffer, Buffer]:
    """Offsets, results and moves of boards and rolls that are checked on the way."""
    if KERNEL == "pure":
        _check(rows, rolls, first_row)
    try:
        return legal_plays_of_many(rows, rolls)
    except ValueError:  # the kernel checks for itself, with sentences of its own
        _check(rows, rolls, first_row)
        raise


def _check(rows: Rows, rolls: Rows, first_row: int) -> None:
    check_boards(rows, first_row=first_row)
    check_dice(rolls, first_row)


def _check_lengths(boards: int, rolls: int) -> None:
    if boards != rolls:
        raise GammonError(f"every board needs a roll: points has {boards} rows, dice has {rolls}")


# --- boards ---------------------------------------------------------------------------------------


def flip(points: npt.ArrayLike) -> Rows:
    """The same boards seen by the other side, as `Position.flip`.

    Args:
        points: `(N, 26)`.

    Returns:
        `(N, 26) int8`.

    Raises:
        PositionError: an array of another shape or dtype, or an impossible board.

    Examples:
        >>> flip(from_positions([Position.of(mine={1: 2}, theirs={"bar": 1})]))[0, [0, 24, 25]].tolist()
        [0, -2, 1]
    """
    return np.negative(boards_of(points)[:, ::-1])


def pip_counts(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """The pips that each side needs to bear everything off; a checker on the bar counts 25.

    Args:
        points: `(N, 26)`.

    Returns:
        `(N, 2) int32`: the player's on roll, the opponent's.

    Raises:
        PositionError: an array of another shape or dtype, or an impossible board.

    Examples:
        >>> pip_counts(from_positions([Position.start().play("8/5 6/5", "31")])).tolist()
        [[167, 163]]
    """
    rows = boards_of(points)
    places = np.arange(SLOTS, dtype=np.int32)
    return np.stack([np.maximum(rows, 0) @ places, np.minimum(rows, 0) @ (places - BAR)], axis=1)


def outcomes(points: npt.ArrayLike, *, checkers: int = STANDARD_CHECKERS) -> Rows:
    """Who has won, and how much, as `Position.outcome`.

    Args:
        points: `(N, 26)`.
        checkers: of each side, on the board and off: a gammon means that the loser has borne off none of them.

    Returns:
        `(N,) int8`: 0 while both sides have checkers left; 1, 2, 3 (single, gammon, backgammon) if the player on roll
        has won, -1, -2, -3 if he has lost, as the side on roll has after a last play.

    Raises:
        PositionError: an array of another shape or dtype, an impossible board, or `checkers` that are not 1 to 15.

    Examples:
        >>> outcomes(from_positions([Position.start(), Position.of(mine={6: 15}), Position.of(theirs={6: 3})])).tolist()
        [0, -2, 1]
    """
    number = number_of_checkers(checkers)
    rows = rows_of(points, SLOTS, "points")
    mine, theirs = check_boards(rows, number)
    both_off = first((mine == 0) & (theirs == 0))
    if both_off is not None:
        refuse_board(rows, both_off, number)
    won = np.where(theirs == number, 2 + (rows[:, :7] < 0).any(axis=1), 1) * (mine == 0)
    lost = np.where(mine == number, 2 + (rows[:, 19:] > 0).any(axis=1), 1) * (theirs == 0)
    results: Rows = (won - lost).astype(np.int8)
    return results


def features(points: npt.ArrayLike, *, checkers: int = STANDARD_CHECKERS) -> npt.NDArray[np.float32]:
    """The 198 inputs that TD-Gammon was published with, from the point of view of the player on roll.

    On the results of plays the opponent is on roll. What a network says of `features(plays.points)` is therefore good
    for the opponent, and `plays.best` needs it with the other sign.

    | columns | what |
    |---|---|
    | 0 to 95 | four for each point p, from 4 (p - 1) on, about the n checkers that the player on roll has there |
    | 96 to 191 | the same for the opponent's on point p, from 96 + 4 (p - 1) on |
    | 192, 193 | n / 2 for n checkers on the bar: the player's on roll, the opponent's |
    | 194, 195 | n / 15 for n checkers borne off (n / `checkers` in variants): the player's on roll, the opponent's |
    | 196, 197 | whose turn it is: always 1, 0, the player's on roll |

    The four are: 1 if n >= 1, 1 if n >= 2, 1 if n >= 3, each else 0; and (n - 3) / 2 if n > 3, else 0. Points are
    numbered 1 to 24 by the player on roll, for both sides.

    Source: G. Tesauro, Practical Issues in Temporal Difference Learning, Machine Learning 8 (1992), for the four units
    of a point; R. Sutton and A. Barto, Reinforcement Learning: An Introduction, section TD-Gammon, list all 198.
    Descriptions differ in whether a lower unit stays 1 when there are more checkers; here it does.

    Args:
        points: `(N, 26)`.
        checkers: of each side, on the board and off.

    Returns:
        `(N, 198) float32`.

    Raises:
        PositionError: an array of another shape or dtype, an impossible board, or `checkers` that are not 1 to 15.

    Examples:
        >>> start = features(from_positions([Position.start()]))[0]
        >>> start[20:24].tolist(), start[192:].tolist()  # five checkers on the 6 point; bar, off, turn
        ([1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    """
    number = number_of_checkers(checkers)
    rows = rows_of(points, SLOTS, "points")
    mine, theirs = check_boards(rows, number)
    found = np.zeros((len(rows), 198), np.float32)
    found[:, :96] = _UNITS[np.maximum(rows[:, 1:BAR], 0)].reshape(-1, 96)
    found[:, 96:192] = _UNITS[-np.minimum(rows[:, 1:BAR], 0)].reshape(-1, 96)
    found[:, 192], found[:, 193] = rows[:, BAR] / 2, abs(rows[:, 0]) / 2
    found[:, 194], found[:, 195] = (number - mine) / number, (number - theirs) / number
    found[:, 196] = 1
    return found


def _units(checkers: int) -> list[float]:
    """The four inputs for this many checkers on a point."""
    return [float(checkers >= 1), float(checkers >= 2), float(checkers >= 3), max(checkers - 3, 0) / 2]


_UNITS = np.array([_units(checkers) for checkers in range(STANDARD_CHECKERS + 1)], np.float32)


def from_positions(positions: Iterable[Position]) -> Rows:
    """The boards of positions.

    Returns:
        `(N, 26) int8`. The number of checkers of a game is not part of it, so it must be the same for all.

    Raises:
        GammonError: something else than positions, or positions of games with different numbers of checkers.

    Examples:
        >>> from_positions([Position.start()])[0, [24, 19]].tolist()
        [2, -5]
    """
    try:
        given = iter(positions)
    except TypeError:
        raise GammonError(f"positions: a list of Position is needed, not {shown(positions)}") from None
    boards = bytearray()
    checkers: int | None = None
    for index, position in enumerate(given):
        if not isinstance(position, Position):
            raise GammonError(f"positions, index {index}: a Position is needed, not {shown(position)}")
        checkers = checkers or position.checkers
        if position.checkers != checkers:
            sentence = f"this game has {position.checkers} checkers a side, the one of index 0 has {checkers}"
            raise GammonError(f"positions, index {index}: {sentence}")
        boards += position._board  # noqa: SLF001  the row as it will stand in memory
    return np.frombuffer(boards, np.int8).reshape(-1, SLOTS)


def to_positions(points: npt.ArrayLike, *, checkers: int = STANDARD_CHECKERS) -> list[Position]:
    """The positions of boards.

    Args:
        points: `(N, 26)`.
        checkers: of each side, on the board and off.

    Raises:
        PositionError: an array of another shape or dtype, a board that `Position.from_points` refuses, or `checkers`
            that are not 1 to 15.

    Examples:
        >>> to_positions(from_positions([Position.start()])) == [Position.start()]
        True
    """
    number = number_of_checkers(checkers)
    found: list[Position] = []
    for index, row in enumerate(rows_of(points, SLOTS, "points").tolist()):
        try:
            found.append(Position.from_points(row, checkers=number))
        except PositionError as error:
            raise PositionError(f"points, row {index}: {error}", error.problems) from None
    return found


# --- games ----------------------------------------------------------------------------------------

_MOST_GAMES = 2**48
"""No address reaches the memory for more, and NumPy has errors of its own for numbers that are larger still."""

Choose: TypeAlias = "Callable[[LegalPlays, np.random.Generator], npt.NDArray[np.integer[Any]]]"
"""Which rows of `points` are played: one for each board."""


@attrs.frozen(eq=False, repr=False)
class Games:
    """Games that were played to the end: the turns of game i are the rows `offsets[i]` to `offsets[i + 1]`.

    The side that starts is on roll in the first, third, fifth, ... row of a game.

    *Equality*: identity.

    Attributes:
        offsets: `(n + 1,) int64`.
        points: `(T, 26) int8`, the board before each turn, seen by the side on roll.
        dice: `(T, 2) int8`, the roll that it played; the first one of a game that began from the name of a start is no
            doublet.
        results: `(n,) int8`: 1, 2, 3 (single, gammon, backgammon) if the side that started has won, -1, -2, -3 if it
            has lost.
    """

    offsets: Ints
    points: Rows
    dice: Rows
    results: Rows

    def __repr__(self) -> str:
        return f"<Games: {counted(len(self), 'game', ',')}, {counted(len(self.points), 'turn', ',')}>"

    def __len__(self) -> int:
        """n, the number of games."""
        return len(self.results)


def random_games(n: int, rng: np.random.Generator, *, start: StartName | Position = "standard") -> Games:
    """Games in which both sides choose among their legal plays with equal chances, for tests and as data.

    The same generator state gives the same games, whichever twin generates the plays. (Between versions, NumPy may
    change what a generator draws.)

    Args:
        n: how many.
        rng: such as `np.random.default_rng(2026)`.
        start: the board they begin from, as for `play_games`.

    Raises:
        GammonError: `n` is no whole number from 0 to 2**48, `rng` no NumPy generator, or there is no such start.

    Examples:
        >>> games = random_games(100, np.random.default_rng(2026))
        >>> len(games), len(games.points) == int(games.offsets[-1])
        (100, True)
    """
    return _played(n, rng, (_any_play, _any_play), start)


def _any_play(plays: LegalPlays, rng: np.random.Generator) -> Ints:
    return plays.offsets[:-1] + rng.integers(0, plays.counts)


def play_games(
    n: int,
    rng: np.random.Generator,
    choose: Choose | tuple[Choose, Choose],
    *,
    start: StartName | Position = "standard",
) -> Games:
    """Games in which functions choose the plays, one for both sides or one for each, all games going on at once.

    The games go on in step: the first, third, fifth, ... call is for the side that started, the others are for the
    other side. A game that has ended is left out of the next calls; the others keep their order.

    `choose` may keep the arrays that it gets, but not write into them: they are read-only copies, and the games go on
    from the library's own boards.

    The result depends on `n`, on the state of `rng`, on `choose` and on `start`, and on nothing else.

    Args:
        n: how many.
        rng: the source of the dice; `choose` may draw from it as well.
        choose: is called once a turn with the legal plays of all games that are still going on, and returns for each of
            them the row of `plays.points` that is played, `(N,)` of an integer dtype. Two such functions, as a tuple,
            are that of the side that starts and that of the other.
        start: the board they begin from: the name of one in `Position.start`, with an opening roll, which is no
            doublet; or any position in which the game is not over, whose player on roll starts. With a position it is
            decided already whose turn it is, so the first roll is like all others and may be a doublet.

    Raises:
        GammonError: `n` is no whole number from 0 to 2**48, `rng` no NumPy generator, `choose` no function and no
            pair of them, there is no such start, or `choose` returned something else than one row for each game.

    Examples:
        >>> def first_play(plays, rng):
        ...     return plays.offsets[:-1]
        >>> play_games(3, np.random.default_rng(1), first_play).results.shape
        (3,)
        >>> last_roll = Position.of(mine={6: 1}, theirs={1: 1})  # 27 of 36 rolls bear the checker off
        >>> games = play_games(3600, np.random.default_rng(1), first_play, start=last_roll)
        >>> round(36 * float((games.results > 0).mean()))
        27
    """
    starter, other = _choosers(choose)
    return _played(n, rng, (_shown_a_copy(starter), _shown_a_copy(other)), start)


def _played(n: int, rng: np.random.Generator, choosers: tuple[Choose, Choose], start: StartName | Position) -> Games:
    """Games between two functions that leave the plays as they are."""
    number = whole_number(n)
    if number is None or not 0 <= number <= _MOST_GAMES:
        raise GammonError(f"n is a whole number of games, from 0 to 2**48, not {shown(n)}")
    if not isinstance(rng, np.random.Generator):
        raise GammonError(f"rng is a generator such as numpy.random.default_rng(1), not {shown(rng)}")
    of_the_starter, of_the_other = choosers
    opening, throw = _opening(start)
    game, points, sign = np.arange(number), np.repeat(from_positions([opening]), number, axis=0), 1
    results = np.zeros(number, np.int8)
    turns: list[tuple[Ints, Rows, Rows]] = []
    while len(game):
        dice = throw(len(game), rng)
        throw = _throw
        turns.append((game, points, dice))
        plays = legal_plays(points, dice)
        chosen = (of_the_starter if sign == 1 else of_the_other)(plays, rng)
        points = plays.points[_rows_chosen(chosen, plays)]
        # the winner has just played, so these are losses of the side on roll
        losses = outcomes(points, checkers=opening.checkers)
        results[game] = losses * np.int8(-sign)
        game, points, sign = game[losses == 0], points[losses == 0], -sign
    return _games(turns, results)


def _shown_a_copy(choose: Choose) -> Choose:
    """The function, which gets a copy of the plays that nobody can write into."""

    def chosen(plays: LegalPlays, rng: np.random.Generator) -> npt.NDArray[np.integer[Any]]:
        copy = LegalPlays(_read_only(plays.offsets), _read_only(plays.points), _read_only(plays.moves))
        return choose(copy, rng)

    return chosen


def _read_only(array: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """A copy in memory that cannot be made writable again."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def _choosers(choose: object) -> tuple[Choose, Choose]:
    """The functions of both sides."""
    sentence = f"choose is a function, or a tuple of two, not {shown(choose)}"
    both = cast("tuple[Choose, ...]", choose if isinstance(choose, tuple) else (choose, choose))
    if len(both) != 2 or not all(map(callable, both)):
        raise GammonError(sentence)
    return both


def _opening(start: object) -> tuple[Position, Callable[[int, np.random.Generator], Rows]]:
    """The board that games begin from, and how their first roll is thrown."""
    if isinstance(start, str):
        return Position.start(cast("StartName", start)), _throw_for_the_start
    if not isinstance(start, Position):
        raise GammonError(f"start: the name of a start position or a Position is needed, not {shown(start)}")
    if start.outcome is not None:
        raise GammonError("start: the game is over in this position")
    return start, _throw


def _throw(number: int, rng: np.random.Generator) -> Rows:
    return rng.integers(1, 7, (number, 2), np.int8)


def _throw_for_the_start(number: int, rng: np.random.Generator) -> Rows:
    """Two different dice, the starter's own, larger one first."""
    one, ahead = rng.integers(0, 6, number, np.int8), rng.integers(1, 6, number, np.int8)
    other = (one + ahead) % 6
    return np.stack([np.maximum(one, other), np.minimum(one, other)], axis=1) + np.int8(1)


def _rows_chosen(rows: npt.ArrayLike, plays: LegalPlays) -> npt.NDArray[np.integer[Any]]:
    """The rows that `choose` returned."""
    chosen = plain_array(rows, "choose")
    if chosen.dtype.kind not in "iu" or chosen.shape != (len(plays),):
        raise GammonError(f"choose returns {len(plays)} row numbers here, not {what(chosen)}")
    chosen = chosen.copy()  # the array that was returned may be changed by another thread
    wrong = first((chosen < plays.offsets[:-1]) | (chosen >= plays.offsets[1:]))
    if wrong is not None:
        raise GammonError(f"choose, index {wrong}: row {chosen[wrong]} is no play of this board")
    return chosen


def _games(turns: list[tuple[Ints, Rows, Rows]], results: Rows) -> Games:
    """The turns in the order of the games."""
    game = np.concatenate([np.zeros(0, np.int64), *(game for game, _, _ in turns)])
    order = np.argsort(game, kind="stable")
    offsets = np.zeros(len(results) + 1, np.int64)
    np.cumsum(np.bincount(game), out=offsets[1:])
    points = np.concatenate([np.zeros((0, SLOTS), np.int8), *(points for _, points, _ in turns)])
    dice = np.concatenate([np.zeros((0, 2), np.int8), *(dice for _, _, dice in turns)])
    return Games(offsets, points[order], dice[order], results)
