"""`Turns`, what a function that chooses plays is given."""

from __future__ import annotations

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import (
    Boards,
    Floats,
    Ints,
    Rows,
    check_arrays,
    check_boards,
    first,
    number_of_checkers,
    numbers_for,
    refuse_first,
    rows_and_checkers,
)
from gammonrules._arrays.frozen_arrays import read_only, unchecked
from gammonrules.batch._legal_plays import LegalPlays, Rolls, legal_plays, rows_of_rolls
from gammonrules.batch._match_states import MatchStates
from gammonrules.batch._random_streams import Stream
from gammonrules.board.internals import SLOTS, STANDARD_CHECKERS
from gammonrules.errors import ArgumentError
from gammonrules.values import counted


@attrs.frozen(eq=False, repr=False)
class Turns(LegalPlays):
    """One turn of each of N games: the boards, the rolls and the legal plays; passed to functions that choose.

    All arrays are read-only and cannot be made writable. The plays of board i are the rows of `points`, the boards that
    they lead to, and of `moves`, from `offsets[i]` up to `offsets[i + 1]`, as in `LegalPlays`. (`Games.points` are the
    boards before the turns.)

    With `pad` of `play_games`, rows follow the plays so that there are K in all: `points`, `moves` and `board_numbers`
    have K rows, and so have what `random` and `softmax` return and what `best`, `top`, `softmax` and `sample` take.
    These rows begin at `offsets[N]`. They are the last play again, without moves, of board N, which does not exist;
    their numbers make no difference, and none of them is ever chosen. All else has N rows, as without `pad`.

    *Equality*: identity.

    Attributes:
        boards: `(N, 26) int8`, the boards before the plays, seen by the side on roll.
        dice: `(N, 2) int8`, the rolls.
        games: `(N,) int64`, the numbers of the games (in `play_matches`, of the matches), in rising order.
        numbers: `(N,) int64`, the number of the turn in its game, from 0.
        on_roll: `(N,) int8`, 0 where White is on roll, 1 where Black is; in `play_games` White starts every game.
        states: the `MatchStates` of these boards, with score and cube, in `play_matches`, or as given; None in
            `play_games` and `rollout`.
        checkers: how many each side has, on the board and off: what `outcomes`, `features` and `look_ahead` must know
            of games with fewer than 15.

    Raises:
        ArgumentError: an array is not one of whole numbers of its shape, or `checkers` is not from 1 to 15.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> def choose(turns, rng):
        ...     if turns.games[0] == 0 and turns.numbers[0] < 2:
        ...         print(isinstance(turns, batch.Turns), turns)
        ...         print(turns.on_roll, turns.dice[0], turns.boards.shape)
        ...     return turns.best(turns.random())
        >>> games = batch.play_games(3, choose, rng=np.random.default_rng(1))
        True <Turns of 3 games: 30 plays>
        [0 0 0] [5 4] (3, 26)
        True <Turns of 3 games: 38 plays>
        [1 1 1] [2 6] (3, 26)
    """

    boards: Rows
    dice: Rows
    games: Ints
    numbers: Ints
    on_roll: Rows
    _stream: Stream = attrs.field(alias="stream")
    _of_match: Ints = attrs.field(alias="of_match")
    states: MatchStates | None = None
    checkers: int = STANDARD_CHECKERS

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        number_of_checkers(self.checkers)
        check_arrays(self, len(self), boards=(SLOTS,), dice=(2,), games=(), numbers=(), on_roll=())

    @classmethod
    def of(
        cls,
        boards: Boards,
        dice: Rolls,
        *,
        rng: np.random.Generator,
        games: npt.ArrayLike | None = None,
        numbers: npt.ArrayLike | None = None,
        on_roll: npt.ArrayLike | None = None,
        states: MatchStates | None = None,
        checkers: int | None = None,
    ) -> Turns:
        """The turns of your own boards and rolls, to call a function made for `play_games` outside of it.

        One made for `play_matches` may ask for score and cube, so give it `states`.

        Args:
            boards: seen by the side on roll, in any form of `Boards`.
            dice: one roll for all boards or one for each, in any form of `Rolls`.
            rng: the source of `random`, from which one number is drawn.
            games: `(N,)`, the numbers of the games; 0 to N - 1 unless given.
            numbers: `(N,)`, the numbers of the turns; 0 unless given.
            on_roll: `(N,)`, whose turns they are, 0 for White and 1 for Black; those of `states`, or 0, unless given.
            states: the `MatchStates` of these boards, rolls and players; None (the default) for none.
            checkers: how many each side has, on the board and off: 1 to 15; those of positions or of `states`, or 15,
                unless given.

        Raises:
            PositionError: `boards` are not boards, or a board is impossible.
            DiceError: `dice` are not rolls, or a roll is impossible.
            ArgumentError: there are several rolls, but not as many as boards, `rng` is not a NumPy generator, `games`,
                `numbers` or `on_roll` is not a whole number for each board, `states` has other boards, rolls, players
                or checkers a side, or `checkers` is not from 1 to 15.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import Position, batch
            >>> def choose(turns, rng):
            ...     return turns.best(turns.random())
            >>> start, rng = Position.start(), np.random.default_rng(1)
            >>> turns = batch.Turns.of(start, "31", rng=rng)
            >>> bool(choose(turns, rng)[0] in range(len(turns.points)))
            True
            >>> states = batch.MatchStates.new(1, length=7)
            >>> states = states.apply("opening_roll", dice=[(3, 1)])
            >>> turns = batch.Turns.of(states.points, [(3, 1)], rng=rng, states=states)
            >>> turns.states.away.tolist()
            [[7, 7]]
        """
        if checkers is None and states is not None:
            checkers = states.checkers
        rows, of_each_side = rows_and_checkers(boards, checkers)
        rolls = rows_of_rolls(dice, len(rows))
        plays = legal_plays(rows, rolls)
        count = len(plays)
        zeros = np.zeros(count, np.int64)
        # what is not given
        if games is None:
            games = np.arange(count)
        if numbers is None:
            numbers = zeros
        if on_roll is None:
            on_roll = zeros if states is None else states.on_roll
        numbers_of_games = _number_column(games, count=count, end=2**32, name="games")
        numbers_of_turns = _number_column(numbers, count=count, end=2**32, name="numbers")
        seats = _number_column(on_roll, count=count, end=2, name="on_roll")
        turns = cls(
            plays.offsets,
            plays.points,
            plays.moves,
            boards=rows,
            dice=rolls,
            games=numbers_of_games,
            numbers=numbers_of_turns,
            on_roll=seats.astype(np.int8),
            stream=Stream.drawn_from(rng),
            of_match=zeros,
            states=states,
            checkers=of_each_side,
        )
        if states is None:
            check_boards(rows, of_each_side)
        else:
            _check_states(states, turns)  # the boards of states are checked already
        return read_only(turns)

    def __repr__(self) -> str:
        return f"<Turns of {counted(len(self), 'game', ',')}: {counted(self._number_of_plays, 'play', ',')}>"

    @property
    def _number_of_plays(self) -> int:
        # never more than the rows, so that offsets that do not fit them are refused
        return min(int(self.offsets[-1]), len(self.points))

    def random(self) -> Floats:
        """`(M,) float64`: a number from 0 up to 1 for each row of `points`.

        It depends only on the generator that was passed to `play_games`, the numbers of the game and the turn, and the
        place of the row among the plays of its board. So a policy that takes its random numbers here plays game i the
        same way however many games there are.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> def choose(turns, rng):
            ...     return turns.best(turns.random())
            >>> few, many = (
            ...     batch.play_games(n, choose, rng=np.random.default_rng(1))
            ...     for n in (5, 50)
            ... )
            >>> few.results.tolist() == many.results[:5].tolist()
            True
        """
        board = self._boards_of_plays
        places = np.arange(len(board)) - self.offsets[board]
        numbers = self._stream.uniform(
            self.games[board], self._of_match[board], self.numbers[board], places
        )
        return self._for_each_row(numbers, 0)

    def random_rows(self) -> Ints:
        """`(N,) int64`: for each board one of its rows of `points`, each equally likely.

        Like `random`, this depends only on the generator passed to `play_games` and the numbers of game and turn.

        Raises:
            ArgumentError: a board has no plays because its game is over.
        """
        refuse_first(
            self.counts == 0, lambda board: f"board {board} has no plays: its game is over"
        )
        return self.offsets[:-1] + self._stream.choices(
            self.games, self._of_match, self.numbers, self.counts
        )


def some_of(turns: Turns, at: Ints) -> Turns:
    """The turns of some of the games."""
    counts = turns.counts[at]
    offsets: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    # the plays of a board still follow each other, so all their rows move by the same shift
    shifts = turns.offsets[at] - offsets[:-1]
    rows = np.arange(int(offsets[-1])) + np.repeat(shifts, counts)
    return unchecked(
        Turns,
        offsets=offsets,
        points=turns.points.take(rows, axis=0),  # `take` is faster than []
        moves=turns.moves.take(rows, axis=0),
        boards=turns.boards[at],
        dice=turns.dice[at],
        games=turns.games[at],
        numbers=turns.numbers[at],
        on_roll=turns.on_roll[at],
        _stream=turns._stream,  # noqa: SLF001
        _of_match=turns._of_match[at],  # noqa: SLF001
        states=None if turns.states is None else turns.states[at],
        checkers=turns.checkers,
    )


def padded(turns: Turns, sizes: tuple[int, ...]) -> Turns:
    """The same turns, with rows that are no plays after them, in one of a few shapes."""
    points, _ = turns.padded(sizes)
    room = len(points) - len(turns.points)
    no_moves = np.full((room, 4, 2), -1, np.int8)
    values = {field.name: getattr(turns, field.name) for field in attrs.fields(Turns)}
    values |= {"points": points, "moves": np.concatenate([turns.moves, no_moves])}
    return unchecked(Turns, **values)


def _check_states(states: MatchStates, turns: Turns) -> None:
    """Raise ArgumentError if they are not those of the turns."""
    if len(states) != len(turns):
        raise ArgumentError(
            f"states: expected one for each of {counted(len(turns), 'board')}, not {len(states):,}"
        )
    if states.checkers != turns.checkers:
        raise ArgumentError(f"checkers: {turns.checkers} a side, but states has {states.checkers}")
    high_first = np.sort(turns.dice, axis=1)[:, ::-1]
    for name, differs in (
        ("board", (states.points != turns.boards).any(axis=1)),
        ("roll", (states.dice != high_first).any(axis=1)),
        ("player on roll", states.on_roll != turns.on_roll),
    ):
        index = first(differs)
        if index is not None:
            raise ArgumentError(f"states, index {index}: it has another {name}")


def _number_column(argument: npt.ArrayLike, count: int, end: int, name: str) -> Ints:
    """A whole number for each board, from 0 up to `end`."""
    expected = f"{name}: expected a whole number for each of {counted(count, 'board')}"
    array = numbers_for(argument, name, number=count, kinds="iu", expected=expected)
    limit = end - 1
    refuse_first(
        (array < 0) | (array > limit),
        lambda at: f"{name}, index {at}: {array[at]} is not from 0 to {limit:,}",
    )
    return array.astype(np.int64)
