"""`Clock`, against one that ticks every millisecond and against the examples of its sources."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, get_args

import attrs
import pytest
from hypothesis import example, given, strategies as st

import loop
from gammonrules import json
from gammonrules.board import Position, Win
from gammonrules.errors import ArgumentError
from gammonrules.match import Clock, MatchState, Player, Resignation
from gammonrules.match.clock import Timing
from gammonrules.rules import MONEY

WHITE, BLACK = Player
OPENING = MatchState.new(5)
WHITES = MatchState(Position.start(), WHITE, "31", length=5)
BLACKS = MatchState(Position.start(), BLACK, length=5)
TIMINGS = get_args(Timing)
STATES = {
    (): OPENING,
    (WHITE,): WHITES,
    (BLACK,): BLACKS,
    (WHITE, BLACK): attrs.evolve(WHITES, offer=Resignation(WHITE, Win.SINGLE)),
    (WHITE, WHITE): attrs.evolve(WHITES, offer=Resignation(BLACK, Win.SINGLE)),
    (BLACK, BLACK): attrs.evolve(BLACKS, offer=Resignation(WHITE, Win.SINGLE)),
    (BLACK, WHITE): attrs.evolve(BLACKS, offer=Resignation(BLACK, Win.SINGLE)),
}
"""By whose turn it is, and who is to answer an offer to resign in that turn."""
MILLISECONDS = st.integers(0, 40)
STARTS = st.sampled_from((0.0, -50.0, 1.79e9, 999_999_999_000.0))


class Ticking:
    """A clock written from the rules, one millisecond after another."""

    def __init__(self, reserves: tuple[int, int], delay: int, timing: str) -> None:
        self.reserves, self.delay, self.timing = dict(zip(Player, reserves, strict=True)), delay, timing
        self.turn: Player | None = None
        self.answerer: Player | None = None
        self.flag: Player | None = None
        self.used, self.answered, self.runs = 0, 0, False

    @property
    def player(self) -> Player | None:
        return None if self.flag else self.answerer or self.turn

    def tick(self) -> None:
        if self.player is None or not self.runs:
            return
        if self.answerer:
            self.answered += 1
        else:
            self.used += 1
        if self.timing != "simple" or (self.answered if self.answerer else self.used) > self.delay:
            self.reserves[self.player] -= 1
            self.flag = None if self.reserves[self.player] else self.player

    def hit(self, turn: Player | None = None, answerer: Player | None = None) -> None:
        if self.answerer and (turn, answerer) != (self.turn, self.answerer) and not self.flag:
            if self.timing != "simple":
                self.reserves[self.answerer] += min(self.answered, self.delay)
            self.answered = 0
        if turn is not self.turn and not self.flag:
            if self.turn and self.timing != "simple":
                self.reserves[self.turn] += self.delay if self.timing == "fischer" else min(self.used, self.delay)
            self.used = 0
        self.turn, self.answerer, self.runs = turn, answerer, True

    def delay_left(self) -> int:
        waits = self.timing == "simple" and self.player
        return max(0, self.delay - (self.answered if self.answerer else self.used)) if waits else 0


@given(
    st.tuples(st.integers(1, 99), st.integers(1, 99)),
    MILLISECONDS,
    st.sampled_from(TIMINGS),
    STARTS,
    st.lists(st.tuples(MILLISECONDS, st.sampled_from((*STATES, "pause"))), min_size=3, max_size=12),
)
@example((60, 60), 10, "simple", 0.0, [(0, (WHITE,)), (5, "pause"), (30, (WHITE,)), (40, (BLACK,)), (9, (WHITE,))])
@example((60, 60), 10, "bronstein", 0.0, [(0, (WHITE,)), (5, (BLACK,)), (60, (WHITE,)), (40, (BLACK,))])
@example((60, 60), 10, "fischer", 0.0, [(0, (WHITE,)), (5, (WHITE, BLACK)), (20, (WHITE,)), (40, (BLACK,))])
@example((60, 60), 10, "simple", 0.0, [(0, (WHITE,)), (15, (WHITE, WHITE)), (20, "pause"), (8, (WHITE,)), (9, ())])
def test_every_millisecond_is_counted_once(
    reserves: tuple[int, int], delay: int, timing: Any, start: float, steps: list[tuple[int, Any]]
) -> None:
    """Whatever happens after it, a flag stays; delay is never saved up; a pause gives and takes nothing."""
    clock = Clock((reserves[0] / 1000, reserves[1] / 1000), delay / 1000, timing)
    ticking, passed = Ticking(reserves, delay, timing), 0
    for wait, step in steps:
        for _ in range(wait):
            ticking.tick()
        passed += wait
        now = start + passed / 1000
        for told in (clock, clock := clock.pause(now) if step == "pause" else clock.follow(STATES[step], now)):
            assert told.flag(now) is ticking.flag
            assert [told.left(player, now) for player in Player] == [
                ticking.reserves[player] / 1000 for player in Player
            ]
            assert told.delay_left(now) == ticking.delay_left() / 1000
            if told is clock:
                break
            if step == "pause":
                ticking.runs = False
            else:
                ticking.hit(*step)
        assert clock.on_clock is ticking.player
        assert json.loads(json.dumps(clock), Clock) == clock
        if clock.runs_out_at is not None:
            assert clock.flag(clock.runs_out_at) is clock.on_clock
            assert clock.flag(clock.runs_out_at - 0.001) is None
            assert clock.runs_out_at == round(clock.runs_out_at, 3)


@given(st.sampled_from(TIMINGS), STARTS, st.lists(st.floats(0, 30), min_size=2, max_size=6).map(sorted))
def test_nothing_changes_while_a_turn_goes_on(timing: Any, start: float, moments: list[float]) -> None:
    first, *others = (start + moment for moment in moments)
    clock = split = Clock((20, 20), 7, timing).follow(WHITES, first)
    for now in others:
        split = split.follow(WHITES, now)
        assert (split.left(WHITE, now), split.flag(now)) == (clock.left(WHITE, now), clock.flag(now))
        assert split.used == round(split.used, 3)
    assert split.follow(BLACKS, others[-1]) == clock.follow(BLACKS, others[-1])


@given(st.sampled_from(TIMINGS), st.sampled_from(Player), st.booleans(), st.lists(st.floats(0, 9), min_size=1))
@example("simple", WHITE, False, [11.9] * 50)
def test_an_offer_that_is_declined_at_once_changes_nothing(
    timing: Any, by: Player, is_doubled: bool, waits: list[float]
) -> None:
    """So nobody gains time by offering to resign again and again, and nobody loses any."""
    turn = BLACKS.double() if is_doubled else WHITES
    clock = plain = Clock((60, 60), 12, timing).follow(turn, 0)
    now = 0.0
    for wait in waits:
        now += wait
        clock = clock.follow(turn.resign(by=by), now).follow(turn, now)
        plain = plain.follow(turn, now)
        assert clock == plain


@loop.rows(
    "timing, reserve, delay, turn, left",
    ("simple", 900, 12, 11, 900),  # a reserve of 15 minutes is untouched by 12 seconds, and loses 13 of 25
    ("simple", 900, 12, 25, 887),
    ("bronstein", 60, 5, 3, 60),  # who takes 3 of 5 seconds gets these 3 back
    ("fischer", 60, 5, 2, 63),  # who takes 2 of 5 seconds keeps the other 3
    ("simple", 300, 3, 302, 1),  # 5 minutes and 3 seconds in all, with Bronstein's timing 5 minutes
    ("simple", 300, 3, 303, 0),
    ("bronstein", 300, 3, 300, 0),
)
def test_examples_of_the_sources(timing: Any, reserve: int, delay: int, turn: int, left: int) -> None:
    clock = Clock((reserve, reserve), delay, timing).follow(WHITES, 0).follow(BLACKS, turn)
    assert clock.left(WHITE, turn) == left
    assert clock.flag(turn) is (None if left else WHITE)


@loop.rows("length, score, minutes", (13, (0, 0), 26), (9, (2, 1), 15), (1, (0, 0), 2), (3, (2, 2), 2))
def test_tournament(length: int, score: tuple[int, int], minutes: int) -> None:
    """A file of our data with 13 points says "Tournament 1560/12"."""
    assert Clock.tournament(MatchState.new(length, score=score)) == Clock((60 * minutes,) * 2, 12)


@loop.over(
    "state, player",
    lambda: [
        (OPENING, None),
        (BLACKS, BLACK),
        (BLACKS.roll("31"), BLACK),
        (BLACKS.double(), WHITE),
        (attrs.evolve(BLACKS.double(), length=None, rules=MONEY).beaver(), BLACK),
        (BLACKS.double().take(), BLACK),
        (BLACKS.double().drop(), None),
        (BLACKS.resign(Win.SINGLE), WHITE),
        (BLACKS.resign(Win.SINGLE, by=WHITE), BLACK),
        (BLACKS.forfeit(WHITE), None),
    ],
)
def test_whose_clock_runs(state: MatchState, player: Player | None) -> None:
    clock = Clock((60, 60)).follow(state, 0).follow(state, 100)
    assert (clock.flag(100), clock.flag(-100)) == (player, player)
    if player:  # however long the others take, and whatever they have offered
        assert state.forfeit(player, points=1).score[player.opponent] == 1


def test_a_time_that_goes_back_is_no_time() -> None:
    clock = Clock((60, 60)).follow(WHITES, 1000)
    assert clock.left(WHITE, 990) == 60
    back = clock.follow(WHITES, 1010).follow(WHITES, 500)
    assert back.left(WHITE, 505) == 45


def test_the_most_is_a_limit() -> None:
    full = Clock((1e12, 1), 1e12, "fischer").follow(WHITES, 1e12).follow(BLACKS, 1e12)
    assert full.left(WHITE, 1e12) == 1e12
    assert Clock((1e12, 1), 1e12).follow(WHITES, -1e12).follow(WHITES, 1e12).used == 1e12


RUNNING = Clock((60, 60), on_clock=WHITE, running_since=0)


@loop.over("bad", [math.nan, math.inf, -math.inf, 1.1e12, -1.1e12, True, "1", 10**400, b"1", [1], (1, 1, 1)])
def test_no_time(bad: Any) -> None:
    for call in (
        *(RUNNING.pause, RUNNING.flag, RUNNING.delay_left, Clock.tournament, Clock),
        *(partial(RUNNING.follow, WHITES), partial(RUNNING.left, WHITE)),
        *(lambda x: RUNNING.follow(x, 0), lambda x: RUNNING.left(x, 0), lambda x: Clock((x, 1))),
        *(lambda x, name=name: attrs.evolve(RUNNING, **{name: x}) for name in attrs.fields_dict(Clock)),
    ):
        with pytest.raises(ArgumentError):
            call(bad)


@loop.rows(
    "refused",
    partial(Clock, (0, 0)),
    partial(Clock, (-0.001, 1)),
    partial(Clock, (1, 1), used=1),
    partial(Clock, (1, 1), running_since=1),
    partial(Clock, (1, 1), interrupted=WHITE),
    partial(Clock, (1, 1), on_clock=WHITE, interrupted_after=1),
    partial(Clock, (0, 1), on_clock=WHITE),
    partial(Clock, (2, 1), 1, on_clock=WHITE, interrupted=BLACK, interrupted_after=2),
    partial(Clock.tournament, MatchState.new(None)),
    lambda: Clock.tournament(OPENING.forfeit(WHITE)),
)
def test_no_clock(refused: Any) -> None:
    with pytest.raises(ArgumentError):
        refused()
