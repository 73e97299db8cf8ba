"""The connections themselves: how long each may take, and how many of them an address may have.

An application hears of a request when its headers have come. Whoever never finishes them is found here, in the classes
with which uvicorn speaks HTTP and WebSockets.
"""

from __future__ import annotations

from asyncio import TimerHandle
from functools import lru_cache
from ipaddress import IPv6Address
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

import uvicorn
from house import Allowance, Limits
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp
from tables import RefusedError
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


@lru_cache(maxsize=1_000)
def household(host: str) -> str:
    """An IPv4 address, or the first half of an IPv6 address: whoever has one has all that begin with it."""
    try:
        address = IPv6Address(host)
    except ValueError:
        return host
    return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")


def address_of(caller: Any) -> str:
    """Of a request, or of a connection as uvicorn has it."""
    return household(caller.client[0] if caller.client else "")


@lru_cache(maxsize=10_000)
def bytes_of(_address: str) -> Allowance:
    """How many it may send by WebSockets, now. All of them together: they are read one at a time."""
    return Allowance(LimitedHTTP.limits.bytes)


class LimitedHTTP(H11Protocol):
    """A connection with a request, until it becomes a WebSocket."""

    limits = Limits()
    proxy: str | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.deadline = self.loop.call_later(self.limits.seconds, self.end)

    def end(self) -> None:
        """Its time is over, unless it has become a WebSocket: a refused handshake may never be answered."""
        if not getattr(self.transport.get_protocol(), "handshake_complete", False):
            self.transport.abort()

    def connection_made(self, transport: Any) -> None:
        """Too many are cut off at once, and everybody when their time is over."""
        super().connection_made(transport)
        address = address_of(self)
        own = sum(address_of(other) == address for other in self.connections)
        most, most_own = self.limits.connections
        if len(self.connections) > most or (own > most_own and address != self.proxy):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.deadline.cancel()
        super().connection_lost(exc)


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket. Whoever sends too many bytes, or does not take what they are sent, is cut off."""

    deadline: TimerHandle | None = None

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.close_timeout = LimitedHTTP.limits.seconds

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        # A slow reader skips what is old already; so little of it should be on its way.
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, 65_536)
        transport.set_write_buffer_limits(0)

    def data_received(self, data: bytes) -> None:
        """Count bytes, not messages: a message of no content, or a ping, is work as well."""
        if self.handshake_initiated:
            try:
                bytes_of(address_of(HTTPConnection(dict(self.scope)))).take(len(data))
            except RefusedError:
                self.transport.abort()
                return
        super().data_received(data)

    def handle_cont(self, event: Any) -> None:
        """Join the parts of a message as they come: they may be empty, and no limit says how many there are."""
        self.frames = [b"".join(self.frames)]
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        """Text that is not UTF-8 is refused like other nonsense; uvicorn would log a traceback for each."""
        self.frames = [b"".join(self.frames).decode(errors="replace").encode()]
        super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """An answer that waited for a slow reader may find it closed; uvicorn would log a traceback for each."""
        await self.writable.wait()
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.deadline = self.loop.call_later(LimitedHTTP.limits.seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.deadline is not None:
            self.deadline.cancel()


def serve(app: ASGIApp, host: str, port: int, proxy: str | None = None) -> uvicorn.Server:
    """A server for `run()`: it ends with SIGTERM or Ctrl-C, and the pages connect again by themselves."""
    LimitedHTTP.proxy = proxy and household(proxy)
    seconds, largest = LimitedHTTP.limits.seconds, 4 * LimitedHTTP.limits.characters
    config = uvicorn.Config(
        app,
        host,
        port,
        http=LimitedHTTP,
        ws=LimitedWebSocket,
        ws_max_size=largest,  # in bytes; the connection is closed before a longer message has been read
        h11_max_incomplete_event_size=largest,
        ws_ping_interval=seconds,
        ws_ping_timeout=seconds,
        backlog=100,  # so many may come before the first of them is counted
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)
