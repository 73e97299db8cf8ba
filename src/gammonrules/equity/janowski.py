"""Janowski's model of the doubling cube: what a game is worth with a cube between dead and live.

A *dead* cube is never turned again. A *live* one is turned at the last moment at which it is just taken, as if the
chance of winning moved without jumps. A real cube is between them, by its efficiency x: its worth is 1 - x times that
with a dead cube, and x times that with a live one (Rick Janowski, Take-Points in Money Games, 1993).

Everything takes `Values`, those of one game or arrays of many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from operator import mul
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeAlias

from attrs import frozen

from gammonrules.match import Cube, Player
from gammonrules.match.internals import CENTERED, Values, highest_turn, highest_win
from gammonrules.rules import Rules
from gammonrules.values import Checked

Curve: TypeAlias = list[tuple[Values, Values]]
"""Chances of winning the game from 0 to 1, with what they are worth; between two of them, the worth is linear."""

Pair: TypeAlias = tuple[Values, Values]
"""Values of the player and of their opponent; a cash point is a chance of its own player, at most 1."""


class CubeWorth(NamedTuple):
    """The value of a cube, and what is worth with it: a single game won, one lost, a sure win and a sure loss."""

    value: Values
    up: Values
    down: Values
    won: Values
    lost: Values

    def opposed(self) -> CubeWorth:
        """As the opponent sees it."""
        return CubeWorth(self.value, up=-self.down, down=-self.up, won=-self.lost, lost=-self.won)


def _where(condition: Values, yes: Values, no: Values) -> Values:
    return yes if condition else no


FLOATS = SimpleNamespace(where=_where, minimum=min, maximum=max, any=bool)
"""What NumPy's functions of these names do with arrays, for one game."""

_NOWHERE: Pair = 1.0, 1.0
_TURNED = Cube(2, Player.WHITE)
_EQUAL = 1e-13
_POINT = 1e-9
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


@frozen(eq=False, slots=False)
class Stakes:
    """What the end of a game is worth to a player, in their chance of winning the match, or in points.

    Attributes:
        rules: the options.
        length: the points that win the match, or None.
        crawford: whether it is the Crawford game.
        cube: its value.
        owned: whether the player owns the cube, and whether their opponent does.
        points: those of the player and of their opponent before the game.
        worth: what winning so many points is worth to them; below 0, losing them. In money play, in points for a cube
            of 1.
        five: how the game may end, in the order of `Chances`; None for a game without gammons.
        xp: `FLOATS` for one game, NumPy for arrays.
    """

    rules: Rules
    length: int | None
    crawford: Values
    cube: Values
    owned: Pair
    points: Pair
    worth: Callable[[Values], Values]
    five: Values
    xp: Any = FLOATS

    @cached_property
    def turns(self) -> Pair:
        """The highest value at which the player, and at which their opponent, may double a cube of theirs."""
        mine, theirs = (
            highest_turn(self.rules, self.length, self.crawford, points) for points in self.points
        )
        return mine, theirs

    @cached_property
    def parts(self) -> Pair:
        """Of all wins, and of all losses, the parts that count once, twice and three times with a turned cube."""
        highest = highest_win(self.rules, self.length, _TURNED)
        if self.five is None or highest == 1:
            return (1, 0, 0), (1, 0, 0)
        win, gammon, backgammon, lose_gammon, lose_backgammon = self.five
        lost = _parts(
            highest, total=1 - win, gammon=lose_gammon, backgammon=lose_backgammon, xp=self.xp
        )
        return _parts(highest, total=win, gammon=gammon, backgammon=backgammon, xp=self.xp), lost

    def at(self, efficiency: float) -> Values:
        """The worth of this chance of winning the game, before anybody doubles; there must be chances."""
        levels = self._levels(1)
        live, _ = self._live_cash_points(levels, efficiency)
        return self._on(self._undoubled(levels[0], efficiency, live), self.five[0])

    def may_double(self, side: int = 0) -> Values:
        """Whether the player may turn the present cube, or with 1 their opponent."""
        return (self.cube <= self.turns[side]) & (self.owned[1 - side] == 0)

    def window(self, efficiency: float) -> tuple[Values, Values]:
        """The double point and the cash point, where the player may double."""
        levels = self._levels(3)
        live, doubled = self._live_cash_points(levels, efficiency)
        undoubled = self._undoubled(levels[0], efficiency, live)
        taken = self._taken(levels, efficiency, doubled[1])
        cash_point = self._cash_point(taken, self.worth(self.cube))
        (_, (theirs, _), (mine, _), _) = undoubled
        (_, (bend, _), _) = taken
        least, most = self.xp.minimum, self.xp.maximum
        wins = 0.0, least(theirs, bend), most(theirs, least(mine, bend)), most(mine, bend), 1.0
        gains = [(win, self._on(taken, win) - self._on(undoubled, win)) for win in wins]
        return self._double_point(gains, cash_point), cash_point

    def _levels(self, least: int) -> list[CubeWorth]:
        """Those of the present cube, of twice its value, and so on, in a match until nobody may turn it."""
        values = [self.cube << turn for turn in range(least)]
        most = self.xp.maximum(*self.turns)
        while self.length is not None and self.xp.any(values[-1] <= most):
            values.append(self.xp.where(values[-1] <= most, 2 * values[-1], values[-1]))
        return [self._level(value) for value in values]

    def _level(self, value: Values) -> CubeWorth:
        up = self.worth(value)
        down = self.worth(-value)
        (won, lost) = self.parts
        return CubeWorth(
            value, up, down, won=self._sure(won, up, value), lost=self._sure(lost, down, -value)
        )

    def _sure(self, parts: Sequence[Values], single: Values, points: Values) -> Values:
        """The worth of a sure win or loss; what does not happen is not looked up, since the table may not have it."""
        sure = parts[0] * single
        for times, part in enumerate(parts[1:], 2):
            if self.xp.any(part):
                sure = sure + part * self.worth(self.xp.where(part > 0, times * points, points))
        return sure

    def _undoubled(self, level: CubeWorth, efficiency: float, live: Pair) -> Curve:
        """The worth while nobody has doubled: with a live cube, it bends where one of them just cashes."""
        (_, up, down, won, lost) = level
        (mine, theirs) = live
        if highest_win(self.rules, self.length, CENTERED) == 1:
            owned = self.owned[0] | self.owned[1]
            lost, won = self.xp.where(owned, lost, down), self.xp.where(owned, won, up)
        return self._bent(
            lost,
            won,
            efficiency,
            (self.may_double(1), 0.0, 1 - theirs, down),
            (self.may_double(), 1.0, mine, up),
        )

    def _taken(self, levels: list[CubeWorth], efficiency: float, theirs: Values) -> Curve:
        """The worth once this player has doubled and the opponent, who will cash at `theirs`, has taken."""
        both, lost, won = self._once_taken(levels[1], levels[2], self.turns)
        return self._bent(lost, won, efficiency, (both, 0.0, 1 - theirs, levels[1].down))

    def _once_taken(
        self, level: CubeWorth, further: CubeWorth, turns: Pair
    ) -> tuple[Values, Values, Values]:
        """Whether both may turn a doubled cube again; and the worth of a sure loss and a sure win with it.

        If the opponent alone may, they redouble at once, since they would lose the match in any case.
        """
        mine, theirs = level.value <= turns[0], level.value <= turns[1]
        at_once = theirs & (level.value > turns[0])
        where = self.xp.where
        return (
            mine & theirs,
            where(at_once, further.lost, level.lost),
            where(at_once, further.won, level.won),
        )

    def _bent(
        self, lost: Values, won: Values, efficiency: float, *bends: tuple[Values, ...]
    ) -> Curve:
        """The worth with a cube that is partly live: the dead one's is linear, the live one's goes through the bends.

        Each bend says whether it is there, that is, whether its player may double; if not, at which end it is put.
        """
        curve = [(0.0, lost), (1.0, won)]
        where = self.xp.where
        for may, end, win, worth in bends:
            bent = (1 - efficiency) * (lost + win * (won - lost)) + efficiency * worth
            curve.insert(-1, (where(may, win, end), where(may, bent, won if end else lost)))
        return curve

    def _live_cash_points(self, levels: list[CubeWorth], efficiency: float) -> tuple[Pair, Pair]:
        """Where a live cube is just taken, at its present value and once doubled; a dead one makes no use of them.

        They mean nothing for who may not double.
        """
        if self.length is None:
            return self._money_cash_points()
        live = _NOWHERE
        once_doubled = _NOWHERE
        threes = (
            [*zip(levels, levels[1:], [*levels[2:], levels[-1]], strict=False)]
            if efficiency
            else []
        )
        for level, doubled, further in reversed(threes):
            mine = self._cash(level, doubled, further, self.turns, reply=live[1])
            theirs = self._cash(
                level.opposed(),
                doubled=doubled.opposed(),
                further=further.opposed(),
                turns=self.turns[::-1],
                reply=live[0],
            )
            live, once_doubled = (mine, theirs), live
        return live, once_doubled

    def _cash(
        self, level: CubeWorth, doubled: CubeWorth, further: CubeWorth, turns: Pair, reply: Values
    ) -> Values:
        """The cash point of one side at a level; the opponent cashes the doubled cube at `reply`."""
        both, lost, won = self._once_taken(doubled, further, turns)
        point = self._part(self.xp.where(both, doubled.down, lost), won, level.up)
        return self.xp.where(both, 1 - reply * (1 - point), point)

    def _money_cash_points(self) -> tuple[Pair, Pair]:
        """The same in money play, where each turn of the cube changes nothing but the unit."""
        (won, lost) = (sum(map(mul, parts, (1, 2, 3))) for parts in self.parts)
        where = self.xp.where
        live = doubled = (lost + 0.5) / (won + lost), (won + 0.5) / (won + lost)
        mine = (won - 0.5) / (won + 1)
        theirs = (lost - 0.5) / (lost + 1)
        value = 2 * self.cube
        while self.xp.any(more := value <= self.turns[0]):
            doubled = where(more, live[0], doubled[0]), where(more, live[1], doubled[1])
            live = (
                where(more, 1 - doubled[1] * mine, live[0]),
                where(more, 1 - doubled[0] * theirs, live[1]),
            )
            value = 2 * value
        return live, doubled

    def _on(self, curve: Curve, win: Values) -> Values:
        """The worth of a chance, between the two points of a curve that are next to it."""
        where = self.xp.where
        worth = curve[-1][1]
        for (right, high), (left, low) in pairwise(curve[::-1]):
            width = where(left < right, right - left, 1)
            worth = where(
                (left < right) & (right >= win), low + (win - left) / width * (high - low), worth
            )
        return worth

    def _part(self, low: Values, high: Values, worth: Values) -> Values:
        """How far from low to high a worth is, from 0 to 1; 1 if all are equal, since at equality a double is taken."""
        part = (worth - low) / self.xp.where(high > low, high - low, 1)
        return self.xp.where(high > low, self._from_0_to_1(part), 1.0)

    def _from_0_to_1(self, part: Values) -> Values:
        return self.xp.minimum(1.0, self.xp.maximum(0.0, part))

    def _cash_point(self, taken: Curve, dropped: Values) -> Values:
        """The chance up to which the opponent takes."""
        cash_point: Values = 1.0
        for (right, high), (left, low) in pairwise(taken[::-1]):
            point = left + (right - left) * self._part(low, high, dropped)
            cash_point = self.xp.where(high > dropped, point, cash_point)
        return cash_point

    def _double_point(self, gains: Curve, cash_point: Values) -> Values:
        """Where the chances begin at which a double that is taken loses nothing; a single such chance does not count.

        Of several ranges of them, the last that begins below the cash point counts, or else the first.
        """
        where = self.xp.where
        earliest = -1.0
        latest = -1.0
        end = -1.0
        for (left, low), (right, high) in pairwise(gains):
            crossing = left + (right - left) * self._from_0_to_1(
                low / where(low == high, 1, low - high)
            )
            first, last = (
                where(low < -_EQUAL, crossing, left),
                where(high < -_EQUAL, crossing, right),
            )
            counts = last - first > _POINT
            begins = counts & (first - end > _POINT)
            earliest = where(begins & (earliest < 0), first, earliest)
            latest = where(begins & (first < cash_point + _POINT), first, latest)
            end = where(counts, last, end)
        return where(latest >= 0, latest, where(earliest >= 0, earliest, 1.0))


def normalized(chance: Values, won: Values, lost: Values) -> Values:
    """The equity of a chance of winning the match, from those after a win and after a loss."""
    return (2 * chance - won - lost) / (won - lost)


def _parts(
    highest: int, total: Values, gammon: Values, backgammon: Values, xp: Any
) -> tuple[Values, ...]:
    """The parts of single games, gammons and backgammons, as far as they count."""
    gammon = xp.minimum(gammon, total)
    backgammon = xp.minimum(backgammon, gammon) if highest == 3 else 0.0
    total = xp.where(total > 0, total, 1)
    return (total - gammon) / total, (gammon - backgammon) / total, backgammon / total
