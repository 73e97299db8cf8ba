"""Races solved at their score: against brute force, a table of bear-offs, and values that others have computed."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
import race_brute_force as brute_force
from hypothesis import given, settings, strategies as st

import loop
import wording
from gammonrules import Action, Cube, Dice, MatchState, Player, Position, Rules, bearoff
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable

Side = dict[int | str, int]

TWO_ROLLS: Side = {6: 1}
THREE_ROLLS: Side = {5: 1, 1: 1}
ONE_ROLL: Side = {1: 2}
STACK: Side = {1: 15}
BACKGAMMON: Side = {1: 14, 20: 1}
WHITE, BLACK = Player
SOME_DICE = Dice(2, 1), Dice(5, 1), Dice(1, 1)


def state_of(mine: Side, theirs: Side, length: int | None = None, **others: Any) -> MatchState:
    """A state with White to roll, in money play without the Jacoby rule and beavers."""
    position = Position.of(*(side | {"off": 15 - sum(side.values())} for side in (mine, theirs)))
    return MatchState(position, WHITE, length=length, **{"rules": Rules(), **others})


def equity(worth: float, state: MatchState) -> object:
    """The normalized equity for the player on roll of what brute force has for White, nearly."""
    sign = 1 if state.on_roll is WHITE else -1
    if state.length is None:
        return pytest.approx(sign * worth / state.cube.value, abs=1e-9)
    normalized = KAZAROSS_XG2.to_equity(worth, state, WHITE)
    assert normalized is not None
    return pytest.approx(sign * normalized, abs=1e-9)


def check(state: MatchState) -> None:
    """Compare the solution of a state before the roll, and those of all rolls, with brute force."""
    solution = bearoff.solve(state)
    rolling = equity(brute_force.rolling(state), state)
    assert solution.equity == equity(brute_force.worth(state), state)
    assert (solution.cube is not None) == (Action.DOUBLE in state.legal_actions)
    assert (solution.cube.no_double if solution.cube else solution.equity) == rolling
    assert sum(dice.weight * best for dice, best in solution.rolls) / 36 == rolling
    if solution.cube:
        check_double(state.double(), solution)
    for dice in SOME_DICE:
        check_plays(state.roll(dice), dict(solution.rolls)[dice])


def check_double(doubled: MatchState, before: bearoff.SolvedRace) -> None:
    answered = bearoff.solve(doubled)
    assert answered.cube == before.cube
    assert answered.cube
    assert answered.cube.double_take == equity(brute_force.worth(doubled.take()), doubled)
    assert answered.cube.double_drop == equity(brute_force.worth(doubled.drop()), doubled) == pytest.approx(1)
    assert answered.equity == answered.cube.equity_double


def check_plays(rolled: MatchState, best: float) -> None:
    candidates = bearoff.solve(rolled).candidates
    assert {candidate.position for candidate in candidates} == {play.position for play in rolled.legal_plays}
    assert candidates[0].equity == best
    for candidate in candidates:
        assert candidate.equity == equity(brute_force.worth(rolled.play(candidate.play)), rolled)


class TestBruteForce:
    @loop.rows(
        "state",
        state_of(TWO_ROLLS, ONE_ROLL),
        state_of(TWO_ROLLS, ONE_ROLL, rules=Rules(jacoby=True, beavers=1)),
        state_of(TWO_ROLLS, ONE_ROLL, cube=Cube(2, BLACK)),
        state_of(TWO_ROLLS, ONE_ROLL, rules=Rules(max_cube=2)),
        state_of(TWO_ROLLS, ONE_ROLL, rules=Rules(cube=False)),
        state_of(TWO_ROLLS, THREE_ROLLS, 7, score=(5, 6)),  # the Crawford game
        state_of(TWO_ROLLS, THREE_ROLLS, 7, score=(5, 6), crawford=False),
        state_of(TWO_ROLLS, THREE_ROLLS, 7, score=(6, 5), crawford=False),  # dead for White alone
        state_of({6: 1, 2: 1}, THREE_ROLLS, 7, score=(3, 5), cube=Cube(2, WHITE)),
        state_of(TWO_ROLLS, THREE_ROLLS, 3, cube=Cube(8, BLACK)),  # far beyond what they need
        state_of(TWO_ROLLS, THREE_ROLLS, 3, rules=Rules(cube=False)),
        state_of({6: 1}, STACK, 5, score=(1, 2)),
        state_of({4: 1}, BACKGAMMON, 5, score=(1, 2), cube=Cube(2, BLACK)),
        state_of({4: 1}, BACKGAMMON, rules=Rules(beavers=3)),
        state_of({4: 1}, BACKGAMMON, rules=Rules(jacoby=True)),
        state_of({4: 1}, BACKGAMMON, rules=Rules(backgammons=False), cube=Cube(2, WHITE)),
        state_of(STACK, {1: 3}, 4, score=(1, 2)),
    )
    def test_scores_cubes_and_gammons(self, state: MatchState) -> None:
        check(state)

    @pytest.mark.long
    @settings(max_examples=100, deadline=None)
    @given(st.data())
    def test_any_score(self, data: st.DataObject) -> None:
        check(data.draw(states()))


def sides() -> st.SearchStrategy[Side]:
    places = st.lists(st.integers(1, 5), min_size=1, max_size=3)
    return places.map(lambda chosen: {place: chosen.count(place) for place in chosen})


@st.composite
def states(draw: st.DrawFn) -> MatchState:
    """Bear-offs of a few checkers at any score of a short match."""
    mine, theirs, length = draw(sides()), draw(sides()), draw(st.integers(1, 6))
    score = draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1))
    cube = draw(st.sampled_from([Cube(), Cube(2, WHITE), Cube(2, BLACK), Cube(4, WHITE)]))
    crawford = None if cube == Cube() else False
    state = state_of(mine, theirs, length, score=score, cube=cube, crawford=crawford)
    return draw(st.sampled_from([state, state.swap_players()]))


@loop.rows(
    "xgid, no_double, double_take",
    ("XGID=-ADAA------------------dd-:1:-1:-1:D:1:2:0:7:10", 0.824, 1.168),
    ("XGID=-AD-B-----------A----b-ed-:1:-1:-1:00:1:2:0:7:10", 0.839, 1.078),
    ("XGID=-AD-B-A----------------ee-:1:-1:-1:00:1:2:0:7:10", 0.680, 0.689),
    ("XGID=------A--------------a-a--:0:0:1:00:0:0:1:0:10", 0.611, 1.222),
)
def test_values_of_a_stranger(xgid: str, no_double: float, double_take: float) -> None:
    cube = bearoff.solve(MatchState.from_xgid(xgid)).cube
    assert cube
    assert (cube.no_double, cube.double_take, cube.double_drop) == pytest.approx((no_double, double_take, 1), abs=5e-4)


@loop.rows(
    "state, five",
    (state_of(ONE_ROLL, STACK), (1, 1, 0, 0, 0)),
    (state_of(ONE_ROLL, BACKGAMMON, 9), (1, 1, 1, 0, 0)),
    (state_of(STACK, ONE_ROLL, 9), (0, 0, 0, 0, 0)),
    (state_of(BACKGAMMON, ONE_ROLL, 9), (0, 0, 0, 34 / 36, 0)),  # 55 and 66 save the gammon
    (state_of({6: 1}, ONE_ROLL, 9), (27 / 36, 0, 0, 0, 0)),
)
def test_chances(state: MatchState, five: tuple[float, ...]) -> None:
    for each in (state, state.swap_players()):
        chances = bearoff.solve(each).chances
        assert attrs.astuple(chances) == pytest.approx(five, abs=1e-9)


def test_a_sure_win_is_no_double() -> None:
    cube = bearoff.solve(state_of(ONE_ROLL, {6: 4}, 7)).cube
    assert cube
    assert (cube.no_double, cube.double_drop, cube.best) == (1, 1, Action.ROLL)


def test_another_table() -> None:
    state, table = state_of(TWO_ROLLS, {4: 2}, 5, score=(1, 2)), MatchEquityTable.from_gammon_rate(0.25)
    solution = bearoff.solve(state, table=table)
    assert solution.mwc == pytest.approx(brute_force.worth(state, table), abs=1e-9)
    assert solution != bearoff.solve(state)


SHORT = MatchEquityTable("short", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.5))
FULL: Side = {6: 3, 5: 3, 4: 3, 3: 3, 2: 3}


@loop.rows(
    "state, options, named",
    (MatchState.new(7), {}, "roll"),
    (MatchState.new(7).opening_roll(3, 1), {}, "contact"),
    (state_of(ONE_ROLL, ONE_ROLL).resign(), {}, "resigned"),
    (state_of(ONE_ROLL, ONE_ROLL, rules=Rules(beavers=1)).double().beaver(), {}, "beaver"),
    (MatchState(Position.of({1: 2}, {1: 2}, checkers=3), WHITE), {}, "3"),
    (state_of(ONE_ROLL, ONE_ROLL, rules=Rules(cube=False, scoring="pips")), {}, "pip"),
    (state_of(ONE_ROLL, STACK, rules=Rules(jacoby=True, beavers=1)), {}, "Jacoby"),
    (state_of(ONE_ROLL, ONE_ROLL, 5, rules=Rules(backgammons=False)), {}, "gammons"),
    (state_of(ONE_ROLL, ONE_ROLL, 5, rules=Rules(crawford=False)), {}, "Crawford"),
    (state_of(ONE_ROLL, ONE_ROLL, 5, rules=Rules(max_cube=2)), {}, "cube"),
    (state_of(ONE_ROLL, ONE_ROLL, 5), {"table": SHORT}, "short"),
    (state_of(FULL, FULL, 5), {}, "3,000,000"),
    (state_of(ONE_ROLL, ONE_ROLL, 5), {"limit": 9999}, "9,999"),
)
def test_what_is_not_solved(state: MatchState, options: dict[str, Any], named: str) -> None:
    with pytest.raises(bearoff.NotSolvedError) as error:
        bearoff.solve(state, **options)
    wording.check(error.value, named)
