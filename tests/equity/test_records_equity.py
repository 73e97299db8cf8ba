"""The match equity table, and the conversion between chances of winning the match and normalized equities."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import attrs
import pytest
from hypothesis import given, strategies as st

from gammonrules import Cube, MatchState, Player
from gammonrules.equity import chance_of_match, emg_of, mwc_of
from gammonrules.equity.kazaross import LONGEST
from gammonrules.rules import MONEY

ROOT = Path(__file__).parents[2]
ORIGINAL = Path("/usr/share/gnubg/met/Kazaross-XG2.xml")
AWAYS = st.integers(1, LONGEST)


def state(length: int, score: tuple[int, int], cube: Cube | None = None, *, crawford: bool | None = None) -> MatchState:
    start = MatchState.new(length, score=score, crawford=crawford).opening_roll(white=3, black=1)
    return start if cube is None else attrs.evolve(start, cube=cube)


@given(AWAYS, AWAYS, st.booleans())
def test_the_chances_of_both_players_add_up_to_one(away: int, other: int, after_crawford: bool) -> None:
    mine, theirs = (chance_of_match(*pair, after_crawford=after_crawford) for pair in ((away, other), (other, away)))
    assert mine is not None
    assert theirs is not None
    assert mine + theirs == pytest.approx(1, abs=1e-12)


@given(st.integers(1, LONGEST - 1), AWAYS)
def test_a_point_less_to_go_never_hurts(away: int, other: int) -> None:
    nearer, farther = (chance_of_match(mine, other, after_crawford=False) for mine in (away, away + 1))
    assert nearer is not None
    assert farther is not None
    assert nearer > farther


def test_the_ends_of_a_match_are_certain_and_long_matches_unknown() -> None:
    assert chance_of_match(0, 30, after_crawford=False) == 1
    assert chance_of_match(30, -2, after_crawford=True) == 0
    assert chance_of_match(26, 1, after_crawford=False) is None
    assert emg_of(0.5, state(64, (0, 0))) is None


@pytest.mark.skipif(not ORIGINAL.exists(), reason="GNU Backgammon is not installed")
def test_the_numbers_are_those_of_the_file() -> None:
    root = ET.parse(ORIGINAL).getroot()
    before = [[float(cell.text or "") for cell in row] for row in root.findall("pre-crawford-table/row")]
    after = [float(cell.text or "") for cell in root.findall("post-crawford-table/row/me")]
    pairs = [(mine, other) for mine in range(LONGEST) for other in range(LONGEST)]
    ours = [chance_of_match(mine + 1, other + 1, after_crawford=False) for mine, other in pairs]
    assert ours == pytest.approx([before[mine][other] for mine, other in pairs], abs=1e-12)
    assert [chance_of_match(away + 1, 1, after_crawford=True) for away in range(LONGEST)] == pytest.approx(after)


def test_the_notice_goes_with_the_numbers() -> None:
    notice = (ROOT / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8")
    source = (ROOT / "src/gammonrules/equity/kazaross.py").read_text(encoding="utf-8")
    for words in ("Copyright (C) 2011 Neil Kazaross", "provided the copyright", "without any warranty"):
        assert words in notice
        assert words in source


@pytest.mark.parametrize(
    ("won", "lost", "where"),
    [
        # 4 away against 5 away, as GNU Backgammon's "show gammonvalues" has it
        (0.64795, 0.5, state(7, (3, 2))),
        # the Crawford game: what follows it is after Crawford
        (1.0, 1 - 0.31002, state(7, (6, 2))),
        # after it the trailer wins 2 with a doubled cube, or loses the match
        (0.32264, 0.0, state(7, (2, 6), Cube(2, Player.WHITE), crawford=False)),
        # before it, one who comes to 1 away goes into the Crawford game
        (0.75076, 0.5, state(7, (5, 4))),
    ],
)
def test_winning_the_cube_is_one_and_losing_it_minus_one(won: float, lost: float, where: MatchState) -> None:
    assert mwc_of(1, where) == pytest.approx(won)
    assert mwc_of(-1, where) == pytest.approx(lost)
    assert emg_of((won + lost) / 2, where) == pytest.approx(0, abs=1e-12)


@given(
    st.floats(-3, 3),
    st.integers(1, LONGEST).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1), st.integers(0, n - 1))),
)
def test_each_conversion_undoes_the_other(emg: float, scores: tuple[int, int, int]) -> None:
    length, white, black = scores
    where = MatchState.new(length, score=(white, black))
    for player in Player:
        mwc = mwc_of(emg, where, player)
        assert mwc is not None
        again = emg_of(mwc, where, player)
        assert again is not None
        assert math.isclose(again, emg, abs_tol=1e-6)
        theirs = emg_of(1 - mwc, where, player.opponent)
        assert theirs == pytest.approx(-emg, abs=1e-6)


def test_there_is_no_match_to_win_in_money_play_and_nobody_to_ask_before_the_opening() -> None:
    assert emg_of(0.5, MatchState.new(None, rules=MONEY).opening_roll(white=3, black=1)) is None
    assert emg_of(0.5, MatchState.new(7)) is None


def test_while_a_double_is_pending_the_doubler_is_asked_at_the_cube_before_it() -> None:
    before = state(7, (0, 0)).play("8/5 6/5")
    assert emg_of(0.55, before.double()) == emg_of(0.55, before)
