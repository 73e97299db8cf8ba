"""A match equity table, and the conversions between chances of winning the match and equities of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isfinite

from attrs import field, frozen

from gammonrules._shared.checked_fields import Checked, check_kind, wrong_fields
from gammonrules._shared.debug_checks import RECHECK
from gammonrules.analysis.chances import (
    Chance,
    ChancesLike,
    five_of,
    to_chances,
    to_chances_or_none,
)
from gammonrules.board import Win
from gammonrules.equity.generated_tables import chances_after_crawford, chances_before_crawford
from gammonrules.equity.janowski import DoublingWindow, Sides, Stakes
from gammonrules.limits import MAX_EQUITY_TABLE_POINTS, MAX_POINTS
from gammonrules.match import MatchState, Player, PlayerLike
from gammonrules.match.internals import Values, crawford_after, highest_win, player_of
from gammonrules.rules import Rules
from gammonrules.values import real_argument, whole_argument

_NO_ANSWER = (LookupError, ZeroDivisionError)
"""What is raised where a chance is not in the table, or a win and a loss are worth the same."""


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

    @classmethod
    def from_gammon_rate(
        cls,
        gammon_rate: float = 0.26,
        *,
        length: int = 25,
        free_drop_2_away: float = 0,
        free_drop_4_away: float = 0,
        exact: MatchEquityTable | None = None,
    ) -> MatchEquityTable:
        """Compute a table by the method of Claes Tornberg's match equity calculator (mec).

        Players win half of all games. The cube moves through the whole match as if the chance of winning the game
        changed without jumps. So each double is made where the opponent can just take it.

        Args:
            gammon_rate: the part of all wins that are gammons, from 0 to 0.95.
            length: how many points a player may need, from 1 to 64.
            free_drop_2_away: what the right to drop without a loss takes from a player who is 2 away after the Crawford
                game, as a chance from 0 to 0.1.
            free_drop_4_away: the same for a player who is 4 away, from 0 to 0.05.
            exact: a table with better chances. The new table has these chances and computes all others from them.

        Raises:
            ArgumentError: an argument is out of bounds.

        Examples:
            >>> from gammonrules.equity import MatchEquityTable
            >>> table = MatchEquityTable.from_gammon_rate(0.26)
            >>> round(table.before_crawford[3][4], 3), table.name
            (0.575, 'mec, gammon rate 0.26')
        """
        rate = from_0_to_1("gammon_rate", gammon_rate, 0.95)
        size = whole_argument("length", value=length, minimum=1, maximum=MAX_EQUITY_TABLE_POINTS)
        check_kind("exact", exact, MatchEquityTable | None)
        drops = {
            2: from_0_to_1("free_drop_2_away", free_drop_2_away, 0.1),
            # a larger one would make 4 away worse than 5 away
            4: from_0_to_1("free_drop_4_away", free_drop_4_away, 0.05),
        }
        if exact is None:
            name = f"mec, gammon rate {rate:g}"
            after = chances_after_crawford(rate, size, drops, exact=())
            before = chances_before_crawford(after, rate, exact=())
        else:
            name = f"{exact.name}, then mec, gammon rate {rate:g}"
            after = chances_after_crawford(rate, size, drops, exact.after_crawford)
            before = chances_before_crawford(after, rate, exact.before_crawford)
        return cls(name, before, tuple(after))

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self) or self._wrong_lengths()

    def _wrong_lengths(self) -> Iterator[str]:
        rows = len(self.before_crawford)
        lengths = {len(row) for row in self.before_crawford}
        if lengths != {rows}:  # which is so without any row, too
            yield "before_crawford must have as many rows as each of them has chances"
        # once past the Crawford game, a trailer has won a point
        possible_lengths = {rows, max(1, rows - 1)}
        for name, row in (
            ("after_crawford", self.after_crawford),
            ("after_crawford_black", self.after_crawford_black),
        ):
            if row is not None and len(row) not in possible_lengths:
                yield f"{name} must have as many chances as before_crawford has rows, or one less"

    def chance(self, state: MatchState, player: PlayerLike) -> float | None:
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
        check_kind("state", state, MatchState)
        player = player_of(player)
        length = state.length
        score = state.score
        if length is None:
            return None
        if state.result is None:
            crawford = state.crawford
        else:
            crawford = crawford_after(state.rules, length, score, game_before=state.score_before)
        try:
            return chance_between(
                self,
                player=player,
                # where a player needs one point, it is the Crawford game or past it; elsewhere `past` changes nothing
                past=not crawford,
                away=length - score[player],
                opponent_away=length - score[player.opponent],
            )
        except LookupError:
            return None

    def chance_after(self, state: MatchState, player: PlayerLike, points: int) -> float | None:
        """The chance of winning the match once the game has ended with this gain of points.

        Args:
            state: a state of the game; only the rules and the score before it matter.
            player: whose chance it is.
            points: the points that `player` wins in this game; below 0, those that they lose.

        Raises:
            ArgumentError: an argument has the wrong type, or is beyond the limits of points.
        """
        check_kind("state", state, MatchState)
        player = player_of(player)
        points = whole_argument("points", value=points, minimum=-MAX_POINTS, maximum=MAX_POINTS)
        if state.length is None:
            return None
        chance_after = _chances_after_game(self, state, player, state.length)
        try:
            return chance_after(points)
        except LookupError:
            return None

    def to_equity(
        self, chance: float, state: MatchState, player: PlayerLike | None = None
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
        scale = equity_scale(self, state, _checked_player(state, player))
        return None if scale is None else scale.equity(number)

    def to_chance(
        self, equity: float, state: MatchState, player: PlayerLike | None = None
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
        scale = equity_scale(self, state, _checked_player(state, player))
        return None if scale is None else scale.chance(number)

    def chance_from(
        self,
        chances: ChancesLike,
        state: MatchState,
        player: PlayerLike | None = None,
        efficiency: float = 0,
    ) -> float | None:
        """The chance of winning the match if this game may end so; nobody is just about to double.

        Args:
            chances: how the game may end, for `player`: `Chances`, or a tuple or list of their five numbers.
            state: the score, the rules and the cube; the board makes no difference. While a double is pending, the cube
                is that before doubling.
            player: as for `to_equity`.
            efficiency: how useful the cube is: 0 (the default) if nobody turns it again, so that the result is
                *cubeless*; 1 if it is always turned at the best moment. Between these, the result is in proportion.

        Raises:
            ArgumentError: an argument has the wrong type, or `Chances` refuses the numbers, or `efficiency` is not from
                0 to 1.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.analysis import Chances
            >>> from gammonrules.equity import KAZAROSS_XG2
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> chances = Chances(0.55, 0.15, 0.01, 0.12, 0.005)
            >>> round(KAZAROSS_XG2.chance_from(chances, state), 4)
            0.5085
            >>> round(KAZAROSS_XG2.chance_from((0.55, 0.15, 0.01, 0.12, 0.005), state), 4)
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
        chances: ChancesLike,
        state: MatchState,
        player: PlayerLike | None = None,
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
        if worth is None or state.length is None:
            return worth
        scale = equity_scale(self, state, _checked_player(state, player))
        return None if scale is None else scale.equity(worth)

    def doubling_window(
        self,
        state: MatchState,
        player: PlayerLike | None = None,
        chances: ChancesLike | None = None,
        efficiency: float = 0,
    ) -> DoublingWindow | None:
        """From which chance of winning the game a player may double, and up to which the opponent takes.

        A dead cube is counted as one that may be turned once more where that costs nothing: if the doubled cube would
        win the match for the doubler only, the opponent redoubles at once.

        Args:
            state: as for `chance_from`.
            player: the player who may double; None (the default) for the player on roll.
            chances: as for `chance_from`. Only the part of gammons and backgammons in the wins of each
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
        checked = to_chances_or_none(chances)
        cube_life = from_0_to_1("efficiency", efficiency)

        five = None if checked is None else five_of(checked)
        stakes = stakes_of(self, state, _checked_player(state, player), five)
        if stakes is None or not stakes.may_double.mine:
            return None
        try:
            double_point, cash_point = stakes.window(cube_life)
        except _NO_ANSWER:
            return None
        return DoublingWindow(double_point, cash_point)

    def gammon_value(
        self, state: MatchState, player: PlayerLike | None = None, win: Win = Win.GAMMON
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

        stakes = stakes_of(self, state, _checked_player(state, player))
        if stakes is None:
            return None
        cube = state.cube.value
        win_that_counts = min(win, highest_win(state.rules, state.length, state.cube))
        try:
            lost = stakes.worth(-cube)
            single = stakes.worth(cube)
            higher = stakes.worth(win_that_counts * cube)
            gained: float = (higher - single) / (single - lost)
        except _NO_ANSWER:
            return None
        return gained

    def _worth_of(
        self, chances: ChancesLike, state: MatchState, player: PlayerLike | None, efficiency: float
    ) -> float | None:
        """Check the arguments of `chance_from`; return the chance of winning the match, in money play the points."""
        five = five_of(to_chances(chances))
        cube_life = from_0_to_1("efficiency", efficiency)
        stakes = stakes_of(self, state, _checked_player(state, player), five)
        if stakes is None:
            return None
        try:
            worth: float = stakes.at(cube_life)
        except _NO_ANSWER:
            return None
        return worth


@frozen
class EquityScale:
    """The scale of normalized equities for a player: 1 is winning the points of the cube, and -1 losing them.

    Attributes:
        won: the player's chance of winning the match after they have won these points.
        lost: the same after they have lost them.
    """

    won: Values
    lost: Values

    def equity(self, chance: Values) -> Values:
        """The equity of a chance of winning the match."""
        return (2 * chance - self.won - self.lost) / (self.won - self.lost)

    def chance(self, equity: Values) -> Values:
        """The chance of winning the match that an equity is."""
        return (self.won + self.lost + equity * (self.won - self.lost)) / 2


def equity_scale(
    table: MatchEquityTable, state: MatchState, player: Player | None
) -> EquityScale | None:
    """The scale of this game, of arguments that are known to be right.

    None in money play and before the opening roll, and if the table lacks one of the chances or gives them as equal.
    """
    if RECHECK:
        assert isinstance(table, MatchEquityTable), table
        assert isinstance(state, MatchState), state
        assert player is None or isinstance(player, Player), player
    if player is None or state.length is None:
        return None
    chance_after = _chances_after_game(table, state, player, state.length)
    cube = state.cube.value
    try:
        won = chance_after(cube)
        lost = chance_after(-cube)
    except LookupError:
        return None
    return None if won == lost else EquityScale(won, lost)


def stakes_of(
    table: MatchEquityTable,
    state: MatchState,
    player: Player | None,
    five: tuple[float, ...] | None = None,
) -> Stakes | None:
    """The stakes of this game for a player, of arguments that are known to be right; `five` are the chances.

    None before the opening roll, and where a win has no fixed points.
    """
    if player is None or state.rules.scoring == "pips":
        return None
    opponent = player.opponent
    cube = state.cube
    score = state.score_before
    return Stakes(
        state.rules,
        length=state.length,
        crawford=state.crawford,
        cube=cube.value,
        owned=Sides(cube.owner is player, cube.owner is opponent),
        points=Sides(score[player], score[opponent]),
        worth=_worth_of_points(table, state, player),
        five=five,
    )


def _worth_of_points(
    table: MatchEquityTable, state: MatchState, player: Player
) -> Callable[[int], float]:
    """A function for the worth of points won, or below 0 lost; in money play with a cube of 1."""
    if state.length is not None:
        return _chances_after_game(table, state, player, state.length)
    cube = state.cube.value
    return lambda points: points / cube


def _chances_after_game(
    table: MatchEquityTable, state: MatchState, player: Player, length: int
) -> Callable[[int], float]:
    """The chances by the points that a player wins in this game, or below 0 loses; LookupError for what is unknown."""
    score = state.score_before
    away = length - score[player]
    opponent_away = length - score[player.opponent]
    past = is_after_crawford(state.rules, away, opponent_away)

    def chance_after(points: int) -> float:
        return chance_between(
            table,
            player=player,
            past=past,
            away=away - max(0, points),
            opponent_away=opponent_away + min(0, points),
        )

    return chance_after


def chance_between(
    table: MatchEquityTable, player: Player, past: Values, away: int, opponent_away: int
) -> float:
    """The chance of a player who needs `away` points, past the Crawford game or not; LookupError if it is unknown."""
    if away <= 0:
        return 1.0
    if opponent_away <= 0:
        return 0.0
    if past and opponent_away == 1:
        return _after_crawford(table, player)[away - 1]
    if past and away == 1:
        return 1 - _after_crawford(table, player.opponent)[opponent_away - 1]
    # `before_crawford` has White's chances where the players differ
    if player is Player.BLACK and table.after_crawford_black is not None:
        return 1 - table.before_crawford[opponent_away - 1][away - 1]
    return table.before_crawford[away - 1][opponent_away - 1]


def _after_crawford(table: MatchEquityTable, trailer: Player) -> tuple[float, ...]:
    """By the points that a player needs while the opponent needs one."""
    if trailer is Player.BLACK and table.after_crawford_black is not None:
        return table.after_crawford_black
    return table.after_crawford


def is_after_crawford(rules: Rules, away: Values, opponent_away: Values) -> Values:
    """Whether what follows this game is after the Crawford game: once a player needs 1 point, it has begun."""
    return (not rules.crawford) | (away <= 1) | (opponent_away <= 1)


def _checked_player(state: MatchState, player: PlayerLike | None) -> Player | None:
    """The player for whom an answer is: the one on roll, of whom there is none before the opening roll, unless given.

    Raises:
        ArgumentError: these are no state and player.
    """
    check_kind("state", state, MatchState)
    return state.on_roll if player is None else player_of(player)


def from_0_to_1(name: str, value: float, limit: float = 1) -> float:
    """A number from 0 to `limit` as a float. Raises ArgumentError for anything else."""
    return real_argument(
        name, value, needed=f"a number from 0 to {limit}", fits=lambda number: 0 <= number <= limit
    )
