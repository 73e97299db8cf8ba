"""The club of docs/how-to/your-own-server.md, as a reader has it in a folder of their own."""

from __future__ import annotations

import re
import shutil
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.request import Request, urlopen

import processes

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-to" / "your-own-server.md"
EXAMPLES = ROOT / "examples"
CLUB = EXAMPLES / "own_server"


class Server:
    """Its files, started by the command of the page; `clock` is another one than the example has.

    With `quick`, it soon ends a connection whose client does not read.
    """

    def __init__(self, folder: Path, clock: str = "Clock.tournament(self.state)", *, quick: bool = False) -> None:
        self.folder = folder
        for path in (*CLUB.glob("page.*"), EXAMPLES / "bot.py"):
            shutil.copy(path, folder)
        program = (CLUB / "club.py").read_text(encoding="utf-8")
        program = program.replace("Clock.tournament(self.state)", clock)
        if quick:
            program = program.replace("timeout(20)", "timeout(0.5)").replace("call_later(5, ", "call_later(0.5, ")
        (folder / "club.py").write_text(program, encoding="utf-8")
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        (command,) = re.findall(r"(?m)^(uvicorn --factory .*)$", PAGE.read_text(encoding="utf-8"))
        program = [sys.executable, "-m", *command.split(), "--port", self.port]
        self.running = ExitStack()
        self.process = self.running.enter_context(processes.serving(self.port, *program, cwd=self.folder))

    def end(self) -> str:
        """Ctrl-C, and what the server has said."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.stderr.read()
        self.running.close()
        return said

    def post(self, path: str = "/") -> tuple[str, str]:
        """A new table: its address, and White's key."""
        with urlopen(Request(self.url + path, b"", {"Origin": self.url})) as answer:
            address, key = answer.url.removeprefix(self.url).split("#")
        return address, key
