"""Children: fresh Pythons that import this package alone, each of which does one thing with one item after another.

All messages are pickles. The first ones to a child are the paths where Python looks for modules, and the function;
every other one is an item. The child says that it is ready, and answers each item with what the function returned.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import BufferedReader
from typing import IO, Any, Final, cast

from gammonrules._shared.forks import abandon
from gammonrules._shared.work.programs import Deadline, Program
from gammonrules.errors import EngineError, EngineReplyError
from gammonrules.values import shown

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
        # this may raise, so it comes before anything is started
        pickled = pickle.dumps(function, protocol=5)
        super().__init__(
            who, [sys.executable, "-P", "-c", _CHILD], environment=one_thread, guarded=guarded
        )
        self.ask(sys.path)
        self._ask(pickled)

    def ask(self, item: object) -> None:
        """Send an item; the answers come in the order of the items."""
        self._ask(pickle.dumps(item, protocol=5))

    def read(self, deadline: Deadline | None) -> Any:
        """The next answer. Raises as `Program.read`."""
        return pickle.loads(self._answer(deadline))  # noqa: S301 - from our own process

    def _ask(self, message: bytes) -> None:
        with suppress(EngineError):  # if it has ended, no answer comes
            self._send(message)

    def _answers_in(self, stream: IO[bytes]) -> Iterator[bytes]:
        # the stream is one, though subprocess does not say so
        answers = cast("BufferedReader", stream)
        with suppress(OSError, MemoryError, EOFError, pickle.UnpicklingError):
            while True:
                beginning = answers.peek(1)[:60]  # enough of it for a message
                if not beginning.startswith(_PICKLE):
                    self._garbage = beginning
                    return
                yield pickle.load(answers)  # noqa: S301 - from our own process

    def ended(self) -> EngineError:
        """The error if it has ended, or something else has written in its place."""
        error = super().ended()
        if self._garbage:
            return EngineReplyError(f"{self.who}: it answered {shown(self._garbage)}")
        return error


# --- the other end ----------------------------------------------------------------------------------------------------

_is_child = False


def is_child() -> bool:
    """Whether this process is a child."""
    return _is_child


def work(questions: IO[bytes]) -> None:
    """Answer each item until the parent is gone."""
    global _is_child  # noqa: PLW0603 - a process knows what it is
    _is_child = True
    answers = os.fdopen(os.dup(1), "wb")
    # From now on the function reads nothing, so that it cannot take the questions, and what it prints goes to the
    # error stream, so that it does not get between the answers.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    items: queue.SimpleQueue[Any] = queue.SimpleQueue()
    process = os.getpid()
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(after_in_child=partial(abandon, questions, answers))
    try:
        function = pickle.load(questions)  # noqa: S301 - from our own parent
        threading.Thread(target=_take, args=(questions, items), daemon=True).start()
        answer: object = "ready"
        while True:
            # pickled twice: the parent takes it in a thread, and reads it when it is its turn
            pickle.dump(pickle.dumps(answer, protocol=5), answers, protocol=5)
            answers.flush()
            answer = function(items.get())
            if os.getpid() != process:  # a fork, which the function has made, is not asked
                return
    finally:
        os._exit(1)


def _take(questions: IO[bytes], items: queue.SimpleQueue[Any]) -> None:
    """Take the items. Once the parent is gone, end in the midst of whatever is done."""
    try:
        while True:
            items.put(pickle.load(questions))  # noqa: S301 - from our own parent
    finally:
        os._exit(1)
