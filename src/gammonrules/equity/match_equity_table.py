"""A match equity table, and the conversions between chances of winning the match and equities of the game."""

from __future__ import annotations

from math import isfinite
from typing import Annotated

from attrs import field, frozen

from gammonrules.errors import ArgumentError
from gammonrules.limits import MOST_POINTS
from gammonrules.match import MatchState, Player
from gammonrules.match.internals import crawford_after
from gammonrules.problems import Bounds, refuse, whole_argument, wrong_fields
from gammonrules.values import real_number, shown


@frozen
class MatchEquityTable:
    """A match equity table: the chance of winning a match, by the points that the players still need.

    *Equality*: two are equal if all attributes are equal.

    Every method answers None for money play, and for a player who needs more points than the table has.

    Attributes:
        name: the name of the table.
        before_crawford: the chance, from 0 to 1, of a player who needs 1, 2, ... points (a row each) against an
            opponent who needs 1, 2, ... points. If one of them needs 1, the next game is the Crawford game.
        after_crawford: the same after the Crawford game, for a player whose opponent needs 1 point.

    Raises:
        ArgumentError: attributes have the wrong type, or the rows do not have equal lengths.

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
    before_crawford: tuple[tuple[Annotated[float, Bounds(0, 1)], ...], ...] = field(repr=False)
    after_crawford: tuple[Annotated[float, Bounds(0, 1)], ...] = field(repr=False)

    def __attrs_post_init__(self) -> None:
        wrong = list(wrong_fields(self))
        if not wrong and {*map(len, self.before_crawford), len(self.after_crawford)} != {len(self.before_crawford)}:
            wrong.append("before_crawford must have as many rows as each of them, and after_crawford, has chances")
        refuse("match equity table", wrong)

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
        _check(state, player)
        length, score = state.length, state.score
        if length is None:
            return None
        is_crawford = (
            state.crawford if state.result is None else crawford_after(state.rules, length, score, state.score_before)
        )
        return self._chance(length - score[player], length - score[player.opponent], after_crawford=not is_crawford)

    def chance_after(self, state: MatchState, player: Player, points: int) -> float | None:
        """The chance of winning the match once the game has ended with this gain of points.

        Args:
            state: a state of the game; only the score before it matters.
            player: whose chance it is.
            points: the points that `player` wins in this game; below 0, those that they lose.

        Raises:
            ArgumentError: an argument has the wrong type, or is beyond the limits of points.
        """
        _check(state, player)
        return self._chance_after(state, player, whole_argument("points", points, -MOST_POINTS, MOST_POINTS))

    def to_equity(self, chance: float, state: MatchState, player: Player | None = None) -> float | None:
        """The normalized equity that corresponds to a chance of winning the match.

        Winning the points of the present cube is 1, losing them is -1, and the equity is linear in between. While a
        double is pending, the cube is that before doubling.

        Args:
            chance: the chance of winning the match for `player`.
            state: the state in which the decision is made.
            player: whose chance it is; None (the default) for the player on roll, who while a double is pending is the
                doubler.

        Returns:
            The equity for the same player; None as well before the opening roll without a `player`.

        Raises:
            ArgumentError: an argument has the wrong type.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.equity import KAZAROSS_XG2
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> round(KAZAROSS_XG2.to_equity(0.55, state), 3)
            0.799
        """
        number, ends = _number("chance", chance), self._won_and_lost(state, player)
        if ends is None:
            return None
        won, lost = ends
        return (2 * number - won - lost) / (won - lost)

    def to_chance(self, equity: float, state: MatchState, player: Player | None = None) -> float | None:
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
        number, ends = _number("equity", equity), self._won_and_lost(state, player)
        if ends is None:
            return None
        won, lost = ends
        return (won + lost + number * (won - lost)) / 2

    def _won_and_lost(self, state: MatchState, player: Player | None) -> tuple[float, float] | None:
        """The chance of winning the match for a player who wins, and who loses, the points of the present cube."""
        _check(state, Player.WHITE if player is None else player)
        player = state.on_roll if player is None else player
        if player is None:
            return None
        won, lost = (self._chance_after(state, player, points) for points in (state.cube.value, -state.cube.value))
        return None if won is None or lost is None else (won, lost)

    def _chance_after(self, state: MatchState, player: Player, points: int) -> float | None:
        if state.length is None:
            return None
        before = state.score_before
        away, other = state.length - before[player], state.length - before[player.opponent]
        # Once a player needs 1 point, this is the Crawford game or a later one; what follows is after it.
        return self._chance(away - max(0, points), other + min(0, points), after_crawford=min(away, other) <= 1)

    def _chance(self, away: int, other: int, *, after_crawford: bool) -> float | None:
        """The chance of a player who needs `away` points against `other`; one who needs none has won."""
        if away <= 0 or other <= 0:
            return float(away <= 0)
        if max(away, other) > len(self.after_crawford):
            return None
        if after_crawford and other == 1:
            return self.after_crawford[away - 1]
        if after_crawford and away == 1:
            return 1 - self.after_crawford[other - 1]
        return self.before_crawford[away - 1][other - 1]


def _check(state: object, player: object) -> None:
    """Raise ArgumentError for anything else than a state and a player."""
    if not isinstance(state, MatchState):
        raise ArgumentError(f"state must be a MatchState, not {shown(state, 60)}")
    if not isinstance(player, Player):
        raise ArgumentError(f"player must be a Player, not {shown(player, 60)}")


def _number(name: str, given: float) -> float:
    """A finite number of any type as a float. Raises ArgumentError for anything else."""
    number = real_number(given)
    if number is None or not isfinite(number):
        raise ArgumentError(f"{name} must be a finite number, not {shown(given, 60)}")
    return number
