"""Many games played at the same time, to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, SupportsIndex, TypeAlias, TypeVar, cast

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.batch._boards import from_positions, outcomes
from gammonrules.batch._checks import MOST_ROWS, Ints, Rows, first, numbered, plain_array, what
from gammonrules.batch._plays import LegalPlays, legal_plays
from gammonrules.board import Position
from gammonrules.board.encoding import SLOTS
from gammonrules.board.setup import StartName
from gammonrules.board.starts import start_of_games
from gammonrules.errors import ArgumentError
from gammonrules.problems import whole_argument
from gammonrules.values import counted, shown

_Number = TypeVar("_Number", np.int8, np.int64)
Choose: TypeAlias = Callable[[LegalPlays, np.random.Generator], npt.NDArray[np.integer[Any]]]
"""Chooses the row of `points` that is played, for each board."""


@attrs.frozen(eq=False, repr=False)
class Games:
    """Games played to the end; the turns of game i are the rows from `offsets[i]` up to `offsets[i + 1]`.

    The side that started is on roll in the first, third, fifth, ... row of a game.

    `games[i]` is the triple of `points`, `dice` and result of game i alone; iterating gives these triples.

    *Equality*: identity.

    Attributes:
        offsets: `(n + 1,) int64`.
        points: `(T, 26) int8`, the board before each turn, seen by the side on roll.
        dice: `(T, 2) int8`, the roll of each turn. If the games began from a start by name, their first roll is an
            opening roll, so never a doublet.
        results: `(n,) int8`: 1, 2, 3 (single, gammon, backgammon) if the side that started has won, -1, -2, -3 if it
            has lost.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(50, np.random.default_rng(1))
        >>> isinstance(games, batch.Games), len(games)
        (True, 50)
        >>> len(games.points) == len(games.dice)
        True
        >>> points, dice, result = games[0]  # one game
        >>> bool(abs(result) in {1, 2, 3}), points.shape[1]
        (True, 26)
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

    def __getitem__(self, index: SupportsIndex) -> tuple[Rows, Rows, int]:
        """The points and the dice of one game, as views, and its result.

        Raises:
            TypeError: the index is not a whole number; there are no slices.
            IndexError: there is no game with this number.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> points, dice, result = batch.random_games(10, np.random.default_rng(1))[9]
            >>> points.shape == (len(dice), 26), result in (-3, -2, -1, 1, 2, 3)
            (True, True)
        """
        rows = numbered(index, self.offsets, "game")
        return self.points[rows], self.dice[rows], int(self.results[index])

    def __iter__(self) -> Iterator[tuple[Rows, Rows, int]]:
        """The points, the dice and the result of each game in turn."""
        return map(self.__getitem__, range(len(self)))


def random_games(n: int, rng: np.random.Generator, *, start: StartName | Position = "standard") -> Games:
    """Play games in which each legal play is equally likely, for tests and as data.

    The same state of `rng` gives the same games, with the kernel or without. (Other versions of NumPy may draw other
    numbers.)

    Args:
        n: how many games.
        rng: the source of dice and choices, such as `np.random.default_rng(2026)`.
        start: where the games begin, as for `play_games`.

    Raises:
        ArgumentError: `n` is not a whole number from 0 to 2**48, `rng` is not a NumPy generator, or `start` is not a
            start or is the end of a game.
        PositionError: there is no start position with this name.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(100, np.random.default_rng(2026))
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
    """Play games at the same time; a function chooses the plays of both sides, or one function for each side.

    All games advance together: the first, third, fifth, ... call is for the side that started, the others are for the
    other side. A game that is over is left out of later calls; the others keep their order.

    `choose` may keep its arrays but not write into them: they are read-only copies.

    The result depends only on `n`, the state of `rng`, `choose` and `start`.

    Args:
        n: how many games.
        rng: the source of the dice; `choose` may draw from it as well.
        choose: called once a turn with the legal plays of all games that still go on; it returns the row of
            `plays.points` that is played in each of them, `(N,)` of an integer dtype. A tuple of two such functions is
            that of the side that starts and that of the other.
        start: where the games begin: the name of a start, as in `Position.start`, with an opening roll, which is not a
            doublet; or any position in which the game goes on, whose player on roll starts. Whose turn it is has then
            been decided, so the first roll is like all others and may be a doublet.

    Raises:
        ArgumentError: `n` is not a whole number from 0 to 2**48, `rng` is not a NumPy generator, `choose` is neither a
            function nor a tuple of two, `start` is not a start or is the end of a game, or `choose` returned something
            else than one row for each game.
        PositionError: there is no start position with this name.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Position, batch
        >>> def first_play(plays, rng):
        ...     return plays.offsets[:-1]
        >>> batch.play_games(3, np.random.default_rng(1), first_play).results.shape
        (3,)
        >>> last_roll = Position.of(mine={6: 1}, theirs={1: 1})  # 27 of 36 rolls win
        >>> games = batch.play_games(
        ...     3600, np.random.default_rng(1), first_play, start=last_roll
        ... )
        >>> round(36 * float((games.results > 0).mean()))
        27
    """
    starter, other = _choosers(choose)
    return _played(n, rng, (_shown_a_copy(starter), _shown_a_copy(other)), start)


def _played(n: int, rng: np.random.Generator, choosers: tuple[Choose, Choose], start: StartName | Position) -> Games:
    """Games between two functions that do not write into the plays."""
    number = whole_argument("n", n, 0, MOST_ROWS)
    if not isinstance(rng, np.random.Generator):
        raise ArgumentError(f"rng must be a generator such as numpy.random.default_rng(1), not {shown(rng)}")
    of_the_starter, of_the_other = choosers
    opening = start_of_games(start)
    throw = _throw_for_the_start if isinstance(start, str) else _throw
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
        # the winner has just played, so the side on roll has lost
        losses = outcomes(points, checkers=opening.checkers)
        results[game] = losses * np.int8(-sign)
        game, points, sign = game[losses == 0], points[losses == 0], -sign
    return _games(turns, results)


def _shown_a_copy(choose: Choose) -> Choose:
    """The same function, called with a read-only copy of the plays."""

    def chosen(plays: LegalPlays, rng: np.random.Generator) -> npt.NDArray[np.integer[Any]]:
        copy = LegalPlays(_read_only(plays.offsets), _read_only(plays.points), _read_only(plays.moves))
        return choose(copy, rng)

    return chosen


def _read_only(array: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """A copy that cannot be made writable."""
    return np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape)


def _choosers(choose: object) -> tuple[Choose, Choose]:
    """The functions of both sides."""
    sentence = f"choose must be a function, or a tuple of two, not {shown(choose)}"
    both = cast("tuple[Choose, ...]", choose if isinstance(choose, tuple) else (choose, choose))
    if len(both) != 2 or not all(map(callable, both)):
        raise ArgumentError(sentence)
    return both


def _throw(number: int, rng: np.random.Generator) -> Rows:
    return rng.integers(1, 7, (number, 2), np.int8)


def _throw_for_the_start(number: int, rng: np.random.Generator) -> Rows:
    """An opening roll, two different dice, the larger one first."""
    one, ahead = rng.integers(0, 6, number, np.int8), rng.integers(1, 6, number, np.int8)
    other = (one + ahead) % 6
    return np.stack([np.maximum(one, other), np.minimum(one, other)], axis=1) + np.int8(1)


def _rows_chosen(rows: npt.ArrayLike, plays: LegalPlays) -> npt.NDArray[np.integer[Any]]:
    """The rows that `choose` returned."""
    chosen = plain_array(rows, "choose")
    if chosen.dtype.kind not in "iu" or chosen.shape != (len(plays),):
        raise ArgumentError(
            f"choose returns one row for each of {counted(len(plays), 'board', ',')}, not {what(chosen)}"
        )
    chosen = chosen.copy()  # another thread may change the returned array
    wrong = first((chosen < plays.offsets[:-1]) | (chosen >= plays.offsets[1:]))
    if wrong is not None:
        raise ArgumentError(f"choose, index {wrong}: row {chosen[wrong]} is not a play of this board")
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
