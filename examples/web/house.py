"""The tables in use: who is connected to each, what happens there, and the bot. Everything goes through `House.act`."""

from __future__ import annotations

import asyncio
import json
import math
import random
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from typing import Any, TypeVar, cast

import attrs
from analysis import made
from bot import choose, decision_of
from fairness import Promise
from opponents import SIMPLE, Tutor
from starlette.websockets import WebSocket, WebSocketDisconnect
from storage import LOG, Storage
from tables import TIME_CONTROLS, RefusedError, Seat, Step, Table, thrown

from gammonrules import Action, Event, MatchState, Phase, Player
from gammonrules.engine import Bot, EngineError, EngineStartError
from gammonrules.json import loads
from gammonrules.match import Clock, Forfeit
from gammonrules.records import Match

TOO_MANY_TABS = 4000  # the code with which a connection is closed to make room for another: the page does not try again
MAX_PAGE_LENGTH = 5_000  # events; it takes 3 seconds, and whoever asks waits for 10 at most


@attrs.frozen
class Limits:
    """The limits of what one server does for strangers. An address may be that of a household, or of a school."""

    connections: tuple[int, int] = (900, 100)  # in all, fewer than the files that may be open, and from one address
    tables: tuple[int, int] = (2_000, 100)  # at which the match is not over: in all, and made from one address
    tabs: int = 10  # of each player at a table, and of all spectators together
    messages: tuple[float, int] = (30.0, 300)  # from one address: how many a second on average, and how many at once
    characters: int = 2_000  # of a message, and bytes of a request
    seconds: float = 10  # for a request or the first message of a connection to come, and for a reader to take messages
    response: float = 60  # for a response to be made and taken
    absence: tuple[float, float] = (60, 600)  # of who is to act, until the other may claim: with a clock, and without
    records: int = 4  # that are written or wait for it
    questions: int = 8  # to the tutor, that are answered or wait for it
    analyses: tuple[int, float] = (20, 3_600)  # matches that are analyzed or wait for it, and the seconds for one
    intermission: float = 20  # between two games of a match, unless both players want to go on
    name: int = 18
    lengths: Sequence[int | None] = (None, *range(1, 26))  # of matches; None is money play


class Allowance:
    """Some a second on average, and at most `burst` at once."""

    def __init__(self, rate: tuple[float, int]) -> None:
        self.per_second, self.burst = rate
        self.left = float(self.burst)
        self.asked = time.monotonic()

    def take(self, number: int = 1) -> None:
        """Use so many. Raises RefusedError if they are not left."""
        now = time.monotonic()
        self.left = min(self.burst, self.left + (now - self.asked) * self.per_second)
        self.asked = now
        if self.left < number:
            raise RefusedError("too_many", "That was too much at once: wait a moment.")
        self.left -= number


@attrs.define(eq=False)
class Connection:
    """A socket of a player or a spectator. It gets the newest state, so a slow reader keeps nobody waiting."""

    socket: WebSocket
    seat: Player | None
    upright: bool
    closing: int | None = None  # the code with which the server ends it
    news: asyncio.Event = attrs.field(init=False, factory=asyncio.Event)

    def close(self, code: int) -> None:
        """End it, after what is just being sent."""
        self.closing = code
        self.news.set()

    async def tell(self, table: OpenTable) -> None:
        """Send the table as it is now, and again after each change."""
        while self.closing is None:
            self.news.clear()
            await send(self.socket, table.seen_by(self), table.house.limits.seconds)
            await self.news.wait()
        await self.socket.close(self.closing)


async def send(socket: WebSocket, text: str, seconds: float) -> None:
    """Send a message. Raises WebSocketDisconnect if the connection is closed, or nobody reads it in time."""
    try:
        async with asyncio.timeout(seconds):  # not wait_for, which may swallow that the task was canceled
            await socket.send_text(text)
    except (RuntimeError, TimeoutError):
        raise WebSocketDisconnect from None


class OpenTable:
    """A table in use: who is connected, and what each side sees."""

    def __init__(self, table: Table, house: House) -> None:
        self.table = table
        self.house = house
        self.users = 0
        self.connections = dict[Connection, None]()  # in the order in which they came
        self.awaited_since = dict.fromkeys(Player, house.storage.now())  # when who is gone left, or their turn began
        self.views = dict[tuple[Player | None, bool], dict[str, Any]]()  # by side, and by how they hold their phones
        self.mover: asyncio.Task[None] | None = None  # the bot, or the server where nothing is to be decided
        self.alarm: asyncio.TimerHandle | None = None  # when the time of who is on the clock ends, or the intermission
        self.agreed = set[Player]()  # who wants the next game, or a rematch
        self.asks_back: Player | None = None  # who asks to take back their last play
        self.denied = set[Player]()  # who was refused it since the last event
        stored = house.storage.analyzed(table.id, table.number)
        self.analyzed: Any = stored and stored[0]
        """What the analysis says of both players, or "failed"; None where there is none of the last event."""

    @property
    def analysis(self) -> Any:
        """The same, or how far the analysis is."""
        return self.house.analyzing.get(self.table.id, self.analyzed)

    def enter(self, connection: Connection, limit: int) -> None:
        """Each player has room of their own: where it is full, their oldest is closed, and a spectator is refused."""
        same = [here for here in self.connections if here.seat is connection.seat]
        if len(same) >= limit and connection.seat is None:
            raise RefusedError("too_many_spectators", "There are too many spectators just now: wait a moment.")
        if len(same) >= limit:
            del self.connections[same[0]]
            same[0].close(TOO_MANY_TABS)
        self.connections[connection] = None
        self.tell()

    def leave(self, connection: Connection) -> None:
        self.connections.pop(connection, None)
        if connection.seat is not None and self.table.owes is not connection.seat:  # that goes on
            self.awaited_since[connection.seat] = self.house.storage.now()
        self.tell()

    def change(self) -> None:
        """Tell everybody what has happened."""
        self.views.clear()
        self.agreed.clear()
        self.denied.clear()
        self.asks_back = None
        self.tell()

    def tell(self) -> None:
        """Tell everybody who is here."""
        for connection in self.connections:
            connection.news.set()

    def is_here(self, player: Player) -> bool:
        return self.table.kinds[player] == "bot" or any(connection.seat is player for connection in self.connections)

    def claim_in(self, seat: Player) -> float | None:
        """In how many seconds this player may claim the game; None while the other is here, or owes nothing."""
        opponent = seat.opponent
        state = self.table.state  # nobody wins by offering to resign
        owes = self.table.owes is opponent
        if not owes and (state.to_act is not opponent or state.phase is Phase.RESIGNED or self.is_here(opponent)):
            return None
        may_be_away = self.house.limits.absence[self.table.clock is None and not owes]
        return max(0.0, self.awaited_since[opponent] + may_be_away - self.house.storage.now())

    @property
    def next_game_at(self) -> float | None:
        """When the next game of the match begins by itself; against a bot, nobody waits for it."""
        if not self.table.is_between_games or "bot" in self.table.kinds:
            return None
        return min(self.awaited_since.values()) + self.house.limits.intermission

    def seen_by(self, connection: Connection) -> str:
        """The message about the table: what happened, and what is now."""
        seat = connection.seat
        look = (connection.seat, connection.upright)
        if look not in self.views:
            self.views[look] = self.table.seen_by(seat, upright=connection.upright)
        now = self.house.storage.now()
        clock = self.table.clock
        present: dict[str, Any] = {
            "here": [self.is_here(player) for player in Player],
            "watching": sum(connection.seat is None for connection in self.connections),
            "agreed": sorted(self.agreed),
            "asks_back": self.asks_back,
            "denied": sorted(self.denied),
            "claim": None if seat is None else self.claim_in(seat),
            "tutor": self.house.tutor is not None,
            "analysis": self.analysis,
            "next_game": None if self.next_game_at is None else self.next_game_at - now,
            "clock": None,
        }
        if clock is not None:
            left = [clock.left(player, now) for player in Player]
            present["clock"] = {"left": left, "delay_left": clock.delay_left(now), "on_clock": clock.on_clock}
        return json.dumps(self.views[look] | present)


class House:
    """All tables of a server."""

    def __init__(
        self,
        storage: Storage,
        rng: random.Random,
        limits: Limits,
        pause: float,
        bots: Mapping[str, Bot],
        tutor: Tutor | None = None,
    ) -> None:
        self.storage = storage
        self.rng = rng
        self.limits = limits
        self.pause = pause
        self.bots = bots
        self.tutor = tutor  # who plays as what a seat is called, and who judges plays
        self.open = dict[str, OpenTable]()
        # one bot thinks at a time, and so on, or they leave the processor to nobody else
        self.thinking, self.writing, self.teaching = (ThreadPoolExecutor(1) for _ in range(3))
        self.waiting = Counter[str]()  # what is done, or waits for it, of each kind
        self.analyzing = dict[str, str]()
        self.asked = asyncio.Queue[str]()  # matches, and their order

        @lru_cache(10_000)
        def allowance_of(_address: str) -> Allowance:
            return Allowance(limits.messages)

        self.allowance_of = allowance_of

    @contextmanager
    def using(self, name: str) -> Generator[OpenTable]:
        """A table, which stays in memory as long as somebody uses it. Raises RefusedError."""
        if name not in self.open:
            with storing(name):
                self.open[name] = OpenTable(self.storage.load(name), self)
            self.check_time(self.open[name], self.storage.now())
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
        for waiting in (table.mover, table.alarm):
            if waiting is not None:
                waiting.cancel()
        for connection in table.connections:
            connection.close(1012)

    def make(
        self, state: MatchState, seats: tuple[Seat, Seat], maker: str, time_control: str, follows: str | None = None
    ) -> Table:
        """A new table. Raises RefusedError if there are too many, or if it cannot be stored."""
        clock = TIME_CONTROLS[time_control](state)
        numbers = [str(self.rng.randrange(10**59, 10**60)) if seat.kind == "bot" else None for seat in seats]
        promise = Promise(self.rng.randbytes(32), (numbers[0], numbers[1]))
        name = secrets.token_urlsafe(9)
        table = Table(name, state, seats, promise, maker, time_control=time_control, clock=clock)
        with storing(table.id):
            self.storage.expire(self.open)
            numbers_and_limits = zip(self.storage.count(maker), self.limits.tables, strict=True)
            if any(number >= limit for number, limit in numbers_and_limits):
                raise RefusedError("full", "There are too many tables, or too many from your address: try again later.")
            steps = table.going_on([])
            self.storage.add(table, steps, clock_after(table, steps, self.storage.now()), follows=follows)
        return table

    def act(self, opened: OpenTable, seat: Player | None, message: dict[str, Any]) -> None:
        """Everything that players and the bot do. If it raises RefusedError or GammonError, nothing has happened."""
        table = opened.table
        after = field(message, "after", int)
        do = field(message, "do", str)
        now = self.storage.now()  # one time decides whether the flag or this came first
        self.check_time(opened, now)
        player = table.sender(seat, after)
        argument = message.get("argument")
        if do == "rematch" or (do == "next_game" and table.state.result):
            self.agree(opened, player, do, argument, now)
        elif do == "claim":
            self.claim(opened, player, now)
        elif do == "take_back":
            self.take_back(opened, player, message, now)
        elif do in ("bind", "number"):
            self.change(opened, now, promise=table.promised(player, do, argument))
        elif do == "analyze":
            self.ask_for_analysis(opened)
        else:
            self.commit(opened, table.steps(player, do, argument), now)

    def agree(self, opened: OpenTable, player: Player, do: str, argument: object, now: float) -> None:
        """The next game, or a table for a rematch to which both pages go, once every person wants it."""
        table = opened.table
        steps = table.steps(player, do, argument) if do == "next_game" else []
        if do == "rematch" and table.state.winner is None:
            raise RefusedError("match_not_over", "A rematch begins when the match is over.")
        if not {person for person in Player if table.kinds[person] == "person"} <= opened.agreed | {player}:
            opened.agreed.add(player)
            opened.tell()
        elif steps:
            self.commit(opened, steps, now)
        else:
            first = MatchState.new(table.state.length, rules=table.state.rules)
            seats = table.seats
            table.successor = table.successor or self.make(first, seats, table.maker, table.time_control, table.id).id
            opened.change()

    def claim(self, opened: OpenTable, player: Player, now: float) -> None:
        """The game for a player who has waited long enough for one who is not here."""
        if (seconds := opened.claim_in(player)) is None:
            raise RefusedError("not_absent", "You can claim the game only from one who has left, or owes a number.")
        if seconds:
            raise RefusedError("too_early", f"You can claim the game in {math.ceil(seconds)} seconds.")
        self.commit(opened, opened.table.forfeited(player.opponent), now)

    def take_back(self, opened: OpenTable, player: Player, message: dict[str, Any], now: float) -> None:
        """A player asks for their last play back or asks no longer, or answers the other; the bot always agrees."""
        asker = player if opened.asks_back is None else opened.asks_back
        steps = opened.table.taken_back(asker)
        if player in opened.denied:
            raise RefusedError("denied", "You have been refused this already: wait until something has happened.")
        if opened.table.kinds[asker.opponent] == "bot" or (player is not asker and field(message, "argument", bool)):
            self.commit(opened, steps, now)
        else:
            if player is not asker:
                opened.denied.add(asker)
            opened.asks_back = asker if player is asker and message.get("argument") is not False else None
            opened.tell()

    def change(self, opened: OpenTable, now: float, **changes: Any) -> None:
        """A seat, or what binds a player or their number, has come: if it was the last, throw for the opening."""
        self.commit(opened, attrs.evolve(opened.table, **changes).going_on([]), now, **changes)

    def commit(self, opened: OpenTable, steps: Sequence[Step], now: float, **changes: Any) -> None:
        """Store what happens, then apply it, then tell everybody. `changes` are new `seats`, or a new `promise`."""
        table = opened.table
        to_act = opened.table.state.to_act
        clock = clock_after(opened.table, steps, now)
        try:
            with storing(table.id):
                self.storage.append(table, steps, clock, **changes)
        except RefusedError:
            self.forget(opened)  # whatever is stored now, it is loaded again
            raise
        for name, value in (changes | {"clock": clock}).items():
            setattr(table, name, value)
        for event, state in steps:
            table.apply(event, state)
            opened.analyzed = None
        if table.state.to_act is not to_act or "promise" in changes:
            opened.awaited_since = dict.fromkeys(Player, now)
        opened.change()
        self.wake(opened)
        self.check_time(opened, now)
        if table.state.winner:
            with suppress(RefusedError):  # whoever looks at the result can ask for it
                self.ask_for_analysis(opened)

    # --- clocks -------------------------------------------------------------------------------------------------------

    def check_time(self, opened: OpenTable, now: float) -> None:
        """End what is over by now, a match by the clock or an intermission, or look again then. Raises RefusedError."""
        if opened.alarm is not None:
            opened.alarm.cancel()
            opened.alarm = None
        table = opened.table
        clock = opened.table.clock
        ends_at = opened.next_game_at
        steps = list[Step]()
        if ends_at is not None:
            if now >= ends_at:
                steps = table.steps(Player.WHITE, "next_game", None)
        elif clock is not None and table.state.winner is None:
            ends_at = clock.runs_out_at
            if late := clock.flag(now):
                steps = table.forfeited(late)
        if steps:
            self.commit(opened, steps, now)
        elif ends_at is not None:
            opened.alarm = asyncio.get_running_loop().call_later(ends_at - now, self.on_alarm, opened)

    def on_alarm(self, opened: OpenTable) -> None:
        with suppress(RefusedError):  # it could not be stored: those who connect again will find the flag
            self.check_time(opened, self.storage.now())

    async def keep_time(self) -> None:
        """Store every second what time it is while a clock runs, since a server may be killed."""
        while True:
            await asyncio.sleep(1)
            if any(opened.alarm is not None for opened in self.open.values()):
                with suppress(RefusedError), storing("the time"):
                    self.storage.write_time()

    # --- what nobody decides, and the bot -----------------------------------------------------------------------------

    def wake(self, opened: OpenTable) -> None:
        """Go on at a table where no person is to decide."""
        if opened.table.needs_nobody and (opened.mover is None or opened.mover.done()):
            opened.mover = asyncio.create_task(self.move_on(opened))

    async def move_on(self, opened: OpenTable) -> None:
        """Act until a person is to decide, each time after a pause, so that they see what happened before."""
        table = opened.table
        while table.needs_nobody:
            player = table.state.to_act
            after = table.number
            dances = table.forced() is Action.PLAY
            decided: Event | Action = Event(Action.PLAY, argument="") if dances else Action.ROLL
            try:
                if player is not None and table.kinds[player] == "bot" and not dances:
                    pause = asyncio.sleep(self.pause * hesitation(table.state))
                    decided, _ = await asyncio.gather(self.decided_by_bot(opened, player), pause)
                else:
                    await asyncio.sleep(2 * self.pause if dances else self.pause)
                do, argument = (decided.action, decided.argument) if isinstance(decided, Event) else (decided, None)
                self.act(opened, player, {"after": after, "do": do.value, "argument": argument})
            except Exception as error:  # noqa: BLE001 - bots may raise anything, and nobody would hear of it
                code = getattr(error, "code", repr(error))
                if code != "stale":  # or a person has resigned meanwhile
                    LOG.warning("table %s stops: %s", table.id, code)
                    return

    async def decided_by_bot(self, opened: OpenTable, player: Player) -> Event | Action:
        """What the bot does. Where its program is missing or fails, the simple bot takes the seat."""
        table = opened.table
        state = opened.table.state
        name = opened.table.names[player is Player.BLACK]
        think = partial(asyncio.get_running_loop().run_in_executor, self.thinking)
        try:
            if name not in {SIMPLE, *self.bots}:
                raise EngineStartError("there is no such bot any more")
            decided = await think(decision_of, self.bots.get(name, choose), state)
        except EngineError as error:
            LOG.warning("%s: %s", name, error)
            seats = [*table.seats]
            seats[player is Player.BLACK] = Seat("bot", SIMPLE)
            self.commit(opened, [], self.storage.now(), seats=(seats[0], seats[1]))
            decided = await think(decision_of, choose, state)
        if isinstance(decided, Event) and decided.action is Action.RESIGN:
            offered = [win for win, _ in table.resignations(player)]
            again = player in table.resigned or decided.argument not in offered
            return Action.ROLL if again else decided
        return decided

    # --- records ------------------------------------------------------------------------------------------------------

    async def record(self, table: Table, write: Callable[[Match], str]) -> str:
        """The match as text. Raises RefusedError."""
        with self.queued("records", self.limits.records):
            first, *log = self.log(table)

            def written() -> str:
                events = (cast("Event | Forfeit", loads(text)) for text in log)
                return write(Match.from_events(table.names, loads(first, MatchState), events))

            return await asyncio.get_running_loop().run_in_executor(self.writing, written)

    @contextmanager
    def queued(self, kind: str, limit: int) -> Generator[None]:
        """Count what is done, or waits for it. Raises RefusedError if there is too much."""
        if self.waiting[kind] >= limit:
            raise RefusedError("busy", f"There are too many {kind} just now: wait a moment.")
        self.waiting[kind] += 1
        try:
            yield
        finally:
            self.waiting[kind] -= 1
            self.waiting += Counter()  # without those of which there are none

    # --- the tutor --------------------------------------------------------------------------------------------------

    async def teach(self, opened: OpenTable, seat: Player | None, message: dict[str, Any]) -> dict[str, Any]:
        """A hint, or what a play loses, against a bot. Raises RefusedError or GammonError."""
        table = opened.table
        do = message["do"]
        tutor = self.tutor
        player = table.sender(seat, field(message, "after", int))
        state = table.state
        if player is not state.to_act:
            raise RefusedError("not_your_turn", "It is not your turn.")
        if tutor is None or "bot" not in table.kinds:
            raise RefusedError("no_tutor", "There is no tutor at this table.")

        def answer() -> dict[str, Any]:
            chances = tutor.chances(state) if do == "hint" else []
            choices = tutor.choices(state, also)
            return {"type": do, "number": number, "choices": choices, "chances": chances, "by": tutor.name}

        number = table.number
        also = [] if do == "hint" else [message.get("argument")]
        try:
            with self.queued("hints", self.limits.questions):
                return await asyncio.get_running_loop().run_in_executor(self.teaching, answer)
        except EngineError as error:
            LOG.warning("the tutor: %s", error)
            raise RefusedError("no_tutor", "The tutor does not answer just now.") from error

    def ask_for_analysis(self, opened: OpenTable) -> None:
        """Have a match analyzed that is over, or a game of money play. Raises RefusedError."""
        table = opened.table
        state = opened.table.state
        if self.tutor is None or not state.result or (state.length and not state.winner):
            raise RefusedError("no_analysis", "Only what is over is analyzed, where there is a tutor.")
        if table.number > MAX_PAGE_LENGTH:
            raise RefusedError("too_long", f"Matches of more than {MAX_PAGE_LENGTH:,} events are not analyzed.")
        if len(self.analyzing) >= self.limits.analyses[0]:
            raise RefusedError("busy", "Too many matches wait to be analyzed: ask again later.")
        if table.id not in self.analyzing:
            with storing(table.id):
                self.storage.add_page(table.id, table.number)
            self._await(table.id)
            opened.tell()

    def _await(self, name: str) -> None:
        self.analyzing[name] = "waiting"
        self.asked.put_nowait(name)

    async def keep_analyzing(self) -> None:
        """Analyze one match after another, first those for which a server that was ended was asked."""
        with suppress(RefusedError), storing("what is to be analyzed"):
            for name in self.storage.awaited() if self.tutor else ():
                self._await(name)
        while True:
            name = await self.asked.get()
            with suppress(RefusedError), self.using(name) as opened:
                self.analyzing[name] = "running"
                opened.tell()
                number = opened.table.number
                said = await self.analyzed(opened.table)
                del self.analyzing[name]
                if number == opened.table.number:
                    opened.analyzed = said
                opened.tell()
            self.analyzing.pop(name, None)

    async def analyzed(self, table: Table) -> Any:
        """Analyze a match in a process of its own, and store the page: what it says of both players, or "failed"."""
        number = table.number
        tutor = cast("Tutor", self.tutor)
        try:
            lines = [json.dumps(table.names), *self.log(table)]
            said, page = await made(tutor.key, lines, self.limits.analyses[1])
            with storing(table.id):
                self.storage.add_page(table.id, number, said, page)
        except (OSError, TimeoutError, ValueError, RefusedError) as error:  # the program said more to the log
            LOG.warning("table %s is not analyzed: %r", table.id, error)
            with suppress(RefusedError), storing(table.id):
                self.storage.drop_page(table.id)
            return "failed"
        return json.loads(said)

    def log(self, table: Table) -> list[str]:
        with storing(table.id):
            return self.storage.log(table.id)

    def proof(self, table: Table) -> dict[str, Any]:
        """The secret of the dice, and each throw. Raises RefusedError."""
        promise = table.promise
        if table.state.winner is None:
            raise RefusedError("match_not_over", "The secret of the dice is told when the match is over.")
        with storing(table.id):
            throws = thrown(self.storage.events(table.id))
        return {"hash": promise.hash, "secret": promise.secret.hex(), "numbers": promise.numbers, "throws": throws}


def hesitation(state: MatchState) -> float:
    """How many pauses a bot takes, like a person: one, and up to two where there is much to choose from."""
    return 1 + min(len(state.legal_plays) if state.phase is Phase.TO_PLAY else 20 * bool(state.offer), 30) / 30


def clock_after(table: Table, steps: Sequence[Step], now: float) -> Clock | None:
    return table.clock and table.clock.follow(steps[-1][1] if steps else table.state, now)


@contextmanager
def storing(what: str) -> Generator[None]:
    """Raises RefusedError if the database fails."""
    try:
        yield
    except sqlite3.Error as error:
        LOG.error("%r could not be read or stored: %s", what, error)
        raise RefusedError("storage", "The server could not read or store this: try again.") from error


T = TypeVar("T")


def field(data: dict[str, Any], name: str, kind: type[T]) -> T:
    """A field of a message. Raises RefusedError if it is of another type; true is not a number."""
    value = data.get(name)
    if type(value) is not kind:
        raise RefusedError("unreadable", f'The field "{name}" is missing, or of the wrong type.')
    return value
