"""Engines in programs of their own, whatever they do: errors of the right kind, and nothing is left behind."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import attrs
import pytest
from scripted_engines import ASKED, FAKE, HELLO, LISTENS, QUESTION, READY, STATE, TO_DOUBLE, Fakes, Start, made_fakes

import loop
import wording
from gammonrules import ArgumentError, Cube, Event, MatchState, Player, Position
from gammonrules._shared.work import programs
from gammonrules.engine import (
    Engine,
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    EngineUnsupportedError,
    SimpleEngine,
    _gnubg,
    _ubgi,
)
from gammonrules.equity import KAZAROSS_XG2

__all__ = ["made_fakes"]
pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads what is left from /proc")


def play_of(engine: SimpleEngine, state: MatchState = STATE) -> str:
    event = engine.decide(state)
    assert isinstance(event, Event)
    return str(event.argument)


def ask(engine: SimpleEngine, times: int = 1) -> None:
    """Ask it, and close it; after an error, it is closed before."""
    with engine:
        try:
            for _ in range(times):
                assert play_of(engine) == "8/5 6/5"
        except EngineError:
            assert not engine.is_open
            raise


@contextmanager
def waiting(*, start: float = 30, end: float = 5, look: float = 1, last_words: float = 0.5) -> Iterator[None]:
    """So many seconds for an engine's start, its end, and the rest."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (_gnubg, _ubgi):
            patch.setattr(module, "_SECONDS_TO_START", start)
        for name, seconds in ("TO_END", end), ("TO_LOOK", look), ("FOR_LAST_WORDS", last_words):
            patch.setattr(programs, f"_SECONDS_{name}", seconds)
        yield


def check_fault(fakes: Fakes, kind: str, script: str, error: type[EngineError], words: str) -> None:
    """Each is an error of its own kind, with the last words; the engine is closed afterward."""
    start: Start = getattr(fakes, kind)
    short = script.endswith("wait")
    in_time = {EngineStartError: 0.5, EngineTimeoutError: 0.2}.get(error, 30) if short else 30
    to_start = in_time if error is EngineStartError else 30
    with waiting(start=to_start, last_words=0.1 if short else 0.5), pytest.raises(error) as caught:
        ask(start(script, in_time))
    assert caught.type is error
    wording.check(caught.value, words)
    assert fakes.running() == []


@loop.rows(
    "kind, script, error, words",
    ("ubgi", "! castle\n! on fire", EngineStartError, "castle / on fire"),
    ("ubgi", HELLO + QUESTION + "< error bad_value\n", EngineStartError, "bad_value"),
    ("ubgi", READY + "wait", EngineTimeoutError, "8/2"),
    ("ubgi", ASKED + "! castle", EngineTerminatedError, "castle"),
    ("ubgi", ASKED + "< bestmove 8/2 8/6\n", EngineReplyError, "8/2"),
    ("gnubg", "! castle", EngineStartError, "castle"),
    ("gnubg", LISTENS + "> board\n<< 8/5\nwait", EngineTimeoutError, "did not answer within"),
    ("gnubg", LISTENS + "> board\n<< 8/5 6/5", EngineTerminatedError, "it has ended"),
    ("gnubg", LISTENS + "> board\n< Error: castle\nwait", EngineReplyError, "castle"),
)
def test_faults(fakes: Fakes, kind: str, script: str, error: type[EngineError], words: str) -> None:
    check_fault(fakes, kind, script, error, words)


@loop.rows(
    "said",
    *("nan " * 6, "inf 0.0 0.0 0.0 0.0 0.0", "1e9 0.0 0.0 0.0 0.0 0.0", "1.500000 " * 6, "0.5 0.1", "99.0 " * 6),
    *("roll", "0.1 0.9 0.0 0.0 0.0 0.5", "0.9 0.1 0.2 0.0 0.0 0.5", "0.9 0.1 0.0 0.2 0.0 0.5"),
    *("0.5 0.1 0.0 0.1 0.2 0.5", "0.5 0.1 0.0 0.1 0.0 -4.0"),
)
def test_what_is_no_evaluation(said: str) -> None:
    driver = _gnubg.Gnubg(0, 0, None, None)
    with mock.patch.object(driver, "_ask", return_value=[said]):
        for state in (STATE, MatchState.new(None).opening_roll(3, 1)):
            with wording.tells(EngineReplyError, said[:5]):
                driver.evaluate(state)
        with pytest.raises(EngineReplyError):
            driver.roll_equities(TO_DOUBLE)


def test_a_chance_of_winning_the_match_is_from_0_to_1(fakes: Fakes) -> None:
    """What is worth 1.5 points of money is no such chance; and a digit that was rounded makes no other number."""
    with fakes.gnubg(f"{LISTENS}forever\n> evaluation\n< 1.0 1.0 0.0 0.0 0.0 1.000003\n") as gnubg:
        assert gnubg.evaluate(TO_DOUBLE).equity == KAZAROSS_XG2.to_equity(1, TO_DOUBLE, TO_DOUBLE.on_roll)
    money = MatchState.new(None).opening_roll(3, 1)
    script = f"{LISTENS}forever\n> evaluation\n< 0.9 0.7 0.0 0.0 0.0 1.5\n"
    with fakes.gnubg(script) as gnubg:
        assert gnubg.evaluate(money).equity == 1.5
        with pytest.raises(EngineReplyError, match=r"1\.5"):
            gnubg.evaluate(STATE)


def test_an_answer_to_no_question(fakes: Fakes) -> None:
    """It is dropped, where the engine can be asked whether it is ready, and an error where it cannot."""
    with fakes.ubgi(ASKED + "< bestmove 8/5 6/5\n< bestmove 24/20\n" + QUESTION + "< bestmove 8/5 6/5\n") as ubgi:
        ask(ubgi, 2)
    with fakes.gnubg(LISTENS + "> board\n< 8/5 6/5\n< 24/20\nwait") as gnubg:
        gnubg.decide(STATE)
        connection = gnubg._driver._socket  # type: ignore[attr-defined]
        connection.settimeout(30)
        assert connection.recv(1, socket.MSG_PEEK) == b"2"
        with pytest.raises(EngineReplyError, match="24/20"):
            gnubg.decide(STATE)


@pytest.mark.usefixtures("fakes")
def test_what_cannot_be_started() -> None:
    for command in ("no-such-program", [sys.executable, "\0"], str(FAKE)):
        with wording.tells(EngineStartError):
            SimpleEngine.ubgi(command)


def test_words_that_are_read_as_fast_as_they_come(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = fakes.ubgi(READY + "wait")
    words = iter(["info"] * 20_000)
    monkeypatch.setattr(engine._driver._program, "read", lambda _: next(words))  # type: ignore[attr-defined]
    with pytest.raises(EngineReplyError):
        engine.decide(STATE)


def test_noise_that_does_no_harm(fakes: Fakes) -> None:
    """Much on stderr, a port that was taken, and words about itself."""
    words = "once\nflood stderr\n< Hello\n"
    with fakes.gnubg(words + LISTENS + "> board\n< 8/5 6/5 \n> no more") as gnubg:
        assert gnubg.name == "GNU Backgammon 1.07.001"
        assert play_of(gnubg) == "8/5 6/5"


@loop.rows("program", ["/usr/games/gnubg", "--verbose"], ["gnubg"], 5, b"gnubg")
def test_gnubg_is_a_program_without_arguments(program: Any) -> None:
    with wording.tells(ArgumentError, "program", repr(program)):
        SimpleEngine.gnubg(program=program)


@loop.rows("level", 0, 6, -1, True, "1", 2.0)
def test_levels_of_gnubg_begin_at_1(level: Any) -> None:
    for start in (SimpleEngine.gnubg, Engine.gnubg, partial(SimpleEngine.open, "gnubg")):
        with wording.tells(ArgumentError, "level", "its own plies", "from 1 to 5", repr(level)):
            start(level=level)


@loop.rows("plies", 0, 2, 9)
def test_plies_are_no_level(plies: Any) -> None:
    """Named or not: GNU Backgammon's own number is one less."""
    for start in (SimpleEngine.gnubg, Engine.gnubg):
        with wording.tells(TypeError, "gnubg()", "positional"):
            start(plies)
        with wording.tells(TypeError, "gnubg()", "plies"):
            start(plies=plies)


def test_the_longest_line() -> None:
    """GNU Backgammon 1.07 aborts on 255 characters; this state has the widest number in every field."""
    board = Position.of(
        mine={**dict.fromkeys(range(12, 24), 1), "bar": 3}, theirs=dict.fromkeys([*range(14, 25), 1], 1)
    )
    cube, score = Cube(1 << 24, Player.WHITE), (10**9, 10**9)
    state = attrs.evolve(MatchState.new(None).opening_roll(3, 1), position=board, cube=cube, score=score)
    driver = _gnubg.Gnubg(4, 0, None, None)
    with mock.patch.object(driver, "_ask", return_value=["0.500000 " * 6]) as asked:
        driver.evaluate(state)
    assert 230 < len(asked.call_args.args[0]) <= 254


LASTING = f"{READY}forever\n{QUESTION}< bestmove 8/5 6/5\n"


def test_an_asynchronous_engine(fakes: Fakes) -> None:
    """A task that is canceled while the engine works for it ends the engine; one that waits for its turn does not."""

    async def use() -> None:
        engine = Engine.ubgi(fakes.command(LASTING))
        with pytest.raises(EngineTerminatedError, match="async with"):
            await engine.decide(STATE)
        async with engine:
            tasks = [asyncio.create_task(engine.decide(STATE)) for _ in range(4)]
            tasks[2].cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [Event, Event, asyncio.CancelledError, Event]
            for question in (engine.candidates(STATE), engine.evaluate(STATE), engine.hint(STATE)):
                with pytest.raises(EngineUnsupportedError):
                    await question
        assert "closed" in repr(engine)
        async with Engine.ubgi(fakes.command(ASKED + "wait"), timeout=None) as engine:
            task = asyncio.create_task(engine.decide(STATE))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            with pytest.raises(EngineTerminatedError):
                await engine.decide(STATE)
        with pytest.raises(EngineStartError):
            await Engine.ubgi(fakes.command("")).__aenter__()

    asyncio.run(use())
