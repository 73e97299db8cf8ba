"""Doubles in contact: whether bgsage judges those of real matches better at level 3 than at level 2.

    python -m pip install -e ".[engine]"
    python benchmarks/doubles.py

asks both levels about the decisions to double or not that the records of the repository have in contact, each once:
all that doubled, and of the others those that are closest at level 1. Where the two verdicts differ, and one of them
loses 0.02 or more by the numbers of the other, GNU Backgammon rolls the cube out, by whole games that look no roll
ahead, until it is clear what to do, or up to `--trials`; `--limit` of them are drawn at random. It prints how many
differ; how many level 3 has right of those that became clear, and what each level loses there; and what level 3 gains
in the mean, with the 95% interval, where what did not become clear counts as it stands. To roll out a hundred takes
hours. `--quick` only shows that everything runs.
"""

from __future__ import annotations

import argparse
import random
import time
from itertools import chain
from pathlib import Path
from statistics import fmean

from attrs import define, frozen

from gammonrules import Action, MatchState, Player
from gammonrules.engine import Rollout, SimpleEngine, StateAnalysis
from gammonrules.records import CubeAnalysis, DecisionKind, scan

ROOT = Path(__file__).parent.parent
FOLDERS = ROOT / "examples" / "matches", ROOT / "tests" / "data" / "matches", ROOT / "tests" / "data" / "analysis"
MIN_STAKE = 0.02


@frozen
class Verdicts:
    """A decision, and what the two levels say of it."""

    state: MatchState
    usual: CubeAnalysis
    deeper: CubeAnalysis

    @property
    def differ(self) -> bool:
        return action_and_answer(self.usual) != action_and_answer(self.deeper)

    @property
    def stake(self) -> float:
        return max(cost(self.usual, self.deeper), cost(self.deeper, self.usual))


@frozen
class Losses:
    """What the verdicts of the two levels lose by a rollout."""

    usual: float
    deeper: float
    is_decided: bool


@define
class Seconds:
    """What the answers of an engine took of a processor."""

    engine: SimpleEngine
    answers: int = 0
    total: float = 0.0

    def cube_analysis(self, state: MatchState) -> CubeAnalysis:
        started = time.process_time()
        cube = self.engine.cube_analysis(state)
        self.total += time.process_time() - started
        self.answers += 1
        return cube


def doubles() -> dict[MatchState, bool]:
    """The decisions in contact of all records, seen by White; whether a double was made."""
    made: dict[MatchState, bool] = {}
    for entry in chain.from_iterable(map(scan, FOLDERS)):
        for decision in entry.match.decisions() if entry.match else ():
            state = decision.state
            if decision.kind is not DecisionKind.DOUBLE or state.position.is_race:
                continue
            if state.on_roll is Player.BLACK:
                state = state.swap_players()
            same = MatchState.from_xgid(state.xgid)  # without what came before
            made[same] = made.get(same, False) or decision.action == "double"
    return made


def action_and_answer(cube: CubeAnalysis) -> tuple[Action | None, Action | None]:
    """Nobody answers who is not doubled."""
    return cube.best, cube.best_answer if cube.best is Action.DOUBLE else None


def cost(truth: CubeAnalysis, told: CubeAnalysis) -> float:
    """What a verdict loses."""
    actions = filter(None, action_and_answer(told))
    return sum(truth.error_of(action) or 0.0 for action in actions)


def margin(state: MatchState, cube: CubeAnalysis) -> float:
    return StateAnalysis(state, cube).margin or 0.0


def cases(limit: int) -> list[MatchState]:
    """Those that doubled, and the closest ones at level 1."""
    made = doubles()
    with SimpleEngine.bgsage(level=1) as bgsage:
        margins = {state: margin(state, bgsage.cube_analysis(state)) for state in made}
    return sorted(made, key=lambda state: (not made[state], margins[state], state.xgid))[:limit]


def asked(states: list[MatchState]) -> list[Verdicts]:
    with SimpleEngine.bgsage(level=2) as second, SimpleEngine.bgsage(level=3) as third:
        usual, deeper = Seconds(second), Seconds(third)
        verdicts = [Verdicts(state, usual.cube_analysis(state), deeper.cube_analysis(state)) for state in states]
    for level in usual, deeper:
        print(f"{level.engine.level}: {level.total / level.answers:.3f} s a decision")
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether level 3 judges doubles in contact better than level 2.")
    parser.add_argument("--cases", type=int, default=4_100, help="how many decisions both levels judge")
    parser.add_argument("--limit", type=int, default=10_000, help="how many are rolled out")
    parser.add_argument("--trials", type=int, default=1_152, help="how many games a rollout has at most")
    parser.add_argument("--quick", action="store_true", help="only show that everything runs")
    options = parser.parse_args()
    if options.quick:
        options.cases, options.limit, options.trials = 40, 2, 144
    verdicts = asked(cases(options.cases))
    differing = [each for each in verdicts if each.differ]
    at_stake = [each for each in differing if each.stake >= MIN_STAKE]
    close = [each for each in verdicts if margin(each.state, each.usual) < 0.1]
    print(f"{len(verdicts):,} decisions, {len(differing)} verdicts differ, {len(at_stake)} by {MIN_STAKE} and more")
    print(f"level 2 is closer than 0.1 in {len(close)}, {sum(each.differ for each in close)} of which differ")
    random.Random(1).shuffle(at_stake)
    losses = rolled_out(at_stake[: options.limit], options.trials)
    decided = [each for each in losses if each.is_decided]
    right = sum(each.usual > each.deeper for each in decided)
    usual, deeper = sum(each.usual for each in decided), sum(each.deeper for each in decided)
    print(f"{len(decided)} of {len(losses)} became clear: level 3 is right in {right}")
    print(f"level 2 loses {usual:.2f} there, level 3 {deeper:.2f}")
    print(f"level 3 gains {gain(losses)} in each that was rolled out")


def rolled_out(verdicts: list[Verdicts], trials: int) -> list[Losses]:
    losses = list[Losses]()
    with SimpleEngine.gnubg(level=1, rollout=Rollout(trials, until="decided"), timeout=None) as gnubg:
        for each in verdicts:
            truth = gnubg.cube_analysis(each.state)
            is_decided = truth.level.trials_done != trials
            losses.append(Losses(cost(truth, each.usual), cost(truth, each.deeper), is_decided))
            print(each.state.xgid, losses[-1], flush=True)
    return losses


def gain(losses: list[Losses]) -> str:
    """The mean gain of level 3, with the interval of 2,000 samples of the same size."""
    rng, gains = random.Random(1), [each.usual - each.deeper for each in losses]
    means = sorted(fmean(rng.choices(gains, k=len(gains))) for _ in range(2_000))
    return f"{fmean(gains):.4f} ({means[50]:.4f} to {means[1949]:.4f})"


if __name__ == "__main__":
    main()
