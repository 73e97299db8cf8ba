"""Programs in any language that play: each decision is a question in a line, and its answer another."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, cast

from attrs import field, frozen

from gammonrules.board import Position
from gammonrules.conformance.internals import (
    DECIDES,
    PROTOCOL,
    Interview,
    event_of,
    flat,
    interviewed,
)
from gammonrules.engine.internals import checked_command
from gammonrules.errors import BotError
from gammonrules.match import Action, Event, MatchState
from gammonrules.values import shown


@frozen(eq=False)
class AskedProgram:
    """A program that runs and is asked what it decides."""

    program: Interview
    _numbers: Iterator[int] = field(factory=lambda: count(1))

    def knows(self, kind: str) -> bool:
        """Whether it decides about "plays", or about "cubes"."""
        return self.program.answers({"ask": "decide", "kind": kind})

    def decide(self, state: MatchState) -> Event | Action:
        """What it does; it is not asked where there is nothing to double or to take. Raises GammonError."""
        known = self.knows("cubes") and {Action.DOUBLE, Action.TAKE} & {*state.legal_actions}
        if not state.dice and not known:
            return next(
                each
                for each in (Action.ROLL, Action.TAKE, Action.DECLINE)
                if each in state.legal_actions
            )
        told: Any = self.program.ask(
            {"id": next(self._numbers), "ask": "decide", "state": flat(state)}
        )
        match told:
            case {"points": points} if state.dice:
                return Event(
                    Action.PLAY,
                    argument=state.legal_plays.find(Position.from_points(points).flip()),
                )
            case {"do": _}:  # to roll takes dice, here any
                return cast("Event", event_of({**told, "dice": [2, 1], "by": str(state.to_act)}))
            case _:
                raise BotError(told if isinstance(told, str) else f"it answered {shown(told, 100)}")


@contextmanager
def asked_program(command: Sequence[str], timeout: float = 60) -> Generator[AskedProgram]:
    """A program that runs within this block. Raises EngineError."""
    with interviewed(checked_command(command), timeout, asks=DECIDES, protocol=PROTOCOL) as program:
        yield AskedProgram(program)
