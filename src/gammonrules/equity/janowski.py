"""Janowski's model of the doubling cube: what a game is worth with a cube between dead and live.

A *dead* cube is never turned again. A *live* one is turned at the last moment at which it is just taken, as if the
chance of winning moved without jumps. A real cube is between them, by its efficiency x: its worth is 1 - x times that
with a dead cube, and x times that with a live one (Rick Janowski, Take-Points in Money Games, 1993).

Everything takes `Values`, those of one game or arrays of many.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, TypeAlias

from attrs import frozen

from gammonrules._shared.checked_fields import Checked
from gammonrules._shared.forks import cached_property
from gammonrules.match import Cube, Player
from gammonrules.match.internals import CENTERED, Values, highest_turn, highest_win
from gammonrules.rules import Rules


def _where(condition: Values, yes: Values, no: Values) -> Values:
    return yes if condition else no


FLOATS = SimpleNamespace(where=_where, minimum=min, maximum=max, any=bool)
"""What NumPy's functions of these names do with arrays, for one game."""

_TURNED = Cube(2, Player.WHITE)
_EQUAL = 1e-13
"""Worths that are this close differ only by the rounding of floats."""
_SAME_POINT = 1e-9
"""A difference of chances of winning the game up to which they are the same."""


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
class Sides:
    """A value of the player, and the same of their opponent."""

    mine: Values
    theirs: Values

    def swapped(self) -> Sides:
        """As the opponent sees them."""
        return Sides(self.theirs, self.mine)


_NOWHERE = Sides(1.0, 1.0)
"""Cash points where nobody is ever doubled out."""


@frozen
class CurvePoint:
    """A chance of winning the game, and what it is worth."""

    win: Values
    worth: Values


Curve: TypeAlias = list[CurvePoint]
"""What all chances of winning the game are worth: points from chance 0 to 1, between which the worth is linear."""


@frozen
class WinParts:
    """Of all games that a side wins, the parts that count once, twice and three times."""

    single: Values
    gammon: Values
    backgammon: Values

    def points(self) -> Values:
        """The points of a win on average with a cube of 1."""
        return self.single + 2 * self.gammon + 3 * self.backgammon


_SINGLE_GAMES = WinParts(1, 0, 0)


@frozen
class CubeWorth:
    """What the end of the game is worth to a player with a cube of this value.

    Attributes:
        value: that of the cube.
        single_win: the worth of winning a single game.
        single_loss: the worth of losing one.
        sure_win: the worth where the chance of winning is 1, which counts the gammons among the wins.
        sure_loss: the worth where it is 0.
    """

    value: Values
    single_win: Values
    single_loss: Values
    sure_win: Values
    sure_loss: Values

    def for_opponent(self) -> CubeWorth:
        """The same as the opponent sees it, with the sign changed even of chances: only differences count."""
        return CubeWorth(
            self.value,
            single_win=-self.single_loss,
            single_loss=-self.single_win,
            sure_win=-self.sure_loss,
            sure_loss=-self.sure_win,
        )


@frozen
class _Taken:
    """What follows when a double has been taken.

    Attributes:
        may_turn: whether both players may turn the cube again.
        sure_win: the worth where the doubler's chance of winning is 1.
        sure_loss: the worth where it is 0.
    """

    may_turn: Values
    sure_win: Values
    sure_loss: Values


@frozen
class _CashPoints:
    """From which chance of their own each side cashes with a live cube: with the present one, and once it is doubled.

    They mean nothing for who may not double.
    """

    now: Sides
    doubled: Sides


@frozen
class DoubleWorths:
    """The worth of a chance of winning the game without a double, and once a double has been taken."""

    no_double: Values
    taken: Values


@frozen
class _DoubleCurves:
    """The worth of all chances without a double, and once a double has been taken."""

    undoubled: Curve
    taken: Curve


@frozen(eq=False, slots=False)
class Stakes:
    """What the end of a game is worth to a player, in their chance of winning the match, or in points.

    Attributes:
        rules: the options.
        length: the points that win the match, or None.
        crawford: whether it is the Crawford game.
        cube: its value.
        owned: whether each side owns the cube.
        points: those of each side before the game.
        worth: what winning so many points is worth to the player; below 0, losing them. In money play, in points for a
            cube of 1.
        five: how the game may end, in the order of `Chances`; None for a game without gammons.
        xp: `FLOATS` for one game, NumPy for arrays.
    """

    rules: Rules
    length: int | None
    crawford: Values
    cube: Values
    owned: Sides
    points: Sides
    worth: Callable[[Values], Values]
    five: Values
    xp: Any = FLOATS

    def with_chances(self, five: Values) -> Stakes:
        """The same stakes with other chances; what the rules say of both is found once."""
        _ = (self.turns, self.opposing_turns, self.may_double)  # which stay in its __dict__
        stakes = object.__new__(Stakes)
        stakes.__dict__.update(self.__dict__, five=five)
        return stakes

    # The rules ---------------------------------------------------------------------------------------------------

    @cached_property
    def turns(self) -> Sides:
        """The highest value at which each side may double a cube of theirs."""
        return Sides(
            highest_turn(self.rules, self.length, self.crawford, self.points.mine),
            highest_turn(self.rules, self.length, self.crawford, self.points.theirs),
        )

    @cached_property
    def opposing_turns(self) -> Sides:
        """The same as the opponent sees them."""
        return self.turns.swapped()

    @cached_property
    def may_double(self) -> Sides:
        """Whether each side may turn the present cube."""
        # `== 0` says "not" of one game and of arrays
        return Sides(
            (self.cube <= self.turns.mine) & (self.owned.theirs == 0),
            (self.cube <= self.turns.theirs) & (self.owned.mine == 0),
        )

    @cached_property
    def parts(self) -> Sides:
        """The `WinParts` of each side with a turned cube."""
        highest = highest_win(self.rules, self.length, _TURNED)
        if self.five is None or highest == 1:
            return Sides(_SINGLE_GAMES, _SINGLE_GAMES)
        win, gammon, backgammon, lose_gammon, lose_backgammon = self.five
        if highest == 2:  # then a backgammon counts as a gammon
            backgammon = 0.0
            lose_backgammon = 0.0
        return Sides(
            self._parts_of_wins(win, gammon, backgammon),
            self._parts_of_wins(1 - win, lose_gammon, lose_backgammon),
        )

    def _parts_of_wins(self, win: Values, gammon: Values, backgammon: Values) -> WinParts:
        """Chances that include each other, as `Chances` have them, as parts of the wins of one side."""
        gammon = self.xp.minimum(gammon, win)
        backgammon = self.xp.minimum(backgammon, gammon)
        all_wins = self.xp.where(win > 0, win, 1)  # a side that never wins would win single games
        return WinParts(
            single=(all_wins - gammon) / all_wins,
            gammon=(gammon - backgammon) / all_wins,
            backgammon=backgammon / all_wins,
        )

    # What the cube is worth --------------------------------------------------------------------------------------

    def at(self, efficiency: float) -> Values:
        """The worth of this chance of winning the game, before anybody doubles; there must be chances."""
        cubes = self._cubes(efficiency, at_least=1)
        cash_points = self._live_cash_points(cubes, efficiency)
        undoubled = self._undoubled(cubes[0], efficiency, cash_points.now)
        return self._worth_at(undoubled, self.five[0])

    def taken_at(self, efficiency: float) -> Values:
        """The worth of this chance of winning the game once the player has doubled and the opponent has taken."""
        cubes = self._cubes(efficiency, at_least=3)
        cash_points = self._live_cash_points(cubes, efficiency)
        taken = self._taken(cubes, efficiency, cash_points.doubled.theirs)
        return self._worth_at(taken, self.five[0])

    def find_worths(self, efficiency: float) -> DoubleWorths:
        """The worths by `at` and by `taken_at`, where the player may double. To find both at once takes less time."""
        curves = self._find_curves(efficiency)
        return DoubleWorths(
            no_double=self._worth_at(curves.undoubled, self.five[0]),
            taken=self._worth_at(curves.taken, self.five[0]),
        )

    def window(self, efficiency: float) -> tuple[Values, Values]:
        """The double point and the cash point, where the player may double."""
        curves = self._find_curves(efficiency)
        cash_point = self._cash_point(curves.taken, self.worth(self.cube))
        gains = self._gains(curves.taken, curves.undoubled)
        return self._double_point(gains, cash_point), cash_point

    def _find_curves(self, efficiency: float) -> _DoubleCurves:
        cubes = self._cubes(efficiency, at_least=3)  # the present one, doubled, redoubled
        cash_points = self._live_cash_points(cubes, efficiency)
        return _DoubleCurves(
            undoubled=self._undoubled(cubes[0], efficiency, cash_points.now),
            taken=self._taken(cubes, efficiency, cash_points.doubled.theirs),
        )

    def _cubes(self, efficiency: float, at_least: int) -> list[CubeWorth]:
        """The worth of the present cube, of twice its value, and so on.

        A live cube of a match is turned until nobody may.
        """
        values = [self.cube << turn for turn in range(at_least)]  # doubled at each turn
        if self.length is not None and efficiency:
            highest = self.xp.maximum(self.turns.mine, self.turns.theirs)
            while self.xp.any(values[-1] <= highest):
                last = values[-1]
                may_be_turned = last <= highest
                values.append(self.xp.where(may_be_turned, 2 * last, last))
        return [self._cube_worth(value) for value in values]

    def _cube_worth(self, value: Values) -> CubeWorth:
        single_win = self.worth(value)
        single_loss = self.worth(-value)
        return CubeWorth(
            value,
            single_win=single_win,
            single_loss=single_loss,
            sure_win=self._sure_worth(self.parts.mine, single_win, value),
            sure_loss=self._sure_worth(self.parts.theirs, single_loss, -value),
        )

    def _sure_worth(self, parts: WinParts, single: Values, points: Values) -> Values:
        """The worth of a sure win or loss; what does not happen is not looked up, since the table may not have it."""
        sure = parts.single * single
        for times, part in ((2, parts.gammon), (3, parts.backgammon)):
            if self.xp.any(part):
                sure = sure + part * self.worth(self.xp.where(part > 0, times * points, points))
        return sure

    # Curves ------------------------------------------------------------------------------------------------------

    def _undoubled(self, cube: CubeWorth, efficiency: float, cash: Sides) -> Curve:
        """The worth while nobody has doubled: with a live cube, it bends where one of them just cashes.

        `cash` has the cash point of each side, as a chance of its own. Who may not double does not cash: instead of the
        bend the curve has its end twice.
        """
        sure_win = cube.sure_win
        sure_loss = cube.sure_loss
        gammons_need_a_double = highest_win(self.rules, self.length, CENTERED) == 1
        if gammons_need_a_double:  # the Jacoby rule: an owned cube has been doubled
            is_owned = self.owned.mine | self.owned.theirs
            sure_win = self.xp.where(is_owned, sure_win, cube.single_win)
            sure_loss = self.xp.where(is_owned, sure_loss, cube.single_loss)
        lost = CurvePoint(0.0, sure_loss)
        won = CurvePoint(1.0, sure_win)
        opponent_cashes = self._bend(
            lost, won, efficiency, CurvePoint(1 - cash.theirs, cube.single_loss)
        )
        player_cashes = self._bend(lost, won, efficiency, CurvePoint(cash.mine, cube.single_win))
        return [
            lost,
            self._either(self.may_double.theirs, opponent_cashes, lost),
            self._either(self.may_double.mine, player_cashes, won),
            won,
        ]

    def _taken(self, cubes: list[CubeWorth], efficiency: float, their_cash: Values) -> Curve:
        """The worth once the player has doubled and the opponent has taken, who will cash at `their_cash`."""
        doubled = cubes[1]
        taken = self._once_taken(doubled, cubes[2], self.turns)
        lost = CurvePoint(0.0, taken.sure_loss)
        won = CurvePoint(1.0, taken.sure_win)
        opponent_cashes = self._bend(
            lost, won, efficiency, CurvePoint(1 - their_cash, doubled.single_loss)
        )
        return [lost, self._either(taken.may_turn, opponent_cashes, lost), won]

    def _bend(
        self, lost: CurvePoint, won: CurvePoint, efficiency: float, live: CurvePoint
    ) -> CurvePoint:
        """A point of the worth with a cube that is partly live.

        With a dead cube the worth is linear between a sure loss and a sure win; with a live one it is that of `live`.
        """
        dead_worth = lost.worth + live.win * (won.worth - lost.worth)
        return CurvePoint(live.win, (1 - efficiency) * dead_worth + efficiency * live.worth)

    def _either(self, condition: Values, point: CurvePoint, otherwise: CurvePoint) -> CurvePoint:
        return CurvePoint(
            self.xp.where(condition, point.win, otherwise.win),
            self.xp.where(condition, point.worth, otherwise.worth),
        )

    def _worth_at(self, curve: Curve, win: Values) -> Values:
        """The worth of a chance, between the two points of a curve that are next to it."""
        where = self.xp.where
        worth = curve[-1].worth
        # from right to left, so that the leftmost part which reaches the chance has the last word
        for right, left in pairwise(reversed(curve)):
            is_wide = left.win < right.win
            width = where(is_wide, right.win - left.win, 1)  # any number will do where it is 0
            between = left.worth + (win - left.win) / width * (right.worth - left.worth)
            worth = where(is_wide & (right.win >= win), between, worth)
        return worth

    # When the cube is taken --------------------------------------------------------------------------------------

    def _once_taken(self, doubled: CubeWorth, further: CubeWorth, turns: Sides) -> _Taken:
        """The stakes once a double to this cube is taken, which somebody may turn further.

        If the opponent alone may, they redouble at once, since they would lose the match in any case.
        """
        player_may = doubled.value <= turns.mine
        player_may_not = doubled.value > turns.mine
        opponent_may = doubled.value <= turns.theirs
        redoubles_at_once = opponent_may & player_may_not
        return _Taken(
            may_turn=player_may & opponent_may,
            sure_win=self.xp.where(redoubles_at_once, further.sure_win, doubled.sure_win),
            sure_loss=self.xp.where(redoubles_at_once, further.sure_loss, doubled.sure_loss),
        )

    def _live_cash_points(self, cubes: list[CubeWorth], efficiency: float) -> _CashPoints:
        """The chances at which a live cube is just taken, now and after a double; a dead one makes no use of them."""
        if self.length is None:
            return self._money_cash_points()
        if not efficiency:
            return _CashPoints(_NOWHERE, _NOWHERE)
        last = len(cubes) - 1
        opposing = [cube.for_opponent() for cube in cubes]
        # of each cube, and of twice the last one, since there may be a single cube; nobody turns the last cube
        cash_points = [_NOWHERE] * (len(cubes) + 1)
        # those of a cube follow from those of twice its value
        for turn in range(last - 1, -1, -1):
            doubled = turn + 1
            redoubled = min(turn + 2, last)
            doubled_cash = cash_points[doubled]
            mine = self._live_cash_point(
                cubes[turn],
                cubes[doubled],
                cubes[redoubled],
                turns=self.turns,
                their_next=doubled_cash.theirs,
            )
            theirs = self._live_cash_point(
                opposing[turn],
                opposing[doubled],
                opposing[redoubled],
                turns=self.opposing_turns,
                their_next=doubled_cash.mine,
            )
            cash_points[turn] = Sides(mine, theirs)
        return _CashPoints(now=cash_points[0], doubled=cash_points[1])

    def _live_cash_point(
        self,
        cube: CubeWorth,
        doubled: CubeWorth,
        further: CubeWorth,
        turns: Sides,
        their_next: Values,
    ) -> Values:
        """The cash point of a side that may double this cube; the other side cashes the doubled one at `their_next`.

        A double is just taken where it is worth what a drop is. Once taken, the worth rises from the chance at which
        the other side cashes, or from 0 if they may not turn the cube, up to a sure win.
        """
        taken = self._once_taken(doubled, further, turns)
        lowest_worth = self.xp.where(taken.may_turn, doubled.single_loss, taken.sure_loss)
        part = self._part_of_way(lowest_worth, taken.sure_win, cube.single_win)
        return self.xp.where(taken.may_turn, 1 - their_next * (1 - part), part)

    def _money_cash_points(self) -> _CashPoints:
        """The same in money play, where each turn of the cube changes nothing but the unit."""
        won = self.parts.mine.points()
        lost = self.parts.theirs.points()
        where = self.xp.where
        # 1 - `part` of `_live_cash_point`, the same at every value of the cube
        my_factor = (won - 0.5) / (won + 1)
        their_factor = (lost - 0.5) / (lost + 1)
        # first as if the present cube were turned once at most
        now = Sides((lost + 0.5) / (won + lost), (won + 0.5) / (won + lost))
        doubled = now
        value = 2 * self.cube
        may_turn_once_more = value <= self.turns.mine  # in money play the limit of both sides
        while self.xp.any(may_turn_once_more):
            # with one turn more, the doubled cube has as many left as the present one had so far
            doubled = Sides(
                where(may_turn_once_more, now.mine, doubled.mine),
                where(may_turn_once_more, now.theirs, doubled.theirs),
            )
            now = Sides(
                where(may_turn_once_more, 1 - doubled.theirs * my_factor, now.mine),
                where(may_turn_once_more, 1 - doubled.mine * their_factor, now.theirs),
            )
            value = 2 * value
            may_turn_once_more = value <= self.turns.mine
        return _CashPoints(now, doubled)

    def _part_of_way(self, low: Values, high: Values, worth: Values) -> Values:
        """How far from low to high a worth is, from 0 to 1; 1 if all are equal, since at equality a double is taken."""
        part = (worth - low) / self.xp.where(high > low, high - low, 1)
        return self.xp.where(high > low, self._from_0_to_1(part), 1.0)

    def _from_0_to_1(self, part: Values) -> Values:
        return self.xp.minimum(1.0, self.xp.maximum(0.0, part))

    # Windows -----------------------------------------------------------------------------------------------------

    def _cash_point(self, taken: Curve, dropped: Values) -> Values:
        """The chance up to which the opponent takes: where a take costs them what a drop does."""
        cash_point: Values = 1.0
        # from right to left, so that the leftmost part which exceeds the worth of a drop has the last word
        for right, left in pairwise(reversed(taken)):
            part = self._part_of_way(left.worth, right.worth, dropped)
            # where a take is worth what a drop is
            equal_win = left.win + (right.win - left.win) * part
            cash_point = self.xp.where(right.worth > dropped, equal_win, cash_point)
        return cash_point

    def _gains(self, taken: Curve, undoubled: Curve) -> Curve:
        """The gain by a double that is taken, at each chance: it bends where one of the two worths does."""
        _, redoubled, _ = taken
        _, opponent_cashes, player_cashes, _ = undoubled
        minimum = self.xp.minimum
        maximum = self.xp.maximum
        # it bends at three chances
        low = opponent_cashes.win
        high = player_cashes.win  # never below `low`
        third = redoubled.win
        # the same in ascending order
        lowest = minimum(low, third)
        median = maximum(low, minimum(high, third))
        highest = maximum(high, third)
        gains = list[CurvePoint]()
        for win in (0.0, lowest, median, highest, 1.0):
            gain = self._worth_at(taken, win) - self._worth_at(undoubled, win)
            gains.append(CurvePoint(win, gain))
        return gains

    def _double_point(self, gains: Curve, cash_point: Values) -> Values:
        """The chance at which a range begins in which a double that is taken loses nothing; a single chance is none.

        Of several ranges, the last that begins below the cash point counts, or else the first.
        """
        where = self.xp.where
        none = -1.0  # where a range begins or ends while there is none
        first_begin = none
        last_begin = none  # of the last range that begins below the cash point
        end = none  # of the range before
        for left, right in pairwise(gains):
            fall = where(left.worth == right.worth, 1, left.worth - right.worth)
            # the chance between the two points at which the gain is 0
            crossing = left.win + (right.win - left.win) * self._from_0_to_1(left.worth / fall)
            begin_here = where(left.worth < -_EQUAL, crossing, left.win)
            end_here = where(right.worth < -_EQUAL, crossing, right.win)
            is_range = end_here - begin_here > _SAME_POINT
            # a range that begins where the one before ended only continues that one
            is_new_range = is_range & (begin_here - end > _SAME_POINT)
            is_first = is_new_range & (first_begin == none)
            is_below_cash_point = is_new_range & (begin_here < cash_point + _SAME_POINT)
            first_begin = where(is_first, begin_here, first_begin)
            last_begin = where(is_below_cash_point, begin_here, last_begin)
            end = where(is_range, end_here, end)
        first_or_1 = where(first_begin == none, 1.0, first_begin)
        return where(last_begin == none, first_or_1, last_begin)
