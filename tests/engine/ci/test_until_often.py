"""Rollouts that stop when the answer is clear: how often they are wrong, and their chunks."""

from __future__ import annotations

import random
from statistics import fmean, stdev

import pytest
from test_until import START

import each
import gnu_backgammon
from gammonrules import MatchState
from gammonrules.engine import Rollout, SimpleEngine, compare_cube_positions
from gammonrules.engine._bgsage import Bgsage
from gammonrules.engine._early_stopping import BgsageInChunks, may_end
from gammonrules.records import CubeAnalysis

TO_DOUBLE = MatchState.from_xgid("XGID=------B-B---a-A----b-a----:0:0:1:00:0:0:0:7:10")
OWNED = MatchState.from_xgid("XGID=------B-B---a-A----b-a----:1:-1:1:00:0:0:0:7:10")
UNTIL = Rollout(324, truncate=2, seed=(1 << 31) - 2, until="decided")
LOOKS = [4 << number for number in range(7)]


@each.first("trials", [400, 1_000])
def test_an_error_is_as_rare_as_it_promises_however_often_it_looks(trials: int) -> None:
    """Two plays of equal worth: one is called better in 5% at most, and in some. So is an interval that is wrong."""
    rng, called, off, ended = random.Random(1), 0, 0, 0
    for _ in range(trials):
        numbers = [rng.gauss(0, 1) for _ in range(LOOKS[-1])]
        called += any(may_end([numbers[:end]], "decided", look) for look, end in enumerate(LOOKS, 1))
        end = next((end for look, end in enumerate(LOOKS, 1) if may_end([numbers[:end]], 0.3, look)), None)
        ended += end is not None
        off += end is not None and abs(fmean(numbers[:end])) > 0.3
    # either of the two is called better, where only one can be wrong if they are not equal
    assert 0.02 * trials < called < 2 * 0.05 * trials
    assert (ended, off < 0.05 * trials) == (trials, True)


def alone(chunk: Rollout) -> SimpleEngine:
    """With its own dice: of two in one process, bgsage may give a new one those of the other."""
    driver = Bgsage(1, chunk)
    engine = SimpleEngine(driver)
    driver.reseed(chunk.seed)
    return engine


def test_the_mean_of_its_chunks_and_how_they_scatter() -> None:
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    engine = SimpleEngine(BgsageInChunks(1, UNTIL))
    chunks = [Rollout(36, 2, seed) for seed in ((1 << 31) - 2, (1 << 31) - 1, 0, 1)]
    state, wanted = TO_DOUBLE.roll("21"), "14/11"
    plays = engine.candidates(state, also=[wanted])
    by_chunk = [{play.play: play for play in chunk.candidates(state, also=[wanted])} for chunk in map(alone, chunks)]
    rolled_out = [play for play in plays if play.level != "1-ply" and play.standard_error is not None]
    assert {play.level for play in rolled_out} == {engine.level.after_trials(144)}
    assert [play.equity for play in rolled_out] == sorted((play.equity for play in rolled_out), reverse=True)
    assert plays[: len(rolled_out)] == (*rolled_out,)
    assert {wanted, "14/12*/11"} <= {play.play for play in rolled_out}
    for play in rolled_out:
        of_chunks = [chunk[play.play] for chunk in by_chunk]
        assert play.equity == pytest.approx(fmean(candidate.equity for candidate in of_chunks))
        assert play.chances.win == pytest.approx(fmean(candidate.chances.win for candidate in of_chunks))
        assert play.standard_error == pytest.approx(stdev(candidate.equity for candidate in of_chunks) / 2)
        assert play.mwc == pytest.approx(fmean(candidate.mwc for candidate in of_chunks))
    places, owned = compare_cube_positions(engine, TO_DOUBLE), engine.evaluate(OWNED)
    cube = places.analyses[0].analysis
    assert isinstance(cube, CubeAnalysis)
    assert (cube.level, cube.standard_errors[0] > 0) == (engine.level.after_trials(144), True)
    assert owned.equity == pytest.approx(fmean(alone(chunk).evaluate(OWNED).equity for chunk in chunks))
    assert "\nTrials of rollouts: 432 of 972\n" in f"{places}\n"


@pytest.mark.long
@gnu_backgammon.is_needed
def test_gnu_backgammon_as_well() -> None:
    with SimpleEngine.gnubg(rollout=Rollout(576, truncate=1, seed=3, until="decided")) as engine:
        best, second, *_ = engine.candidates(START, also=["24/20"])
        cube, owned = engine.cube_analysis(TO_DOUBLE), engine.evaluate(OWNED)
    assert best.level == second.level == "rollout, 144 of 576 trials of 0-ply, truncated at 1, until decided, seed 3"
    assert str(cube.level).endswith("of 576 trials of 0-ply, truncated at 1, until decided, seed 3")
    assert (owned.level, owned.standard_error) == ("0-ply", None)
    equities = []
    for seed in range(3, 7):
        with SimpleEngine.gnubg(rollout=Rollout(36, truncate=1, seed=seed)) as chunk:
            equities.append(chunk.candidates(START, 1, also=["24/20"])[0].equity)
    assert (best.play, best.equity) == ("8/5 6/5", pytest.approx(fmean(equities)))
    assert best.standard_error == pytest.approx(stdev(equities) / 2)
