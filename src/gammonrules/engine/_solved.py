"""`Solved`: what knows exactly what a state is worth."""

from __future__ import annotations

from collections.abc import Collection

from gammonrules.analysis import Candidate, CubeAnalysis
from gammonrules.analysis.internals import EXACT
from gammonrules.board import Position
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import (
    Evaluation,
    candidate_from,
    equity_of,
    evaluation_of_end,
    player_on_roll,
)
from gammonrules.match import Action, MatchState


class Solved(Driver):
    """A table in this process. Subclasses say what rolling and doubling are worth; the rest follows exactly."""

    level = EXACT
    is_ours = True
    outlives_fork = True

    def evaluate(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE not in state.legal_actions:
            return self.rolling(state)
        cube = self.cube_analysis(state)
        assert cube.chances is not None  # `cube` gives all the numbers
        equity = cube.equity_double if cube.best is Action.DOUBLE else cube.no_double
        assert equity is not None
        return Evaluation(cube.chances, equity, mwc=_mwc_of_best(cube), level=self.level)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:  # noqa: ARG002 - all are exact
        player = player_on_roll(state)
        plays = list[Candidate]()
        for play in state.legal_plays:
            after = state.play(play)
            if after.result is None:
                worth = self.evaluate(after).flip()
            else:
                worth = evaluation_of_end(
                    after, before=state, player=player, level=self.level, met=self.met
                )
            plays.append(candidate_from(play, worth))
        return sorted(plays, key=equity_of, reverse=True)


def _mwc_of_best(cube: CubeAnalysis) -> float | None:
    """The chance of winning the match by the better of rolling and doubling; None in money play."""
    if cube.mwc is None:
        return None
    rolling, taken, dropped = cube.mwc
    assert taken is not None
    assert dropped is not None
    return min(taken, dropped) if cube.best is Action.DOUBLE else rolling
