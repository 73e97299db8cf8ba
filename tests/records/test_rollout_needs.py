"""Which decisions an analysis leaves in doubt."""

from __future__ import annotations

from typing import Any

import attrs

import loop
import wording
from gammonrules import ArgumentError
from gammonrules.records import Candidate, CubeAnalysis, Decision, PlayAnalysis, loads, needs_rollout

TEXT = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5  62: 24/18 13/11\n  2) Doubles => 2   Takes\n"
PLAY, ROLL, _, DOUBLE, TAKE = loads(TEXT).decisions()
AFTER = PLAY.after.position


def plays(*equities: float | None, played: int = 0, level: str = "1-ply") -> PlayAnalysis:
    candidates = tuple(Candidate("8/5 6/5", AFTER, equity, level=level) for equity in equities)
    return PlayAnalysis(candidates, played)


@loop.rows(
    "decision, analysis, is_in_doubt",
    (PLAY, None, False),
    (PLAY, PlayAnalysis(), False),
    (PLAY, plays(0.1), False),
    (PLAY, plays(None, None), False),
    (PLAY, plays(0.5, 0.485), True),
    (PLAY, plays(0.5, 0.515), True),
    (PLAY, plays(0.5, 0.5), False),
    (PLAY, plays(0.5, 0.475), False),
    (PLAY, plays(0.5, 0.475, 0.455, played=2), True),
    (PLAY, plays(0.5, 0.475, 0.465, played=2), False),
    (PLAY, plays(0.5, 0.485, level="rollout, 36 trials of 1-ply, seed 1"), False),
    (PLAY, plays(0.5, 0.485, level="2-ply, no rollout yet"), True),
    (PLAY, plays(0.5, 0.485, level="tiers thorough: rollout, 324 trials of 1-ply, truncated at 7, seed 1"), False),
    (PLAY, plays(0.5, 0.485, level="level 2: exact"), False),
    (ROLL, CubeAnalysis(0.5, 0.485), True),
    (ROLL, CubeAnalysis(0.5, 0.4), False),
    (ROLL, CubeAnalysis(0.5, 0.56), True),
    (ROLL, CubeAnalysis(0.5, 0.53), False),
    (ROLL, CubeAnalysis(0.975, 0.99), True),
    (ROLL, CubeAnalysis(0.5, 0.485, level="Rollout"), False),
    (ROLL, CubeAnalysis(1.2, 1.01), False),
    (ROLL, CubeAnalysis(0.97, 1.01, 1), False),
    (DOUBLE, CubeAnalysis(0.8, 1.01), True),
    (DOUBLE, CubeAnalysis(0.8, 0.9), False),
    (TAKE, CubeAnalysis(0.8, 1.01), True),
    (TAKE, CubeAnalysis(0.8, 1.05), True),
    (TAKE, CubeAnalysis(0.8, 0.9), False),
)
def test_close_decisions_and_mistakes(decision: Decision, analysis: Any, is_in_doubt: bool) -> None:
    assert needs_rollout(attrs.evolve(decision, stored=analysis)) is is_in_doubt


@loop.rows("limit", -0.1, float("nan"), "0.1", None, True)
def test_limits_that_are_refused(limit: Any) -> None:
    for name in "close", "error":
        wrong: dict[str, Any] = {name: limit}
        with wording.tells(ArgumentError, name, "from 0 up", repr(limit)):
            needs_rollout(PLAY, **wrong)
