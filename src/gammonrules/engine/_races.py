"""`ExactRaces`: what the library knows exactly, as an engine that needs none; but it needs NumPy."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import attrs

from gammonrules.analysis import Candidate, CubeAnalysis
from gammonrules.bearoff import solve
from gammonrules.bearoff.internals import why_not_solved
from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._solved import Solved
from gammonrules.match import Action, MatchState, Phase


class ExactRaces(Solved):
    """Races that `bearoff.solve` solves."""

    name = "exact"

    def knows(self, state: MatchState) -> bool:
        """Whether everything that is compared in this state is solved."""
        if state.phase is not Phase.TO_PLAY or state.position.is_race:
            return _is_solved(state)
        return all(_is_solved(state.play(play)) for play in state.legal_plays)

    def why_not(self, state: MatchState) -> str | None:
        return None if self.knows(state) else "races that are not solved"

    def rolling(self, state: MatchState) -> Evaluation:
        solution = solve(state)
        cube = solution.cube
        if cube is None:
            return Evaluation(solution.chances, solution.equity, mwc=solution.mwc, level=self.level)
        assert cube.no_double is not None  # it is solved
        chance = None if cube.mwc is None else cube.mwc[0]
        return Evaluation(solution.chances, cube.no_double, mwc=chance, level=self.level)

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - all is exact
        cube = solve(state).cube
        assert cube is not None  # a player may double
        return attrs.evolve(cube, engine=self.name)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        if not state.position.is_race:  # but after each play
            return super().candidates(state, also)
        return [*solve(state).candidates]

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        return dict(solve(state).rolls)


def _is_solved(state: MatchState) -> bool:
    return state.result is not None or not why_not_solved(state)
