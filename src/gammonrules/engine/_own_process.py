"""An engine in a process of its own, which may crash, hang or be ended without harm to this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from attrs import frozen

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._program import EngineErrors, starting
from gammonrules.errors import EngineReplyError, GammonError
from gammonrules.match import MatchState
from gammonrules.transcript import Candidate, CubeAnalysis
from gammonrules.values import shown
from gammonrules.work import Child, deadline_in

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")

_SECONDS_TO_START: Final = 60


class OwnProcess(Driver):
    """Another driver, asked in a process of its own."""

    def __init__(self, driver: Driver, timeout: float | None) -> None:
        self._driver = driver
        self.name, self.level, self.timeout = driver.name, driver.level, timeout

    def start(self) -> None:
        self.deadline = deadline_in(_SECONDS_TO_START)
        self._program = child = _Child(self.name, _Answers(self._driver))
        with starting(self.name):
            child.read(self.deadline)
            self._ask(Driver.start)

    def _ask(
        self,
        method: Callable[Concatenate[Driver, _Arguments], _Answer],
        *arguments: _Arguments.args,
        **_: _Arguments.kwargs,
    ) -> _Answer:
        assert isinstance(self._program, Child)  # noqa: S101 - it was started
        self._program.ask((method.__name__, arguments))
        answer: tuple[str, _Answer, GammonError | None] = self._program.read(self.deadline)
        self.name, returned, error = answer
        if error is not None:
            raise error
        return returned

    def why_not(self, state: MatchState) -> str | None:
        return self._driver.why_not(state)

    def evaluate(self, state: MatchState) -> Evaluation:
        return self._ask(Driver.evaluate, state)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        return self._ask(Driver.candidates, state, also)

    def cube(self, state: MatchState) -> CubeAnalysis:
        return self._ask(Driver.cube, state)

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        return self._ask(Driver.rolls, state)


class _Child(EngineErrors, Child):
    """A child whose errors are those of an engine."""


@frozen
class _Answers:
    """In the child: the answers of the driver to questions, which are its methods with their arguments."""

    driver: Driver

    def __call__(self, question: tuple[str, tuple[object, ...]]) -> tuple[str, Any, GammonError | None]:
        method, arguments = question
        returned = raised = None
        try:
            returned = getattr(self.driver, method)(*arguments)
        except GammonError as error:
            raised = error
        except Exception as error:  # noqa: BLE001 - the process that asks is to know
            raised = EngineReplyError(f"{self.driver.name}: {shown(repr(error), 200)}")
        return self.driver.name, returned, raised
