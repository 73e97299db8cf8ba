"""`<gammon-setup>`, the board on which a person sets up a position: as the library draws it, and as its page has it."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import loop
import processes
from fuzzing.tables import random_table
from gammonrules import GammonError, MatchState, Player, draw
from test_board import KINDS_OF_PICTURES, SCRIPT, Chromium, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A position</title>
<meta name="viewport" content="width=device-width">
<script src="setup.js"></script><script src="page.js"></script></head>
<body><main><h1>A position</h1><gammon-setup></gammon-setup></main></body>"""
ROOT = Path(__file__).parent.parent.parent
REFERENCE = ROOT / "docs" / "reference"
SOURCES = ROOT / "web" / "src"
CLEAR = "XGID=--------------------------:0:0:1:00:0:0:3:0:10"


@pytest.fixture(scope="module")
def url(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    files = {"index.html": PAGE, "setup.js": draw.setup_js(), "page.js": SCRIPT}
    return served(files, serve, tmp_path_factory)


@pytest.fixture
def page(open_page: Callable[..., Page], url: str) -> Chromium:
    return Chromium(open_page(url, expected=("favicon",), has_touch=True, height=900))


def random_state(rng: random.Random) -> MatchState:
    """With every cube, owner, roll and board."""
    while True:
        state = random_table(rng)
        if state.position.checkers == 15 and not (
            state.offer or state.result or state.on_roll is None or (state.dice and state.phase != "to_play")
        ):
            return state


@pytest.mark.filterwarnings("ignore:.*centered cube")
@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_every_position_looks_as_the_library_draws_it(page: Chromium, count: int) -> None:
    rng = random.Random(count)
    for _ in range(count):
        state = random_state(rng)
        state = MatchState.from_xgid(re.sub("(:[^:]+){5}$", ":0:0:3:0:10", state.xgid))  # with a cube
        flip = rng.random() < 0.5
        bottom = Player.BLACK if flip else Player.WHITE
        kind = rng.choice(KINDS_OF_PICTURES)
        svg = draw.svg.match_state(state, bottom=bottom, style=draw.BoardStyle(header=False, footer=False, **kind))
        page.evaluate("([xgid, flip]) => Object.assign(board, { xgid, flip })", [state.xgid, flip])
        page.evaluate("kind => { for (const name in kind) board.setAttribute(name, kind[name]); }", kind)
        [is_drawn, should] = page.evaluate("svg => [seen(board.shadowRoot), seen(parsed(svg))]", svg)
        assert is_drawn == should, (state.xgid, flip, kind)
        assert page.evaluate("() => [board.xgid, board.points]") == [state.xgid, [*state.position.points]]


def test_the_page_that_asks_the_library(open_page: Callable[..., Page], tmp_path: Path) -> None:
    text = (REFERENCE / "board.md").read_text(encoding="utf-8")
    (program,) = re.findall(r'(?ms)^```py title="setup.py"\n(.*?)^```$', text)
    reason = "document.querySelector('gammon-setup').shadowRoot.querySelector('#reason').textContent"
    port = processes.free_port()
    (tmp_path / "setup.py").write_text(program.replace("8000", str(port)), encoding="utf-8")
    with processes.serving(port, sys.executable, "setup.py", cwd=tmp_path):
        page = open_page(f"http://127.0.0.1:{port}", expected=("favicon",))
        with pytest.raises(GammonError) as error:
            MatchState.from_xgid(CLEAR)
        for button, wrong in (("clear", str(error.value)), ("start", "")):
            with page.expect_response("**"):
                page.click(f"[name={button}]")
            page.wait_for_function(f"text => {reason} === text", arg=wrong)


@loop.rows(
    ("name", "after", "until"),
    ("board", "", "## Without a server"),  # which is of another script
    ("setup", "## Setting up a position", "\n## "),
)
def test_the_page_and_the_types_describe_it(name: str, after: str, until: str) -> None:
    """An element and its page have the same labels, properties, methods and events."""
    modules = [SOURCES / name / f"{name}.ts", *(SOURCES / "board" / f"{shared}.ts" for shared in ("element", "labels"))]
    script = "".join(module.read_text(encoding="utf-8") for module in modules)
    types = (SOURCES / name / "types.ts").read_text(encoding="utf-8")
    page = (REFERENCE / "board.md").read_text(encoding="utf-8")
    text = page[page.index(after) :].removeprefix(after).partition(until)[0]
    labels = dict(re.findall(r'(?m)^  (\w+): "(.*)",$', script))
    assert dict(re.findall(r"(?m)^\| `(\w+)` \| `(.*)` \|$", text.partition("| label | default |")[2])) == labels
    shown = "".join(re.findall(r"(?ms)^export class Gammon\w+ .*?^}", script))
    names = re.findall(r"(?m)^  (?:override )?(?:get |set )?([a-z]\w+)\(.*\)(?:: .*)? {$", shown)
    members = {name for name in names if not re.search("constructor|Callback$", name)}
    table = text.partition("| property ")[2].partition("\n##")[0]
    assert set(re.findall(r"(?m)^\| `(\w+)(?:\(\))?` \|", table)) == members - {"show"}
    events = set(re.findall(r'"(gammon-\w+)": Gammon\w+Event', types))
    assert set(re.findall(r"`(gammon-\w+)`", text)) - {"gammon-board"} == events
