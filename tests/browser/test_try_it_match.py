"""The match on the page to try it: against the computer, at once, on every screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from test_one_page import STATES
from test_site import COVERED
from test_try_it_page import POLICY

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[..., str]) -> str:
    return serve(site, {"Content-Security-Policy": POLICY}) + "/try/"


SHOW = """async events => {
    const { MatchHistory } = await import(new URL("assets/history.js", location));
    const game = new MatchHistory({ length: 3 }, events);
    const board = document.getElementById("play-board");
    Object.assign(board, { speed: 0, last: { start: game.start, events: game.history() }, state: game.state });
    await null;
    scrollTo(0, 0);
}"""
OUTSIDE = """() => {
    const board = document.getElementById("play-board");
    const parts = [...document.querySelectorAll("#play-board svg, #play button, #play select, #play-first")];
    parts.push(...board.shadowRoot.querySelectorAll("button, p"));
    const header = document.querySelector(".md-header").getBoundingClientRect().bottom;
    const shown = parts.filter(part => part.id !== "status" && part.checkVisibility({ visibilityProperty: true }));
    return shown.filter(part => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return left < 0 || top < header || right > innerWidth || bottom > innerHeight;
    }).map(part => part.id || part.localName);
}"""
"""What cannot be seen at once below the header of the site."""
PICTURE = """() => {
    const { width, height } = document.querySelector("#play-board svg").getBoundingClientRect();
    return [width, height];
}"""

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
    assert page.evaluate("document.getElementById('play-board').auto") == "forced bear-off roll"
    page.wait_for_function(YOUR_TURN)
    assert not page.locator("#play-undo").is_disabled()
    button(page, "Take back").click()
    assert page.evaluate(f"{GAME}.on_roll") == "white"
    assert page.evaluate("document.getElementById('play-board').auto") is None
    begun = page.evaluate("document.getElementById('play-board').last.events[0].action")
    assert begun == "opening_roll"


@pytest.mark.parametrize(("width", "height"), [(844, 390), (320, 640), (390, 844), (1280, 800)])
def test_it_fits_below_the_header(
    open_page: Callable[..., Page], address: str, picture: Callable[..., None], width: int, height: int
) -> None:
    """In all states: the board, as large as there is room, and all that it takes."""
    page = opened(open_page, address, width=width, height=height)
    for name, (events, pressed) in STATES.items():
        page.evaluate(SHOW, events)
        if pressed == "hint":
            page.evaluate("document.getElementById('play-board').hint()")
        elif pressed == "resign":
            button(page, "Resign").click()
        picture(page, f"try-match-{width}-{name.replace(' ', '-')}", full_page=False)
        assert page.evaluate(OUTSIDE) == [], name
        wide, high = page.evaluate(PICTURE)
        assert (wide >= 280, high >= 230) == (True, True), (name, wide, high)


def test_who_is_who_and_what_happened(open_page: Callable[..., Page], address: str) -> None:
    """Who begins is said; what was played last stays marked when something is taken back."""
    page = opened(open_page, address)
    assert page.evaluate("document.getElementById('play-board').names") == {"white": "You", "black": "Computer"}
    page.evaluate(SHOW, STATES["begun"][0])
    note = "document.getElementById('play-board').shadowRoot.getElementById('note').textContent"
    assert page.evaluate(note) == "3-1: You begin"


def test_a_hint_and_the_strength(open_page: Callable[..., Page], address: str) -> None:
    page = opened(open_page, address)
    button(page, "Hint").click()
    assert "selftaught 4" in page.locator("#play-board").get_by_role("status").inner_text()
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
        for name in ("next_game", "opening_roll"):
            while page.locator(f"button#{name}").is_visible():
                page.locator(f"button#{name}").click()
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
