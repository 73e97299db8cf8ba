"""Many tables at once against the server of `examples/web`: latency, a server that is killed, and what was lost.

`python benchmarks/web_tables.py [--tables 200] [--actions 20] [--pause 0] [--clock tournament] [--analyses 0]`
starts the server, and two clients at each table act until so many events have happened there. In the middle the server
is killed and started again: what each client sees then is compared with what they had seen last, and the end with the
database. Without a pause every client answers at once: the server is never idle. Every tenth match has a clock of a few
seconds, so that flags fall. With `--analyses`, so many matches to 7 that are over wait all the time to be analyzed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import quantiles
from typing import Any, cast

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

from bot import choose, next_event  # noqa: E402
from house import Limits  # noqa: E402
from opponents import opened  # noqa: E402
from server import create_app, serve  # noqa: E402
from storage import Storage  # noqa: E402
from tables import TIME_CONTROLS, Seat, Step, Table, hash_of  # noqa: E402

from gammonrules import Action, Event, MatchState  # noqa: E402
from gammonrules.json import from_data, loads  # noqa: E402
from gammonrules.match import Clock, Forfeit  # noqa: E402

HOST = "127.0.0.1"
PAUSES = {"roll": 0.7, "pass": 1.4}
"""Seconds after which the server does what is forced."""
GIVEN_BACK = -0.5, 3.0
"""So many seconds may a restart give a player: one until the time is stored, one for the fraction, one for the load."""


def run(database: Path, port: int) -> None:
    """The server as it is, except that all clients have one address, and that there is a very short clock."""
    logging.disable(logging.WARNING)
    TIME_CONTROLS["short"] = lambda _: Clock((5, 5))
    many = 10**9, 10**9
    limits = Limits(connections=many, tables=many, messages=many)
    with opened(logging.warning) as (_, tutor):
        app = create_app(database, [f"http://{HOST}:{port}"], limits=limits, tutor=tutor)
        serve(app, HOST, port, limits=limits).run()


class Client:
    """A player's page: the last message about the table, and when it came."""

    def __init__(self, load: Load, table: str, seat: str, token: str) -> None:
        self.load, self.table, self.seat, self.token = load, table, seat, token
        self.rng = random.Random(f"{table} {seat}")
        self.seen: dict[str, Any] = {"number": -1}
        self.seen_at = 0.0

    async def play(self) -> None:
        """Act until enough has happened, or until the server is gone."""
        url = f"ws://{HOST}:{self.load.port}/tables/{self.table}"
        sent_at, after, first = 0.0, -1, True
        todo, think_until = None, 0.0
        loop = asyncio.get_running_loop()
        try:
            async with connect(url, origin=cast("Any", self.load.origin), compression=None, open_timeout=60) as socket:
                await socket.send(json.dumps({"token": self.token}))
                while not self.is_done:
                    try:
                        async with asyncio.timeout_at(think_until if todo else None):
                            message = json.loads(await socket.recv())
                    except TimeoutError:
                        sent_at, after = loop.time(), self.seen["number"]
                        await socket.send(json.dumps({"after": after} | (todo or {})))
                        todo = None
                        continue
                    if message["type"] == "refused":
                        self.load.refused[message["code"]] += 1
                        after = -1
                        continue
                    if first and message["dice"]["hashes"][self.seat == "black"] is None:
                        await socket.send(json.dumps({"after": message["number"], "do": "bind", "argument": "1" * 40}))
                    if first and self.seen["number"] >= 0:
                        self.load.compare(self, message)
                    if 0 <= after < message["number"]:
                        self.load.latencies.append(loop.time() - sent_at)
                        after = -1
                    if first or message["number"] != self.seen["number"]:
                        todo = self.decision(message)
                        think_until = loop.time() + self.load.pause * 2 * self.rng.random()
                    self.hear(message, first=first)
                    first = False
        except (ConnectionClosed, OSError):
            if not self.load.is_killed:
                raise
            self.load.cut_off += 1

    @property
    def is_done(self) -> bool:
        """A match with a short clock goes on until its flag falls."""
        return bool(self.seen.get("winner")) or (
            self.seen["number"] >= self.load.actions and self.seen.get("time_control") != "short"
        )

    def hear(self, message: dict[str, Any], *, first: bool) -> None:
        """Note how late it is, if it came by itself."""
        now = time.perf_counter()
        if message["number"] != self.seen["number"]:
            if self.seen.get("forced") and not first:
                self.load.forced.append(now - self.seen_at - PAUSES[self.seen["forced"]])
            if message["winner"] and message["told"][-1]["do"] == "late" and not first:
                self.load.flags.append(now - self.seen_at - left(self.seen))
            self.load.events += self.seat == "white"
        self.seen, self.seen_at = message, now

    def decision(self, seen: dict[str, Any]) -> dict[str, Any] | None:
        """A legal action, mostly a roll or a play; None where nothing is to be decided, or enough has happened."""
        if seen["number"] >= self.load.actions or seen["forced"] or seen["to_act"] not in {self.seat, None}:
            return None
        if seen["to_act"] is None:
            return {"do": "next_game"} if "next_game" in seen["actions"] else None
        state = from_data(seen["state"], MatchState)
        if Action.PLAY in state.legal_actions:
            return {"do": "play", "argument": str(self.rng.choice(state.legal_plays))}
        choices = sorted(state.legal_actions - {Action.RESIGN, Action.DROP})
        return {"do": "roll" if "roll" in choices and self.rng.random() < 0.9 else self.rng.choice(choices)}


def left(seen: dict[str, Any]) -> float:
    """How many seconds the player on the clock had, with the delay."""
    clock = seen["clock"]
    white, black = clock["left"]
    return cast("float", clock["delay_left"] + (white if clock["on_clock"] == "white" else black))


class Load:
    """The clients of all tables, and what they find."""

    def __init__(self, port: int, options: argparse.Namespace) -> None:
        self.port, self.origin = port, f"http://{HOST}:{port}"
        self.actions, self.pause, self.clock = options.actions, options.pause, options.clock
        self.clients: list[Client] = []
        self.latencies, self.forced, self.flags = list[float](), list[float](), list[float]()
        self.events = self.cut_off = 0
        self.killed_at = self.started_at = 0.0
        self.is_killed = False
        self.refused = Counter[str]()
        self.lost: list[str] = []
        self.compared = Counter[str]()
        self.clocks: list[float] = []
        """The seconds that a restart gave a player; a message that comes late makes them more."""
        self.must_be_stored: list[tuple[str, dict[str, Any]]] = []
        self.over: list[tuple[str, str, int]] = []
        """The tables to be analyzed, White's token at each, and how many events there are."""

    def post(self, path: str, **data: object) -> dict[str, Any]:
        request = urllib.request.Request(self.origin + path, json.dumps(data).encode(), {"Origin": self.origin})
        with urllib.request.urlopen(request, timeout=30) as response:
            return cast("dict[str, Any]", json.load(response))

    def sit_down(self, tables: int) -> None:
        """Two people at each of so many new tables."""
        for number in range(tables):
            white, black = secrets.token_hex(32), secrets.token_hex(32)
            clock = self.clock if number % 10 or self.clock == "none" else "short"
            made = self.post("/tables", name="Ann", token=white, length=5, against="person", time_control=clock)
            self.post(f"/tables/{made['table']}", name="Bob", token=black, invitation=made["invitation"])
            self.clients += [Client(self, made["table"], *who) for who in (("white", white), ("black", black))]

    async def ask_for_analyses(self) -> None:
        """Of those that are not made yet."""
        for table, token, _ in self.over:
            url = f"ws://{HOST}:{self.port}/tables/{table}"
            async with connect(url, origin=cast("Any", self.origin), compression=None) as socket:
                await socket.send(json.dumps({"token": token}))
                seen = json.loads(await socket.recv())
                if not seen["analysis"]:
                    await socket.send(json.dumps({"after": seen["number"], "do": "analyze"}))
                    await socket.recv()

    def compare(self, client: Client, message: dict[str, Any]) -> None:
        """What a client sees after the restart with what they had seen."""
        before = client.seen
        self.compared["seats"] += message["you"] == client.seat
        if message["number"] > before["number"]:  # the server was killed when it had stored this, and told nobody
            self.compared["untold"] += 1
            return
        self.compared["states"] += message["state"] == before["state"]
        if before["clock"] and before["clock"]["on_clock"]:
            expected = left(before) - (self.killed_at - client.seen_at)
            has_run = time.perf_counter() - self.started_at
            self.clocks.append(left(message) + has_run - expected)

    def check(self, database: Path) -> None:
        """Every state that anybody has seen last, before the kill or at the end, is in the log of its table."""
        with closing(Storage(database)) as stored:
            for table, seen in self.must_be_stored:
                first, *log = stored.log(table)
                state = loads(first, MatchState)
                for text in log[: seen["number"]]:
                    state = state.apply(cast("Event | Forfeit", loads(text)))
                if state != from_data(seen["state"], MatchState):
                    self.lost.append(table)


def finished_matches(database: Path, number: int) -> list[tuple[str, str, int]]:
    """Matches to 7 of the bot against itself: the table of each, White's token, and how many events there are."""
    rng, over = random.Random(number), list[tuple[str, str, int]]()
    with closing(Storage(database)) as stored:
        for _ in range(number):
            name, token = secrets.token_urlsafe(9), secrets.token_hex(32)
            first = state = MatchState.new(7)
            steps = list[Step]()
            while state.winner is None:
                event = next_event(state, choose, rng)
                state = state.apply(event)
                steps.append((event, state))
            stored.add(Table(name, first, (Seat("person", "Ann", hash_of(token)), Seat("person", "Bob"))), steps)
            over.append((name, token, len(steps)))
    return over


def start(database: Path, port: int) -> subprocess.Popen[bytes]:
    """The server, once it answers."""
    server = subprocess.Popen([sys.executable, __file__, "--serve", str(database), str(port)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                break
        time.sleep(0.01)
    return server


async def play(load: Load, server: subprocess.Popen[bytes], kill_after: int | None) -> float:
    """All clients at once; with `kill_after`, until the server is killed after so many events. The seconds."""
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for client in load.clients:
            group.create_task(client.play())
        while kill_after is not None and load.events < kill_after:
            await asyncio.sleep(0.01)
        if kill_after is not None:
            load.killed_at, load.is_killed = time.perf_counter(), True
            server.kill()
    load.is_killed = False
    return (load.killed_at if kill_after else time.perf_counter()) - began


def spread(seconds: Sequence[float]) -> str:
    cuts = [1000 * cut for cut in quantiles(seconds, n=100)]
    return f"p50 {cuts[49]:.0f}, p90 {cuts[89]:.0f}, p99 {cuts[98]:.0f}, max {1000 * max(seconds):.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--actions", type=int, default=20, help="events at each table")
    parser.add_argument("--pause", type=float, default=0.0, help="how many seconds a client thinks, on average")
    parser.add_argument("--clock", choices=list(TIME_CONTROLS), default="tournament")
    parser.add_argument("--analyses", type=int, default=0, help="matches that wait to be analyzed")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        run(Path(options.serve[0]), int(options.serve[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "tables.sqlite", options)


def measure(database: Path, options: argparse.Namespace) -> None:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    load, seconds = Load(port, options), 0.0
    load.over = finished_matches(database, options.analyses)
    began_with = os.getloadavg()[0]
    for kill_after in (options.tables * options.actions // 2, None):
        server = start(database, port)
        load.started_at = time.perf_counter()
        try:
            if not load.clients:
                load.sit_down(options.tables)
            asyncio.run(load.ask_for_analyses())
            seconds += asyncio.run(asyncio.wait_for(play(load, server, kill_after), 600))
        finally:
            server.kill()
            server.wait()
        load.must_be_stored += [(client.table, client.seen) for client in load.clients]
    load.check(database)
    with closing(Storage(database)) as stored:
        made = sum(stored.analyzed(table, events) is not None for table, _, events in load.over)
        print(f"{options.analyses} analyses were asked for, {made} made by the end")
    report(load, options, seconds, began_with)


def report(load: Load, options: argparse.Namespace, seconds: float, began_with: float) -> None:
    print(f"{options.tables} tables, {len(load.clients)} clients, clock {options.clock}")
    print(f"load of the machine before: {began_with:.1f}, after: {os.getloadavg()[0]:.1f}")
    actions = len(load.latencies)
    print(f"{actions:,} actions in {seconds:.1f} s: {actions / seconds:,.0f} a second; {load.events:,} events")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor of the server: {1000 * (used.ru_utime + used.ru_stime) / load.events:.1f} ms for each event")
    print(f"latency of an action: {spread(load.latencies)}")
    for what, late in ("forced moves", load.forced), ("flags", load.flags):
        if len(late) > 1:
            print(f"{len(late):,} times a page learned of {what}, late by {spread(late)}")
    compared, cut_off = sum(load.compared[what] for what in ("states", "untold")), load.cut_off
    print(f"killed with {cut_off} clients connected, after which {compared} saw what they had seen, or what came next:")
    print(f"  seats that open: {load.compared['seats']}, stored but not told before: {load.compared['untold']}")
    if load.clocks:
        print(
            f"  clocks: the restart gave {min(load.clocks):+.1f} to {max(load.clocks):+.1f} s, {len(load.clocks)} seen"
        )
    print(f"refused: {dict(load.refused)}; states that are not stored: {len(load.lost)}")
    wrong = set(load.refused) - {"stale"} or load.lost or compared != cut_off or load.compared["seats"] != cut_off
    if wrong or not all(GIVEN_BACK[0] < seconds < GIVEN_BACK[1] for seconds in load.clocks):
        sys.exit(1)


if __name__ == "__main__":
    main()
