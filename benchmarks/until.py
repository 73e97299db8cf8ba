"""Rollouts that stop (`Rollout(until=...)`) against the truth: how often they are wrong, and how much they save.

    python benchmarks/until.py

takes some minutes and prints a table. Rolled out are random plays of bear-offs, in which an exact two-sided table knows
what each play is worth, without a cube. The games are those of `batch.rollout`, with all their luck, played perfectly
by the table, so that the truth is what a rollout would come to in the end. Beside our rule it shows what becomes of one
that looks after each second chunk as if it were the only time, as people do who watch a rollout: Student's t at 5%.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Collection, Sequence
from operator import sub
from statistics import fmean

import numpy as np
import numpy.typing as npt

from gammonrules import ROLLS, MatchState, Player, Position, Rules, batch, bearoff
from gammonrules.engine import Rollout
from gammonrules.engine._driver import Driver
from gammonrules.engine._early_stopping import InChunks, _chance_above
from gammonrules.engine._rollout import level_of_rollout
from gammonrules.records import Candidate

CLOSEST, FARTHEST = 0.001, 0.1
"""By how much the best play may be better than the second."""
PLAYS = 4
"""How many are rolled out, at most."""


class Games(Driver):
    """A driver whose rollouts are games of `batch`."""

    name = "games"

    def __init__(self, rollout: Rollout, table: bearoff.TwoSided) -> None:
        self._table, self._rollout, self._seed, self.level = table, rollout, 0, level_of_rollout(rollout, 1)
        self.asked = list[list[float]]()

    def reseed(self, seed: int) -> None:
        self._seed = seed

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        boards, rng = [[*position.points] for position in also], np.random.default_rng(self._seed)
        means = -batch.rollout(boards, 36, self._choose, rng=rng).mean
        self.asked.append(means.tolist())
        return [Candidate("", *pair, level=self.level) for pair in zip(also, means.tolist(), strict=True)]

    def _choose(self, turns: batch.Turns, _: np.random.Generator) -> npt.NDArray[np.int64]:
        worth = self._table.equities(turns.points)[:, 0]
        return np.array([a + worth[a:b].argmin() for a, b in zip(turns.offsets, turns.offsets[1:], strict=False)])


class GamesInChunks(InChunks, Games):
    pass


def decision(table: bearoff.TwoSided, rng: random.Random) -> tuple[MatchState, dict[Position, float]]:
    """A roll with what its best plays are worth; the best of all is clear, but not very."""
    while True:
        sides = [dict.fromkeys(rng.sample(range(1, 7), 3), 1) for _ in range(2)]
        for side in sides:
            for _ in range(rng.randrange(4)):
                side[rng.choice([*side])] += 1
        position = Position.of(mine=sides[0], theirs=sides[1])
        state = MatchState(position, Player.WHITE, rules=Rules(cube=False)).roll(rng.choice(ROLLS))
        worth = {play.position: -table[play.position].cubeless for play in state.legal_plays if play.position in table}
        best = sorted(worth, key=lambda position: -worth[position])[:PLAYS]
        if len(best) > 1 and CLOSEST <= worth[best[0]] - worth[best[1]] <= FARTHEST:
            rng.shuffle(best)
            return state, {position: worth[position] for position in best}


def by_one_look(chunks: Sequence[Sequence[float]]) -> tuple[int, int]:
    """Which play is called the best, and after how many chunks, if each look is taken for the only one."""
    best = number = 0
    for number in range(4, len(chunks) + 1, 2):
        each = [*zip(*chunks[:number], strict=True)]
        best = max(range(len(each)), key=lambda play: fmean(each[play]))
        others = [[*map(sub, each[best], other)] for other in each if other is not each[best]]
        if all(_chance_above(fmean(ahead), ahead) < 0.05 / len(others) for ahead in others):
            break
    return best, number


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rollouts", type=int, default=200)
    parser.add_argument("--trials", type=int, default=5184)
    asked = parser.parse_args()
    table, rng = bearoff.two_sided(), random.Random(1)
    tried = [decision(table, rng) for _ in range(asked.rollouts)]
    print(f"{'until':>10}{'ended early':>13}{'wrong':>7}{'trials':>9}{'saved':>7}")
    for until in ("decided", 0.1, 0.05):
        early = wrong = used = 0
        for number, (state, worth) in enumerate(tried):
            rollout = Rollout(asked.trials, seed=1000 * number, until=until)
            driver = GamesInChunks(rollout, table)
            plays = driver.candidates(state, [*worth])
            used += 36 * len(driver.asked)
            if len(driver.asked) < asked.trials // 36:
                early += 1
                told = {play.position: plays[0].equity - play.equity for play in plays}
                true = {position: worth[plays[0].position] - worth[position] for position in worth}
                wrong += (
                    min(true.values()) < 0 if until == "decided" else max(abs(told[p] - true[p]) for p in told) > until
                )
        saved = 1 - used / asked.trials / len(tried)
        print(f"{until!s:>10}{early:>13}{wrong:>7}{used // len(tried):>9,}{saved:>7.0%}", flush=True)
    early = wrong = used = 0
    for number, (state, worth) in enumerate(tried):
        rollout = Rollout(asked.trials, seed=1000 * number, until=0.0001)  # which takes all
        driver = GamesInChunks(rollout, table)
        driver.candidates(state, [*worth])
        best, at = by_one_look(driver.asked)
        used += 36 * at
        early += at < len(driver.asked)
        wrong += at < len(driver.asked) and [*worth.values()][best] < max(worth.values())
    saved = 1 - used / asked.trials / len(tried)
    print(f"{'one look':>10}{early:>13}{wrong:>7}{used // len(tried):>9,}{saved:>7.0%}")


if __name__ == "__main__":
    main()
