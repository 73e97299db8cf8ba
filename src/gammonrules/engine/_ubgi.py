"""UBGI programs as engines: lines of text over pipes.

They are sent a position and a roll, and answer with a play; they know neither the score nor the cube.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

import attrs

from gammonrules._shared.work import Program, deadline_in, in_a_line
from gammonrules.analysis.internals import UNKNOWN, ply_level
from gammonrules.board import Play
from gammonrules.engine._driver import Driver, start_errors
from gammonrules.engine._rule_support import unknown_rules
from gammonrules.errors import (
    ArgumentError,
    EngineError,
    EngineStartError,
    EngineUnsupportedError,
    GammonError,
)
from gammonrules.match import MatchState
from gammonrules.values import shown

_SECONDS_TO_START: Final = 20
_MAX_OPTIONS: Final = 100
_TEXT = re.compile(r"[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]{0,198}[^\s\x00-\x1f\x7f])?")
_DEPTH_KEY: Final = "engine.ply"
_ID: Final = re.compile(r"id (\S+) (\S.*)", re.DOTALL)
_LOWEST_DEPTH = re.compile(rf"key {re.escape(_DEPTH_KEY)} int (-?\d{{1,9}})\b")
_FORCED: Final = "XGID=-E-b-b--D-b---e-F---bb----:0:0:1:62:0:0:3:0:10"
"""A state with one legal play, which even an engine that plays at random finds if it reads what we send."""


class Ubgi(Driver):
    def __init__(
        self,
        command: Sequence[str],
        level: int | None,
        options: Mapping[str, str],
        timeout: float | None,
    ) -> None:
        self.name = in_a_line(Path(command[0]).name)
        self.level = UNKNOWN if level is None else ply_level(level)
        self.timeout = timeout
        self._command = command
        self._depth = level
        self._options = dict(options)

    def start(self) -> None:
        """Start the program, set its options, and find out whether it plays backgammon."""
        self.deadline = deadline_in(_SECONDS_TO_START)
        with start_errors(self.name):
            self._program = Program(self.name, self._command)
            self._greet()
            for name, value in self._options.items():
                self._set(name, value)
            self._say("newgame")
            self._probe()

    def _greet(self) -> None:
        """Learn its name, and how its depth is set."""
        self._say("ubgi")
        lines = self._until("ubgiok", "readyok", "sorry", "error")
        self.name = in_a_line(_name_in(lines)) or self.name
        self._running.who = self.name
        if lines[-1] != "ubgiok":
            raise self.wrong(lines[-1], "expected 'ubgiok'")
        if not any(line.startswith(("proto ", "key ")) for line in lines):
            raise EngineStartError(
                f"{self.name}: it greets as UBGI 0.1 did, without 'proto 0.2': take a newer version"
            )
        if self._depth is not None:
            lowest = _lowest_depth_in(lines)
            if lowest is None:
                raise EngineStartError(f"{self.name}: it has no option for the level")
            # our level 1 is its lowest depth, which may be 0 or 1
            self._options[_DEPTH_KEY] = str(lowest + self._depth - 1)

    def _set(self, name: str, value: str) -> None:
        self._say(f"set {name} {value}")
        for line in self._unread():
            if line.startswith("error"):
                raise self.wrong(line, f"set {shown(name, 60)} to {shown(value, 60)}")

    def _probe(self) -> None:
        """Raise EngineStartError if it does not find the only play there is: another protocol has the same greeting."""
        state = MatchState.from_xgid(_FORCED)
        play = self.play(state)
        try:
            state.legal_plays.find(play)
        except GammonError as error:
            plays = f"plays {shown(play, 60)} where {state.legal_plays[0]} is the only play"
            raise EngineStartError(f"{self.name}: it greets as UBGI, but {plays}") from error

    def why_not(self, state: MatchState) -> str | None:
        """It chooses plays without regard to the cube, so a limit makes no difference."""
        return unknown_rules(attrs.evolve(state, rules=attrs.evolve(state.rules, max_cube=None)))

    def close(self) -> None:
        if self._program is not None:
            with suppress(EngineError):
                self._program.write("quit")
        super().close()

    # Lines ------------------------------------------------------------------------------------------------------------

    @property
    def _running(self) -> Program:
        assert self._program is not None  # it was started
        return self._program

    def _say(self, line: str) -> None:
        self._running.write(line)

    def _until(self, *last: str) -> list[str]:
        return self._running.until(*last, deadline=self.deadline)

    def _unread(self) -> list[str]:
        self._say("isready")
        return self._until("readyok")

    # Its decisions ----------------------------------------------------------------------------------------------------

    def play(self, state: MatchState) -> Play | str:
        dice = state.dice
        assert dice is not None  # a play is due
        self._unread()  # of the previous answer
        self._say(f"position gnubgid {state.position.id}")
        self._say(f"dice {dice.high} {dice.low}")
        self._say("go chequer")
        line = self._until("bestmove", "error")[-1]
        word, _, move = line.partition(" ")
        if word == "error":
            raise self.wrong(line, f"asked to play {dice}")
        return move

    def doubles(self, state: MatchState) -> NoReturn:  # noqa: ARG002
        way_out = "play without a cube: Rules(cube=False)"
        raise EngineUnsupportedError(f"{self.name}: UBGI has no cube decisions; {way_out}")

    answer = doubles


def checked_command(command: object) -> list[str]:
    """The program and its arguments. Raises ArgumentError if they are no texts."""
    parts: Any = [command] if isinstance(command, str) else command
    words: list[str] = []
    if isinstance(parts, Sequence):
        # `str.__str__` makes a plain text of one of a subclass
        words = [str.__str__(part) for part in parts if isinstance(part, str)]
    if not words or len(words) != len(parts):
        raise ArgumentError(
            f"command must be a program, or a list of it and its arguments, not {shown(command, 60)}"
        )
    return words


def _name_in(greeting: Sequence[str]) -> str:
    """The name and the version that a program states; "" if it does not."""
    stated: dict[str, str] = {}
    for line in greeting:
        named = _ID.match(line)
        if named is not None:
            stated[named[1]] = named[2]
    words = [stated[key] for key in ("name", "version") if key in stated]
    without_repetition = dict.fromkeys(words)  # some programs state the same for both
    return " ".join(without_repetition)


def _lowest_depth_in(greeting: Sequence[str]) -> int | None:
    """The depth of its lowest level; None if it has no option for it."""
    for line in greeting:
        stated = _LOWEST_DEPTH.match(line)
        if stated is not None:
            return int(stated[1])
    return None


def checked_options(options: Mapping[str, object] | None) -> dict[str, str]:
    """The options as texts. Raises ArgumentError."""
    stated = options or {}
    if not isinstance(stated, Mapping) or len(stated) > _MAX_OPTIONS:
        raise ArgumentError(
            f"options must be a dict of at most {_MAX_OPTIONS}, not {shown(options, 60)}"
        )
    texts: dict[str, str] = {}
    for name, value in stated.items():
        text = str(value)
        if isinstance(value, bool):
            text = text.lower()
        is_name = isinstance(name, str) and _TEXT.fullmatch(name)
        if not is_name or not _TEXT.fullmatch(text):
            raise ArgumentError(
                f"an option must be a line of text, not {shown(name, 60)}: {shown(text, 60)}"
            )
        texts[name] = text
    return texts
