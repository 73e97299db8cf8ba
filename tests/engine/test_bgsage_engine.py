"""bgsage as an engine, against its own functions called as its documentation says."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import matches
import pytest
from hypothesis import assume, example, given, settings, strategies as st
from open_engines import engine_of

import each
import gnu_backgammon
import loop
from gammonrules import MONEY, Action, ArgumentError, Dice, Event, MatchState, Phase, Player, Position, Rules
from gammonrules.engine import (
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineUnsupportedError,
    SimpleEngine,
)
from gammonrules.engine._evaluation import evaluation_of_end, player_on_roll
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.records import Candidate, referee
from gammonrules.strategies import match_states, rules

bgsage = pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

START = MatchState.new(7).opening_roll(3, 1)
TO_ROLL = START.play("8/5 6/5")
KNOWN = rules(max_cube=None, gammons=True, backgammons=True, scoring="points", start="standard")
DECISIONS = st.sampled_from([Phase.TO_PLAY, Phase.TO_ROLL, Phase.DOUBLED])
LAST_GAME = Position.of(mine={20: 1, 8: 1, 1: 1}, theirs={1: 1})
GAMMONS_ARE_OVER = Position.of(mine={1: 3}, theirs={"bar": 2})
JACOBY_COUNTS = Position.of({2: 1, 12: 6, 21: 6}, {5: 1, 6: 2})
"""Here the plays on the way differ when no gammon counts."""
CLOSE = 1e-4
"""At 1-ply, its functions round in two ways."""


def arguments(state: MatchState) -> dict[str, Any]:
    """What its functions are told beside dice and board, by their documentation."""
    player = state.on_roll
    assert player is not None
    away1, away2 = (0, 0) if state.away is None else (state.away[player], state.away[player.opponent])
    owner = {None: "centered", player: "player", player.opponent: "opponent"}[state.cube.owner]
    return {
        "cube_value": state.cube.value,
        "cube_owner": owner,
        "away1": away1,
        "away2": away2,
        "is_crawford": state.crawford,
        "jacoby": state.rules.jacoby,
    }


def board(position: Position) -> list[int]:
    return [abs(count) if point in {0, 25} else count for point, count in enumerate(position.points)]


def after(board: list[int]) -> Position:
    return Position.from_points((-board[0], *board[1:])).flip()


def cubeless_equity(probs: Any) -> float:
    """What its chances are worth: its own number counts gammons that nobody can win any more, they do not."""
    more = probs.gammon_win + probs.backgammon_win - probs.gammon_loss - probs.backgammon_loss
    return 2 * probs.win - 1 + more


def check_plays(analyzer: Any, state: MatchState, ours: Sequence[Candidate]) -> None:
    assert state.dice is not None
    beaver = bool(state.rules.beavers)
    answered = analyzer.checker_play(board(state.position), *state.dice, beaver=beaver, **arguments(state)).moves
    legal = {play.position for play in state.legal_plays}
    # it has more for a last checker that may hit
    answered = [candidate for candidate in answered if after(candidate.board) in legal]
    if state.rules.cube:
        equities = [(after(candidate.board), candidate.equity) for candidate in answered]
        assert [(candidate.position, candidate.equity) for candidate in ours] == equities
        return
    probs = {after(candidate.board): candidate.probs for candidate in answered}
    assert probs.keys() == {candidate.position for candidate in ours}
    check_cubeless(state, ours, probs)


def check_plays_at_1_ply(analyzer: Any, state: MatchState, ours: Sequence[Candidate]) -> None:
    """Where its own numbers of plays leave out that the opponent may double."""
    if state.rules.cube:
        for candidate in ours:
            assert candidate.equity == pytest.approx(counting_double(analyzer, state, candidate), abs=CLOSE)
        return
    played = {candidate.position: board(candidate.position.flip()) for candidate in ours}
    told = arguments(state)
    check_cubeless(state, ours, {at: analyzer.post_move_analytics(played[at], **told).probs for at in played})


def check_cubeless(state: MatchState, ours: Sequence[Candidate], probs: dict[Position, Any]) -> None:
    for candidate in ours if state.length is None and not state.rules.jacoby else ():
        assert candidate.equity == pytest.approx(cubeless_equity(probs[candidate.position]), abs=1e-6)


def counting_double(analyzer: Any, state: MatchState, candidate: Candidate) -> float:
    """The equity of a play by its cube action after it."""
    after_play = state.play(candidate.position)
    if after_play.result is not None:
        return evaluation_of_end(after_play, before=state, player=player_on_roll(state)).equity
    cube = analyzer.cube_action(board(candidate.position), beaver=False, **arguments(after_play))
    if Action.DOUBLE not in after_play.legal_actions:
        return -float(cube.equity_nd)
    return -max(cube.equity_nd, min(cube.equity_dt, cube.equity_dp))


@each.first("level, examples", [(1, 15), (1, 50), (2, 8)])
def test_its_numbers_are_those_of_its_functions(level: int, examples: int) -> None:
    analyzer = bgsage.BgBotAnalyzer(eval_level=f"{level}ply", parallel_threads=1)
    engine = SimpleEngine.bgsage(level)

    @settings(max_examples=examples)
    @example(attrs.evolve(START, position=Position.of(mine={5: 1}, theirs={21: 1}), dice=Dice(6, 1)))
    @example(MatchState(LAST_GAME, Player.WHITE, length=1, rules=Rules(cube=False)))
    @example(MatchState(GAMMONS_ARE_OVER, Player.WHITE, Dice(2, 1), rules=Rules(cube=False)))
    @example(MatchState(JACOBY_COUNTS, Player.WHITE, rules=Rules(jacoby=True, cube=False)))
    @given(DECISIONS.flatmap(lambda phase: match_states(phase=phase, rules=KNOWN)))
    def test(state: MatchState) -> None:
        assume(not state.pending_double or not state.pending_double.beavers)
        assume(not state.rules.cube or state.length is None or state.rules.crawford or min(state.away or ()) == 1)
        decided, told = engine.decide(state), arguments(state)
        if state.dice is not None:
            ours = engine.candidates(state)
            (check_plays_at_1_ply if level == 1 else check_plays)(analyzer, state, ours)
            if not state.rules.cube:
                return
            assert isinstance(decided, Event)
            assert decided.argument == state.legal_plays.find(ours[0].position)
            return
        rolling = engine.evaluate(state)
        rolling = rolling if state.to_act is state.on_roll else rolling.flip()
        is_last = state.away is not None and state.cube.value >= max(state.away)  # nobody may double anyway
        if not state.rules.cube and not is_last:
            seen = {"cube_owner": "centered", "is_crawford": True, "jacoby": state.rules.jacoby}
            away = {"away1": told["away2"], "away2": told["away1"]}
            if state.rules.jacoby and state.length is None:  # no gammon counts, as in a game to one point
                away = {"away1": 1, "away2": 1}
            theirs = analyzer.post_move_analytics(board(state.position.flip()), **seen, **away).probs
            chances = theirs.win, theirs.gammon_win, theirs.gammon_loss
            assert (rolling.chances.lose, rolling.lose_gammon, rolling.win_gammon) == pytest.approx(chances, abs=CLOSE)
            return
        answered = analyzer.cube_action(board(state.position), beaver=False, **told)
        chances = answered.probs.win, answered.probs.gammon_win, answered.probs.gammon_loss
        assert (rolling.win, rolling.win_gammon, rolling.lose_gammon) == pytest.approx(chances, abs=CLOSE)
        assert rolling.equity == pytest.approx(answered.equity_nd, abs=CLOSE)
        if state.pending_double or Action.DOUBLE in state.legal_actions:
            cube = engine.cube_analysis(state)
            assert cube.no_double == pytest.approx(answered.equity_nd, abs=CLOSE)
            assert cube.double_take == pytest.approx(answered.equity_dt, abs=CLOSE)
            before = attrs.evolve(state, offer=None)
            mwc = [KAZAROSS_XG2.to_chance(equity, before) for equity in (cube.no_double, cube.double_take, 1)]
            assert cube.mwc == (None if state.length is None else tuple(min(1, max(0, chance)) for chance in mwc))
            worth = engine._driver.evaluate(before)
            best = max(answered.equity_nd, min(answered.equity_dt, answered.equity_dp))
            assert worth.equity == pytest.approx(best, abs=CLOSE)
            if 1 not in (state.away or ()):  # after the Crawford game it doubles, whatever its numbers say
                assert worth.equity == pytest.approx(answered.optimal_equity, abs=CLOSE)
        else:
            assert not answered.should_double

    test()


def test_luck_is_that_of_its_lowest_level() -> None:
    with SimpleEngine.bgsage(1) as first, SimpleEngine.bgsage(2) as second:
        rolls = first.roll_equities(TO_ROLL)
        assert rolls == second.roll_equities(TO_ROLL)
        assert all(equity == first.candidates(TO_ROLL.roll(dice), 1)[0].equity for dice, equity in rolls.items())


def test_without_a_cube_too_the_best_play_is_first() -> None:
    """Above the lowest level, bgsage sorts plays by their equities with a cube."""
    engine = engine_of("bgsage", 2)
    bear_off = Position.of(mine={6: 1, 5: 1, 4: 1}, theirs={6: 2})
    state = MatchState(bear_off, Player.WHITE, Dice(2, 1), rules=Rules(cube=False))
    plays = engine.candidates(state)
    equities = [play.equity for play in plays]
    assert equities == sorted(equities, reverse=True)
    assert engine.decide(state) == Event(Action.PLAY, Player.WHITE, state.legal_plays.find(plays[0].position))


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A package in the place of bgsage, whose calls are counted."""
    module: Any = ModuleType("bgsage")
    module.calls = []

    class Analyzer:
        def __init__(self, **_: object) -> None: ...

        def __getattr__(self, name: str) -> object:
            module.calls.append(name)
            raise RuntimeError("no such luck")

    module.BgBotAnalyzer = Analyzer
    monkeypatch.setitem(sys.modules, "bgsage", module)
    return module


HYPERGAMMON = Rules(start="hypergammon")


@loop.rows(
    "words, state",
    ("pip scoring", MatchState.new(None, rules=Rules(cube=False, scoring="pips"))),
    ("a limit of 8 .*max_cube=None", MatchState.new(None, rules=Rules(max_cube=8))),
    ("without gammons", MatchState.new(3, rules=Rules(gammons=False, backgammons=False))),
    ("without backgammons", MatchState.new(3, rules=Rules(backgammons=False))),
    ("with 3 checkers", MatchState.new(3, rules=HYPERGAMMON)),
    ("more than 25 points", MatchState.new(26)),
    ("without the Crawford rule", MatchState.new(3, score=(1, 1), rules=Rules(crawford=False))),
)
def test_it_is_not_asked_what_it_would_judge_wrongly(fake: Any, words: str, state: MatchState) -> None:
    with SimpleEngine.bgsage() as engine:
        for ask in (engine.decide, engine.candidates, engine.evaluate):
            with pytest.raises(EngineUnsupportedError, match=words):
                ask(state.opening_roll(3, 1))
        with pytest.raises(ArgumentError, match="nobody is to act"):
            engine.decide(state)
    assert not fake.calls


def test_it_goes_wrong_in_this_process(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with SimpleEngine.bgsage() as engine:
        with pytest.raises(ArgumentError, match="process=True"):
            engine.decide(START, timeout=1)
        with pytest.raises(EngineReplyError, match="no such luck"):
            engine.decide(START)
        with pytest.raises(EngineTerminatedError):
            engine.decide(START)
    answer = bgsage.BgBotAnalyzer().checker_play(bgsage.STARTING_BOARD, 6, 1)
    fake.BgBotAnalyzer.checker_play = lambda *_, **__: answer
    with pytest.raises(EngineReplyError, match="not the legal ones"):
        SimpleEngine.bgsage().decide(START)
    for wrong in (ModuleType("bgsage"), None):  # another package of this name, and none
        monkeypatch.setitem(sys.modules, "bgsage", wrong)
        with pytest.raises(EngineStartError, match=r"\[engine\]"):
            SimpleEngine.bgsage()
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "\nflags\t\t: fpu avx")
    with pytest.raises(EngineStartError, match="AVX2"):
        SimpleEngine.bgsage()


@gnu_backgammon.is_needed
@each.first("state", [MatchState.new(3), MatchState.new(None, rules=MONEY), MatchState.new(5, rules=Rules(cube=False))])
def test_whole_matches_with_gnu_backgammon(state: MatchState) -> None:
    record = matches.play(engine_of("bgsage"), engine_of("gnubg"), state, games=10, seed=0)
    assert referee(record) == ()
    assert record.score != (0, 0)
