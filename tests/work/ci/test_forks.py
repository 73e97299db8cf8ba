"""Forks of this process: what threads of the parent hold is free in them, and what belongs to the parent is left alone.

A fork that hangs is ended by the limit of `processes`, which fails the test.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

import in_children
import pytest

import processes
from gammonrules._shared.work import Child, deadline_in

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

PARENT = """
import asyncio, os, socket, sys, threading, warnings
sys.path[:0] = sys.argv[1:]
import in_children
from gammonrules import MatchState, batch
from gammonrules._shared.work import Program, in_order
from gammonrules.arena import _work_units
from gammonrules.engine import Engine, EngineTerminatedError, SimpleEngine, serve
from gammonrules.records import analyzed_files

warnings.simplefilter("ignore", DeprecationWarning)
state = MatchState.new(7).opening_roll(white=3, black=1)


def in_fork(check):
    if not (child := os.fork()):
        check()
        print("checked", flush=True)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, check


def held(*locks):
    "Have another thread hold them from now on."
    is_holding = threading.Event()

    def hold():
        for lock in locks:
            lock.__enter__()
        is_holding.set()
        threading.Event().wait()

    threading.Thread(target=hold, daemon=True).start()
    is_holding.wait()


"""

LOCKS = """
engine = SimpleEngine.selftaught()
cached = vars(batch.MatchStates)["to_act"]
held(engine._lock, _work_units._lock, analyzed_files._lock, getattr(cached, "lock", threading.Lock()))


def uses_all():
    engine.decide(state)
    engine.close()
    with _work_units._lock, analyzed_files._lock:
        pass
    assert batch.MatchStates.from_states([state]).to_act.tolist() == [0]


in_fork(uses_all)
"""

ASYNCHRONOUS = """
async def ask_in_fork():
    async with Engine.selftaught() as engine:
        await engine.decide(state)
        async with engine._lock:
            in_fork(lambda: asyncio.run(engine.decide(state)))


asyncio.run(ask_in_fork())
"""

SERVER = """
with serve(lambda state: state.legal_plays[0]) as server:
    def closes():
        server.wait()
        server.close()
        assert "closed" in repr(server)


    in_fork(closes)
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"version\\n")
        assert connection.recv(1)

    ours, theirs = socket.socketpair()
    if not (child := os.fork()):
        theirs.send(b"forked")
        theirs.recv(1)
        os._exit(0)
    ours.recv(6)
try:
    socket.create_connection(("127.0.0.1", server.port)).close()
except ConnectionRefusedError:
    print("closed for good")
ours.send(b".")
os.waitpid(child, 0)
"""

WORKERS = """
results = in_order(in_children.chatter, range(40), None, workers=2)
assert next(results) == 0


def goes_on():
    assert list(results) == [*range(1, 40)]


in_fork(goes_on)
goes_on()
"""

PROGRAM = """
program = Program("cat", ["cat"])
program.write("a")


def is_refused():
    for ask in (lambda: program.write("b"), lambda: program.read(None)):
        try:
            ask()
        except EngineTerminatedError as error:
            print(error)
    program.forget()
    program._stdin.write(b"b\\n")
    program._stdin.flush()


in_fork(is_refused)
program.write("c")
print(program.read(None), program.read(None))
program.close()
"""

FULL_TABLE = """
import itertools, resource
from gammonrules._shared.forks import call_in_forks


class Thing:
    pass


thing, program, engine, another = Thing(), Program("cat", ["cat"]), SimpleEngine.selftaught(), Thing()
for raising in thing, another:
    call_in_forks(raising, lambda _: 1 / 0)
held(engine._lock)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
try:
    for _ in itertools.count():
        os.dup(0)
except OSError:
    pass


def is_changed():
    assert engine._lock.acquire(blocking=False)
    program._stdin.write(b"b\\n")
    program._stdin.flush()


in_fork(is_changed)
program.write("c")
print(program.read(None))
program.kill()
"""

BGSAGE = """
import weakref
from gammonrules.engine import _simple_engine

engine = SimpleEngine.bgsage(1)
of_parent, copies, deepcopy = weakref.ref(engine._driver), [], _simple_engine.deepcopy
_simple_engine.deepcopy = lambda driver: copies.append(driver) or deepcopy(driver)
held(engine._lock)


def has_own_process():
    assert of_parent() is not None  # to free it would copy its memory first
    assert copies == []
    for asked in (engine, SimpleEngine.bgsage(1)):
        assert type(asked._driver).__name__ == "OwnProcess"
    assert str(engine.decide(state).argument) == "8/5 6/5"


in_fork(has_own_process)
"""

NOT_OURS = "cat: another process started it, of which this one is a fork: start it here as well\n"

CASES = {
    "what another thread holds is free": (LOCKS, "checked\n"),
    "an asynchronous engine has another thread": (ASYNCHRONOUS, "checked\n"),
    "a server stays with its parent, and ends with it": (SERVER, "checked\nclosed for good\n"),
    "workers stay with the parent, and others take their place": (WORKERS, "checked\n"),
    "all is changed, though a change raises and no descriptor is free": (FULL_TABLE, "checked\nc\n"),
    "the pipes of a program lead nowhere": (PROGRAM, f"{NOT_OURS}{NOT_OURS}checked\na c\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_fork(case: str) -> None:
    program, said = CASES[case]
    done = processes.run(sys.executable, "-c", PARENT + program, Path(__file__).parent, seconds=60)
    assert done.stdout == said


def test_bgsage_whose_threads_are_in_the_parent() -> None:
    """From level 3 on it would wait for them: in a fork it has a process of its own."""
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    done = processes.run(sys.executable, "-c", PARENT + BGSAGE, Path(__file__).parent, seconds=60)
    assert done.stdout == "checked\n"


def test_a_worker_that_forks_is_answered_for_once() -> None:
    """The fork comes back from the function as well; its answer would be taken for that of the next item."""
    with closing(Child("worker", in_children.answer_after_fork)) as child:
        assert child.read(deadline_in(60)) == "ready"
        for _ in range(2):
            child.ask("question")
            assert child.read(deadline_in(60)) == "question"
