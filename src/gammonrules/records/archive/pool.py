"""Work on many files at once, in processes of its own, with the results in the order of the files.

`multiprocessing` would import the caller's main program again, or copy a process that has threads; these workers do
neither. Each is a fresh Python that imports this package alone and speaks pickles over its standard input and output.
So this can be called from the top level of a script, from a notebook and from threads.
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
from contextlib import suppress
from itertools import chain, islice
from typing import Final, Generic, TypeVar

from attrs import define, field

from gammonrules.errors import ArgumentError
from gammonrules.records.archive import working, zips
from gammonrules.records.archive.sources import Source, failed
from gammonrules.values import shown

Found = TypeVar("Found")

_AHEAD: Final = 2
"""How many files a worker has: while one result is on its way, it reads the next."""
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
) -> Generator[Found]:
    """The results of a function for each file, in the order of the files, whatever the number of processes.

    A few small files are read in this process. Only a bounded number of files is in progress, so memory does not grow
    with the archive. When the iterator is closed or garbage collected, or Ctrl-C interrupts it, the workers end.

    Args:
        function: what to do with a file. It must be possible to pickle it, so it is a function of this package, or
            `functools.partial` of one; so must its results. It should not raise; if it does, `lost` makes the result.
        files: the files, taken as they are needed.
        lost: the result for a file on which the function failed, or whose worker ended, from a sentence that
            says so. It is called in this process.
        jobs: how many processes; None for one for each processor. With 1 the work is done in this process.

    Raises:
        ArgumentError: `jobs` is not a number of processes.
    """
    return _in_order(function, iter(files), lost, checked_jobs(jobs))


def _in_order(
    function: Callable[[Source], Found],
    files: Iterator[Source],
    lost: Callable[[Source, str], Found],
    jobs: int,
) -> Generator[Found]:
    first = list(islice(files, _FEW + 1)) if jobs > 1 else []
    every = chain(first, files)
    if jobs == 1 or not sys.executable or (len(first) <= _FEW and _bytes_of(first) <= _SMALL):
        try:
            for source in every:
                yield _here(function, source, lost)
        finally:
            zips.forget()
        return
    pool = _Pool(function, lost)
    pool.start(min(jobs, max(len(first), 1)))
    try:
        yield from pool.results(every)
    finally:
        pool.close()
        zips.forget()


def _here(function: Callable[[Source], Found], source: Source, lost: Callable[[Source, str], Found]) -> Found:
    """The result for a file, made in this process."""
    try:
        return function(source)
    except Exception as error:  # noqa: BLE001 - one file must not end the run
        return lost(source, failed(error))


def _bytes_of(sources: Iterable[Source]) -> int:
    """Roughly how much there is to read."""
    total = 0
    for source in sources:
        with suppress(OSError, ValueError):
            total += 20_000 if source.archive else os.stat(source.path).st_size  # noqa: PTH116
    return total


@define(eq=False)
class _Pool(Generic[Found]):
    """Workers, each with a thread of this process that serves it."""

    function: Callable[[Source], Found]
    lost: Callable[[Source, str], Found]
    tasks: queue.SimpleQueue[tuple[int, Source] | None] = field(factory=queue.SimpleQueue)
    done: queue.SimpleQueue[tuple[int, Callable[[], Found]]] = field(factory=queue.SimpleQueue)
    servers: list[_Server[Found]] = field(factory=list)

    def start(self, number: int) -> None:
        """Start the workers."""
        program = pickle.dumps(sys.path), pickle.dumps(self.function)
        for _ in range(number):
            server = _Server(self, program)
            self.servers.append(server)
            server.thread.start()

    def results(self, files: Iterator[Source]) -> Iterator[Found]:
        """The results in order."""
        window = _WINDOW * len(self.servers)
        early: dict[int, Callable[[], Found]] = {}
        begun = wanted = 0
        for begun, source in enumerate(files, start=1):
            self.tasks.put((begun - 1, source))
            if begun - wanted >= window:
                yield self._result(wanted, early)
                wanted += 1
        while wanted < begun:
            yield self._result(wanted, early)
            wanted += 1

    def _result(self, wanted: int, early: dict[int, Callable[[], Found]]) -> Found:
        while wanted not in early:
            with suppress(queue.Empty):  # Windows notices Ctrl-C only between waits
                number, made = self.done.get(timeout=1)
                early[number] = made
        return early.pop(wanted)()

    def close(self) -> None:
        """End all workers, whatever they are doing."""
        for server in self.servers:
            server.stop()
        for _ in self.servers:
            self.tasks.put(None)
        for server in self.servers:
            server.thread.join()


@define(eq=False)
class _Server(Generic[Found]):
    """A thread that gives files to one worker and takes its results; if the worker is lost, it starts another."""

    pool: _Pool[Found]
    program: tuple[bytes, bytes]
    """The first two messages to a worker."""
    thread: threading.Thread = field(init=False)
    worker: subprocess.Popen[bytes] | None = field(init=False, default=None)
    stopped: bool = field(init=False, default=False)
    unable: bool = field(init=False, default=False)
    """Whether no worker can be started, so that the work is done in this process."""
    given: deque[tuple[int, Source]] = field(init=False, factory=deque)
    """The files given to the worker, in order."""
    lock: threading.Lock = field(init=False, factory=threading.Lock)

    def __attrs_post_init__(self) -> None:
        # A daemon: a program that ends without closing the iterator must not wait for it.
        self.thread = threading.Thread(target=self.serve, name="gammonrules worker", daemon=True)

    def stop(self) -> None:
        """End the worker, from another thread."""
        with self.lock:
            self.stopped = True
            if self.worker is not None:
                self.worker.kill()

    def serve(self) -> None:
        """Serve until there is nothing left to do."""
        more = True
        while (more or self.given) and not self.stopped:
            while more and len(self.given) < _AHEAD:
                try:
                    task = self.pool.tasks.get(block=not self.given)
                except queue.Empty:
                    break
                more = task is not None
                if task is not None:
                    self.given.append(task)
                    self._send(task[1])
            if self.given:
                self._receive()
        self._end_worker()

    def _send(self, source: Source) -> None:
        if self.worker is None and not self.unable:
            self._start()
        if self.worker is not None:
            with suppress(OSError):  # a lost worker is noticed by its missing result
                working.write(self.worker.stdin, pickle.dumps(source, protocol=5))

    def _start(self) -> None:
        """Start a worker, and give it the files that the last one left."""
        with self.lock:
            if self.stopped:
                return
            try:
                worker = self.worker = _process()
            except (OSError, ValueError):
                self.unable = True
                return
        try:
            for message in self.program:
                working.write(worker.stdin, message)
            self.unable = working.read(worker.stdout) is None
        except OSError:
            self.unable = True
        if self.unable:
            self._end_worker()

    def _receive(self) -> None:
        """Take the next result."""
        _, source = self.given[0]
        function, lost = self.pool.function, self.pool.lost
        if self.worker is None:
            self._put(lambda: _here(function, source, lost))
            return
        try:
            message = working.read(self.worker.stdout)
        except OSError:
            message = None
        if message is not None:
            self._put(lambda: _result_of(message, source, lost))
        elif not self.stopped:
            sentence = _how_it_ended(self.worker)
            self._end_worker()
            self._put(lambda: lost(source, sentence))
            for _, left in list(self.given):
                self._send(left)

    def _put(self, made: Callable[[], Found]) -> None:
        number, _ = self.given.popleft()
        self.pool.done.put((number, made))

    def _end_worker(self) -> None:
        with self.lock:
            worker, self.worker = self.worker, None
        if worker is not None:
            worker.kill()
            for pipe in (worker.stdin, worker.stdout):
                with suppress(OSError):  # unwritten data is of no use
                    if pipe is not None:
                        pipe.close()
            worker.wait()


def _process() -> subprocess.Popen[bytes]:
    """A new worker."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-P", "-c", working.PROGRAM]
    return subprocess.Popen(  # noqa: S603 - Python itself
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=subprocess.DEVNULL,
        # Ctrl-C in a terminal goes to all processes of a group: we end the workers, it must not.
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        process_group=None if sys.platform == "win32" else 0,
    )


def _result_of(message: bytes, source: Source, lost: Callable[[Source, str], Found]) -> Found:
    """The result in the message of a worker, unpickled only when needed, by the thread that needs it."""
    well, result = pickle.loads(message)  # noqa: S301 - from our own process
    found: Found = result if well else lost(source, result)
    return found


def _how_it_ended(worker: subprocess.Popen[bytes]) -> str:
    """The sentence about the file that a lost worker had."""
    worker.kill()
    status = worker.wait()
    how = f"by signal {-status}" if status < 0 else f"with status {status}"
    return f"the process that read it ended unexpectedly ({how}); perhaps there was not enough memory"
