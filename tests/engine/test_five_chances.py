"""Five numbers are accepted wherever the chances of a game are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, strategies as st

import loop
import wording
from gammonrules import ArgumentError, MatchState, Rules
from gammonrules.analysis.internals import five_of
from gammonrules.engine import Evaluation
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.records import Candidate, CubeAnalysis

window, worth = KAZAROSS_XG2.doubling_window, KAZAROSS_XG2.chance_from
MONEY = MatchState.new(None, rules=Rules(jacoby=False)).opening_roll(white=3, black=1)


@given(st.from_type(Chances), st.sampled_from((MONEY, MatchState.new(7, score=(3, 2)).opening_roll(white=3, black=1))))
def test_five_numbers_count_as_their_chances(chances: Chances, state: MatchState) -> None:
    win, *others = five_of(chances)
    a, b, c, d = others
    five, as_list = (win, a, b, c, d), [win, *others]
    for call in worth, KAZAROSS_XG2.equity_from:
        expected = call(chances, state, efficiency=0.68)
        assert call(five, state, efficiency=0.68) == call(as_list, state, efficiency=0.68) == expected
    assert window(state, chances=five) == window(state, chances=as_list) == window(state, chances=chances)
    after = state.position
    assert Candidate("8/5 6/5", after, chances=five) == Candidate("8/5 6/5", after, chances=chances)
    cube = CubeAnalysis(chances=as_list, chances_double_take=five)
    assert cube == CubeAnalysis(chances=chances, chances_double_take=chances)
    assert Evaluation(five, 0.1) == Evaluation(as_list, 0.1) == Evaluation(chances, 0.1)


@loop.rows(
    ("chances", "example"),
    (0.5, "chances must be Chances or five numbers from 0 to 1 (win, win_gammon, "),
    ("0.5 0 0", "such as (0.55, 0.15, 0.01, 0.12, 0.005), not '0.5 0 0'"),
    ((0.5, 0, 0, 0), "not (0.5, 0, 0, 0), with 4 items"),
    ((0.5, 0.6, 0, 0, 0), "impossible chances: win_gammon is 0.6, but win, which includes it, 0.5"),
    ([0.5, 0, 0, 0, -1], "impossible chances: lose_backgammon must be a number from 0 to 1, not -1"),
    ((float("nan"), 0, 0, 0, 0), "impossible chances: win must be a number from 0 to 1, not nan"),
    (("0.5", 0, 0, 0, 0), "impossible chances: win must be a number from 0 to 1, not '0.5'"),
)
def test_numbers_that_are_no_chances(chances: object, example: str) -> None:
    calls: tuple[Callable[[Any], object], ...] = (
        lambda five: worth(five, MONEY),
        lambda five: window(MONEY, chances=five),
        lambda five: Candidate("8/5 6/5", MONEY.position, chances=five),
        lambda five: CubeAnalysis(chances=five),
        lambda five: Evaluation(five, 0.1),
    )
    for call in calls:
        with wording.raises(ArgumentError, example):
            call(chances)
    with wording.raises(ArgumentError, "chances_double_take must be Chances or five numbers from 0 to 1"):
        CubeAnalysis(chances_double_take=chances)  # type: ignore[arg-type]
