"""`examples/clickable_board.py` as it stands on the page of the documentation: a turn, and a game by keys."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest

from loading import loaded
from lost_requests import TROUBLES, lose_every_request_once, play_by_keys
from visits import LOOPBACK

expect = pytest.importorskip("playwright.sync_api").expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "clickable_board.py"


class Silent(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # the name of the method overridden
        pass


@pytest.fixture
def address() -> Iterator[str]:
    game = loaded(EXAMPLE).Game(random.Random(3))
    with make_server(LOOPBACK, 0, game.page, handler_class=Silent) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://{LOOPBACK}:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_a_turn(open_page: Callable[..., Page], address: str, look: dict[str, Any], picture: Any) -> None:
    """By clicks and by drag, with an undo and a reason."""
    page = open_page(address, **look)
    page.wait_for_selector("svg .movable")
    used = page.locator("svg .die[data-used=true]")
    roller = page.locator("svg .die").first.get_attribute("data-player")
    page.locator('svg .point[data-point="13"] .checker').last.drag_to(page.locator('svg .point[data-point="1"]'))
    expect(page.get_by_role("alert")).to_contain_text("13/1")
    picture(page, f"clickable-{look['dark']}-{look['width']}")
    for number in (1, 2):
        page.locator("svg .movable").first.click()
        expect(used).to_have_count(number)
    page.get_by_role("button", name="Undo").click()
    expect(used).to_have_count(1)
    page.locator("svg .movable").first.click()
    page.get_by_role("button", name="Done").click()
    expect(used).to_have_count(0)
    assert page.locator("svg .die:not(.last)").first.get_attribute("data-player") != roller


@pytest.mark.parametrize("most", [6, pytest.param(1000, marks=pytest.mark.long)])
def test_a_game_by_keys_while_every_request_is_lost_once(
    open_page: Callable[..., Page], address: str, most: int
) -> None:
    page = open_page(expected=TROUBLES)
    lost = lose_every_request_once(page)
    page.goto(address)
    turns = play_by_keys([page], most)
    assert len(turns) >= most or " wins a" in turns[-1]
    assert {*lost} == {"before", "answer", "server"}
