"""Equities and windows of many states: in every row the numbers that `MatchEquityTable` has for the state."""

from __future__ import annotations

import random
import sys
from functools import partial

import attrs
import pytest
from hypothesis import given, strategies as st

import loop
import processes
import wording
from gammonrules import ArgumentError, Cube, GammonError, MatchState, Player, Rules
from gammonrules.equity import (
    KAZAROSS_XG2,
    Chances,
    MatchEquityTable,
    cubeless_equities,
    doubling_windows,
    equities,
    flip,
    nested,
)

np = pytest.importorskip("numpy")
batch = pytest.importorskip("gammonrules.batch")

BLACKS = MatchEquityTable("two", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.4), (0.5, 0.3))
EVEN = MatchEquityTable("even", ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5))
METS = KAZAROSS_XG2, MatchEquityTable.from_gammon_rate(length=12), BLACKS, EVEN
CORNERS = (1, 1, 1, 0, 0), (0, 0, 0, 1, 1), (1, 0, 0, 0, 0), (0, 0, 0, 0, 0), (0.5, 0.5, 0, 0.5, 0.5)


def any_rules(rng: random.Random) -> Rules:
    if rng.random() < 0.05:
        return Rules(scoring="pips", cube=False, jacoby=False)
    gammons = rng.random() < 0.9
    return Rules(
        crawford=rng.random() < 0.8,
        jacoby=rng.random() < 0.5,
        cube=rng.random() < 0.9,
        max_cube=rng.choice((None, None, 2, 4, 64)),
        gammons=gammons,
        backgammons=gammons and rng.random() < 0.8,
    )


def any_state(rng: random.Random, length: int | None, rules: Rules) -> MatchState:
    """A state before, in or after a game, with any cube that the rules allow and perhaps a double."""
    while True:
        score = (0, 0) if length is None else (rng.randrange(length), rng.randrange(length))
        try:
            state = MatchState.new(length, rules=rules, score=score, crawford=rng.choice((None, False)))
            if rng.random() < 0.95:
                state = state.opening_roll(*rng.choice(((3, 1), (1, 3))))
            if rng.random() < 0.5:
                state = attrs.evolve(state, cube=Cube(rng.choice((2, 4, 8)), rng.choice((*Player,))))
            if rng.random() < 0.2:
                state = attrs.evolve(state, dice=None).double()
            return state.resign().accept() if rng.random() < 0.1 else state
        except GammonError:
            continue


def any_chances(rng: random.Random) -> tuple[float, ...]:
    if rng.random() < 0.1:
        return rng.choice(CORNERS)
    win, power = rng.random(), rng.choice((0.2, 1, 3))
    gammon, lose_gammon = win * rng.random() ** power, (1 - win) * rng.random() ** power
    return win, gammon, gammon * rng.random() ** 4, lose_gammon, lose_gammon * rng.random() ** 4


def check(seed: int, number: int) -> int:
    """At random states, with a random match equity table; how many windows there are."""
    rng = random.Random(seed)
    rules = any_rules(rng)
    length = None if rules.scoring == "pips" else rng.choice((None, None, 1, 2, 3, 5, 7, 9, 13, 25, 26))
    states = [any_state(rng, length, rules) for _ in range(number)]
    five = [any_chances(rng) for _ in states]
    efficiency, met = rng.choice((0, 0.3, 0.68, 1)), rng.choice(METS)
    match_states = batch.MatchStates.from_states(states)
    computed = np.column_stack([call(match_states, five, efficiency, met=met) for call in (equities, doubling_windows)])
    expected, nothing = [], (np.nan, np.nan)
    for state, row in zip(states, five, strict=True):
        window = met.doubling_window(state, None, Chances(*row), efficiency)
        equity = met.equity_from(Chances(*row), state, None, efficiency)
        expected.append([np.nan if equity is None else equity, *(attrs.astuple(window) if window else nothing)])
    assert computed == pytest.approx(np.array(expected), rel=0, abs=1e-12, nan_ok=True)
    return int(np.isfinite(computed[:, 1]).sum())


@given(st.integers(0, 2**32))
def test_each_row_has_the_numbers_of_its_state(seed: int) -> None:
    check(seed, 4)


def test_many_rows_have_the_numbers_of_their_states() -> None:
    """More than are counted at a time, and of all kinds."""
    assert sum(check(seed, 40) for seed in range(10)) > 100
    states = [MatchState.new(7, score=(a, b)).opening_roll(3, 1) for a in range(7) for b in range(7)]
    at, rng = np.arange(20_000) % len(states), random.Random(1)
    match_states, five = batch.MatchStates.from_states(states)[at], np.array([any_chances(rng) for _ in at])
    computed = equities(match_states, five.astype(np.float32), 0.68)
    for row in (0, 8191, 8192, 19_999):
        chances_of_row = Chances(*five[row].astype(np.float32).tolist())
        assert computed[row] == pytest.approx(
            KAZAROSS_XG2.equity_from(chances_of_row, states[at[row]], efficiency=0.68), abs=1e-12
        )


def test_what_does_not_happen_need_not_be_in_the_match_equity_table() -> None:
    """This one does not say what is left 3 away once the opponent needs 1 point, to which only a lost gammon leads."""
    three = MatchEquityTable("three", ((0.5, 0.7, 0.8), (0.3, 0.5, 0.6), (0.2, 0.4, 0.5)), (0.5, 0.4))
    state = MatchState.new(3, rules=Rules(crawford=False, cube=False)).opening_roll(3, 1)
    chances = [(0.5, 0, 0, 0, 0), (0.5, 0, 0, 0.1, 0)]
    computed = equities(batch.MatchStates.from_states([state, state]), chances, met=three)
    assert computed.tolist() == pytest.approx([0, np.nan], nan_ok=True)
    assert [three.equity_from(Chances(*five), state) for five in chances] == [0, None]


def test_no_states_have_no_values() -> None:
    none = batch.MatchStates.new(0, 7)
    assert equities(none, np.zeros((0, 5))).shape == (0,)
    assert doubling_windows(none, np.zeros((0, 5))).shape == (0, 2)


FIVE = [(0.5, 0.1, 0, 0.1, 0)] * 2


@loop.rows(
    ("arguments", "options", "example"),
    ((FIVE[:1],), {}, "chances: expected five for each of 2 states, not float64 of shape (1, 5)"),
    (([[0.5] * 4] * 2,), {}, "chances: expected five for each of 2 states, not float64 of shape (2, 4)"),
    (([FIVE[0], (0.5, 0.6, 0, 0, 0)],), {}, "chances, row 1: impossible chances: win_gammon is 0.6, but win 0.5"),
    (([FIVE[0], (1.1, 0, 0, 0, 0)],), {}, "chances, row 1: impossible chances: win must be from 0 to 1, not 1.1"),
    (([(np.nan, 0, 0, 0, 0), FIVE[0]],), {}, "chances, row 0: impossible chances: win must be from 0 to 1"),
    ((FIVE, float("nan")), {}, "efficiency must be a number from 0 to 1, not nan"),
    ((FIVE,), {"met": "woolsey"}, "met must be a MatchEquityTable, not 'woolsey'"),
)
def test_nonsense(arguments: tuple[object, ...], options: dict[str, object], example: str) -> None:
    states = batch.MatchStates.new(2, 7)
    for call in (equities, doubling_windows):
        with wording.raises(ArgumentError, example):
            call(states, *arguments, **options)
        with wording.raises(ArgumentError, "states must be batch.MatchStates, not 7"):
            call(7, *arguments, **options)


@given(st.lists(st.tuples(*[st.floats(-0.5, 1.5)] * 5), min_size=1))
def test_rows_are_cut_and_turned_around_as_chances_are(rows: list[tuple[float, ...]]) -> None:
    cut = nested(rows)
    each = [Chances.nested(*row) for row in rows]
    assert cut.tolist() == [list(attrs.astuple(chances)) for chances in each]
    assert np.allclose(flip(cut), [attrs.astuple(chances.flip()) for chances in each], rtol=0, atol=1e-15)
    worth = [sum(points * chance for points, chance in chances.exclusive.items()) for chances in each]
    assert np.allclose(cubeless_equities(cut), worth, rtol=0, atol=1e-12)


@given(st.from_type(Chances))
def test_the_chances_of_a_game_are_one_row(chances: Chances) -> None:
    five = attrs.astuple(chances)
    state = batch.MatchStates.new(1, 7).apply("opening_roll", dice=[(3, 1)])
    of_state = partial(equities, state), partial(doubling_windows, state)
    for call in (nested, flip, cubeless_equities, *of_state):
        expected = call([five])
        for same in chances, five, list(five), np.array(five):
            assert np.array_equal(call(same), expected, equal_nan=True)


def test_rows_that_are_none() -> None:
    for call in nested, flip, cubeless_equities:
        for rows in None, [0.5] * 4, [[0.5] * 4] * 5, [["0.5"] * 5]:
            with wording.raises(ArgumentError, "chances: expected rows of five"):
                call(rows)
    for wrong in np.nan, np.inf:
        with wording.raises(ArgumentError, "chances, row 1: five finite numbers are needed"):
            nested([FIVE[0], (wrong, 0, 0, 0, 0)])
    assert np.isnan(cubeless_equities(flip([(np.nan,) * 5]))).all()


def test_the_package_does_without_numpy() -> None:
    """It is loaded when one of its functions is first named."""
    program = (
        "import sys; from gammonrules import equity; print('numpy' in sys.modules, callable(equity.doubling_windows))"
    )
    assert processes.run(sys.executable, "-c", program).stdout.split() == ["False", "True"]
