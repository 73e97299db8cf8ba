from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
from pathlib import Path
from random import SystemRandom
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qsl
from weakref import WeakValueDictionary

from bot import choose
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from gammonrules import Dice, Event, Forfeit, MatchState, Player, draw, records
from gammonrules.json import dumps, loads
from gammonrules.match import Clock, RecordEvent

RNG = SystemRandom()

TABLES: WeakValueDictionary[str, Table] = WeakValueDictionary()

FORM = """<h1>Backgammon</h1><form method=post action=/>
<p><label>White: <input name=white value=Ann maxlength=20></label>
<p><label>Black: <input name=black value=Bob maxlength=20></label>
<p><button>Play a friend</button>
<button name=black value=Bot formaction=/?bot>Play the bot</button>"""

DB = sqlite3.connect("tables.sqlite", isolation_level=None)
DB.executescript("""PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS log
    (name, number, at, text, PRIMARY KEY (name, number));
    CREATE INDEX IF NOT EXISTS new ON log (number, at) WHERE number < 0""")
INSERT = "INSERT INTO log VALUES (?, ?, ?, ?)"
BEFORE = "DELETE FROM log WHERE name = ? AND number >= ?"  # the match before
OLD = """DELETE FROM log WHERE name NOT IN (SELECT value FROM json_each(?))
    AND name IN (SELECT name FROM log AS new WHERE number < 0 AND ? > (SELECT at
    FROM log WHERE name = new.name ORDER BY number DESC LIMIT 1))"""
[STOPPED] = DB.execute("SELECT coalesce(max(at), 0) FROM log").fetchone()
STARTED = time.monotonic()

NOISE = "Invalid UTF-8", "Fatal error: protocol.data_received()"
for log in ("asyncio", "uvicorn.error"):
    logging.getLogger(log).addFilter(lambda x: not str(x.msg).startswith(NOISE))


class Table:
    """A match, the keys of its seats, and the player of each connection."""

    def __init__(self, name: str, keys: dict[str, Player], names: list[str]):
        self.name, self.keys, self.names = name, keys, names
        self.here: dict[asyncio.Event, Player | None] = {}
        self.begin()

    def begin(self) -> None:
        self.state = MatchState.new(3)
        self.clock = Clock.tournament(self.state)
        self.log: list[RecordEvent] = []
        self.last: dict[str, Any] = {}


def now() -> float:
    return float(STOPPED + time.monotonic() - STARTED)


def change(table: Table, event: Any, at: float) -> None:
    before, table.state = table.state, table.state.apply(event)
    table.clock = table.clock.follow(table.state, at)
    table.log.append(event)
    if isinstance(event, Event) and event.action == "play":
        table.last = {"last_play": event.argument, "last_dice": before.dice}
    elif table.state.phase == "opening":
        table.last = {}


def do(table: Table, event: RecordEvent) -> None:
    """Let an event happen, or raise GammonError and change nothing."""
    at = now()
    late = table.clock.flag(at)
    event = table.state.canonical(Forfeit(late) if late else event)
    DB.execute(BEFORE, (table.name, len(table.log)))
    DB.execute(INSERT, (table.name, len(table.log), at, dumps(event)))
    change(table, event, at)
    go_on(table)


def go_on(table: Table) -> None:
    for news in table.here:
        news.set()
    ready = {*table.here.values()} >= {*table.keys.values()}
    if table.state.phase == "opening" and (table.log or ready):
        do(table, Event("opening_roll", argument=RNG.choices(range(1, 7), k=2)))


def add(table: Table) -> bool:
    """Keep a new table if there is room without those unused for a day."""
    DB.execute(OLD, (json.dumps([*TABLES]), now() - 86_400))
    new = DB.execute("SELECT name FROM log WHERE number < 0").fetchall()
    if len(new) < 1_000:
        seats = json.dumps([table.keys, table.names])
        DB.execute(INSERT, (table.name, -1, now(), seats))
    return len(new) < 1_000


def find(name: str) -> Table | None:
    log = "SELECT at, text FROM log WHERE name = ? ORDER BY number"
    table = TABLES.get(name)
    if table is None and (rows := DB.execute(log, (name,)).fetchall()):
        keys, names = json.loads(rows[0][1])
        players = {key: Player(who) for key, who in keys.items()}
        table = Table(name, players, names)
        for at, text in rows[1:]:
            change(table, loads(text), at)
        TABLES[name] = table
    return table


def is_foreign(caller: HTTPConnection) -> bool:
    """Whether the page of another site asks: browsers say whose it is."""
    site = caller.headers.get("origin", "").partition("://")[2]
    return site != caller.headers.get("host")


def answer(table: Table, player: Any, text: str) -> dict[str, str]:
    """The reply to a message; empty if everybody hears what it changed."""
    try:
        match json.loads(text):
            case {"why": [*moves, [int(start), int(end)]]}:
                reason = table.state.legal_plays.why(start, end, moves)
                return {"why": str(reason or "This move is legal.")}
            case {"action": "resign"} if table.state.to_act is not player:
                refused = "You can resign when it is your turn."
            case {"action": "next_match"} if player and table.state.winner:
                table.begin()
                go_on(table)
                return {}
            case {"action": _} if len(table.log) >= 2_000:
                refused = "The match is too long: now the clock decides."
            case {"action": action, "after": int(after), **more}:
                if after == len(table.log):  # not a double click
                    said = {"roll": Dice.random(RNG), "play": more.get("moves")}
                    choice: Any = {**said, "resign": more.get("level")}
                    do(table, Event(action, player, choice.get(str(action))))
                return {}
            case _:
                refused = "This message makes no sense."
    except (ValueError, RecursionError) as error:
        refused = str(error)
    return {"refused": refused}


def seen(table: Table, player: Player | None) -> dict[str, Any]:
    """What a page shows."""
    state, clock, me = table.state, table.clock, player or Player.WHITE
    acts = player is not None and state.to_act in {player, None}
    plays = state.legal_plays if acts and state.phase == "to_play" else None
    actions = {*state.legal_actions, *["next_match"] * bool(state.winner)}
    looks: Any = {"look": "depth", "names": table.names, "numbers": "fixed"}
    return {
        "number": len(table.log),
        "you": player,
        "svg": draw.svg.table(state, bottom=me, **looks, **table.last),
        "tree": plays.tree().data if plays else None,
        "actions": sorted(actions - {"opening_roll", "play"}) if acts else [],
        "left": {player: clock.left(player, now()) for player in Player},
        "delay": clock.delay_left(now()),
        "runs": clock.on_clock,
    }


def welcome(table: Table, key: str) -> bool:
    others = [*table.here.values()].count(table.keys.get(key))
    return others < 20 and (key in table.keys or not key)


async def say(socket: WebSocket, message: dict[str, Any]) -> None:
    try:
        await asyncio.wait_for(socket.send_json(message), 20)
    except (RuntimeError, TimeoutError):  # closed already, or not read
        raise WebSocketDisconnect from None


def due(table: Table) -> None:
    """What time brings: a flag that has fallen, or the bot's turn."""
    to_act, late = table.state.to_act, table.clock.flag(now())
    if to_act and (late or to_act not in table.keys.values()):
        decided = choose(table.state)
        roll = Event("roll", argument=Dice.random(RNG))
        do(table, decided if isinstance(decided, Event) else roll)


async def tell(socket: WebSocket, table: Table, news: asyncio.Event) -> None:
    while True:
        news.clear()
        await say(socket, seen(table, table.here[news]))
        while not news.is_set():
            try:
                await asyncio.wait_for(news.wait(), 1)
            except TimeoutError:
                due(table)


async def play(socket: WebSocket) -> None:
    key = "".join(socket.scope["subprotocols"][:1])
    await socket.accept(key or None)
    table, news = find(socket.path_params["name"]), asyncio.Event()
    if table is None or is_foreign(socket) or not welcome(table, key):
        await socket.close(1008, "There is no such seat.")
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


async def lobby(request: Request) -> Response:
    html = Path("page.html").read_text("utf-8").partition("<gammon-board")[0]
    if request.method == "GET":
        return HTMLResponse(html + FORM)
    form = dict(parse_qsl((await anext(request.stream())).decode("latin-1")))
    players = [*Player][: 1 if "bot" in request.query_params else 2]
    keys = {token_urlsafe(16): player for player in players}
    names = [form.get(player, player)[:20] for player in Player]
    table = Table(token_urlsafe(8), keys, names)
    if is_foreign(request) or not add(table):
        return HTMLResponse("There is no table for you now.", 503)
    for key, who in {**keys, "": "spectators"}.items():
        html += f"<p><a href='/table/{table.name}/#{key}'>For {who}</a>"
    return HTMLResponse(html + "<p>Take one link, and send the others.")


async def record(request: Request) -> Response:
    if not (table := find(request.path_params["name"])):
        return Response("There is no such table.", 404)
    white, black = table.names
    start, log = MatchState.new(3), table.log
    match = records.Match.from_events((white, black), start, log)
    return Response(records.dumps(match))


async def file(request: Request) -> Response:
    path = request.url.path
    if path == "/board.js":
        return Response(draw.board_js(), media_type="text/javascript")
    name = "page.js" if path == "/page.js" else "page.html"
    return FileResponse(name, headers={"Cache-Control": "no-cache"})


def app() -> Starlette:
    routes = [
        Route("/", lobby, methods=["GET", "POST"]),
        Route("/{name}.js", file),
        Route("/table/{name}/", file),
        Route("/table/{name}/match.mat", record),
        WebSocketRoute("/table/{name}/", play),
    ]
    return Starlette(routes=routes)
