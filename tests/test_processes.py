"""What tests start is bounded, whatever the process that runs them ignores; nothing is started in another way."""

from __future__ import annotations

import ast
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import processes

TESTS = Path(__file__).parent

on_posix = pytest.mark.skipif(not processes.IS_POSIX, reason="signals and limits of POSIX")

AS_IN_THE_BACKGROUND = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
import sys
import processes
program = "import signal; print(signal.getsignal(signal.SIGINT), signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
print(processes.run(sys.executable, "-c", program).stdout)
"""


@on_posix
def test_ignored_and_blocked_signals_are_not_inherited():
    """As with `pytest &` in a shell without job control."""
    printed = processes.run(sys.executable, "-c", AS_IN_THE_BACKGROUND, cwd=TESTS).stdout
    assert printed.split() == [*"<built-in function default_int_handler>".split(), "set()"]


@on_posix
def test_time_is_bounded():
    """By the system, so also where nobody waits for the program any more."""
    done = processes.run(sys.executable, "-c", "import time; time.sleep(60)", seconds=0.2, check=False)
    assert done.returncode == -signal.SIGALRM


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited so")
@pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer takes terabytes")
def test_memory_is_bounded():
    done = processes.run(sys.executable, "-c", "bytearray(1 << 28)", megabytes=200, check=False)
    assert done.returncode == 1
    assert "MemoryError" in done.stderr
    assert processes.run(sys.executable, "-c", "bytearray(1 << 27)", megabytes=200).stdout == ""


@on_posix
def test_nothing_is_left():
    """Neither the program nor what it has started, though the test fails while both run."""
    started: list[tuple[subprocess.Popen[str], int]] = []

    def fail() -> None:
        with processes.running("sh", "-c", "sleep 60 & echo $!; wait", seconds=30) as running:
            assert running.stdout is not None
            started.append((running, int(running.stdout.readline())))
            assert processes.is_alive(started[0][1])
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    [(running, asleep)] = started
    assert running.returncode == -signal.SIGKILL
    deadline = time.monotonic() + 30
    while processes.is_alive(asleep):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere two sockets cannot share a port")
def test_a_free_port_is_kept_for_a_server():
    """Even when the server ends and begins again; nothing else gets it."""
    port = processes.free_port()
    for _ in range(2):
        with socket.socket() as other, pytest.raises(OSError, match="in use"):
            other.bind(("127.0.0.1", port))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        with socket.create_server(("127.0.0.1", port)):  # it reuses addresses, as servers do
            socket.create_connection(("127.0.0.1", port)).close()


def test_a_failure_shows_what_the_program_said():
    with pytest.raises(AssertionError, match="castle"):
        processes.run(sys.executable, "-c", "raise SystemExit('castle')")


STARTS = {
    "subprocess": {"run", "Popen", "call", "check_call", "check_output", "getoutput", "getstatusoutput"},
    "os": {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "spawnv", "spawnl", "execv", "execvp"},
    "multiprocessing": {"Process", "Pool"},
}


def starts_in(path: Path) -> list[str]:
    """The places where a file starts a process itself."""
    text, starts = path.read_text(encoding="utf-8"), []
    if not re.search(rf"\b(subprocess|multiprocessing)\b|\bos\.({'|'.join(STARTS['os'])})\b|from os import", text):
        return []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if name in STARTS.get(module, ()):
                starts.append(f"{path.name}:{node.lineno} {module}.{name}")
            case ast.ImportFrom(module=module, names=names) if module in STARTS:
                starts += [f"{path.name}:{node.lineno} {module}.{n.name}" for n in names if n.name in STARTS[module]]
    return starts


def test_nothing_is_started_in_another_way():
    """But by an engine that misbehaves on purpose, whose processes end by themselves."""
    files = [path for path in TESTS.rglob("*.py") if path.name not in {"processes.py", "fake_engine.py"}]
    assert [start for path in files for start in starts_in(path)] == []


def test_the_search_finds_every_start(tmp_path):
    """Those of this folder's one module that may."""
    assert [start.partition(" ")[2] for start in starts_in(TESTS / "processes.py")] == [
        "subprocess.run",
        "subprocess.Popen",
        "os.execvp",
    ]
    (tmp_path / "x.py").write_text("from subprocess import run, PIPE\nfrom os import fork\n", encoding="utf-8")
    assert [start.partition(" ")[2] for start in starts_in(tmp_path / "x.py")] == ["subprocess.run", "os.fork"]
