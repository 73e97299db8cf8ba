"""What tests start is bounded, whatever the process that runs them ignores."""

from __future__ import annotations

import signal
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
