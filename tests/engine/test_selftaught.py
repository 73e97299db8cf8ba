"""selftaught: what it says and does, by which numbers, and how its strengths err."""

from __future__ import annotations

import asyncio
import copy
import gc
import pickle
import random
from collections import Counter
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st
from open_engines import engine_of
from plays_and_doubles import CASH, decisions_of_matches, worth_after

import each
import loop
import wording
from gammonrules import KERNEL, MONEY, Action, ArgumentError, MatchState, Phase, Player, Position, Rules, Win
from gammonrules._network import bearoff_efficiency
from gammonrules.engine import TIERS, Engine, EngineUnsupportedError, Rollout, SimpleEngine, evaluate_batch, serve_ubgi
from gammonrules.engine._strengths import chance_of_risk, play_drawn
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.records import Candidate
from gammonrules.rules import BRETTSPIELWELT_SINGLE
from gammonrules.strategies import match_states, plays, positions

pytestmark = pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")

LEVELS = [1, 2]
RULES = st.sampled_from([Rules(), MONEY, Rules(max_cube=4), Rules(gammons=False, backgammons=False), Rules(cube=False)])
STATES = match_states(rules=RULES, lengths=st.none() | st.integers(1, 25))
OPENING = MatchState.new(7).opening_roll(white=3, black=1)
TO_ROLL = OPENING.play("8/5 6/5")
FAR = MatchState.new(26).opening_roll(white=3, black=1)
LOST = attrs.evolve(
    FAR.play("8/5 6/5"), position=Position.of(mine={"bar": 4, 13: 11}, theirs={6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})
)
"""The player on roll loses a gammon for certain, and perhaps a backgammon."""
BEAR_OFF = Position.of(mine={6: 2, 4: 3, 2: 2, "off": 8}, theirs={5: 4, 3: 3, "off": 8})


def selftaught(level: int = 1) -> SimpleEngine:
    return engine_of("selftaught", level)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=30)
@example(CASH)
@given(STATES)
def test_plays_are_ranked_by_what_the_opponent_then_has(level: int, state: MatchState) -> None:
    """The opponent doubles where that is allowed and better. The first play is made.

    Plays of equal worth are in the order of their worth if the opponent does not double, then of that without a cube,
    and then in that of legal plays.
    """
    if state.phase is not Phase.TO_PLAY or not state.rules.crawford:
        return
    candidates = check_plays(level, state)
    assert selftaught(level).decide(state).argument.position == candidates[0].position


def check_plays(level: int, state: MatchState) -> tuple[Candidate, ...]:
    """Check the equity of each play, and the order of those that are looked at as deeply as the best."""
    candidates = selftaught(level).candidates(state)
    ranks = []
    for number, play in enumerate(state.legal_plays):
        candidate = next(each for each in candidates if each.position == play.position)
        worth = worth_after(selftaught(candidate.level.depth), state, play)
        assert candidate.equity == pytest.approx(worth.equity, abs=1e-9)
        if candidate.level == candidates[0].level:
            worths = candidate.equity, worth.undoubled, _points(candidate.chances)
            ranks.append((*(round(each, 12) for each in worths), -number, candidate))
    best_first = sorted(ranks, key=lambda rank: rank[:4], reverse=True)
    assert [rank[-1] for rank in best_first] == [*candidates[: len(ranks)]]
    return candidates


@each.first("level, count", [(1, 20), (2, 3), (1, 300), (2, 300)], of_these=2)
def test_decisions_of_matches_count_the_opponents_double(level: int, count: int) -> None:
    for state in decisions_of_matches(count):
        check_plays(level, state)


def test_one_roll_ahead_is_looked_at_eight_plays_and_at_those_asked_for() -> None:
    """They come before the others, which follow in the order of level 1."""
    state = attrs.evolve(OPENING, dice=None).roll("21")
    worst = selftaught(1).candidates(state)[-1].position
    candidates = selftaught(2).candidates(state, also=[worst])
    assert [str(play.level) for play in candidates] == ["2-ply"] * 9 + ["1-ply"] * (len(candidates) - 9)
    ahead = {play.position for play in candidates[:9]}
    assert ahead == {play.position for play in selftaught(1).candidates(state, 8)} | {worst}
    first_level = [play.position for play in selftaught(1).candidates(state) if play.position not in ahead]
    assert [play.position for play in candidates[9:]] == first_level


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=30)
@given(STATES)
def test_a_double_is_that_of_the_doubling_window(level: int, state: MatchState) -> None:
    """The decision follows from the window, except where level 2 looks ahead with the cube."""
    if state.phase is not Phase.TO_ROLL or Action.DOUBLE not in state.legal_actions or not state.rules.crawford:
        return
    efficiency = bearoff_efficiency(state.position)
    if efficiency is None:
        efficiency = 0.68
    elif level > 1:
        return
    engine = selftaught(level)
    cube = engine.cube_analysis(state)
    window = KAZAROSS_XG2.doubling_window(state, chances=cube.chances, efficiency=efficiency)
    win = cube.chances.win
    if abs(win - window.cash_point) > 1e-6:
        assert (cube.best_answer is Action.TAKE) == (win < window.cash_point)
    if cube.best_answer is Action.TAKE and min(abs(win - window.double_point), abs(win - window.cash_point)) > 1e-6:
        assert (cube.best is Action.DOUBLE) <= (win >= window.double_point)
    assert (engine.decide(state) is Action.ROLL) == (cube.best is Action.ROLL)
    doubled = state.double()
    beavers = -2 < cube.double_take < 0 and Action.BEAVER in doubled.legal_actions
    assert engine.decide(doubled).action is (Action.BEAVER if beavers else cube.best_answer)


@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=20)
@given(STATES)
def test_it_answers_every_state_that_it_knows(level: int, state: MatchState) -> None:
    """What it does is legal, and each answer has its name and its level."""
    if state.to_act is None or not state.rules.crawford:
        return
    engine = selftaught(level)
    decision = engine.decide(state)
    assert decision is Action.ROLL or state.apply(decision) is not None
    assert engine.evaluate(state).level == f"{level}-ply"
    assert engine.ignored_rule(state) is None
    if state.phase is Phase.TO_ROLL:
        assert len(engine.roll_equities(state)) == 21


@loop.over("state", [TO_ROLL, attrs.evolve(CASH, dice=None)])
def test_rolls_are_looked_at_by_the_lowest_level(state: MatchState) -> None:
    """As plays are ranked in the look-ahead: by points, as they are. Then they count the opponent's double."""
    assert selftaught(1).roll_equities(state) == selftaught(2).roll_equities(state)
    for dice, equity in selftaught().roll_equities(state).items():
        rolled = state.roll(dice)
        by_points = max(selftaught().candidates(rolled), key=lambda play: _points(play.chances))
        assert equity == pytest.approx(by_points.equity, abs=1e-5)


def _points(chances: Any) -> float:
    return float(sum(points * chance for points, chance in chances.exclusive.items()))


@loop.rows(
    "state, words",
    (MatchState.new(None, rules=BRETTSPIELWELT_SINGLE).opening_roll(white=3, black=1), "pip scoring"),
    (MatchState.new(7, rules=Rules(crawford=False)).opening_roll(white=3, black=1), "Crawford"),
    (MatchState.new(None, rules=Rules(start="hypergammon")).opening_roll(white=3, black=1), "3 checkers"),
)
def test_what_it_does_not_know(state: MatchState, words: str) -> None:
    with wording.tells(EngineUnsupportedError, "selftaught 4", words):
        selftaught().decide(state)


def test_who_is_not_to_act_is_not_asked() -> None:
    with wording.tells(ArgumentError, "opening roll"):
        selftaught().decide(MatchState.new(7))


def test_beyond_the_match_equity_table_it_plays_by_points() -> None:
    """It rolls and takes there, and says nothing of the worth of a match."""
    engine = selftaught()
    as_money = attrs.evolve(FAR, length=None, score=(0, 0), rules=Rules(max_cube=1))
    assert engine.decide(FAR).argument.position == engine.candidates(as_money)[0].position
    far = FAR.play("8/5 6/5")
    assert engine.decide(far) is Action.ROLL
    assert engine.decide(far.double()).action is Action.TAKE
    for offered in Win:
        resigned = LOST.resign(offered, by=Player.BLACK)
        assert engine.decide(resigned).action is (Action.ACCEPT if offered is Win.BACKGAMMON else Action.DECLINE)
    for ask in (engine.evaluate, engine.cube_analysis, engine.roll_equities):
        with wording.tells(EngineUnsupportedError, "25"):
            ask(far)
    with wording.tells(EngineUnsupportedError, "25"):
        engine.candidates(FAR)
    assert engine.evaluate(MatchState.new(25).opening_roll(white=3, black=1)).mwc is not None


@loop.rows(
    "start, words",
    (lambda: SimpleEngine.selftaught(3), ("level", "3")),
    (lambda: SimpleEngine.selftaught(0), ("level", "0")),
    (lambda: SimpleEngine.selftaught(2, strength="club"), ("strength", "level 1", "2")),
    (lambda: SimpleEngine.selftaught(strength="perfect"), ("strength", "'perfect'", "beginner")),
    (lambda: SimpleEngine.selftaught(strength="club", rng=1), ("rng", "1")),
    (lambda: SimpleEngine.open("selftaught", rollout=Rollout(36)), ("selftaught", "rollout")),
    (lambda: SimpleEngine.open("selftaught", TIERS["quick"]), ("selftaught", "tiers")),
    (lambda: Engine.selftaught(3), ("level", "3")),
)
def test_what_it_does_not_take(start: Any, words: tuple[str, ...]) -> None:
    with wording.tells(ArgumentError, *words):
        start()


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@loop.rows("kind", SimpleEngine, Engine)
def test_it_is_not_made_from_its_name(kind: Any) -> None:
    """The error shows how it is started, and no finalizer is left behind that fails."""
    with wording.tells(ArgumentError, f"{kind.__name__}.open('selftaught')"):
        kind("selftaught")
    for value in (None, 1, selftaught(), "nope"):
        with wording.tells(ArgumentError, f'{kind.__name__}.open("bgsage")'):
            kind(value)
    with wording.tells(ArgumentError, 'did you mean "gnubg"?'):
        kind("gnubgg")
    gc.collect(1)  # the young ones: all objects would take half a second


@loop.rows("copied", pickle.dumps, copy.copy, copy.deepcopy)
@pytest.mark.parametrize("kind", [SimpleEngine, Engine])
def test_it_is_not_pickled(kind: Any, copied: Callable[[object], object]) -> None:
    with wording.tells(ArgumentError, f"<{kind.__name__} selftaught", "in the other process"):
        copied(kind.selftaught())


def test_it_is_asked_in_other_ways_too() -> None:
    """By async programs, about many boards, and by others behind UBGI."""

    async def decided() -> object:
        async with Engine.selftaught(1) as engine:
            return await engine.decide(OPENING)

    assert asyncio.run(decided()) == selftaught().decide(OPENING)
    boards = [OPENING.position.points, TO_ROLL.position.points]
    games = [MatchState(Position.from_points(board), Player.WHITE, rules=Rules(cube=False)) for board in boards]
    expected = [attrs.astuple(selftaught().evaluate(game).chances) for game in games]
    assert evaluate_batch(boards, engine="selftaught", workers=1) == pytest.approx(np.array(expected), abs=1e-6)
    answers = BytesIO()
    asked = BytesIO(b"position gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo chequer\n")
    serve_ubgi(selftaught().decide, input=asked, output=answers)
    assert answers.getvalue() == b"bestmove 8/5 6/5\n"


class TestStrengths:
    """beginner, casual, club and strong: how they err."""

    NUMBERS = [number / 500 for number in range(500)]

    @given(plays(), st.data())
    @settings(max_examples=30)
    def test_the_better_play_is_never_less_likely(self, play: Any, data: st.DataObject) -> None:
        """Of those that may be chosen."""
        all_plays = play.before.legal_plays(play.dice)
        equities = data.draw(st.lists(st.floats(-3, 3), min_size=len(all_plays), max_size=len(all_plays)))
        drawn = Counter(play_drawn(all_plays, equities, 0.08, number).position for number in self.NUMBERS)
        times = sorted((equity, drawn[each.position]) for equity, each in zip(equities, all_plays, strict=True))
        chosen = [number for _, number in times if number]
        rounding = 1
        assert all(worse <= better + rounding for worse, better in pairwise(chosen))

    @given(st.lists(st.floats(-3, 3), min_size=60, max_size=60), st.floats(0, 1, exclude_max=True), positions())
    @settings(max_examples=60)
    def test_no_fewer_checkers_are_borne_off_than_can_be(
        self, equities: list[float], number: float, position: Position
    ) -> None:
        """Where there is no contact and all are home, whatever the plays seem to be worth."""
        for before in (BEAR_OFF, position):
            if not before.is_race or any(count > 0 for count in before.points[7:]):
                continue
            for dice in ("21", "63", "22"):
                all_plays = before.legal_plays(dice)
                drawn = play_drawn(all_plays, (equities * len(all_plays))[: len(all_plays)], 0.08, number)
                assert drawn.position.opponent_off == max(play.position.opponent_off for play in all_plays)

    def test_in_a_race_the_temperature_is_a_quarter(self) -> None:
        race = Position.of(mine={8: 8, 7: 7}, theirs={6: 15})
        contact = OPENING.position
        for position, temperature in ((race, 0.02), (contact, 0.08)):
            first, second, *_ = position.legal_plays("21")
            drawn = [play_drawn([first, second], [0.0, 0.04], 0.08, number) for number in self.NUMBERS]
            share = drawn.count(second) / len(drawn)
            assert share == pytest.approx(chance_of_risk(0.04, temperature), abs=0.003)

    @given(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
    def test_what_gains_more_is_never_risked_less(self, gain: float, more: float) -> None:
        low, high = sorted((gain, more))
        assert 0 <= chance_of_risk(low, 0.03) <= chance_of_risk(high, 0.03) <= 1
        assert chance_of_risk(0, 0.03) == 0.5

    def test_the_same_numbers_give_the_same_decisions(self) -> None:
        """And other ones other decisions, of plays, doubles and takes."""
        states = (OPENING, *(TO_ROLL.double() for _ in range(2)), attrs.evolve(OPENING, dice=None).roll("21"))
        decided = []
        for seed in (1, 1, 2):
            with SimpleEngine.selftaught(strength="beginner", rng=random.Random(seed)) as engine:
                decided.append([engine.decide(state) for state in states * 10])
        assert decided[0] == decided[1] != decided[2]

    def test_what_they_say_has_no_errors(self) -> None:
        """And strong is level 1 as it is."""
        with (
            SimpleEngine.selftaught(strength="beginner") as beginner,
            SimpleEngine.selftaught(strength="strong") as strong,
        ):
            assert beginner.candidates(OPENING) == strong.candidates(OPENING) == selftaught().candidates(OPENING)
            assert beginner.cube_analysis(TO_ROLL) == selftaught().cube_analysis(TO_ROLL)
            assert beginner.level == "1-ply"
            assert {strong.decide(OPENING) for _ in range(20)} == {selftaught().decide(OPENING)}
