"""Engines in races: how far they are from the exact values, at each level, for money and at the scores of matches.

    python -m pip install -e ".[engine]"
    python benchmarks/races.py "bgsage 2" "gnubg 3"

prints three rows for each engine and level: how far no double and double/take are off in the mean, and the worst of
both; how many verdicts are wrong, of all, and what they cost together; what a play loses in the mean, and the worst
one; and seconds a decision. The races are drawn from the records of the repository: bear-offs of at most 8 checkers a
side, as for money, whose values are those of `bearoff.two_sided`; races at scores with up to a million pairs of
layouts, and others with up to five million, by `bearoff.solve`. To solve them takes some minutes. `--quick` only shows
that everything runs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from statistics import mean

import attrs
from attrs import Factory, define, frozen

from gammonrules import MONEY, Action, MatchState, Position
from gammonrules.bearoff import solve, two_sided
from gammonrules.bearoff.internals import why_not_solved
from gammonrules.engine import SimpleEngine
from gammonrules.records import CubeAnalysis, scan

ROOT = Path(__file__).parent.parent
FOLDERS = ROOT / "examples" / "matches", ROOT / "tests" / "data" / "matches"
NEAR, FAR = 1_000_000, 5_000_000
"""Pairs of layouts."""
MAKERS = {"bgsage": SimpleEngine.bgsage, "gnubg": SimpleEngine.gnubg, "selftaught": SimpleEngine.selftaught}


@frozen
class Question:
    """A decision, and its exact values: of a cube, or of the positions that plays lead to."""

    state: MatchState
    cube: CubeAnalysis | None
    plays: dict[Position, float]


@define
class Errors:
    """What the answers of an engine are off."""

    no_double: list[float] = Factory(list)
    double_take: list[float] = Factory(list)
    verdicts: list[float] = Factory(list)
    plays: list[float] = Factory(list)
    seconds: float = 0.0

    def row(self) -> str:
        worst = max(*self.no_double, *self.double_take)
        wrong = [cost for cost in self.verdicts if cost > 1e-6]
        values = f"{mean(self.no_double):.4f} | {mean(self.double_take):.4f} | {worst:.3f}"
        verdicts = f"{len(wrong)} of {len(self.verdicts)} | {sum(wrong):.3f}"
        plays = f"{mean(self.plays):.5f} | {max(self.plays):.3f}"
        seconds = self.seconds / (len(self.verdicts) + len(self.plays))
        return f"{values} | {verdicts} | {plays} | {seconds:.3f}"


def races() -> list[MatchState]:
    """The decisions without contact of all records, each once, shuffled."""
    states = set[MatchState]()
    for entry in chain.from_iterable(map(scan, FOLDERS)):
        for decision in entry.match.decisions() if entry.match else ():
            if decision.state.position.is_race:
                states.add(decision.state)
    ordered = sorted(states, key=lambda state: state.xgid)
    random.Random(1).shuffle(ordered)
    return [state for state in ordered if state.result is None and state.offer is None]


def is_choice(state: MatchState) -> bool:
    return Action.DOUBLE in state.legal_actions if state.dice is None else len(state.legal_plays) > 1


def for_money(states: list[MatchState], checkers: int) -> Iterator[Question]:
    """Bear-offs of so many checkers that are not decided, with the cube in the middle."""
    table, seen = two_sided(checkers=checkers), set[Position]()
    for state in states:
        position, dice = state.position, state.dice
        if position not in table or abs(table[position].cubeless) == 1:
            continue
        money = MatchState(position, state.on_roll, dice, rules=MONEY)
        if dice and is_choice(money):
            plays = {play.position: equity for play, equity in table.plays(position, dice)}
            yield Question(money, None, plays)
        if position not in seen:
            seen.add(position)
            values = table[position]
            cube = CubeAnalysis(values.centered, 2 * values.opponent_owns)
            yield Question(attrs.evolve(money, dice=None), cube, {})


def at_scores(states: list[MatchState], least: int, most: int) -> Iterator[Question]:
    """Races of matches that are not decided, with more than `least` pairs of layouts and at most `most`."""
    for state in states:
        is_larger = state.length is not None and why_not_solved(state, limit=least)
        if not is_larger or why_not_solved(state, limit=most) or not is_choice(state):
            continue
        answer = solve(state, limit=most)
        if 0 < solve(attrs.evolve(state, dice=None), limit=most).chances.win < 1:
            plays = {candidate.position: candidate.equity or 0.0 for candidate in answer.candidates}
            yield Question(state, answer.cube, plays)


def drawn(questions: Iterator[Question], cubes: int, plays: int) -> list[Question]:
    """So many decisions of each kind."""
    chosen: dict[bool, list[Question]] = {True: [], False: []}
    for question in questions:
        is_cube = question.cube is not None
        if len(chosen[is_cube]) < (cubes if is_cube else plays):
            chosen[is_cube].append(question)
        if len(chosen[True]) == cubes and len(chosen[False]) == plays:
            break
    return [*chosen[True], *chosen[False]]


def errors(engine: SimpleEngine, questions: list[Question]) -> Errors:
    result = Errors()
    started = time.perf_counter()
    for question in questions:
        if question.cube:
            add_cube(result, question.cube, engine.cube_analysis(question.state))
        else:
            best = engine.candidates(question.state)[0]
            result.plays.append(max(question.plays.values()) - question.plays[best.position])
    result.seconds = time.perf_counter() - started
    return result


def add_cube(result: Errors, exact: CubeAnalysis, told: CubeAnalysis) -> None:
    result.no_double.append(abs(exact.no_double - told.no_double))
    result.double_take.append(abs(exact.double_take - told.double_take))
    result.verdicts.append(exact.error_of(told.best) + exact.error_of(told.best_answer))


def main() -> None:
    parser = argparse.ArgumentParser(description="How far engines are from the exact values of races.")
    parser.add_argument("engines", nargs="*", default=["bgsage 1"], help='such as "bgsage 2"')
    parser.add_argument("--quick", action="store_true", help="only show that everything runs")
    options = parser.parse_args()
    states = races()
    if options.quick:
        sets = {"money": drawn(for_money(states, 4), 2, 2)}
    else:
        sets = {
            "money": drawn(for_money(states, 8), 150, 100),
            "scores": drawn(at_scores(states, 0, NEAR), 120, 100),
            "larger": drawn(at_scores(states, NEAR, FAR), 20, 10),
        }
    print("| engine | races | no double | double/take | worst | wrong | cost | a play | worst | seconds |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in options.engines:
        maker, level = name.split()
        with MAKERS[maker](level=int(level)) as engine:
            for kind, questions in sets.items():
                print(f"| {name} | {kind} | {errors(engine, questions).row()} |", flush=True)


if __name__ == "__main__":
    main()
