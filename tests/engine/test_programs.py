"""Engines in programs of their own, whatever they do: errors of the right kind, and nothing is left behind."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import attrs
import pytest
from scripted_engines import (
    ASKED,
    BOARD,
    FAKE,
    HELLO,
    LEAVING,
    LISTENS,
    QUESTION,
    READY,
    STATE,
    TO_DOUBLE,
    Fakes,
    Start,
    held,
    made_fakes,
)

import gnu_backgammon
import loop
import processes
import wording
from gammonrules import Action, ArgumentError, Cube, Event, MatchState, Player, Position, Rules
from gammonrules._shared.work import deadline_in, programs
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
    _gnubg_terminal,
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


@loop.rows(
    "kind, script, error, words",
    ("ubgi", "", EngineStartError, "exit status 0"),
    ("ubgi", "! castle\n! on fire", EngineStartError, "castle / on fire"),
    ("ubgi", "> ubgi\n< \x1b\xff", EngineStartError, "\\x1b"),
    ("ubgi", "> ubgi\n< id name Slow\nwait", EngineStartError, "Slow"),
    ("ubgi", "> ubgi\nflood", EngineStartError, "without end"),
    ("ubgi", HELLO + QUESTION + "< info depth 1\n< bestmove a2a3", EngineStartError, "a2a3"),
    ("ubgi", HELLO + QUESTION + "< error bad_value\n", EngineStartError, "bad_value"),
    ("ubgi", READY + "wait", EngineTimeoutError, "8/2"),
    ("ubgi", ASKED + "<< bestmove 8/5 6/5\nwait", EngineTimeoutError, "8/2"),
    ("ubgi", ASKED + "! castle", EngineTerminatedError, "castle"),
    ("ubgi", ASKED + "< bestmove 8/2 8/6\n", EngineReplyError, "8/2"),
    ("ubgi", ASKED + "< bestmove 8 5 6\n", EngineReplyError, "8 5 6"),
    ("ubgi", ASKED + f"< bestmove {'x' * 4000}\n", EngineReplyError, "xxx"),
    ("ubgi", ASKED + "< bestmoveid 4HPwATDgc/ABMA\n", EngineReplyError, "4HPw"),
    ("ubgi", ASKED + "< bestmove\n", EngineReplyError, "31"),
    ("ubgi", ASKED + "flood blank\n", EngineReplyError, "without end"),
    ("gnubg", "! castle", EngineStartError, "castle"),
    ("gnubg", "< castle\nwait", EngineStartError, "castle"),
    ("gnubg", "listen\nhang up", EngineStartError, "Waiting"),
    ("gnubg", "listen\n> version\n< Error: castle\n< \n< \n< ", EngineStartError, "castle"),
    ("gnubg", "listen\n> version\nflood", EngineStartError, "flood"),
    ("gnubg", LISTENS + "> board\n<< 8/5\nwait", EngineTimeoutError, "did not answer within"),
    ("gnubg", LISTENS + "> board\n<< 8/5 6/5", EngineTerminatedError, "it has ended"),
    ("gnubg", LISTENS + "> board\nhang up\nwait", EngineTerminatedError, "it has ended"),
    ("gnubg", LISTENS + "> board\n< 8/4 6/5\nwait", EngineReplyError, "8/4"),
    ("gnubg", LISTENS + "> board\n< Error: castle\nwait", EngineReplyError, "castle"),
    ("gnubg", LISTENS + "> board\nflood blank", EngineReplyError, "expected a line"),
)
def test_faults(fakes: Fakes, kind: str, script: str, error: type[EngineError], words: str) -> None:
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
            driver.rolls(TO_DOUBLE)


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


def test_many_clients(fakes: Fakes) -> None:
    """Each has an engine of its own; and all ask one."""

    def play(number: int) -> Event | Action:
        ask(fakes.ubgi(LASTING) if number % 2 else fakes.gnubg(LISTENS + "> board\n< 8/5 6/5\n"))
        return lasting.decide(STATE)

    with ThreadPoolExecutor(8) as pool, fakes.ubgi(LASTING) as lasting:
        assert len({*pool.map(play, range(8))}) == 1


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


GAME = "(;FF[4]GM[6]MI[length:7][game:0][ws:0][bs:0]RU[Crawford]\n;W[31hefe]\n;B[64agci])\n"
QUITS = "sed -u '/^analyse match$/{s//quit/;q}' |"
DAMAGES = "sed -u 's/^save match.*$/save/' |"


@gnu_backgammon.is_needed
def test_a_game_that_is_analyzed_as_a_whole(fakes: Fakes) -> None:
    with SimpleEngine.gnubg() as gnubg:
        assert gnubg.analyze_sgf(STATE, GAME) == gnubg.analyze_sgf(STATE, GAME)
        for bad in ((STATE, b"x"), ("", GAME)):
            with pytest.raises(ArgumentError):
                gnubg.analyze_sgf(*bad)
        with pytest.raises(EngineUnsupportedError, match="limit"):
            gnubg.analyze_sgf(attrs.evolve(STATE, rules=Rules(max_cube=4)), GAME)
        assert "PB[?]" in gnubg.analyze_sgf(STATE, GAME.replace("MI[", "PB[\ud800]MI["))
        with pytest.raises(EngineReplyError, match="did not analyze"):  # it has the last game still
            gnubg.analyze_sgf(STATE, "no game")
    for filtered, error, words in (QUITS, EngineTerminatedError, "ended"), (DAMAGES, EngineReplyError, "game"):
        path = fakes.folder / "filtered"
        path.write_text(f'#!/bin/sh\n{filtered} {gnu_backgammon.GNUBG} "$@"\n')
        path.chmod(stat.S_IRWXU)
        gnubg = SimpleEngine.gnubg(program=str(path))
        with wording.tells(error, words):
            gnubg.analyze_sgf(STATE, GAME)
        assert not gnubg.is_open


SAVES = """\
import sys
for line in sys.stdin:
    *command, word = line.split()
    if command == ["load", "match"]:
        print("a board\\nof it", flush=True)
    elif command == ["save", "match"]:
        with open(word, "r+b") as file:
            file.truncate(SIZE)
    elif line.strip() == "show threads":
        print("1 calculation thread", flush=True)
"""


@loop.rows("size, words", (1 << 24, ""), ((1 << 24) + 1, "more than 16,777,216 bytes"))
def test_a_game_of_any_size_is_not_read(fakes: Fakes, size: int, words: str) -> None:
    path = fakes.folder / f"saves {size}"
    path.write_text(f"#!{sys.executable}\n{SAVES.replace('SIZE', str(size))}")
    path.chmod(stat.S_IRWXU)
    terminal = _gnubg_terminal.GnubgTerminal(str(path), {})
    try:
        terminal.set_up([], deadline_in(30))
        with wording.tells(EngineReplyError, words) if words else nullcontext():
            assert len(terminal.analyzed(GAME, [], deadline_in(30))) == size
    finally:
        terminal.close()


def test_a_program_that_is_stuck_in_a_whole_game(fakes: Fakes) -> None:
    """Its time is that of an answer for each action; another thread may end it."""
    with fakes.gnubg(LISTENS + "wait", 0.05) as gnubg:
        start = time.monotonic()
        with pytest.raises(EngineTimeoutError):
            gnubg.analyze_sgf(STATE, GAME)
        assert time.monotonic() - start > 0.05 * GAME.count(";")
    gnubg = fakes.gnubg(LISTENS + "wait", None)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(gnubg.analyze_sgf, STATE, GAME)
        time.sleep(0.1)
        gnubg.kill()
        with pytest.raises(EngineTerminatedError):
            asked.result(30)
    gnubg.close()


@loop.rows("whom", "guard", "guard always", "group")
def test_an_engine_that_stops_what_guards_it(fakes: Fakes, whom: str) -> None:
    """It is ended in time: at its start, when it is closed, and from another thread."""
    with waiting(start=0.2, end=0.1), pytest.raises(EngineStartError):
        fakes.ubgi(f"stop {whom}\nwait")
    with waiting(end=0.1):
        fakes.ubgi(f"{READY}stop {whom}\nwait").close()
    if whom != "guard always":
        engine = fakes.ubgi(f"{READY}stop {whom}\nwait", None)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(engine.decide, STATE)
            time.sleep(0.1)
            engine.kill()
            with pytest.raises(EngineTerminatedError):
                asked.result(30)
        engine.close()
    until_ended(fakes)


@loop.rows("last, error", ("wait", EngineTimeoutError), ("", EngineTerminatedError))
def test_a_child_that_leaves_the_group_and_keeps_the_pipes(fakes: Fakes, last: str, error: type[EngineError]) -> None:
    """Where a system has no subreapers, it makes no other error, and closing waits for it once."""
    threads, join = {*threading.enumerate()}, threading.Thread.join
    with mock.patch.object(programs, "has_python", return_value=False):
        engine = fakes.ubgi(f"{READY}leave\n{last}", 0.2 if last else 30)
    try:
        with (
            waiting(end=0.3, look=0.05, last_words=0.1),
            mock.patch.object(threading.Thread, "join", autospec=True, side_effect=join) as joined,
            pytest.raises(error),
        ):
            engine.decide(STATE)
    finally:
        for path in fakes.folder.glob("*.txt"):
            path.with_name(f"{path.name}.back").touch()
        for thread in {*threading.enumerate()} - threads:
            thread.join(30)
        until_ended(fakes)
    assert sum(call.args[1] for call in joined.call_args_list) < 0.75


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
def test_a_child_that_leaves_the_group_ends_with_the_engine(fakes: Fakes) -> None:
    """However the engine ends: by our line, with its input, or by itself, where it would keep the pipes open.

    The last one has a name by which the first line of its `stat` is that of a zombie.
    """
    like_zombie = LEAVING.replace("leave", "leave x) Z|")
    for number, last in enumerate(("wait", "> quit", "", "")):
        script = LEAVING if number < 3 else like_zombie
        engine = fakes.ubgi(f"{script}< bestmove 8/5 6/5\n{last}")
        assert play_of(engine) == "8/5 6/5"
        if number == 0:
            engine.kill()
        engine.close()
        assert fakes.running() == []


@loop.rows("executable", "", "/nowhere/python", "/bin/false", "/bin/echo", "/usr/bin/env")
def test_the_executable_is_no_python(fakes: Fakes, executable: str) -> None:
    """As where an application embeds Python: then a child that leaves the group may stay, but all else goes on."""
    command = fakes.command(ASKED + "< bestmove 8/5 6/5")
    with mock.patch.object(sys, "executable", executable):
        ask(SimpleEngine.ubgi(command, timeout=30))


@loop.rows("number", 1, 2)
def test_a_thread_that_cannot_be_started(fakes: Fakes, number: int) -> None:
    """As in a subinterpreter, or beyond the limit of threads: nothing stays behind, not even a zombie."""
    start = threading.Thread.start

    def start_or_raise(thread: threading.Thread) -> None:
        if next(started) == number:
            raise RuntimeError("daemon threads are disabled in this (sub)interpreter")
        start(thread)

    for kind in ("ubgi", "gnubg"):
        started = count(1)
        before = held()
        with (
            mock.patch.object(threading.Thread, "start", start_or_raise),
            wording.tells(EngineStartError, "in the main interpreter", "(sub)interpreter"),
        ):
            getattr(fakes, kind)("wait")
        gc.collect()
        assert held() == before


def until_ended(fakes: Fakes) -> None:
    deadline = time.monotonic() + 30
    while fakes.running():
        assert time.monotonic() < deadline
        time.sleep(0.01)


FORKED = """
import gc, json, os, signal, sys, warnings
from gammonrules import MatchState
from gammonrules.engine import SimpleEngine

warnings.simplefilter("ignore", DeprecationWarning)
state = MatchState.new(7).opening_roll(white=3, black=1)
command, program = json.loads(os.environ["FAKES"])
engines = [SimpleEngine.ubgi(command), SimpleEngine.gnubg(program=program)]


def say(*words):
    print(*words, *[engine.decide(state).argument for engine in engines], flush=True)


if not os.fork():
    for engine in engines:
        engine.kill()
        engine.close()
    os._exit(0)
os.wait()
if not os.fork():
    for engine in engines:
        engine._lock.acquire()  # so did a thread, when this one was forked
    if not os.fork():
        signal.alarm(60)
        say("fork of a fork")
        sys.exit()
    os.wait()
    os._exit(0)
os.wait()
say("parent")
if not os.fork():
    signal.pause()
del engines
gc.collect()
print("forgotten", flush=True)
signal.pause()
"""


def test_a_fork_has_its_own_engine_and_the_last_reference_ends_it(fakes: Fakes) -> None:
    """Each script is followed from its beginning by two programs, to which nobody else says anything."""
    made = json.dumps([fakes.command(ASKED + "< bestmove 8/5 6/5\nwait"), fakes.program(LISTENS + BOARD + "wait")])
    with processes.running(sys.executable, "-c", FORKED, env={**os.environ, "FAKES": made}) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "fork of a fork 8/5 6/5 8/5 6/5\n"
        assert running.stdout.readline() == "parent 8/5 6/5 8/5 6/5\n"
        assert running.stdout.readline() == "forgotten\n"
        assert fakes.running() == []


OUTLIVED = """
import json, os, signal, warnings
from gammonrules import MatchState
from gammonrules.engine import SimpleEngine

warnings.simplefilter("ignore", DeprecationWarning)
engine = SimpleEngine.ubgi(json.loads(os.environ["FAKES"]))
engine.decide(MatchState.new(7).opening_roll(white=3, black=1))
if os.fork():
    print("forked", flush=True)
signal.pause()
"""


def test_an_engine_ends_with_its_process_though_a_fork_goes_on(fakes: Fakes) -> None:
    made = json.dumps(fakes.command((LEAVING if sys.platform == "linux" else ASKED) + "< bestmove 8/5 6/5\nwait"))
    with processes.running(sys.executable, "-c", OUTLIVED, env={**os.environ, "FAKES": made}) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "forked\n"
        assert fakes.running() != []
        running.kill()
        until_ended(fakes)


TWO_RUNS = """
import json, os, signal
from gammonrules import MatchState
from gammonrules._shared.work import programs
from gammonrules.engine import SimpleEngine

programs._SECONDS_TO_END = 0.3
command, program = json.loads(os.environ["FAKES"])
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
while True:
    try:
        with SimpleEngine.gnubg(program=program), SimpleEngine.ubgi(command, timeout=None) as engine:
            print("started", flush=True)
            engine.decide(MatchState.new(7).opening_roll(white=3, black=1))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        signal.sigwait([signal.SIGUSR1])
"""


def test_the_end_of_this_process(fakes: Fakes, tmp_path: Path) -> None:
    """Ctrl-C ends the engines in order; if the process is killed they end too, even if they do not read."""
    home = tmp_path / "home"
    home.mkdir()
    made = json.dumps([fakes.command(READY + "wait"), fakes.program(LISTENS + "wait")])
    variables = {**os.environ, "FAKES": made, "TMPDIR": str(home)}
    with processes.running(sys.executable, "-c", TWO_RUNS, env=variables) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "started\n"
        assert len(fakes.running()) >= 4
        running.send_signal(signal.SIGINT)
        assert running.stdout.readline() == "interrupted\n"
        assert [*fakes.running(), *home.iterdir()] == []
        running.send_signal(signal.SIGUSR1)
        assert running.stdout.readline() == "started\n"
        running.kill()
        until_ended(fakes)
