"""The clock of an arena is set once a match: it stops whoever is late, whatever they have done to it before."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn
from unittest import mock

import pytest

import loop
from bots import first
from gammonrules import Action, Event, GammonError, MatchState, Player, Rules
from gammonrules.arena._match import Alarm, Decider, DiceOfMatch, play_match
from gammonrules.batch.internals import Stream

SHORT = Rules(start="hypergammon", cube=False)
needs_timers = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers")


def played(bot: Callable[[MatchState], Any], timeout: float | None = 60, other: float | None = 60) -> list[Any]:
    """The events of a short match against `first`; each has so many seconds for a decision."""
    bots = {
        Player.WHITE: Decider("bot", lambda state, _: bot(state), timeout),
        Player.BLACK: Decider("other", lambda state, _: first(state), other),
    }
    return play_match(MatchState.new(3, rules=SHORT), bots, DiceOfMatch(Stream(1), 0), 1)[0]


def doing(*deeds: Callable[[], object]) -> Callable[[MatchState], Event | Action]:
    """A bot that does each of these before a decision of its own."""
    rest = iter(deeds)

    def bot(state: MatchState) -> Event | Action:
        next(rest, int)()
        return first(state)

    return bot


def is_slow() -> None:
    time.sleep(0.12)


def handler() -> Any:
    return signal.getsignal(signal.SIGALRM)


# Who is late, and what they did before -------------------------------------------------------------------------------


def sleeps() -> None:
    time.sleep(9)


def computes() -> NoReturn:
    while True:
        pass


def catches_it() -> None:
    with suppress(BaseException):
        time.sleep(9)


def ignores_alarms() -> None:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


def stops_the_timer() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)


def has_an_alarm() -> None:
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.alarm(7)


MEDDLERS = (ignores_alarms, stops_the_timer, has_an_alarm)


def stops_the_timer_and_is_slow() -> None:
    stops_the_timer()
    is_slow()


@needs_timers
@loop.over(
    "before, late",
    [(int, late) for late in (computes, catches_it, is_slow, stops_the_timer_and_is_slow)]
    + [(bot, sleeps) for bot in MEDDLERS],
)
def test_no_bot_of_a_match_takes_longer(before: Callable[[], object], late: Callable[[], object]) -> None:
    with pytest.raises(GammonError, match=r"^bot: it did not answer within 0\.1 seconds$"):
        played(doing(before, int, late), timeout=0.1)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert handler() is signal.SIG_DFL


@needs_timers
@loop.over("meddles", MEDDLERS)
def test_a_bot_that_meddles_and_is_in_time_plays_on(meddles: Callable[[], None]) -> None:
    """An alarm of its own ends with its decision."""
    left = list[float]()

    def look() -> None:
        left.append(signal.getitimer(signal.ITIMER_REAL)[0])

    assert played(doing(meddles, look, look)) == played(first)
    assert min(left) > 7
    assert handler() is signal.SIG_DFL


@needs_timers
@loop.rows("error", KeyboardInterrupt, SystemExit)
def test_a_match_that_is_interrupted_leaves_no_alarm(error: type[BaseException]) -> None:
    def ends() -> NoReturn:
        raise error

    with pytest.raises(error):
        played(doing(int, ends))
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert handler() is signal.SIG_DFL


@needs_timers
def test_the_handler_is_set_once_a_match() -> None:
    """Since it takes as long as several quick decisions."""
    with mock.patch.object(signal, "signal", wraps=signal.signal) as setting:
        played(first)
    assert setting.call_count == 2  # and back again


@needs_timers
def test_between_decisions_no_alarm_counts() -> None:
    """Neither that of a late bot, nor one that a thread of a bot sends."""
    with Alarm() as alarm:
        with pytest.raises(GammonError):
            alarm.answer(0.1, catches_it)
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
        os.kill(os.getpid(), signal.SIGALRM)
        assert alarm.answer(60, lambda: "answer") == "answer"


# Where there is no limit ---------------------------------------------------------------------------------------------


@needs_timers
@loop.rows("own", lambda *_: None, signal.SIG_IGN)
def test_an_alarm_of_the_caller_goes_on(own: Any) -> None:
    """Nobody is interrupted then."""
    before = signal.signal(signal.SIGALRM, own)
    signal.setitimer(signal.ITIMER_REAL, 60)
    try:
        assert played(doing(is_slow), timeout=0.1) == played(first)
        assert handler() is own
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_bots_in_a_thread_are_not_interrupted() -> None:
    logs = list[list[Any]]()
    thread = threading.Thread(target=lambda: logs.append(played(doing(is_slow), timeout=0.1)))
    thread.start()
    thread.join()
    assert logs == [played(first)]


def test_bots_on_windows_are_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("setitimer", "ITIMER_REAL", "SIGALRM"):
        monkeypatch.delattr(signal, name, raising=False)
    assert played(doing(is_slow), timeout=0.1) == played(first)


@needs_timers
def test_an_engine_has_alarms_of_its_own() -> None:
    """It sees none of ours, and keeps the one that it sets; a bot beside it has a limit until then."""
    seen = list[object]()

    def look() -> None:
        seen.append(handler())

    played(doing(look, look), timeout=None)
    assert seen == [signal.SIG_DFL] * 2
    with pytest.raises(GammonError, match=r"^bot: it did not answer within 0\.1 seconds$"):
        played(doing(sleeps), timeout=0.1, other=None)
    try:
        played(doing(has_an_alarm, int), timeout=None)
        assert handler() is not signal.SIG_DFL
        assert signal.alarm(0) > 0
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
