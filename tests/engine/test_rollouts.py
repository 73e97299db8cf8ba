"""Rollouts of bgsage: against its own call, and against what other seeds bring."""

from __future__ import annotations

from typing import Any

import pytest
from test_bgsage_engine import after, arguments, board

import each
import loop
import wording
from gammonrules import ArgumentError, MatchState, Rules
from gammonrules.engine import EngineTimeoutError, EngineUnsupportedError, Rollout, SimpleEngine
from gammonrules.engine._bgsage import Bgsage

bgsage = pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

START = MatchState.new(7).opening_roll(3, 1)
TO_ROLL = START.play("8/5 6/5")
TO_DOUBLE = MatchState.from_xgid("XGID=-a--BBBBC---cC-a-b-bbb----:0:0:1:00:0:0:1:0:10")
QUICK = Rollout(36, truncate=1, seed=7)
LONG = Rollout(100_000)


@pytest.fixture(scope="module")
def here() -> SimpleEngine:
    """In this process, which starts much faster than one of its own."""
    return SimpleEngine(Bgsage(1, QUICK))


def by_itself(rollout: Rollout, level: int) -> Any:
    games = {"n_trials": rollout.trials, "truncation_depth": rollout.truncate, "seed": rollout.seed}
    return bgsage.BgBotAnalyzer(eval_level="rollout", decision_ply=level, parallel_threads=1, **games)


@each.first("rollout, level", [(QUICK, 1), (QUICK, 2), (Rollout(36, 3, (1 << 31) - 1), 1)])
def test_its_numbers_are_those_of_its_own_call(rollout: Rollout, level: int) -> None:
    analyzer = by_itself(rollout, level)
    told, wanted = arguments(START), START.legal_plays[-1].position
    plays = analyzer.checker_play(board(START.position), 3, 1, force_boards=[board(wanted.flip())], **told).moves
    equities = {after(move.board): move.equity for move in plays}
    best = [after(move.board) for move in plays if move.eval_level == "Rollout"]
    theirs = analyzer.cube_action(board(TO_DOUBLE.position), **arguments(TO_DOUBLE), beaver=False)
    engine = SimpleEngine(Bgsage(level, rollout))
    candidates = engine.candidates(START, also=[wanted])
    cube, evaluation = engine.cube_analysis(TO_DOUBLE), engine.evaluate(TO_DOUBLE)
    if level == 1:  # then those that are not rolled out count that the opponent may double
        first = {candidate.position: candidate.equity for candidate in SimpleEngine.bgsage(1).candidates(START)}
        equities = {position: equities[position] if position in best else first[position] for position in equities}
    assert {candidate.position: candidate.equity for candidate in candidates} == equities
    assert wanted in best
    assert [candidate.position for candidate in candidates[: len(best)]] == best
    for rank, candidate in enumerate(candidates):
        error = analyzer.post_move_analytics(board(candidate.position.flip()), **told).cubeful_se if rank < 2 else None
        assert (candidate.level == engine.level) is (candidate.standard_error is not None) is (rank < len(best))
        assert error in {None, candidate.standard_error}
    assert (cube.no_double, cube.double_take) == (theirs.equity_nd, theirs.equity_dt)
    assert cube.standard_errors == (theirs.equity_nd_se, theirs.equity_dt_se)
    assert (evaluation.equity, evaluation.standard_error) == (cube.no_double, theirs.equity_nd_se)
    assert cube.level == evaluation.level == engine.level


def test_how_many_plays_are_rolled_out() -> None:
    """Those that seem best, two at least, and those in `also`."""
    engine = SimpleEngine(Bgsage(1, Rollout(36, truncate=1, plays=1)))
    alone, also = engine.candidates(START), engine.candidates(START, also=["24/23 24/21", "13/9"])
    for plays, rolled_out in ((alone, 2), (also, 4)):
        assert [play.standard_error is not None for play in plays] == [rank < rolled_out for rank in range(len(plays))]


def test_luck_is_not_rolled_out(here: SimpleEngine) -> None:
    assert here.roll_equities(TO_ROLL) == SimpleEngine.bgsage().roll_equities(TO_ROLL)


def test_a_rollout_can_be_ended() -> None:
    with SimpleEngine.open(rollout=LONG) as engine, pytest.raises(EngineTimeoutError):
        engine.cube_analysis(TO_ROLL, timeout=0.1)
    assert not engine.is_open


@loop.rows(
    "arguments, words",
    ({"trials": 35}, ["trials", "from 36 to 100,000", "35"]),
    ({"trials": 100_001}, ["trials", "100001"]),
    ({"trials": 1e3}, ["trials", "1000.0"]),
    ({"truncate": 1_001}, ["truncate", "1001"]),
    ({"truncate": -1}, ["truncate", "-1"]),
    ({"seed": 1 << 31}, ["seed", "2147483648"]),
    ({"seed": -1}, ["seed", "-1"]),
    ({"plays": 0}, ["plays", "from 1 to 100", "0"]),
    ({"seed": float("nan"), "trials": 0}, ["seed", "nan", "trials"]),
)
def test_settings_that_are_refused(arguments: dict[str, Any], words: list[str]) -> None:
    with wording.tells(ArgumentError, "rollout", *words):
        Rollout(**arguments)


def test_who_rolls_out_and_what(here: SimpleEngine) -> None:
    wrong: Any = 1296
    for start in (SimpleEngine.bgsage, SimpleEngine.open, SimpleEngine.gnubg):
        with wording.tells(ArgumentError, "rollout", "1296"):
            start(rollout=wrong)
    without_cube = MatchState.new(None, rules=Rules(cube=False)).opening_roll(3, 1)
    with pytest.raises(EngineUnsupportedError, match="without a cube"):
        here.candidates(without_cube)
