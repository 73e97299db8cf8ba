"""What must not happen in a page, and is found out."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

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
