"""Work on many files, or other items, at once, in processes of its own, with the results in the order of the items.

The executors of `concurrent.futures` do not fit. That for processes imports the caller's main program again, or copies
a process that has threads; that for threads takes no more items once the main thread has ended, and lets a program
wait at its end for an iterator that it left. So here are threads that each serve a worker: a fresh Python that
imports this package alone and speaks pickles over its standard input and output. All this can be called from the top
level of a script, from a notebook and from threads.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from importlib.abc import MetaPathFinder
from itertools import chain, islice
from typing import IO, Any, Final, Generic, TypeAlias, TypeVar

from attrs import define, field

from gammonrules.archive.source_files import Source, failed
from gammonrules.errors import ArgumentError
from gammonrules.values import shown

Asked = TypeVar("Asked")
Found = TypeVar("Found")

_AHEAD: Final = 2
"""How many items a worker has: while one answer is on its way, it reads the next."""
_WINDOW: Final = 8
"""How many items per worker may be begun before their results are taken."""
_FEW, _SMALL = 24, 400_000
"""Up to this many files and bytes, starting processes takes longer than the work."""
MOST_JOBS: Final = 256


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked_jobs(jobs: object) -> int:
    """The number of processes, one for each processor unless given. Raises ArgumentError."""
    if jobs is None:
        return min(processors(), MOST_JOBS)
    if isinstance(jobs, int) and not isinstance(jobs, bool) and 1 <= jobs <= MOST_JOBS:
        return jobs
    raise ArgumentError(f"jobs is a number of processes from 1 to {MOST_JOBS}, or None, not {shown(jobs, 60)}")


def in_order(
    function: Callable[[Asked], Found],
    items: Iterable[Asked],
    lost: Callable[[Asked, str], Found],
    *,
    jobs: int | None = None,
    is_long: bool = False,
    apart: bool = False,
) -> Generator[Found]:
    """The results of a function for each item, in the order of the items, whatever the number of processes.

    A few small files are read in this process, unless the work is long. Only a bounded number of items is in progress,
    so memory does not grow with them. When the iterator is closed or garbage collected, or Ctrl-C interrupts it,
    the workers end; so they do when this process ends, however it does, and with it those that it was copied into
    (`os.fork`).

    Args:
        function: what to do with an item. It must be possible to pickle it, so it is a function of this package, or
            `functools.partial` of one; so must its results. It should not raise; if it does, `lost` makes the result.
        items: the items, taken as they are needed.
        lost: the result for an item on which the function failed, or whose worker ended, both times, from a sentence
            that says so. It is called in this process.
        jobs: how many processes; None for one for each processor. With 1 the work is done in this process.
        is_long: whether it takes much longer than starting a process. Then processes start even for a few items, which
            need not be files, and no worker takes an item before it has done the last one.
        apart: whether even a single job has a process of its own.

    Raises:
        ArgumentError: `jobs` is not a number of processes.
    """
    return _in_order(function, iter(items), lost, checked_jobs(jobs), is_long=is_long, apart=apart)


def _in_order(
    function: Callable[[Asked], Found],
    items: Iterator[Asked],
    lost: Callable[[Asked, str], Found],
    jobs: int,
    *,
    is_long: bool,
    apart: bool,
) -> Generator[Found]:
    first = list(islice(items, _FEW + 1)) if jobs > 1 or apart else []
    every = chain(first, items)
    # The executable of a frozen application is the application.
    cannot = not sys.executable or getattr(sys, "frozen", False)
    is_quick = not is_long and len(first) <= _FEW and _bytes_of(first) <= _SMALL
    if (jobs == 1 and not apart) or cannot or is_quick:
        for item in every:
            yield _here(function, item, lost)
        return
    with closing(_Pool(function, min(jobs, len(first)), is_long).answers(every)) as answers:
        for item, answer in answers:
            if answer is None:
                yield _here(function, item, lost)
            elif isinstance(answer, str):
                yield lost(item, answer)
            else:
                well, result = pickle.loads(answer)  # noqa: S301 - from our own process
                yield result if well else lost(item, result)


def _here(function: Callable[[Asked], Found], item: Asked, lost: Callable[[Asked, str], Found]) -> Found:
    try:
        return function(item)
    except Exception as error:  # noqa: BLE001 - one item must not end the run
        return lost(item, failed(error))


def _bytes_of(sources: Iterable[object]) -> int:
    """Roughly how much there is to read."""
    total = 0
    for source in sources:
        assert isinstance(source, Source)  # noqa: S101 - what is not long is to read files
        with suppress(OSError, ValueError):
            total += source.member.size if source.member else os.stat(source.path).st_size  # noqa: PTH116
    return total


Answer: TypeAlias = bytes | str | None
"""A pickled result, a sentence on how the worker ended, or None if none can be started."""
Task: TypeAlias = tuple[Any, Future[Answer]]


@define(eq=False)
class _Pool(Generic[Asked]):
    """Workers, which start with their first items."""

    function: Callable[[Asked], object]
    number: int
    is_long: bool
    tasks: queue.SimpleQueue[Task | None] = field(factory=queue.SimpleQueue)
    begun: deque[Task] = field(factory=deque)

    def answers(self, items: Iterable[Asked]) -> Generator[tuple[Asked, Answer]]:
        """The items in order, each with its answer. At the end, the workers end, whatever they are doing."""
        workers = [_Worker(self.tasks, self.function, self.is_long) for _ in range(self.number)]
        try:
            for item in items:
                self.begun.append((item, self.ask(item)))
                if len(self.begun) >= _WINDOW * self.number:
                    yield self.first(workers)
            while self.begun:
                yield self.first(workers)
        finally:
            for worker in workers:
                worker.stop()
                self.tasks.put(None)
            for worker in workers:
                worker.thread.join()

    def ask(self, item: Asked) -> Future[Answer]:
        """Give an item to the next worker that is free."""
        future: Future[Answer] = Future()
        self.tasks.put((item, future))
        return future

    def first(self, workers: list[_Worker]) -> tuple[Asked, Answer]:
        """The item that was begun first, which is tried once more if its worker was lost."""
        item, future = self.begun.popleft()
        answer = _waited_for(future)
        if isinstance(answer, str):
            # Alone, and with all memory that there is: others may have used it up.
            for _, other in self.begun:
                _waited_for(other)
            for worker in workers:
                worker.end()
            answer = _waited_for(self.ask(item)) or answer
        return item, answer


def _waited_for(future: Future[Answer]) -> Answer:
    while not future.done():
        wait((future,), timeout=1)  # Windows notices Ctrl-C only between waits
    return future.result()


@define(eq=False)
class _Worker:
    """A process that does one item after another, and the thread that serves it; a new one if it is lost."""

    tasks: queue.SimpleQueue[Task | None]
    function: Callable[[Any], object]
    is_long: bool
    process: subprocess.Popen[bytes] | None = None
    stopped: bool = False
    """Whether no process is started anymore: none is wanted, or none works."""
    lock: threading.Lock = field(factory=threading.Lock)
    thread: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        # A daemon: a program that ends without closing the iterator must not wait for it.
        self.thread = threading.Thread(target=self.serve, name="gammonrules worker", daemon=True)
        self.thread.start()

    def serve(self) -> None:
        """Give items to the process until there are no more."""
        given: deque[Task] = deque()
        more = True
        while more or given:
            with suppress(queue.Empty):
                while more and len(given) < (1 if self.is_long else _AHEAD):
                    task = self.tasks.get(block=not given)
                    if task is None:
                        more = False
                    else:
                        given.append(task)
                        self.send(task[0])
            answer = self.answer() if given else None
            # A lost worker takes with it what it was given ahead.
            for _ in range(1 if isinstance(answer, bytes) else len(given)):
                given.popleft()[1].set_result(answer)
        self.end()

    def send(self, item: object) -> None:
        """Give an item to the process, or to a new one."""
        process = self.process or self.started()
        if process is not None:
            _send(process, item)

    def answer(self) -> Answer:
        """What the process makes of the item that it was given first."""
        process = self.process
        if process is None:
            return None
        answer: bytes | None = _received(process)
        if answer is not None:
            return answer
        self.end()
        status = process.returncode
        how = f"with status {status}" if status >= 0 else f"by signal {-status}; perhaps there was not enough memory"
        return f"its process ended unexpectedly, {how}"

    def started(self) -> subprocess.Popen[bytes] | None:
        """A new process."""
        with self.lock:
            try:
                process = self.process = None if self.stopped else _process()
            except (OSError, ValueError):
                process = None
        if process is not None:
            _send(process, sys.path, self.is_long, self.function)
        if process is None or _received(process) is None:
            self.stopped = True
            self.end()
        return self.process

    def stop(self) -> None:
        """End the process, and start none anymore. Other threads may call this."""
        with self.lock:
            self.stopped, process = True, self.process
        if process is not None:
            process.kill()

    def end(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()  # takes what is left in the pipes, and closes them


def _process() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - Python itself
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"OMP_NUM_THREADS": "1"} | os.environ,  # NumPy's threads would fight over the processors with the others
        # Ctrl-C in a terminal goes to all processes of a group: we end the workers, it must not.
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        process_group=None if sys.platform == "win32" else 0,
    )


def _send(process: subprocess.Popen[bytes], *messages: object) -> None:
    """Send messages to a process; if it has ended, that is noticed by the missing answer."""
    assert process.stdin is not None  # noqa: S101
    try:
        for message in messages:
            pickle.dump(message, process.stdin, protocol=5)
        process.stdin.flush()
    except (OSError, MemoryError):
        process.kill()


def _received(process: subprocess.Popen[bytes]) -> Any:
    """What a process answers; None if it has ended, or if there is no memory for it."""
    assert process.stdout is not None  # noqa: S101
    try:
        return pickle.load(process.stdout)  # noqa: S301 - from our own process
    except (OSError, MemoryError, EOFError, pickle.UnpicklingError):
        return None


# --- the other end: a process that does one thing with one item after another -----------------------------------------
#
# All messages are pickles. The first ones to a worker are the paths where Python looks for modules, whether the work is
# long, and the function; every other one is an item. The worker says that it is ready, and answers each item with the
# pickle of a pair: whether the function worked, and its result or else a sentence.

_PROGRAM: Final = """\
import os, pickle, sys
questions = os.fdopen(os.dup(0), "rb")
sys.path[:] = pickle.load(questions)
from gammonrules.archive.worker_pool import work
work(questions)
"""
"""What a worker runs. Before it can import the package it must know where the package is."""


class _WithoutPandas(MetaPathFinder):
    """Makes pandas look uninstalled; a None in `sys.modules` is not enough for compiled code.

    pyarrow imports it, if it can, to ask whether a list is one of its values; that takes longer than many files.
    """

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Find nothing, and look no further."""
        if fullname == "pandas":
            raise ModuleNotFoundError("not needed here", name=fullname)


def work(questions: IO[bytes]) -> None:
    """Answer each item until the parent process is gone."""
    if not pickle.load(questions):  # noqa: S301 - from our own parent process
        sys.meta_path.insert(0, _WithoutPandas())
    function = pickle.load(questions)  # noqa: S301
    answers = os.fdopen(os.dup(1), "wb")
    # What the function prints must not get between the answers, and it must not take the questions.
    for number in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    items: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(questions, items), daemon=True).start()
    answer: object = "ready"
    try:
        while True:
            pickle.dump(answer, answers, protocol=5)
            answers.flush()
            item = items.get()
            try:
                answer = pickle.dumps((True, function(item)), protocol=5)
            except Exception as error:  # noqa: BLE001 - one item must not end the run
                answer = pickle.dumps((False, failed(error)))
    finally:
        os._exit(1)


def _take(questions: IO[bytes], items: queue.SimpleQueue[Any]) -> None:
    """Take the items. Once the parent is gone, end in the midst of whatever is done."""
    try:
        while True:
            items.put(pickle.load(questions))  # noqa: S301
    finally:
        os._exit(1)
