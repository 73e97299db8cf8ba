"""A network that loses every request of a page once: before it arrives, its answer, or to a server that fails."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

PATIENCE = 60
"""Seconds after which a board on which nothing goes on is dead."""

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
TROUBLES = ("ERR_FAILED", "502", "Failed to fetch", "404", "favicon")
"""What the console says of them, for `open_page(expected=TROUBLES)`."""

HURRIED = """for (const name of ["setInterval", "setTimeout"]) {
    const wait = window[name];
    window[name] = (act, time, ...more) => wait(act, time / 10, ...more);
}"""
"""Pages that try again each second do so ten times a second."""


def lose_every_request_once(page: Page) -> Counter[str]:
    """From the next page on: of two requests of a kind the first is lost. What is returned counts them by trouble."""
    lost, kinds = Counter[str](), Counter[tuple[str, str]]()

    def answer(route: Route) -> None:
        request = route.request
        kind = request.method, urlsplit(request.url).path
        kinds[kind] += 1
        if kinds[kind] % 2 == 0 or request.resource_type != "fetch":
            route.continue_()
            return
        trouble = ("before", "answer", "server")[kinds[kind] // 2 % 3]
        lost[trouble] += 1
        with suppress(api.Error):  # of a page that is closed
            if trouble == "server":
                route.fulfill(status=502, body="<p>Bad gateway")
                return
            if trouble == "answer":
                route.fetch()
            route.abort()

    page.add_init_script(HURRIED)
    page.route("**/*", answer)
    return lost


STATE = """() => {
    const board = document.querySelector("gammon-board");
    return {
        isOpen: Boolean(board?.isComplete || board?.querySelector(".movable")),
        isHere: board?.shadowRoot.activeElement?.id === "done" || document.activeElement.matches(".movable"),
        shown: board?.view?.svg.match(/<desc>(.*)<.desc>/)[1] ?? "",
    };
}"""


def play_by_keys(pages: Sequence[Page], most: int) -> list[str]:
    """Press Tab and Enter wherever it is a turn, for so many turns or to the end; what was shown at each, in words."""
    seen: dict[str, float] = {}
    while len(seen) <= most:
        states = [page.evaluate(STATE) for page in pages]
        for page, state in zip(pages, states, strict=True):
            if state["isOpen"]:
                page.keyboard.press("Enter" if state["isHere"] else "Tab")
        for state in states:
            seen.setdefault(state["shown"], time.monotonic())
        if all(" wins a" in state["shown"] for state in states):
            break
        assert time.monotonic() < max(seen.values()) + PATIENCE, f"dead after {len(seen)} turns: {states}"
    return [*filter(None, seen)]
