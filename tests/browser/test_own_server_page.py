"""The club of docs/how-to/your-own-server.md in a browser: what its page shows and keeps, and a killed server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from club_server import Server
from gammonrules import records

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = api.expect
EXPECTED = (
    "WebSocket connection",
    "ERR_CONNECTION_REFUSED",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_RESET",
    "Failed to fetch",
)
"""What a page says whose server is gone, perhaps while it asks for the record."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    yield started
    started.running.close()


def press(page: Page, action: str) -> None:
    page.get_by_role("button", name=action, exact=True).click()


def movable(page: Page) -> int:
    return page.locator("#board .movable").count()


def test_half_a_turn_survives(open_page: Callable[..., Page], violations, picture, server: Server) -> None:
    first = open_page(server.url, expected=EXPECTED, permissions=["clipboard-read", "clipboard-write"])
    assert violations(first) == []
    first.get_by_label("Your name").fill("Ann")
    first.get_by_label("Your friend").fill("Zoë <b>")
    press(first, "Play a friend")
    expect(first.locator("#said")).to_have_text("The game begins when both are here.")
    press(first, "copy link")
    expect(first.locator("#said")).to_contain_text("send the link")
    black, rail = first.evaluate("navigator.clipboard.readText()"), first.url.partition("#")[0]
    second, third = (open_page(url, width=390, dark=url == rail, expected=EXPECTED) for url in (black, rail))
    expect(second.locator(".side").first).to_have_text(re.compile(r"Ann · 0 of 3\s*0[56]:"))
    expect(second.locator(".side").last).to_have_text(re.compile(r"Zoë <b> · 0 of 3\s*0[56]:"))
    expect(third.locator(".side").last).to_contain_text("Ann")
    mover, other = (first, second) if movable(first) else (second, first)
    assert (movable(other), movable(third), third.locator("#buttons button").count()) == (0, 0, 0)
    assert not third.get_by_role("button", name="Resign").is_visible()
    mover.locator("#board .movable").first.click()
    moves = mover.evaluate("board.moves")
    assert len(moves) == 1
    mover.reload()
    expect(mover.locator(".side").first).to_contain_text("0 of 3")
    assert mover.evaluate("board.moves") == moves
    server.running.close()  # SIGKILL
    expect(mover.locator("#said")).to_contain_text("The connection is lost.")
    server.start()
    expect(mover.locator("#said")).to_have_text("Your turn: play.")
    assert mover.evaluate("board.moves") == moves
    picture(mover, "own-server")
    assert violations(mover) == violations(third) == []
    while movable(mover):
        mover.locator("#board .movable").first.click()
    press(mover, "Done")
    expect(other.locator("#buttons")).to_have_text("doubleresignroll")
    press(other, "double")
    press(mover, "take")
    other.locator("#board .roll").click()
    press(other, "Resign")
    assert violations(other) == []
    press(other, "gammon")
    press(mover, "accept")
    expect(other.locator("#buttons")).to_have_text("next match")
    with third.expect_download() as saved:
        third.get_by_role("link", name="Record").click()
    assert saved.value.suggested_filename == "match.mat"
    match = records.load(saved.value.path())
    assert (match.players, match.score[match.winner]) == (("Ann", "Zoë <b>"), 4)
    for page in (mover, other):
        press(page, "next match")
    expect(other.locator("#board .die")).to_have_count(2)
    expect(other.locator(".side").first).to_contain_text("0 of 3")


SIZES = {(390, 844): 389, (844, 390): 400, (768, 1024): 740, (1440, 900): 1030}
"""Windows, and how wide a board is at least."""


def test_everything_is_on_the_first_screen(open_page: Callable[..., Page], server: Server) -> None:
    """The board is upright on a phone that is held so, and stays in mid-turn when it is turned."""
    page = open_page(server.url, expected=EXPECTED)
    for size in SIZES:
        resize(page, size)
        check_fits(page, size, page.get_by_role("button", name="Play the bot"))
    page.get_by_label("Your name").fill("W" * 20)
    press(page, "Play the bot")
    expect(page.locator("#board .movable, #buttons [name=roll]").first).to_be_visible()
    if not movable(page):  # the bot has begun
        press(page, "roll")
    page.locator("#board .movable").first.click()
    for size, width in SIZES.items():
        resize(page, size)
        expect(page.locator("#board svg.portrait")).to_have_count(int(size == (390, 844)))  # the server turns it
        check_fits(page, size, page.get_by_role("link", name="New table"))
        assert page.locator("#board svg").bounding_box()["width"] >= width
        assert page.evaluate("board.moves.length") == 1


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))


def check_fits(page: Page, size: tuple[int, int], last: Locator) -> None:
    box = last.bounding_box()
    assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.body.scrollWidth") == size[0]


def test_the_bot_plays_against_keys(open_page: Callable[..., Page], server: Server) -> None:
    """Enter presses the buttons and moves the checkers, and Tab is not needed between them."""
    page = open_page(server.url, expected=EXPECTED)
    page.get_by_role("button", name="Play the bot").press("Enter")
    expect(page.locator("#board .movable, #buttons [name=roll]").first).to_be_visible()
    if not movable(page):
        page.locator("#buttons [name=roll]").press("Enter")
        expect(page.locator("#board .movable").first).to_be_visible()
    else:
        page.locator("#board .movable").first.focus()
    number = page.evaluate("shown.number")
    while page.evaluate("shown.number") == number:
        page.keyboard.press("Enter")
    expect(page.locator("#buttons button:text-matches('roll|take')").first).to_be_visible()
    assert "Bot" in page.locator("#log").text_content()
