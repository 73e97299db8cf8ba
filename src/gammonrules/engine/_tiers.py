"""`Tiers`: several levels of an engine, of which the deeper ones are asked only where it matters."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Annotated, Final, TypeAlias

import attrs
from attrs import frozen

from gammonrules._shared.checked_fields import Bounds, Checked, wrong_fields
from gammonrules._shared.work import deadline_in
from gammonrules.analysis import Candidate, CubeAnalysis, Level
from gammonrules.analysis.internals import tiers_level
from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation, equity_of, margin_of_cube
from gammonrules.engine._rollout import Rollout, level_of_rollout
from gammonrules.match import Action, MatchState

_Close: TypeAlias = Annotated[float, Bounds(0, 10)]
_ROLLOUT_CLOSE: Final = 0.04
"""How far apart the best two are at most where they are rolled out."""


@frozen
class Tiers(Checked):
    """Levels at which an engine looks in turn, each only where the one before leaves doubts.

    The next level is asked where the best two plays, doubling and rolling, or of a double taking and dropping are
    `close`, and where what was made is not the best by the level before; then it is rolled out where the best two are
    0.04 apart or less. The best and what was made (`also` of `SimpleEngine.candidates` and `cube`, which
    `records.analyze` gives) are always compared at one level. Each number says its own, such as "tiers quick: 2-ply";
    in error rates, and for those who choose among analyses, it is one level, "tiers quick".

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        levels: as for `SimpleEngine.open`, each deeper than the one before; by default 1 and 2.
        close: a normalized equity from 0 to 10; 0.08 by default.
        rollout: how what is still close is rolled out; None (the default) for no rollouts.

    Raises:
        ArgumentError: an attribute has the wrong type, or is out of bounds; or the levels do not rise.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import TIERS, SimpleEngine, Tiers
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.open("bgsage", TIERS["quick"]) as bgsage:
        ...     clear = bgsage.candidates(state, 1)
        ...     doubtful = bgsage.candidates(state, 1, also=["24/20"])
        >>> [str(play.level) for play in (*clear, *doubtful)]
        ['tiers quick: 1-ply', 'tiers quick: 2-ply', 'tiers quick: 2-ply']
        >>> print(Tiers((1, 3), close=0.05).level)
        tiers 1, 3 within 0.05
    """

    levels: tuple[int, ...] = (1, 2)
    close: _Close = 0.08
    rollout: Rollout | None = None

    def _problems(self) -> Iterator[str]:
        wrong = wrong_fields(self)
        yield from wrong
        if wrong:
            return
        are_rising = all(level < deeper for level, deeper in pairwise(self.levels))
        if not self.levels or not are_rising:
            yield f"levels must rise, and be one at least, not {self.levels}"

    @property
    def level(self) -> Level:
        """That of all its numbers together: "tiers quick", or what tiers without a name are."""
        for name, tiers in TIERS.items():
            if tiers == self:
                return tiers_level(name)
        terms = f"{', '.join(map(str, self.levels))} within {self.close:g}"
        if self.rollout is not None:
            terms += f", then {level_of_rollout(self.rollout, 1).terms} within {_ROLLOUT_CLOSE:g}"
        return tiers_level(terms)


TIERS: Final[Mapping[str, Tiers]] = {
    "quick": Tiers(),
    "thorough": Tiers((1, 2, 3), 0.08, Rollout(324, 7, plays=3)),
}
"""The tiers that have a name."""


@frozen
class _Limit:
    """Up to which margin an answer leaves doubts, so that the next driver is asked."""

    margin: float
    doubts_made_errors: bool
    """Whether any answer leaves doubts by which the play or the action that was made is not the best."""

    def leaves_doubts(self, margin: _Margin) -> bool:
        """Whether an answer with this margin leaves doubts."""
        is_close = margin.size <= self.margin
        return is_close or (self.doubts_made_errors and margin.made_is_error)


@frozen
class _Margin:
    """By how much the best is better than what comes next, and whether what was made is not the best."""

    size: float
    made_is_error: bool


class Tiered(Driver):
    """Drivers of the levels, and of the rollout if there is one, for a process of its own, with which all of them end.

    Each has the time for an answer that it would have alone.
    """

    def __init__(self, tiers: Tiers, drivers: Sequence[Driver]) -> None:
        self.level = tiers.level
        self._drivers = drivers
        # one limit for each driver but the last, whose answer counts in any case
        between_levels = _Limit(tiers.close, doubts_made_errors=True)
        self._limits = [between_levels] * (len(tiers.levels) - 1)
        if tiers.rollout is not None:
            before_rollout = _Limit(_ROLLOUT_CLOSE, doubts_made_errors=False)
            self._limits.append(before_rollout)

    def start(self) -> None:
        for driver in self._drivers:
            driver.start()
        self.name = self._drivers[0].name

    def why_not(self, state: MatchState) -> str | None:
        for driver in self._drivers:
            why = driver.why_not(state)
            if why is not None:
                return why
        return None

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        for driver, limit in self._drivers_with_limits():
            plays = driver.candidates(state, also)
            if not limit.leaves_doubts(_margin_of_plays(plays, also)):
                break
        else:
            plays = _timed(self._drivers[-1]).candidates(state, also)
        return [attrs.evolve(play, level=self.level.effective(play.level)) for play in plays]

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        for driver, limit in self._drivers_with_limits():
            cube = driver.cube_analysis(state)
            if not limit.leaves_doubts(_margin_of_double(cube, also)):
                break
        else:
            cube = _timed(self._drivers[-1]).cube_analysis(state)
        return attrs.evolve(cube, level=self.level.effective(cube.level))

    def evaluate(self, state: MatchState) -> Evaluation:
        return _timed(self._drivers[-1]).evaluate(state)

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        return _timed(self._drivers[0]).roll_equities(state)

    def _drivers_with_limits(self) -> Iterator[tuple[Driver, _Limit]]:
        """The drivers but the last, each with the limit up to which its answer leaves doubts."""
        for driver, limit in zip(self._drivers[:-1], self._limits, strict=True):
            yield _timed(driver), limit


def _margin_of_plays(plays: Sequence[Candidate], also: Collection[Position]) -> _Margin:
    best = plays[0]
    size = inf if len(plays) == 1 else equity_of(best) - equity_of(plays[1])
    return _Margin(size, made_is_error=any(position != best.position for position in also))


def _margin_of_double(cube: CubeAnalysis, also: Collection[Action]) -> _Margin:
    size = margin_of_cube(cube, is_doubled=Action.DOUBLE in also)
    return _Margin(size, made_is_error=any(cube.error_of(action) for action in also))


def _timed(driver: Driver) -> Driver:
    """A driver whose time for an answer begins now."""
    driver.deadline = deadline_in(driver.timeout)
    return driver
