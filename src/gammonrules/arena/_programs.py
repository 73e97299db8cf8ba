"""Programs in any language that play: each decision is a question in a line, and its answer another."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from math import inf
from typing import Any

from attrs import field, frozen

from gammonrules._json_protocol.client import DECIDES, PROTOCOL, Interview, interviewed_about
from gammonrules._json_protocol.flat_states import boards_after, event_of, flat
from gammonrules.board import Position
from gammonrules.engine.internals import checked_command, gives_highest_win
from gammonrules.errors import ArgumentError, BotError, GammonError
from gammonrules.match import Action, Event, MatchState, Phase
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
        """Ask the program for a decision. Raises GammonError.

        It is not asked about resignations, nor where there is nothing to double or to take.
        """
        if state.phase is Phase.RESIGNED:
            return Action.ACCEPT if gives_highest_win(state) else Action.DECLINE
        is_play = state.phase is Phase.TO_PLAY
        if not is_play and not self._knows_cube_of(state):
            return Action.TAKE if state.phase is Phase.DOUBLED else Action.ROLL
        question: dict[str, Any] = {
            "id": next(self._numbers),
            "ask": "decide",
            "state": flat(state),
        }
        if is_play and self.program.wants_plays:
            question["plays"] = boards_after(state.legal_plays)
        reply = self.program.ask(question)
        if isinstance(reply, str):
            raise BotError(reply)
        try:
            return _decision_in(reply, state)
        except GammonError as error:
            raise BotError(f"its answer is refused: {error}") from error

    def _knows_cube_of(self, state: MatchState) -> bool:
        """Whether it decides about the cube, and here is something to decide."""
        legal = state.legal_actions
        return self.knows("cubes") and (Action.DOUBLE in legal or Action.TAKE in legal)


def _decision_in(reply: Mapping[str, Any], state: MatchState) -> Event:
    """The decision in an answer. Raises GammonError."""
    if state.phase is Phase.TO_PLAY and "points" in reply:
        # the program sees the board after its play with itself on roll, `find` with the opponent
        checkers = state.position.checkers
        after = Position.from_points(reply["points"], checkers=checkers).flip()
        return Event(Action.PLAY, argument=state.legal_plays.find(after))
    if "do" in reply:
        # a message to roll must have dice, but the caller throws those that count
        any_dice = [2, 1]
        event = event_of({**reply, "dice": any_dice, "by": str(state.to_act)})
        if isinstance(event, Event):
            return event
    raise ArgumentError(f"this is no decision: {shown(reply, 100)}")


@contextmanager
def asked_program(command: object, timeout: float | None = 60) -> Generator[AskedProgram]:
    """A program, the words of whose command these are, that runs within this block.

    It has so many seconds for each decision; None for no limit.

    Raises ArgumentError if there are no words, and EngineError.
    """
    seconds = inf if timeout is None else timeout
    command_words = checked_command(command)
    with interviewed_about(DECIDES, command_words, seconds, protocol=PROTOCOL) as program:
        yield AskedProgram(program)
