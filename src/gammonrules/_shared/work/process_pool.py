"""Work on many items, shared among children, with the results in the order of the items.

The executors of `concurrent.futures` do not fit. That for processes imports the caller's main program again, or copies
a process that has threads; that for threads takes no more items once the main thread has ended, and lets a program wait
at its end for an iterator that it left. This can be called from the top level of a script, from a notebook and from
threads.
"""

from __future__ import annotations

import os
import pickle
import queue
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from itertools import chain, islice
from typing import Any, Final, Self, TypeVar, cast

from attrs import define, field, frozen

from gammonrules._shared.forks import call_in_forks
from gammonrules._shared.map_functions import MapFunction
from gammonrules._shared.work.children import Child
from gammonrules._shared.work.programs import has_python
from gammonrules.errors import ArgumentError, EngineStartError
from gammonrules.limits import MAX_WORKERS
from gammonrules.values import shown, whole_argument, whole_number

Item = TypeVar("Item")
Result = TypeVar("Result")

_TASKS_OF_WORKER: Final = 4
"""How many tasks a worker has, so that it need not wait for the next."""
_TASKS_BEGUN: Final = 8
"""How many tasks per worker may be begun before their results are taken."""
_FEW: Final = 48
_SMALL: Final = 1_000_000
"""Up to this many items of this size in all, starting processes takes longer than the work."""


def checked_workers(workers: object) -> int:
    """The number of processes, one for each processor unless given. Raises ArgumentError."""
    if workers is not None:
        return whole_argument("workers", value=workers, minimum=1, maximum=MAX_WORKERS)
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MAX_WORKERS)
    return min(os.cpu_count() or 1, MAX_WORKERS)


def checked_workers_or_map(workers: object) -> int | MapFunction:
    """The number of processes, or a function that works in their place. Raises ArgumentError."""
    if callable(workers):
        return cast("MapFunction", workers)
    if workers is None or whole_number(workers) is not None:
        return checked_workers(workers)
    accepted = f"a whole number from 1 to {MAX_WORKERS}, a function like map, or None"
    raise ArgumentError(f"workers must be {accepted}, not {shown(workers, 60)}")


def in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    lost: Callable[[Item, str], Result],
    *,
    workers: int | None = None,
    size: Callable[[Item], int] | None = None,
    apart: bool = False,
) -> Generator[Result]:
    """The results of a function for each item, in the order of the items, whatever the number of processes.

    Only a bounded number of items is in progress, so memory does not grow with them. When the iterator is closed or
    garbage collected, or Ctrl-C interrupts it, the workers end; so they do when this process ends, however it does, and
    with it those that it was copied into (`os.fork`). For several series of items, `Workers` start only once.

    Args:
        function: what to do with an item. It should not raise. It must be possible to pickle it, so it is a function of
            this package, or `functools.partial` of one; so must its results. A worker gets it once: what it keeps
            (`CacheOfOne`) is there for the next item.
        items: the items, taken as they are needed: for each worker one more than it has, and none before the results
            that are there have been taken.
        lost: the result for an item whose worker ended, both times, from a sentence that says so.
        workers: how many processes; None for one for each processor. With 1 the work is done in this process.
        size: the size of an item, where 1,000,000 take as long as starting processes: up to 48 items of no more in all
            are done in this process. None for items that take longer; then no worker takes an item before it has done
            the last one.
        apart: whether even a single worker has a process of its own.

    Raises:
        ArgumentError: `workers` is not a number of processes.
    """
    return _once(Workers(workers, size=size, apart=apart), function, items, lost)


def _once(
    workers: Workers,
    function: Callable[[Item], Result],
    items: Iterable[Item],
    lost: Callable[[Item, str], Result],
) -> Generator[Result]:
    with workers:
        yield from workers.in_order(function, items, lost)


class Workers:
    """Processes for series of items, which stay from one series to the next, as long as the function is the same.

    They end at the end of the block, or with `close`; also where the results of a series are not taken to the end, so
    that nothing goes on that was begun. Then, and for another function, they start again.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        size: Callable[[Any], int] | None = None,
        apart: bool = False,
    ) -> None:
        """See `in_order`. Raises ArgumentError."""
        self._number = checked_workers(workers)
        self._size = size
        is_one_enough = self._number == 1 and not apart
        self._are_needed = has_python() and not is_one_enough
        self._pool: _Pool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the processes, whatever they are doing."""
        pool = self._pool
        self._pool = None
        if pool is not None:
            pool.kill_workers()

    def in_order(
        self,
        function: Callable[[Item], Result],
        items: Iterable[Item],
        lost: Callable[[Item, str], Result],
    ) -> Generator[Result]:
        """The results of the next series; see `in_order`. One series at a time."""
        if not self._are_needed:
            yield from map(function, items)
            return
        if self._size is not None:
            rest = iter(items)
            first = list(islice(rest, _FEW + 1))  # one more shows that there are more than few
            are_few = len(first) <= _FEW
            if are_few and sum(map(self._size, first)) <= _SMALL:
                yield from map(function, first)
                return
            items = chain(first, rest)
        pool = self._pool_for(function)
        try:
            for task in pool.finished_tasks(items):
                if task.result is not None:
                    yield pickle.loads(task.result)  # noqa: S301 - from our own process
                elif task.failure:  # its worker ended, and so did the one of the second try
                    yield lost(task.item, task.failure)
                else:  # no worker can be started, so the work is done here
                    yield function(task.item)
        except BaseException:
            self.close()
            raise

    def _pool_for(self, function: Callable[[Any], object]) -> _Pool:
        if self._pool is None or self._pool.function is not function:
            self.close()
            most_tasks = 1 if self._size is None else _TASKS_OF_WORKER
            self._pool = _Pool(function, self._number, most_tasks)
        return self._pool


@define(eq=False)
class _Task:
    """An item to be worked on."""

    item: Any
    is_finished: bool = False
    result: bytes | None = None
    """Pickled."""
    failure: str = ""
    """How its worker ended, if there was one."""

    def finish(self, result: bytes | None = None, failure: str = "") -> None:
        self.result = result
        self.failure = failure
        self.is_finished = True


class _Worker(Child):
    """A child with its tasks, the first of which it works on; what it answers goes to the queue of its pool."""

    def __init__(
        self, function: Callable[[Any], object], messages: queue.SimpleQueue[_Message]
    ) -> None:
        self.tasks = deque[_Task]()
        self.is_ready = False
        self._messages = messages
        super().__init__("worker", function, guarded=False)

    def _put(self, answer: bytes | None) -> None:
        self._messages.put(_Message(self, answer))

    def how_it_ended(self) -> str:
        """A sentence for its tasks, once it has ended."""
        self.kill()
        self.close()
        status = self._process.returncode
        if status >= 0:
            return f"its process ended unexpectedly, with status {status}"
        return (
            f"its process ended unexpectedly, by signal {-status};"
            " perhaps there was not enough memory"
        )


@frozen(eq=False)
class _Message:
    """What a worker says."""

    worker: _Worker
    answer: bytes | None
    """First that it is ready, then the result of each of its tasks; None that it has ended."""


@define(eq=False)
class _Pool:
    """Workers, which start when there are tasks for them."""

    function: Callable[[Any], object]
    number: int
    """How many workers are wanted."""
    most_tasks: int
    """How many tasks a worker has at once."""
    most_workers: int = 0
    """As many as wanted, less those that could not be started in this series."""
    workers: list[_Worker] = field(factory=list)
    messages: queue.SimpleQueue[_Message] = field(factory=queue.SimpleQueue)
    waiting: deque[_Task] = field(factory=deque)
    """The tasks that no worker has yet."""

    def __attrs_post_init__(self) -> None:
        call_in_forks(self, _Pool._leave_workers)

    def _leave_workers(self) -> None:
        """In a fork, whose parent has the workers, leave what they do to others."""
        for worker in self.workers:
            self.waiting.extend(worker.tasks)
        self.workers = []
        self.messages = queue.SimpleQueue()

    def finished_tasks(self, items: Iterable[object]) -> Generator[_Task]:
        """A task for each item, in order; if not all of them are taken, the workers are to be killed."""
        self.most_workers = self.number
        begun = deque[_Task]()
        most_begun = _TASKS_BEGUN * self.most_workers
        for item in items:
            begun.append(self.begin(item))
            # the next item is taken when a worker may have it soon, and no result is there to be taken
            while begun:
                are_enough_waiting = len(self.waiting) >= self.most_workers
                if begun[0].is_finished:
                    yield self.finished(begun.popleft(), begun)
                elif are_enough_waiting or len(begun) >= most_begun:
                    self.receive(1)
                else:
                    break
        while begun:
            yield self.finished(begun.popleft(), begun)

    def begin(self, item: object) -> _Task:
        """A new task, given to a worker as soon as one may have it."""
        task = _Task(item)
        self.waiting.append(task)
        self.receive(0)
        return task

    def finished(self, task: _Task, others: Iterable[_Task]) -> _Task:
        """A task once it is finished. If its worker was lost, its item is tried again when the others are finished."""
        self.wait_for(task)
        if not task.failure:
            return task
        # alone, and with all memory that there is: others may have used it up
        for other in others:
            self.wait_for(other)
        self.kill_workers()
        again = self.begin(task.item)
        self.wait_for(again)
        # if no worker could be started for the second try, the failure of the first one stands
        has_had_worker = again.result is not None or again.failure != ""
        return again if has_had_worker else task

    def wait_for(self, task: _Task) -> None:
        while not task.is_finished:
            self.receive(1)  # Windows notices Ctrl-C only between waits

    def receive(self, seconds: float) -> None:
        """Take the messages that are there, or wait so long for the first one; then give tasks to workers."""
        with suppress(queue.Empty):
            self.take(self.messages.get(timeout=seconds))
            while True:
                self.take(self.messages.get_nowait())
        self.give_tasks()

    def take(self, message: _Message) -> None:
        worker = message.worker
        if message.answer is None:
            self.remove(worker)
        elif worker.is_ready:
            worker.tasks.popleft().finish(message.answer)
        else:  # its first answer says so
            worker.is_ready = True

    def give_tasks(self) -> None:
        """Give each waiting task to the worker with the fewest, and start another worker only if none is idle."""
        while self.waiting:
            is_none_idle = all(worker.tasks for worker in self.workers)  # also if there is none
            if is_none_idle and len(self.workers) < self.most_workers:
                self.start_worker()  # if it cannot, it lowers `most_workers`, so this ends
            elif not self.workers:
                # none can be started: the task goes back without a result, and is done in this process
                task = self.waiting.popleft()
                task.finish(result=None)
            else:
                worker = min(self.workers, key=lambda worker: len(worker.tasks))
                if len(worker.tasks) == self.most_tasks:
                    return
                task = self.waiting.popleft()
                worker.tasks.append(task)
                worker.ask(task.item)

    def start_worker(self) -> None:
        """Start a worker, or do without it from now on."""
        try:
            self.workers.append(_Worker(self.function, self.messages))
        except EngineStartError:
            self.most_workers -= 1

    def remove(self, worker: _Worker) -> None:
        """Remove a worker that has ended, with its tasks. If it was never ready, no other one takes its place."""
        self.workers.remove(worker)
        failure = worker.how_it_ended()
        if not worker.is_ready:  # as if there had been no worker
            failure = ""
            self.most_workers -= 1
        for task in worker.tasks:
            task.finish(failure=failure)

    def kill_workers(self) -> None:
        for worker in self.workers:
            worker.kill()
        for worker in self.workers:
            worker.close()
        self.workers = []
        self.messages = queue.SimpleQueue()  # without what they have still said
