"""Decisions of bots: in time, no offer twice in a turn, and what they lose by the table of their own arena."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, NoReturn
from unittest import mock

import attrs
import numpy as np
import pytest

import loop
from gammonrules import Action, Dice, Event, MatchState, Phase, Player, Position, Rules, Win, arena, bearoff
from gammonrules.arena import _match, _work_units
from gammonrules.arena._match import Decider, DiceOfMatch, in_time, play_match
from gammonrules.arena._work_units import Block, Plan
from gammonrules.batch.internals import Stream
from gammonrules.errors import BotError, EngineTerminatedError


def first(state: MatchState) -> Event | Action:
    if state.phase is Phase.TO_PLAY:
        return Event(Action.PLAY, state.to_act, state.legal_plays[0])
    return next(action for action in (Action.ROLL, Action.TAKE, Action.ACCEPT) if action in state.legal_actions)


# Time ---------------------------------------------------------------------------------------------------------------


def catches_it() -> str:
    with suppress(BaseException):
        time.sleep(9)
    return "late"


def has_an_alarm() -> str:
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.alarm(7)
    return "own"


def is_interrupted() -> None:
    raise KeyboardInterrupt


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers")
@loop.rows(
    "ask, said",
    (lambda: "answer", "answer"),
    (lambda: in_time(9, lambda: "inner"), "inner"),
    (lambda: in_time(9, int) or time.sleep(9), BotError),
    (has_an_alarm, "own"),
    (lambda: 1 / 0, ZeroDivisionError),
    (is_interrupted, KeyboardInterrupt),
    (lambda: time.sleep(9), BotError),
    (catches_it, BotError),
)
def test_no_bot_takes_longer(ask: Callable[[], Any], said: Any) -> None:
    """Even if it catches what ends it; and no alarm is left."""
    if isinstance(said, str):
        assert in_time(5, ask) == said
    else:
        with pytest.raises(said):
            in_time(0.1 if said is BotError else 5, ask)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers")
def test_no_policy_takes_longer() -> None:
    with pytest.raises(BotError, match=r"0\.1 seconds"):
        arena.play(
            [arena.Policy(lambda *_: time.sleep(9)), first], games=2, workers=1, options=arena.Options(timeout=0.1)
        )


@pytest.mark.long
def test_a_bot_that_catches_it_and_goes_on() -> None:
    with pytest.raises(BotError):
        in_time(0.1, lambda: catches_it() and time.sleep(9))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers")
def test_an_alarm_in_the_last_moment() -> None:
    for number in range(100):
        with suppress(BotError):
            in_time(number * 2e-7, lambda: None)


# Resignations, and what the table knows -----------------------------------------------------------------------------


class Dances:
    """Dice with which nobody enters."""

    match = 0

    def roll(self, _game: int, _turn: int) -> Dice:
        return Dice(1, 1)


def test_what_was_declined_is_offered_again_in_another_turn() -> None:
    """Of the same board, since both danced; in the same turn the game goes on without the bot."""
    side = {"bar": 1, **dict.fromkeys(range(1, 6), 2), 7: 4}
    start = MatchState(Position.of(mine=side, theirs=side), Player.WHITE, length=None)
    resign, answers = Event(Action.RESIGN, argument=Win.SINGLE), list[Action]()

    def ended(decisions: list[Event | Action]) -> MatchState:
        said, answers[:] = iter(decisions), [Action.ACCEPT, Action.DECLINE, Action.DECLINE]
        seats = (lambda *_: next(said)), (lambda state, _: answers.pop() if state.offer else Action.ROLL)
        bots = {player: Decider("a bot", decide) for player, decide in zip(Player, seats, strict=True)}
        return play_match(start, bots, Dances(), 1)[1]  # type: ignore[arg-type]

    for anew in (Action.ROLL, resign):
        assert ended([resign, anew, resign, anew, resign]).score == (0, 1)


def test_an_engine_that_fails_is_no_bot_that_raises() -> None:
    def fails(_: MatchState) -> NoReturn:
        raise EngineTerminatedError("gnubg: it has ended")

    with pytest.raises(BotError, match=r"pair 1 of seed 1: gnubg: it has ended$"):
        arena.play([first, fails], games=2, workers=1)


@loop.rows(("decide", "seats"), (first, 2), (lambda _: None, 1))
def test_an_engine_starts_once_for_each_seat_and_ends_with_its_arena(
    decide: Callable[[MatchState], Any], seats: int
) -> None:
    """One who fails has not come to the second seat."""
    engine = mock.MagicMock()
    engine.__enter__.return_value.decide = decide
    with suppress(BotError):
        arena.play([arena.EnginePlayer(lambda: engine), first], games=4, rules=Rules(start="hypergammon"), workers=1)
    assert engine.__enter__.call_count == engine.__exit__.call_count == seats


def test_what_was_played_beyond_the_end_does_not_count() -> None:
    def resigns(state: MatchState) -> Event | Action:
        return Action.ACCEPT if state.offer else Event(Action.RESIGN, argument=Win.SINGLE)

    def ahead(function: Callable[..., Any], blocks: Iterable[Any]) -> Iterable[Any]:
        return map(function, [*blocks])

    assert arena.play([resigns, resigns], games=80, until=1, workers=ahead).pairings[0].games == 60


def test_a_bot_may_play_an_arena() -> None:
    def bot(state: MatchState) -> Event | Action:
        arena.play([first, first], games=2, rules=Rules(start="hypergammon1", cube=False), workers=1)
        return Action.ACCEPT if state.offer else Event(Action.RESIGN, argument=Win.SINGLE)

    options = arena.Options(timeout=1e300)
    assert arena.play([bot, bot], games=2, workers=1, options=options).pairings[0].interval.mean == 0


def test_dice_of_long_games() -> None:
    """They are those of the stream, however many are made at once."""
    stream = Stream.drawn_from(np.random.default_rng(1))
    dice, rolls = DiceOfMatch(stream, 5), stream.rolls(5, 2, np.arange(200)).tolist()
    assert [dice.roll(2, turn) for turn in range(200)] == [Dice(*roll) for roll in rolls]


def test_a_game_that_never_ends() -> None:
    with mock.patch.object(_match, "MAX_EVENTS", 9), pytest.raises(BotError, match="has not ended after 9"):
        arena.play([first, first], games=2, workers=1)


def test_each_arena_has_its_own_table() -> None:
    """In a process that plays one after another; a table knows nothing of pips, or of a cube with a limit."""
    rules = Rules(start="hypergammon", cube=False)
    plan = Plan(("A", "B"), (first, first), None, rules, 1, None, None, keeps_records=False)
    decisions, table = list[int | None](), bearoff.two_sided(6, 2)
    for changes in (
        {"table": None},
        {"table": table},
        {"table": bearoff.two_sided(1, 1)},
        {"table": table, "rules": attrs.evolve(rules, scoring="pips")},
        {"table": table, "rules": Rules(start="hypergammon", max_cube=2)},
    ):
        losses = _work_units.PlayBlock(attrs.evolve(plan, **changes))(Block(0, 1, 15, 1)).losses
        decisions.append(losses and losses[0].decisions)
    _work_units.players_of_plan.close()
    assert decisions == [None, 1, 0, 0, 0]
