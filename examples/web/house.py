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
from pathlib import Path
from typing import Any, TypeVar

import attrs
from starlette.websockets import WebSocket, WebSocketDisconnect
from storage import Storage
from tables import RefusedError, Seat, Step, Table

from gammonrules import Action, MatchState, Player

sys.path.append(str(Path(__file__).parents[1]))
from bot import choose  # it is beside this folder, for the game in the terminal too

LOG = logging.getLogger("gammonrules.web")


@attrs.frozen
class Limits:
    """The limits of what one server does for strangers."""

    tables: int = 2_000
    new_tables: tuple[float, int] = (1.0, 300)
    """How many a second may be made on average, and how many at once."""
    connections: int = 20
    """At one table: two players with several tabs each, and spectators."""
    messages: tuple[float, int] = (10.0, 40)
    """How many a connection may send in a second on average, and how many at once."""
    characters: int = 2_000
    """Of a message, and bytes of a request."""
    seconds_to_begin: float = 10
    """From the connection to its first message, and for the whole of a request."""
    name: int = 18
    length: int = 25


class Allowance:
    """Some a second on average, and at most `burst` at once."""

    def __init__(self, rate: tuple[float, int]) -> None:
        self.per_second, self.burst = rate
        self.left, self.asked = float(self.burst), time.monotonic()

    def take(self) -> None:
        """Use one. Raises RefusedError if none is left."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.asked) * self.per_second)
        self.asked = now
        if self.left < 1:
            raise RefusedError("too_many", "That was too much at once: wait a moment.")
        self.left -= 1


class Connection:
    """A socket of a player or a spectator. It gets the newest state, so a slow reader keeps nobody waiting."""

    def __init__(self, socket: WebSocket, seat: Player | None) -> None:
        self.socket, self.seat = socket, seat
        self.news = asyncio.Event()
        self.news.set()

    async def tell(self, table: OpenTable) -> None:
        """Send the table as it is now, and again after each change."""
        with suppress(WebSocketDisconnect):
            while await self.news.wait():
                self.news.clear()
                if table.closed:
                    await self.socket.close(1012)
                    return
                await self.socket.send_text(table.seen_by(self.seat))


class OpenTable:
    """A table in use: who is connected, and what each side sees."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.users = 0
        self.closed = False
        """Whether it must be loaded again, since it may differ from what is stored."""
        self.connections = set[Connection]()
        self.texts = dict[Player | None, str]()
        self.bot: asyncio.Task[None] | None = None

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

    def __init__(self, storage: Storage, rng: random.Random, limits: Limits, bot_pause: float) -> None:
        self.storage, self.rng, self.limits, self.bot_pause = storage, rng, limits, bot_pause
        self.open = dict[str, OpenTable]()
        self.new_tables = Allowance(limits.new_tables)

    @contextmanager
    def using(self, name: str) -> Generator[OpenTable]:
        """A table, which stays in memory as long as somebody uses it. Raises RefusedError."""
        if name not in self.open:
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
        table.closed = True
        table.change()

    def make(self, length: int | None, seats: tuple[Seat, Seat], follows: Table | None = None) -> Table:
        """A new table. Raises RefusedError if there are too many, or if it cannot be stored."""
        self.new_tables.take()
        table = Table(secrets.token_urlsafe(9), MatchState.new(length), seats)
        with storing(table):
            self.storage.expire(self.open, time.time())
            if self.storage.count() >= self.limits.tables:
                raise RefusedError("full", "There are too many tables now: try again later.")
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
            table.successor = self.make(table.state.length, table.seats, table).id
        opened.change()

    def sit_down(self, opened: OpenTable, seats: tuple[Seat, Seat]) -> None:
        """The second player has come: throw for the opening."""
        self.commit(opened, opened.table.going_on([], self.rng, seats), seats)

    def commit(self, opened: OpenTable, steps: Sequence[Step], seats: tuple[Seat, Seat] | None = None) -> None:
        """Store what happens, then apply it, then tell everybody."""
        table = opened.table
        try:
            with storing(table):
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
            after = len(table.log)
            event = await asyncio.to_thread(choose, table.state, self.rng)
            argument = None if event.action is Action.ROLL else event.argument
            try:
                self.act(opened, player, {"after": after, "do": event.action.value, "argument": argument})
            except RefusedError as refusal:
                if refusal.code != "stale":
                    LOG.warning("table %s: the bot stops: %s", table.id, refusal.code)
                    return


@contextmanager
def storing(table: Table) -> Generator[None]:
    """Raises RefusedError if the database fails."""
    try:
        yield
    except sqlite3.Error as error:
        LOG.exception("table %s could not be stored", table.id)
        raise RefusedError("storage", "The server could not store this: try again.") from error


T = TypeVar("T")


def field(data: dict[str, Any], name: str, kind: type[T]) -> T:
    """A field of a message. Raises RefusedError if it is of another type; true is not a number."""
    value = data.get(name)
    if type(value) is not kind:
        raise RefusedError("unreadable", f'The field "{name}" is missing, or of the wrong type.')
    return value
