"""What must not happen in a page, and is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

LOOPBACK = "127.0.0.1"


class Visit:
    """A context of the browser, as fresh as a private window, and what went wrong in its pages."""

    def __init__(self, context: BrowserContext) -> None:
        self.context, self.wrong = context, list[str]()
        context.on("request", lambda request: self.ask(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self.ask(socket.url)))
        context.on("console", lambda message: self.hear(message.type, message.text))
        context.on("weberror", lambda error: self.wrong.append(f"exception: {error.error}"))

    def ask(self, url: str) -> None:
        address = urlsplit(url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.hostname != LOOPBACK:
            self.wrong.append(f"request: {url[:200]}")

    def hear(self, kind: str, text: str) -> None:
        if kind == "error":
            self.wrong.append(f"console: {text[:500]}")


@contextmanager
def pages(browser: Browser) -> Iterator[Callable[..., Page]]:
    """What `open_page` of conftest.py is, for as long as the block lasts."""
    visits: list[tuple[Visit, tuple[str, ...]]] = []

    def start(
        url: str | None = None,
        *,
        dark: bool = False,
        width: int = 1280,
        height: int = 800,
        expected: tuple[str, ...] = (),
        **options: Any,
    ) -> Page:
        context = browser.new_context(
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(120_000)  # milliseconds; the machine may be busy
        visits.append((Visit(context), expected))
        page = context.new_page()
        if url is not None:
            page.goto(url)
        return page

    yield start
    for visit, _ in visits:
        visit.context.close()
    wrong = [text for visit, expected in visits for text in visit.wrong if not any(word in text for word in expected)]
    assert not wrong, wrong
