"""Many tables at once against the server of `examples/web`: actions a second, latency, and states that were lost.

`python benchmarks/web_tables.py [--tables 200] [--actions 20] [--pause 0] [--synchronous FULL]` starts the server, lets
two clients at each table act until so many actions have been done there, kills the server, and compares the last state
that every client has seen with the database. Without a pause every client answers at once: the server is never idle.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from statistics import quantiles
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

import storage  # noqa: E402
from house import Limits  # noqa: E402
from server import create_app  # noqa: E402
from sockets import Caller, serve  # noqa: E402

from gammonrules import Action, MatchState  # noqa: E402
from gammonrules.json import from_data  # noqa: E402

HOST = "127.0.0.1"


def run(database: Path, port: int, synchronous: str) -> None:
    """The server as it is, except that all clients have one address."""
    storage.SYNCHRONOUS = synchronous
    logging.disable(logging.WARNING)
    Caller.limits = Limits(connections=(10_000, 10_000), tables=(10_000, 10_000), messages=(100_000, 100_000))
    serve(create_app(database, [f"http://{HOST}:{port}"], limits=Caller.limits), HOST, port).run()


class Load:
    """The clients of all tables."""

    def __init__(self, port: int, actions: int, pause: float) -> None:
        self.port, self.origin, self.actions, self.pause = port, f"http://{HOST}:{port}", actions, pause
        self.latencies: list[float] = []
        self.last: dict[tuple[str, str], dict[str, Any]] = {}
        self.refused: list[str] = []

    def post(self, path: str, **data: object) -> dict[str, Any]:
        request = urllib.request.Request(self.origin + path, json.dumps(data).encode(), {"Origin": self.origin})
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    async def table(self, ready: asyncio.Barrier) -> None:
        first, second = secrets.token_hex(32), secrets.token_hex(32)
        made = await asyncio.to_thread(self.post, "/tables", name="Ann", token=first, length=5, against="person")
        table, seat = made["table"], {"name": "Bob", "token": second, "invitation": made["invitation"]}
        await asyncio.to_thread(self.post, f"/tables/{table}", **seat)
        url = f"ws://{HOST}:{self.port}/tables/{table}"
        async with (
            connect(url, origin=self.origin, compression=None) as white,
            connect(url, origin=self.origin, compression=None) as black,
        ):
            for one, token in ((white, first), (black, second)):
                await one.send(json.dumps({"token": token}))
            await ready.wait()
            await asyncio.gather(self.player(white, table, "white"), self.player(black, table, "black"))

    async def player(self, client: ClientConnection, table: str, seat: str) -> None:
        rng = random.Random(f"{table} {seat}")
        sent_at, after = 0.0, -1
        while True:
            message = json.loads(await client.recv())
            if message["type"] == "refused":
                self.refused.append(message["message"])
                return
            number = message["number"]
            if 0 <= after < number:
                self.latencies.append(time.perf_counter() - sent_at)
                after = -1
            self.last[table, seat] = message["state"]
            if number >= self.actions or message["winner"]:
                return
            if after < 0 and message["to_act"] in {seat, None} and (todo := decide(message, seat, rng)):
                await asyncio.sleep(self.pause * 2 * rng.random())
                sent_at, after = time.perf_counter(), number
                await client.send(json.dumps({"after": number} | todo))


def decide(message: dict[str, Any], seat: str, rng: random.Random) -> dict[str, Any] | None:
    """A legal action, mostly a roll or a play."""
    if message["to_act"] is None:
        return {"do": "next_game"} if seat == "white" and "next_game" in message["actions"] else None
    state = from_data(message["state"], MatchState)
    if Action.PLAY in state.legal_actions:
        return {"do": "play", "argument": str(rng.choice(state.legal_plays))}
    choices = sorted(state.legal_actions - {Action.RESIGN, Action.DROP})
    return {"do": "roll" if "roll" in choices and rng.random() < 0.9 else rng.choice(choices)}


async def play(load: Load, tables: int) -> float:
    """Seconds from the moment at which all are connected."""
    ready = asyncio.Barrier(tables + 1)
    async with asyncio.TaskGroup() as group:
        for _ in range(tables):
            group.create_task(load.table(ready))
        await ready.wait()
        began = time.perf_counter()
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--actions", type=int, default=20, help="at each table")
    parser.add_argument("--pause", type=float, default=0.0, help="how many seconds a client thinks, on average")
    parser.add_argument("--synchronous", choices=["OFF", "NORMAL", "FULL"], default="FULL")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        run(Path(options.serve[0]), int(options.serve[1]), options.synchronous)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder) / "tables.sqlite", options)


def measure(database: Path, options: argparse.Namespace) -> None:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    command = [sys.executable, __file__, "--serve", str(database), str(port), "--synchronous", options.synchronous]
    server = subprocess.Popen(command)
    try:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex((HOST, port)) == 0:
                    break
        load = Load(port, options.actions, options.pause)
        seconds = asyncio.run(asyncio.wait_for(play(load, options.tables), 300))
    finally:
        server.kill()
        server.wait()
    with closing(storage.Storage(database)) as stored:
        states = {table: stored.load(table).state for table, _ in load.last}
    lost = sum(from_data(state, MatchState) != states[table] for (table, _), state in load.last.items())
    milliseconds = [1000 * latency for latency in load.latencies]
    cuts = quantiles(milliseconds, n=100)
    print(f"{options.tables} tables, {len(load.last)} clients, synchronous={options.synchronous}")
    print(f"{len(milliseconds):,} actions in {seconds:.1f} s: {len(milliseconds) / seconds:,.0f} a second")
    print(f"latency in ms: p50 {cuts[49]:.0f}, p90 {cuts[89]:.0f}, p99 {cuts[98]:.0f}, max {max(milliseconds):.0f}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"processor of the server: {1000 * (used.ru_utime + used.ru_stime) / len(milliseconds):.1f} ms for each action"
    )
    print(f"refused: {len(load.refused)}; clients whose last state is not the stored one: {lost}")
    if load.refused or lost or len(load.last) != 2 * options.tables:
        sys.exit(1)


if __name__ == "__main__":
    main()
