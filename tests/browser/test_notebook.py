"""Boards in real notebooks, JupyterLab and marimo: whole games by pointer, and what pages and kernels do to them."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import notebooks
import processes

pytest.importorskip("anywidget", reason="anywidget is not installed")

from gammonrules import MatchState
from gammonrules.json import loads

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ROOT = Path(__file__).resolve().parents[2]
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


class Notebook(notebooks.Notebook):
    """One whose kernel writes states into a file."""

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"

    def open(self, start: Callable[..., Page], *cells: str, **options: Any) -> Page:
        self.log.write_text("")
        return super().open(start, PRELUDE.format(log=os.fspath(self.log)), *cells, **options)

    def states(self) -> list[MatchState]:
        """Those that the kernel has written down, without a line that it is writing."""
        *lines, _ = self.log.read_text(encoding="utf-8").split("\n")
        return [loads(line, MatchState) for line in lines]


@pytest.fixture(scope="module", params=notebooks.KINDS)
def notebook(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    folder = tmp_path_factory.mktemp(request.param)
    with notebooks.serving(request.param, folder) as port:
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
    scripts = [frame for frame in notebook.received if b"var VIEWS" in as_bytes(frame)]
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


OTHERS = (
    f"""
from gammonrules import records
from gammonrules.notebook import Viewer, boards
viewer = Viewer(records.load({str(ROOT / "examples/matches/xg/test.xg")!r}))
viewer
""",
    """
boards([board.xgid])
""",
)


@pytest.mark.parametrize("notebook", ["jupyterlab"], indirect=True)
def test_a_kernel_that_is_gone_is_named(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """After a restart, also where somebody goes on; when the cells have run again, the board is a new one."""
    page = notebook.open(open_page, ALONE, *OTHERS)
    boards = three_boards(page)
    menu(page, "Kernel", "Restart Kernel…")
    page.locator(".jp-Dialog button.jp-mod-accept").click()
    gone = page.get_by_text("This board's kernel is gone: run the cell again.")
    until(page, lambda: gone.count() == 3)
    turn(boards.first)
    page.get_by_label("Next", exact=True).click()
    boards.last.click()
    page.wait_for_timeout(1500)
    assert page.get_by_text("The kernel is busy").count() == 0
    menu(page, "Run", "Run All Cells")
    until(page, lambda: gone.count() == 0 and boards.count() == 3 and boards.first.locator(".movable").count() > 0)
    turn(boards.first)
    boards.first.locator("[data-action=roll]").first.wait_for()


def three_boards(page: Page) -> Locator:
    """A living one, that of a match, and one of a grid."""
    boards = page.locator("gammon-board")
    for number in range(3):
        boards.nth(number).locator("svg").first.wait_for()
    return boards


def menu(page: Page, *names: str) -> None:
    """Click an item of a menu of JupyterLab."""
    page.get_by_role("menuitem", name=names[0], exact=True).click()
    for name in names[1:]:
        item = page.locator(".lm-Menu-item", has_text=name).first
        item.hover()
    item.click()


def test_the_theme_follows(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """A living board, and those that are still, when the notebook becomes dark."""
    page = notebook.open(open_page, ALONE, *OTHERS)
    boards = three_boards(page)
    themes = "boards => boards.map((board) => board.theme)"
    assert boards.evaluate_all(themes) == ["light"] * 3
    if notebook.kind == "jupyterlab":
        menu(page, "Settings", "Theme", "JupyterLab Dark")
    else:  # as its settings do it
        page.evaluate("document.body.className = document.body.className.replaceAll('light', 'dark')")
    until(page, lambda: boards.evaluate_all(themes) == ["dark"] * 3)
    assert notebook.states() == []


THEFT = """
import ipywidgets
text, label = ipywidgets.Text("stolen"), ipywidgets.Label()
theft = [ipywidgets.jslink((text, "value"), (board, name)) for name in ("xgid", "last_play", "result", "state_json")]
def told(play):
    return f"told: {board.xgid} {play} {board.result!r}"
link = ipywidgets.dlink((board, "last_play"), (label, "value"), told)
ipywidgets.VBox([text, label])
"""


@pytest.mark.parametrize("notebook", ["jupyterlab"], indirect=True)
def test_a_page_links_a_trait_and_changes_none(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """`ipywidgets.jslink` makes a page send another value for each; `dlink` tells what the kernel has."""
    page = notebook.open(open_page, ALONE, THEFT)
    told = page.get_by_text("told: XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10  None")
    told.wait_for()
    for name in ("xgid", "last_play", "result", "state_json"):
        until(page, lambda: any(f'"{name}":"stolen"'.encode() in as_bytes(frame) for frame in notebook.sent))  # noqa: B023
    turn(page.locator("gammon-board"))
    until(page, lambda: len(notebook.states()) == 1)
    (state,) = notebook.states()
    page.get_by_text(f"told: {state.xgid} ").wait_for()


ASKED = (
    """
import marimo
asked = []
shown = marimo.ui.anywidget(board)
""",
    """
asked.append(shown.value)
marimo.plain_text(f"asked {len(asked)}: {shown.value['last_play']} {shown.value['xgid']} {shown.result}")
""",
    """
shown
""",
)


@pytest.mark.parametrize("notebook", ["marimo"], indirect=True)
def test_cells_of_marimo_follow(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """Once for each change: a cell that reads the value runs again."""
    page = notebook.open(open_page, ALONE.replace("\nboard\n", "\n"), *ASKED)
    page.get_by_text("asked 1:  XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10 None").wait_for()
    turn(page.locator("gammon-board"))
    until(page, lambda: len(notebook.states()) == 1)
    (state,) = notebook.states()
    page.get_by_text(re.compile(rf"asked 2: .*/.* {re.escape(state.xgid)} None")).wait_for()
    page.wait_for_timeout(500)
    assert page.get_by_text("asked 3").count() == 0


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


@pytest.mark.long
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
    metrics = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
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
    path = notebook.folder / f"notebook{notebook.number}.ipynb"
    until(page, lambda: state.position.id in path.read_text(encoding="utf-8"))
    assert "widget-state" not in path.read_text(encoding="utf-8")
    processes.run(sys.executable, "-m", "nbconvert", "--to", "html", path, env=notebooks.environment(notebook.folder))
    html = path.with_suffix(".html").read_text(encoding="utf-8")
    assert html.count(f"Position ID: {state.position.id}") == 1
    still = open_page(path.with_suffix(".html").as_uri(), java_script_enabled=False, expected=("request", "resource"))
    assert still.locator("[data-gammonrules] svg").first.is_visible()
