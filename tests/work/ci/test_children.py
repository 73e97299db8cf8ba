"""Work shared among children: results in order, whatever becomes of workers, of us, and of who takes the results."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import in_children
import pytest

import each
import loop
import processes
from gammonrules._shared.work import CacheOfOne, Workers, in_order
from gammonrules.errors import ArgumentError

IS_POSIX = os.name == "posix"
PROC = Path("/proc/self/fd")


def lost(item: object, sentence: str) -> str:
    return f"{item} lost: {sentence}"


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No thread, no process, no descriptor."""
    before = held()
    yield
    assert held() == before


def held() -> tuple[set[threading.Thread], set[str], list[str]]:
    return {*threading.enumerate()}, {*map(str, PROC.iterdir())} if PROC.exists() else set(), processes.children()


@loop.rows("workers", 1, 2)
def test_in_order(workers: int) -> None:
    assert list(in_order(in_children.chatter, range(300), lost, workers=workers)) == [*range(300)]
    assert list(in_order(in_children.chatter, (), lost, workers=workers)) == []


@loop.rows("workers", 0, -1, 257, 1.5, True, "2")
def test_no_number_of_processes(workers: object) -> None:
    with pytest.raises(ArgumentError, match="workers must be a whole number from 1 to 256"):
        in_order(in_children.chatter, (), lost, workers=workers)  # type: ignore[arg-type]


def test_lazily() -> None:
    """Nothing is taken before a result is asked for, and little ahead of that, eight for a worker."""
    taken: list[int] = []
    numbers = (taken.append(number) or number for number in range(1_000))
    results = in_order(in_children.chatter, numbers, lost, workers=2)
    assert taken == []
    next(results)
    assert len(taken) <= 16
    results.close()


def test_few_small_items_are_done_here() -> None:
    def processes_of(number: int, size: int, **options: bool) -> set[int]:
        return set(in_order(in_children.busy, [0.004] * number, lost, workers=2, size=lambda _: size, **options))

    assert processes_of(48, 20_000) == {os.getpid()}
    assert len(processes_of(48, 21_000)) == 2


def test_long_items_are_shared_and_what_stands_apart_is_elsewhere() -> None:
    """No worker takes a second item before another one that is free."""
    assert len(set(in_order(in_children.busy, [0.1] * 2, lost, workers=2))) == 2
    assert set(in_order(in_children.busy, [0], lost, workers=1)) == {os.getpid()}
    (other,) = set(in_order(in_children.busy, [0] * 3, lost, workers=1, apart=True))
    assert other != os.getpid()


@pytest.mark.skipif(not IS_POSIX, reason="signals of POSIX")
@each.first("is_long", [False, True])
@pytest.mark.usefixtures("few_are_shared")
def test_a_worker_is_lost(tmp_path: Path, is_long: bool) -> None:
    """Its item is tried once more, while nothing else is done; nothing else is lost with it."""
    names = [str(number) for number in range(26)]
    names[10], names[11] = "once", "killer"
    paths = [tmp_path / name for name in names]
    results = list(in_order(in_children.kill_itself, paths, lost, workers=2, size=None if is_long else lambda _: 1))
    assert results[10] == "once 0"
    assert [result.split()[0] for result in results if "lost" not in result] == [
        name for name in names if name != "killer"
    ]
    why = "its process ended unexpectedly, by signal 9; perhaps there was not enough memory"
    assert results[11] == f"{tmp_path / 'killer'} lost: {why}"


@pytest.mark.long
def test_a_worker_that_goes_wrong_is_lost() -> None:
    results = list(in_order(in_children.go_wrong, range(40), lost, workers=2))
    for number in (7, 23):
        assert results[number].startswith(f"{number} lost: its process ended unexpectedly, ")
    assert [result for result in results if isinstance(result, int)] == [*range(7), *range(8, 23), *range(24, 40)]


@pytest.mark.parametrize("executable", ["", "/nowhere/python", "/bin/false", "/bin/cat"])
def test_no_worker_can_be_started(monkeypatch: pytest.MonkeyPatch, executable: str) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    monkeypatch.setattr(sys, "frozen", executable == "/bin/cat", raising=False)
    assert list(in_order(in_children.chatter, range(40), lost, workers=2)) == [*range(40)]


def test_closed_early() -> None:
    before = set(threading.enumerate())
    results = in_order(in_children.busy, itertools.chain([0] * 6, itertools.repeat(600)), lost, workers=2)
    next(results)
    assert len(set(threading.enumerate()) - before) == 2
    results.close()


@pytest.mark.skipif(not IS_POSIX, reason="signals of POSIX")
@each.first("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_worker_is_left_behind(tmp_path: Path, number: int) -> None:
    """Not even one in the midst of an item, or of an earlier series; what was done before was told, in order."""
    script = tmp_path / "script.py"
    script.write_text(
        "import itertools, os, sys\n"
        f"sys.path.append({str(Path(__file__).parent)!r})\n"
        "import in_children\n"
        "from gammonrules._shared.work import Workers\n"
        "with Workers(2) as workers:\n"
        "    for more in [], itertools.repeat(600):\n"
        "        seconds = itertools.chain([0.02] * 4, more)\n"
        "        for process in workers.in_order(in_children.busy, seconds, None):\n"
        "            print(process, flush=True)\n",
        encoding="utf-8",
    )
    with processes.running(sys.executable, script) as run:
        assert run.stdout is not None
        workers = {int(run.stdout.readline()) for _ in range(8)}
        assert len(workers) == 2
        os.kill(run.pid, number)
        assert run.wait(timeout=60) == (-number if number != signal.SIGINT else run.returncode)
        assert run.stdout.read() == ""
    deadline = time.monotonic() + 60
    while any(map(processes.is_alive, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


FORKED = """
import os, sys, warnings
sys.path[:0] = sys.argv[1:]
import in_children
from gammonrules._shared.work import in_order
warnings.simplefilter("ignore", DeprecationWarning)
results = in_order(in_children.chatter, range(100), None, workers=2)
assert next(results) == 0
if not (child := os.fork()):
    results.close()
    os._exit(0)
os.waitpid(child, 0)
assert list(results) == [*range(1, 100)]
"""


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_leaves_the_workers_alone() -> None:
    processes.run(sys.executable, "-c", FORKED, Path(__file__).parent)


def test_workers_stay_for_the_next_series() -> None:
    """Not for another function, nor after a series of which not all results were taken."""
    with Workers(1, apart=True) as workers:
        first = set(workers.in_order(in_children.busy, [0.0] * 4, lost))
        assert len(first) == 1
        assert set(workers.in_order(in_children.busy, [0.0] * 4, lost)) == first
        begun = workers.in_order(in_children.busy, itertools.chain([0.0], itertools.repeat(600)), lost)
        assert next(begun) in first
        begun.close()
        second = set(workers.in_order(in_children.busy, [0.0] * 4, lost))
        assert not first & second
        assert list(workers.in_order(in_children.chatter, range(3), lost)) == [0, 1, 2]
        assert not second & set(workers.in_order(in_children.busy, [0.0] * 4, lost))


@pytest.mark.skipif(not IS_POSIX, reason="signals of POSIX")
def test_a_worker_is_lost_between_two_series(tmp_path: Path) -> None:
    """Nothing is lost with it; one that is lost in a later series is told as in the first."""
    with Workers(1, apart=True) as workers:
        (process,) = workers.in_order(in_children.busy, [0.0], lost)
        os.kill(process, signal.SIGKILL)
        (other,) = workers.in_order(in_children.busy, [0.0], lost)
        assert other != process
        killer = tmp_path / "killer"
        (result,) = workers.in_order(in_children.kill_itself, [killer], lost)
        assert result.startswith(f"{killer} lost: its process ended unexpectedly, by signal 9")


def test_what_a_worker_keeps() -> None:
    """The function is sent once."""
    assert list(in_order(in_children.Counting(), range(100), lost, workers=1, apart=True)) == [*range(1, 101)]


def test_what_a_process_keeps() -> None:
    """One thing at a time, which is closed before the next is made."""
    happened: list[str] = []

    class Door:
        def __init__(self, name: str) -> None:
            happened.append(f"open {name}")
            self.name = name

        def close(self) -> None:
            happened.append(f"close {self.name}")

    kept = CacheOfOne(Door)
    assert kept.get("a") is kept.get("a")
    kept.get("b")
    kept.close()
    kept.close()
    assert happened == ["open a", "close a", "open b", "close b"]
