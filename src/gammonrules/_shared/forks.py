"""What a fork of this process (`os.fork`) must change: it lacks the threads of its parent, and shares its pipes."""

from __future__ import annotations

import functools
import os
import threading
import weakref
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import IO, Any, Final, TypeVar

Thing = TypeVar("Thing")
Value = TypeVar("Value")


_known: Final = weakref.WeakKeyDictionary[Any, Callable[[Any], None]]()


def call_in_forks(thing: Thing, change: Callable[[Thing], None]) -> None:
    """Have a function change an object in each fork of this process, as long as the object exists.

    It is called where no other thread runs. If it raises, Python reports the error, and the others are called as well.
    """
    _known[thing] = change


def _change_all() -> None:
    with ExitStack() as changes:  # it makes all of them, whichever of them raise
        for thing, change in _known.items():
            changes.callback(change, thing)


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_change_all)


def abandon(*streams: IO[bytes] | None) -> None:
    """In a fork, close its copies of pipes that belong to the parent: from now on, the streams lead nowhere.

    The streams themselves stay open, since a thread that is not there may have locked them.
    """
    for stream in streams:
        with suppress(OSError, ValueError):  # it is closed
            if stream is not None:
                _lead_nowhere(stream.fileno())


def _lead_nowhere(descriptor: int) -> None:
    os.close(descriptor)  # first, since all others may be in use
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere != descriptor:
        os.dup2(nowhere, descriptor, inheritable=False)
        os.close(nowhere)


class ForkableLock:
    """A reentrant lock that is free in a fork, whichever thread of the parent holds it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        call_in_forks(self, ForkableLock._free)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def _free(self) -> None:
        is_of_this_thread = self._lock.acquire(blocking=False)
        if is_of_this_thread:
            self._lock.release()
        else:
            self._lock = threading.RLock()


class cached_property(functools.cached_property[Value]):  # noqa: N801 - as the one of Python
    """That of Python, which up to 3.11 has a lock for all instances: here it is free in a fork.

    Slotted classes of attrs need none of this: they replace the one of Python by something without a lock.
    """

    def __init__(self, func: Callable[[Any], Value]) -> None:
        super().__init__(func)
        self.lock = ForkableLock()
