"""The match on the page to try it: against the computer, at once, on every screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from test_site import COVERED
from test_try_it_page import POLICY

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[..., str]) -> str:
    return serve(site, {"Content-Security-Policy": POLICY}) + "/try/"


YOUR_TURN = "() => !document.getElementById('play-hint').disabled"
GAME = "document.getElementById('play-board').state"


def button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def opened(open_page: Callable[..., Page], address: str, **look: Any) -> Page:
    """The page, once it is the reader's turn in the match that has begun."""
    page = open_page(address, **look)
    page.wait_for_function(YOUR_TURN)
    return page


def test_a_match_is_played_at_once(open_page: Callable[..., Page], address: str) -> None:
    """On a phone's first screen, with all that it takes, without Python; by keys alone."""
    page = open_page(width=390, height=844)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    page.wait_for_function(YOUR_TURN)
    board = page.locator("#play-board").bounding_box()
    assert board is not None
    assert board["y"] + board["height"] <= 844
    assert page.evaluate(COVERED, "#play-board") == []
    assert not page.locator("#try").is_visible()
    assert [url for url in asked if "pyodide" in url or "try-worker" in url] == []
    page.evaluate("() => document.getElementById('play-board').focus()")
    for _ in range(7):  # perhaps the dice; then at most four checkers, and Done
        page.keyboard.press("Enter")
    page.wait_for_function(f"{GAME}.on_roll === 'black'")
    page.wait_for_function(YOUR_TURN)
    assert not page.locator("#play-undo").is_disabled()
    button(page, "Take back").click()
    assert page.evaluate(f"{GAME}.on_roll") == "white"


def test_a_hint_and_the_strength(open_page: Callable[..., Page], address: str) -> None:
    page = opened(open_page, address)
    button(page, "Hint").click()
    assert "selftaught 1" in page.locator("#play-board").get_by_role("status").inner_text()
    for strength in ("beginner", "strong"):
        page.locator("#play-strength").select_option(strength)
        assert page.evaluate("document.getElementById('play-board').opponent") == strength


def test_after_a_match_there_is_another(open_page: Callable[..., Page], address: str) -> None:
    page = opened(open_page, address)
    page.evaluate("() => { document.getElementById('play-board').speed = 0; }")
    while not button(page, "New match").is_visible():
        page.wait_for_function(YOUR_TURN)
        button(page, "Resign").click()
        button(page, "Resign a single game").click()
        page.wait_for_function(f"{GAME}.result")
        for name in ("Next game", "Opening roll"):
            while button(page, name).is_visible():
                button(page, name).click()
    button(page, "New match").click()
    page.wait_for_function(YOUR_TURN)
    assert page.evaluate(f"[{GAME}.score, {GAME}.length]") == [[0, 0], 3]


def test_a_question_in_the_address_is_answered_instead(open_page: Callable[..., Page], address: str) -> None:
    page = opened(open_page, address)
    page.get_by_role("link", name="whether a play is legal").click()
    page.get_by_label("Your play").wait_for()
    assert not page.locator("#play").is_visible()
    page.get_by_role("link", name="play a match").click()
    page.wait_for_function(YOUR_TURN)


def test_everyone_can_read_it(
    open_page: Callable[..., Page],
    address: str,
    look: dict[str, Any],
    violations: Callable[..., list[str]],
    picture: Callable[..., None],
) -> None:
    page = opened(open_page, address, **look)
    button(page, "Hint").click()
    picture(page, f"try-match-{look['width']}")
    assert violations(page, "#play") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= look["width"]
