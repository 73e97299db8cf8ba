"""Backgammon in the browser: two tabs play a match on the pictures of the library, or one plays against a bot.

    python -m pip install ".[examples]" && python examples/web/server.py

docs/how-to/web-game.md says what is in which file, and why.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import re
import secrets
import sqlite3
import sys
import unicodedata
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

sys.path.append(str(Path(__file__).resolve().parent.parent))  # where the bots are, which two examples share

try:
    import attrs
    import uvicorn
    from bot import choose
    from connections import bounded, bounded_socket, household
    from fairness import Promise
    from house import MAX_PAGE_LENGTH, Connection, House, Limits, OpenTable, field, send
    from opponents import Tutor, opened, solved
    from starlette.applications import Starlette
    from starlette.datastructures import MutableHeaders
    from starlette.requests import ClientDisconnect, HTTPConnection, Request
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route, WebSocketRoute
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
    from storage import LOG, Storage
    from tables import MAX_EVENTS, TIME_CONTROLS, RefusedError, Seat, Table, hash_of
except ImportError as error:
    sys.exit(f'This game needs the extra "examples" ({error}): python -m pip install ".[examples]"')

from gammonrules import GammonError, MatchState, Player, Rules, draw
from gammonrules.engine import Bot
from gammonrules.records import dumps, to_html

PAGE = Path(__file__).parent / "page"
KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Connection": "close",
}
STATUS = {
    "cross_site": 403,
    "no_such_table": 404,
    "too_long": 413,
    "too_many": 429,
    "busy": 503,
    "full": 503,
    "storage": 503,
    "too_many_spectators": 503,
}
"""The status of a refused request; 400 for other codes, and 500 for an error of ours."""


class Endpoints:
    """What comes from outside: requests, and connections with their messages."""

    def __init__(self, house: House, origins: Iterable[str], rules: Rules | None = None) -> None:
        self.house = house
        self.limits = house.limits
        self.rules = rules
        self.origins = frozenset(origins)

    def admit(self, caller: HTTPConnection, cost: int) -> None:
        """Count so many messages. Raises RefusedError if too much, or, uncounted, if they come from another site."""
        if caller.headers.get("origin") not in self.origins:
            raise RefusedError("cross_site", "Only the server's own page may ask this.")
        self.house.allowance_of(address_of(caller)).take(cost)

    async def new_table(self, request: Request) -> Response:
        """A table for the person who asks, as White, with an invitation for Black or with a bot."""
        data = await self.body(request)
        state = self.first_state(data)
        time_control = field(data, "time_control", str)
        possible = TIME_CONTROLS if state.length else ["none"]  # money play never ends
        if time_control not in possible:
            raise RefusedError("unreadable", f"The time control is one of these: {', '.join(possible)}.")
        white = self.person(data)
        bots = [*self.house.bots]
        if field(data, "against", str) == "bot":
            if (bot := data.get("bot", bots[0])) not in bots:
                raise RefusedError("no_such_bot", f"The bots are these: {', '.join(bots)}.")
            black = Seat("bot", bot)
            invitation = None
        else:
            invitation = secrets.token_urlsafe(32)
            black = Seat("open", "(nobody yet)", hash_of(invitation))
        table = self.house.make(state, (white, black), address_of(request), time_control)
        return JSONResponse({"table": table.id, "invitation": invitation})

    def first_state(self, data: dict[str, Any]) -> MatchState:
        """That of a new match, or of a position in which the person is to act. Raises RefusedError."""
        length = data.get("length")
        state = None
        if data.get("xgid") is not None:
            with suppress(GammonError):
                state = MatchState.from_xgid(field(data, "xgid", str), self.rules)
            if state is None or state.to_act is None or (self.rules or state.rules) != state.rules:
                raise RefusedError("unreadable", "A position to play on from is the XGID of a game that goes on.")
            length = state.length
        known = self.limits.lengths
        if length not in known or (length is not None and type(length) is not int):
            what = f"matches to at most {known[-1]} points" if known[-1] else "for money, without an end"
            raise RefusedError("unreadable", f"Here one plays {what}.")
        if state is None:
            return MatchState.new(length, rules=self.rules)
        return state if state.to_act is Player.WHITE else state.swap_players()

    async def join(self, request: Request) -> Response:
        """Black's seat for whoever has the invitation, which nobody can use again."""
        data = await self.body(request)
        newcomer = self.person(data)
        with self.house.using(request.path_params["table"]) as opened:
            white, black = opened.table.seats
            if white.opens_with(data["token"]):
                raise RefusedError(
                    "own_invitation", "You sit at this table already: the invitation is for the other player."
                )
            if black.kind == "open" and black.opens_with(field(data, "invitation", str)):
                self.house.change(opened, self.house.storage.now(), seats=(white, newcomer))
            elif not black.opens_with(data["token"]):  # who asks again has lost the answer
                raise RefusedError("no_such_invitation", "This invitation has been used, or there never was one.")
        return JSONResponse({"table": opened.table.id})

    async def file(self, request: Request) -> Response:
        """The match as a .mat file."""
        headers = {"Content-Disposition": 'attachment; filename="match.mat"'}
        with self.reading(request, MAX_EVENTS) as opened:
            text = await self.house.record(opened.table, dumps)
        return Response(text, headers=headers, media_type="text/plain")

    async def page(self, request: Request) -> Response:
        """The match as a page to look through, analyzed if it has been. It brings its own policy."""
        headers = {"Content-Security-Policy": "frame-ancestors 'none'"}
        with self.reading(request, MAX_PAGE_LENGTH) as opened:
            stored = self.house.storage.analyzed(opened.table.id, opened.table.number)
            if stored is not None:
                return HTMLResponse(stored[1], headers=headers | {"Content-Encoding": "gzip"})
            return HTMLResponse(await self.house.record(opened.table, to_html), headers=headers)

    async def dice(self, request: Request) -> Response:
        """What proves the dice of a match that is over, and what its analysis says."""
        self.house.allowance_of(address_of(request)).take(30)
        with self.house.using(request.path_params["table"]) as opened:
            return JSONResponse(self.house.proof(opened.table) | {"analysis": opened.analysis})

    @contextmanager
    def reading(self, request: Request, limit: int) -> Generator[OpenTable]:
        """For anybody who knows the table. A link may be anywhere, a picture or a frame not. Raises RefusedError."""
        site, kind = (request.headers.get(f"sec-fetch-{name}") for name in ("site", "dest"))
        if site in {"cross-site", "same-site"} and kind != "document":
            raise RefusedError("cross_site", "Pages of other sites may only link to this.")
        allowance = self.house.allowance_of(address_of(request))
        allowance.take(10)
        with self.house.using(request.path_params["table"]) as opened:
            if (number := opened.table.number) > limit:
                raise RefusedError("too_long", f"Matches of more than {limit:,} events have no page: take the file.")
            allowance.take(20 + 200 * number // limit)  # a long one takes seconds of the processor
            yield opened

    async def body(self, request: Request) -> dict[str, Any]:
        """The JSON of a request."""
        self.admit(request, 10)
        text = b""
        async for chunk in request.stream():
            text += chunk
            if len(text) > self.limits.characters:
                raise RefusedError("too_long", f"A request has at most {self.limits.characters:,} bytes.")
        return json_object(text.decode(errors="replace"))

    def person(self, data: dict[str, Any]) -> Seat:
        """A seat for a person, who chooses the token that opens it."""
        name = field(data, "name", str).strip()
        token = field(data, "token", str)
        if not (len(name) <= self.limits.name and name.isprintable() and any(map(visible, name))):
            raise RefusedError("bad_name", f"A name has 1 to {self.limits.name} printable characters, not all blank.")
        if not re.fullmatch("[0-9a-f]{64}", token):
            raise RefusedError("unreadable", "A token is 32 random bytes as 64 digits from 0 to f.")
        return Seat("person", name, hash_of(token))

    async def start(self, request: Request) -> Response:
        """A picture for the start page: of a position to play on from, or of an opening."""
        self.house.allowance_of(address_of(request)).take()
        opening = MatchState.new(self.limits.lengths[-1], rules=self.rules).opening_roll(3, 1)
        xgid = request.query_params.get("xgid", opening.xgid)
        seats = Seat("open", "White"), Seat("open", "Black")
        table = Table("", self.first_state({"xgid": xgid}), seats, Promise(b""))
        return Response(table.picture(Player.WHITE, "landscape"), media_type="image/svg+xml")

    async def socket(self, socket: WebSocket) -> None:
        """A connection, from the first message, which says who it is, to its end."""
        await socket.accept()
        try:
            self.admit(socket, 3)
            most, most_own = self.limits.connections
            queued = self.house.queued
            address = address_of(socket)
            with queued("connections", most), queued(f"connections from {address}", most_own):
                try:
                    hello = await asyncio.wait_for(self.received(socket), self.limits.seconds)
                except TimeoutError:
                    raise RefusedError("too_late", "Nothing has come in time.") from None
                with self.house.using(socket.path_params["table"]) as opened:
                    token = hello.get("token")
                    seat = None if token is None else opened.table.seat_of(field(hello, "token", str))
                    await self.converse(opened, Connection(socket, seat, upright=hello.get("upright") is True))
        except* WebSocketDisconnect:
            pass
        except* RefusedError as refusals:
            if socket.application_state is WebSocketState.CONNECTED:  # or else it is closed already
                with suppress(WebSocketDisconnect):
                    refusal = refusal_of(cast("RefusedError", refusals.exceptions[0]))
                    await send(socket, json.dumps(refusal), self.limits.seconds)
                    await socket.close(1008)

    async def converse(self, opened: OpenTable, connection: Connection) -> None:
        """Answer messages until the connection ends. Raises RefusedError if it must end."""
        opened.enter(connection, self.limits.tabs)
        self.house.wake(opened)
        try:
            async with asyncio.TaskGroup() as tasks:  # an error ends both
                tasks.create_task(connection.tell(opened))
                message = await self.received(connection.socket)
                while connection.closing is None:
                    if (reply := await self.reply(opened, connection, message)) is not None:
                        await send(connection.socket, json.dumps(reply), self.limits.seconds)
                    message = await self.received(connection.socket)
        finally:
            opened.leave(connection)

    async def received(self, socket: WebSocket) -> dict[str, Any]:
        """The next message. Raises RefusedError for anything our pages never send, and the connection ends."""
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"])
        self.house.allowance_of(address_of(socket)).take()
        text = message.get("text") or ""  # bytes are not a message
        if len(text) > self.limits.characters:
            raise RefusedError("too_long", f"A message has at most {self.limits.characters:,} characters.")
        return json_object(text)

    async def reply(self, opened: OpenTable, connection: Connection, message: dict[str, Any]) -> dict[str, Any] | None:
        """Do what a message asks for: the answer, or None where everybody is told of the change."""
        seat = connection.seat
        do = message.get("do")
        try:
            if do == "why":
                return opened.table.why(seat, field(message, "after", int), message.get("argument"))
            if do in ("hint", "judge"):
                self.house.allowance_of(address_of(connection.socket)).take(10)
                return await self.house.teach(opened, seat, message)
            self.house.act(opened, seat, message)
        except (RefusedError, GammonError) as error:
            return refusal_of(error)
        return None


def address_of(caller: HTTPConnection) -> str:
    """Where a request or a connection comes from."""
    return household(caller.client.host if caller.client else "")


def visible(character: str) -> bool:
    """A letter, number, punctuation mark or symbol which is not blank."""
    return unicodedata.category(character)[0] in "LNPS" and character not in "\u115f\u1160\u2800\u3164\uffa0"


def json_object(text: str) -> dict[str, Any]:
    """What a message says. Raises RefusedError if it is anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RefusedError("unreadable", "A message is the text of a JSON object.")
    return cast("dict[str, Any]", data)


def refusal_of(error: RefusedError | GammonError) -> dict[str, str]:
    """A refusal as a client gets it."""
    code = error.code if isinstance(error, RefusedError) else str(getattr(error, "reason", "unreadable"))
    return {"type": "refused", "code": code, "message": str(error)}


async def refuse(_: Request, error: Exception) -> Response:
    """A refusal as the response to a request; of any other error, only that there was one."""
    if isinstance(error, RefusedError):
        return JSONResponse(refusal_of(error), STATUS.get(error.code, 400))
    return JSONResponse(refusal_of(RefusedError("fault", "Something went wrong on the server.")), 500)


def with_headers(app: ASGIApp) -> ASGIApp:
    """The application with the headers in every response, of errors too."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, send_with_headers)

    return wrapped


def page_routes(bots: Mapping[str, Bot], lengths: Sequence[int | None]) -> list[Route]:
    """The files of the page, the board with its colors, and who can be played against, to how many points."""
    paths = [(path, kind) for suffix, kind in KINDS.items() for path in PAGE.glob(f"*.{suffix}")]
    texts = {f"/{path.name}": (path.read_text("utf-8"), kind) for path, kind in paths}
    texts["/"] = texts.pop("/index.html")
    texts["/board.js"] = draw.board_js(), "text/javascript"
    texts["/board.css"] = draw.svg.stylesheet(), "text/css"
    abouts = [[name, getattr(bot, "about", "")] for name, bot in bots.items()]
    texts["/bots.json"] = json.dumps({"bots": abouts, "lengths": lengths}), "application/json"
    responses = {path: Response(text, media_type=kind) for path, (text, kind) in texts.items()}
    return [Route(path, response, methods=["GET"]) for path, response in responses.items()]


def create_app(
    database: Path,
    origins: Iterable[str],
    *,
    rng: random.Random | None = None,
    limits: Limits | None = None,
    pause: float = 0.7,
    bot: Bot | Mapping[str, Bot] = choose,
    tutor: Tutor | None = None,
    rules: Rules | None = None,
) -> ASGIApp:
    """The application. `origins` are its page's addresses, `bot` one or several by name; `pause` is in seconds.

    All new tables are by the same `rules`, the usual ones by default.
    """
    storage = Storage(database)
    bots = bot if isinstance(bot, Mapping) else {"Bot": bot}
    house = House(storage, rng or random.SystemRandom(), limits or Limits(), pause, bots, tutor)
    endpoints = Endpoints(house, origins, rules)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        with closing(storage):
            tasks = [asyncio.create_task(work) for work in (house.keep_time(), house.keep_analyzing())]
            yield
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for worker in (house.thinking, house.writing, house.teaching):
                worker.shutdown(wait=False, cancel_futures=True)

    app = Starlette(
        routes=[
            *page_routes(bots, house.limits.lengths),
            Route("/start.svg", endpoints.start),
            Route("/tables", endpoints.new_table, methods=["POST"]),
            Route("/tables/{table}", endpoints.join, methods=["POST"]),
            Route("/tables/{table}/match.mat", endpoints.file),
            Route("/tables/{table}/match.html", endpoints.page),
            Route("/tables/{table}/dice.json", endpoints.dice),
            WebSocketRoute("/tables/{table}", endpoints.socket),
        ],
        exception_handlers={RefusedError: refuse, ClientDisconnect: refuse, Exception: refuse},
        lifespan=lifespan,
    )
    return with_headers(app)


NOISE = "Invalid UTF-8", "Fatal error: protocol.data_received()", "socket.accept() out of system resource"
"""What would be logged, with tracebacks, for each text that is not UTF-8, and without end when files run out."""


def serve(app: ASGIApp, host: str, port: int, proxy: str | None = None, limits: Limits | None = None) -> uvicorn.Server:
    """A server for `run()`: it ends with SIGTERM or Ctrl-C, and the pages connect again by themselves."""
    limits = limits or Limits()
    for log in ("asyncio", "uvicorn.error"):
        logging.getLogger(log).addFilter(lambda record: not str(record.msg).startswith(NOISE))
    config = uvicorn.Config(
        app,
        host,
        port,
        http=bounded(limits, proxy),
        ws=bounded_socket(limits),
        ws_max_size=4 * limits.characters,  # in bytes; the connection is closed before a longer message has been read
        h11_max_incomplete_event_size=4 * limits.characters,
        ws_ping_interval=2,  # so the others soon see that a player is gone
        ws_ping_timeout=limits.seconds / 2,
        limit_concurrency=limits.connections[0],
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    return uvicorn.Server(config)


def origins_of(host: str, port: int, address: str | None) -> set[str]:
    """What browsers call the site of the page in the header `Origin`. Raises ValueError if it is not a site."""
    hosts = {f"[{host}]" if ":" in host else host, "localhost", "127.0.0.1"}
    return {origin_of(url) for url in ([f"http://{name}:{port}" for name in hosts] if address is None else [address])}


def origin_of(url: str) -> str:
    """An address without its path, and without the port if it is the usual one."""
    if not url.isascii():
        raise ValueError("browsers send the names of such hosts in ASCII")
    parts = urlsplit(url)
    usual = {"http": 80, "https": 443}[parts.scheme]
    if not parts.hostname:
        raise ValueError("it names no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}" + ("" if parts.port in {None, usual} else f":{parts.port}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Backgammon in the browser.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--origin", help="what people see in the address bar, if not http://HOST:PORT")
    parser.add_argument("--proxy", help="the IP address of a proxy, which says where its visitors come from")
    parser.add_argument("--database", type=Path, default=Path("tables.sqlite"))
    parser.add_argument("--pause", type=float, default=0.7, help="seconds between what happens and what a bot does")
    parser.add_argument("--hypergammon", metavar="FILE", help="play Hypergammon, against the table that has it solved")
    options = parser.parse_args()
    if not 1 <= options.port <= 65_535:
        parser.error(f"{options.port} is not a port: they go from 1 to 65535")
    try:
        origins = origins_of(options.host, options.port, options.origin)
    except (ValueError, LookupError):
        parser.error(f"{options.origin or options.host} is not an address such as https://game.example, in ASCII")
    try:
        proxy = options.proxy and str(ip_address(options.proxy))
    except ValueError:
        parser.error(f"{options.proxy} is not the address of a proxy, such as 127.0.0.1")
    file = options.hypergammon
    limits = Limits()
    try:
        rules, lengths = (None, limits.lengths) if file is None else solved(file)
    except (GammonError, OSError, ImportError) as error:
        parser.error(str(error))
    limits = attrs.evolve(limits, lengths=lengths)
    pause = options.pause
    try:
        with opened(LOG.warning, file) as (bots, tutor):
            app = create_app(options.database, origins, limits=limits, pause=pause, bot=bots, tutor=tutor, rules=rules)
            with suppress(KeyboardInterrupt):  # it has ended already, and closed the database
                serve(app, options.host, options.port, proxy, limits).run()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        sys.exit(f"{options.database} cannot be used: {why_not(options.database, error)}.")


def why_not(database: Path, error: Exception) -> str:
    """Why a database cannot be opened."""
    if database.is_dir():
        return "it is a folder"
    if not database.parent.is_dir():
        return f"there is no folder {database.parent}"
    if "locked" in str(error):
        return "another server has it open"
    return "it is damaged" if isinstance(error, UnicodeDecodeError) else str(error)


if __name__ == "__main__":
    main()
