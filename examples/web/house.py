"""The tables in use: who is connected to each, what happens there, and the bot. Everything goes through `House.act`."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import secrets
import sqlite3
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import attrs
from starlette.websockets import WebSocket, WebSocketDisconnect
from storage import Storage
from tables import RefusedError, Seat, Step, Table

from gammonrules import Event, MatchState, Player
from gammonrules.engine import Bot

sys.path.append(str(Path(__file__).parents[1]))
from bot import choose  # it is beside this folder, for the game in the terminal too

LOG = logging.getLogger("gammonrules.web")
TOO_MANY_TABS = 4000
"""The code with which a connection is closed to make room for another: the page does not try again."""


@attrs.frozen
class Limits:
    """The limits of what one server does for strangers. An address may be that of a household, or of a school."""

    connections: tuple[int, int] = (900, 100)
    """In all, which is fewer than the files that a process may have open, and from one address."""
    tables: tuple[int, int] = (2_000, 100)
    """In all, and made from one address."""
    tabs: int = 10
    """Of each player at a table, and of all spectators together."""
    messages: tuple[float, int] = (30.0, 300)
    """From one address: how many a second on average, and how many at once."""
    characters: int = 2_000
    """Of a message, and bytes of a request."""
    bytes: tuple[float, int] = (6_000.0, 40_000)
    """Sent by the WebSockets of one address: how many a second on average, and how many at once."""
    seconds: float = 10
    """For a request, for the first message of a connection, and for a reader to take what was sent to them."""
    name: int = 18
    length: int = 25


class Allowance:
    """Some a second on average, and at most `burst` at once."""

    def __init__(self, rate: tuple[float, int]) -> None:
        self.per_second, self.burst = rate
        self.left, self.asked = float(self.burst), time.monotonic()

    def take(self, number: int = 1) -> None:
        """Use so many. Raises RefusedError if they are not left."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.asked) * self.per_second)
        self.asked = now
        if self.left < number:
            raise RefusedError("too_many", "That was too much at once: wait a moment.")
        self.left -= number


class Connection:
    """A socket of a player or a spectator. It gets the newest state, so a slow reader keeps nobody waiting."""

    def __init__(self, socket: WebSocket, seat: Player | None) -> None:
        self.socket, self.seat = socket, seat
        self.closing: int | None = None
        """The code with which the server ends it."""
        self.news = asyncio.Event()
        self.news.set()

    def close(self, code: int) -> None:
        """End it, after what is just being sent."""
        self.closing = code
        self.news.set()

    async def tell(self, table: OpenTable) -> None:
        """Send the table as it is now, and again after each change."""
        with suppress(WebSocketDisconnect):
            while await self.news.wait():
                self.news.clear()
                if self.closing is not None:
                    await self.socket.close(self.closing)
                    return
                await self.socket.send_text(table.seen_by(self.seat))


class OpenTable:
    """A table in use: who is connected, and what each side sees."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.users = 0
        self.connections = dict[Connection, None]()
        """In the order in which they came."""
        self.texts = dict[Player | None, str]()
        self.bot: asyncio.Task[None] | None = None

    def enter(self, connection: Connection, most: int) -> None:
        """Each player has room of their own, and so have the spectators: where it is full, the oldest is closed."""
        same = [other for other in self.connections if other.seat is connection.seat]
        if len(same) >= most:
            del self.connections[same[0]]
            same[0].close(TOO_MANY_TABS)
        self.connections[connection] = None
        if connection.seat is not None:
            self.change()

    def leave(self, connection: Connection) -> None:
        self.connections.pop(connection, None)
        if connection.seat is not None:
            self.change()

    def change(self) -> None:
        """Tell everybody."""
        self.texts.clear()
        for connection in self.connections:
            connection.news.set()

    def seen_by(self, seat: Player | None) -> str:
        """The message about the table, written once for everyone who sees the same."""
        if seat not in self.texts:
            present = {connection.seat for connection in self.connections}
            here = [player in present or kind == "bot" for player, kind in zip(Player, self.table.kinds, strict=True)]
            self.texts[seat] = json.dumps(self.table.seen_by(seat) | {"here": here})
        return self.texts[seat]


class House:
    """All tables of a server."""

    def __init__(
        self, storage: Storage, rng: random.Random, limits: Limits, bot_pause: float, bot: Bot = choose
    ) -> None:
        self.storage, self.rng, self.limits, self.bot_pause = storage, rng, limits, bot_pause
        self.bot = bot
        self.open = dict[str, OpenTable]()
        self.thinking = asyncio.Lock()
        self.allowance_of = lru_cache(maxsize=10_000)(self.new_allowance)

    def new_allowance(self, _address: str) -> Allowance:
        """That of an address."""
        return Allowance(self.limits.messages)

    @contextmanager
    def using(self, name: str) -> Generator[OpenTable]:
        """A table, which stays in memory as long as somebody uses it. Raises RefusedError."""
        if name not in self.open:
            with storing(name):
                self.open[name] = OpenTable(self.storage.load(name))
        table = self.open[name]
        table.users += 1
        try:
            yield table
        finally:
            table.users -= 1
            if not table.users:
                self.forget(table)

    def forget(self, table: OpenTable) -> None:
        """Remove it from memory; whoever is still connected must connect again."""
        if self.open.get(table.table.id) is table:
            del self.open[table.table.id]
        if table.bot is not None:
            table.bot.cancel()
        for connection in table.connections:
            connection.close(1012)

    def make(self, length: int | None, seats: tuple[Seat, Seat], maker: str, follows: Table | None = None) -> Table:
        """A new table. Raises RefusedError if there are too many, or if it cannot be stored."""
        table = Table(secrets.token_urlsafe(9), MatchState.new(length), seats, maker)
        with storing(table.id):
            self.storage.expire(self.open)
            if any(number >= most for number, most in zip(self.storage.count(maker), self.limits.tables, strict=True)):
                raise RefusedError("full", "There are too many tables, or too many from your address: try again later.")
            self.storage.add(table, table.going_on([], self.rng), follows=None if follows is None else follows.id)
        return table

    def act(self, opened: OpenTable, seat: Player | None, message: dict[str, Any]) -> None:
        """Everything that players and the bot do. If it raises RefusedError or GammonError, nothing has happened."""
        table, after, do = opened.table, field(message, "after", int), field(message, "do", str)
        if do == "rematch":
            table.checked(seat, after)
            self.rematch(opened)
        else:
            self.commit(opened, table.steps(seat, after, do, message.get("argument"), self.rng))

    def rematch(self, opened: OpenTable) -> None:
        """A new table for the same people, to which both pages go."""
        table = opened.table
        if table.state.winner is None:
            raise RefusedError("match_not_over", "A rematch begins when the match is over.")
        if table.successor is None:  # or the other has asked for it already
            table.successor = self.make(table.state.length, table.seats, table.maker, table).id
        opened.change()

    def sit_down(self, opened: OpenTable, seats: tuple[Seat, Seat]) -> None:
        """The second player has come: throw for the opening."""
        self.commit(opened, opened.table.going_on([], self.rng, seats), seats)

    def commit(self, opened: OpenTable, steps: Sequence[Step], seats: tuple[Seat, Seat] | None = None) -> None:
        """Store what happens, then apply it, then tell everybody."""
        table = opened.table
        try:
            with storing(table.id):
                self.storage.append(table, steps, seats)
        except RefusedError:
            self.forget(opened)  # whatever is stored now, it is loaded again
            raise
        table.seats = seats or table.seats
        for event, state in steps:
            table.take_step(event, state)
        opened.change()
        self.wake_bot(opened)

    # --- the bot ------------------------------------------------------------------------------------------------------

    def wake_bot(self, opened: OpenTable) -> None:
        """Let the bot think if it is to act."""
        player = opened.table.state.to_act
        if player is None or opened.table.kinds[player] != "bot":
            return
        if opened.bot is None or opened.bot.done():
            opened.bot = asyncio.create_task(self.play_bot(opened, player))

    async def play_bot(self, opened: OpenTable, player: Player) -> None:
        """Act as long as it is the bot's turn. What it decides may be stale: the person may have resigned meanwhile."""
        table = opened.table
        while table.state.to_act is player:
            await asyncio.sleep(self.bot_pause)
            after = table.number
            async with self.thinking:  # one bot at a time, or they leave the processor to nobody else
                decided = await asyncio.to_thread(self.bot, table.state)
            do, argument = (decided.action, decided.argument) if isinstance(decided, Event) else (decided, None)
            try:
                self.act(opened, player, {"after": after, "do": do.value, "argument": argument})
            except RefusedError as refusal:
                if refusal.code != "stale":
                    LOG.warning("table %s: the bot stops: %s", table.id, refusal.code)
                    return


@contextmanager
def storing(table: str) -> Generator[None]:
    """Raises RefusedError if the database fails."""
    try:
        yield
    except sqlite3.Error as error:
        LOG.error("table %r could not be read or stored: %s", table, error)  # noqa: TRY400 - the sentence says it
        raise RefusedError("storage", "The server could not read or store this: try again.") from error


T = TypeVar("T")


def field(data: dict[str, Any], name: str, kind: type[T]) -> T:
    """A field of a message. Raises RefusedError if it is of another type; true is not a number."""
    value = data.get(name)
    if type(value) is not kind:
        raise RefusedError("unreadable", f'The field "{name}" is missing, or of the wrong type.')
    return value
