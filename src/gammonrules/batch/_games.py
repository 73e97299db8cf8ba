"""`Games` and `MatchGames`: what was played, its λ-returns, and the records of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, SupportsIndex, TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

import gammonrules
from gammonrules._arrays.checks import (
    Bools,
    Floats,
    Ints,
    Rows,
    check_arrays,
    number_of_parts,
    numbered,
    numbers_for,
    refuse_first,
)
from gammonrules._shared.extras import importing_package
from gammonrules.batch._board_arrays import CHANCES, to_positions
from gammonrules.batch._evaluators import cubeless_equity, flipped
from gammonrules.batch._state_columns import NUMBERS_OF_ENDS
from gammonrules.batch._state_rules import Points
from gammonrules.board import START_NAMES, Play, Position, StartName
from gammonrules.board.internals import SLOTS
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, End, Event, MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import choice_argument, counted, real_argument, saying_where

_Rolling: TypeAlias = Literal[Action.ROLL, Action.OPENING_ROLL]


@attrs.frozen(eq=False, repr=False)
class Games:
    """Games that were played; the turns of game i are the rows from `offsets[i]` up to `offsets[i + 1]`.

    Players are 0 for White, 1 for Black, as in `MatchStates`; in `play_games` White starts every game.

    `games[i]` is the triple of `points`, `dice` and result of game i alone; iterating gives these triples.

    *Equality*: identity.

    Attributes:
        offsets: `(n + 1,) int64`.
        points: `(T, 26) int8`, the board before each turn, seen by the side on roll. (`Turns.points` are boards after
            plays.)
        dice: `(T, 2) int8`, the roll of each turn. If the games began from a start by name, their first roll is an
            opening roll, so never a doublet.
        results: `(n,) int8`: 1, 2, 3 (single, gammon, backgammon) if White has won, -1, -2, -3 if Black has, 0 if the
            game was stopped by `max_turns`, or ended by `end`.
        equities: `(n,) float64`, the points that White wins: the result, or on average what `end` said of the board on
            which it ended the game; NaN if it was stopped.
        chances: `(n, 5) float64`, the five chances as White sees them, in the order of `analysis.Chances`: 0 and 1
            after a result, else what `end` said; NaN if it said only an equity, or the game was stopped.
        moves: `(T, 4, 2) int8`, the play of each turn: from and to of each move, as in `LegalPlays.moves`.
        final: `(n, 26) int8`, the board after the last play, seen by the side that would roll next: in a game that
            has ended, the loser.
        starters: `(n,) int8`, who started each game.
        first: the number of the first game, as it was passed to `play_games`; 0 in `play_matches`.
        checkers: how many each side has.
        start: the name of the start, or None if the games began from other boards.

    Raises:
        ArgumentError: an array is not one of whole numbers, or `equities` or `chances` not one of floats, of its shape;
            or no start position has the name `start`.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(2, rng=np.random.default_rng(1), first=7)
        >>> isinstance(games, batch.Games), len(games)
        (True, 2)
        >>> games
        <Games: 2 games, White won 1, Black 1; 143 turns>
        >>> points, dice, result = games[0]
        >>> len(points) == len(dice) == int(games.lengths[0]), result
        (True, -1)
        >>> games.results.tolist(), games.winners.tolist()
        ([-1, 1], [1, 0])
        >>> games.on_roll[:3].tolist()
        [0, 1, 0]
    """

    offsets: Ints
    points: Rows
    dice: Rows
    results: Rows
    equities: Floats
    chances: Floats
    moves: Rows
    final: Rows
    starters: Rows
    first: int
    checkers: int
    start: StartName | None

    def __attrs_post_init__(self) -> None:
        if self.start is not None:
            choice_argument("start", self.start, START_NAMES)
        check_arrays(self, number_of_parts(self.offsets), results=(), final=(SLOTS,), starters=())
        check_arrays(self, len(self.results), "f", equities=(), chances=(CHANCES,))
        check_arrays(self, self.points, points=(SLOTS,), dice=(2,), moves=(4, 2))

    def __repr__(self) -> str:
        games = counted(len(self), "game", ",")
        turns = counted(len(self.points), "turn", ",")
        white_wins = int((self.results > 0).sum())
        black_wins = int((self.results < 0).sum())
        undecided = len(self) - white_wins - black_wins
        others = f", {undecided:,} without result" if undecided else ""
        return f"<Games: {games}, White won {white_wins:,}, Black {black_wins:,}{others}; {turns}>"

    def __len__(self) -> int:
        """n, the number of games."""
        return len(self.results)

    def __getitem__(self, index: SupportsIndex) -> tuple[Rows, Rows, int]:
        """The points and the dice of one game, as views, and its result.

        Raises:
            TypeError: the index is not a whole number; there are no slices.
            IndexError: there is no game with this number.
        """
        rows = numbered(index, self.offsets, "game")
        return self.points[rows], self.dice[rows], int(self.results[index])

    __contains__ = None
    """`in` raises TypeError: the items are arrays, which have no single answer to `==`."""

    def __iter__(self) -> Iterator[tuple[Rows, Rows, int]]:
        """The points, the dice and the result of each game in turn."""
        return map(self.__getitem__, range(len(self)))

    @property
    def lengths(self) -> Ints:
        """`(n,) int64`: the number of turns of each game."""
        return np.diff(self.offsets)

    @property
    def on_roll(self) -> Rows:
        """`(T,) int8`: for each row, who is on roll."""
        rows = np.arange(len(self.points))
        rows_of_white = self.offsets[:-1] - self.starters  # where White plays, or would have
        turns = rows - np.repeat(rows_of_white, self.lengths)
        return (turns % 2).astype(np.int8)

    @property
    def winners(self) -> Rows:
        """`(n,) int8`: who won each game; -1 if it was stopped, or ended by `end`."""
        return np.select([self.results > 0, self.results < 0], [0, 1], -1).astype(np.int8)

    def lambda_returns(
        self, values: npt.ArrayLike, lam: float, *, final: npt.ArrayLike | None = None
    ) -> Floats:
        """The λ-returns of all turns, which are the targets of TD(λ), in points as the side on roll sees them.

        The return of the last row of a game is its equity. The return of every other row is, with the sign changed, the
        mean of the next row's value (of weight 1 - `lam`) and the next row's return (of weight `lam`). So with 0 the
        targets are those of TD(0), with 1 the equities of the games (Monte Carlo).

        A network with five outputs learns from five returns a row: the last is then the game's `chances`, and instead
        of the sign, sides change: a win is what is left of 1, and gammons and backgammons won and lost are exchanged.

        Source: R. Sutton and A. Barto, Reinforcement Learning: An Introduction, chapter 12.

        Args:
            values: `(T,)`, the network's value of each row of `points`: the points that the side on roll wins on
                average; or `(T, 5)`, its five chances, which need not fit together.
            lam: λ, from 0 to 1.
            final: `(n,)` or `(n, 5)`, the same of each row of `final`; needed if games were stopped by `max_turns`, and
                for five returns also if `end` said only their equities.

        Returns:
            `(T,)` or `(T, 5) float64`, as `values`.

        Raises:
            ArgumentError: `values` or `final` are not finite numbers of this shape, `lam` is not from 0 to 1, or
                `final` is missing.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> games = batch.random_games(2, rng=np.random.default_rng(1))
            >>> values = np.zeros(len(games.points))
            >>> targets = games.lambda_returns(values, 1)
            >>> targets[games.offsets[:-1]].tolist() == games.results.tolist()
            True
            >>> games.lambda_returns(np.full((len(values), 5), 0.5), 1)[-1]
            array([1., 1., 0., 0., 0.])
        """
        turn_values = _values_of_turns("values", values, len(self.points), (), (CHANCES,))
        weight = real_argument(
            "lam", value=lam, needed="a number from 0 to 1", fits=lambda number: 0 <= number <= 1
        )
        lengths = self.lengths
        returns = np.zeros_like(turn_values)
        has_turns = lengths > 0
        last_rows = self.offsets[1:] - 1
        last_returns = self._last_returns(final, turn_values.shape[1:])
        returns[last_rows[has_turns]] = last_returns[has_turns]
        # back from the last turn but one, in all games that have a turn after it: the longest ones
        longest_first = np.argsort(-lengths, kind="stable")
        longest = int(lengths.max(initial=0))
        # by a number of turns, how many games have more; searched with the sign changed, since lengths must rise
        games_with_more: Ints = np.searchsorted(-lengths[longest_first], -np.arange(longest))
        for turn in range(longest - 2, -1, -1):
            next_turn = turn + 1
            games_going_on = longest_first[: games_with_more[next_turn]]
            rows = self.offsets[games_going_on] + turn
            next_rows = rows + 1
            mean = (1 - weight) * turn_values[next_rows] + weight * returns[next_rows]
            returns[rows] = flipped(mean)
        return returns

    def _last_returns(self, final: npt.ArrayLike | None, width: tuple[int, ...]) -> Floats:
        """The return of the last turn of each game, as its player sees it."""
        for_white = self.chances if width else self.equities
        last_players = (self.starters + self.lengths - 1) % 2
        was_black_last = last_players == 1
        returns = for_white.copy()
        returns[was_black_last] = flipped(for_white[was_black_last])
        # of chances that are NaN, the equity is as well
        unknown = np.isnan(cubeless_equity(returns))
        if final is None:
            value = "chances are" if width else "equity is"
            needed = "the value of its last board is needed"
            refuse_first(
                unknown,
                lambda at: f"final: the {value} not known of game {self.first + at}, so {needed}",
            )
            return returns
        # the side on roll of the last board is the opponent of who played last
        final_values = _values_of_turns("final", final, len(self), width)
        returns[unknown] = flipped(final_values[unknown])
        return returns

    def to_matches(
        self, players: tuple[str, str] = ("White", "Black")
    ) -> list[gammonrules.records.Match]:
        """The games as records, which can be written as .mat.

        Those of `play_games` are each a game of money play without a cube; those of `play_matches` are matches, with
        their cube actions. A play is what leads from a board to the next with its dice (`moves` is not looked at), and
        every action is checked again by `MatchState`.

        Args:
            players: the names of White and Black in all records.

        Raises:
            ArgumentError: `players` is not a pair of names.
            GammonError: the arrays were changed, and break the rules.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch, records
            >>> games = batch.random_games(2, rng=np.random.default_rng(1))
            >>> match = games.to_matches(("Ann", "Bob"))[0]
            >>> match.rolls == games.lengths.tolist()[0], records.referee(match)
            (True, ())
            >>> print(records.dumps(match).splitlines()[-1].strip())
            Wins 2 points
        """
        with importing_package("records", "to_matches"):
            from gammonrules.records.transcript import Match  # noqa: PLC0415 - loaded when used

        matches = list[Match]()
        begin = 0
        for end in self._ends_of_matches().tolist():
            events = self._log(range(begin, end))
            matches.append(Match.from_events(players, self._start(begin), events))
            begin = end
        return matches

    def _ends_of_matches(self) -> Ints:
        """For each record, the number after that of its last game."""
        return np.arange(len(self)) + 1

    def _log(self, numbers: range) -> Iterator[Event]:
        """The events of a match of these games."""
        for game in numbers:
            if game > numbers.start:
                yield Event(Action.NEXT_GAME, argument=self._own_start(game))
            yield from self._events(game)

    def _start(self, game: int) -> MatchState:
        """The state in which a match begins with this game."""
        state = MatchState.new(None, rules=Rules(cube=False, start=self.start or "standard"))
        board = self._own_start(game)
        return state if board is None else attrs.evolve(state, position=board, on_roll=Player.WHITE)

    def _own_start(self, game: int) -> Position | None:
        """The board with which a game began, as White sees it; None if games begin with a start that has a name."""
        if self.start is not None:
            return None
        # seen by the player on roll, who is the one who starts
        position = self._boards(game)[0]
        has_black_started = self.starters[game] == 1
        return position.flip() if has_black_started else position

    def _boards(self, game: int) -> list[Position]:
        """The board before each turn of a game, and after the last, as the player on roll sees it."""
        points, _, _ = self[game]
        return to_positions(np.vstack([points, self.final[game]]), checkers=self.checkers)

    def _plays(self, game: int) -> Iterator[Play]:
        """The plays of a game: those that lead from each board to the next."""
        _, dice, _ = self[game]
        steps = pairwise(self._boards(game))
        for turn, ((first, second), (before, after)) in enumerate(
            zip(dice.tolist(), steps, strict=True)
        ):
            with saying_where(f"game {self.first + game}, turn {turn}"):
                play = before.legal_plays((first, second)).find(after)
            yield play

    def _events(self, game: int) -> Iterator[Event]:
        rolling: _Rolling = Action.ROLL if self.start is None else Action.OPENING_ROLL
        for play in self._plays(game):
            yield from _roll_and_play(play, rolling)
            rolling = Action.ROLL


@attrs.frozen(eq=False, repr=False, kw_only=True)
class MatchGames(Games):
    """The games of matches, or money games, in order; `play_matches` returns them.

    A `Games` with arrays for the cube and the score, which have a value for each game or each turn. `results`,
    `equities`, `chances` and `lambda_returns` are in the levels that count, without the cube: a dropped game is a
    single one.

    *Equality*: identity.

    Attributes:
        matches: `(n,) int64`, the number of each game's match, rising.
        of_match: `(n,) int64`, the number of the game in its match, from 0.
        openings: `(n, 2) int8`, the opening roll: White's die, Black's die.
        ties: `(n, K) int8`, the face of each tied opening roll before it that doubled the cube, and 0.
        opening_cubes: `(n,) int32`, the value of the cube after the opening roll.
        scores: `(n, 2) int32`, the points of White and Black before the game.
        crawford: `(n,) bool`, whether it was the Crawford game.
        won: `(n,) int32`, the points that the winner scored; 0 if it was stopped.
        ends: `(n,) int8`, how it ended: 0 played, 1 dropped (the order of `End`); -1 if it was stopped.
        cubes: `(T,) int32`, the value of the cube at each turn, when the roll was played.
        owners: `(T,) int8`, the owner of the cube then; -1 while it was centered.
        length: the points that win a match, or None for money games.
        rules: the options.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Action, batch
        >>> def choose(turns, rng):
        ...     return turns.random_rows()
        >>> def cube(states, rng):
        ...     return np.where(states.may("double"), Action.DOUBLE, Action.TAKE)
        >>> rng = np.random.default_rng(1)
        >>> games = batch.play_matches(10, choose, cube, rng=rng, length=3)
        >>> isinstance(games, batch.MatchGames), games.matches[:4].tolist()
        (True, [0, 1, 2, 3])
        >>> len(games.last_games) == len(games.match_scores) == 10
        True
        >>> bool((games.match_scores.max(axis=1) >= 3).all())
        True
        >>> set(games.match_winners.tolist())
        {0, 1}
        >>> int(games.cubes.max()), bool((games.won >= abs(games.results)).all())
        (4, True)
    """

    matches: Ints
    of_match: Ints
    openings: Rows
    ties: Rows
    opening_cubes: Points
    scores: Points
    crawford: Bools
    won: Points
    ends: Rows
    cubes: Points
    owners: Rows
    length: int | None
    rules: Rules

    def __repr__(self) -> str:
        games = counted(len(self), "game", ",")
        turns = counted(len(self.points), "turn", ",")
        count = len(self.last_games)
        matches = "1 match" if count == 1 else f"{count:,} matches"
        return f"<MatchGames: {matches}, {games}, {turns}>"

    @property
    def last_games(self) -> Ints:
        """`(m,) int64`: for each of the m matches, the number of its last game, an index into the arrays of games."""
        no_match = -1  # after the last game
        next_match_differs = np.diff(self.matches, append=no_match) != 0
        return np.flatnonzero(next_match_differs)

    @property
    def match_scores(self) -> Points:
        """`(m, 2) int32`: the points of White and Black after each match; in a match to 7, one has at least 7."""
        last = self.last_games
        scores = self.scores[last]
        winners = self.winners[last]
        with_winner = np.flatnonzero(winners >= 0)
        scores[with_winner, winners[with_winner]] += self.won[last[with_winner]]
        return scores

    @property
    def match_winners(self) -> Rows:
        """`(m,) int8`: who won each match, or each money game; -1 if it was stopped."""
        return self.winners[self.last_games]

    def _ends_of_matches(self) -> Ints:
        return self.last_games + 1

    def _start(self, game: int) -> MatchState:
        board = self._own_start(game)
        score = self.scores[game].tolist()
        return MatchState.new(self.length, rules=self.rules, position=board, score=score)

    def _events(self, game: int) -> Iterator[Event]:
        """The events of a game: the arrays show how often the cube was turned, not by whom and when in a turn."""
        tied_faces = [face for face in self.ties[game].tolist() if face != 0]
        for face in tied_faces:
            yield Event(Action.OPENING_ROLL, argument=(face, face))
        yield Event(Action.OPENING_ROLL, argument=self.openings[game].tolist())
        # the first turn plays the opening roll, unless the rules ask for a roll of its own
        rolling: _Rolling | None = Action.ROLL if self.rules.opening == "reroll" else None
        cube = int(self.opening_cubes[game])
        cubes = self.cubes[numbered(game, self.offsets, "game")].tolist()
        for cube_of_turn, play in zip(cubes, self._plays(game), strict=True):
            yield from _cube_turned(cube, cube_of_turn, Action.TAKE)
            cube = cube_of_turn
            yield from _roll_and_play(play, rolling)
            rolling = Action.ROLL
        if self.ends[game] == NUMBERS_OF_ENDS[End.DROPPED]:
            offered = 2 * int(self.won[game])  # a drop costs half of the value that was offered
            yield from _cube_turned(cube, offered, Action.DROP)


def _values_of_turns(
    name: str, argument: npt.ArrayLike, count: int, *widths: tuple[int, ...]
) -> Floats:
    """Finite numbers, one or five for each turn or game."""
    numbers = " or ".join("five numbers" if width else "a number" for width in widths)
    expected = f"{name}: expected {numbers} for each of {counted(count, 'row', ',')}"
    array = numbers_for(argument, name, count, "iuf", expected, *widths)
    is_finite = np.isfinite(array)
    if not is_finite.all():
        first_wrong = tuple(np.argwhere(~is_finite)[0])  # a row, or a row and a column
        raise ArgumentError(
            f"{name}, row {first_wrong[0]}: {array[first_wrong]} is not a finite number"
        )
    return array.astype(np.float64)


def _roll_and_play(play: Play, rolling: _Rolling | None) -> Iterator[Event]:
    """The roll and the play of a turn. `rolling` is the action that rolls; None if the roll is recorded before."""
    if rolling is Action.OPENING_ROLL:
        # White's die and Black's: White starts here, and so has the higher one
        yield Event(Action.OPENING_ROLL, argument=tuple(play.dice))
    elif rolling is Action.ROLL:
        yield Event(Action.ROLL, argument=play.dice)
    yield Event(Action.PLAY, argument=play)


def _cube_turned(
    value: int, new_value: int, answer: Literal[Action.TAKE, Action.DROP]
) -> Iterator[Event]:
    """The double and beavers that turn the cube from a value to a higher one, and the answer to the last of them."""
    if new_value <= value:
        return
    doublings = (new_value // value).bit_length() - 1  # a beaver doubles the value too
    beavers = doublings - 1
    yield Event(Action.DOUBLE)
    for _ in range(beavers):
        yield Event(Action.BEAVER)
    yield Event(answer)
