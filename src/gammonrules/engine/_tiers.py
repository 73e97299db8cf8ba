"""`Tiers`: several levels of an engine, of which the deeper ones are asked only where it matters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Annotated, Final, TypeAlias, TypeVar, cast

import attrs
from attrs import frozen

from gammonrules._shared.work import deadline_in
from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._rollout import Rollout, level_of_rollout
from gammonrules.match import Action, MatchState
from gammonrules.records.transcript import Candidate, CubeAnalysis, Level, tiers_level
from gammonrules.values import Bounds, Checked, wrong_fields

_Answer = TypeVar("_Answer")
_Close: TypeAlias = Annotated[float, Bounds(0, 10)]


@frozen
class Tiers(Checked):
    """Levels at which an engine looks in turn, each only where the one before leaves doubts.

    The next level is asked where the best two plays, doubling and rolling, or of a double taking and dropping are
    `close`, and where what was made is not the best by the level before; then it is rolled out where the best two are
    `rollout_close`. The best and what was made (`also` of `SimpleEngine.candidates` and `cube`, which
    `records.analyze` gives) are always compared at one level. Each number says its own, such as "tiers quick: 2-ply";
    in error rates, and for those who choose among analyses, it is one level, "tiers quick".

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        levels: as for `SimpleEngine.open`, each deeper than the one before; by default 1 and 2.
        close: a normalized equity from 0 to 10; 0.08 by default.
        rollout: how what is still close is rolled out; None (the default) for no rollouts.
        rollout_close: a normalized equity from 0 to 10; 0.04 by default.

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
    rollout_close: _Close = 0.04

    def _problems(self) -> Iterator[str]:
        yield from (wrong := wrong_fields(self))
        if not wrong and not (
            self.levels and all(mine < next_one for mine, next_one in pairwise(self.levels))
        ):
            yield f"levels must rise, and be one at least, not {self.levels}"

    @property
    def level(self) -> Level:
        """That of all its numbers together: "tiers quick", or what tiers without a name are."""
        for name, tiers in TIERS.items():
            if tiers == self:
                return tiers_level(name)
        terms = f"{', '.join(map(str, self.levels))} within {self.close:g}"
        if self.rollout is not None:
            terms += (
                f", then {level_of_rollout(self.rollout, 1).terms} within {self.rollout_close:g}"
            )
        return tiers_level(terms)


TIERS: Final[Mapping[str, Tiers]] = {
    "quick": Tiers(),
    "thorough": Tiers((1, 2, 3), 0.08, Rollout(324, 7, plays=3)),
}
"""Those that have a name."""


class Tiered(Driver):
    """Drivers of the levels, and of the rollout if there is one, for a process of its own, with which all of them end.

    Each has the time for an answer that it would have alone.
    """

    def __init__(self, tiers: Tiers, drivers: Sequence[Driver]) -> None:
        self.level = tiers.level
        self._drivers = drivers
        self._limits = [(tiers.close, True)] * (len(tiers.levels) - 1) + [
            (tiers.rollout_close, False),
            (0.0, False),
        ]

    def start(self) -> None:
        for driver in self._drivers:
            driver.start()
        self.name = self._drivers[0].name

    def why_not(self, state: MatchState) -> str | None:
        return next(filter(None, (driver.why_not(state) for driver in self._drivers)), None)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        def doubt(plays: Sequence[Candidate]) -> tuple[float, bool]:
            best, second = (
                [cast("float", play.equity) for play in plays[:2]] if plays[1:] else (inf, 0.0)
            )
            return best - second, not {plays[0].position}.issuperset(also)

        plays = self._asked(lambda driver: driver.candidates(state, also), doubt)
        return [attrs.evolve(play, level=self.level.answered_by(play.level)) for play in plays]

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        def doubt(cube: CubeAnalysis) -> tuple[float, bool]:
            """Of the answer only where there may be one."""
            worth = cube.no_double, cube.double_take, cube.double_drop
            rolling, take, drop = cast("tuple[float, float, float]", worth)
            doubling = abs(rolling - min(take, drop))
            is_answered = Action.DOUBLE in {cube.best, *also}
            return min(doubling, abs(take - drop)) if is_answered else doubling, any(
                map(cube.error_of, also)
            )

        cube = self._asked(lambda driver: driver.cube(state), doubt)
        return attrs.evolve(cube, level=self.level.answered_by(cube.level))

    def evaluate(self, state: MatchState) -> Evaluation:
        return _timed(self._drivers[-1]).evaluate(state)

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        return _timed(self._drivers[0]).rolls(state)

    def _asked(
        self, ask: Callable[[Driver], _Answer], doubt: Callable[[_Answer], tuple[float, bool]]
    ) -> _Answer:
        """What the first driver says that leaves no doubt, or the last one.

        Doubts are by how much the best is better than what comes next, and whether what was made is not the best.
        """
        answers = list[_Answer]()
        for driver, (close, heeds_made) in zip(self._drivers, self._limits, strict=False):
            answers.append(ask(_timed(driver)))
            margin, is_wrong = doubt(answers[-1])
            if margin > close and not (heeds_made and is_wrong):
                break
        return answers[-1]


def _timed(driver: Driver) -> Driver:
    """A driver whose time for an answer begins now."""
    driver.deadline = deadline_in(driver.timeout)
    return driver
