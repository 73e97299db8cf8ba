"""Janowski's model of the doubling cube: what a game is worth with a cube between dead and live.

A *dead* cube is never turned again. A *live* one is turned at the last moment at which it is just taken, as if the
chance of winning moved without jumps. A real cube is between them, by its efficiency x: its worth is 1 - x times that
with a dead cube, and x times that with a live one (Rick Janowski, Take-Points in Money Games, 1993).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from operator import mul
from typing import TypeAlias

from attrs import frozen

from gammonrules.equity.chances import Chances
from gammonrules.match import Cube, MatchState, Player
from gammonrules.match.internals import highest_turn, highest_win
from gammonrules.problems import Checked

Curve: TypeAlias = list[tuple[float, float]]
"""Chances of winning the game from 0 to 1, with what they are worth; between two of them, the worth is linear."""

Level: TypeAlias = tuple[int, float, float, float, float]
"""The value of a cube, and what is worth with it: a single game won, one lost, a sure win and a sure loss."""

CashPoints: TypeAlias = tuple[float | None, float | None]
"""Those of the player and of the opponent, each as a chance of their own; None for who may not double."""

_NOWHERE: CashPoints = None, None
_TURNED = Cube(2, Player.WHITE)
_EQUAL, _POINT = 1e-13, 1e-9
"""Worths, and chances, that are this close differ only by the rounding of floats."""


@frozen
class DoublingWindow(Checked):
    """From which chance of winning the game a player may double, and up to which the opponent takes.

    *Equality*: two are equal if both attributes are equal.

    Attributes:
        double_point: the doubler's chance from which, up to the cash point, a double that is taken is worth no less
            than none. 0 if doubling risks nothing; above the cash point if, with many gammons, it is always better to
            play on.
        cash_point: the doubler's chance up to which the opponent should take.

    Raises:
        ArgumentError: one of these is no number.

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
        worth: what winning so many points is worth to them; below 0, losing them. In money play, in points for a cube
            of 1.
        turns: the highest value at which they, and at which their opponent, may double a cube of theirs.
        won: of the player's wins, the parts that count once, twice and three times when the cube has been turned.
        lost: the same of their losses.
    """

    state: MatchState
    player: Player
    worth: Callable[[int], float]
    turns: tuple[int, int]
    won: tuple[float, float, float] = (1, 0, 0)
    lost: tuple[float, float, float] = (1, 0, 0)

    @classmethod
    def of(cls, state: MatchState, player: Player, worth: Callable[[int], float], chances: Chances | None) -> Stakes:
        """The stakes of a game; without chances, of one without gammons."""
        before, rules = state.score_before, (state.rules, state.length, state.crawford)
        turns = highest_turn(*rules, before[player]), highest_turn(*rules, before[player.opponent])
        if chances is None:
            return cls(state, player, worth, turns)
        highest = highest_win(state.rules, state.length, _TURNED)
        won = _parts(highest, chances.win, chances.win_gammon, chances.win_backgammon)
        lost = _parts(highest, chances.lose, chances.lose_gammon, chances.lose_backgammon)
        return cls(state, player, worth, turns, won, lost)

    def at(self, win: float, efficiency: float) -> float:
        """The worth of this chance of winning the game, before anybody doubles."""
        levels = self._levels(1)
        live, _ = self._live_cash_points(levels, efficiency)
        return _on(self._undoubled(levels[0], efficiency, live), win)

    def window(self, efficiency: float) -> DoublingWindow | None:
        """When to double, and when to take; None if the player may not double."""
        cube = self.state.cube
        if cube.owner is self.player.opponent or cube.value > self.turns[0]:
            return None
        levels = self._levels(3)
        live, doubled = self._live_cash_points(levels, efficiency)
        undoubled, taken = self._undoubled(levels[0], efficiency, live), self._taken(levels, efficiency, doubled[1])
        cash_point = _cash_point(taken, self.worth(cube.value))
        gains = [(win, _on(taken, win) - _on(undoubled, win)) for win in sorted({win for win, _ in undoubled + taken})]
        return DoublingWindow(_double_point(gains, cash_point), cash_point)

    def _levels(self, least: int) -> list[Level]:
        """Those of the present cube, of twice its value, and so on, in a match until nobody may turn it."""
        values = [self.state.cube.value << turn for turn in range(least)]
        while self.state.length is not None and values[-1] <= max(self.turns):
            values.append(2 * values[-1])
        return [self._level(value) for value in values]

    def _level(self, value: int) -> Level:
        worth, (single, gammon, backgammon), (lost, lost_gammon, lost_backgammon) = self.worth, self.won, self.lost
        up, down = worth(value), worth(-value)
        sure_win = single * up + (gammon and gammon * worth(2 * value)) + (backgammon and backgammon * worth(3 * value))
        sure_loss = lost * down + (lost_gammon and lost_gammon * worth(-2 * value))
        return value, up, down, sure_win, sure_loss + (lost_backgammon and lost_backgammon * worth(-3 * value))

    def _undoubled(self, level: Level, efficiency: float, live: CashPoints) -> Curve:
        """The worth while nobody has doubled: with a live cube, it bends where one of them just cashes."""
        (_, up, down, won, lost), (mine, theirs), cube = level, live, self.state.cube
        bends = Curve()
        if theirs is not None and cube.owner is not self.player:
            bends.append((1 - theirs, down))
        if mine is not None and cube.owner is not self.player.opponent:
            bends.append((mine, up))
        is_single = highest_win(self.state.rules, self.state.length, cube) == 1
        return _bent(*((down, up) if is_single else (lost, won)), efficiency, bends)

    def _taken(self, levels: list[Level], efficiency: float, theirs: float | None) -> Curve:
        """The worth once this player has doubled and the opponent, who will cash at `theirs`, has taken."""
        value, _, down, won, lost = levels[1]
        if self.turns[0] < value <= self.turns[1]:
            return _bent(levels[2][4], levels[2][3], efficiency, [])  # the opponent has redoubled at once
        return _bent(lost, won, efficiency, [] if theirs is None else [(1 - theirs, down)])

    def _live_cash_points(self, levels: list[Level], efficiency: float) -> tuple[CashPoints, CashPoints]:
        """Where a live cube is just taken, at its present value and once doubled; a dead one makes no use of them."""
        if self.state.length is None:
            return self._money_cash_points()
        live, doubled, further, after = _NOWHERE, _NOWHERE, levels[-1], levels[-1]
        for level in levels[-2::-1] if efficiency else ():
            live, doubled = self._live_cash_points_at(level, after, further, live), live
            further, after = after, level
        return live, doubled

    def _live_cash_points_at(self, level: Level, after: Level, further: Level, replies: CashPoints) -> CashPoints:
        """Those of a level, by the next two, if they cash the doubled cube at `replies`."""
        (value, up, down, _, _), (doubled, single_won, single_lost, won, lost) = level, after
        (mine, theirs), (my_turns, their_turns) = replies, self.turns
        my_point = their_point = None
        if value <= my_turns:
            if theirs is None:
                my_point = _part(lost, won, up)
            elif doubled <= my_turns:
                my_point = 1 - theirs * (1 - _part(single_lost, won, up))
            else:  # the opponent, who would lose the match in any case, redoubles at once
                my_point = _part(further[4], further[3], up)
        if value <= their_turns:
            if mine is None:
                their_point = _part(-won, -lost, -down)
            elif doubled <= their_turns:
                their_point = 1 - mine * (1 - _part(-single_won, -lost, -down))
            else:
                their_point = _part(-further[3], -further[4], -down)
        return my_point, their_point

    def _money_cash_points(self) -> tuple[CashPoints, CashPoints]:
        """The same in money play, where each turn of the cube changes nothing but the unit."""
        turns = (self.turns[0] // self.state.cube.value).bit_length()
        if not turns:
            return _NOWHERE, _NOWHERE
        lost, won = sum(map(mul, self.lost, (1, 2, 3))), sum(map(mul, self.won, (1, 2, 3)))
        mine, theirs, doubled = (lost + 0.5) / (won + lost), (won + 0.5) / (won + lost), _NOWHERE
        my_part, their_part = (won - 0.5) / (won + 1), (lost - 0.5) / (lost + 1)
        for _ in range(turns - 1):
            doubled = mine, theirs
            mine, theirs = 1 - theirs * my_part, 1 - mine * their_part
        return (mine, theirs), doubled


def _parts(highest: int, total: float, gammon: float, backgammon: float) -> tuple[float, float, float]:
    """The parts of single games, gammons and backgammons, as far as they count."""
    if not total or highest == 1:
        return 1, 0, 0
    gammon = min(gammon, total)
    backgammon = min(backgammon, gammon) if highest == 3 else 0
    return (total - gammon) / total, (gammon - backgammon) / total, backgammon / total


def _bent(lost: float, won: float, efficiency: float, bends: Curve) -> Curve:
    """The worth with a cube that is partly live: the dead one's is linear, the live one's goes through the bends."""
    dead = 1 - efficiency
    inner = [(win, dead * (lost + win * (won - lost)) + efficiency * worth) for win, worth in bends]
    return [(0.0, lost), *inner, (1.0, won)]


def _on(curve: Curve, win: float) -> float:
    """The worth of a chance, between the two points of a curve that are next to it."""
    for (left, low), (right, high) in pairwise(curve):
        if left < right >= win:
            return low + (win - left) / (right - left) * (high - low)
    return curve[-1][1]


def _part(low: float, high: float, worth: float) -> float:
    """How far from low to high a worth is, from 0 to 1; 1 if all are equal, since at equality a double is taken."""
    return min(1.0, max(0.0, (worth - low) / (high - low))) if high > low else 1.0


def _cash_point(taken: Curve, dropped: float) -> float:
    """The chance up to which the opponent takes."""
    for (left, low), (right, high) in pairwise(taken):
        if high > dropped:
            return left + (right - left) * _part(low, high, dropped)
    return 1.0


def _double_point(gains: Curve, cash_point: float) -> float:
    """Where the chances begin at which a double that is taken loses nothing; a single such chance does not count.

    Of several ranges of them, the last that begins below the cash point counts, or else the first.
    """
    starts, end = list[float](), -1.0
    for (left, low), (right, high) in pairwise(gains):
        if max(low, high) < -_EQUAL:
            continue
        crossing = left + (right - left) * min(1, max(0, low / (low - high))) if min(low, high) < -_EQUAL else left
        first, last = (crossing if low < -_EQUAL else left), (crossing if high < -_EQUAL else right)
        if last - first > _POINT:
            if first - end > _POINT:
                starts.append(first)
            end = last
    return max((start for start in starts if start < cash_point + _POINT), default=min(starts, default=1.0))
