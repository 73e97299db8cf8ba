"""Connections: how many may be open before they are WebSockets, and how long each may last.

uvicorn alone waits without end for a request, and for a client to read.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache, partial
from ipaddress import IPv6Address
from typing import Any, cast

import h11
from house import Limits
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


@lru_cache(maxsize=1_000)
def household(host: str) -> str:
    """An IPv4 address, or the first half of an IPv6 address: whoever has one has all that begin with it."""
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")


class Bounded(H11Protocol):
    """A connection that makes room for a newer one, and ends where its request or a reader takes too long.

    Of those from one address the oldest goes, and of all the oldest that has asked for nothing yet, maybe the new one.

    `here` has those of the server, the oldest first, with their addresses; `trusted` counts its own itself.
    """

    def __init__(self, limits: Limits, trusted: str | None, here: dict[Bounded, str], **options: Any) -> None:
        super().__init__(**options)
        self.limits = limits
        self.trusted = trusted
        self.here = here
        self.answering = False
        self.alarm = self.loop.call_later(limits.seconds, self.end)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        limit, most_own = self.limits.connections
        address = household(self.client[0]) if self.client else ""
        own = [other for other, theirs in self.here.items() if theirs == address != self.trusted]
        if len(own) >= most_own:
            own[0].end()
        self.here[self] = address
        if len(self.connections) >= limit:  # the next request would be refused
            min(self.here, key=lambda it: it.answering).end()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.answering and self.cycle and not self.cycle.more_body:
            self.answering = True
            self.alarm.cancel()
            self.alarm = self.loop.call_later(self.limits.response, self.end)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self.leave()
        super().connection_lost(exc)

    def end(self) -> None:
        self.leave()
        self.connections.discard(self)
        self.transport.abort()

    def leave(self) -> None:
        self.here.pop(self, None)
        self.alarm.cancel()


class BoundedSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose connection ends some seconds after its task, and at once if a ping is not answered."""

    def __init__(self, limits: Limits, **options: Any) -> None:
        super().__init__(**options)
        self.limits = limits

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(self.limits.seconds, self.transport.abort)

    def keepalive_timeout(self) -> None:
        self.transport.abort()


def bounded_socket(limits: Limits) -> type[BoundedSocket]:
    """The protocol of the WebSockets of a server with these limits."""
    return cast("type[BoundedSocket]", partial(BoundedSocket, limits))


def bounded(limits: Limits, proxy: str | None) -> type[Bounded]:
    """The protocol of a server with these limits. Its proxy counts the connections of each address itself."""
    return cast("type[Bounded]", partial(Bounded, limits, proxy and household(proxy), {}))
