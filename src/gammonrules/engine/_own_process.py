"""An engine in a process of its own, which may crash, hang or be ended without harm to this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final, TypeVar, TypeVarTuple, cast

from gammonrules._shared.work import Child, deadline_in
from gammonrules.analysis import Candidate, CubeAnalysis
from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver, start_errors
from gammonrules.engine._evaluation import Evaluation
from gammonrules.errors import EngineReplyError, GammonError
from gammonrules.match import Action, MatchState
from gammonrules.values import shown

_Arguments = TypeVarTuple("_Arguments")
_Answer = TypeVar("_Answer")

_SECONDS_TO_START: Final = 60


class OwnProcess(Driver):
    """Another driver, asked in a process of its own."""

    def __init__(self, driver: Driver, timeout: float | None) -> None:
        self._driver = driver
        self.name = driver.name
        self.level = driver.level
        self.knows_limits = driver.knows_limits
        self.advice = driver.advice
        self.timeout = timeout

    def start(self) -> None:
        self.deadline = deadline_in(_SECONDS_TO_START)
        self._program = child = Child(self.name, partial(_driver_answer, self._driver))
        with start_errors(self.name):
            child.read(self.deadline)
            self._ask(Driver.start)

    def _ask(
        self, method: Callable[[Driver, *_Arguments], _Answer], *arguments: *_Arguments
    ) -> _Answer:
        child = self._program
        assert isinstance(child, Child)  # it was started
        child.ask((method.__name__, arguments))
        name, returned, error = child.read(self.deadline)
        self.name = name  # once the engine runs, it has its version
        if error is not None:
            raise error
        return cast("_Answer", returned)  # pickled on the way, so no type checker knows it

    def why_not(self, state: MatchState) -> str | None:
        return self._driver.why_not(state)

    def evaluate(self, state: MatchState) -> Evaluation:
        return self._ask(Driver.evaluate, state)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        return self._ask(Driver.candidates, state, also)

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        return self._ask(Driver.cube_analysis, state, also)

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        return self._ask(Driver.roll_equities, state)


def _driver_answer(
    driver: Driver, question: tuple[str, tuple[object, ...]]
) -> tuple[str, Any, GammonError | None]:
    """In the child: what the driver answers to a question, which is one of its methods with its arguments."""
    method, arguments = question
    returned: object = None
    raised: GammonError | None = None
    try:
        returned = getattr(driver, method)(*arguments)
    except GammonError as error:
        raised = error
    except Exception as error:  # noqa: BLE001 - the process that asks is to know
        raised = EngineReplyError(f"{driver.name}: {shown(error, 200)}")
    return driver.name, returned, raised
