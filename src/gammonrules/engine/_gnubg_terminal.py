"""GNU Backgammon at its own prompt, where it analyzes whole games, several times as fast as by single questions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from gammonrules._shared.work import Deadline, Program
from gammonrules.errors import EngineReplyError

_QUIET: Final = (
    "set threads 1",
    "set beavers 3",
    "set display off",
    "set confirm new off",
    "set confirm save off",
)
_LAST: Final = "show threads"
_ANSWER: Final = "1 calculation thread"
"""What it says to that command, and to no other."""
_MAX_ANALYSIS_SIZE: Final = 1 << 24
"""Bytes of a game that it has analyzed, as many as an SGF file may have."""


class GnubgProgram(Program):
    """A `gnubg -t`, in a folder where nobody leaves files: it runs a `gnubg.py` of its working directory."""

    def __init__(
        self, path: str, environment: Mapping[str, str], files: Sequence[int] = ()
    ) -> None:
        command = [str(Path(path).absolute()), "-t", "-q", "-r"]
        super().__init__("gnubg", command, environment=environment, files=files, folder=os.sep)


class GnubgTerminal(GnubgProgram):
    """A `gnubg -t` that is told one game after another.

    Games go there and back in files without a name, so that none stays behind, whatever ends.
    """

    def __init__(self, path: str, environment: Mapping[str, str]) -> None:
        self._game = tempfile.TemporaryFile()  # noqa: SIM115 - until `close`
        self._analyzed = tempfile.TemporaryFile()  # noqa: SIM115 - until `close`
        super().__init__(path, environment, (self._game.fileno(), self._analyzed.fileno()))

    def set_up(self, settings: Iterable[str], deadline: Deadline | None) -> None:
        self._do(*_QUIET, *settings, deadline=deadline)

    def analyzed(self, sgf: str, commands: Iterable[str], deadline: Deadline | None) -> str:
        """A game in SGF with the analysis that these commands make. Raises EngineError."""
        _fill(self._game, sgf.encode("utf-8", "replace"))
        _fill(self._analyzed, b"")
        load = f"load match /dev/fd/{self._game.fileno()}"
        save = f"save match /dev/fd/{self._analyzed.fileno()}"
        lines = self._do(load, *commands, save, deadline=deadline)
        self._analyzed.seek(0)
        content = self._analyzed.read(_MAX_ANALYSIS_SIZE + 1)
        if len(content) > _MAX_ANALYSIS_SIZE:
            raise EngineReplyError(
                f"{self.who}: it saved a game of more than {_MAX_ANALYSIS_SIZE:,} bytes"
            )
        analyzed = content.decode("utf-8", "replace")
        # if it cannot load the game, it shows no board, and saves the game before
        has_loaded = len(lines) > 1
        if not analyzed or not has_loaded:
            raise EngineReplyError(f"{self.who}: it did not analyze a game{self.last_words}")
        return analyzed

    def _do(self, *commands: str, deadline: Deadline | None) -> list[str]:
        for command in (*commands, _LAST):
            self.write(command)
        return self.until(_ANSWER, deadline=deadline)

    def close(self) -> None:
        super().close()
        self._game.close()
        self._analyzed.close()


def _fill(file: IO[bytes], content: bytes) -> None:
    file.seek(0)
    file.truncate()
    file.write(content)
    file.flush()
    file.seek(0)  # on macOS, the program has the same place in it
