"""Hypergammon, played from a table that has it solved."""

from __future__ import annotations

import os
from collections.abc import Collection

from gammonrules.engine._evaluation import Evaluation, equity_at, player_on_roll
from gammonrules.engine._known_rules import unknown_rules, without_crawford
from gammonrules.engine._solved import Solved
from gammonrules.equity import Chances
from gammonrules.limits import LONGEST_EQUITY_TABLE
from gammonrules.match import Action, MatchState
from gammonrules.match.internals import place_for
from gammonrules.records.transcript import CubeAnalysis, Level
from gammonrules.values import counted

_EFFICIENCY = 0.68
"""How useful a cube is held to be where its worth is estimated: as GNU Backgammon has it for positions with contact."""


class Hypergammon(Solved):
    """A table of Hypergammon."""

    def __init__(self, path: str | os.PathLike[str], *, estimate: bool = False) -> None:
        from gammonrules import hypergammon  # noqa: PLC0415

        self._table = hypergammon.open(path)
        exact = self._table.length or 0
        self._exact = exact
        self.checkers = self._table.checkers
        self._longest = LONGEST_EQUITY_TABLE if estimate else exact
        self.name = f"Hypergammon solved with {counted(self.checkers, 'checker')}"
        if exact or estimate:
            self.met = self._table.met(LONGEST_EQUITY_TABLE)
        if estimate:
            self.level = Level(f"exact to {counted(exact, 'point')}, then estimated")

    def close(self) -> None:
        self._table.close()

    def why_not(self, state: MatchState) -> str | None:
        table = self._table
        rules = state.rules
        if state.away is not None:
            if not table.length:
                return "matches"
            needed = max(state.away)
            if needed > self._longest:
                return (
                    f"matches in which a player needs more than {counted(self._longest, 'point')}"
                )
            if needed > 1 and not rules.cube:
                return "matches without a cube"
        elif not rules.cube:
            if rules.jacoby:
                return "games without a cube and gammons"
        elif table.length:
            return "money games with a cube"
        elif rules.jacoby != table.jacoby:
            return f"games {'with' if rules.jacoby else 'without'} the Jacoby rule"
        elif rules.beavers != table.beavers:
            return f"games with {counted(rules.beavers, 'beaver')} in a row"
        return without_crawford(state) or unknown_rules(state, self.checkers)

    def rolling(self, state: MatchState) -> Evaluation:
        table = self._table
        board = [state.position.points]
        player = player_on_roll(state)
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = table.chances(board)[0]
        chances = Chances(
            float(win),
            win_gammon=float(win_gammon),
            win_backgammon=float(win_backgammon),
            lose_gammon=float(lose_gammon),
            lose_backgammon=float(lose_backgammon),
        )
        cube = place_for(state.cube, player) if state.rules.cube or state.away else "none"
        if state.away is None:
            return Evaluation(
                chances,
                equity=float(table.equities(board)[0, table.column(cube)]),
                mwc=None,
                level=self.level,
            )
        mine = state.away[player]
        theirs = state.away[player.opponent]
        if max(mine, theirs) > self._exact:
            estimate = self.met.chance_from(chances, state, player, _EFFICIENCY)
            assert estimate is not None  # the score is in the table
            chance = estimate
        else:
            column = table.column(
                cube, mine, theirs, crawford=state.crawford, value=state.cube.value
            )
            # in a match the table has the chance of winning it less that of losing it
            difference = float(table.equities(board)[0, column])
            chance = (1 + difference) / 2
        return Evaluation(
            chances,
            equity=equity_at(chance, state=state, player=player, met=self.met),
            mwc=chance,
            level=self.level,
        )

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - the same
        """A take is worth what a beaver is, where that is better for the opponent."""
        now = self.rolling(state)
        player = player_on_roll(state)
        after_take = self.rolling(state.double().take())
        mwc = None
        if after_take.mwc is None:  # money play, where its equity is per unit of the doubled cube
            is_beavered = self._table.beavers and after_take.equity < 0
            cubes_at_stake = 4 if is_beavered else 2
            double_take = cubes_at_stake * after_take.equity
        else:
            mwc_after_drop = self.met.chance_after(state, player, state.cube.value)
            mwc = now.mwc, after_take.mwc, mwc_after_drop
            double_take = equity_at(after_take.mwc, state=state, player=player, met=self.met)
        return CubeAnalysis(
            now.equity,
            double_take=double_take,
            double_drop=1.0,
            chances=now.chances,
            chances_double_take=None,
            level=self.level,
            standard_errors=None,
            mwc=mwc,
            engine=self.name,
        )
