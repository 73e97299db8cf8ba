"""Hypergammon, played from a table that has it solved."""

from __future__ import annotations

import os
from collections.abc import Collection

from gammonrules.analysis import Chances, CubeAnalysis, Level
from gammonrules.engine._evaluation import Evaluation, equity_at, player_on_roll
from gammonrules.engine._rule_support import unknown_rules, without_crawford
from gammonrules.engine._solved import Solved
from gammonrules.limits import MAX_EQUITY_TABLE_POINTS
from gammonrules.match import Action, MatchState
from gammonrules.match.internals import place_for
from gammonrules.rules import Rules
from gammonrules.values import counted

_EFFICIENCY = 0.68
"""How useful a cube is held to be where its worth is estimated: as GNU Backgammon has it for positions with contact."""


class Hypergammon(Solved):
    """A table of Hypergammon."""

    def __init__(self, path: str | os.PathLike[str], *, estimate: bool = False) -> None:
        from gammonrules import hypergammon  # noqa: PLC0415

        self._table = hypergammon.open(path)
        self._longest_exact = self._table.length or 0  # 0: a table of money play has no matches
        self._longest = MAX_EQUITY_TABLE_POINTS if estimate else self._longest_exact
        self.checkers = self._table.checkers
        self.name = f"Hypergammon solved with {counted(self.checkers, 'checker')}"
        knows_matches = self._longest > 0
        if knows_matches:
            self.met = self._table.met(MAX_EQUITY_TABLE_POINTS)
        if estimate:
            exact_points = counted(self._longest_exact, "point")
            self.level = Level(f"exact to {exact_points}, then estimated")

    def close(self) -> None:
        self._table.close()

    def why_not(self, state: MatchState) -> str | None:
        if state.away is not None:
            why_not = self._why_not_match(needed=max(state.away), cube=state.rules.cube)
        elif state.rules.cube:
            why_not = self._why_not_money_with_cube(state.rules)
        elif state.rules.jacoby:
            why_not = "games without a cube and gammons"
        else:
            why_not = None
        return why_not or without_crawford(state) or unknown_rules(state, self.checkers)

    def _why_not_match(self, needed: int, *, cube: bool) -> str | None:
        if not self._table.length:
            return "matches"
        if needed > self._longest:
            return f"matches in which a player needs more than {counted(self._longest, 'point')}"
        if needed > 1 and not cube:
            return "matches without a cube"
        return None

    def _why_not_money_with_cube(self, rules: Rules) -> str | None:
        if self._table.length:
            return "money games with a cube"
        if rules.jacoby != self._table.jacoby:
            return f"games {'with' if rules.jacoby else 'without'} the Jacoby rule"
        if rules.beavers != self._table.beavers:
            return f"games with {counted(rules.beavers, 'beaver')} in a row"
        return None

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
        cube = place_for(state.cube, player)
        if state.away is None:
            column = table.column(cube if state.rules.cube else "none")
            equity = float(table.equities(board)[0, column])
            return Evaluation(chances, equity, mwc=None, level=self.level)
        mine = state.away[player]
        theirs = state.away[player.opponent]
        if max(mine, theirs) > self._longest_exact:
            estimate = self.met.chance_from(chances, state, player, _EFFICIENCY)
            assert estimate is not None  # the score is in the table
            chance = estimate
        else:
            column = table.column(
                cube, mine, theirs, crawford=state.crawford, value=state.cube.value
            )
            # in a match the table has the chance of winning it less that of losing it, `chance - (1 - chance)`
            difference = float(table.equities(board)[0, column])
            chance = (1 + difference) / 2
        return Evaluation(
            chances,
            equity=equity_at(chance, state=state, player=player, met=self.met),
            mwc=chance,
            level=self.level,
        )

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - the same
        """A take is worth what a beaver is, where that is better for the opponent."""
        now = self.rolling(state)
        player = player_on_roll(state)
        after_take = self.rolling(state.double().take())
        mwc = None
        if after_take.mwc is None:  # money play, where its equity is per unit of the doubled cube
            is_beavered = self._table.beavers and after_take.equity < 0
            times_turned_cube = 4 if is_beavered else 2  # a beaver doubles once more
            double_take = times_turned_cube * after_take.equity
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
