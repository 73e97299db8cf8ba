"""Children: fresh Pythons that import this package alone, each of which does one thing with one item after another.

All messages are pickles. The first ones to a child are the paths where Python looks for modules, and the function;
every other one is an item. The child says that it is ready, and answers each item with what the function returned.

Work on many items is shared among children, with the results in the order of the items. The executors of
`concurrent.futures` do not fit. That for processes imports the caller's main program again, or copies a process that
has threads; that for threads takes no more items once the main thread has ended, and lets a program wait at its end for
an iterator that it left. All this can be called from the top level of a script, from a notebook and from threads.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from io import BufferedReader
from itertools import chain, islice
from typing import IO, Any, Final, Generic, Protocol, TypeAlias, TypeVar, cast

from attrs import define, field

from gammonrules._shared.work.programs import Program
from gammonrules.errors import EngineError, EngineReplyError, EngineStartError
from gammonrules.values import shown, whole_argument

_PICKLE: Final = b"\x80"
"""How every pickle begins."""

_CHILD: Final = """\
import os, pickle, sys
questions = os.fdopen(os.dup(0), "rb")
sys.path[:] = pickle.load(questions)
from gammonrules._shared.work.children import work
work(questions)
"""
"""What a child runs. Before it can import the package it must know where the package is."""


class Child(Program):
    """A child that is asked items and answers them, before a deadline if there is one.

    The function is sent once, when the child starts, so what it keeps stays there. It may be anything that can be
    called and pickled; it should not raise, which ends the child. The first answer says that the child is ready.
    """

    _garbage = b""

    def __init__(
        self, who: str, function: Callable[[Any], object], *, guarded: bool = True
    ) -> None:
        # NumPy's threads would fight over the processors with those of other children.
        one_thread = {"OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1")}
        sent = pickle.dumps(function, protocol=5)
        super().__init__(
            who, [sys.executable, "-P", "-c", _CHILD], environment=one_thread, guarded=guarded
        )
        self.ask(sys.path)
        self._ask(sent)

    def ask(self, item: object) -> None:
        """Send an item; the answers come in the order of the items."""
        self._ask(pickle.dumps(item, protocol=5))

    def read(self, deadline: float | None) -> Any:
        """The next answer. Raises as `Program.read`."""
        return pickle.loads(self._answer(deadline))  # noqa: S301 - from our own process

    def _ask(self, message: bytes) -> None:
        with suppress(EngineError):  # if it has ended, the missing answer tells
            self._send(message)

    def _answers_in(self, stream: IO[bytes]) -> Iterator[Any]:
        answers = cast("BufferedReader", stream)
        with suppress(OSError, MemoryError, EOFError, pickle.UnpicklingError):
            while (begin := answers.peek(1)[:60]).startswith(_PICKLE):
                yield pickle.load(answers)  # noqa: S301 - from our own process
            self._garbage = begin

    def ended(self) -> EngineError:
        """The error if it has ended, or something else has written in its place."""
        error = super().ended()
        return (
            EngineReplyError(f"{self.who}: it answered {shown(self._garbage)}")
            if self._garbage
            else error
        )


# --- the other end ----------------------------------------------------------------------------------------------------

_role = "parent"


def is_child() -> bool:
    return _role == "child"


def work(questions: IO[bytes]) -> None:
    """Answer each item until the parent is gone."""
    global _role  # noqa: PLW0603 - a process knows what it is
    _role = "child"
    answers = os.fdopen(os.dup(1), "wb")
    # What the function prints must not get between the answers, and it must not take the questions.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    items: queue.SimpleQueue[Any] = queue.SimpleQueue()
    try:
        function = pickle.load(questions)  # noqa: S301 - from our own parent
        threading.Thread(target=_take, args=(questions, items), daemon=True).start()
        answer: object = "ready"
        while True:
            # pickled twice: the parent takes it in a thread, and reads it when it is its turn
            pickle.dump(pickle.dumps(answer, protocol=5), answers, protocol=5)
            answers.flush()
            answer = function(items.get())
    finally:
        os._exit(1)


def _take(questions: IO[bytes], items: queue.SimpleQueue[Any]) -> None:
    """Take the items. Once the parent is gone, end in the midst of whatever is done."""
    try:
        while True:
            items.put(pickle.load(questions))  # noqa: S301 - from our own parent
    finally:
        os._exit(1)


# --- many items, shared among children --------------------------------------------------------------------------------

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_JOBS: Final = 256
_AHEAD: Final = 4
"""How many items a worker has, so that it need not wait for the next."""
_WINDOW: Final = 8
"""How many items per worker may be begun before their results are taken."""
_FEW = 48
_SMALL = 1_000_000
"""Up to this many items of this size in all, starting processes takes longer than the work."""


def checked_jobs(jobs: object) -> int:
    """The number of processes, one for each processor unless given. Raises ArgumentError."""
    if jobs is None:
        usable = (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
        return min(usable, MOST_JOBS)
    return whole_argument("jobs", value=jobs, least=1, most=MOST_JOBS)


def in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    lost: Callable[[Item, str], Result],
    *,
    jobs: int | None = None,
    size: Callable[[Item], int] | None = None,
    apart: bool = False,
) -> Generator[Result]:
    """The results of a function for each item, in the order of the items, whatever the number of processes.

    Only a bounded number of items is in progress, so memory does not grow with them. When the iterator is closed or
    garbage collected, or Ctrl-C interrupts it, the workers end; so they do when this process ends, however it does, and
    with it those that it was copied into (`os.fork`).

    Args:
        function: what to do with an item. It should not raise. It must be possible to pickle it, so it is a function of
            this package, or `functools.partial` of one; so must its results. A worker gets it once: what it keeps
            (`Kept`) is there for the next item.
        items: the items, taken as they are needed: for each worker one more than it has, and none before the results
            that are there have been taken.
        lost: the result for an item whose worker ended, both times, from a sentence that says so.
        jobs: how many processes; None for one for each processor. With 1 the work is done in this process.
        size: the size of an item, where 1,000,000 take as long as starting processes: up to 48 items of no more in all
            are done in this process. None for items that take longer; then no worker takes an item before it has done
            the last one.
        apart: whether even a single job has a process of its own.

    Raises:
        ArgumentError: `jobs` is not a number of processes.
    """
    number = checked_jobs(jobs)

    def results() -> Generator[Result]:
        rest = iter(items)
        first = list[Item]()
        # The executable of a frozen application is the application.
        is_here = (number == 1 and not apart) or not sys.executable or getattr(sys, "frozen", False)
        if size is not None and not is_here:
            first += islice(rest, _FEW + 1)
            is_here = len(first) <= _FEW and sum(map(size, first)) <= _SMALL
        if is_here:
            yield from map(function, chain(first, rest))
            return
        crew = _Crew(function, number, 1 if size is None else _AHEAD)
        with closing(crew.answers(chain(first, rest))) as answers:
            for item, answer in answers:
                if isinstance(answer, bytes):
                    yield pickle.loads(answer)  # noqa: S301 - ours
                else:
                    yield function(item) if answer is None else lost(item, answer)

    return results()


Answer: TypeAlias = bytes | str | None
"""A pickled result, a sentence on how the worker ended, or None if none can be started."""


@define(eq=False)
class _Task:
    item: Any
    answer: Answer = None
    is_done: bool = False

    def end(self, answer: Answer) -> None:
        self.answer = answer
        self.is_done = True


class _Worker(Child):
    """A child with the tasks that it was given; all answers go where those of the other workers go."""

    def __init__(self, function: Callable[[Any], object], news: queue.SimpleQueue[_News]) -> None:
        self.tasks = deque[_Task]()
        self.is_ready = False
        self._news = news
        super().__init__("worker", function, guarded=False)

    def _put(self, answer: Any) -> None:
        self._news.put((self, answer))

    def how_it_ended(self) -> str:
        self.kill()
        self.close()
        status = self._process.returncode
        how = (
            f"with status {status}"
            if status >= 0
            else f"by signal {-status}; perhaps there was not enough memory"
        )
        return f"its process ended unexpectedly, {how}"


_News: TypeAlias = tuple[_Worker, bytes | None]
"""What a worker answered; None if it has ended."""


@define(eq=False)
class _Crew:
    """Workers, which start when there are tasks for them."""

    function: Callable[[Any], object]
    number: int
    ahead: int
    workers: list[_Worker] = field(factory=list)
    news: queue.SimpleQueue[_News] = field(factory=queue.SimpleQueue)
    waiting: deque[_Task] = field(factory=deque)
    """The tasks that nobody was given."""

    def answers(self, items: Iterable[Item]) -> Generator[tuple[Item, Answer]]:
        """The items in order, each with its answer. At the end, the workers are killed, whatever they are doing."""
        begun = deque[_Task]()
        window = _WINDOW * self.number
        try:
            for item in items:
                begun.append(self.begin(item))
                while begun and (
                    begun[0].is_done or len(self.waiting) >= self.number or len(begun) >= window
                ):
                    if begun[0].is_done:
                        yield self.first(begun)
                    else:
                        self.hear(1)
            while begun:
                yield self.first(begun)
        finally:
            self.end()

    def begin(self, item: object) -> _Task:
        task = _Task(item)
        self.waiting.append(task)
        self.hear(0)
        return task

    def first(self, begun: deque[_Task]) -> tuple[Any, Answer]:
        """The item that was begun first, which is tried once more if its worker was lost."""
        task = begun.popleft()
        self.hear_of(task)
        if isinstance(task.answer, str):
            # Alone, and with all memory that there is: others may have used it up.
            self.hear_of(*begun)
            self.end()
            again = self.begin(task.item)
            self.hear_of(again)
            task.answer = again.answer or task.answer
        return task.item, task.answer

    def hear_of(self, *tasks: _Task) -> None:
        for task in tasks:
            while not task.is_done:
                self.hear(1)  # Windows notices Ctrl-C only between waits

    def hear(self, seconds: float) -> None:
        """Take what the workers say within this time, or have said, and give them more to do."""
        with suppress(queue.Empty):
            while True:
                worker, answer = self.news.get(timeout=seconds)
                seconds = 0
                if answer is None:
                    self.lose(worker)
                elif worker.is_ready:
                    worker.tasks.popleft().end(answer)
                else:
                    worker.is_ready = True
        self.hand_out()

    def hand_out(self) -> None:
        """Give tasks to those who have the fewest, and let new workers start while none is idle."""
        while self.waiting:
            if len(self.workers) < self.number and all(worker.tasks for worker in self.workers):
                self.hire()
                continue
            worker = min(self.workers, key=lambda worker: len(worker.tasks), default=None)
            if worker is None:
                self.waiting.popleft().end(None)
            elif len(worker.tasks) < self.ahead:
                worker.tasks.append(task := self.waiting.popleft())
                worker.ask(task.item)
            else:
                return

    def hire(self) -> None:
        """Start a worker, or do without from now on."""
        try:
            self.workers.append(_Worker(self.function, self.news))
        except EngineStartError:
            self.number -= 1

    def lose(self, worker: _Worker) -> None:
        """A lost worker takes with it what it was given ahead. Where one cannot even begin, none is started anymore."""
        self.workers.remove(worker)
        how = worker.how_it_ended()
        self.number -= not worker.is_ready
        for task in worker.tasks:
            task.end(how if worker.is_ready else None)

    def end(self) -> None:
        for worker in self.workers:
            worker.kill()
        for worker in self.workers:
            worker.close()
        self.workers = []
        self.news = queue.SimpleQueue()


# --- what a process keeps from one item to the next -------------------------------------------------------------------


class _Closable(Protocol):
    def close(self) -> object: ...


Key = TypeVar("Key")
Value = TypeVar("Value", bound=_Closable)


@define(eq=False)
class Kept(Generic[Key, Value]):
    """What a process keeps because it is costly, such as an engine: made when first asked for, one at a time."""

    make: Callable[[Key], Value]
    _kept: tuple[Key, Value] | None = None

    def of(self, key: Key) -> Value:
        """The value for this key; that for another key is closed."""
        if self._kept is None or self._kept[0] != key:
            self.close()
            self._kept = key, self.make(key)
        return self._kept[1]

    def close(self) -> None:
        """Close what was made last, if it is not closed."""
        kept = self._kept
        self._kept = None
        if kept is not None:
            kept[1].close()
