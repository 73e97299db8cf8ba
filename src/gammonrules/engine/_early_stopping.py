"""Rollouts that stop when the answer is clear: of either engine, 36 trials at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from operator import sub
from statistics import fmean
from typing import Any, Final, Literal, TypeAlias, TypeVar

import attrs

from gammonrules._shared.sample_means import chance_spent_at, error_of_mean, student_tail
from gammonrules.analysis import Candidate, Chances, CubeAnalysis
from gammonrules.board import Position
from gammonrules.engine._bgsage import Bgsage
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation, equity_of
from gammonrules.engine._gnubg_rollouts import GnubgRollouts
from gammonrules.engine._rollout import TRIALS, Rollout
from gammonrules.match import Action, MatchState

_LOOK_AFTER_CHUNKS: Final = {4 << number: number + 1 for number in range(12)}
"""The first look is after 4 chunks, the second after 8, the third after 16, and so on."""
_SEEDS: Final = 1 << 31
"""Engines take whole numbers below this."""
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
        candidates_of_chunk = partial(super().candidates, state, also)

        def ask_in_fixed_order() -> list[Candidate]:
            # best first, the order would change from chunk to chunk
            return sorted(candidates_of_chunk(), key=lambda play: play.position.id)

        plays = self._in_chunks(ask_in_fixed_order)
        rolled_out = [play for play in plays if play.standard_error is not None]
        others = [play for play in plays if play.standard_error is None]
        rolled_out.sort(key=equity_of, reverse=True)
        others.sort(key=equity_of, reverse=True)
        return rolled_out + others

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        ask = partial(super().cube_analysis, state, also)
        [cube] = self._in_chunks(lambda: [ask()])
        return cube

    def rolling(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE in state.legal_actions:
            return Driver.rolling(self, state)  # which takes it from `cube`
        ask = partial(super().rolling, state)
        [evaluation] = self._in_chunks(lambda: [ask()])
        return evaluation

    def _in_chunks(self, ask: Callable[[], list[_Answer]]) -> list[_Answer]:
        """The means over as many chunks as it takes. `ask` gives the answers of a chunk, always in the same order."""
        rollout: Rollout = self._rollout
        most_chunks = rollout.trials // TRIALS
        chunks = list[list[_Answer]]()
        while len(chunks) < most_chunks:
            self.reseed((rollout.seed + len(chunks)) % _SEEDS)
            chunks.append(ask())
            if self._is_clear(chunks):
                break
        return [self._mean(answers) for answers in _by_question(chunks)]

    def _is_clear(self, chunks: Sequence[Sequence[_Answer]]) -> bool:
        """Whether the rollout may end after these chunks."""
        rolled_out = [
            answers for answers in _by_question(chunks) if self._is_rolled_out(answers[0])
        ]
        if not rolled_out:  # then the next chunk would say the same again
            return True
        look = _LOOK_AFTER_CHUNKS.get(len(chunks))
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
            if hasattr(first, name):  # a candidate has no "no_double", a cube no "equity"
                changes[name] = _mean_of([getattr(answer, name) for answer in answers])
        standard_errors = [error_of_mean(equities) for equities in _equities_of(answers)]
        if isinstance(first, CubeAnalysis):
            changes["standard_errors"] = tuple(standard_errors)
        else:
            changes["standard_error"] = standard_errors[0]
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
    """Whether a rollout may end at this look; `Rollout` says by which rule.

    This asks Student's t, since chunks are few. Rules for single games, which are many, and for pairs of games, after
    each of which an end is possible, are in `batch.rollout` and in the arena.
    """
    chance_of_error = chance_spent_at(look)
    if until == "decided":
        # it is an error if any one of the differences is wrong
        chance_of_difference = chance_of_error / len(differences)
        return all(
            _chance_above(abs(fmean(series)), series) < chance_of_difference
            for series in differences
        )
    # it is an error if a true mean is outside the interval on either side
    chance_of_side = chance_of_error / 2
    return all(_chance_above(until, series) < chance_of_side for series in differences)


def _chance_above(distance: float, series: Series) -> float:
    """The probability that the mean of a series is at least so far above the true mean."""
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
    """The differences that must be clear before a rollout may end.

    Of plays, how much better the best one is than each other one; of a cube, how far rolling is from doubling, and a
    take from a drop; of a single position, its equity.
    """
    answers_to_first = answers_rolled_out[0]
    if isinstance(answers_to_first[0], CubeAnalysis):  # a cube is a question by itself
        rolling, taken = _equities_of(answers_to_first)
        dropped = [1.0] * len(taken)
        doubled = min(taken, dropped, key=fmean)  # the opponent answers well
        return [_less_in_chunks(rolling, doubled), _less_in_chunks(taken, dropped)]
    equities = [_numbers_named(answers, "equity") for answers in answers_rolled_out]
    if len(equities) == 1:
        return equities
    best = max(equities, key=fmean)
    return [_less_in_chunks(best, other) for other in equities if other is not best]


def _less_in_chunks(first: Series, second: Series) -> Series:
    """By how much the second series is less than the first one, chunk by chunk."""
    return [*map(sub, first, second)]


def _mean_of(values: Sequence[Any]) -> Any:
    """The mean of values of one kind: numbers, chances, or tuples whose places are averaged; None if all are None."""
    first = values[0]
    if first is None:
        return None
    if isinstance(first, Chances):
        return Chances(*_mean_of([attrs.astuple(chances) for chances in values]))
    if isinstance(first, tuple):
        return tuple(_mean_of(values_at_place) for values_at_place in zip(*values, strict=True))
    return fmean(values)
