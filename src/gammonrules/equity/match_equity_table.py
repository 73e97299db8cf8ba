"""A match equity table, and the conversions between chances of winning the match and equities of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from math import isfinite
from typing import Any, TypeVar

from attrs import field, frozen

from gammonrules.board import Win
from gammonrules.equity.chances import Chance, Chances, five_of
from gammonrules.equity.janowski import DoublingWindow, Stakes, normalized
from gammonrules.errors import ArgumentError
from gammonrules.limits import MOST_POINTS
from gammonrules.match import MatchState, Player
from gammonrules.match.internals import Values, crawford_after, highest_win
from gammonrules.rules import Rules
from gammonrules.values import (
    Checked,
    check_kind,
    real_argument,
    shown,
    whole_argument,
    wrong_fields,
)

_V = TypeVar("_V")


@frozen
class MatchEquityTable(Checked):
    """A match equity table: the chance of winning a match, by the points that the players still need.

    *Equality*: two are equal if all attributes are equal.

    Every method answers None if a player needs more points than the table has, or if `player` is left out before the
    opening roll. In money play, `equity_from`, `doubling_window` and `gammon_value` answer, the same with any table;
    the others answer None.

    Attributes:
        name: the name of the table.
        before_crawford: the chance, from 0 to 1, of a player who needs 1, 2, ... points (a row each) against an
            opponent who needs 1, 2, ... points. If one of them needs 1, the next game is the Crawford game.
        after_crawford: the same after the Crawford game, for a player whose opponent needs 1 point. The last chance may
            be missing.
        after_crawford_black: None (the default) if both players have the same chances. Else those of Black; the other
            attributes are then White's, and what is left of 1 is the opponent's.

    Raises:
        ArgumentError: attributes have the wrong type, or the rows do not have these lengths.

    Examples:
        >>> from gammonrules import MatchState, Player
        >>> from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable
        >>> KAZAROSS_XG2.before_crawford[2][4], KAZAROSS_XG2.after_crawford[1]
        (0.64795, 0.48803)
        >>> coin = MatchEquityTable("two points", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.5))
        >>> coin.chance(MatchState.new(2, score=(1, 0)), Player.WHITE)
        0.7
    """

    name: str
    before_crawford: tuple[tuple[Chance, ...], ...] = field(repr=False)
    after_crawford: tuple[Chance, ...] = field(repr=False)
    after_crawford_black: tuple[Chance, ...] | None = field(default=None, repr=False)

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self) or self._wrong_lengths()

    def _wrong_lengths(self) -> Iterator[str]:
        rows = len(self.before_crawford)
        if not rows or {*map(len, self.before_crawford)} != {rows}:
            yield "before_crawford must have as many rows as each of them has chances"
        for name, row in (("", self.after_crawford), ("_black", self.after_crawford_black)):
            if row is not None and len(row) not in {rows, max(1, rows - 1)}:
                yield f"after_crawford{name} must have as many chances as before_crawford has rows, or one less"

    def chance(self, state: MatchState, player: Player) -> float | None:
        """The chance of winning the match before a game at this score; once the match is over, 1 or 0.

        Args:
            state: any state of the game, whose board and cube make no difference. After the end of a game, the chance
                is that before the next one.
            player: whose chance it is.

        Raises:
            ArgumentError: an argument has the wrong type.

        Examples:
            >>> from gammonrules import MatchState, Player
            >>> from gammonrules.equity import KAZAROSS_XG2
            >>> KAZAROSS_XG2.chance(MatchState.new(7, score=(3, 2)), Player.WHITE)
            0.57732
            >>> crawford = MatchState.new(7, score=(6, 5))
            >>> KAZAROSS_XG2.chance(crawford, Player.BLACK)
            0.32264
        """
        _check_player(state, player)
        rules = state.rules
        length = state.length
        score = state.score
        if length is None:
            return None
        crawford = (
            state.crawford
            if state.result is None
            else crawford_after(rules, length, score, game_before=state.score_before)
        )
        away = length - score[player]
        opponent_away = length - score[player.opponent]
        with suppress(LookupError):
            return chance_between(
                self, player=player, past=not crawford, away=away, opponent_away=opponent_away
            )
        return None

    def chance_after(self, state: MatchState, player: Player, points: int) -> float | None:
        """The chance of winning the match once the game has ended with this gain of points.

        Args:
            state: a state of the game; only the rules and the score before it matter.
            player: whose chance it is.
            points: the points that `player` wins in this game; below 0, those that they lose.

        Raises:
            ArgumentError: an argument has the wrong type, or is beyond the limits of points.
        """
        _check_player(state, player)
        points = whole_argument("points", value=points, least=-MOST_POINTS, most=MOST_POINTS)
        if state.length is not None:
            with suppress(LookupError):
                return self._chances_after(state, player, state.length)(points)
        return None

    def to_equity(
        self, chance: float, state: MatchState, player: Player | None = None
    ) -> float | None:
        """The normalized equity that corresponds to a chance of winning the match.

        Winning the points of the present cube is 1, losing them is -1, and the equity is linear in between. While a
        double is pending, the cube is that before doubling.

        Args:
            chance: the chance of winning the match for `player`.
            state: the state in which the decision is made.
            player: whose chance it is; None (the default) for the player on roll, who while a double is pending is the
                doubler.

        Returns:
            The equity for the same player; None as well if the table gives both ends the same chance.

        Raises:
            ArgumentError: an argument has the wrong type.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.equity import KAZAROSS_XG2
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> round(KAZAROSS_XG2.to_equity(0.55, state), 3)
            0.799
        """
        number = real_argument("chance", value=chance, needed="a finite number", fits=isfinite)
        ends = self._won_and_lost(state, player)
        return None if ends is None else normalized(number, *ends)

    def to_chance(
        self, equity: float, state: MatchState, player: Player | None = None
    ) -> float | None:
        """The chance of winning the match that corresponds to a normalized equity: the inverse of `to_equity`.

        Args:
            equity: the normalized equity for `player`.
            state: as for `to_equity`.
            player: as for `to_equity`.

        Returns:
            The chance for the same player; None where `to_equity` gives None. It is below 0 or above 1 if the equity is
            beyond that of winning or losing the match.

        Raises:
            ArgumentError: an argument has the wrong type.
        """
        number = real_argument("equity", value=equity, needed="a finite number", fits=isfinite)
        if (ends := self._won_and_lost(state, player)) is None:
            return None
        won, lost = ends
        return (won + lost + number * (won - lost)) / 2

    def chance_from(
        self,
        chances: Chances,
        state: MatchState,
        player: Player | None = None,
        efficiency: float = 0,
    ) -> float | None:
        """The chance of winning the match if this game may end so; nobody is just about to double.

        Args:
            chances: how the game may end, for `player`.
            state: the score, the rules and the cube; the board makes no difference. While a double is pending, the cube
                is that before doubling.
            player: as for `to_equity`.
            efficiency: how useful the cube is: 0 (the default) if nobody turns it again, so that the result is
                *cubeless*; 1 if it is always turned at the best moment. Between these, the result is in proportion.

        Raises:
            ArgumentError: an argument has the wrong type, or `efficiency` is not from 0 to 1.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.equity import KAZAROSS_XG2, Chances
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> chances = Chances(0.55, 0.15, 0.01, 0.12, 0.005)
            >>> round(KAZAROSS_XG2.chance_from(chances, state), 4)
            0.5085
            >>> round(KAZAROSS_XG2.equity_from(chances, state), 3)
            0.136
            >>> round(KAZAROSS_XG2.equity_from(chances, state, efficiency=0.68), 3)
            0.191
        """
        worth = self._worth_of(chances, state, player, efficiency)
        return None if state.length is None else worth

    def equity_from(
        self,
        chances: Chances,
        state: MatchState,
        player: Player | None = None,
        efficiency: float = 0,
    ) -> float | None:
        """The normalized equity if this game may end so: that of `chance_from`; in money play, points for a cube of 1.

        Args:
            chances: as for `chance_from`.
            state: as for `chance_from`.
            player: as for `to_equity`.
            efficiency: as for `chance_from`.

        Returns:
            The equity; None as well with pip scoring, where a win is not worth a fixed number of points.

        Raises:
            ArgumentError: as for `chance_from`.
        """
        worth = self._worth_of(chances, state, player, efficiency)
        return (
            worth if worth is None or state.length is None else self.to_equity(worth, state, player)
        )

    def doubling_window(
        self,
        state: MatchState,
        player: Player | None = None,
        chances: Chances | None = None,
        efficiency: float = 0,
    ) -> DoublingWindow | None:
        """From which chance of winning the game a player may double, and up to which the opponent takes.

        A dead cube is counted as one that may be turned once more where that costs nothing: if the doubled cube would
        win the match for the doubler only, the opponent redoubles at once.

        Args:
            state: as for `chance_from`.
            player: the player who may double; None (the default) for the player on roll.
            chances: how the game may end, for `player`. Only the part of gammons and backgammons in the wins of each
                side makes a difference; None (the default) for a game without gammons.
            efficiency: how useful the cube is after this double, and without it: 0 (the default) for a dead cube, 1 for
                a live one; see `chance_from`.

        Returns:
            The window; None if the player may not double with this cube: in the Crawford game, for example, or if it is
            dead or the opponent's.

        Raises:
            ArgumentError: as for `chance_from`.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.equity import KAZAROSS_XG2
            >>> state = MatchState.new(7, score=(3, 2)).opening_roll(white=3, black=1)
            >>> window = KAZAROSS_XG2.doubling_window(state)
            >>> round(window.cash_point, 4), round(window.take_point, 4)
            (0.6965, 0.3035)
        """
        check_kind("chances", chances, Chances | None)
        cube_life = from_0_to_1("efficiency", efficiency)

        def window(stakes: Stakes) -> DoublingWindow | None:
            return DoublingWindow(*stakes.window(cube_life)) if stakes.may_double() else None

        return self._of_game(state, player, chances, value=window)

    def gammon_value(
        self, state: MatchState, player: Player | None = None, win: Win = Win.GAMMON
    ) -> float | None:
        """What winning a gammon gains more than a single win, divided by what a single win gains more than a loss.

        In money play it is 0.5, and where gammons do not count, as under the Jacoby rule before the first double, 0.

        Args:
            state: as for `chance_from`.
            player: who wins; None (the default) for the player on roll.
            win: `Win.GAMMON` (the default) or `Win.BACKGAMMON`, both compared with a single win.

        Raises:
            ArgumentError: an argument has the wrong type.

        Examples:
            >>> from gammonrules import MatchState, Player, Win
            >>> from gammonrules.equity import KAZAROSS_XG2
            >>> state = MatchState.new(7, score=(3, 2))
            >>> round(KAZAROSS_XG2.gammon_value(state, Player.WHITE), 5)
            0.64643
            >>> round(KAZAROSS_XG2.gammon_value(state, Player.BLACK), 5)
            0.48327
        """
        check_kind("win", win, Win)

        def value(stakes: Stakes) -> float:
            levels = (-1, 1, min(win, highest_win(state.rules, state.length, state.cube)))
            lost, single, higher = (stakes.worth(level * state.cube.value) for level in levels)
            gained: float = (higher - single) / (single - lost)
            return gained

        return self._of_game(state, player, chances=None, value=value)

    def _of_game(
        self,
        state: MatchState,
        player: Player | None,
        chances: Chances | None,
        value: Callable[[Stakes], _V],
    ) -> _V | None:
        """A value that follows from what this game is worth to a player.

        None if nobody is on roll, points are no multiples of the cube, or the table does not say.
        """
        _check_player(state, Player.WHITE if player is None else player)
        player = state.on_roll if player is None else player
        if player is None or state.rules.scoring == "pips":
            return None
        in_match = (
            None if state.length is None else self._chances_after(state, player, state.length)
        )
        cube = state.cube
        before = state.score_before
        opponent = player.opponent
        game = state.crawford, cube.value, (cube.owner is player, cube.owner is opponent)
        worth: Callable[[int], float] = in_match or (lambda points: points / cube.value)
        five = None if chances is None else five_of(chances)
        # what a chance raises that is not in the table, or where two chances are equal
        with suppress(LookupError, ZeroDivisionError):
            return value(
                Stakes(
                    state.rules,
                    state.length,
                    *game,
                    (before[player], before[opponent]),
                    worth,
                    five,
                )
            )
        return None

    def _worth_of(
        self, chances: Chances, state: MatchState, player: Player | None, efficiency: float
    ) -> float | None:
        check_kind("chances", chances, Chances)
        cube_life = from_0_to_1("efficiency", efficiency)
        return self._of_game(state, player, chances, value=lambda stakes: stakes.at(cube_life))

    def _won_and_lost(self, state: MatchState, player: Player | None) -> tuple[float, float] | None:
        """The chance of winning the match for a player who wins, and who loses, the points of the present cube."""
        _check_player(state, Player.WHITE if player is None else player)
        player = state.on_roll if player is None else player
        if player is None or state.length is None:
            return None
        chance = self._chances_after(state, player, state.length)
        cube = state.cube.value
        with suppress(LookupError):
            won, lost = chance(cube), chance(-cube)
            return None if won == lost else (won, lost)
        return None

    def _chances_after(
        self, state: MatchState, player: Player, length: int
    ) -> Callable[[int], float]:
        """The chances by the points that this player wins, or below 0 loses, in this game."""
        before = state.score_before
        away = length - before[player], length - before[player.opponent]
        past = is_after_crawford(state.rules, *away)

        def chance(points: int) -> float:
            return chance_between(
                self,
                player=player,
                past=past,
                away=away[0] - max(0, points),
                opponent_away=away[1] + min(0, points),
            )

        return chance


def chance_between(
    table: MatchEquityTable, player: Player, past: Values, away: int, opponent_away: int
) -> float:
    """The chance of a player who needs `away` points, past the Crawford game or not; LookupError if it is unknown."""
    if away <= 0 or opponent_away <= 0:
        return float(away <= 0)
    if past and (away == 1 or opponent_away == 1):
        if opponent_away == 1:
            return _after_crawford(table, player)[away - 1]
        return 1 - _after_crawford(table, player.opponent)[opponent_away - 1]
    if player is Player.BLACK and table.after_crawford_black is not None:
        return 1 - table.before_crawford[opponent_away - 1][away - 1]
    return table.before_crawford[away - 1][opponent_away - 1]


def _after_crawford(table: MatchEquityTable, trailer: Player) -> tuple[float, ...]:
    black = table.after_crawford_black
    return table.after_crawford if black is None or trailer is Player.WHITE else black


def is_after_crawford(rules: Rules, away: Values, opponent_away: Values) -> Values:
    """Whether what follows this game is after the Crawford game: once a player needs 1 point, it has begun."""
    return (not rules.crawford) | (away <= 1) | (opponent_away <= 1)


def at_scores(tables: Any, value: Callable[[MatchState], _V]) -> list[_V]:
    """Ask for a value of each of many tables, but only once for each score and cube.

    Args:
        tables: the `batch.Tables`.
        value: returns the value for a state. The state has the score, the cube and the player on roll of all tables
            that its value is used for, but the board of one of them.

    Returns:
        The value for each table; `numpy.array` makes an array of them.

    Raises:
        ArgumentError: these are no `batch.Tables`.

    Examples:
        >>> from gammonrules import Player, batch
        >>> from gammonrules.equity import KAZAROSS_XG2, at_scores
        >>> tables = batch.Tables.new(3, length=7, score=(3, 2))
        >>> def of_white(state):
        ...     return KAZAROSS_XG2.chance(state, Player.WHITE)
        >>> at_scores(tables, of_white)
        [0.57732, 0.57732, 0.57732]
    """
    if not hasattr(tables, "scores"):
        raise ArgumentError(f"tables must be batch.Tables, not {shown(tables, 60)}")
    columns = "cube", "owners", "offered", "crawford", "on_roll", "won_by", "won"
    scores = map(tuple, tables.scores.tolist())
    keys = [*zip(scores, *(getattr(tables, name).tolist() for name in columns), strict=True)]
    numbers = {key: number for number, key in enumerate(keys)}
    values = {key: value(tables[number]) for key, number in numbers.items()}
    return [values[key] for key in keys]


def _check_player(state: object, player: object) -> None:
    """Raise ArgumentError for anything else than a state and a player."""
    check_kind("state", state, MatchState)
    check_kind("player", player, Player)


def from_0_to_1(name: str, value: float, most: float = 1) -> float:
    """A number from 0 to `most` as a float. Raises ArgumentError for anything else."""
    return real_argument(
        name, value, needed=f"a number from 0 to {most}", fits=lambda number: 0 <= number <= most
    )
