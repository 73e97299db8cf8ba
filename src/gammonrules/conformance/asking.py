"""Programs and UBGI engines that answer the questions of the suite."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from gammonrules._json_protocol.client import Interview, ended_after, interviewed_about
from gammonrules._shared.work import deadline_in
from gammonrules.conformance.answers import IDENTIFIERS, KINDS, answer, plays_of_question
from gammonrules.engine.internals import Ubgi
from gammonrules.errors import EngineReplyError
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules

ASKS = (*KINDS, *(f"identifiers:{kind}" for kind in IDENTIFIERS))
"""What a program may name: kinds of questions, and parts of one."""


class _UbgiPlayer(Interview):
    """A UBGI engine: it only chooses plays, and who plays legally has answered rightly."""

    version = ""
    asks = KINDS[:1]

    def __init__(self, driver: Ubgi, timeout: float) -> None:  # pyright: ignore[reportMissingSuperCall]
        driver.start()
        self.name = driver.name
        self._driver = driver
        self._timeout = timeout

    def ask(self, question: dict[str, Any]) -> dict[str, Any] | str:
        """The right answer, or why its play is illegal."""
        self._driver.deadline = deadline_in(self._timeout)
        plays = plays_of_question(question)
        state = MatchState(plays.position, Player.WHITE, plays.dice, rules=Rules(cube=False))
        try:
            _ = self._driver.legal_play(state)
        except EngineReplyError as error:
            return str(error)
        return answer(question)  # it chose one of the legal plays: that counts as all of them


@contextmanager
def interviewed(
    command: Sequence[str], timeout: float, *, ubgi: bool = False
) -> Generator[Interview]:
    """A program, or a UBGI engine, that runs within this block. Raises EngineError."""
    if ubgi:
        driver = Ubgi(command, level=None, options={}, timeout=timeout)
        with ended_after(driver):
            yield _UbgiPlayer(driver, timeout)
    else:
        with interviewed_about(ASKS, command, timeout) as program:
            yield program
