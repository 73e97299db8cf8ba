"""The programs of docs/how-to/your-own-server.md: what a reader has after each of its steps.

`python tests/guided_path.py` writes those of the last step to `examples/own_server`, beside the page that readers copy.
"""

from __future__ import annotations

import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import takewhile
from pathlib import Path
from urllib.request import Request, urlopen

import processes

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "how-to" / "your-own-server.md"
FINISHED = ROOT / "examples" / "own_server"
DEFINED = re.compile(r"(?m)^(?:(?:async )?(?:def|class|function) (\w+)|(\w+)(?:: | = ))")


def pasted(text: str, block: str, *, is_python: bool) -> str:
    """A file with a block pasted as the page says: what has the name of a part of the file replaces it."""
    between = "\n\n\n" if is_python else "\n\n"
    parts = dict(map(named, text.strip().split(between))) if text else {}
    names = [*parts]
    for name, part in map(named, block.strip().split(between)):
        if name not in parts:
            after = len(names)
            if is_python and text:
                after = len([*takewhile(str.isupper, names)]) if name.isupper() else names.index("play")
            names.insert(after, name)
        parts[name] = part
    return between.join(parts[name] for name in names) + "\n"


def named(part: str) -> tuple[str, str]:
    """A part of a file, after the name that it defines; if it defines none, it has a name of its own."""
    return "".join(next(iter(DEFINED.findall(part)), part)), part


def blocks() -> Iterator[tuple[int, str, str]]:
    """The blocks that belong to a program: the number of the step, the file, the text."""
    for number, step in enumerate(re.split(r"(?m)^## \d\. ", PAGE.read_text(encoding="utf-8"))[1:], 1):
        for name, text in re.findall(r'(?ms)^```(?:py|js) title="(.+?)"\n(.*?)^```$', step):
            yield number, name, text


def steps() -> Iterator[tuple[int, dict[str, str]]]:
    """The number of each step, and the files after it."""
    files = {"page.html": (FINISHED / "page.html").read_text(encoding="utf-8")}
    for number, name, text in blocks():
        files[name] = pasted(files.get(name, ""), text, is_python=name.endswith(".py"))
        yield number, {name: re.sub(r"\n{3}(?=[A-Z]+\b)", "\n\n", text) for name, text in files.items()}


STEPS = dict(steps())
LAST = max(STEPS)


class Server:
    """The files after a step, started by the command of the page; `clock` is another one than the page has."""

    def __init__(self, folder: Path, step: int, clock: str = "Clock.tournament(self.state)") -> None:
        self.folder = folder
        for name, text in STEPS[step].items():
            (folder / name).write_text(text.replace("Clock.tournament(self.state)", clock), encoding="utf-8")
        shutil.copy(FINISHED.parent / "bot.py", folder)
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

    def post(self, path: str = "/", origin: str | None = None) -> tuple[str, str]:
        """A new table: its address, and White's key."""
        with urlopen(Request(self.url + path, b"", {"Origin": origin or self.url})) as answer:
            address, key = answer.url.removeprefix(self.url).split("#")
        return address, key


if __name__ == "__main__":
    for name, text in STEPS[LAST].items():
        (FINISHED / name).write_text(text, encoding="utf-8")
