"""Rollouts that stop when the answer is clear: of either engine, 36 trials at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import atan, cos, inf, pi, sin, sqrt
from operator import sub
from statistics import fmean, stdev
from typing import Any, Final, TypeAlias, TypeVar, cast

import attrs

from gammonrules.board import Position
from gammonrules.engine._bgsage import Bgsage
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._gnubg_rollouts import GnubgRollouts
from gammonrules.engine._rollout import TRIALS
from gammonrules.equity import Chances
from gammonrules.match import Action, MatchState
from gammonrules.records.transcript import Candidate, CubeAnalysis
from gammonrules.values import Until

_LOOKS: Final = {4 << number: number + 1 for number in range(12)}
"""After how many chunks it looks, and which look that is."""
_NUMBERS: Final = "equity", "chances", "mwc", "no_double", "double_take", "chances_double_take"
"""What answers have of which the mean is taken."""

_Answer = TypeVar("_Answer", bound="Candidate | CubeAnalysis | Evaluation")
Series: TypeAlias = Sequence[float]
"""A number of each chunk."""


class InChunks(Driver):
    """Mixed into a driver that rolls out: it is asked with one seed after another, until `Rollout.until` is reached."""

    play = Driver.play
    best = Driver.best
    doubles = Driver.doubles
    answer = Driver.answer
    _rollout: Any = None

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        ask = partial(super().candidates, state, also)
        plays = self._means(lambda: sorted(ask(), key=lambda play: play.position.id))
        return sorted(
            plays, key=lambda play: (play.standard_error is not None, play.equity), reverse=True
        )

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        ask = partial(super().cube, state, also)
        return self._means(lambda: [ask()])[0]

    def rolling(self, state: MatchState) -> Evaluation:
        ask = partial(super().rolling, state)
        return (
            Driver.rolling(self, state)
            if Action.DOUBLE in state.legal_actions
            else self._means(lambda: [ask()])[0]
        )

    def _means(self, ask: Callable[[], list[_Answer]]) -> list[_Answer]:
        """The means of as many chunks as it takes, each of which answers the same; what is not rolled out stays."""
        chunks = list[list[_Answer]]()
        is_clear = False
        while not is_clear and len(chunks) < self._rollout.trials // TRIALS:
            self.reseed((self._rollout.seed + len(chunks)) % (1 << 31))
            chunks.append(ask())
            every = [each for each in zip(*chunks, strict=True) if each[0].level == self.level]
            look = _LOOKS.get(len(chunks), 0)
            is_clear = not every or (
                look > 0 and may_end(_distances(every), self._rollout.until, look)
            )
        return [self._mean(each) for each in zip(*chunks, strict=True)]

    def _mean(self, each: Sequence[_Answer]) -> _Answer:
        if each[0].level != self.level:
            return each[0]
        values = {
            name: mean_of([getattr(answer, name) for answer in each])
            for name in _NUMBERS
            if hasattr(each[0], name)
        }
        errors = tuple(map(error_of_mean, _equities_of(each)))
        values |= (
            {"standard_error": errors[0]} if "equity" in values else {"standard_errors": errors}
        )
        level = self.level.replace(", ", f", {TRIALS * len(each)} of ", 1)
        return attrs.evolve(each[0], level=level, **values)


class BgsageInChunks(InChunks, Bgsage):
    """bgsage."""


class GnubgInChunks(InChunks, GnubgRollouts):
    """GNU Backgammon; where nobody may double, it rolls nothing out."""


def may_end(differences: Sequence[Series], until: Until, look: int) -> bool:
    """Whether a rollout may end at this look, of whatever number there are; `Rollout` says by which rule.

    The chance of an error is shared out to the looks, and in "decided" to the differences, of which none may be wrong.
    """
    error = 0.05 / (look * (look + 1))
    if until == "decided":
        return all(_tail(abs(fmean(each)), each) < error / len(differences) for each in differences)
    return all(_tail(cast("float", until), each) < error / 2 for each in differences)


def _tail(distance: float, numbers: Series) -> float:
    """How likely the mean of numbers is that far above the true mean, at least, by Student's t.

    For an odd number of degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3.
    """
    degrees = len(numbers) - 1
    error = error_of_mean(numbers)
    angle = atan(distance / error / sqrt(degrees) if error else inf * distance if distance else 0)
    total = angle
    term = sin(angle) * cos(angle)
    for k in range(1, degrees - 1, 2):
        total += term
        term *= (k + 1) / (k + 2) * cos(angle) ** 2
    return 0.5 - total / pi


def error_of_mean(numbers: Series) -> float:
    return stdev(numbers) / sqrt(len(numbers))


def _equities_of(each: Sequence[_Answer]) -> list[Series]:
    """Of a play or a position one, of a cube those of rolling and of a double that is taken."""
    names = ("no_double", "double_take") if isinstance(each[0], CubeAnalysis) else ("equity",)
    return [[cast("float", getattr(answer, name)) for answer in each] for name in names]


def _distances(every: Sequence[Sequence[_Answer]]) -> Sequence[Series]:
    """How much better the best play is than each other one; of a cube, double than roll, if answered well, and take."""
    series = [equities for each in every for equities in _equities_of(each)]
    if every and isinstance(every[0][0], CubeAnalysis):
        drop = [1.0] * len(series[0])
        return [
            [*map(sub, series[0], min(series[1], drop, key=fmean))],
            [*map(sub, series[1], drop)],
        ]
    best = max(series, key=fmean, default=())
    return [[*map(sub, best, other)] for other in series if other is not best] or series


def mean_of(each: Sequence[Any]) -> Any:
    """The mean of numbers, of tuples of them, or of chances; None of nothing."""
    if isinstance(each[0], Chances):
        return Chances(*mean_of([*map(attrs.astuple, each)]))
    if isinstance(each[0], tuple):
        return tuple(map(mean_of, zip(*each, strict=True)))
    return None if each[0] is None else fmean(each)
