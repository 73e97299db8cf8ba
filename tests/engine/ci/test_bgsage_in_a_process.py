"""bgsage in a process of its own, and what may happen to that process."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from faulty import Faulty
from test_bgsage_engine import START, TO_ROLL

import each
from gammonrules.engine import (
    Engine,
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    EngineUnsupportedError,
    SimpleEngine,
)
from gammonrules.engine._own_process import OwnProcess


def questions(engine: Any) -> list[Any]:
    """The answers of a simple engine, or what is to be awaited of an asynchronous one."""
    decisions = [engine.decide(state) for state in (START, TO_ROLL, TO_ROLL.double(), TO_ROLL.resign())]
    numbers = [ask(TO_ROLL) for ask in (engine.cube_analysis, engine.evaluate, engine.roll_equities, engine.hint)]
    return [*decisions, engine.candidates(START, 2), *numbers]


def test_both_forms_say_the_same_and_the_asynchronous_one_has_a_process_of_its_own() -> None:
    async def there() -> list[object]:
        async with Engine.bgsage(timeout=math.inf) as engine:
            return [engine.name, engine.level, *[await question for question in questions(engine)]]

    here = SimpleEngine.bgsage()
    assert asyncio.run(there()) == [here.name, here.level, *questions(here)]


@each.first(
    "fault, error, words",
    [
        ("segfault", EngineTerminatedError, "exit status"),
        ("hang", EngineTimeoutError, "did not answer within"),
        ("exit", EngineTerminatedError, "farewell.*exit status 3"),
        ("garbage", EngineReplyError, "what"),
        ("raise", EngineReplyError, "KeyError"),
        ("refuse", EngineUnsupportedError, "not this one"),
        ("chatter", None, ""),
    ],
    of_these=1,
)
def test_faults_in_a_process_of_its_own(fault: str, error: type[EngineError] | None, words: str) -> None:
    engine = SimpleEngine(OwnProcess(Faulty(fault), 60))
    if error is None:
        assert engine.cube_analysis(TO_ROLL).no_double == 0.5
        engine.close()
        return
    with pytest.raises(error, match=words):
        engine.cube_analysis(TO_ROLL, timeout=0.2 if fault == "hang" else None)
    if error is not EngineUnsupportedError:
        with pytest.raises(EngineTerminatedError):
            engine.cube_analysis(TO_ROLL)
    engine.close()


@pytest.mark.long
@pytest.mark.parametrize("fault", ["segfault", "exit", "garbage", "raise"])
def test_faults_at_the_start(fault: str) -> None:
    with pytest.raises(EngineStartError):
        SimpleEngine(OwnProcess(Faulty(fault, at_start=True), None))
