"""An engine in a process of its own, which may crash, hang or be ended without harm to this one.

A question is a line with the name of a method and its arguments; the answer is a line with what it returned or raised.
Both are pickled, in Base64.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Mapping
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._program import Program, deadline_in, starting
from gammonrules.errors import EngineReplyError, GammonError
from gammonrules.match import MatchState
from gammonrules.transcript import Candidate, CubeAnalysis
from gammonrules.values import shown

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")

_SECONDS_TO_START: Final = 60
# with the modules of this process, but without its main program
_CHILD: Final = "import sys; sys.path[:] = {!r}; from gammonrules.engine._own_process import work; work()"


class OwnProcess(Driver):
    """Another driver, asked in a process of its own."""

    def __init__(self, driver: Driver, timeout: float | None) -> None:
        self._driver = driver
        self.name, self.level, self.timeout = driver.name, driver.level, timeout
        self._program: Program | None = None

    def start(self) -> None:
        """See `Driver.start`."""
        self.deadline = deadline_in(_SECONDS_TO_START)
        self._program = Program(self.name, [sys.executable, "-c", _CHILD.format(sys.path)], coded=True)
        with starting(self.name):
            self._program.write(_packed(self._driver))
            self._ask(Driver.start)

    def _ask(
        self, method: Callable[Concatenate[Driver, _Given], _Found], *given: _Given.args, **_: _Given.kwargs
    ) -> _Found:
        """Call a method of the driver there."""
        assert self._program is not None  # noqa: S101 - it was started
        self._program.write(_packed((method.__name__, *given)))
        line = self._program.read(self.deadline)
        try:
            answer: tuple[str, _Found, GammonError | None] = _unpacked(line)
            self.name, found, error = answer
        except Exception as why:
            raise EngineReplyError(f"{self.name}: it answered {shown(line, 100)}") from why
        if error is not None:
            raise error
        return found

    def why_not(self, state: MatchState) -> str | None:
        """See `Driver.why_not`."""
        return self._driver.why_not(state)

    def evaluate(self, state: MatchState) -> Evaluation:
        """See `Driver.evaluate`."""
        return self._ask(Driver.evaluate, state)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        """See `Driver.candidates`."""
        return self._ask(Driver.candidates, state, also)

    def cube(self, state: MatchState) -> CubeAnalysis:
        """See `Driver.cube`."""
        return self._ask(Driver.cube, state)

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        """See `Driver.rolls`."""
        return self._ask(Driver.rolls, state)

    def kill(self) -> None:
        """See `Driver.kill`."""
        if self._program is not None:
            self._program.kill()

    def close(self) -> None:
        """See `Driver.close`."""
        if self._program is not None:
            self._program.close()


def work() -> None:
    """Be the process that is asked."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what a library prints must not come between the answers
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    driver: Driver = _unpacked(lines.get())
    while True:
        method, *given = _unpacked(lines.get())
        found = raised = None
        try:
            found = getattr(driver, method)(*given)
        except GammonError as error:
            raised = error
        except Exception as error:  # noqa: BLE001 - the process that asks is to know
            raised = EngineReplyError(f"{driver.name}: {shown(repr(error), 200)}")
        print(_packed((driver.name, found, raised)), file=answers, flush=True)


def _listen(lines: queue.SimpleQueue[str]) -> None:
    """Read questions, and end this process, whatever it is doing, with the one that asks them."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def _packed(what: object) -> str:
    return b64encode(pickle.dumps(what)).decode("ascii")


def _unpacked(line: str) -> Any:
    return pickle.loads(b64decode(line.strip(), validate=True))  # noqa: S301 - both processes run this code
