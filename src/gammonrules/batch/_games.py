"""Many games played at the same time, to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex, TypeAlias, cast

import attrs
import numpy as np
import numpy.typing as npt

import gammonrules
from gammonrules.batch._board_arrays import from_positions, outcomes
from gammonrules.batch._checks import (
    Ints,
    Rows,
    check_arrays,
    check_boards,
    first as first_of,
    number_of_checkers,
    numbered,
    parts_of,
    plain_array,
    refuse_board,
    rows_of,
    what,
)
from gammonrules.batch._plays import legal_plays
from gammonrules.batch._returns import lambda_returns
from gammonrules.batch._streams import DiceOfGames, OwnDice, Stream, own_dice
from gammonrules.batch._turns import Turns
from gammonrules.batch.locking import read_only
from gammonrules.board import Position, StartName
from gammonrules.board.internals import BAR, SLOTS, STANDARD_CHECKERS, start_of_games
from gammonrules.errors import ArgumentError, PositionError
from gammonrules.problems import whole_argument
from gammonrules.values import counted, shown

Choose: TypeAlias = Callable[[Turns, np.random.Generator], npt.ArrayLike]
"""Chooses the row of `points` that is played, for each board: `(N,)` of an integer dtype."""
Start: TypeAlias = StartName | Position | Sequence[Position] | npt.ArrayLike
"""Where games begin: the name of a start, a position, or one for each game."""

MOST_GAMES = 2**32
"""The numbers of games are counters of 32 bits, from which their dice are made."""
MOST_TURNS = 10_000
"""More than any game has if the players want it to end: with random plays, one in a million has 1,000."""


@attrs.frozen(eq=False, repr=False)
class Games:
    """Games that were played; the turns of game i are the rows from `offsets[i]` up to `offsets[i + 1]`.

    The side that started is on roll in the first, third, fifth, ... row of a game.

    `games[i]` is the triple of `points`, `dice` and result of game i alone; iterating gives these triples.

    *Equality*: identity.

    Attributes:
        offsets: `(n + 1,) int64`.
        points: `(T, 26) int8`, the board before each turn, seen by the side on roll.
        dice: `(T, 2) int8`, the roll of each turn. If the games began from a start by name, their first roll is an
            opening roll, so never a doublet.
        results: `(n,) int8`: 1, 2, 3 (single, gammon, backgammon) if the side that started has won, -1, -2, -3 if it
            has lost, 0 if the game was stopped by `max_turns`.
        moves: `(T, 4, 2) int8`, the play of each turn: from and to of each move, as in `LegalPlays.moves`.
        final: `(n, 26) int8`, the board after the last play, seen by the side that would roll next: in a game that
            has ended, the loser.
        first: the number of the first game, as it was passed to `play_games`.
        checkers: how many each side has.
        start: the name of the start, or None if the games began from other boards.

    Raises:
        ArgumentError: an array is not one of whole numbers of its shape.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(50, np.random.default_rng(1))
        >>> isinstance(games, batch.Games), len(games)
        (True, 50)
        >>> len(games.points) == len(games.dice) == len(games.moves)
        True
        >>> points, dice, result = games[0]  # one game
        >>> bool(abs(result) in {1, 2, 3}), points.shape[1]
        (True, 26)
    """

    offsets: Ints
    points: Rows
    dice: Rows
    results: Rows
    moves: Rows
    final: Rows
    first: int = 0
    checkers: int = STANDARD_CHECKERS
    start: StartName | None = "standard"

    def __attrs_post_init__(self) -> None:
        check_arrays(self, parts_of(self.offsets), results=(), final=(SLOTS,))
        check_arrays(self, self.points, points=(SLOTS,), dice=(2,), moves=(4, 2))

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

    @property
    def lengths(self) -> Ints:
        """`(n,) int64`: the number of turns of each game.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> games = batch.random_games(20, np.random.default_rng(1))
            >>> int(games.lengths.sum()) == len(games.points)
            True
        """
        return np.diff(self.offsets)

    @property
    def game_numbers(self) -> Ints:
        """`(T,) int64`: for each row, the number of its game, from `first` on.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> games = batch.random_games(2, np.random.default_rng(1), first=7)
            >>> games.game_numbers[[0, -1]].tolist()
            [7, 8]
        """
        return np.repeat(np.arange(self.first, self.first + len(self)), self.lengths)

    @property
    def turn_numbers(self) -> Ints:
        """`(T,) int64`: for each row, the number of its turn in the game, from 0.

        Even ones are those of the side that started.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> games = batch.random_games(2, np.random.default_rng(1))
            >>> games.turn_numbers[:3].tolist()
            [0, 1, 2]
        """
        return np.arange(len(self.points)) - np.repeat(self.offsets[:-1], self.lengths)

    @property
    def results_on_roll(self) -> Rows:
        """`(T,) int8`: for each row, the result of its game as the side on roll there sees it.

        Positive where that side won the game, 0 where the game was stopped.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> games = batch.random_games(2, np.random.default_rng(1))
            >>> games.results_on_roll[:3].tolist(), int(games.results[0])
            ([2, -2, 2], 2)
        """
        return np.repeat(self.results, self.lengths) * np.where(self.turn_numbers % 2, np.int8(-1), np.int8(1))

    def lambda_returns(
        self, values: npt.ArrayLike, lam: float, *, final: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.float64]:
        """The λ-returns of all turns, which are the targets of TD(λ), in points as the side on roll sees them.

        The return of the last row of a game is its result. The return of every other row is, with the sign changed, the
        mean of the next row's value (of weight 1 - `lam`) and the next row's return (of weight `lam`). So with 0 the
        targets are those of TD(0), with 1 the results of the games (Monte Carlo).

        Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, chapter 12.

        Args:
            values: `(T,)`, the network's value of each row of `points`: the points that the side on roll wins on
                average.
            lam: λ, from 0 to 1.
            final: `(n,)`, the same of each row of `final`; needed if games were stopped by `max_turns`.

        Returns:
            `(T,) float64`.

        Raises:
            ArgumentError: `values` or `final` are not finite numbers of this shape, `lam` is not from 0 to 1, or games
                were stopped and `final` is missing.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> games = batch.random_games(2, np.random.default_rng(1))
            >>> values = np.zeros(len(games.points))
            >>> targets = games.lambda_returns(values, 1)
            >>> bool((targets == games.results_on_roll).all())
            True
        """
        return lambda_returns(self, values, lam, final)

    def to_matches(self, players: tuple[str, str] = ("White", "Black")) -> list[gammonrules.records.Match]:
        """The games as records, each a game of money play without a cube, which can be written as .mat.

        White is the side that started. Every play is checked again by `MatchState`.

        Args:
            players: the names of White and Black in all records.

        Raises:
            ArgumentError: `players` is not a pair of names.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch, records
            >>> games = batch.random_games(2, np.random.default_rng(1))
            >>> match = games.to_matches(("Ann", "Bob"))[0]
            >>> match.rolls == games.lengths.tolist()[0], records.referee(match)
            (True, ())
            >>> print(records.dumps(match).splitlines()[-1].strip())
            Wins 2 points
        """
        from gammonrules.batch._matches import matches_of  # noqa: PLC0415  records are loaded when they are made

        return matches_of(self, players)


def random_games(
    n: int,
    rng: np.random.Generator,
    *,
    start: Start = "standard",
    checkers: int = STANDARD_CHECKERS,
    dice: OwnDice = None,
    first: int = 0,
    max_turns: int | None = None,
) -> Games:
    """Play games in which each legal play is equally likely, for tests and as data.

    The same state of `rng` gives the same games, with the kernel or without, and game i is the same however many games
    there are.

    Args:
        n: how many games.
        rng: the source of dice and choices, such as `np.random.default_rng(2026)`, from which one number is drawn.
        start: where the games begin, as for `play_games`.
        checkers: how many each side has, if `start` is an array.
        dice: the caller's own dice, as for `play_games`.
        first: the number of the first game, as for `play_games`.
        max_turns: after how many turns games are stopped, as for `play_games`.

    Raises:
        GammonError: an argument is wrong; the errors are those of `play_games`.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(100, np.random.default_rng(2026))
        >>> len(games), len(games.points) == int(games.offsets[-1])
        (100, True)
    """
    return _run(n, rng, (_any_play, _any_play), start, checkers, dice, first, max_turns)


def _any_play(turns: Turns, _: np.random.Generator) -> Ints:
    return turns.random_rows()


def play_games(
    n: int,
    rng: np.random.Generator,
    choose: Choose | tuple[Choose, Choose],
    *,
    start: Start = "standard",
    checkers: int = STANDARD_CHECKERS,
    dice: OwnDice = None,
    first: int = 0,
    max_turns: int | None = None,
) -> Games:
    """Play games at the same time; a function chooses the plays of both sides, or one function for each side.

    All games advance together: the first, third, fifth, ... call is for the side that started, the others are for the
    other side. A game that is over is left out of later calls; the others keep their order.

    Each game has its own dice, made from one number that is drawn from `rng`, the number of the game and the number
    of the turn. So game i has the same dice however many games there are, whoever plays, and if the sides change places
    (duplicate dice): play `(one, other)` and `(other, one)` with `np.random.default_rng(seed)` made anew for each. To
    divide a run among processes, make the same generator in each and set `first`.

    `choose` may keep its arrays but not write into them: they are read-only copies.

    Args:
        n: how many games.
        rng: the source of the dice; `choose` may draw from it as well.
        choose: called once a turn with the `Turns` of all games that still go on (their boards, rolls, legal plays and
            numbers) and with `rng`. It returns the row of `points` that is played in each of them, `(N,)` of an integer
            dtype. A tuple of two such functions is one for the side that starts and one for the other.
        start: where the games begin: the name of a start, as in `Position.start`, with an opening roll, which is not a
            doublet; or a position in which the game goes on, whose player on roll starts; or one for each game, as
            positions or as boards, `(n, 26)`; or one board, `(26,)`. From a position or a board, it is
            known whose turn it is, so the first roll is like all others and may be a doublet.
        checkers: how many each side has, if `start` is an array: 1 to 15 (the default).
        dice: the caller's own dice instead: `(n, T, 2)`, the rolls of each game in order; or a function that gets the
            numbers of the games and those of their turns, both `(N,) int64`, and returns the rolls, `(N, 2)`.
        first: the number of the first game; the others follow.
        max_turns: after how many turns games are stopped, without a result; None for an error if one has not ended
            after 10,000.

    Raises:
        ArgumentError: `n` or `first` is not a whole number from 0 on (their sum is at most 2**32), `rng` is not a NumPy
            generator, `choose` is neither a function nor a tuple of two, `start` is not a start, does not have n
            positions, or is the end of a game, `checkers` is not from 1 to 15, `max_turns` is not a whole number from 0
            on, `choose` returned anything but one row for each game, or a game does not end.
        PositionError: there is no start position with this name, or a board is impossible.
        DiceError: `dice` has the wrong shape, an invalid roll or too few rolls, or an opening roll is a doublet.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Position, batch
        >>> def first_play(turns, rng):
        ...     return turns.offsets[:-1]
        >>> batch.play_games(3, np.random.default_rng(1), first_play).results.shape
        (3,)
        >>> last_roll = Position.of(mine={6: 1}, theirs={1: 1})  # 27 of 36 rolls win
        >>> games = batch.play_games(
        ...     3600, np.random.default_rng(1), first_play, start=last_roll
        ... )
        >>> round(36 * float((games.results > 0).mean()))
        27
    """
    starter, other = choosers(choose)
    return _run(n, rng, (_shown_a_copy(starter), _shown_a_copy(other)), start, checkers, dice, first, max_turns)


def _run(
    n: int,
    rng: np.random.Generator,
    choosers: tuple[Choose, Choose],
    start: Start,
    checkers: int,
    dice: OwnDice,
    first: int,
    max_turns: int | None,
) -> Games:
    """Games between two functions that do not write into the plays; reads the arguments."""
    begin = whole_argument("first", first, 0, MOST_GAMES)
    number = whole_argument("n", n, 0, MOST_GAMES - begin)
    limit = None if max_turns is None else whole_argument("max_turns", max_turns, 0, None)
    stream = Stream.drawn_from(rng)
    points, each = _boards_of_start(start, number, checkers)
    name = cast("StartName", str(start)) if isinstance(start, str) else None
    thrown = DiceOfGames(stream, begin, name is not None, own_dice(dice, number))
    return _Run(begin, points, each, name, thrown, limit).play(choosers, rng)


@attrs.frozen(eq=False)
class _Run:
    """Games to be played."""

    first: int
    points: Rows
    checkers: int
    start: StartName | None
    dice: DiceOfGames
    max_turns: int | None

    def play(self, choosers: tuple[Choose, Choose], rng: np.random.Generator) -> Games:
        """Turn after turn of all games, until the last has ended or is stopped."""
        number = len(self.points)
        games, points = np.arange(self.first, self.first + number), self.points
        final, results = points.copy(), np.zeros(number, np.int8)
        played: list[tuple[Ints, Rows, Rows, Rows]] = []
        while len(games) and not self._is_stopped(len(played), games):
            side = len(played) % 2
            turns = self._turns(games, points, len(played))
            rows = rows_chosen(choosers[side](turns, rng), turns)
            points = turns.points[rows]
            played.append((games, turns.boards, turns.dice, turns.moves[rows]))
            # the winner has just played, so the side on roll has lost
            losses = outcomes(points, checkers=self.checkers)
            results[games - self.first] = losses if side else -losses
            final[games - self.first] = points
            games, points = games[losses == 0], points[losses == 0]
        return self._games(played, results, final)

    def _is_stopped(self, turn: int, games: Ints) -> bool:
        """Whether games end here without a result.

        Raises:
            ArgumentError: they would never end.
        """
        if self.max_turns is None and turn >= MOST_TURNS:
            raise endless(f"game {games[0]}", turn)
        return turn == self.max_turns

    def _turns(self, games: Ints, points: Rows, turn: int) -> Turns:
        dice = self.dice.thrown(games, turn)
        plays = legal_plays(points, dice)
        numbers, sides = np.full(len(games), turn), np.full(len(games), turn % 2, np.int8)
        found = plays.offsets, plays.points, plays.moves
        return Turns(*found, points, dice, games, numbers, sides, self.dice.stream, np.zeros_like(games))

    def _games(self, played: list[tuple[Ints, Rows, Rows, Rows]], results: Rows, final: Rows) -> Games:
        """The turns in the order of the games."""
        lengths = np.zeros(len(results), np.int64)
        for games, *_ in played:
            lengths[games - self.first] += 1
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        total = int(offsets[-1])
        points, dice, moves = (np.empty((total, *shape), np.int8) for shape in ((SLOTS,), (2,), (4, 2)))
        for turn, (games, *parts) in enumerate(played):
            rows = offsets[games - self.first] + turn
            for whole, part in zip((points, dice, moves), parts, strict=True):
                whole[rows] = part
        return Games(offsets, points, dice, results, moves, final, self.first, self.checkers, self.start)


def _boards_of_start(start: object, number: int, checkers: object) -> tuple[Rows, int]:
    """The boards with which games begin, and how many checkers each side has."""
    each = number_of_checkers(checkers)
    if isinstance(start, (str, Position)):
        opening = start_of_games(cast("StartName | Position", start))
        return np.repeat(from_positions([opening]), number, axis=0), opening.checkers
    if not hasattr(start, "__len__"):
        raise ArgumentError(f"start must be the name of a start position, a Position or boards, not {shown(start)}")
    given = cast("Sequence[object]", start)
    if isinstance(start, (list, tuple)) and start and isinstance(given[0], Position):
        each, start = given[0].checkers, from_positions(cast("Sequence[Position]", given))
    try:
        rows = _starting_rows(cast("npt.ArrayLike", start), number)
        _check_starts(rows, each)
    except PositionError as error:
        raise PositionError(f"start: {error}", error.problems) from None
    return rows, each


def _starting_rows(start: npt.ArrayLike, number: int) -> Rows:
    """One board for each game, or the same one for all."""
    array = plain_array(start, "points")
    if array.shape == (SLOTS,):
        return np.repeat(rows_of(array[None], SLOTS, "points"), number, axis=0)
    rows = rows_of(start, SLOTS, "points")
    if len(rows) != number:
        sentence = f"expected one board, or one for each of {counted(number, 'game', ',')}, not {len(rows)}"
        raise ArgumentError(f"start: {sentence}")
    return rows.copy()


def _check_starts(rows: Rows, checkers: int) -> None:
    """Refuse boards that `Position` refuses, and those on which the game is over."""
    mine, theirs = check_boards(rows, checkers)
    for row in np.flatnonzero((rows[:, BAR] > 0) & (rows[:, 0] < 0)):  # both may be shut out
        refuse_board(rows, int(row), checkers)
    over = first_of((mine == 0) | (theirs == 0))
    if over is not None:
        refuse_board(rows, over, checkers)
        raise ArgumentError(f"start, row {over}: the game is over on this board")


def _shown_a_copy(choose: Choose) -> Choose:
    """The same function, called with a read-only copy of the turns."""
    return lambda turns, rng: choose(read_only(turns), rng)


def choosers(choose: object) -> tuple[Choose, Choose]:
    """The functions of both sides."""
    sentence = f"choose must be a function, or a tuple of two, not {shown(choose)}"
    both = cast("tuple[Choose, ...]", choose if isinstance(choose, tuple) else (choose, choose))
    if len(both) != 2 or not all(map(callable, both)):
        raise ArgumentError(sentence)
    return both


def endless(place: str, turns: int) -> ArgumentError:
    """The error for functions whose game does not end; a single one stops thousands of others."""
    way_on = f"max_turns={turns} stops it here without a result, and keeps all others"
    return ArgumentError(f"choose: {place} has not ended after {turns:,} turns; {way_on}")


def rows_chosen(rows: npt.ArrayLike, turns: Turns) -> npt.NDArray[np.integer[Any]]:
    """The rows that `choose` returned."""
    chosen = plain_array(rows, "choose")
    if chosen.dtype.kind not in "iu" or chosen.shape != (len(turns),):
        raise ArgumentError(
            f"choose returns one row for each of {counted(len(turns), 'board', ',')}, not {what(chosen)}"
        )
    chosen = chosen.copy()  # another thread may change the returned array
    wrong = first_of((chosen < turns.offsets[:-1]) | (chosen >= turns.offsets[1:]))
    if wrong is not None:
        begin, end = turns.offsets[wrong : wrong + 2]
        sentence = f"row {chosen[wrong]} is not a play of this board, whose rows are {begin} to {end - 1}"
        raise ArgumentError(f"choose, index {wrong}: {sentence}")
    return chosen
