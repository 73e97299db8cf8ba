"""A match to click through, and a grid of boards, in real notebooks: JupyterLab and marimo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import notebooks
from notebooks import Notebook

pytest.importorskip("anywidget", reason="anywidget is not installed")

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ROOT = Path(__file__).resolve().parents[2]
MATCH = f"""
from gammonrules import records
from gammonrules.notebook import Viewer, boards
match = records.load({str(ROOT / "examples/matches/xg/test.xg")!r})
viewer = Viewer(match)
viewer
"""
WORST = """
viewer.decision = max(match.decisions(), key=lambda one: one.error or 0)
"""
GRID = """
boards([one.state.xgid for one in match.decisions()][:40])
"""
MEMORY = "performance.memory.usedJSHeapSize"
"""Of the page, in bytes."""


@pytest.fixture(scope="module", params=notebooks.KINDS)
def notebook(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    folder = tmp_path_factory.mktemp(request.param)
    with notebooks.serving(request.param, folder) as port:
        yield Notebook(request.param, folder, port)


def viewer_in(page: Page) -> Locator:
    viewer = page.locator(".gammon").first
    viewer.locator("gammon-board.still svg").first.wait_for()
    return viewer


def wait_for(told: Locator, beginning: str) -> None:
    """Until the line below the board begins so."""
    told.page.wait_for_function(
        "([told, text]) => told.textContent.startsWith(text)", arg=[told.element_handle(), beginning]
    )


@pytest.mark.parametrize("count", [20, pytest.param(400, marks=pytest.mark.long)])
def test_many_decisions(notebook: Notebook, open_page: Callable[..., Page], count: int) -> None:
    """By the key, each one shown before the next; then the kernel is at the last one, and nothing has piled up."""
    page = notebook.open(open_page, MATCH)
    viewer = viewer_in(page)
    before = page.evaluate(MEMORY)
    told = viewer.locator(".match p").first
    assert told.inner_text().startswith("1 of 546 · Game 1, 0-0, turn 1 · ")
    viewer.get_by_label("Next", exact=True).focus()
    for at in range(2, count + 2):
        page.keyboard.press("ArrowRight")
        wait_for(told, f"{at} of ")
    assert page.evaluate(MEMORY) < before + 40_000_000
    assert page.locator("gammon-board").count() == 1
    page.keyboard.press("Home")
    wait_for(told, "1 of ")


def test_mistakes_and_another_try(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """A cell goes to the worst; its marks are two plays; a board opens there, and is gone with the next decision."""
    page = notebook.open(open_page, MATCH, WORST)
    viewer = viewer_in(page)
    told = viewer.locator(".match p").first
    wait_for(told, "507 of ")
    still = viewer.locator("gammon-board.still")
    dashes = still.locator(".arrow").evaluate_all("all => all.map((one) => getComputedStyle(one).strokeDasharray)")
    assert [dash != "none" for dash in dashes] == [True, False, False]
    assert viewer.locator("ol button").first.get_attribute("aria-current") == "true"
    assert viewer.locator("tr.done").inner_text().startswith("2. 9/4")
    viewer.locator("td button").nth(2).click()
    assert still.locator(".made").count() == 0
    page.keyboard.press("t")
    live = viewer.locator("gammon-board:not(.still)")
    live.locator(".movable").first.wait_for()
    assert not viewer.locator("table").is_visible()
    assert not still.is_visible()
    page.keyboard.press("t")
    live.wait_for(state="detached")
    page.keyboard.press("n")
    assert viewer.locator("table").is_visible()


def test_forty_boards(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """Each is drawn; a click makes one live, on which a play is made, and another click the next one."""
    page = notebook.open(open_page, MATCH, GRID)
    grid = page.locator(".gammon .grid")
    grid.locator("gammon-board.still svg").nth(39).wait_for()
    for at in (0, 2):
        grid.locator("> div").nth(at).click()
        live = grid.locator("> div").nth(at).locator("gammon-board:not(.still)")
        live.locator("[data-action], .movable").first.wait_for()
        assert grid.locator("gammon-board:not(.still)").count() == 1


STRANGE = """
from gammonrules import Event, MatchState
from gammonrules.notebook import Viewer, boards
from gammonrules.records import Game, Match
name = "<img src=x onerror='window.ran = true'>"
events = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5")
game = Game(1, MatchState.new(7), events, notes=(None, name))
Viewer(Match((name, "<script>window.ran = true</script>"), 7, (game,)))
"""
ROWS = """
xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
boards([{"xgid": xgid, "player": name, "action": "1/99(9) 8/5"}, {"xgid": None, "player": name}])
"""
EMPTY = """
Viewer(Match(("", ""), None, ()))
"""


def test_texts_are_shown_as_texts(notebook: Notebook, open_page: Callable[..., Page]) -> None:
    """Names, remarks and rows with HTML, an action that is no play, a row without a position, a match without games."""
    page = notebook.open(open_page, STRANGE, ROWS, EMPTY)
    views = page.locator(".gammon")
    views.nth(2).wait_for()
    viewer_in(page)
    name = "<img src=x onerror='window.ran = true'>"
    assert [views.nth(at).inner_text().count(name) for at in range(3)] == [3, 2, 0]
    rows = page.locator(".grid > div")
    rows.first.locator("svg .arrow").wait_for(state="attached")
    assert rows.first.locator("svg .arrow").count() == 1
    assert "no position: XGID: " in rows.nth(1).inner_text()
    assert "0 decisions" in views.nth(2).inner_text()
    assert views.locator("img, script").count() == 0
    assert page.evaluate("window.ran") is None
