"""Rollouts that stop when the answer is clear: the rule, its chunks, and exact bear-offs, whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

import pytest

import loop
import wording
from gammonrules import ArgumentError, MatchState, Position
from gammonrules._shared.sample_means import student_tail
from gammonrules.engine import Rollout
from gammonrules.engine._driver import Driver
from gammonrules.engine._early_stopping import InChunks, may_end
from gammonrules.engine._rollout import level_of_rollout
from gammonrules.records import Candidate, PlayAnalysis
from gammonrules.records.transcript import level_of

START = MatchState.new(7).opening_roll(3, 1)
TO_ROLL = START.play("8/5 6/5")


class Noisy(Driver):
    """Its numbers are what plays are worth, and noise that depends on the seed."""

    def __init__(self, rollout: Rollout, worth: dict[Position, float]) -> None:
        self._rollout, self._worth, self.level, self.seeds = rollout, worth, level_of_rollout(rollout, 1), list[int]()

    def reseed(self, seed: int) -> None:
        self.seeds.append(seed)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        noise = random.Random(self.seeds[-1])
        return [Candidate("", at, worth + noise.gauss(0, 0.1), level=self.level) for at, worth in self._worth.items()]


class NoisyInChunks(InChunks, Noisy):
    pass


@loop.rows(
    "degrees, quantile, tail",
    (3, 3.182446, 0.025),
    (3, 12.92398, 0.0005),
    (7, 3.499483, 0.005),
    (15, 3.732834, 0.001),
    (31, 0.0, 0.5),
    (63, 1.669402, 0.05),
    (1023, 1.962287, 0.025),
)
def test_the_tail_is_that_of_the_tables_of_student(degrees: int, quantile: float, tail: float) -> None:
    assert student_tail(quantile, degrees) == pytest.approx(tail, rel=1e-4)


def test_chunks_that_are_all_alike() -> None:
    """What is always better is, and what is always the same is never decided, but known."""
    assert may_end([[0.01] * 4], "decided", 1)
    assert not may_end([[0.01] * 4, [0.0] * 4], "decided", 1)
    assert may_end([[0.0] * 4], 0.0001, 1)


def test_it_looks_after_144_trials_and_again_after_twice_as_many() -> None:
    first, second, third = (play.position for play in START.legal_plays[:3])
    asked = []
    for gap in (1.0, 0.3, 0.12, 0.0):
        driver = NoisyInChunks(Rollout(1296, seed=5, until="decided"), {first: -gap, second: 0.0, third: -1})
        plays = driver.candidates(START)
        assert (driver.seeds, len(plays)) == ([*range(5, 5 + len(driver.seeds))], 3)
        level = "rollout, {}1296 trials of 1-ply, until decided, seed 5"
        assert {play.level for play in plays} == {level.format(f"{36 * len(driver.seeds)} of ")}
        assert level_of(PlayAnalysis(tuple(plays))) == driver.level == level.format("")
        asked.append(len(driver.seeds))
    assert asked[0] == 4
    assert set(asked) <= {4, 8, 16, 32, 36}
    assert asked == sorted(asked)
    assert asked[-1] == 36


@loop.rows(
    "arguments, words",
    ({"until": 0}, ["until", '"decided"', "0"]),
    ({"until": 11}, ["until", "11"]),
    ({"until": float("nan")}, ["until", "nan"]),
    ({"until": "clear"}, ["until", "'clear'"]),
    ({"until": "decided", "trials": 143}, ["until", "144", "143"]),
)
def test_an_until_that_is_refused(arguments: dict[str, Any], words: list[str]) -> None:
    with wording.tells(ArgumentError, "rollout", *words):
        Rollout(**arguments)
