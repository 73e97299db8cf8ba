"""What a game is worth at a score: windows, gammon values, and equities from chances, against GNU Backgammon."""

from __future__ import annotations

import csv
from pathlib import Path

import attrs
import pytest
from hypothesis import assume, example, given, strategies as st

import loop
from gammonrules import ArgumentError, Cube, MatchState, Player, Rules, Win
from gammonrules.analysis.internals import five_of
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.equity.internals import stakes_of

DATA = Path(__file__).parents[1] / "data"
window, value, worth = KAZAROSS_XG2.doubling_window, KAZAROSS_XG2.gammon_value, KAZAROSS_XG2.chance_from
MONEY = MatchState.new(None, rules=Rules(jacoby=False)).opening_roll(white=3, black=1)
WHITE, BLACK = Player


def stored(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_windows_and_gammon_values_are_those_of_gnu_backgammon() -> None:
    for row in stored("gnubg_windows.tsv"):
        state, player = MatchState.from_gnubg_id(row["gnubg_id"]), WHITE if row["player"] == "X" else BLACK
        dead, live = window(state, player), window(state, player, efficiency=1)
        assert dead is not None
        assert live is not None
        points = [100 * dead.double_point, 100 * dead.cash_point, 100 * live.cash_point]
        expected = [row["double"], row["cash"], row["live_cash"] or row["cash"]]
        assert points == pytest.approx([float(number) for number in expected], abs=0.0051)
        values = value(state, player), value(state, player, Win.BACKGAMMON)
        assert values == pytest.approx((float(row["gammon"]), float(row["backgammon"])), abs=6e-6)


def test_chances_are_worth_what_gnu_backgammon_makes_of_them() -> None:
    for row in stored("gnubg_evaluations.tsv"):
        state = MatchState.from_gnubg_id(row["gnubg_id"])
        chances = Chances(*(float(row[field.name]) for field in attrs.fields(Chances)))
        of = worth if state.length else KAZAROSS_XG2.equity_from
        equities = of(chances, state), of(chances, state, efficiency=0.68)
        # The five chances are rounded to five decimals.
        assert equities == pytest.approx((float(row["cubeless"]), float(row["cubeful"])), abs=4e-5)


def five(win: float, gammons: float, backgammons: float, lost: float, lost_backgammons: float) -> Chances:
    lose = 1 - win
    return Chances(win, win * gammons, win * gammons * backgammons, lose * lost, lose * lost * lost_backgammons)


chances = st.builds(five, st.floats(0.01, 0.99), *[st.floats(0, 0.9)] * 4)
efficiencies = st.floats(0, 1)


@st.composite
def states(draw: st.DrawFn) -> MatchState:
    """Any score that the table knows, with a cube that somebody may own."""
    length = draw(st.integers(1, 25))
    score = draw(st.tuples(*[st.integers(0, length - 1)] * 2))
    cube = draw(st.sampled_from([Cube(), *(Cube(value, player) for value in (2, 4, 8) for player in Player)]))
    crawford = None if cube == Cube() else False
    start = MatchState.new(length, score=score, crawford=crawford if length - 1 in score else None)
    return attrs.evolve(start.opening_roll(*draw(st.sampled_from([(3, 1), (1, 3)]))), cube=cube)


@given(states(), chances, efficiencies)
def test_what_one_player_wins_the_other_loses(state: MatchState, five: Chances, efficiency: float) -> None:
    mine, theirs = worth(five, state, WHITE, efficiency), worth(five.flip(), state, BLACK, efficiency)
    assert mine is not None
    assert theirs is not None
    assert mine + theirs == pytest.approx(1)
    swapped = worth(five, state.swap_players(), BLACK, efficiency)
    assert swapped == pytest.approx(mine)


@given(states(), chances, efficiencies)
# All doubles from the lower point on are worth the same as none.
@example(MatchState.new(2).opening_roll(white=3, black=1), five(0.4, 0.1, 0, 0.02, 0), 1)
# Where all losses are gammons, doubling risks nothing at first, and then it does.
@example(MatchState.new(5, score=(2, 3)).opening_roll(white=3, black=1), five(0.1, 0, 0, 1, 0), 0.68)
@example(MatchState.new(9, score=(6, 6)).opening_roll(white=3, black=1), five(0.5, 0.3, 0.5, 1, 1), 0.68)
# With so many gammons it is better to play on, up to a chance above the cash point.
@example(MatchState.new(2).opening_roll(white=3, black=1), five(0.5, 0.7, 0, 0, 0), 0.68)
def test_at_the_points_of_a_window_two_actions_are_worth_the_same_and_between_them_a_double_loses_nothing(
    state: MatchState, five: Chances, efficiency: float
) -> None:
    window_of_state, player = window(state, None, five, efficiency), state.on_roll
    away = state.away
    assert player is not None
    assert away is not None
    doubled = 2 * state.cube.value
    assume(window_of_state is not None and (efficiency == 1 or not away[player] <= doubled < away[player.opponent]))
    assert window_of_state is not None
    assert 0 <= window_of_state.double_point <= 1
    assert 0 <= window_of_state.cash_point <= 1
    assert window_of_state.take_point == 1 - window_of_state.cash_point
    taken = attrs.evolve(state, dice=None, cube=Cube(doubled, player.opponent))

    def at(win: float, where: MatchState) -> float | None:
        part, lost = win / five.win, (1 - win) / five.lose
        parts = five.win_gammon * part, five.win_backgammon * part, five.lose_gammon * lost, five.lose_backgammon * lost
        return worth(Chances(win, *parts), where, player, efficiency)

    assert at(window_of_state.cash_point, taken) == pytest.approx(
        KAZAROSS_XG2.chance_after(state, player, state.cube.value)
    )

    def gain(win: float) -> float:
        doubled, kept = at(win, taken), at(win, state)
        assert doubled is not None
        assert kept is not None
        return doubled - kept

    low, high = window_of_state.double_point, window_of_state.cash_point
    if 0 < low < 1:
        assert gain(low) == pytest.approx(0)
        assert gain(low * (1 - 1e-5)) < 0
    assert all(gain(low + (high - low) * step / 20) >= -1e-9 for step in range(21) if low < high)
    assert high - low > -1e-9 or all(gain(low * step / 20) < 1e-9 for step in range(21))


@given(states(), chances, efficiencies)
@example(MatchState.new(5, score=(2, 3)).opening_roll(white=3, black=1), five(0.1, 0, 0, 1, 0), 0.68)
def test_a_double_that_is_taken_is_worth_the_state_after_it(
    state: MatchState, five: Chances, efficiency: float
) -> None:
    """Or, where only the opponent lives on after it, what they redouble to at once: a take costs a drop there, too."""
    player, away = state.on_roll, state.away
    window_of_state = window(state, None, five, efficiency)
    assume(window_of_state is not None)
    assert player is not None
    assert away is not None
    assert window_of_state is not None
    doubled = 2 * state.cube.value
    taken = attrs.evolve(state, dice=None, cube=Cube(doubled, player.opponent))
    stakes = stakes_of(KAZAROSS_XG2, state, player)
    assert stakes is not None
    if away[player] <= doubled < away[player.opponent]:
        dead = attrs.evolve(taken, cube=Cube(2 * doubled, player))
        expected = worth(five, dead, player)
    else:
        expected = worth(five, taken, player, efficiency)
    assert stakes.with_chances(five_of(five)).taken_at(efficiency) == pytest.approx(expected)


@given(chances, efficiencies, st.integers(0, 5))
def test_the_formulas_of_janowski_for_money_play(five: Chances, efficiency: float, turns: int) -> None:
    won, lost = (side.win + side.win_gammon + side.win_backgammon for side in (five, five.flip()))
    won, lost = won / five.win, lost / five.lose
    owned = attrs.evolve(MONEY, cube=Cube(2 << turns, MONEY.on_roll))
    window_owned = window(owned, None, five, efficiency)
    assert window_owned is not None
    whole = won + lost + efficiency / 2
    assert window_owned.take_point == pytest.approx((won - 0.5) / whole, abs=1e-5)
    assert window_owned.double_point == pytest.approx((lost + efficiency) / whole, abs=1e-5)
    expected = five.win * whole - lost
    equity = KAZAROSS_XG2.equity_from(five, owned, None, efficiency)
    if five.win < window_owned.cash_point:
        assert equity == pytest.approx(expected, abs=1e-4)


@loop.over("turns", range(1, 6))
def test_each_turn_that_is_left_makes_a_live_cube_more_useful(turns: int) -> None:
    """The last cube is dropped at 3/4; any other where its owner has a quarter of the way to their own cash point."""
    cash_point = 3 / 4
    for _ in range(turns - 1):
        cash_point = 1 - cash_point / 4
    live = window(attrs.evolve(MONEY, rules=Rules(jacoby=False, max_cube=2**turns)), efficiency=1)
    assert live is not None
    assert live.cash_point == pytest.approx(cash_point)


def test_in_money_play_a_gammon_counts_if_the_rules_say_so() -> None:
    jacoby = attrs.evolve(MONEY, rules=Rules(jacoby=True))
    turned = attrs.evolve(jacoby, cube=Cube(2, WHITE))
    assert [value(state) for state in (MONEY, jacoby, turned)] == [0.5, 0, 0.5]
    assert value(MONEY, win=Win.BACKGAMMON) == 1
    five = Chances(0.6, 0.2, 0, 0.1, 0)
    equities = [KAZAROSS_XG2.equity_from(five, state, WHITE) for state in (MONEY, jacoby, turned)]
    assert equities == pytest.approx([0.3, 0.2, 0.3])
    assert worth(five, MONEY) is None


def test_without_a_legal_double_there_is_no_window() -> None:
    seven = MatchState.new(7).opening_roll(white=3, black=1)
    for state, player in (
        (MatchState.new(7, score=(6, 2)), BLACK),  # the Crawford game
        (MatchState.new(7, score=(6, 2), crawford=False), WHITE),  # a dead cube
        (attrs.evolve(seven, cube=Cube(2, WHITE)), BLACK),
        (attrs.evolve(seven, rules=Rules(cube=False)), WHITE),
        (MatchState.new(30), WHITE),
        (MatchState.new(7), None),  # nobody is on roll
        (attrs.evolve(MONEY, rules=Rules(scoring="pips", cube=False)), WHITE),
    ):
        assert window(state, player) is None
    assert window(MatchState.new(7, score=(6, 2), crawford=False), BLACK).double_point == 0
    # A risk of 0.003, however small, is one; GNU Backgammon has 52.48 %.
    assert window(MatchState.new(25, score=(0, 21)), WHITE).double_point == pytest.approx(0.5248, abs=5e-5)
    assert (
        value(MatchState.new(30), WHITE)
        is value(MatchState.new(7))
        is worth(Chances(1, 0, 0, 0, 0), MatchState.new(30), WHITE)
        is None
    )
    doubled = seven.play("8/5 6/5").double()
    assert window(doubled) == window(attrs.evolve(doubled, offer=None))


def test_who_may_not_redouble_takes_less() -> None:
    """The cube would win the match for the doubler, 3 away, only; so it is turned again unless the rules end at 4."""
    for rules, cash in ((None, 84.18), (Rules(max_cube=4), 78.93)):
        state = MatchState(MONEY.position, BLACK, score=(2, 4), length=7, cube=Cube(2, BLACK), rules=rules)
        window_there = window(state)
        assert window_there is not None
        assert 100 * window_there.cash_point == pytest.approx(cash, abs=0.005)


def test_what_is_no_chances_efficiency_or_win_is_refused() -> None:
    five = Chances(0.5, 0, 0, 0, 0)
    for call in (
        lambda: worth((0.5, 0, 0, 0), MONEY),  # type: ignore[arg-type]
        lambda: KAZAROSS_XG2.equity_from(five, MONEY, efficiency=1.1),
        lambda: KAZAROSS_XG2.equity_from(five, "money"),  # type: ignore[arg-type]
        lambda: window(MONEY, efficiency=float("nan")),
        lambda: window(MONEY, chances=0.5),  # type: ignore[arg-type]
        lambda: value(MONEY, win=2),  # type: ignore[arg-type]
    ):
        with pytest.raises(ArgumentError):
            call()


@given(st.lists(st.floats(-0.2, 1.2) | st.floats(0.299, 0.302), min_size=5, max_size=5))
@example([0.9, 0.1, 0, 0.2, 0])
@example([0.3, 0.3009, 0.3018, 0.7009, 0])
def test_chances_fit_together_but_for_rounding_or_are_cut(five: list[float]) -> None:
    cut = Chances.nested(*five)
    assert 0 <= cut.win_backgammon <= cut.win_gammon <= cut.win <= 1
    assert 0 <= cut.lose_backgammon <= cut.lose_gammon <= cut.lose
    assert Chances.nested(*attrs.astuple(cut)) == cut
    excess = max(five[1] - five[0], five[2] - five[1], five[3] - (1 - five[0]), five[4] - five[3])
    if min(five) < 0 or max(five) > 1 or excess > 0.00101:
        with pytest.raises(ArgumentError):
            Chances(*five)
    elif excess < 0.00099:
        made = Chances(*five)
        assert min(made.exclusive.values()) >= 0
        assert sum(made.exclusive.values()) == pytest.approx(1)
        assert excess > 0 or cut == made
        assert made.flip().exclusive == pytest.approx({-points: chance for points, chance in made.exclusive.items()})


def test_nested_chances_are_finite_numbers() -> None:
    for wrong in (float("nan"), float("inf"), "0.5", None):
        with pytest.raises(ArgumentError):
            Chances.nested(0.5, wrong, 0, 0, 0)  # type: ignore[arg-type]


@given(chances)
def test_exclusive_chances_are_the_same_chances(five: Chances) -> None:
    assert sum(five.exclusive.values()) == pytest.approx(1)
    for chance, outcomes in zip(attrs.astuple(five), ((1, 2, 3), (2, 3), (3,), (-2, -3), (-3,)), strict=True):
        assert sum(five.exclusive[outcome] for outcome in outcomes) == pytest.approx(chance)
