"""A client of programs that nobody knows: each answer has a deadline and bounds, and the program always ends."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, Protocol

from gammonrules._shared.work import Deadline, Program, deadline_in, in_a_line
from gammonrules.errors import EngineReplyError, EngineTimeoutError
from gammonrules.values import MAX_NAMED, is_json_object, shown

SECONDS_TO_START = 20
_MAX_LATE = 3
"""Answers in a row that may come too late."""
_MAX_LAST_LINES = 8
"""Lines of its standard error that are shown when it dies."""
DECIDES = ("decide", "decide:plays", "decide:cubes")
"""What a program may name that plays: kinds of decisions."""
PROTOCOL = 1
"""The version of the questions about decisions."""
_WANTS: Final[Sequence[Sequence[str]]] = ([], ["plays"])
"""What a program may want with questions of the benchmark."""
_TIMES_AS_LONG = {"perft": 6}
"""How many times as long as other answers these may take, by what is asked."""


class _AnsweringProgram(Program):
    longest_line = 1 << 23
    most_lines = 16
    most_bytes = 1 << 23
    most_words = 40

    def _answers_in(self, stream: IO[bytes]) -> Iterator[bytes]:
        for line in super()._answers_in(stream):
            self._last_lines.clear()  # its last words are those on standard error
            yield line

    @property
    def last_words(self) -> str:
        """An error is named in the first lines of some languages, in the last of others."""
        lines = [line[:100] for line in self._last_lines]
        if not lines:
            return ""
        if len(lines) >= _MAX_LAST_LINES:
            half = _MAX_LAST_LINES // 2
            lines = [*lines[:half], "...", *lines[-half:]]
        return f"; it said {shown(' / '.join(lines), 500)}"

    def late(self, deadline: Deadline) -> EngineTimeoutError:
        return EngineTimeoutError(
            f"{super().late(deadline)}; does it write every line out at once?"
        )


class Interview:
    """A program that is asked one question at a time.

    Attributes:
        name: what it calls itself.
        version: the same.
        asks: the kinds of questions that it answers, or parts of them.
        unknown: kinds that it names as well, and that are none, as messages show them: the first ones.
        wants_plays: whether it wants to be told the legal plays.
    """

    unknown: Sequence[str] = ()

    def __init__(
        self, program: Program, timeout: float, asks: Sequence[str], protocol: int = 0
    ) -> None:
        """Ask for its name. Raises EngineError.

        `asks` are the kinds of questions that it may be asked, and `protocol` is their version, 0 if they have none.
        """
        self._program = program
        self._timeout = timeout
        self._late_in_a_row = 0
        self._awaited = set[object]()
        """The ids of questions that are not answered yet: a late answer may still come, though it counts no longer."""
        hello: dict[str, Any] = {"id": 0, "ask": "hello"}
        if protocol:
            hello["protocol"] = protocol
        try:
            reply = self._answer(hello, max(timeout, SECONDS_TO_START))
        except EngineTimeoutError as error:
            limit = f"{SECONDS_TO_START} seconds, or the timeout (--timeout) if that is longer"
            raise EngineTimeoutError(f"{error}; a start has {limit}") from None
        self.asks: Sequence[str] = ()
        self.wants_plays = False
        match reply:
            case {"protocol": other} if protocol and other != protocol:
                raise EngineReplyError(
                    f"{program.who}: it knows protocol {shown(other)}, and this is {protocol}"
                )
            case {"wants": wants} if protocol and wants not in _WANTS:
                raise EngineReplyError(
                    f'{program.who}: it wants {shown(wants, 100)}, and can only want ["plays"]'
                )
            case {"name": str() as name, "version": str() as version, "asks": [*kinds], **others}:
                self.name = in_a_line(name)
                self.version = in_a_line(version)
                self.asks = [kind for kind in asks if kind in kinds]
                unknown = (shown(kind, 60) for kind in kinds if kind not in (*asks, *DECIDES))
                self.unknown = [*islice(unknown, MAX_NAMED + 1)]
                self.wants_plays = bool(protocol and others.get("wants"))
            case _:  # it names no kinds either
                pass
        if not self.asks:
            needed = f"a name and a version, each a text, and a list asks of {' or '.join(asks)}"
            raise EngineReplyError(
                f"{program.who}: an answer to hello has {needed}, not {shown(reply, 200)}"
            )

    def answers(self, question: dict[str, Any]) -> bool:
        """Whether it has named this kind of questions, or the part of it to which this one belongs."""
        ask = question["ask"]
        return ask in self.asks or f"{ask}:{question.get('kind')}" in self.asks

    def ask(self, question: dict[str, Any]) -> dict[str, Any] | str:
        """The program's answer, or a sentence on why there is none. Raises EngineError if it cannot be asked more."""
        seconds = self._timeout * _TIMES_AS_LONG.get(question["ask"], 1)
        try:
            reply = self._answer(question, seconds)
        except EngineTimeoutError:
            self._late_in_a_row += 1
            if self._late_in_a_row == _MAX_LATE:
                raise
            return f"no answer within {seconds:g} seconds"
        self._late_in_a_row = 0
        return reply

    def _answer(self, question: dict[str, Any], seconds: float) -> dict[str, Any] | str:
        number = question["id"]
        deadline = deadline_in(seconds)
        self._awaited.add(number)
        self._program.write(json.dumps(question))
        while True:
            line = self._program.read(deadline)
            reply = _object_in_line(line)
            if reply is None:
                return f"it said {shown(line, 100)}, which is not an object of JSON in one line"
            id_of_reply = reply.get("id")
            # true and 1.0 are equal to 1, and are none
            if type(id_of_reply) is not int or id_of_reply not in self._awaited:
                return f"the id of the answer is {shown(id_of_reply)}, not {number}"
            self._awaited.remove(id_of_reply)
            if id_of_reply == number:  # else it answers an earlier question too late: read on
                return reply


def _object_in_line(line: str) -> dict[str, Any] | None:
    if _is_too_deep(line):
        return None
    try:
        # NaN and Infinity, which JSON has not, are given to int, which refuses them
        reply: object = json.loads(line, parse_constant=int)
    except ValueError:
        return None
    return reply if is_json_object(reply) else None


def _is_too_deep(line: str) -> bool:
    """Whether more arrays and objects stand in one another than any answer needs."""
    depth = 0
    for bracket in _NO_BRACKETS.sub("", line):
        depth += 1 if bracket in "[{" else -1
        if depth > _DEEPEST:
            return True
    return False


_DEEPEST: Final = 50
"""Far more than any answer needs, and few enough to be read, compared and written wherever that happens."""
_NO_BRACKETS: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[^][{}"]++', re.DOTALL)
"""Texts, with all that is in them, and whatever else opens or closes nothing."""


class _Running(Protocol):
    """A program that can be ended."""

    def close(self) -> None: ...
    def kill(self) -> None: ...


@contextmanager
def ended_after(program: _Running) -> Generator[None]:
    """End a program after this block, at once if the block raises an error."""
    try:
        yield
    except BaseException:
        program.kill()  # else closing it would wait until it ends by itself
        raise
    finally:
        program.close()


@contextmanager
def interviewed_about(
    asks: Sequence[str], command: Sequence[str], timeout: float, *, protocol: int = 0
) -> Generator[Interview]:
    """A program that runs within this block, and may be asked these kinds of questions. Raises EngineError."""
    program = _AnsweringProgram(in_a_line(Path(command[0]).name), command)
    with ended_after(program):
        yield Interview(program, timeout, asks, protocol)
