"""The match equity table, and the conversion between chances of winning the match and normalized equities."""

from __future__ import annotations

import math
from pathlib import Path

import attrs
import pytest
from hypothesis import given, strategies as st

import gammonrules
import loop
from gammonrules import ArgumentError, Cube, MatchState, Player
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable
from gammonrules.rules import MONEY, Rules

ROOT = Path(__file__).parents[2]
MAX_LENGTH = 25
BEFORE, AFTER = KAZAROSS_XG2.before_crawford, KAZAROSS_XG2.after_crawford
to_chance, to_equity = KAZAROSS_XG2.to_chance, KAZAROSS_XG2.to_equity


def state(length: int, score: tuple[int, int], cube: Cube | None = None, *, crawford: bool | None = None) -> MatchState:
    start = MatchState.new(length, score=score, crawford=crawford).opening_roll(white=3, black=1)
    return start if cube is None else attrs.evolve(start, cube=cube)


def test_before_a_game_the_score_and_the_crawford_game_decide() -> None:
    for score, crawford, chance in (
        ((3, 2), None, BEFORE[3][4]),
        ((6, 5), None, BEFORE[0][1]),
        ((6, 5), False, 1 - AFTER[1]),
        ((5, 6), False, AFTER[1]),
        ((6, 6), None, 0.5),
    ):
        where = MatchState.new(7, score=score, crawford=crawford)
        assert KAZAROSS_XG2.chance(where, Player.WHITE) == chance
        assert KAZAROSS_XG2.chance(where, Player.BLACK) == pytest.approx(1 - chance)


def test_after_a_game_the_next_one_counts_and_after_the_match_the_winner() -> None:
    to_crawford = state(7, (5, 0)).resign(by=Player.BLACK).accept()
    assert KAZAROSS_XG2.chance(to_crawford, Player.BLACK) == BEFORE[6][0]
    assert KAZAROSS_XG2.chance(to_crawford, Player.BLACK) == KAZAROSS_XG2.chance(to_crawford.next_game(), Player.BLACK)
    after_it = state(7, (6, 0)).resign(by=Player.WHITE).accept()
    assert KAZAROSS_XG2.chance(after_it, Player.BLACK) == AFTER[5]
    over = state(7, (6, 0)).resign(by=Player.BLACK).accept()
    assert [KAZAROSS_XG2.chance(over, player) for player in Player] == [1, 0]


def test_the_ends_of_a_match_are_certain_and_long_matches_and_money_play_unknown() -> None:
    where = state(30, (29, 0))
    assert [KAZAROSS_XG2.chance_after(where, Player.WHITE, points) for points in (1, -30, -1)] == [1, 0, None]
    assert KAZAROSS_XG2.chance_after(where, Player.BLACK, 2) is None
    for unknown in (state(64, (0, 0)), MatchState.new(None, rules=MONEY).opening_roll(white=3, black=1)):
        assert KAZAROSS_XG2.chance(unknown, Player.WHITE) is to_equity(0.5, unknown) is to_chance(0, unknown) is None
        assert KAZAROSS_XG2.chance_after(unknown, Player.WHITE, 1) is None
    assert to_equity(0.5, MatchState.new(7)) is None  # nobody is on roll


def test_without_the_crawford_rule_a_player_1_away_is_always_after_it() -> None:
    where = MatchState.new(7, score=(5, 3), rules=Rules(crawford=False)).opening_roll(white=3, black=1)
    won = where.resign(by=Player.BLACK).accept()
    for player, chance in ((Player.WHITE, 1 - AFTER[3]), (Player.BLACK, AFTER[3])):
        points = 1 if player is Player.WHITE else -1
        assert KAZAROSS_XG2.chance_after(where, player, points) == KAZAROSS_XG2.chance(won, player) == chance


def test_where_a_point_is_worth_nothing_there_are_no_equities() -> None:
    flat, last = MatchEquityTable("flat", ((0.5,) * 3,) * 3, (0.5,) * 2), state(3, (0, 0))
    assert flat.to_equity(0.5, last) is flat.to_chance(0, last) is flat.gammon_value(last) is None
    assert flat.chance(MatchState.new(3, score=(2, 0), crawford=False), Player.BLACK) is None  # the row is shorter


def test_what_is_no_state_player_or_number_is_refused() -> None:
    start = MatchState.new(7)
    for call in (
        lambda: KAZAROSS_XG2.chance("XGID", Player.WHITE),  # type: ignore[arg-type]
        lambda: KAZAROSS_XG2.chance(start, 0),  # type: ignore[arg-type]
        lambda: KAZAROSS_XG2.chance_after(start, Player.WHITE, 1.5),  # type: ignore[arg-type]
        lambda: to_equity(math.nan, start),
        lambda: to_chance(math.inf, start),
        lambda: to_chance(0.5, start, 1),  # type: ignore[arg-type]
        lambda: MatchEquityTable("one", ((0.5,),), (0.5, 0.5)),
        lambda: MatchEquityTable("two", ((0.5, 0.7), (0.3,)), (0.5, 0.5)),
        lambda: MatchEquityTable("many", ((1.5,),), (0.5,)),
        lambda: MatchEquityTable("none", (), ()),
        lambda: MatchEquityTable("short", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.5), ()),
    ):
        with pytest.raises(ArgumentError):
            call()


def test_the_notice_goes_with_the_numbers() -> None:
    notice = (ROOT / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8")
    source = (Path(gammonrules.__file__).parent / "equity" / "kazaross.met").read_text(encoding="utf-8")
    for words in ("Copyright (C) 2011 Neil Kazaross", "provided the copyright", "without any warranty"):
        assert words in notice
        assert words in source


@loop.rows(
    ("won", "lost", "where"),
    # 4 away against 5 away, as GNU Backgammon's "show gammonvalues" has it
    (0.64795, 0.5, state(7, (3, 2))),
    # the Crawford game: what follows it is after Crawford
    (1.0, 1 - 0.31002, state(7, (6, 2))),
    # after it the trailer wins 2 with a doubled cube, or loses the match
    (0.32264, 0.0, state(7, (2, 6), Cube(2, Player.WHITE), crawford=False)),
    # before it, one who comes to 1 away goes into the Crawford game
    (0.75076, 0.5, state(7, (5, 4))),
)
def test_winning_the_cube_is_one_and_losing_it_minus_one(won: float, lost: float, where: MatchState) -> None:
    assert to_chance(1, where) == pytest.approx(won)
    assert to_chance(-1, where) == pytest.approx(lost)
    assert to_equity((won + lost) / 2, where) == pytest.approx(0, abs=1e-12)


@given(
    st.floats(-3, 3),
    st.integers(1, MAX_LENGTH).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1), st.integers(0, n - 1))),
)
def test_each_conversion_undoes_the_other(emg: float, scores: tuple[int, int, int]) -> None:
    length, white, black = scores
    where = MatchState.new(length, score=(white, black))
    for player in Player:
        mwc = to_chance(emg, where, player)
        assert mwc is not None
        again = to_equity(mwc, where, player)
        assert again is not None
        assert math.isclose(again, emg, abs_tol=1e-6)
        theirs = to_equity(1 - mwc, where, player.opponent)
        assert theirs == pytest.approx(-emg, abs=1e-6)


def test_while_a_double_is_pending_the_doubler_is_asked_at_the_cube_before_it() -> None:
    before = state(7, (0, 0)).play("8/5 6/5")
    assert to_equity(0.55, before.double()) == to_equity(0.55, before)
