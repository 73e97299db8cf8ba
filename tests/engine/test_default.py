"""Who answers where no engine is named: exact values, bgsage, and in races a deeper bgsage."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st

import commands
import loop
import wording
from gammonrules import KERNEL, ROLLS, ArgumentError, Dice, Event, MatchState, Player, Position
from gammonrules.engine import TIERS, EngineStartError, Rollout, SimpleEngine, score_matrix
from gammonrules.records import Match, analyze, error_rates, loads, needs_rollout

bgsage = pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

SOLVED = MatchState.from_xgid("XGID=-ADAA------------------dd-:1:-1:-1:00:1:2:0:7:10")
LONG_RACE = MatchState.from_xgid("XGID=-CCCBBB-----------bbbccc--:0:0:1:00:0:0:0:7:10")
OPENING = MatchState.new(7).opening_roll(white=3, black=1)
RECORD = "7 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3"


BEAR_OFF = Match.from_events(("Ann", "Bob"), SOLVED, [Event("double", Player.BLACK), Event("take", Player.WHITE)])


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    commands.in_this_process(monkeypatch)


@pytest.fixture(scope="module")
def default() -> Any:
    with SimpleEngine.default() as engine:
        yield engine


SIDES = st.lists(st.integers(1, 14), min_size=1, max_size=3)


@given(SIDES, SIDES, st.sampled_from(ROLLS))
@settings(max_examples=12)
def test_one_decision_has_one_source(default: Any, mine: list[int], theirs: list[int], dice: Dice) -> None:
    """Where one play of a roll is exact, all are, also where a play ends the contact and another does not."""
    assume(not {*mine} & {25 - point for point in theirs})
    sides = [Counter(points) | Counter(off=15 - len(points)) for points in (mine, theirs)]
    state = MatchState(Position.of(*sides), Player.WHITE, dice)
    plays = default.candidates(state)
    assert len({play.level.is_exact for play in plays}) == 1
    if state.position.is_race:
        assert plays[0].level.is_exact


def test_its_numbers_are_one_source_and_no_others(default: Any) -> None:
    """Error rates count what is exact with the rest, and refuse what a named engine says beside it."""
    match = analyze(loads(RECORD), default)
    bears_off = next(analyze(BEAR_OFF, default).decisions())
    assert bears_off.analysis.level == "level 2+: exact"
    assert not needs_rollout(bears_off, close=10, error=0)
    white, _ = match.error_rates()
    assert (white.engine.startswith("exact values and bgsage"), white.levels) == (True, ("level 2+",))
    assert error_rates([match, analyze(BEAR_OFF, default)])["Ann"].levels == ("level 2+",)
    with SimpleEngine.bgsage() as named:
        other = analyze(loads(RECORD), named)
    with wording.tells(ArgumentError, "bgsage", "exact values", "analyzed_by="):
        error_rates([match, other])
    assert error_rates([match, other], analyzed_by="bgsage")["Ann"].engine == named.name


def test_a_named_engine_keeps_its_numbers() -> None:
    with SimpleEngine.bgsage() as here, SimpleEngine.open("bgsage") as there:
        assert here.cube_analysis(SOLVED) == there.cube_analysis(SOLVED)
        assert here.cube_analysis(SOLVED).level == "2-ply"


@pytest.fixture
def no_bgsage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgsage", None)
    monkeypatch.setattr("gammonrules.engine._factory.installed", lambda: "")


@loop.over("options", [{"level": 3}, {"level": TIERS["quick"]}, {"rollout": Rollout(36)}], ids=str)
def test_what_is_exact_needs_no_engine(options: dict[str, Any], no_bgsage: None, in_this_process: None) -> None:
    """bgsage is missed where it is asked for what it alone can do; then nothing is told in its place."""
    with SimpleEngine.default(**options) as alone:
        assert (alone.name, alone.advice) == ("exact values", "")
        assert alone.cube_analysis(SOLVED).double_take == pytest.approx(1.168, abs=0.001)
        with wording.tells(EngineStartError, "bgsage", "[engine]"):
            alone.decide(OPENING)
        assert not alone.is_open


@pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
@loop.rows("level, depth", (None, 2), (1, 1), (2, 2))
def test_without_bgsage_selftaught_answers(level: int | None, depth: int, no_bgsage: None) -> None:
    """At levels 1 and 2, by a name of its own, and each answer says what judges better."""
    with SimpleEngine.default(level) as engine, SimpleEngine.selftaught(depth) as selftaught:
        assert (engine.name, engine.level) == ("exact values and selftaught 4", f"level {depth}")
        assert engine.cube_analysis(SOLVED).level == f"level {depth}: exact"
        for state in (OPENING, OPENING.play("8/5 6/5"), LONG_RACE, LONG_RACE.roll("21")):
            hint = engine.hint(state)
            assert hint.action == selftaught.hint(state).action
            wording.check(engine.advice, "bgsage", "selftaught", "[engine]")
            assert str(hint).endswith(engine.advice)
            assert engine.advice not in str(selftaught.hint(state))
        assert engine.candidates(OPENING, 1)[0].equity == selftaught.candidates(OPENING, 1)[0].equity
        assert engine.advice not in str(engine.hint(SOLVED))  # nothing judges better than what is exact
        matrix = score_matrix(engine, OPENING, away=2)
        assert (matrix.advice, matrix.engine) == (engine.advice, engine.name)
        assert engine.advice.replace(" ", "") in "".join(str(matrix).split())


@pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
def test_without_numpy_it_is_selftaught_alone(no_bgsage: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules.engine._factory.find_spec", lambda _: None)
    with SimpleEngine.default() as engine:
        assert (engine.name, engine.level) == ("selftaught 4", "2-ply")
        # NumPy first: it is no other engine
        wording.check(engine.advice, "NumPy", "[numpy]", "bgsage", "[engine]")
        assert engine.advice.index("[numpy]") < engine.advice.index("[engine]")


def test_without_the_kernel_bgsage_is_missed(no_bgsage: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules.engine._factory.KERNEL", "pure")
    with SimpleEngine.default() as alone, wording.tells(EngineStartError, "bgsage", "[engine]"):
        alone.decide(OPENING)


def test_bgsage_that_does_not_start_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody takes the place of what is installed."""
    monkeypatch.setitem(sys.modules, "bgsage", None)
    with SimpleEngine.default() as engine, wording.tells(EngineStartError, "bgsage"):
        engine.decide(OPENING)


def test_the_deeper_level_of_two() -> None:
    with SimpleEngine.default(4) as engine:
        assert engine._driver._race_plays.level == "4-ply"


@loop.rows(
    "options, error, words",
    ({"level": 5}, ArgumentError, ("level", "5")),
    ({"level": 0}, ArgumentError, ("level", "0")),
    ({"timeout": 3}, ArgumentError, ("process=True",)),
    ({"rollout": 36}, ArgumentError, ("rollout", "36")),
    ({"level": TIERS["quick"], "rollout": Rollout()}, ArgumentError, ("tiers", "rollout")),
)
def test_what_it_does_not_take(options: dict[str, Any], error: type[Exception], words: tuple[str, ...]) -> None:
    with wording.tells(error, *words):
        SimpleEngine.default(**options)


@pytest.mark.long
def test_in_a_process_of_its_own(default: Any) -> None:
    with SimpleEngine.default(process=True, timeout=60) as there:
        for state in (SOLVED, LONG_RACE):
            assert there.cube_analysis(state) == default.cube_analysis(state)
            assert there.decide(state) == default.decide(state)
        assert there.candidates(SOLVED.roll("21")) == default.candidates(SOLVED.roll("21"))
        assert there.roll_equities(SOLVED) == default.roll_equities(SOLVED)
        assert (there.name, there.level) == (default.name, default.level)
