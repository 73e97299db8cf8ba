"""Rollouts of GNU Backgammon: those that it makes of decisions in whole games, at its own prompt."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import attrs
import pytest
from open_engines import engine_of

import each
import gnu_backgammon
import wording
from gammonrules import Action, MatchState, Rules
from gammonrules.engine import EngineUnsupportedError, Rollout, SimpleEngine
from gammonrules.records import CubeAnalysis, PlayAnalysis, dump, load

pytestmark = gnu_backgammon.is_needed

MATCH = Path(__file__).parents[3] / "examples" / "matches" / "galaxy" / "match1033650.txt"
START = MatchState.new(7).opening_roll(3, 1)
QUICK = Rollout(36, truncate=1, seed=7)
LEVEL = "rollout, 36 trials of 0-ply, truncated at 1, seed 7"
SETTINGS = (
    *("set threads 1", "set beavers 3", "set display off", "set confirm new off", "set confirm save off"),
    *("set analysis chequerplay evaluation plies 0", "set analysis cubedecision evaluation plies 0"),
    *("set rollout trials 36", "set rollout seed 7", "set rollout truncation enable on"),
    *("set rollout truncation plies 1", "set rollout chequerplay plies 0", "set rollout cubedecision plies 0"),
    *("set rollout truncation chequerplay plies 0", "set rollout truncation cubedecision plies 0"),
)


@pytest.fixture(scope="module")
def gnubg() -> Iterator[SimpleEngine]:
    """It rolls out, in all tests."""
    with SimpleEngine.open("gnubg", rollout=QUICK) as engine:
        yield engine


@pytest.fixture
def first() -> SimpleEngine:
    """It does not."""
    return engine_of("gnubg")


@each.first("game, last", [(1, 3), (3, 10)])
def test_a_decision_alone_is_rolled_out_as_it_is_in_its_game(
    tmp_path: Path, gnubg: SimpleEngine, game: int, last: int
) -> None:
    """Plays of both sides, and cubes; the cube and the score come with it."""
    match = load(MATCH)
    dump(attrs.evolve(match, games=match.games[game : game + 1]), tmp_path / "game.sgf")
    rollouts = "analyse rollout move 1 2", "analyse rollout cube"
    each_step = [["first game", *["next"] * step, *rollouts] for step in range(last)]
    load_it, save_it = "load match game.sgf", "save match rolled-out.sgf"
    commands = *SETTINGS, load_it, "analyse match", *chain.from_iterable(each_step), save_it
    gnu_backgammon.fed(tmp_path, *commands)
    compared = 0
    for decision in load(tmp_path / "rolled-out.sgf").decisions():
        theirs = decision.analysis
        if isinstance(theirs, CubeAnalysis) and theirs.level == "rollout":
            cube = gnubg.cube_analysis(decision.state)
            assert (cube.no_double, cube.double_take) == pytest.approx((theirs.no_double, theirs.double_take), abs=1e-4)
            assert cube.standard_errors == pytest.approx(theirs.standard_errors, abs=1e-4)
            assert cube.level == LEVEL
            compared += 1
        elif isinstance(theirs, PlayAnalysis):
            plays = {play.position: play for play in theirs.candidates if play.level == "rollout"}
            ours = gnubg.candidates(decision.state, 1, also=[*plays]) if plays else ()
            for play in (play for play in ours if play.position in plays):
                assert play.equity == pytest.approx(plays[play.position].equity, abs=1e-4)
                assert play.standard_error == pytest.approx(plays[play.position].standard_error, abs=1e-4)
                assert play.level == LEVEL
                compared += 1
    assert compared >= 3


def test_all_it_decides_is_rolled_out_but_luck(gnubg: SimpleEngine, first: SimpleEngine) -> None:
    before = START.play("8/5 6/5")
    assert gnubg.level == LEVEL
    plays, hint = gnubg.candidates(START, also=["24/20"]), gnubg.hint(START)
    assert [play.standard_error is not None for play in plays] == [True, True, *[False] * (len(plays) - 2)]
    assert "Rolled out: 1; the equities of the others" in str(hint)
    assert gnubg.roll_equities(before) == first.roll_equities(before)
    assert gnubg.decide(before) is Action.ROLL
    evaluation, cube = gnubg.evaluate(before), gnubg.cube_analysis(before)
    assert (evaluation.equity, (evaluation.standard_error,)) == (cube.no_double, (cube.standard_errors or ())[:1])
    with pytest.raises(EngineUnsupportedError, match="rollouts without a cube"):
        gnubg.candidates(MatchState.new(None, rules=Rules(cube=False)).opening_roll(3, 1))


def test_how_many_plays_are_rolled_out() -> None:
    with SimpleEngine.gnubg(rollout=attrs.evolve(QUICK, plays=1)) as engine:
        alone, also = engine.candidates(START), engine.candidates(START, also=["24/23 24/21", "13/9"])
    for plays, rolled_out in ((alone, 1), (also, 3)):
        assert [play.standard_error is not None for play in plays] == [rank < rolled_out for rank in range(len(plays))]


def test_numbers_of_matches_without_the_crawford_rule_are_refused(first: SimpleEngine) -> None:
    """It would count the rule, alone and in whole games; its plays are asked for all the same."""
    rules = Rules(crawford=False)
    state = MatchState.new(3, rules=rules).opening_roll(3, 1)
    last = MatchState.new(3, rules=rules, score=(2, 0)).opening_roll(3, 1)
    with wording.tells(EngineUnsupportedError, "GNU Backgammon", "without the Crawford rule"):
        first.candidates(state)
    assert first.decide(state)
    assert first.candidates(last)
