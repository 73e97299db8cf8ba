"""What the workers of `test_children` do. They import this, so it imports little."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path


def kill_itself(path: Path) -> str:
    """Return how many others are at work; "killer" never does, and "once" only at the second time."""
    at_work = path.with_name(f"at work {os.getpid()}")
    at_work.touch()
    time.sleep(0.002)
    others = len(list(path.parent.glob("at work *"))) - 1
    at_work.unlink()
    tried = path.with_name(f"{path.name} was tried")  # each has its own: they may be at work at the same time
    if path.name == "killer" or (path.name == "once" and not tried.exists()):
        tried.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{path.name} {others}"


def busy(seconds: float) -> int:
    """The process that works for a while."""
    time.sleep(seconds)
    return os.getpid()


def chatter(number: int) -> int:
    print("this must not get between the results")  # noqa: T201
    os.write(1, b"nor this\n")
    return number


def go_wrong(number: int) -> int:
    """Raise an error, or write garbage wherever the answers go."""
    if number == 7:
        raise ValueError("what a mistake")
    for answers in range(3, 20) if number == 23 else ():
        try:
            os.write(answers, b"what?\n")
        except OSError:
            continue
    return number


class Counting:
    """It keeps how many items it has had."""

    def __init__(self) -> None:
        self.items = 0

    def __call__(self, _: object) -> int:
        self.items += 1
        return self.items


def answer_after_fork(question: str) -> str:
    """Return what was asked, after a fork has returned something else."""
    fork = os.fork()
    if not fork:
        return "answer of a fork"
    os.waitpid(fork, 0)
    return question
