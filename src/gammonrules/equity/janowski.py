"""Janowski's model of the doubling cube: what a game is worth with a cube between dead and live.

A *dead* cube is never turned again. A *live* one is turned at the last moment at which it is just taken, as if the
chance of winning moved without jumps. A real cube is between them, by its efficiency x: its worth is 1 - x times that
with a dead cube, and x times that with a live one (Rick Janowski, Take-Points in Money Games, 1993).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeAlias

import attrs
from attrs import frozen

from gammonrules.equity.chances import Chances
from gammonrules.match import Cube, MatchState, Player
from gammonrules.match.internals import against_double, highest_win

Curve: TypeAlias = list[tuple[float, float]]
"""Chances of winning the game from 0 to 1, with what they are worth; between two of them, the worth is linear."""

_EQUAL = 1e-12


@frozen
class DoublingWindow:
    """From which chance of winning the game a player may double, and up to which the opponent takes.

    *Equality*: two are equal if both attributes are equal.

    Attributes:
        double_point: the doubler's chance at which a double that is taken is worth as much as none. 0 if doubling risks
            nothing; above the cash point if, with many gammons, it is always better to play on.
        cash_point: the doubler's chance from which the opponent should drop.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.equity import KAZAROSS_XG2, DoublingWindow
        >>> money = MatchState.new(None).opening_roll(white=3, black=1)
        >>> window = KAZAROSS_XG2.doubling_window(money)
        >>> window == DoublingWindow(double_point=0.5, cash_point=0.75)
        True
        >>> window.take_point
        0.25
    """

    double_point: float
    cash_point: float

    @property
    def take_point(self) -> float:
        """The chance of winning the game that the opponent needs to take."""
        return 1 - self.cash_point


@frozen
class Stakes:
    """What the end of a game is worth to a player, in their chance of winning the match, or in points.

    Attributes:
        state: the score, the rules and the cube.
        player: whose view this is.
        worth: what winning so many points is worth to a player; below 0, losing them.
        won: of the player's wins, the parts that are single games, gammons and backgammons.
        lost: the same of their losses.
    """

    state: MatchState
    player: Player
    worth: Callable[[Player, int], float]
    won: tuple[float, ...] = (1,)
    lost: tuple[float, ...] = (1,)

    @classmethod
    def of(
        cls, state: MatchState, player: Player, worth: Callable[[Player, int], float], chances: Chances | None
    ) -> Stakes:
        """The stakes of a game; without chances, of one without gammons."""
        if chances is None:
            return cls(state, player, worth)
        alone = chances.exclusive
        won, lost = (
            tuple(alone[sign * level] / total for level in (1, 2, 3)) if total else (1,)
            for sign, total in ((1, chances.win), (-1, chances.lose))
        )
        return cls(state, player, worth, won, lost)

    def at(self, win: float, cube: Cube, efficiency: float) -> float:
        """The worth of this chance of winning the game, before anybody doubles."""
        return _on(self._curve(cube, efficiency), win)

    def window(self, cube: Cube, efficiency: float) -> DoublingWindow | None:
        """When to double this cube, and when to take it; None if the player may not double."""
        if not self._may_double(cube):
            return None
        taken, kept = self._taken(cube, efficiency), self._curve(cube, efficiency)
        wins = sorted({win for win, _ in (*taken, *kept)})
        double_point = _root([(win, _on(taken, win) - _on(kept, win)) for win in wins])
        return DoublingWindow(double_point, self._cash_point(cube, efficiency))

    def _may_double(self, cube: Cube) -> bool:
        """Whether this player may, now or later, turn the cube."""
        state, theirs = self.state, cube.owner is self.player.opponent
        points = state.score_before[self.player]
        return not any(against_double(state.rules, state.length, state.crawford, theirs, cube.value, points))

    def _cash_point(self, cube: Cube, efficiency: float) -> float:
        """The chance at which the opponent's drop and their take are worth the same, if this player doubles."""
        dropped = self.worth(self.player, cube.value)
        return _root([(win, worth - dropped) for win, worth in self._taken(cube, efficiency)])

    def _dead(self, cube: Cube) -> Curve:
        """The worth of a game that ends with this cube."""
        highest = highest_win(self.state.rules, self.state.length, cube)

        def mean(sign: int, parts: tuple[float, ...]) -> float:
            points = (sign * cube.value * min(level, highest) for level in range(1, len(parts) + 1))
            return sum(part * self.worth(self.player, one) for part, one in zip(parts, points, strict=True))

        return [(0.0, mean(-1, self.lost)), (1.0, mean(1, self.won))]

    def _taken(self, cube: Cube, efficiency: float) -> Curve:
        """The worth once this player has doubled and the opponent has taken."""
        theirs = Cube(2 * cube.value, self.player.opponent)
        length, wins = self.state.length, self.state.score_before[self.player] + theirs.value
        if length is None or wins < length or not self._flipped()._may_double(theirs):  # noqa: SLF001
            return self._curve(theirs, efficiency)
        # The opponent, who would lose the match in any case, redoubles at once.
        return self._dead(Cube(2 * theirs.value, self.player))

    def _curve(self, cube: Cube, efficiency: float) -> Curve:
        """The worth of all chances of winning the game: with a live cube, it bends at the cash points."""
        dead = self._dead(cube)
        live, them = list(dead), self._flipped()
        if efficiency and self._may_double(cube):
            live.insert(1, (self._cash_point(cube, 1), self.worth(self.player, cube.value)))
        if efficiency and them._may_double(cube):  # noqa: SLF001
            live.insert(1, (1 - them._cash_point(cube, 1), self.worth(self.player, -cube.value)))  # noqa: SLF001
        return [(win, (1 - efficiency) * _on(dead, win) + efficiency * worth) for win, worth in live]

    def _flipped(self) -> Stakes:
        return attrs.evolve(self, player=self.player.opponent, won=self.lost, lost=self.won)


def _on(curve: Curve, win: float) -> float:
    """The worth of a chance, between the two points of a curve that are next to it."""
    ends = pairwise(curve)
    (left, low), (right, high) = next(pair for pair in ends if pair[0][0] < pair[1][0] >= win)
    return low + (win - left) / (right - left) * (high - low)


def _root(curve: Curve) -> float:
    """The chance from which a curve is no longer below 0; 1 if it is everywhere."""
    if curve[0][1] >= -_EQUAL:
        return 0.0
    for (left, low), (right, high) in pairwise(curve):
        if low < 0 <= high:
            return left - low / (high - low) * (right - left)
    return 1.0
