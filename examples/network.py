"""The network of `td_gammon.py` as an engine: it decides one state after another, and judges plays, cubes and rolls.

`Network()` has the interface of `engine.SimpleEngine`, as far as `opponents.py` and `records.analyze` need it. The
import needs the extra `arena`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import cast

import attrs
import numpy as np
from td_gammon import EFFICIENCY, KEEP, POINTS, Bot, tables

from gammonrules import Action, Dice, Event, MatchState, Play, Player, Position, arena, batch
from gammonrules.dice import ROLLS
from gammonrules.engine import Evaluation
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.records import Candidate, CubeAnalysis

ENOUGH = 0.001
"""A resignation is accepted if it is worth so little less than to go on, by numbers that are no more exact."""


class Network:
    """Plays and judges so many rolls ahead.

    With noise it chooses worse plays too, the more often the less they lose: a softmax of what they are worth.
    """

    name = "the network of td_gammon.py"
    is_open = True

    def __init__(self, plies: int = 0, noise: float = 0) -> None:
        self.bot = Bot.load(plies=plies)
        self.noise = noise
        self.level = level(plies)
        tables()  # which takes a second or two, and the first play should not
        self.policy = arena.Policy(self.softmax if noise else self.bot.choose, self.bot.cube)

    def close(self) -> None:
        """There is nothing to end."""

    # What it does -----------------------------------------------------------------------------------------------------

    def decide(self, state: MatchState) -> Event | Action:
        player = cast("Player", state.to_act)
        decision = self.policy.decide(state)
        if decision != Event(Action.DECLINE, player):
            return decision
        # the policy declines what is not all that can still be won
        accepted = state.accept().result
        worth = self.worth_of(accepted.points if accepted else 0, state, player)
        is_enough = worth >= self.evaluate(state).equity - ENOUGH
        return Event(Action.ACCEPT if is_enough else Action.DECLINE, player)

    def softmax(self, turns: batch.Turns, rng: np.random.Generator) -> np.ndarray:
        ended = batch.outcomes(turns.points, checkers=turns.checkers)
        worth = -np.where(ended, ended, self.bot.chances(turns.points) @ POINTS - 1)
        return turns.sample(turns.softmax(worth, self.noise), rng)

    # What it thinks ---------------------------------------------------------------------------------------------------

    def evaluate(self, state: MatchState) -> Evaluation:
        player = cast("Player", state.to_act)
        (chances,) = self.chances([state.position], self.bot.plies)
        seen = chances if player is state.on_roll else chances.flip()
        return Evaluation(seen, self.worth(seen, state, state, player), level=self.level)

    def candidates(
        self, state: MatchState, most: int, *, also: Sequence[str | Play | Position] = ()
    ) -> Sequence[Candidate]:
        """Those that seem best, and those in `also`, are looked at more deeply; they come first."""
        plays = state.legal_plays
        wanted = {plays.find(play).position for play in also}
        ranked = self.judged(state, plays, 0)
        if self.bot.plies:
            best = {each.position for each in ranked[: KEEP[0]]} | wanted
            deep = self.judged(state, [play for play in plays if play.position in best], self.bot.plies)
            ranked = [*deep, *(each for each in ranked if each.position not in best)]
        return [each for rank, each in enumerate(ranked) if rank < most or each.position in wanted]

    def judged(self, state: MatchState, plays: Sequence[Play], plies: int) -> list[Candidate]:
        player = cast("Player", state.on_roll)
        theirs = self.chances([play.position for play in plays], plies)
        judged = [
            Candidate(str(play), play.position, self.worth(chances, state, state, player), chances, level(plies))
            for play, chances in zip(plays, (each.flip() for each in theirs), strict=True)
        ]
        return sorted(judged, key=lambda each: -cast("float", each.equity))

    def cube(self, state: MatchState) -> CubeAnalysis:
        before = attrs.evolve(state, offer=None)
        player = cast("Player", state.on_roll)
        (chances,) = self.chances([state.position], self.bot.plies)
        taken = self.worth(chances, before.double().take(), before, player)
        return CubeAnalysis(self.worth(chances, before, before, player), taken, chances=chances, level=self.level)

    def rolls(self, state: MatchState) -> dict[Dice, float]:
        """Of each roll the play that seems best in money play, without look-ahead."""
        player = cast("Player", state.on_roll)
        after = [[play.position for play in state.position.legal_plays(dice)] for dice in ROLLS]
        parts = np.split(self.rows([*chain.from_iterable(after)], 0), np.cumsum([*map(len, after)])[:-1])
        theirs = [Chances.nested(*rows[(rows @ POINTS).argmin()].tolist()) for rows in parts]
        worth = [self.worth(chances.flip(), state, state, player) for chances in theirs]
        return dict(zip(ROLLS, worth, strict=True))

    def chances(self, positions: Sequence[Position], plies: int) -> list[Chances]:
        """Those of the players on roll."""
        return [Chances.nested(*row) for row in self.rows(positions, plies).tolist()]

    def rows(self, positions: Sequence[Position], plies: int) -> np.ndarray:
        return batch.look_ahead(batch.from_positions(positions), self.bot.chances, plies=plies, keep=KEEP)

    def worth(self, chances: Chances, later: MatchState, state: MatchState, player: Player) -> float:
        """The equity of chances with the cube of a later state, in units of the present one."""
        life = EFFICIENCY if later.rules.cube else 0
        mwc = KAZAROSS_XG2.chance_from(chances, later, player, life)
        if mwc is not None:
            return cast("float", KAZAROSS_XG2.to_equity(mwc, state, player))
        points = cast("float", KAZAROSS_XG2.equity_from(chances, later, player, life)) * later.cube.value
        return points / state.cube.value

    def worth_of(self, points: int, state: MatchState, player: Player) -> float:
        """The equity of winning so many points."""
        mwc = KAZAROSS_XG2.chance_after(state, player, points)
        return points / state.cube.value if mwc is None else cast("float", KAZAROSS_XG2.to_equity(mwc, state, player))


def level(plies: int) -> str:
    return ("no look-ahead", "1 roll ahead")[plies] if plies < 2 else f"{plies} rolls ahead"
