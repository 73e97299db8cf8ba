"""`opponent.js` does what the engine selftaught does, says the same of plays and doubles, refuses the same states."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import attrs
import pytest
from plays_and_doubles import CASH, decisions_of_matches

import each
import node
import opponent_states
from gammonrules import Event, GammonError, MatchState, Player, draw, json
from gammonrules._shared.engine_levels import TEMPERATURES
from gammonrules.analysis.internals import cube_verdict, is_of_double
from gammonrules.dice import ROLLS
from gammonrules.engine import SimpleEngine
from gammonrules.match import Phase

STRENGTHS = [*TEMPERATURES]
STEPS = 1 << 53
"""Of the numbers from 0 to 1 that the errors of a strength are drawn from."""
PROGRAM = """
import { createInterface } from "node:readline";
const { candidates, cube, decide } = await import(process.argv[1]);
const answer = (ask) => {
  try {
    return ask();
  } catch (error) {
    if (error.name !== "GammonError") throw error;
    return { error: error.message };
  }
};
for await (const line of createInterface({ input: process.stdin })) {
  const { state, level, strength, number, most } = JSON.parse(line);
  const best = answer(() => decide(state, { level }));
  const erring = answer(() => decide(state, { strength, random: () => number }));
  const plays = answer(() => candidates(state, { level, limit: most }));
  const double = answer(() => cube(state, { level }));
  console.log(JSON.stringify({ best, erring, plays, double }));
}
"""
DOUBLES = """
import { createInterface } from "node:readline";
const { candidates, cube } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const { state, level, doubles } = JSON.parse(line);
  const plays = candidates(state, { level });
  console.log(JSON.stringify(plays.map(({ text, equity, level }) => {
    const { no_double, double_take, double_drop } = cube(doubles[text], { level });
    return { equity, expected: -Math.max(no_double, Math.min(double_take, double_drop)) };
  })));
}
"""
"""`doubles` has the state after each play."""
TIMES = """
import { createInterface } from "node:readline";
const { candidates, decide } = await import(process.argv[1]);
const { readState } = await import(new URL("match.js", `file://${process.argv[1]}`));
/** Of the processor; the least of three, since machines are busy. */
const milliseconds = (ask) => Math.min(...[1, 2, 3].map(() => {
  const before = process.cpuUsage();
  ask();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}));
for await (const line of createInterface({ input: process.stdin })) {
  const state = readState(JSON.parse(line)); // which a page has done
  console.log(JSON.stringify([milliseconds(() => decide(state)), milliseconds(() => candidates(state))]));
}
"""


class KnownNumber(random.Random):
    """Draws the number that it has, as steps from 0 to 1."""

    number = 0

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return self.number


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 11))])
def test_it_answers_as_the_engine(opponent_js: Path, seed: int) -> None:
    """20,000 times in the long tests."""
    rng = random.Random(seed)
    count = 2_000 if seed else 200
    drawn = KnownNumber()
    states = [*opponent_states.states(rng, count)]
    calls: list[dict[str, Any]] = [
        {
            "state": json.to_data(state),
            "level": 2 if rng.random() < 0.1 else 1,
            "strength": rng.choice(STRENGTHS),
            "number": rng.randrange(STEPS) / STEPS,
            "most": rng.choice((1, 5, None)),
        }
        for state in states
    ]
    engines = {level: SimpleEngine.selftaught(level) for level in (1, 2)}
    erring = {strength: SimpleEngine.selftaught(strength=strength, rng=drawn) for strength in STRENGTHS}
    answers = node.answers(PROGRAM, opponent_js, calls, opponent_js.parent)
    for state, call, answer in zip(states, calls, answers, strict=True):
        engine = engines[call["level"]]
        drawn.number = round(call["number"] * STEPS)
        assert answer["best"] == decision(engine, state), (state, call)
        assert answer["erring"] == decision(erring[call["strength"]], state), (state, call)
        if state.phase is Phase.TO_PLAY:
            check_plays(answer["plays"], engine, state, call["most"])
        else:
            assert "error" in answer["plays"], state
        if is_of_double(state):
            check_double(answer["double"], engine, state)
        else:
            assert "error" in answer["double"], state


def answer_or_error(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except GammonError as error:
        return {"error": str(error)}


def decision(engine: SimpleEngine, state: MatchState) -> dict[str, Any]:
    decided = answer_or_error(lambda: engine.decide(state))
    if isinstance(decided, dict):
        return decided
    if not isinstance(decided, Event):
        return {"action": str(decided), "by": str(state.to_act)}
    action = {"action": str(decided.action), "by": str(decided.by)}
    return action if decided.argument is None else {**action, "argument": str(decided.argument)}


def check_plays(answer: Any, engine: SimpleEngine, state: MatchState, most: int | None) -> None:
    plays = answer_or_error(lambda: engine.candidates(state, most))
    if isinstance(plays, dict):
        assert answer == plays, state
        return
    assert [play["text"] for play in answer] == [play.play for play in plays], state
    for said, play in zip(answer, plays, strict=True):
        assert said["level"] == play.level.depth
        assert [*said["chances"].values()] == pytest.approx(attrs.astuple(play.chances), abs=1e-6), state
        assert said["equity"] == pytest.approx(play.equity, abs=1e-9), state
        assert said["loss"] == pytest.approx(max(0, plays[0].equity - play.equity), abs=1e-9), state


def check_double(answer: Any, engine: SimpleEngine, state: MatchState) -> None:
    cube = answer_or_error(lambda: engine.cube_analysis(state))
    if isinstance(cube, dict):
        assert answer == cube, state
        return
    said = [answer[name] for name in ("no_double", "double_take", "double_drop")]
    assert said == pytest.approx([cube.no_double, cube.double_take, cube.double_drop], abs=1e-9), state
    assert cube.chances is not None
    assert [*answer["chances"].values()] == pytest.approx(attrs.astuple(cube.chances), abs=1e-6), state
    assert (answer["best"], answer["best_answer"]) == (cube.best, cube.best_answer), state
    assert answer["verdict"] == cube_verdict(cube)


@each.first("level, count", [(1, 10), (1, 300), (2, 300)])
def test_a_play_counts_the_opponents_double(opponent_js: Path, level: int, count: int) -> None:
    """It is worth what the opponent then has by the equities of a double."""
    calls = []
    for state in [CASH, *decisions_of_matches(count)]:
        if any(state.play(play).result for play in state.legal_plays):
            continue  # which `test_it_answers_as_the_engine` compares
        doubles = {str(play): json.to_data(state.play(play)) for play in state.legal_plays}
        calls.append({"state": json.to_data(state), "level": level, "doubles": doubles})
    assert len(calls) > 0.9 * count
    for call, plays in zip(calls, node.answers(DOUBLES, opponent_js, calls, opponent_js.parent), strict=True):
        assert len(plays) == len(call["doubles"])
        for play in plays:
            assert play["equity"] == pytest.approx(play["expected"], abs=1e-9), call["state"]


@pytest.mark.long  # machines that are busy with other tests are slower
def test_a_turn_takes_a_fifth_of_a_millisecond_and_one_roll_ahead_forty(opponent_js: Path) -> None:
    rng = random.Random(1)
    boards = islice(opponent_states.boards(rng), 200)
    states = [MatchState(board, Player.WHITE).roll(rng.choice(ROLLS)) for board in boards]
    calls = [json.to_data(state) for state in states]
    answers = node.answers(TIMES, opponent_js, calls, opponent_js.parent)
    turn, look_ahead = map(median, zip(*answers, strict=True))
    assert turn <= 0.2
    assert look_ahead <= 40


def test_it_is_small() -> None:
    sizes = [len(gzip.compress(draw.opponent_js(module=module).encode(), 9)) for module in (False, True)]
    assert max(sizes) <= 75_000
