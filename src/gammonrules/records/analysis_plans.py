"""A plan of analyses: who analyzes matches, whose analyses it goes on with, and what is rolled out then."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from functools import partial
from time import perf_counter
from typing import Any, Final

import attrs
from attrs import Factory, frozen

from gammonrules.analysis import Level
from gammonrules.analysis.internals import UNKNOWN
from gammonrules.errors import GammonError
from gammonrules.records.analyzed_files import (
    AnalyzedMatch,
    RunningEngine,
    Start,
    analyzed_by,
    analyzed_once,
)
from gammonrules.records.analyzing import analyze
from gammonrules.records.rollout_needs import needs_rollout
from gammonrules.records.transcript import (
    Decision,
    DecisionKind,
    Evaluator,
    Match,
    is_as_asked,
    level_of,
)

_MIN_SAMPLE: Final = 16
"""Decisions that tell how long a match takes, if it has so many."""
_MAX_WORDS_LENGTH: Final = 100


@frozen
class Doubt:
    """A decision to be rolled out."""

    game: int
    """The index of its game."""
    event: int
    """The index of its event."""

    def is_in(self, match: Match) -> bool:
        """Whether a match has such an event."""
        return self.game < len(match.games) and self.event < len(match.games[self.game].analyses)


@frozen
class PlannedRollout:
    """What is rolled out after the analysis."""

    start: Start
    level: Level
    """What the engine calls its rollout."""
    limits: Mapping[str, float]
    """For `needs_rollout`."""


@frozen
class AnalysisPlan:
    """Who analyzes matches, and what is rolled out then. It can be pickled."""

    start: Start
    by: Evaluator
    rollout: PlannedRollout | None = None

    def words(self) -> str:
        """The engine and its level, and what it rolls out then."""
        words = f"{self.by.engine}, {self.by.level}"
        return words if self.rollout is None else f"{words}, then {self.rollout.level}"

    def analyzed(self, match: Match) -> AnalyzedMatch:
        """A match with its analyses; one that has them stays as it is."""
        return analyzed_once(self.start, match, self.by)

    def doubts_in(self, match: Match) -> Sequence[Doubt]:
        """What is to be rolled out in a match that has been analyzed."""
        return () if self.rollout is None else doubts_in(match, self.rollout.limits)

    def others(self, evaluators: set[Evaluator]) -> list[str]:
        """Those of the evaluators who are not in this plan, in words, cut where they are long."""
        engine = self.by.engine
        own = {self.by, Evaluator(engine, UNKNOWN)}
        if self.rollout is not None:
            own.add(Evaluator(engine, self.rollout.level))
        others: list[str] = []
        of_known_level = {each.engine for each in evaluators if each.level != UNKNOWN}
        for evaluator in evaluators - own:
            if evaluator.level == UNKNOWN and evaluator.engine in of_known_level:
                continue  # the luck of a forced play has no level
            words = ", ".join(filter(None, (evaluator.engine, evaluator.level.label)))
            others.append(words[:_MAX_WORDS_LENGTH] or "another engine")
        return sorted(others)

    def seconds_of_a_roll(self, matches: Sequence[Match]) -> float:
        """How long the analysis of a roll takes, as some sixteen decisions of these matches tell."""
        numbered = [
            (number, decision.game, decision.index)
            for number, match in enumerate(matches)
            for decision in match.decisions()
        ]
        step = max(1, len(numbered) // _MIN_SAMPLE)
        sample = {*numbered[::step]}
        with closing(RunningEngine(self.start())) as running:
            began = perf_counter()
            for number, match in enumerate(matches):
                is_in_sample = partial(_is_numbered_in, sample, number)
                _ = analyze(match, running.engine, only=is_in_sample)
            seconds_of_sample = perf_counter() - began
        seconds_of_matches = seconds_of_sample * step
        return seconds_of_matches / max(1, sum(match.rolls for match in matches))


def _is_numbered_in(
    numbers: Collection[tuple[int, int, int]], match_number: int, decision: Decision
) -> bool:
    return (match_number, decision.game, decision.index) in numbers


def evaluators_in(match: Match) -> set[Evaluator]:
    """Who has analyzed a match; the level is unknown where an engine may have looked less deep than it was asked to."""
    analyses = [decision.analysis for decision in match.decisions()]
    analyses += [game.pending for game in match.games]
    evaluators: set[Evaluator] = set()
    for analysis in analyses:
        if analysis is not None:
            level = level_of(analysis) if is_as_asked(analysis) else UNKNOWN
            evaluators.add(Evaluator(analysis.engine, level))
    return evaluators


# --- what is rolled out -----------------------------------------------------------------------------------------------


def doubts_in(match: Match, limits: Mapping[str, float]) -> list[Doubt]:
    """What needs a rollout by these limits of `needs_rollout`; an answer goes with its double."""
    doubts: list[Doubt] = []
    for game_index, game in enumerate(match.games):
        for decision in game.decisions():
            if decision.kind is DecisionKind.ANSWER:
                double = Doubt(game_index, decision.index - 1)
                is_double_in_doubt = bool(doubts) and doubts[-1] == double
                if is_double_in_doubt:  # they share one analysis
                    continue
            if needs_rollout(decision, **limits):
                doubts.append(Doubt(game_index, decision.index))
    return doubts


@frozen
class RolledOutDecision:
    """The analyses that a rollout changes in a game, by the index of the event, or why it does not."""

    error: str | None
    game: int = 0
    """The index of the game."""
    analyses: Mapping[int, Any] = Factory(dict[int, Any])

    def changed(self, match: Match) -> Match:
        """The match with these analyses."""
        games = list(match.games)
        game = games[self.game]
        analyses = tuple(self.analyses.get(event, old) for event, old in enumerate(game.analyses))
        games[self.game] = attrs.evolve(game, analyses=analyses)
        return attrs.evolve(match, games=tuple(games))


def decision_rolled_out(start: Start, match: Match, doubt: Doubt) -> RolledOutDecision:
    """The rollout of a decision, by the engine of this process."""
    game = match.games[doubt.game]
    alone = attrs.evolve(match, games=(game,))
    try:
        analyzed = analyzed_by(start, alone, lambda decision: decision.index == doubt.event)
    except GammonError as error:
        return RolledOutDecision(str(error))
    changed: dict[int, Any] = {}
    analyses_after = analyzed.match.games[0].analyses
    for index, (before, after) in enumerate(zip(game.analyses, analyses_after, strict=True)):
        if after is not before:  # the engine made a new one
            changed[index] = after
    reasons = [*analyzed.unknown]
    return RolledOutDecision(reasons[0] if reasons else None, doubt.game, changed)
