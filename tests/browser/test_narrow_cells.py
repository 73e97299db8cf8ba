"""The boards of notebooks in a page without a notebook: a cell that is 250 pixels wide, and the XGID that it copies."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("anywidget", reason="anywidget is not installed")

from gammonrules import MatchState, notebook, records
from gammonrules.notebook._widget import script
from shown import Shown

ROOT = Path(__file__).resolve().parents[2]
if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTH = 250
MATCH = records.load(ROOT / "examples/matches/xg/test.xg")
CELL = """
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>A cell</title>
<link rel="icon" href="data:,">
<style>
  body { margin: 0; font: 14px/1.4 sans-serif }
  #cell { width: 250px }
</style>
<div id="cell"></div>
<script type="module">
  import { VIEWS } from "./views.js";
  const { name, state, told } = await (await fetch("widget.json")).json();
  const heard = {};
  const model = {
    get: (trait) => state[trait],
    set() {},
    save_changes() {},
    send() {},
    on(event, call) { (heard[event] ??= []).push(call); },
    off() {},
  };
  window.change = (trait, value) => {
    state[trait] = value;
    for (const call of heard[`change:${trait}`] ?? []) call();
  };
  VIEWS[name]({ model, el: document.querySelector("#cell") });
  for (const message of told) for (const call of heard["msg:custom"]) call(message);
</script>
"""


class Board(Shown, notebook.Board):
    """A board that keeps what its page was told."""


class Viewer(Shown, notebook.Viewer):
    """A viewer that keeps what its page was told."""


def board() -> Board:
    """One with all that may stand below a board: buttons, how to resign, a remark and a hint."""
    state = MatchState.new(7).opening_roll(white=3, black=1).play("8/5 6/5").double().take().roll((6, 4))
    shown = Board(state)
    shown._remark = "engine: what it says may be long, " * 3
    shown._hint = json.dumps(list(range(40)))
    shown._receive({})
    return shown


def viewer() -> Viewer:
    """At the worst mistake, with a long table."""
    shown = Viewer(MATCH)
    shown.decision = max(MATCH.decisions(), key=lambda decision: decision.error or 0)
    shown.heard({})
    return shown


@pytest.fixture(params=[board, viewer], ids=["Board", "Viewer"])
def cell(
    request: pytest.FixtureRequest, open_page: Callable[..., Page], serve: Callable[..., Any], tmp_path: Path
) -> tuple[Any, Page]:
    """A widget, and the page that shows it."""
    widget = request.param()
    state = {trait: value for trait, value in widget.get_state().items() if trait not in ("layout", "comm")}
    told = {"name": type(widget).__name__, "state": state, "told": widget.told}
    (tmp_path / "widget.json").write_text(json.dumps(told, default=str), encoding="utf-8")
    (tmp_path / "views.js").write_text(script(), encoding="utf-8")
    (tmp_path / "index.html").write_text(CELL, encoding="utf-8")
    page = open_page(f"{serve(tmp_path)}/index.html", permissions=["clipboard-read", "clipboard-write"])
    page.locator("gammon-board svg .checker").first.wait_for()
    return widget, page


def test_a_narrow_cell_shows_all(cell: tuple[Any, Page]) -> None:
    """Nothing is wider than the cell but what scrolls within it; texts are not cut either."""
    _, page = cell
    outside = page.evaluate(
        """width => [...document.querySelectorAll("#cell *")].filter((one) => {
          const { left, right } = one.getBoundingClientRect();
          return !one.closest("pre") && (left < 0 || right > width);
        }).map((one) => one.outerHTML.slice(0, 80))""",
        WIDTH,
    )
    assert outside == []
    assert page.evaluate("document.querySelector('#cell').scrollWidth") == WIDTH


def test_the_xgid_is_copied(cell: tuple[Any, Page]) -> None:
    """It stands below the board; the button copies it, and the key c; it is that of what is shown by then."""
    widget, page = cell
    line = page.locator(".xgid")
    copied = line.get_by_role("status")
    assert line.locator("code").inner_text() == widget.xgid
    line.get_by_role("button").click()
    copied.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == widget.xgid
    if isinstance(widget, notebook.Viewer):
        page.get_by_label("First").click()
        now = next(iter(MATCH.decisions())).state.xgid
    else:
        now = MatchState.new(5).xgid
        page.evaluate("xgid => change('xgid', xgid)", now)
    assert (line.locator("code").inner_text(), copied.inner_text()) == (now, "")
    page.locator("gammon-board").click()
    page.keyboard.press("c")
    copied.get_by_text("Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == now


def test_without_a_clipboard_it_is_selected(cell: tuple[Any, Page]) -> None:
    """As in a frame that may not write to the clipboard."""
    widget, page = cell
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }")
    page.locator(".xgid").get_by_role("button").click()
    page.locator(".xgid").get_by_role("status").get_by_text("Copied").wait_for()
    assert page.evaluate("String(getSelection())") == widget.xgid


@pytest.mark.parametrize("cell", [board], indirect=True)
def test_a_score_too_high_for_an_xgid_has_no_line(cell: tuple[Any, Page]) -> None:
    _, page = cell
    assert page.locator(".xgid").is_visible()
    page.evaluate("change('xgid', '')")
    assert not page.locator(".xgid").is_visible()
