"""The last rolls as selftaught judges them, in Python and in JavaScript, against the exact values of both sides."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import attrs
import numpy as np
import pytest
from attrs import frozen
from open_engines import engine_of

import node
from gammonrules import KERNEL, Dice, MatchState, Position, bearoff, json

pytestmark = pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")

MONEY = MatchState.new(None).opening_roll(3, 1).play("8/5 6/5")
WRONG = 0.02
"""How many points a wrong decision about the cube loses more than."""
BLAMED = 0.1
"""How many points a play loses at least that a tutor asks about (`web/src/match-board/advice.ts`)."""
SAME = 1e-9
PROGRAM = """
import { createInterface } from "node:readline";
const { candidates, cube } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const { state, level, also } = JSON.parse(line);
  const { no_double, double_take } = state.dice ? {} : cube(state, { level });
  const plays = state.dice ? candidates(state, { level, also }) : [];
  console.log(JSON.stringify({ no_double, double_take, plays: plays.map(({ text, equity }) => [text, equity]) }));
}
"""
LAST_ROLLS = "XGID=-C---------------------aa-:0:0:1:00:0:0:0:0:10"
PAIR = "XGID=-D---------------------ca-:1:1:-1:41:10:5:0:13:10"
FOUR_LEFT = "XGID=-ABA--------------------c-:3:1:1:41:0:0:0:5:10"


@frozen
class Question:
    """A state, and plays that are looked at in any case."""

    state: MatchState
    also: tuple[str, ...] = ()


@frozen
class Answer:
    """What a double is worth, and with dice the plays, the best first."""

    no_double: float | None
    double_take: float | None
    equities: dict[str, float]


class Program(Protocol):
    def __call__(self, level: int, questions: Sequence[Question]) -> list[Answer]: ...


def in_python(level: int, questions: Sequence[Question]) -> list[Answer]:
    engine = engine_of("selftaught", level)
    answers = []
    for question in questions:
        if question.state.dice is None:
            cube = engine.cube_analysis(question.state)
            answers.append(Answer(cube.no_double, cube.double_take, {}))
        else:
            plays = engine.candidates(question.state, also=question.also)
            answers.append(Answer(None, None, {play.play: play.equity for play in plays}))
    return answers


@pytest.fixture(params=["python", "node"])
def ask(request: pytest.FixtureRequest) -> Program:
    if request.param == "python":
        return in_python
    opponent_js: Path = request.getfixturevalue("opponent_js")

    def in_node(level: int, questions: Sequence[Question]) -> list[Answer]:
        calls: list[dict[str, Any]] = [
            {"state": json.to_data(question.state), "level": level, "also": question.also} for question in questions
        ]
        answers = node.answers(PROGRAM, opponent_js, calls, opponent_js.parent)
        return [Answer(answer.get("no_double"), answer.get("double_take"), dict(answer["plays"])) for answer in answers]

    return in_node


@frozen
class Races:
    """Races for money, whose exact values a table has: with checkers on points up to this, and so many or fewer a side.

    Attributes:
        number: how many of them a test looks at; a fifth in Python, which is slower.
        wrong_ahead: the share of cube decisions that may be wrong one roll ahead.
    """

    points: int
    checkers: int
    number: int
    wrong_ahead: float

    def number_for(self, ask: Program) -> int:
        return self.number // 5 if ask is in_python else self.number

    def random_side(self, rng: random.Random) -> dict[int | str, int]:
        """A side with at most two checkers outside."""
        count = rng.randint(1, self.checkers)
        points = [rng.randint(1, self.points if i < 2 else 6) for i in range(count)]
        return {"off": 15 - count} | {point: points.count(point) for point in points}

    def random_race(self, rng: random.Random) -> MatchState:
        """A race before a roll."""
        position = Position.of(mine=self.random_side(rng), theirs=self.random_side(rng))
        return attrs.evolve(MONEY, position=position)

    def random_roll(self, rng: random.Random) -> MatchState:
        """A roll with a choice of plays."""
        while True:
            state = self.random_race(rng).roll(Dice(rng.randint(1, 6), rng.randint(1, 6)))
            if len(state.legal_plays) > 1:
                return state

    def exact_equities(self, positions: Sequence[Position]) -> np.ndarray:
        """For the player on roll, who may double: rolling, and a double that is taken."""
        points = [position.points for position in positions]
        _, _, centered, opponent_owns = exact_table(self.points, self.checkers).equities(points).T
        return np.stack([centered, 2 * opponent_owns], axis=1)

    def exact_plays(self, state: MatchState) -> dict[str, float]:
        """What each play is worth: the opponent doubles if that is better."""
        plays = state.legal_plays
        rolling, taken = self.exact_equities([play.position for play in plays]).T
        worths = -np.maximum(rolling, np.minimum(taken, 1))
        return {str(play): float(worth) for play, worth in zip(plays, worths, strict=True)}


@cache
def exact_table(points: int, checkers: int) -> bearoff.TwoSided:
    return bearoff.two_sided(points, checkers)


@pytest.fixture(params=[Races(6, 6, 400, 0), Races(10, 4, 200, 0.005)], ids=["at home", "outside"])
def races(request: pytest.FixtureRequest) -> Races:
    return request.param


@pytest.mark.parametrize("level", [1, 2])
def test_two_cube_decisions_in_a_hundred_are_wrong_at_most(ask: Program, level: int, races: Races) -> None:
    """A state has two: whether to double, and the answer. One roll ahead fewer are wrong, and none at home."""
    rng = random.Random(112)
    states = [races.random_race(rng) for _ in range(races.number_for(ask))]
    exact = races.exact_equities([state.position for state in states])
    wrong = 0
    for answer, (rolling, taken) in zip(ask(level, [*map(Question, states)]), exact, strict=True):
        assert answer.no_double is not None
        assert answer.double_take is not None
        doubled = min(taken, 1)
        chosen = doubled if min(answer.double_take, 1) > answer.no_double else rolling
        answered = taken if answer.double_take <= 1 else 1
        wrong += max(rolling, doubled) - chosen > WRONG
        wrong += answered - doubled > WRONG
    assert wrong <= (0.02 if level == 1 else races.wrong_ahead) * 2 * len(states)


def test_a_tutor_blames_no_play_that_is_exactly_best(ask: Program, races: Races) -> None:
    """Rolls are judged as on pages, one roll ahead."""
    rng = random.Random(500)
    questions = []
    for _ in range(races.number_for(ask)):
        state = races.random_roll(rng)
        equities = races.exact_plays(state)
        best = max(equities.values())
        questions.append(Question(state, tuple(text for text, equity in equities.items() if equity > best - SAME)))
    for question, answer in zip(questions, ask(2, questions), strict=True):
        highest = max(answer.equities.values())
        losses = [highest - answer.equities[text] for text in question.also]
        assert max(losses) < BLAMED, question


def test_what_is_known_by_heart(ask: Program) -> None:
    """A doublet wins, since the opponent ends the game with any roll; and two checkers off are better than one."""
    before = Question(MatchState.from_xgid(LAST_ROLLS))
    for level in (1, 2):
        (cube,) = ask(level, [before])
        assert cube.no_double == pytest.approx(2 / 6 - 1, abs=1e-6)
        assert cube.double_take == pytest.approx(2 * (2 / 6 - 1), abs=1e-6)
        pair, four = ask(level, [Question(MatchState.from_xgid(xgid)) for xgid in (PAIR, FOUR_LEFT)])
        assert next(iter(pair.equities)) == "2/off 1/off"
        assert next(iter(four.equities)) == "3/off 1/off"
