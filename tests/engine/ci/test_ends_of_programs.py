"""Engines in programs of their own that fork, stop or stay: how each ends, and nothing is left behind."""

from __future__ import annotations

import gc
import json
import os
import signal
import stat
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from unittest import mock

import attrs
import pytest
from scripted_engines import ASKED, BOARD, HELLO, LEAVING, LISTENS, QUESTION, READY, STATE, Fakes, held, made_fakes
from test_programs import LASTING, ask, check_fault, play_of, waiting

import gnu_backgammon
import loop
import processes
import wording
from gammonrules import Action, ArgumentError, Event, Rules
from gammonrules._shared.work import deadline_in, programs
from gammonrules.engine import (
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    EngineUnsupportedError,
    SimpleEngine,
    _gnubg_terminal,
)

__all__ = ["made_fakes"]
pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads what is left from /proc")


def test_many_clients(fakes: Fakes) -> None:
    """Each has an engine of its own; and all ask one."""

    def play(number: int) -> Event | Action:
        ask(fakes.ubgi(LASTING) if number % 2 else fakes.gnubg(LISTENS + "> board\n< 8/5 6/5\n"))
        return lasting.decide(STATE)

    with ThreadPoolExecutor(8) as pool, fakes.ubgi(LASTING) as lasting:
        assert len({*pool.map(play, range(8))}) == 1


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


@loop.rows(
    "kind, script, error, words",
    ("ubgi", "", EngineStartError, "exit status 0"),
    ("ubgi", "> ubgi\n< \x1b\xff", EngineStartError, "\\x1b"),
    ("ubgi", "> ubgi\n< id name Slow\nwait", EngineStartError, "Slow"),
    ("ubgi", "> ubgi\nflood", EngineStartError, "without end"),
    ("ubgi", HELLO + QUESTION + "< info depth 1\n< bestmove a2a3", EngineStartError, "a2a3"),
    ("ubgi", ASKED + "<< bestmove 8/5 6/5\nwait", EngineTimeoutError, "8/2"),
    ("ubgi", ASKED + "< bestmove 8 5 6\n", EngineReplyError, "8 5 6"),
    ("ubgi", ASKED + f"< bestmove {'x' * 4000}\n", EngineReplyError, "xxx"),
    ("ubgi", ASKED + "< bestmoveid 4HPwATDgc/ABMA\n", EngineReplyError, "4HPw"),
    ("ubgi", ASKED + "< bestmove\n", EngineReplyError, "31"),
    ("ubgi", ASKED + "flood blank\n", EngineReplyError, "without end"),
    ("gnubg", "< castle\nwait", EngineStartError, "castle"),
    ("gnubg", "listen\nhang up", EngineStartError, "Waiting"),
    ("gnubg", "listen\n> version\n< Error: castle\n< \n< \n< ", EngineStartError, "castle"),
    ("gnubg", "listen\n> version\nflood", EngineStartError, "flood"),
    ("gnubg", LISTENS + "> board\nhang up\nwait", EngineTerminatedError, "it has ended"),
    ("gnubg", LISTENS + "> board\n< 8/4 6/5\nwait", EngineReplyError, "8/4"),
    ("gnubg", LISTENS + "> board\nflood blank", EngineReplyError, "expected a line"),
)
def test_more_faults(fakes: Fakes, kind: str, script: str, error: type[EngineError], words: str) -> None:
    check_fault(fakes, kind, script, error, words)
