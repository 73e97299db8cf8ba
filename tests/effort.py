"""How much work is done, counted: a clock would tell how busy the machine is.

What is over is counted once more, since some work is only done the first time, such as an import.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from cProfile import Profile


def calls_fewer(work: Callable[[], object], most: int) -> bool:
    """Whether fewer functions than this are called, those in C too."""
    return _calls_in(work) < most or _calls_in(work) < most


def _calls_in(work: Callable[[], object]) -> int:
    profile = Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


def bytes_fewer(work: Callable[[], object], most: int) -> bool:
    """Whether fewer bytes than this are in use at a time, besides those before."""
    return _bytes_in(work) < most or _bytes_in(work) < most


def _bytes_in(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
