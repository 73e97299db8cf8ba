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
from gammonrules.engine._evaluation import Evaluation, equity_of
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
        rolled_out = [play for play in plays if play.standard_error is not None]
        others = [play for play in plays if play.standard_error is None]
        rolled_out.sort(key=equity_of, reverse=True)
        others.sort(key=equity_of, reverse=True)
        return rolled_out + others

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
        return [self._mean(answers) for answers in _by_question(chunks)]

    def _is_clear(self, chunks: Sequence[Sequence[_Answer]]) -> bool:
        """Whether it may end after these chunks: at a look, or because nothing is rolled out."""
        rolled_out = [
            answers for answers in _by_question(chunks) if self._is_rolled_out(answers[0])
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


def _by_question(chunks: Sequence[Sequence[_Answer]]) -> list[tuple[_Answer, ...]]:
    """The answers of all chunks about one play, then about the next, or about the only question."""
    return list(zip(*chunks, strict=True))


def may_end(differences: Sequence[Series], until: float | Literal["decided"], look: int) -> bool:
    """Whether a rollout may end at this look, of whatever number there are; `Rollout` says by which rule.

    Chunks are few, so this asks Student's t; `batch.rollout` counts single games, which are many, and an arena may end
    after any pair of games. In "decided" the chance of an error is shared out to the differences, of which none may be
    wrong; else to both sides of an interval.
    """
    chance = chance_spent_at(look)
    if until == "decided":
        chance_of_difference = chance / len(differences)
        return all(
            _chance_above(abs(fmean(series)), series) < chance_of_difference
            for series in differences
        )
    chance_of_side = chance / 2
    return all(_chance_above(until, series) < chance_of_side for series in differences)


def _chance_above(distance: float, series: Series) -> float:
    """How likely the mean of a series is that far above the true mean, at least."""
    error = error_of_mean(series)
    if error == 0:  # then only a mean at the limit itself leaves doubts
        return 0.5 if distance == 0 else 0.0
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
    first_answers = answers_rolled_out[0]
    if isinstance(first_answers[0], CubeAnalysis):
        rolling, taken = series
        dropped = [1.0] * len(taken)
        doubled = min(taken, dropped, key=fmean)
        return [[*map(sub, rolling, doubled)], [*map(sub, taken, dropped)]]
    if len(series) == 1:
        return series
    best = max(series, key=fmean)
    return [[*map(sub, best, other)] for other in series if other is not best]


def _mean_of(values: Sequence[Any]) -> Any:
    """The mean of numbers, of tuples of them, or of chances; None of nothing."""
    if values[0] is None:
        return None
    if isinstance(values[0], Chances):
        return Chances(*_mean_of([attrs.astuple(chances) for chances in values]))
    if isinstance(values[0], tuple):
        return tuple(_mean_of(numbers) for numbers in zip(*values, strict=True))
    return fmean(values)
