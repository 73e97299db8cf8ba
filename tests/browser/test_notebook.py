"""Boards in real notebooks, JupyterLab and marimo: whole games by pointer, and what pages and kernels do to them."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import processes

pytest.importorskip("anywidget", reason="anywidget is not installed")

from gammonrules import MatchState
from gammonrules.json import loads

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

PRELUDE = """
from random import Random
import gammonrules
from gammonrules import MatchState, Player
from gammonrules.json import dumps
from gammonrules.notebook import Board
def tell(state, event):
    with open({log!r}, "a") as log:
        print(dumps(state), file=log)
"""
GAME = """
from gammonrules.engine import SimpleEngine
board = Board(MatchState.new(1), side=Player.WHITE, engine=SimpleEngine.bgsage(), rng=Random(4))
board.on_change(tell)
board
"""
ALONE = """
board = Board(MatchState.new(3).opening_roll(white=3, black=1), rng=Random(1))
board.on_change(tell)
board
"""


class Notebook:
    """A notebook of a server."""

    def __init__(self, kind: str, folder: Path, port: int) -> None:
        self.kind, self.folder, self.url, self.number = kind, folder, f"http://127.0.0.1:{port}", 0
        self.log, self.received = folder / "log.jsonl", list[str | bytes]()

    def open(self, start: Callable[..., Page], *cells: str, **options: Any) -> Page:
        """A page in which these cells are run, one after another."""
        self.number += 1
        self.log.write_text("")
        cells = (PRELUDE.format(log=os.fspath(self.log)), *cells)
        path = self.folder / f"game{self.number}.{'py' if self.kind == 'marimo' else 'ipynb'}"
        path.write_text((marimo_app if self.kind == "marimo" else jupyter_notebook)(cells), encoding="utf-8")
        page = start(height=1400, **options)
        page.on("websocket", lambda socket: socket.on("framereceived", self.hear))
        self.received.clear()
        page.set_default_timeout(60_000)
        if self.kind == "marimo":
            page.goto(f"{self.url}/?file={path.name}")
            run = page.get_by_test_id("run-button").last
            run.wait_for()
            while not page.locator("gammon-board").count():  # it does not say when the kernel is there
                run.click()
                page.wait_for_timeout(500)
            return page
        page.goto(f"{self.url}/lab/tree/{path.name}?reset")
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        return page

    def hear(self, frame: str | bytes) -> None:
        self.received.append(frame)

    def states(self) -> list[MatchState]:
        """Those that the kernel has written down."""
        return [loads(line, MatchState) for line in self.log.read_text(encoding="utf-8").splitlines()]


def jupyter_notebook(cells: tuple[str, ...]) -> str:
    made = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for at, source in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def marimo_app(cells: tuple[str, ...]) -> str:
    lines = ["import marimo", "app = marimo.App()"]
    for cell in cells:
        lines += ["@app.cell", "def _():", *(f"    {line}" for line in cell.strip().splitlines()), "    return", ""]
    return "\n".join([*lines, 'if __name__ == "__main__":', "    app.run()", ""])


def environment(folder: Path) -> dict[str, str]:
    """Nothing of the person who runs the tests."""
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "XDG_CONFIG_HOME", "HOME")
    return os.environ | {name: os.fspath(folder / "own" / name) for name in names}


def jupyter_server(folder: Path, port: int) -> list[str]:
    options = ["--ServerApp.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}", "--LabApp.news_url="]
    options += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--log-level=50"]
    return ["jupyterlab", "--no-browser", "--allow-root", f"--port={port}", *options]


def marimo_server(folder: Path, port: int) -> list[str]:
    options = ["--headless", "--no-token", "--skip-update-check", "--no-sandbox", f"--port={port}"]
    return ["marimo", "--quiet", "--log-level=CRITICAL", "edit", *options, os.fspath(folder)]


@pytest.fixture(scope="module", params=["jupyterlab", "marimo"])
def notebook(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    folder, port = tmp_path_factory.mktemp(request.param), processes.free_port()
    (folder / "own").mkdir()
    server = jupyter_server if request.param == "jupyterlab" else marimo_server
    command = (sys.executable, "-m", *server(folder, port))
    with processes.serving(port, *command, seconds=1200, megabytes=64_000, cwd=folder, env=environment(folder)):
        yield Notebook(request.param, folder, port)


# --- a person at a board ----------------------------------------------------------------------------------------------


TO_DO = ("button:text-is('Opening roll')", ".movable", "#done:visible", "[data-action=take]", "[data-action=roll]")
"""What a person clicks, the first that is there."""


def play(page: Page, is_over: Callable[[], bool]) -> int:
    """Play by pointer until it is over; how often something was clicked."""
    from playwright.sync_api import TimeoutError  # noqa: A004, PLC0415 - where there is one

    clicks, deadline = 0, time.monotonic() + 120
    while not is_over():
        assert time.monotonic() < deadline
        place = next((place.first for place in map(page.locator, TO_DO) if place.count()), None)
        if place is None:
            page.wait_for_timeout(20)  # the engine thinks
            continue
        with suppress(TimeoutError):  # the kernel's answer may have taken it away
            place.click(timeout=2000)
            clicks += 1
    return clicks


def test_a_whole_game_against_bgsage(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    page = notebook.open(open_page, GAME)
    begun = time.perf_counter()
    board = page.locator("gammon-board")
    board.locator("svg").first.wait_for()
    shown = time.perf_counter()
    clicks = play(page, lambda: any(state.result for state in notebook.states()))
    print(notebook.kind, f"board after {shown - begun:.1f} s, {clicks} clicks in {time.perf_counter() - shown:.1f} s")  # noqa: T201 - with -s
    assert notebook.states()[-1].winner is not None


def until(page: Page, is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        page.wait_for_timeout(50)


def turn(board: Locator) -> None:
    """The first play of a turn."""
    while not board.locator("#done:visible").count():
        board.locator(".movable").first.click()
    board.locator("#done").click()


def test_boards_share_a_script_and_a_kernel(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """One is shown twice, one is another; a narrow page, and one that was hidden, show what there is."""
    page = notebook.open(open_page, ALONE, "board", "other = Board(board.state)\nother")
    boards = page.locator("gammon-board")
    until(page, lambda: boards.count() == 3 and boards.locator("svg .die").count() == 6)
    scripts = [frame for frame in notebook.received if b"class GammonBoard" in as_bytes(frame)]
    assert len(scripts) == 1
    boards.nth(1).evaluate("board => { board.style.display = 'none'; }")
    turn(boards.first)
    until(page, lambda: len(notebook.states()) == 1 and boards.nth(1).locator("[data-action=roll]").count() > 0)
    boards.nth(1).evaluate("board => { board.style.display = ''; }")
    boards.nth(1).locator("[data-action=roll]").first.click()
    until(page, lambda: len(notebook.states()) == 2 and boards.first.locator(".movable").count() > 0)
    assert boards.nth(2).locator(".die").count() == 2
    page.set_viewport_size({"width": 700, "height": 900})
    until(page, lambda: boards.first.bounding_box()["width"] < 500)
    page.set_viewport_size({"width": 1280, "height": 1400})
    print(notebook.kind, f"{sum(map(len, notebook.received)):,} bytes received for three boards and two changes")  # noqa: T201 - with -s


def as_bytes(frame: str | bytes) -> bytes:
    return frame if isinstance(frame, bytes) else frame.encode()


def test_a_wrong_move_and_the_keys(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """The reason is at the point; keys of the notebook, such as "x", which cuts a cell, are the board's."""
    page = notebook.open(open_page, ALONE)
    board = page.locator("gammon-board")
    points = [board.locator(f'.point[data-point="{point}"]') for point in (24, 16)]
    points[0].locator(".checker").last.drag_to(points[1])
    reason = board.locator("#reason")
    until(page, reason.is_visible)
    assert "24/16" in reason.inner_text()
    board.locator(".movable").first.focus()
    page.keyboard.press("x")
    page.keyboard.press("3")
    until(page, lambda: board.evaluate("board => board.moves.length") == 1)
    page.keyboard.press("u")
    until(page, lambda: board.evaluate("board => board.moves.length") == 0)
    assert board.count() == 1
    assert notebook.states() == []


def test_a_kernel_that_is_busy_is_named(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    page = notebook.open(open_page, ALONE, "import time\nboard.on_change(lambda state, event: time.sleep(3))")
    busy = page.get_by_text("The kernel is busy")
    turn(page.locator("gammon-board"))
    busy.wait_for()
    page.locator("gammon-board [data-action=roll]").first.wait_for()
    assert not busy.is_visible()


CHANGES = """
import asyncio
tasks = []
async def change(times):
    for number in range(times):
        board.state = MatchState.new(9, score=(number % 7, 1)).opening_roll(white=3, black=1)
        await asyncio.sleep(0.01)
    board.state = board.state.play("8/5 6/5")
def begin(state, event):
    if event:
        tasks.append(asyncio.get_running_loop().create_task(change(250 * (1 + len(tasks)))))
board = Board(MatchState.new(3).opening_roll(white=3, black=1))
board.on_change(tell)
board.on_change(begin)
board
"""


def test_memory_after_many_changes(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """After 250 changes, and 500 more."""
    page = notebook.open(open_page, CHANGES)
    board = page.locator("gammon-board")
    board.locator(".movable").first.wait_for()
    turn(board)
    before = memory(page, notebook, 252)
    board.locator("[data-action=roll]").first.click()
    after = memory(page, notebook, 252 + 502)
    print(notebook.kind, "before", before, "after 500 changes", after)  # noqa: T201 - with -s
    assert after["JSHeapUsedSize"] < before["JSHeapUsedSize"] + 5e6
    assert after["Nodes"] < before["Nodes"] + 2_000
    assert after["JSEventListeners"] < before["JSEventListeners"] + 100


def memory(page: Page, notebook: Notebook, changes: int) -> dict[str, float]:
    """What the page keeps when the last of so many changes is shown."""
    until(page, lambda: len(notebook.states()) == changes)
    page.locator("gammon-board [data-action=roll]").first.wait_for()
    page.wait_for_timeout(1000)
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return {name: metrics[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners")}


@pytest.mark.parametrize("notebook", ["jupyterlab"], indirect=True)
def test_a_saved_notebook_shows_the_last_board(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """In HTML of nbconvert, where no widget runs and no state of one was saved."""
    pytest.importorskip("nbconvert", reason="nbconvert is not installed")
    page = notebook.open(open_page, ALONE)
    board = page.locator("gammon-board")
    board.locator(".movable").first.wait_for()
    assert page.locator("[data-gammonrules] svg:visible").count() == 0
    turn(board)
    until(page, lambda: len(notebook.states()) == 1)
    page.wait_for_timeout(500)
    page.keyboard.press("Control+s")
    (state,) = notebook.states()
    path = notebook.folder / f"game{notebook.number}.ipynb"
    until(page, lambda: state.position.id in path.read_text(encoding="utf-8"))
    assert "widget-state" not in path.read_text(encoding="utf-8")
    processes.run(sys.executable, "-m", "nbconvert", "--to", "html", path, env=environment(notebook.folder))
    html = path.with_suffix(".html").read_text(encoding="utf-8")
    assert html.count(f"Position ID: {state.position.id}") == 1
    still = open_page(path.with_suffix(".html").as_uri(), java_script_enabled=False, expected=("request", "resource"))
    assert still.locator("[data-gammonrules] svg").first.is_visible()
