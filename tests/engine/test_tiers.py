"""Tiers: which level is asked for what, and that the whole is one level."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import attrs
import pytest

import loop
import wording
from gammonrules import Action, ArgumentError, MatchState, Position, analysis
from gammonrules.engine import TIERS, Rollout, SimpleEngine, Tiers
from gammonrules.engine._driver import Driver
from gammonrules.engine._rollout import level_of_rollout
from gammonrules.engine._tiers import Tiered
from gammonrules.records import Candidate, CubeAnalysis, Match, analyze, loads, needs_rollout
from gammonrules.records.transcript import level_of, levels_by_engine

START = MatchState.new(7).opening_roll(3, 1)
BEST, SECOND, *OTHERS = (play.position for play in START.legal_plays)
TEXT = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n  2) Doubles => 2   Drops\n"


class Level(Driver):
    """It says what it was made with, and that it was asked."""

    def __init__(self, level: str, answer: Any, asked: list[str]) -> None:
        self.level, self._answer, self._asked = level, answer, asked

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        self._asked.append(self.level)
        return [
            Candidate("", at, worth, level=self.level) for at, worth in zip((BEST, SECOND), self._answer, strict=False)
        ]

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        self._asked.append(self.level)
        return CubeAnalysis(*self._answer, level=self.level)


def tiered(tiers: Tiers, *answers: Any) -> tuple[Tiered, list[str]]:
    asked = list[str]()
    names = [f"{level}-ply" for level in tiers.levels] + ["rollout"] * (tiers.rollout is not None)
    return Tiered(tiers, [Level(*pair, asked) for pair in zip(names, answers, strict=True)]), asked


@loop.rows(
    "tiers, margins, made, deepest",
    ("quick", (0.09, 0.0), [], "1-ply"),
    ("quick", (0.08, 0.0), [], "2-ply"),
    ("quick", (0.5, 0.0), [SECOND], "2-ply"),
    ("thorough", (0.05, 0.05, 0.05, 0.0), [BEST], "3-ply"),
    ("thorough", (0.05, 0.05, 0.04, 0.0), [BEST], "rollout"),
    ("thorough", (0.5, 0.5, 0.5, 0.0), [SECOND], "3-ply"),
)
def test_plays_are_looked_at_again_where_they_are_close_or_another_was_made(
    tiers: str, margins: tuple[float, ...], made: list[Position], deepest: str
) -> None:
    answers = [(0.1, 0.1 - margin) for margin in margins]
    driver, asked = tiered(TIERS[tiers], *answers)
    plays = driver.candidates(START, made)
    assert (asked[-1], {play.level for play in plays}) == (deepest, {f"tiers {tiers}: {deepest}"})
    assert asked == [*dict.fromkeys(asked)]


@loop.rows(
    "equities, made, deepest",
    ((0.2, 0.1, 1.0), [], "1-ply"),
    ((0.2, 0.13, 1.0), [], "2-ply"),
    ((0.2, 0.1, 1.0), [Action.ROLL], "1-ply"),
    ((0.2, -0.9, 1.0), [Action.DOUBLE, Action.TAKE], "2-ply"),
    ((0.5, 0.95, 1.0), [Action.DOUBLE], "2-ply"),
    ((0.5, 0.7, 1.0), [Action.DOUBLE, Action.TAKE], "1-ply"),
    ((0.5, 0.7, 1.0), [Action.DOUBLE, Action.DROP], "2-ply"),
    ((0.5, 0.7, 1.0), [Action.ROLL], "2-ply"),
)
def test_cubes_are_looked_at_again_as_plays_are(
    equities: tuple[float, float, float], made: list[Action], deepest: str
) -> None:
    driver, asked = tiered(TIERS["quick"], equities, equities)
    cube = driver.cube_analysis(START, made)
    assert (asked[-1], cube.level, level_of(cube)) == (deepest, f"tiers quick: {deepest}", "tiers quick")


def test_each_tiers_have_a_level_of_their_own() -> None:
    rollout = Rollout(360, 7)
    each = [*TIERS.values(), Tiers((1, 3)), Tiers((1, 3), 0.05), Tiers(rollout=rollout), Tiers(rollout=Rollout(360, 8))]
    levels = [tiers.level for tiers in each]
    assert levels[:3] == ["tiers quick", "tiers thorough", "tiers 1, 3 within 0.08"]
    assert len({*levels}) == len(levels)
    assert not any(level.is_rollout for level in levels)  # which would not be told from rollouts beside a level


@pytest.fixture(scope="module")
def analyzed() -> Match:
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    with SimpleEngine.open("bgsage", TIERS["quick"]) as engine:
        return analyze(loads(TEXT), engine)


def test_what_was_made_is_compared_with_the_best_at_one_level(analyzed: Match) -> None:
    plays = [decision.play_analysis for decision in analyzed.decisions() if decision.play_analysis]
    cubes = [decision.cube_analysis for decision in analyzed.decisions() if decision.cube_analysis]
    assert [(play.best.level, play.made.level) for play in plays] == [("tiers quick: 2-ply", "tiers quick: 2-ply")] * 2
    assert cubes[-1] == cubes[-2]
    assert {level_of(analysis) for analysis in (*plays, *cubes)} == {"tiers quick"}


def test_the_whole_is_one_level_that_does_not_mix_with_others(analyzed: Match) -> None:
    name = next(analyzed.decisions()).play_analysis.engine
    white, _ = analyzed.error_rates()
    assert (white.levels_text, levels_by_engine(analyzed.decisions())) == ("tiers quick", {name: ("tiers quick",)})
    assert analyzed.error_rates(analysis_level="tiers quick") == analyzed.error_rates()
    game = analyzed.games[0]
    deeper = [attrs.evolve(cube, level="3-ply") for cube in game.analyses[-2:]]
    other = attrs.evolve(game, analyses=(*game.analyses[:-2], *deeper))
    with wording.tells(ArgumentError, "tiers quick", "3-ply", "do not mix"):
        attrs.evolve(analyzed, games=(other,)).error_rates()


def test_what_tiers_rolled_out_needs_no_rollout(analyzed: Match) -> None:
    decision = next(analyzed.decisions())
    assert needs_rollout(decision, close=10)
    plays = [attrs.evolve(play, level="tiers thorough: rollout, 324 trials") for play in decision.analysis.candidates]
    assert not needs_rollout(
        attrs.evolve(decision, stored=attrs.evolve(decision.analysis, candidates=(*plays,))), close=10
    )


@loop.rows(
    "arguments, words",
    ({"levels": ()}, ["levels", "()"]),
    ({"levels": (2, 1)}, ["levels", "(2, 1)"]),
    ({"levels": (1, 1)}, ["levels", "(1, 1)"]),
    ({"close": -0.1}, ["close", "-0.1"]),
    ({"rollout": 324}, ["rollout", "324"]),
)
def test_tiers_that_are_refused(arguments: dict[str, Any], words: list[str]) -> None:
    with wording.tells(ArgumentError, "tiers", *words):
        Tiers(**arguments)


def test_what_does_not_go_with_tiers() -> None:
    with wording.tells(ArgumentError, "tiers", "rollout"):
        SimpleEngine.open("bgsage", TIERS["quick"], Rollout(36))
    with wording.tells(ArgumentError, "level", "9"):
        SimpleEngine.open("bgsage", Tiers((1, 9)))


def test_the_levels_of_rollouts_and_tiers_are_read() -> None:
    rollout = Rollout(1296, 7, 3, until=0.01)
    levels = [level_of_rollout(rollout, 2), *(tiers.level for tiers in TIERS.values())]
    levels += [Tiers((1, 3), rollout=rollout).level]
    for level in levels:
        read = analysis.Level.read(str(level))
        assert attrs.asdict(read, recurse=False) == attrs.asdict(level, recurse=False)
