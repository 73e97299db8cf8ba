"""The tables in a SQLite database: the log of each as rows, and the state that it leads to.

A state follows from its log, and both are stored: on loading, the end of the log is replayed and must lead to the
state. An action is one transaction, which ends before anybody is told of it.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from json import loads
from pathlib import Path
from typing import Any, cast

from fairness import Promise
from tables import TIME_CONTROLS, TOLD, RefusedError, Seat, Step, Table, TakeBack, standing

from gammonrules import Event, GammonError, MatchState, Player, json
from gammonrules.match import Clock, Forfeit

SYNCHRONOUS = "FULL"
"""Even after a power failure, no dice that somebody has seen can be rolled again; with NORMAL they could."""
DAY = 24 * 60 * 60
UNUSED = 7 * DAY  # a table is deleted when nobody has acted at it for this many seconds in which the server ran
UNJOINED = DAY // 2  # the same for a table whose invitation nobody has used
STATES = 30  # every so many events the state is stored too
FINISHED = 2_000
"""So many of the last matches that are over are kept. They count for no limit: whoever plays much may play on."""

OWN = "REFERENCES tables ON DELETE CASCADE"
SCHEMA = {
    "tables": "id TEXT PRIMARY KEY, first TEXT NOT NULL, state TEXT NOT NULL, events INTEGER NOT NULL, "
    "acted REAL NOT NULL, maker TEXT NOT NULL, successor TEXT",
    "seats": f"table_id TEXT NOT NULL {OWN}, player TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, "
    "key BLOB NOT NULL, PRIMARY KEY (table_id, player)",
    "events": f"table_id TEXT NOT NULL {OWN}, number INTEGER NOT NULL, event TEXT NOT NULL, state TEXT, "
    "PRIMARY KEY (table_id, number)",
    "clocks": f"table_id TEXT PRIMARY KEY {OWN}, time_control TEXT NOT NULL, clock TEXT NOT NULL",
    "promises": f"table_id TEXT PRIMARY KEY {OWN}, secret BLOB NOT NULL, white TEXT, black TEXT",
    "pages": f"table_id TEXT PRIMARY KEY {OWN}, events INTEGER NOT NULL, rates TEXT NOT NULL, page BLOB NOT NULL",
    "finished": f"table_id TEXT PRIMARY KEY {OWN}",
}

LOG = logging.getLogger("gammonrules.web")


class Storage:
    """The database, which belongs to one server at a time: a second one that opens the file is refused."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", f"synchronous={SYNCHRONOUS}", "foreign_keys=ON"):
            self.db.execute(f"PRAGMA {pragma}")
        with self.transaction():
            for name, columns in SCHEMA.items():
                self.db.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns}) STRICT")
        (seconds,) = self.db.execute("PRAGMA user_version").fetchone()  # and not of the tables: one may be damaged
        self.began: float = time.monotonic() - seconds

    def close(self) -> None:
        self.db.close()

    def now(self) -> float:
        """How many seconds servers have run with this database, for clocks and the age of tables: it never jumps."""
        return time.monotonic() - self.began

    @contextmanager
    def transaction(self) -> Generator[None]:
        """The whole block or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.db.execute("COMMIT")
        finally:
            self.db.rollback()  # if there was an error

    def add(
        self, table: Table, steps: Sequence[Step] = (), clock: Clock | None = None, *, follows: str | None = None
    ) -> None:
        """A new table with its first events; with `follows`, as the rematch of that one."""
        text = json.dumps(table.state)
        with self.transaction():
            row = (table.id, text, text, self.now(), table.maker)
            self.db.execute("INSERT INTO tables VALUES (?, ?, ?, 0, ?, ?, NULL)", row)
            self._write(table, steps, clock, seats=table.seats, promise=table.promise)
            self.db.execute("UPDATE tables SET successor = ? WHERE id = ?", (table.id, follows))

    def append(self, table: Table, steps: Sequence[Step], clock: Clock | None = None, **changes: Any) -> None:
        """What happened at a table and the clock since, and `seats` or a `promise` that are new, in one transaction."""
        with self.transaction():
            self._write(table, steps, clock, **changes)

    def _write(self, table: Table, steps: Sequence[Step], clock: Clock | None, **changes: Any) -> None:
        for player, seat in zip(Player, changes.get("seats", ()), strict=False):
            row: tuple[object, ...] = (table.id, player, seat.kind, seat.name, seat.key)
            self.db.execute("REPLACE INTO seats VALUES (?, ?, ?, ?, ?)", row)
        if promise := changes.get("promise"):
            self.db.execute("REPLACE INTO promises VALUES (?, ?, ?, ?)", (table.id, promise.secret, *promise.bindings))
        if clock is not None:
            row = (table.id, table.time_control, json.dumps(clock))
            self.db.execute("REPLACE INTO clocks VALUES (?, ?, ?)", row)
        for number, (event, after) in enumerate(steps, table.number + 1):
            text = str(event) if isinstance(event, TakeBack) else json.dumps(event)
            row = (table.id, number - 1, text, None if number % STATES else json.dumps(after))
            self.db.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
        if steps:
            state = steps[-1][1]
            row = (json.dumps(state), table.number + len(steps), self.now(), table.id)
            self.db.execute("UPDATE tables SET state = ?, events = ?, acted = ? WHERE id = ?", row)
            if state.winner is not None:
                self.db.execute("INSERT INTO finished VALUES (?)", (table.id,))
            self.write_time()

    def add_page(self, table: str, events: int, rates: str = "null", page: bytes = b"") -> None:
        """The analyzed page of the first events of a table, compressed, and what it says; none if it is awaited."""
        self.db.execute("REPLACE INTO pages VALUES (?, ?, ?, ?)", (table, events, rates, page))

    def drop_page(self, table: str) -> None:
        """Nobody waits for it any longer."""
        self.db.execute("DELETE FROM pages WHERE table_id = ?", (table,))

    def awaited(self) -> list[str]:
        """The tables whose page was asked for, and is not there."""
        return [table for (table,) in self.db.execute("SELECT table_id FROM pages WHERE page = x'' ORDER BY rowid")]

    def expire(self, in_use: Collection[str]) -> None:
        """Delete some of the tables at which nothing has happened for a long time, except those in use."""
        old = """SELECT id FROM tables WHERE acted < ?
            OR acted < ? AND id IN (SELECT table_id FROM seats WHERE kind = 'open')
            OR id IN (SELECT id FROM tables WHERE id IN finished ORDER BY acted DESC LIMIT -1 OFFSET ?)"""
        limits = (self.now() - UNUSED, self.now() - UNJOINED, FINISHED)
        ids = [row for row in self.db.execute(old, limits) if row[0] not in in_use]
        with self.transaction():
            self.db.executemany("DELETE FROM tables WHERE id = ?", ids[:5])  # each may have thousands of events
            self.write_time()

    def write_time(self) -> None:
        """So that it goes on after a restart."""
        self.db.execute(f"PRAGMA user_version = {int(self.now())}")

    def count(self, maker: str) -> tuple[int, int]:
        """At how many tables the match is not over, and how many of them were made from this address."""
        counts = "SELECT count(*), total(maker = ?) FROM tables WHERE id NOT IN finished"
        total, own = self.db.execute(counts, (maker,)).fetchone()
        return total, int(own)

    def load(self, table: str) -> Table:
        """A stored table. Raises RefusedError, or sqlite3.OperationalError if it can perhaps be read later."""
        try:
            row = self.db.execute("SELECT * FROM tables WHERE id = ?", (table,)).fetchone()
            if row is None:
                raise RefusedError("no_such_table", "There is no such table; it may have expired.")
            return self._replayed(row)
        except (GammonError, sqlite3.DatabaseError, ValueError, TypeError, LookupError) as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)  # none if a text is not UTF-8
            if isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR:
                raise  # a failing disk, say; SQLITE_ERROR is a missing table or column
            LOG.error("table %r is damaged and stays closed: %s", table, error)  # noqa: TRY400 - the sentence says it
            raise RefusedError("damaged", "This table is damaged on the server, and stays closed.") from error

    def analyzed(self, table: str, events: int) -> tuple[Any, bytes] | None:
        """What the analysis says of both players, and the page; None if there is none of all these events."""
        rows = self._rows("rates, page FROM pages", table, f"AND events = {events} AND page != x''")
        return next(((loads(rates), page) for rates, page in rows), None)

    def log(self, table: str) -> list[str]:
        """The first state of a table, and all its events that stand, as they are stored."""
        (first,) = self.db.execute("SELECT first FROM tables WHERE id = ?", (table,)).fetchone()
        return [first, *(text for text, _ in standing((text, 0) for text in self.events(table)))]

    def events(self, table: str) -> list[str]:
        """All its events, also those that were taken back."""
        return [text for (text,) in self._rows("event FROM events", table, "ORDER BY number")]

    def _replayed(self, row: Sequence[Any]) -> Table:
        """The table of a row: a state that was kept, and the events since, each checked again. Raises ValueError."""
        name, first, state, events, _, maker, successor = row
        seats = {seat[0]: Seat(*seat[1:]) for seat in self._rows("player, kind, name, key FROM seats", name)}
        rows = self._rows("event, number, state FROM events", name, "ORDER BY number")
        if len(rows) != events or [number for _, number, _ in rows] != list(range(events)):
            raise ValueError(f"its log should have the events 0 to {events - 1}")
        log = standing((text, (number, state)) for text, number, state in rows)
        # A log may be long, and everybody waits: so it starts where there is just enough of it to be told.
        late = [at for at, (_, (_, kept)) in enumerate(log[: max(0, len(log) - TOLD)], 1) if kept]
        start = late[-1] if late else 0
        before = log[start - 1][1][1] if start else first
        ((secret, *bindings),) = self._rows("secret, white, black FROM promises", name)
        promise = Promise(secret, (bindings[0], bindings[1]))
        state_before = json.loads(before, MatchState)
        table = Table(name, state_before, (seats["white"], seats["black"]), promise, maker, successor)
        table.standing = start
        table.thrown = sum('roll"' in text for text, _ in log[:start])
        for table.time_control, clock in self._rows("time_control, clock FROM clocks", name):
            table.clock = json.loads(clock, Clock)
        for text, (table.number, _) in log[start:]:
            try:
                table.apply(cast("Event | Forfeit", json.loads(text)))
            except (GammonError, AttributeError) as error:
                raise ValueError(f"event {table.number}: {error}") from error
        table.number = events
        if table.state != json.loads(state, MatchState):
            raise ValueError("its log does not lead to its state")
        if table.clock is not None:
            if table.time_control not in TIME_CONTROLS or table.clock.on_clock is not table.state.to_act:
                raise ValueError("its clock does not fit its state")
            # It may run from a moment that is still to come: time goes on from the last second that was stored.
            table.clock = table.clock.follow(table.state, self.now())
        return table

    def _rows(self, what: str, table: str, which: str = "") -> list[Any]:
        return self.db.execute(f"SELECT {what} WHERE table_id = ? {which}", (table,)).fetchall()
