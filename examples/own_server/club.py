"""A club: tables with spectators, clocks, a bot and a database.

docs/how-to/your-own-server.md says what is where, and why.
"""

import asyncio
import json
import logging
import sqlite3
import time
from secrets import SystemRandom, token_urlsafe
from typing import Any
from urllib.parse import parse_qsl
from weakref import WeakValueDictionary

import attrs
from bot import choose, end_of_decided, losses, next_event
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets import websockets_sansio_impl

from gammonrules import Event, Forfeit, MatchState, Player, draw, records
from gammonrules.json import dumps, loads
from gammonrules.match import Clock, RecordEvent

RNG = SystemRandom()
LANDSCAPE = draw.BoardStyle(
    look="depth", numbers="fixed", header=False, footer=False
)
PORTRAIT = attrs.evolve(LANDSCAPE, layout="portrait")
TEXT = {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Content-Type-Options": "nosniff",
}

# --8<-- [start:noise]
# what uvicorn and asyncio would log without end, with tracebacks
NOISE = (
    "Invalid UTF-8",
    "Fatal error: protocol.data_received()",
    "socket.accept() out of system resource",
)
for log in ("asyncio", "uvicorn.error"):
    logging.getLogger(log).addFilter(lambda x: not str(x.msg).startswith(NOISE))
# --8<-- [end:noise]


def roll() -> list[int]:
    return RNG.choices(range(1, 7), k=2)


# --8<-- [start:tables]
class Table:
    """A match, the keys of its seats, and the player of each connection."""

    def __init__(self, name: str, keys: dict[str, Player], names: Any):
        self.name = name
        self.keys = keys
        self.names = names
        self.here: dict[asyncio.Event, Player | None] = {}
        self.state = MatchState.new(3)
        self.clock = Clock.tournament(self.state)
        self.log: list[RecordEvent] = []
        self.last: dict[str, Any] = {}


def change(table: Table, event: Any, at: float) -> None:
    before = table.state
    table.state = before.apply(event)
    table.clock = table.clock.follow(table.state, at)
    table.log.append(event)
    if isinstance(event, Event) and event.action in {"opening_roll", "play"}:
        last = event.argument if before.dice else None
        table.last = {"last_play": last, "last_dice": before.dice}


def find(name: str) -> Table | None:
    """A table; that of the next match is made when asked for."""
    table = load(name)
    over = None if table else load(name.removesuffix("/-"))
    if over and over.state.winner:
        add(Table(name, over.keys, over.names))
        table = load(name)
    return table


def go_on(table: Table) -> None:
    for news in table.here:
        news.set()
    ready = {*table.here.values()} >= {*table.keys.values()}
    actions = table.state.legal_actions
    has_to_roll = "roll" in actions and "double" not in actions
    if table.state.phase == "opening" and (table.log or ready):
        do(table, Event("opening_roll", argument=roll()))
    elif event := end_of_decided(table.state):
        do(table, event)
    elif has_to_roll and table.state.position.is_shut_out:
        do(table, Event("roll", argument=roll()))


# --8<-- [end:tables]

# --8<-- [start:database]
TABLES: "WeakValueDictionary[str, Table]" = WeakValueDictionary()

DB = sqlite3.connect("tables.sqlite", isolation_level=None)
DB.executescript("""PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS tables (name PRIMARY KEY, at, until, log)""")
NEW = """INSERT INTO tables SELECT ?, ?, ?, ?
    WHERE (SELECT count(*) FROM tables) < 1000"""
MORE = """UPDATE tables SET at = ?, until = ?, log = log || ?
    WHERE name = ?"""
OLD = """DELETE FROM tables WHERE (SELECT count(*) FROM tables) >= 1000
    AND until < ? AND name NOT IN (SELECT value FROM json_each(?))"""
LOG = "SELECT log FROM tables WHERE name = ?"
[STOPPED] = DB.execute("SELECT coalesce(max(at), 0) FROM tables").fetchone()
STARTED = time.monotonic()


def now() -> float:
    return float(STOPPED + time.monotonic() - STARTED)


def add(table: Table) -> bool:
    """Keep a new table.

    Room comes from matches that are over, or that nobody has used for a day.
    """
    DB.execute(OLD, (at := now(), json.dumps([*TABLES])))
    seats = json.dumps([table.keys, table.names])
    row = (table.name, at, at + 86_400, seats)
    return DB.execute(NEW, row).rowcount > 0


def load(name: str) -> Table | None:
    table = TABLES.get(name)
    if table is None and (row := DB.execute(LOG, (name,)).fetchone()):
        (keys, names), *log = map(json.loads, row[0].splitlines())
        players = {key: Player(who) for key, who in keys.items()}
        table = TABLES[name] = Table(name, players, tuple(names))
        for at, event in log:
            change(table, loads(event), at)
    return table


def do(table: Table, event: RecordEvent) -> None:
    """Let an event happen, or raise GammonError and change nothing."""
    late = table.clock.flag(at := now())
    event = table.state.canonical(Forfeit(late) if late else event)
    until = at + (600 if table.state.apply(event).winner else 86_400)
    more = f"\n{json.dumps([at, dumps(event)])}"
    DB.execute(MORE, (at, until, more, table.name))
    change(table, event, at)
    go_on(table)


# --8<-- [end:database]


# --8<-- [start:lobby]
def is_foreign(caller: HTTPConnection) -> bool:
    """Whether the page of another site asks: browsers say whose it is."""
    host = caller.headers.get("host")
    origins = f"http://{host}", f"https://{host}"
    return not host or caller.headers.get("origin") not in origins


async def read_form(request: Request) -> dict[str, str] | None:
    """The fields of a form, or None if it is too long or incomplete."""
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > 1_000:
                return None
    except ClientDisconnect:
        return None
    return dict(parse_qsl(body.decode("latin-1")))


async def lobby(request: Request) -> Response:
    if is_foreign(request):
        return Response("Only the server's own page may ask this.", 403, TEXT)
    if (form := await read_form(request)) is None:
        return Response("A form has at most 1,000 bytes.", 413, TEXT)
    players = [*Player][: 1 if "bot" in request.query_params else 2]
    keys = {token_urlsafe(16): player for player in players}
    white, black = (form.get(who, who.title())[:20] for who in Player)
    table = Table(token_urlsafe(8), keys, (white, black))
    if not add(table):
        return Response("There is no table for you now.", 503, TEXT)
    return RedirectResponse(f"/table/{table.name}/#{next(iter(keys))}", 303)


async def record(request: Request) -> Response:
    if not (table := find(request.path_params["name"])):
        return Response("There is no such table.", 404, TEXT)
    match = records.Match.from_events(table.names, MatchState.new(3), table.log)
    return Response(records.dumps(match), headers=TEXT)


# --8<-- [end:lobby]


# --8<-- [start:messages]
def check(table: Table, player: Any, event: Event) -> None:
    """Raise ValueError for a resignation that the page does not offer."""
    offered = losses(table.state, player)
    if event.action == "resign" and event.argument not in offered:
        raise ValueError("You can resign only what you can still lose.")


def answer(table: Table, player: Any, text: str) -> dict[str, str]:
    """The reply to a message; empty if everybody hears what it changed."""
    try:
        match sent := json.loads(text):
            case {"why": [*moves, [int(start), int(end)]]}:
                reason = table.state.legal_plays.why(start, end, moves)
                return {"why": str(reason or "This move is legal.")}
            case {"action": "resign"} if table.state.to_act is not player:
                refused = "You can resign when it is your turn."
            case {"action": _} if len(table.log) >= 2_000:
                refused = "The match is too long: now the clock decides."
            case {"action": what, "after": int()} if what != "opening_roll":
                if sent.pop("after") == len(table.log):  # not a double click
                    event, _ = table.state.receive(sent, player, roll=roll)
                    check(table, player, event)
                    do(table, event)
                return {}
            case _:
                refused = "This message makes no sense."
    except (ValueError, RecursionError) as error:
        refused = str(error)
    return {"refused": refused}


# --8<-- [end:messages]


def seen(table: Table, player: Player | None) -> dict[str, Any]:
    """What a page shows."""
    state = table.state
    clock = table.clock
    me = player or Player.WHITE
    acts = player is not None and state.to_act in {player, None}
    plays = state.legal_plays if acts and state.phase == "to_play" else None
    looks: Any = {"names": table.names, "bottom": me, **table.last}
    keys = [*table.keys][1:] if player is Player.WHITE and not table.log else []
    may = {*state.legal_actions, *["copy_link"] * len(keys)} or {"next_match"}
    may -= {"opening_roll", "play"}
    lost = [win.name.lower() for win in losses(state, me)] if acts else []
    names: Any = dict(zip(Player, table.names, strict=True))
    choice = " or ".join(sorted(state.legal_actions - {"resign"}))
    said = "The game begins when both are here."
    if state.result:
        said = f"{names[state.result.winner]} wins."
    elif who := names.get(state.to_act):
        said = f"Your turn: {choice}." if acts else f"{who}'s turn."
    return {
        "number": len(table.log),
        "said": said,
        "svg": draw.svg.match_state(state, **looks, style=LANDSCAPE),
        "portrait": draw.svg.match_state(state, **looks, style=PORTRAIT),
        "tree": plays.tree().data if plays else None,
        "actions": sorted(may if lost else may - {"resign"}) if acts else [],
        "losses": lost,
        "names": names,
        "score": {who: min(3, state.score[who]) for who in Player},
        "left": {who: clock.left(who, now()) for who in (me.opponent, me)},
        "delay": clock.delay_left(now()),
        "runs": clock.on_clock,
        "keys": keys,
    }


# --8<-- [start:connections]
class Socket(websockets_sansio_impl.WebSocketsSansIOProtocol):
    """A connection that ends even if its client does not read."""

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        super().on_task_complete(task)
        self.loop.call_later(5, self.transport.abort)


def welcome(table: Table, key: str) -> bool:
    others = [*table.here.values()].count(table.keys.get(key))
    return others < 20 and (key in table.keys or not key)


async def say(socket: WebSocket, message: dict[str, Any]) -> None:
    try:
        async with asyncio.timeout(20):
            await socket.send_json(message)
    except (RuntimeError, TimeoutError):  # closed already, or not read
        raise WebSocketDisconnect from None


def due(table: Table) -> None:
    """What time brings: a flag that has fallen, or the bot's turn."""
    actor = table.state.to_act
    if actor and (table.clock.flag(now()) or actor not in table.keys.values()):
        do(table, next_event(table.state, choose, RNG))


async def tell(socket: WebSocket, table: Table, news: asyncio.Event) -> None:
    while True:
        news.clear()
        await say(socket, seen(table, table.here[news]))
        while not news.is_set():
            try:
                async with asyncio.timeout(1):  # wait_for may miss a cancel
                    await news.wait()
            except TimeoutError:
                due(table)


async def play(socket: WebSocket) -> None:
    key = "".join(socket.scope["subprotocols"][:1])
    await socket.accept(key or None)
    table = find(socket.path_params["name"])
    news = asyncio.Event()
    if table is None or is_foreign(socket) or not welcome(table, key):
        await socket.close(1008, "There is no seat for you.")
        return
    table.here[news] = player = table.keys.get(key)
    try:
        go_on(table)
        async with asyncio.TaskGroup() as tasks:  # one error ends both
            telling = tasks.create_task(tell(socket, table, news))
            while (it := await socket.receive())["type"] == "websocket.receive":
                if reply := answer(table, player, it.get("text") or ""):
                    await say(socket, reply)
                await asyncio.sleep(0)  # let others have their turn
            telling.cancel()
    except* WebSocketDisconnect:
        pass
    finally:
        del table.here[news]


# --8<-- [end:connections]


async def file(request: Request) -> Response:
    if (path := request.url.path) == "/board.js":
        return Response(draw.board_js(), media_type="text/javascript")
    name = "page.js" if path == "/page.js" else "page.html"
    return FileResponse(name, headers={"Cache-Control": "no-cache"})


def app() -> Starlette:
    routes = [
        Route("/", file),
        Route("/", lobby, methods=["POST"]),
        Route("/{name}.js", file),
        Route("/table/{name:path}/", file),
        Route("/table/{name:path}/match.mat", record),
        WebSocketRoute("/table/{name:path}/", play),
    ]
    return Starlette(routes=routes)
