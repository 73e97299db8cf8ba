"""`examples/clickable_board.py` as it stands on the page of the documentation: a turn by real clicks, and its undo."""

from __future__ import annotations

import importlib.util
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from visits import LOOPBACK

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "clickable_board.py"


class Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name of the method overridden
        pass


@pytest.fixture
def address() -> Iterator[str]:
    spec = importlib.util.spec_from_file_location("clickable_board", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.board = module.game(random.Random(3))
    next(module.board)
    with make_server(LOOPBACK, 0, module.page, handler_class=Silent) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://{LOOPBACK}:{server.server_port}/"
        server.shutdown()
        thread.join()


def points(page: Page, kind: str) -> list[str]:
    return page.locator(f"svg .{kind}").evaluate_all("found => found.map(one => one.dataset.point)")


def click(page: Page, point: str, and_wait_for: str) -> None:
    page.locator(f'svg .point[data-point="{point}"]').click()
    page.wait_for_function(f"() => {and_wait_for}")


def test_a_turn_by_clicks(open_page: Callable[..., Page], address: str, look: dict[str, Any]) -> None:
    page = open_page(address, **look, expected=("favicon",))
    page.wait_for_selector("svg .highlight")
    roller = page.locator("svg .die").first.get_attribute("data-player")
    for used in (1, 2):
        click(page, points(page, "highlight")[0], "document.querySelector('svg .target')")
        used_dice = f"document.querySelectorAll('[data-used=true]').length === {used}"
        click(page, points(page, "target")[0], used_dice)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_function("() => document.querySelectorAll('[data-used=true]').length === 1")
    click(page, points(page, "highlight")[0], "document.querySelector('svg .target')")
    click(page, points(page, "target")[0], "document.querySelectorAll('[data-used=true]').length === 2")
    page.get_by_role("button", name="Done").click()
    page.wait_for_function("() => document.querySelectorAll('[data-used=true]').length === 0")
    assert page.locator("svg .die").first.get_attribute("data-player") != roller
