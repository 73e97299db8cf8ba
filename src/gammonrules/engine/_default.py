"""`Default`: who answers where nobody was named. What is known exactly the library tells, an engine the rest."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

import attrs

from gammonrules.analysis import Candidate, CubeAnalysis, Level
from gammonrules.board import Play, Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation
from gammonrules.match import Action, MatchState, Phase

_Answer = TypeVar("_Answer", Evaluation, CubeAnalysis, Candidate)


class Default(Driver):
    """Exact values where there are any, else an engine, which looks deeper in races.

    Whatever is compared in one decision, its plays or both answers to a double, has one source. All answers together
    are by one program at one level; each says in its `level` how it was found, such as "level 2+: exact".
    """

    def __init__(
        self, engine: str, level: Level, contact: Driver, race_plays: Driver, race_cubes: Driver
    ) -> None:
        self.level = level
        self.is_ours = contact.is_ours
        self.outlives_fork = contact.outlives_fork
        from gammonrules.engine._races import ExactRaces  # noqa: PLC0415 - it needs NumPy

        self._solved = ExactRaces()
        self._contact = contact
        self._race_plays = race_plays
        self._race_cubes = race_cubes
        self._running = list[Driver]()
        self.name = f"exact values and {engine}" if engine else "exact values"

    def why_not(self, state: MatchState) -> str | None:
        return self._source(state).why_not(state)

    def close(self) -> None:
        for driver in self._running:
            driver.close()
        self._running.clear()

    def evaluate(self, state: MatchState) -> Evaluation:
        source = self._started_source(state)
        return self._as_ours(source, source.evaluate(state))

    def rolling(self, state: MatchState) -> Evaluation:
        source = self._started_source(state)
        return self._as_ours(source, source.rolling(state))

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        source = self._started_source(state)
        return [self._as_ours(source, play) for play in source.candidates(state, also)]

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        source = self._started_source(state)
        cube = self._as_ours(source, source.cube_analysis(state, also))
        return attrs.evolve(cube, engine=self.name)

    def play(self, state: MatchState) -> Play | str:
        return self._started_source(state).play(state)

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        return self._started_source(state).roll_equities(state)

    def _source(self, state: MatchState) -> Driver:
        if not _has_races_alone(state):
            return self._contact
        if self._solved.knows(state):
            return self._solved
        return self._race_plays if state.phase is Phase.TO_PLAY else self._race_cubes

    def _started_source(self, state: MatchState) -> Driver:
        """The driver to ask, started only now: an engine that is never asked need not be installed."""
        source = self._source(state)
        if source not in self._running:
            source.start()
            self._running.append(source)
        source.deadline = self.deadline
        return source

    def _as_ours(self, source: Driver, answer: _Answer) -> _Answer:
        if source.level == self.level:  # tiers, and rollouts, say it in their answers themselves
            return answer
        return attrs.evolve(answer, level=self.level.effective(answer.level))


def _has_races_alone(state: MatchState) -> bool:
    """Whether all that is compared is without contact: the board, or those that the plays of a roll lead to."""
    if state.position.is_race:
        return True
    return state.phase is Phase.TO_PLAY and all(play.position.is_race for play in state.legal_plays)
