"""Tables computed from a few assumptions."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gammonrules import ArgumentError
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable, mec, read, zadeh

MEC26 = Path("/usr/share/gnubg/met/mec26.xml")


def differences(one: MatchEquityTable, other: MatchEquityTable) -> list[float]:
    rows = zip(one.before_crawford, other.before_crawford, strict=True)
    return [abs(mine - theirs) for row in rows for mine, theirs in zip(*row, strict=True)]


@pytest.mark.parametrize(("table", "rms", "most"), [(mec(), 0.00605, 0.01030), (zadeh(), 0.00207, 0.01014)])
def test_how_far_they_are_from_the_table_of_rollouts(table: MatchEquityTable, rms: float, most: float) -> None:
    found = differences(table, KAZAROSS_XG2)
    assert math.sqrt(sum(one**2 for one in found) / len(found)) == pytest.approx(rms, abs=5e-6)
    assert max(found) == pytest.approx(most, abs=5e-6)


@pytest.mark.long
@pytest.mark.skipif(not MEC26.exists(), reason="GNU Backgammon is not installed")
def test_all_cells_of_the_table_with_a_gammon_rate_of_26_percent() -> None:
    """It has three decimals."""
    assert max(differences(mec(0.26), read(MEC26))) < 0.000501


def test_after_the_crawford_game_an_even_number_of_points_is_hardly_worse_than_the_odd_one_before() -> None:
    assert mec(0.2).after_crawford[:5] == pytest.approx((0.5, 0.5, 0.3, 0.3, 0.17))
    assert mec(0.2, free_drop_2_away=0.02, free_drop_4_away=0.01).after_crawford[:5] == pytest.approx(
        (0.5, 0.48, 0.3, 0.29, 0.17)
    )


RATES, SMALL, LENGTHS = st.floats(0, 0.5), st.floats(0, 0.1), st.integers(1, 20)


@given(RATES, RATES, RATES, SMALL, SMALL, SMALL, LENGTHS)
def test_every_choice_of_numbers_gives_a_table(
    one: float, two: float, three: float, small: float, smaller: float, drop: float, length: int
) -> None:
    numbers = {"gammon_rate_leader": one, "gammon_rate_trailer": two, "gammon_rate_crawford": three}
    for table in (
        mec(one, length=length, free_drop_2_away=small, free_drop_4_away=drop),
        zadeh(length=length, delta=small, delta_bar=smaller, free_drop_2_away=drop, **numbers),
    ):
        rows = table.before_crawford
        assert len(rows) == len(table.after_crawford) == length
        assert all(rows[i][j] + rows[j][i] == pytest.approx(1) for i in range(length) for j in range(length))


def test_other_numbers_are_refused() -> None:
    for call in (
        lambda: mec(0.6),
        lambda: mec(math.nan),
        lambda: mec("0.2"),  # type: ignore[arg-type]
        lambda: mec(length=65),
        lambda: zadeh(length=0),
        lambda: zadeh(delta=-0.01),
        lambda: mec(free_drop_2_away=0.2),
    ):
        with pytest.raises(ArgumentError, match="must be a"):
            call()
