"""The analyzed page of a match, made in a process of its own: `python examples/analysis.py TEACHER < log > page`.

It reads the names, the first state and the events of the match, each a line of JSON, and writes what it says of both
players as a line, and then the page, compressed. Mistakes have links to a new table in `examples/web`.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from contextlib import closing
from typing import cast

from opponents import Teacher

from gammonrules import Event, MatchState
from gammonrules.json import loads
from gammonrules.match import Forfeit
from gammonrules.records import Match, analyze, to_html

AGAIN = "/#/from/"


def main() -> None:
    if hasattr(os, "nice"):
        os.nice(10)
    names, first, *log = sys.stdin.read().splitlines()
    events = (cast("Event | Forfeit", loads(text)) for text in log)
    match = Match.from_events(json.loads(names), loads(first, MatchState), events)
    with closing(Teacher(sys.argv[1])) as teacher:
        judge = teacher.name
        match = analyze(match, teacher.engine)
    rates = [None if rate.pr is None else round(rate.pr, 1) for rate in match.error_rates()]
    page = gzip.compress(to_html(match, again=AGAIN).encode())
    sys.stdout.buffer.write(json.dumps({"by": judge, "rates": rates}).encode() + b"\n" + page)


if __name__ == "__main__":
    main()
