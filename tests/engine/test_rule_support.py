"""As which game engines are asked about a state: what cannot matter is no reason to refuse it, and changes nothing.

Each answer is compared with that for a state by the usual rules.
"""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given, settings, strategies as st
from open_engines import engine_of
from scripted_engines import ASKED, STATE, Fakes, made_fakes

import gnu_backgammon
import loop
import wording
from gammonrules import MONEY, Cube, MatchState, Phase, Player, Position, Rules
from gammonrules.analysis.internals import is_of_double
from gammonrules.engine import EngineUnsupportedError, SimpleEngine, compare_cube_positions, compare_plays, score_matrix
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.match.internals import limit_matters
from gammonrules.rules import PORTES
from gammonrules.strategies import match_states

__all__ = ["made_fakes"]

pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)


ENGINES = ["bgsage", pytest.param("gnubg", marks=gnu_backgammon.is_needed)]


def answers(engine: SimpleEngine, state: MatchState) -> tuple[object, ...]:
    """What the engine would do, and its numbers."""
    answered: list[object] = [engine.decide(state), engine.evaluate(state)]
    if state.phase is Phase.TO_PLAY:
        answered.append(engine.candidates(state))
    if is_of_double(state):
        answered.append(engine.cube_analysis(state))
    return tuple(answered)


def limited(state: MatchState, limit: int) -> MatchState:
    return attrs.evolve(state, rules=attrs.evolve(state.rules, max_cube=limit))


MIDDLE = MatchState.new(None).opening_roll(3, 1).play("8/5 6/5").roll("64").play("24/14")
PUBLIC = MatchState.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
RACE = Position.of(mine={6: 3, 5: 3, 4: 2, "off": 7}, theirs={6: 4, 3: 3, 2: 1, "off": 7})
RUNNING = Position.of(mine={8: 5, 7: 5, 6: 5}, theirs={8: 5, 7: 5, 6: 5})


@pytest.mark.parametrize("name", ENGINES)
@settings(max_examples=10)
@given(match_states(rules=st.just(Rules()), lengths=st.integers(1, 12)), st.sampled_from([2, 8, 64, 256]))
def test_a_limit_in_a_match_that_cannot_matter(name: str, state: MatchState, limit: int) -> None:
    """It is asked as without, and nothing is said of it; one that may matter is refused."""
    if state.to_act is None or limit < max(state.cube.value, getattr(state.pending_double, "value", 1)):
        return
    engine, there = engine_of(name), limited(state, limit)
    assert engine.ignored_rule(there) is None
    if not limit_matters(there.rules, there.length, there.crawford, there.cube, there.score):
        assert answers(engine, there) == answers(engine, state)
    elif state.phase is Phase.TO_PLAY and len(state.legal_plays) > 1:
        with wording.tells(EngineUnsupportedError, f"a limit of {limit}", "max_cube=None", "10", "CubeLimit"):
            engine.decide(there)


@pytest.mark.parametrize("name", ENGINES)
@loop.rows(
    "state, limit",
    (MIDDLE, 16),
    (MIDDLE.double(), 16),
    (MIDDLE.double().take().roll("52"), 32),
    (attrs.evolve(MIDDLE, cube=Cube(2, Player.WHITE), rules=MONEY).resign(), 32),
    (attrs.evolve(MIDDLE, rules=MONEY).double().beaver(), 16),
)
def test_a_limit_in_money_play(name: str, state: MatchState, limit: int) -> None:
    """From 16 times the cube on, before an offer, it is left out, which is said in a field of its own; else refused."""
    engine, there = engine_of(name), limited(state, limit)
    assert answers(engine, there) == answers(engine, state)
    assert engine.ignored_rule(there) == f"the limit of {limit}"
    hint = engine.hint(there)
    assert hint == attrs.evolve(engine.hint(state), state=there, ignored_rule=f"the limit of {limit}")
    assert f"Ignored rule: the limit of {limit}" in str(hint)
    assert engine.ignored_rule(state) is None
    near = limited(state, limit // 2)
    assert engine.ignored_rule(near) is None
    with pytest.raises(EngineUnsupportedError, match=f"a limit of {limit // 2} "):
        engine.hint(near)


def test_questions_at_other_scores_say_it_once() -> None:
    """A match has no limit that matters, and money play the same one as left out."""
    engine, there = engine_of("bgsage"), limited(PUBLIC, 256)
    matrix = score_matrix(engine, there, away=2)
    assert matrix.ignored_rule == "the limit of 256"
    assert str(matrix).count("limit") == 1
    expected = score_matrix(engine, PUBLIC, away=2).analyses
    assert [analysis.analysis for analysis in matrix.analyses] == [analysis.analysis for analysis in expected]
    assert compare_plays(engine, there, "8/5 6/5").ignored_rule is None
    money = limited(attrs.evolve(PUBLIC, length=None, dice=None), 16)
    places = compare_cube_positions(engine, money)
    assert places.ignored_rule == "the limit of 16"
    assert [analysis.analysis is None for analysis in places.analyses] == [False, True, True]


@loop.rows(
    "state",
    MatchState(RACE, Player.WHITE, "31", length=3, rules=Rules(crawford=False)),
    MatchState(RACE, Player.WHITE, "31", length=3, rules=Rules(gammons=False, backgammons=False)),
    MatchState(RUNNING, Player.WHITE, "31", rules=Rules(gammons=False, backgammons=False)),
    MatchState(Position.start(), Player.WHITE, "31", rules=PORTES),
    MatchState(RACE, Player.WHITE, rules=Rules(gammons=False, backgammons=False)).double().resign(by=Player.WHITE),
)
def test_the_same_rules_where_they_matter(state: MatchState) -> None:
    with pytest.raises(EngineUnsupportedError):
        engine_of("bgsage").decide(state)


def test_a_program_without_a_cube_knows_any_limit(fakes: Fakes) -> None:
    with fakes.ubgi(f"{ASKED}< bestmove 8/5 6/5\n") as engine:
        assert engine.decide(limited(STATE, 2)).argument == STATE.legal_plays.find("8/5 6/5")


@given(match_states(phase="to_roll", rules=st.just(Rules())), st.sampled_from([2, 4, 64]), st.floats(0, 1))
def test_equities_count_a_limit_where_it_matters_alone(state: MatchState, limit: int, efficiency: float) -> None:
    """What chances are worth, and when to double, follow the limit by themselves."""
    chances = Chances(0.55, 0.15, 0.01, 0.12, 0.005)
    if state.length is None or limit < state.cube.value:
        return
    there = limited(state, limit)
    if not limit_matters(there.rules, there.length, there.crawford, there.cube, there.score):
        equities = [
            (
                KAZAROSS_XG2.equity_from(chances, each, efficiency=efficiency),
                KAZAROSS_XG2.doubling_window(each, efficiency=efficiency),
            )
            for each in (state, there)
        ]
        assert equities[0] == equities[1]
