"""Tables computed from a few assumptions."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import loop
from gammonrules import ArgumentError
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable, mec, read, zadeh

MEC26 = Path("/usr/share/gnubg/met/mec26.xml")
RARE = {
    "gammon_rate_leader": 0.3,
    "gammon_rate_trailer": 0.2,
    "gammon_rate_crawford": 0.3,
    "delta": 0.05,
    "delta_bar": 0.03,
    "free_drop_2_away": 0.03,
    "free_drop_4_away": 0.01,
}


def differences(table: MatchEquityTable, other: MatchEquityTable) -> list[float]:
    rows = zip(table.before_crawford, other.before_crawford, strict=True)
    return [abs(mine - theirs) for row in rows for mine, theirs in zip(*row, strict=True)]


@loop.rows(("table", "rms", "most"), (mec(), 0.00605, 0.01030), (zadeh(), 0.00213, 0.01014))
def test_how_far_they_are_from_the_table_of_rollouts(table: MatchEquityTable, rms: float, most: float) -> None:
    apart = differences(table, KAZAROSS_XG2)
    assert math.sqrt(sum(difference**2 for difference in apart) / len(apart)) == pytest.approx(rms, abs=5e-6)
    assert max(apart) == pytest.approx(most, abs=5e-6)


@pytest.mark.long
@pytest.mark.skipif(not MEC26.exists(), reason="GNU Backgammon is not installed")
def test_all_cells_of_the_table_with_a_gammon_rate_of_26_percent() -> None:
    """It has three decimals."""
    assert max(differences(mec(0.26), read(MEC26))) < 0.000501


def test_tables_are_those_of_gnu_backgammon() -> None:
    """As it imports XML with these parameters and `<length>25`: player 0 after and in the Crawford game, and 4 away."""
    for table, after, crawford, row in (
        (
            zadeh(),
            [0.5, 0.485, 0.3125, 0.302875, 0.179688, 0.174203, 0.106445, 0.103186, 0.062378, 0.060470],
            [0.312500, 0.244375, 0.177812, 0.152641, 0.105242, 0.087787, 0.061692, 0.052000],
            [0.322894, 0.425518, 0.5, 0.577182, 0.644691, 0.700621, 0.747488, 0.789351],
        ),
        (
            zadeh(**RARE),
            [0.5, 0.47, 0.325, 0.3045, 0.18875, 0.177075, 0.114812, 0.107651, 0.068497, 0.064239],
            [0.325, 0.2395, 0.18425, 0.155325, 0.111737, 0.090289, 0.066746, 0.054900],
            [0.336427, 0.432947, 0.5, 0.574671, 0.640689, 0.695054, 0.739410, 0.781030],
        ),
    ):
        assert table.after_crawford[:10] == pytest.approx(after, abs=1e-6)
        assert [cells[0] for cells in table.before_crawford[1:9]] == pytest.approx(crawford, abs=1e-6)
        assert table.before_crawford[3][1:9] == pytest.approx(row, abs=1e-6)


@given(st.sampled_from((mec, zadeh)), st.floats(0, 0.5), st.floats(0, 0.1), st.floats(0, 0.05))
def test_after_the_crawford_game_a_trailer_has_what_a_double_leaves_and_less_where_the_leader_may_drop(
    method: Callable[..., MatchEquityTable], rate: float, drop: float, other: float
) -> None:
    name = "gammon_rate" if method is mec else "gammon_rate_crawford"
    row = method(length=12, free_drop_2_away=drop, free_drop_4_away=other, **{name: rate}).after_crawford
    after = dict.fromkeys(range(-3, 1), 1.0) | dict(enumerate(row, 1))
    assert after[1] == 0.5
    for away in range(2, 13):
        taken = sum(part * after[away - won] for part, won in ((0.5 - rate / 2, 2), (rate / 2, 4)))
        assert after[away] == pytest.approx(taken - {2: drop, 4: other}.get(away, 0))
        assert after[away] <= after[away - 1] + 1e-12


RATES, SMALL, LENGTHS = st.floats(0, 0.5), st.floats(0, 0.1), st.integers(1, 20)


@given(RATES, RATES, RATES, SMALL, SMALL, st.floats(0, 0.05), LENGTHS)
def test_every_choice_of_numbers_gives_a_table(
    leader: float, trailer: float, crawford: float, small: float, smaller: float, drop: float, length: int
) -> None:
    numbers = {"gammon_rate_leader": leader, "gammon_rate_trailer": trailer, "gammon_rate_crawford": crawford}
    for table in (
        mec(leader, length=length, free_drop_2_away=small, free_drop_4_away=drop),
        zadeh(length=length, delta=small, delta_bar=smaller, free_drop_2_away=drop, **numbers),
    ):
        rows = table.before_crawford
        assert len(rows) == len(table.after_crawford) == length
        assert all(rows[i][j] + rows[j][i] == pytest.approx(1) for i in range(length) for j in range(length))


def test_other_numbers_are_refused() -> None:
    for call in (
        lambda: mec(0.96),
        lambda: mec(math.nan),
        lambda: mec("0.2"),  # type: ignore[arg-type]
        lambda: mec(length=65),
        lambda: zadeh(length=0),
        lambda: zadeh(delta=-0.01),
        lambda: mec(free_drop_2_away=0.2),
        lambda: zadeh(free_drop_4_away=0.06),
    ):
        with pytest.raises(ArgumentError, match="must be a"):
            call()
