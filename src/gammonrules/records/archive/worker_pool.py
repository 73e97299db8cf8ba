"""Work on many files at once, in processes of its own, with the results in the order of the files.

The executors of `concurrent.futures` do not fit. That for processes imports the caller's main program again, or copies
a process that has threads; that for threads takes no more files once the main thread has ended, and lets a program
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
from typing import Any, Final, TypeAlias, TypeVar

from attrs import define, field

from gammonrules.errors import ArgumentError
from gammonrules.records.archive.sources import Source, failed
from gammonrules.values import shown

Found = TypeVar("Found")

_AHEAD: Final = 2
"""How many files a worker has: while one answer is on its way, it reads the next."""
_WINDOW: Final = 8
"""How many files per worker may be begun before their results are taken."""
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
    function: Callable[[Source], Found],
    files: Iterable[Source],
    lost: Callable[[Source, str], Found],
    *,
    jobs: int | None = None,
    is_long: bool = False,
) -> Generator[Found]:
    """The results of a function for each file, in the order of the files, whatever the number of processes.

    A few small files are read in this process, unless the work is long. Only a bounded number of files is in progress,
    so memory does not grow with the archive. When the iterator is closed or garbage collected, or Ctrl-C interrupts it,
    the workers end; so they do when this process ends, however it does, and with it those that it was copied into
    (`os.fork`).

    Args:
        function: what to do with a file. It must be possible to pickle it, so it is a function of this package, or
            `functools.partial` of one; so must its results. It should not raise; if it does, `lost` makes the result.
        files: the files, taken as they are needed.
        lost: the result for a file on which the function failed, or whose worker ended, both times, from a sentence
            that says so. It is called in this process.
        jobs: how many processes; None for one for each processor. With 1 the work is done in this process.
        is_long: whether it takes much longer than starting a process, even for a small file; then no worker takes a
            file before it has done the last one.

    Raises:
        ArgumentError: `jobs` is not a number of processes.
    """
    few, ahead = (1, 1) if is_long else (_FEW, _AHEAD)
    return _in_order(function, iter(files), lost, checked_jobs(jobs), few, ahead)


def _in_order(
    function: Callable[[Source], Found],
    files: Iterator[Source],
    lost: Callable[[Source, str], Found],
    jobs: int,
    few: int,
    ahead: int,
) -> Generator[Found]:
    first = list(islice(files, _FEW + 1)) if jobs > 1 else []
    every = chain(first, files)
    # The executable of a frozen application is the application.
    cannot = not sys.executable or getattr(sys, "frozen", False)
    if jobs == 1 or cannot or (len(first) <= few and _bytes_of(first) <= _SMALL):
        for source in every:
            yield _here(function, source, lost)
        return
    with closing(_Pool(function, min(jobs, len(first)), ahead).answers(every)) as answers:
        for source, answer in answers:
            if answer is None:
                yield _here(function, source, lost)
            elif isinstance(answer, str):
                yield lost(source, answer)
            else:
                well, result = pickle.loads(answer)  # noqa: S301 - from our own process
                yield result if well else lost(source, result)


def _here(function: Callable[[Source], Found], source: Source, lost: Callable[[Source, str], Found]) -> Found:
    try:
        return function(source)
    except Exception as error:  # noqa: BLE001 - one file must not end the run
        return lost(source, failed(error))


def _bytes_of(sources: Iterable[Source]) -> int:
    """Roughly how much there is to read."""
    total = 0
    for source in sources:
        with suppress(OSError, ValueError):
            total += source.member.size if source.member else os.stat(source.path).st_size  # noqa: PTH116
    return total


Answer: TypeAlias = bytes | str | None
"""A pickled result, a sentence on how the worker ended, or None if none can be started."""
Task: TypeAlias = tuple[Source, Future[Answer]]


@define(eq=False)
class _Pool:
    """Workers, which start with their first files."""

    function: Callable[[Source], object]
    number: int
    ahead: int
    tasks: queue.SimpleQueue[Task | None] = field(factory=queue.SimpleQueue)
    begun: deque[Task] = field(factory=deque)

    def answers(self, files: Iterable[Source]) -> Generator[tuple[Source, Answer]]:
        """The files in order, each with its answer. At the end, the workers end, whatever they are doing."""
        workers = [_Worker(self.tasks, self.function, self.ahead) for _ in range(self.number)]
        try:
            for source in files:
                self.begun.append((source, self.ask(source)))
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

    def ask(self, source: Source) -> Future[Answer]:
        """Have a file read by the next worker that is free."""
        future: Future[Answer] = Future()
        self.tasks.put((source, future))
        return future

    def first(self, workers: list[_Worker]) -> tuple[Source, Answer]:
        """The file that was begun first, which is tried once more if its worker was lost."""
        source, future = self.begun.popleft()
        answer = _waited_for(future)
        if isinstance(answer, str):
            # Alone, and with all memory that there is: others may have used it up.
            for _, other in self.begun:
                _waited_for(other)
            for worker in workers:
                worker.end()
            answer = _waited_for(self.ask(source)) or answer
        return source, answer


def _waited_for(future: Future[Answer]) -> Answer:
    while not future.done():
        wait((future,), timeout=1)  # Windows notices Ctrl-C only between waits
    return future.result()


@define(eq=False)
class _Worker:
    """A process that reads one file after another, and the thread that serves it; a new one if it is lost."""

    tasks: queue.SimpleQueue[Task | None]
    function: Callable[[Source], object]
    ahead: int
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
        """Give files to the process until there are no more."""
        given: deque[Task] = deque()
        more = True
        while more or given:
            with suppress(queue.Empty):
                while more and len(given) < self.ahead:
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

    def send(self, source: Source) -> None:
        """Give a file to the process, or to a new one."""
        process = self.process or self.started()
        if process is not None:
            _send(process, source)

    def answer(self) -> Answer:
        """What the process makes of the file that it was given first."""
        process = self.process
        if process is None:
            return None
        answer: bytes | None = _received(process)
        if answer is not None:
            return answer
        self.end()
        how = f"by signal {-process.returncode}" if process.returncode < 0 else f"with status {process.returncode}"
        return f"the process that read it ended unexpectedly ({how}); perhaps there was not enough memory"

    def started(self) -> subprocess.Popen[bytes] | None:
        """A new process."""
        with self.lock:
            try:
                process = self.process = None if self.stopped else _process()
            except (OSError, ValueError):
                process = None
        if process is not None:
            _send(process, sys.path, self.function)
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


# --- the other end: a process that does one thing with one file after another -----------------------------------------
#
# All messages are pickles. The first ones to a worker are the paths where Python looks for modules, and the function;
# every other one is a file. The worker says that it is ready, and answers each file with the pickle of a pair: whether
# the function worked, and its result or else a sentence.

_PROGRAM: Final = """\
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from gammonrules.records.archive.worker_pool import work
work()
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


def work() -> None:
    """Answer each file until the parent process is gone."""
    sys.meta_path.insert(0, _WithoutPandas())
    function = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent process
    answers = os.fdopen(os.dup(1), "wb")
    # Whatever else is printed must not get between the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    files: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_take, args=(files,), daemon=True).start()
    answer: object = "ready"
    try:
        while True:
            pickle.dump(answer, answers, protocol=5)
            answers.flush()
            source = files.get()
            try:
                answer = pickle.dumps((True, function(source)), protocol=5)
            except Exception as error:  # noqa: BLE001 - one file must not end the run
                answer = pickle.dumps((False, failed(error)))
    finally:
        os._exit(1)


def _take(files: queue.SimpleQueue[Any]) -> None:
    """Take the files. Once the parent is gone, end in the midst of whatever is done."""
    try:
        while True:
            files.put(pickle.load(sys.stdin.buffer))  # noqa: S301
    finally:
        os._exit(1)
