"""A driver that goes wrong in its process, by any of these faults."""

from __future__ import annotations

import faulthandler
import os
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress

from gammonrules import Action, MatchState
from gammonrules.engine._driver import Driver
from gammonrules.errors import EngineUnsupportedError
from gammonrules.records import CubeAnalysis


def garbage() -> None:
    for answers in range(3, 20):  # wherever they are written
        with suppress(OSError):
            os.write(answers, b"what?\n")


def last_words() -> None:
    sys.stderr.write("farewell\n")
    sys.stderr.flush()
    os._exit(3)


def chatter() -> None:
    sys.stdout.write("thinking\n")
    os.write(1, b"thinking\n" * 100_000)


def refuse() -> None:
    raise EngineUnsupportedError("faulty: not this one")


FAULTS: dict[str, Callable[[], object]] = {
    "segfault": faulthandler._sigsegv,  # type: ignore[attr-defined]
    "exit": last_words,
    "hang": lambda: time.sleep(60),
    "garbage": garbage,
    "raise": lambda: {}["key"],
    "chatter": chatter,
    "refuse": refuse,
}


class Faulty(Driver):
    """Its start, or what it is asked first, goes wrong."""

    name = "faulty"

    def __init__(self, fault: str, *, at_start: bool = False) -> None:
        self.fault, self.at_start = fault, at_start

    def start(self) -> None:
        if self.at_start:
            FAULTS[self.fault]()

    def why_not(self, state: MatchState) -> None:
        """It knows all games."""

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        FAULTS[self.fault]()
        return CubeAnalysis(0.5, 2.0)
