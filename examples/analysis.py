"""The analyzed page of a match, which `made` has made in a process of its own: `python examples/analysis.py TUTOR`.

The process reads the names, the first state and the events of the match, each a line of JSON, to an empty line, and
writes what it says of both players as a line, and then the page, compressed. Mistakes have links to a new table in
`examples/web`. It ends where its standard input does, since then whoever asked is gone, even if they were killed.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import sys
import threading
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE
from collections.abc import Iterable
from contextlib import closing, suppress
from io import BufferedWriter, RawIOBase
from typing import cast

from opponents import Tutor

from gammonrules import Event, MatchState
from gammonrules.json import loads
from gammonrules.match import Forfeit
from gammonrules.records import Match, analyze, to_html

AGAIN = "/#/from/"
PROGRAM = __file__


async def made(tutor: str, lines: Iterable[str], seconds: float) -> tuple[str, bytes]:
    """What the analysis says of both players, as JSON, and the page.

    Raises OSError, TimeoutError, or ValueError where the process has failed, and said why on its standard error.
    """
    process = await asyncio.create_subprocess_exec(sys.executable, PROGRAM, tutor, stdin=PIPE, stdout=PIPE)
    try:
        async with asyncio.timeout(seconds):
            stdin = cast("StreamWriter", process.stdin)
            stdout = cast("StreamReader", process.stdout)
            stdin.writelines(f"{line}\n".encode() for line in (*lines, ""))
            with suppress(ConnectionError):  # it has ended, and its output says how
                await stdin.drain()
            written = await stdout.read()
            stdin.close()
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    said, _, page = written.partition(b"\n")
    json.loads(said)
    return said.decode(), page


def end_with_input() -> None:
    """End in the midst of it, and so the guarded engine. Not by `sys.stdin`, which would be locked at the end."""
    while os.read(0, 1):
        pass
    os._exit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tutor", help="the key of a `Tutor`")
    key = parser.parse_args().tutor
    lines = list(iter(lambda: sys.stdin.readline().strip(), ""))
    threading.Thread(target=end_with_input, daemon=True).start()
    if len(lines) < 2:
        parser.error("standard input must have the names and the first state of a match, each as a line of JSON")
    if hasattr(os, "nice"):
        os.nice(10)
    names, first, *log = lines
    events = (cast("Event | Forfeit", loads(text)) for text in log)
    match = Match.from_events(json.loads(names), loads(first, MatchState), events)
    with closing(Tutor(key)) as tutor:
        judge = tutor.name
        match = analyze(match, tutor.engine)
    rates = [None if rate.pr is None else round(rate.pr, 1) for rate in match.error_rates()]
    page = gzip.compress(to_html(match, play_url_prefix=AGAIN).encode())
    output = BufferedWriter(cast("RawIOBase", sys.stdout.buffer))  # which may be raw, and write a part
    output.write(json.dumps({"by": judge, "rates": rates}).encode() + b"\n" + page)
    output.detach()


if __name__ == "__main__":
    main()
