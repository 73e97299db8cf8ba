"""Rollouts that stop when the answer is clear: of either engine, 36 trials at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from operator import sub
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias, TypeVar

import attrs

from gammonrules._shared.sample_means import chance_spent_at, error_of_mean, student_tail
from gammonrules.board import Position
from gammonrules.engine._bgsage import Bgsage
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._gnubg_rollouts import GnubgRollouts
from gammonrules.engine._rollout import TRIALS, Rollout
from gammonrules.equity import Chances
from gammonrules.match import Action, MatchState
from gammonrules.records.transcript import Candidate, CubeAnalysis

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

        def ask_in_fixed_order() -> list[Candidate]:
            return sorted(ask(), key=lambda play: play.position.id)

        plays = self._in_chunks(ask_in_fixed_order)
        return sorted(
            plays, key=lambda play: (play.standard_error is not None, play.equity), reverse=True
        )

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        ask = partial(super().cube, state, also)
        [cube] = self._in_chunks(lambda: [ask()])
        return cube

    def rolling(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE in state.legal_actions:
            return Driver.rolling(self, state)  # which takes it from `cube`
        ask = partial(super().rolling, state)
        [evaluation] = self._in_chunks(lambda: [ask()])
        return evaluation

    def _in_chunks(self, ask: Callable[[], list[_Answer]]) -> list[_Answer]:
        """The means of as many chunks as it takes; in each of them, `ask` gives as many answers, in the same order."""
        rollout: Rollout = self._rollout
        most = rollout.trials // TRIALS
        chunks = list[list[_Answer]]()
        while len(chunks) < most:
            self.reseed((rollout.seed + len(chunks)) % (1 << 31))
            chunks.append(ask())
            if self._is_clear(chunks):
                break
        return [self._mean(answers) for answers in zip(*chunks, strict=True)]

    def _is_clear(self, chunks: Sequence[Sequence[_Answer]]) -> bool:
        """Whether it may end after these chunks: at a look, or because nothing is rolled out."""
        rolled_out = [
            answers for answers in zip(*chunks, strict=True) if self._is_rolled_out(answers[0])
        ]
        if not rolled_out:
            return True
        look = _LOOKS.get(len(chunks))
        if look is None:
            return False
        return may_end(_answer_differences(rolled_out), self._rollout.until, look)

    def _is_rolled_out(self, answer: Candidate | CubeAnalysis | Evaluation) -> bool:
        """Whether it comes from the rollout itself: of a play that is not among the best ones, it does not."""
        return answer.level == self.level

    def _mean(self, answers: Sequence[_Answer]) -> _Answer:
        """The answer with the means of its numbers over the chunks; one that is not rolled out stays as it is."""
        first = answers[0]
        if not self._is_rolled_out(first):
            return first
        changes: dict[str, Any] = {}
        for name in _NUMBERS:
            if hasattr(first, name):
                changes[name] = _mean_of([getattr(answer, name) for answer in answers])
        errors = [error_of_mean(equities) for equities in _equities_of(answers)]
        if isinstance(first, CubeAnalysis):
            changes["standard_errors"] = tuple(errors)
        else:
            changes["standard_error"] = errors[0]
        level = self.level.after_trials(TRIALS * len(answers))
        return attrs.evolve(first, level=level, **changes)


class BgsageInChunks(InChunks, Bgsage):
    """bgsage."""


class GnubgInChunks(InChunks, GnubgRollouts):
    """GNU Backgammon; where nobody may double, it rolls nothing out."""


def may_end(differences: Sequence[Series], until: float | Literal["decided"], look: int) -> bool:
    """Whether a rollout may end at this look, of whatever number there are; `Rollout` says by which rule.

    Chunks are few, so this asks Student's t; `batch.rollout` counts single games, which are many, and an arena may end
    after any pair of games. In "decided" the chance of an error is shared out to the differences, of which none may be
    wrong; else to both sides of an interval.
    """
    chance = chance_spent_at(look)
    if until == "decided":
        return all(
            _chance_above(abs(fmean(series)), series) < chance / len(differences)
            for series in differences
        )
    return all(_chance_above(until, series) < chance / 2 for series in differences)


def _chance_above(distance: float, series: Series) -> float:
    """How likely the mean of a series is that far above the true mean, at least."""
    error = error_of_mean(series)
    if error == 0:
        return 0.0 if distance else 0.5
    return student_tail(distance / error, len(series) - 1)


def _equities_of(answers: Sequence[Candidate | CubeAnalysis | Evaluation]) -> list[Series]:
    """Of a play or a position one series, of a cube those of rolling and of a double that is taken."""
    if isinstance(answers[0], CubeAnalysis):
        return [_numbers_named(answers, "no_double"), _numbers_named(answers, "double_take")]
    return [_numbers_named(answers, "equity")]


def _numbers_named(answers: Sequence[object], name: str) -> Series:
    return [getattr(answer, name) for answer in answers]


def _answer_differences(answers_rolled_out: Sequence[Sequence[_Answer]]) -> Sequence[Series]:
    """What must be clear: how much better the best play is than each other one; of a single position, its equity.

    Of a cube, how far rolling is from doubling, if that is answered well, and a take from a drop.
    """
    series = list[Series]()
    for answers in answers_rolled_out:
        series += _equities_of(answers)
    if isinstance(answers_rolled_out[0][0], CubeAnalysis):
        rolling, taken = series
        dropped = [1.0] * len(taken)
        doubled = min(taken, dropped, key=fmean)
        return [[*map(sub, rolling, doubled)], [*map(sub, taken, dropped)]]
    best = max(series, key=fmean)
    others = [other for other in series if other is not best]
    return [[*map(sub, best, other)] for other in others] or series


def _mean_of(values: Sequence[Any]) -> Any:
    """The mean of numbers, of tuples of them, or of chances; None of nothing."""
    if values[0] is None:
        return None
    if isinstance(values[0], Chances):
        return Chances(*_mean_of([attrs.astuple(chances) for chances in values]))
    if isinstance(values[0], tuple):
        return tuple(_mean_of(numbers) for numbers in zip(*values, strict=True))
    return fmean(values)
