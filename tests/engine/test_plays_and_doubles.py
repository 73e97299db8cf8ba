"""Whatever engine judges a play, it counts that the opponent may then double."""

from __future__ import annotations

import pytest
from open_engines import engine_of
from plays_and_doubles import CASH, decisions_of_matches, worth_after

import each
import gnu_backgammon
import loop
from gammonrules import KERNEL, MatchState
from gammonrules.engine import TIERS, Rollout, SimpleEngine

SOLVED = MatchState.from_xgid("XGID=-ADAA------------------dd-:1:-1:-1:21:1:2:0:7:10")
SAME = 1e-9
IN_TWO_CALLS = 0.02
"""How far the numbers of one play differ that bgsage gives with those of other plays, and alone."""


def check(engine: SimpleEngine, states: list[MatchState], tolerance: float) -> None:
    """Compare the best plays with what the same engine says of a double after them."""
    for state in states:
        for candidate in engine.candidates(state, 3):
            play = state.legal_plays.find(candidate.position)
            assert candidate.equity == pytest.approx(worth_after(engine, state, play).equity, abs=tolerance)


@pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
def test_selftaught() -> None:
    check(engine_of("selftaught"), [CASH, *decisions_of_matches(2)], SAME)


@each.first("level, tolerance", [(1, SAME), (2, IN_TWO_CALLS), (3, IN_TWO_CALLS)])
def test_bgsage(level: int, tolerance: float) -> None:
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    check(engine_of("bgsage", level), [CASH, *decisions_of_matches(2)], tolerance)


@gnu_backgammon.is_needed
@each.first("level", [1, 2, 3])
def test_gnu_backgammon(level: int) -> None:
    check(engine_of("gnubg", level), [CASH, *decisions_of_matches(2)], SAME)


def test_what_is_exact() -> None:
    pytest.importorskip("numpy")
    with SimpleEngine.default() as default:
        assert default.candidates(SOLVED)[0].level.is_exact
        check(default, [SOLVED], SAME)


@pytest.mark.long
@loop.over("arguments", [{"level": TIERS["quick"]}, {"rollout": Rollout(36, truncate=3)}])
def test_bgsage_in_a_process_of_its_own(arguments: dict[str, object]) -> None:
    """All plays of this decision are worth the same, so that all are looked at by the last level."""
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    with SimpleEngine.open("bgsage", **arguments) as engine:
        assert {candidate.equity for candidate in engine.candidates(CASH)} == {-1.0}


def test_luck_counts_the_opponents_double() -> None:
    """After this roll, and after worse ones, the opponent doubles out."""
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    to_roll = MatchState.from_xgid(CASH.xgid.replace(":21:", ":00:"))
    rolls = engine_of("bgsage").roll_equities(to_roll)
    assert min(rolls.values()) == -1.0
    assert rolls[CASH.dice] == -1.0
