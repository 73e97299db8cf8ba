"""A table computed from a few assumptions."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from gammonrules import ArgumentError
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable, read_table

MEC26 = Path("/usr/share/gnubg/met/mec26.xml")


def differences(table: MatchEquityTable, other: MatchEquityTable) -> list[float]:
    rows = zip(table.before_crawford, other.before_crawford, strict=True)
    return [abs(mine - theirs) for row in rows for mine, theirs in zip(*row, strict=True)]


def test_how_far_it_is_from_the_table_of_rollouts() -> None:
    apart = differences(MatchEquityTable.from_gammon_rate(), KAZAROSS_XG2)
    assert math.sqrt(sum(difference**2 for difference in apart) / len(apart)) == pytest.approx(0.00605, abs=5e-6)
    assert max(apart) == pytest.approx(0.01030, abs=5e-6)


@pytest.mark.long
@pytest.mark.skipif(not MEC26.exists(), reason="GNU Backgammon is not installed")
def test_all_cells_of_the_table_with_a_gammon_rate_of_26_percent() -> None:
    """It has three decimals."""
    assert max(differences(MatchEquityTable.from_gammon_rate(0.26), read_table(MEC26))) < 0.000501


@given(st.floats(0, 0.5), st.floats(0, 0.1), st.floats(0, 0.05))
def test_after_the_crawford_game_a_trailer_has_what_a_double_leaves_and_less_where_the_leader_may_drop(
    rate: float, drop: float, other: float
) -> None:
    row = MatchEquityTable.from_gammon_rate(
        rate, length=12, free_drop_2_away=drop, free_drop_4_away=other
    ).after_crawford
    after = dict.fromkeys(range(-3, 1), 1.0) | dict(enumerate(row, 1))
    assert after[1] == 0.5
    for away in range(2, 13):
        taken = sum(part * after[away - won] for part, won in ((0.5 - rate / 2, 2), (rate / 2, 4)))
        assert after[away] == pytest.approx(taken - {2: drop, 4: other}.get(away, 0))
        assert after[away] <= after[away - 1] + 1e-12


@given(st.floats(0, 0.95), st.floats(0, 0.1), st.floats(0, 0.05), st.integers(1, 20))
def test_every_choice_of_numbers_gives_a_table(rate: float, drop: float, other: float, length: int) -> None:
    table = MatchEquityTable.from_gammon_rate(rate, length=length, free_drop_2_away=drop, free_drop_4_away=other)
    rows = table.before_crawford
    assert len(rows) == len(table.after_crawford) == length
    assert all(rows[i][j] + rows[j][i] == pytest.approx(1) for i in range(length) for j in range(length))


def test_other_numbers_are_refused() -> None:
    for call in (
        lambda: MatchEquityTable.from_gammon_rate(0.96),
        lambda: MatchEquityTable.from_gammon_rate(math.nan),
        lambda: MatchEquityTable.from_gammon_rate("0.2"),  # type: ignore[arg-type]
        lambda: MatchEquityTable.from_gammon_rate(length=65),
        lambda: MatchEquityTable.from_gammon_rate(length=0),
        lambda: MatchEquityTable.from_gammon_rate(-0.01),
        lambda: MatchEquityTable.from_gammon_rate(free_drop_2_away=0.2),
        lambda: MatchEquityTable.from_gammon_rate(free_drop_4_away=0.06),
    ):
        with pytest.raises(ArgumentError, match="must be a"):
            call()
