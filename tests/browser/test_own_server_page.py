"""docs/how-to/your-own-server.md in a browser: what its page shows and keeps, and a killed server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gammonrules import records
from guided_path import LAST, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = api.expect
EXPECTED = ("WebSocket connection", "ERR_CONNECTION_REFUSED")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    one = Server(tmp_path, LAST)
    yield one
    one.running.close()


def press(page: Page, action: str) -> None:
    page.get_by_role("button", name=action, exact=True).click()


def movable(page: Page) -> int:
    return page.locator("#board .movable").count()


def test_half_a_turn_survives(open_page: Callable[..., Page], violations, picture, server: Server) -> None:
    first = open_page(server.url, expected=EXPECTED)
    assert violations(first) == []
    first.get_by_label("Black").fill("Zoë <b>")
    press(first, "Play a friend")
    white, black, rail = [server.url + link.get_attribute("href") for link in first.locator("a").all()]
    first.goto(white)
    expect(first.locator("#said")).to_contain_text("You are white. The game begins when both")
    second, third = (open_page(url, width=390, dark=url == rail, expected=EXPECTED) for url in (black, rail))
    for name in ("Ann", "Zoë <b>"):
        expect(third.locator("#board")).to_contain_text(name)
    expect(third.locator("#said")).to_have_text("You are watching.")
    assert third.locator("#said").bounding_box()["x"] >= 5
    expect(second.locator("#clocks")).to_contain_text(re.compile("white 06:00, black 0[56]", re.IGNORECASE))
    mover, other = (first, second) if movable(first) else (second, first)
    assert (movable(other), movable(third), third.locator("#buttons button").count()) == (0, 0, 0)
    mover.locator("#board .movable").first.click()
    moves = mover.evaluate("board.moves")
    assert len(moves) == 1
    mover.reload()
    expect(mover.locator("#clocks")).to_contain_text("white")
    assert mover.evaluate("board.moves") == moves
    server.running.close()  # SIGKILL
    expect(mover.locator("#said")).to_contain_text("The connection is lost.")
    server.start()
    expect(mover.locator("#said")).to_contain_text("You are")
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
    expect(other.locator("#buttons")).to_have_text("resign")
    levels = iter(["", "9", "2"])
    other.on("dialog", lambda dialog: dialog.accept(level) if (level := next(levels)) else dialog.dismiss())
    press(other, "resign")
    expect(other.locator("#buttons")).to_have_text("resign")
    press(other, "resign")
    expect(other.locator("#said")).to_contain_text("level")
    press(other, "resign")
    press(mover, "accept")
    expect(other.locator("#buttons")).to_have_text("next match")
    with third.expect_download() as saved:
        third.get_by_role("link", name="Record").click()
    assert saved.value.suggested_filename == "match.mat"
    match = records.load(saved.value.path())
    assert (match.players, match.score[match.winner]) == (("Ann", "Zoë <b>"), 4)
    press(other, "next match")
    expect(third.locator("#board .die")).to_have_count(2)
    expect(third.locator("#board")).not_to_contain_text("4 points")


def test_the_bot_plays(open_page: Callable[..., Page], server: Server) -> None:
    page = open_page(expected=EXPECTED)
    for kind, links in [("the bot", 2), ("a friend", 3), ("the bot", 2)]:
        page.goto(server.url)
        press(page, f"Play {kind}")
        expect(page.locator("a")).to_have_count(links)
    page.get_by_text("For white").click()
    expect(page.locator("#board .movable, #buttons button:text-is('roll')").first).to_be_visible()
    if not movable(page):  # the bot has begun
        press(page, "roll")
        expect(page.locator("#board .movable").first).to_be_visible()
    while movable(page):
        page.locator("#board .movable").first.click()
    press(page, "Done")
    expect(page.locator("#buttons button:text-matches('roll|take')").first).to_be_visible()
