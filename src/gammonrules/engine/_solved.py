"""`Solved`: what knows exactly what a state is worth."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from gammonrules.board import Position
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation, candidate, ended
from gammonrules.equity import Chances
from gammonrules.match import Action, MatchState, Player
from gammonrules.records.transcript import EXACT, Candidate


class Solved(Driver):
    """A table in this process. Subclasses say what rolling and doubling are worth; the rest follows exactly."""

    level = EXACT
    is_ours = True

    def evaluate(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE not in state.legal_actions:
            return self.rolling(state)
        cube = self.cube(state)
        doubles = cube.best is Action.DOUBLE
        equity = cube.equity_double if doubles else cube.no_double
        chances = cast("tuple[float, float, float]", cube.mwc)
        chance = chances and (min(chances[1:]) if doubles else chances[0])
        return Evaluation(
            cast("Chances", cube.chances),
            equity=cast("float", equity),
            mwc=chance,
            level=self.level,
        )

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:  # noqa: ARG002 - all are exact
        player = cast("Player", state.on_roll)
        plays = list[Candidate]()
        for play in state.legal_plays:
            after = state.play(play)
            if after.result is None:
                worth = self.evaluate(after).flip()
            else:
                worth = ended(after, before=state, player=player, level=self.level, met=self.met)
            plays.append(candidate(play, worth))
        return sorted(plays, key=lambda each: -cast("float", each.equity))
