"""Engines that follow scripts, for tests of programs that behave in any way (`fake_engine.py`)."""

from __future__ import annotations

import gc
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

from gammonrules import MatchState
from gammonrules.engine import SimpleEngine

FAKE = Path(__file__).with_name("fake_engine.py")
STATE = MatchState.new(7).opening_roll(white=3, black=1)
TO_DOUBLE = STATE.play("8/5 6/5")

HELLO = """\
> ubgi
< id name Fake
< proto 0.2
< ubgiok
> newgame
"""
QUESTION = """\
> isready
< readyok
> position gnubgid
> dice
> go
"""
READY = HELLO + QUESTION + "< bestmove 8/2 8/6\n"
ASKED = READY + QUESTION
BOARD = """\
> board
< 8/5 6/5
"""
LEAVING = f"{READY}leave\n{QUESTION}"
LISTENS = """\
listen
> version
< Interface: 2
< RFBF: 0
< Engine: 1.00
< Software: 1.07.001
"""

Start = Callable[..., SimpleEngine]


class Fakes:
    """Engines that follow scripts, in a folder whose name no shell may take apart."""

    def __init__(self, path: Path) -> None:
        self.folder = path / "a b:c;$(d)'\""
        self.folder.mkdir()
        tempfile.tempdir = str(self.folder)
        self.numbers = count()

    def script(self, text: str) -> Path:
        path = self.folder / f"{next(self.numbers)}.txt"
        path.write_text(text, encoding="latin-1")
        return path

    def ubgi(self, text: str, timeout: float | None = 30, **others: object) -> SimpleEngine:
        return SimpleEngine.ubgi(self.command(text), timeout=timeout, **others)  # type: ignore[arg-type]

    def gnubg(self, text: str, timeout: float | None = 30) -> SimpleEngine:
        return SimpleEngine.gnubg(timeout=timeout, program=self.program(text))

    def command(self, text: str) -> list[str]:
        return [sys.executable, "-I", "-S", str(FAKE), str(self.script(text))]

    def program(self, text: str) -> str:
        """A program that follows the script."""
        script = self.script(text)
        program = script.with_suffix("")
        program.write_text(f'#!/bin/sh\n{sys.executable} -I -S {FAKE} "${{0}}.txt" "$@"\n')
        program.chmod(stat.S_IRWXU)
        return str(program)

    def all_ended(self) -> bool:
        """Whether all scripts were followed to their end."""
        return all(Path(f"{path}.end").exists() for path in self.folder.glob("*.txt"))

    def running(self) -> list[str]:
        """The command lines of all programs that were started from the folder."""
        lines = (raw.replace(b"\0", b" ").decode("utf-8", "replace") for raw in contents("[0-9]*/cmdline"))
        return [line for line in lines if str(self.folder) in line]


def contents(pattern: str) -> Iterator[bytes]:
    """Of these files about processes and threads; some may end meanwhile."""
    for path in Path("/proc").glob(pattern):
        with suppress(OSError):
            yield path.read_bytes()


def held() -> tuple[set[str], set[threading.Thread], list[bytes]]:
    """Open files, threads, and children of this process, which include zombies."""
    children = [child for raw in contents("self/task/*/children") for child in raw.split()]
    return {*map(str, Path("/proc/self/fd").iterdir())}, set(threading.enumerate()), children


@pytest.fixture(name="fakes")
def made_fakes(tmp_path: Path) -> Iterator[Fakes]:
    """Fakes; after the test, nothing of them is left."""
    gc.collect()  # what tests of other files have left open
    gc.freeze()  # the rest stays, and takes a quarter of a second to look through
    before = held()
    made = Fakes(tmp_path)
    try:
        yield made
    finally:
        tempfile.tempdir = None
    assert made.running() == []
    assert held() == before
    assert not [*made.folder.glob("gammonrules-*")]
