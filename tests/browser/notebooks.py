"""Real notebooks for the tests in a browser: JupyterLab and marimo, each with a server of its own."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import processes

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocket

KINDS = "jupyterlab", "marimo"


class Notebook:
    """A server of notebooks, each in a file of the same folder."""

    def __init__(self, kind: str, folder: Path, port: int) -> None:
        self.kind, self.folder, self.url, self.number = kind, folder, f"http://127.0.0.1:{port}", 0
        self.received, self.sent = list[str | bytes](), list[str | bytes]()
        """What the last page has been told by its kernel, and has told it."""

    def open(self, start: Callable[..., Page], *cells: str, **options: Any) -> Page:
        """A page in which these cells are run, one after another."""
        self.number += 1
        path = self.folder / f"notebook{self.number}.{'py' if self.kind == 'marimo' else 'ipynb'}"
        path.write_text((_marimo_app if self.kind == "marimo" else _jupyter_notebook)(cells), encoding="utf-8")
        page = start(height=1400, **options)
        page.on("websocket", self._listen)
        self.received.clear()
        self.sent.clear()
        page.set_default_timeout(60_000)
        if self.kind == "marimo":
            page.goto(f"{self.url}/?file={path.name}")
            run = page.get_by_test_id("run-button").last
            run.wait_for()
            while not page.locator("gammon-board").count():  # it says nowhere when the kernel is there
                run.click()
                page.wait_for_timeout(500)
            return page
        page.goto(f"{self.url}/lab/tree/{path.name}?reset")
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        return page

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)
        socket.on("framesent", self._hear_sent)

    def _hear(self, frame: str | bytes) -> None:
        self.received.append(frame)

    def _hear_sent(self, frame: str | bytes) -> None:
        self.sent.append(frame)


@contextmanager
def serving(kind: str, folder: Path) -> Iterator[int]:
    """The port of a server, which ends with the block; without its program the tests are skipped."""
    pytest.importorskip(kind, reason=f"{kind} is not installed")
    port = processes.free_port()
    (folder / "own").mkdir()
    server = _jupyter_server if kind == "jupyterlab" else _marimo_server
    command = (sys.executable, "-m", *server(folder, port))
    with processes.serving(port, *command, seconds=1200, megabytes=64_000, cwd=folder, env=environment(folder)):
        yield port


def _jupyter_notebook(cells: tuple[str, ...]) -> str:
    made = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for at, source in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def _marimo_app(cells: tuple[str, ...]) -> str:
    lines = ["import marimo", "app = marimo.App()"]
    for cell in cells:
        lines += ["@app.cell", "def _():", *(f"    {line}" for line in cell.strip().splitlines()), "    return", ""]
    return "\n".join([*lines, 'if __name__ == "__main__":', "    app.run()", ""])


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the person who runs the tests."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "XDG_CONFIG_HOME", "HOME")
    return os.environ | {name: os.fspath(folder / "own" / name) for name in names}


def _jupyter_server(folder: Path, port: int) -> list[str]:
    options = ["--ServerApp.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}", "--LabApp.news_url="]
    options += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--log-level=50"]
    return ["jupyterlab", "--no-browser", "--allow-root", f"--port={port}", *options]


def _marimo_server(folder: Path, port: int) -> list[str]:
    options = ["--headless", "--no-token", "--skip-update-check", "--no-sandbox", f"--port={port}"]
    return ["marimo", "--quiet", "--log-level=CRITICAL", "edit", *options, os.fspath(folder)]
