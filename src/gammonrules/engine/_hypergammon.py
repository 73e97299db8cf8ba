"""Hypergammon, played from a table that has it solved."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, cast

from gammonrules.board import Position
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation, candidate, ended
from gammonrules.engine._known_rules import unknown_rules
from gammonrules.match import Action, MatchState, Player
from gammonrules.match.internals import place_for
from gammonrules.records.transcript import Candidate, CubeAnalysis
from gammonrules.values import counted

if TYPE_CHECKING:  # NumPy is an extra
    from gammonrules.bearoff.internals import Cube


class Hypergammon(Driver):
    """A table of Hypergammon, in this process."""

    level = "exact"
    is_ours = True

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from gammonrules import hypergammon  # noqa: PLC0415

        self._table = hypergammon.open(path)
        self.name = f"Hypergammon solved with {counted(self._table.checkers, 'checker')}"

    def close(self) -> None:
        self._table.close()

    def why_not(self, state: MatchState) -> str | None:
        table, rules = self._table, state.rules
        if state.length is not None:
            return "matches"
        if not rules.cube:
            return "games without a cube and gammons" if rules.jacoby else unknown_rules(state, table.checkers)
        if rules.jacoby != table.jacoby:
            return f"games {'with' if rules.jacoby else 'without'} the Jacoby rule"
        if rules.beavers != table.beavers:
            return f"games with {counted(rules.beavers, 'beaver')} in a row"
        return unknown_rules(state, table.checkers)

    def evaluate(self, state: MatchState) -> Evaluation:
        solution = self._table[state.position]
        return Evaluation(solution.chances, solution.best(_place_for_roller(state)), None, self.level)

    def rolling(self, state: MatchState) -> Evaluation:
        solution = self._table[state.position]
        cube = _place_for_roller(state)
        equity = solution.cubeless if cube == "none" else getattr(solution, cube)
        return Evaluation(solution.chances, equity, None, self.level)

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - the same
        """A take is worth what a beaver is, where that is better for the opponent."""
        solution, cube = self._table[state.position], _place_for_roller(state)
        take = 2 * solution.opponent_owns * (2 if self._table.beavers and solution.opponent_owns < 0 else 1)
        rolling = cast("float", getattr(solution, cube))
        return CubeAnalysis(rolling, take, 1.0, solution.chances, None, self.level, engine=self.name)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:  # noqa: ARG002 - all are exact
        player = cast("Player", state.on_roll)
        after = [(play, state.play(play)) for play in state.legal_plays]
        worth = [
            (play, ended(over, state, player, self.level) if over.result else self.evaluate(over).flip())
            for play, over in after
        ]
        return [candidate(play, value) for play, value in sorted(worth, key=lambda pair: -pair[1].equity)]


def _place_for_roller(state: MatchState) -> Cube:
    """Where the cube is for the player on roll."""
    return place_for(state.cube, state.on_roll) if state.rules.cube else "none"
