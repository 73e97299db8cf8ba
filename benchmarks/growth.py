"""What an enumeration, or a roll of a record, costs as their number grows: processor time and memory, for one size.

    python benchmarks/growth.py 100000 [--chunks | --records] [--loops 1]

Prints JSON. A fresh interpreter for each size, because the highest memory never falls again.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gammonrules import Action, Event, MatchState, Phase, batch, records
from measures import random_points, read_and_referee, with_all_rolls

STATUS = Path("/proc/self/status")
ROLLS_OF_A_GAME = 40


def highest_memory() -> int:
    """The most memory that this process has had, in bytes."""
    if STATUS.exists():  # on Linux, getrusage includes the memory of the process that started this one
        peak = re.search(r"VmHWM:\s*(\d+) kB", STATUS.read_text())
        assert peak is not None
        return int(peak[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def size_of(plays: batch.LegalPlays) -> int:
    """Bytes of the arrays."""
    return plays.offsets.nbytes + plays.points.nbytes + plays.moves.nbytes


def enumerations(cases: int, loops: int, *, chunks: bool) -> dict[str, Any]:
    some_points, some_dice = with_all_rolls(random_points(min(2000, cases // 21 + 1)))
    points, dice = np.resize(some_points, (cases, 26)), np.resize(some_dice, (cases, 2))
    before = highest_memory()
    seconds = []
    for _ in range(loops):
        plays = size = 0
        start = time.process_time()
        for begin in range(0, cases, 65_536 if chunks else cases):
            some = slice(begin, begin + 65_536) if chunks else slice(None)
            part = batch.legal_plays(points[some], dice[some])
            plays += len(part.points)
            size += size_of(part)
        seconds.append(time.process_time() - start)
    return {
        "cases": cases,
        "chunks": chunks,
        "plays": plays,
        "nanoseconds": min(seconds) / cases * 1e9,
        "result_bytes": size / cases,
        "peak_bytes": highest_memory() - before,
    }


def events_of(games: int, rng: random.Random) -> Iterator[Event]:
    """Money play; each game that is not over after so many rolls is given up."""
    state = MatchState.new(None)
    for game in range(games):
        if game:
            state = state.apply(event := Event(Action.NEXT_GAME))
            yield event
        rolls = 0
        while state.result is None:
            if state.phase is Phase.OPENING:
                event = Event(Action.OPENING_ROLL, argument=tuple(rng.sample(range(1, 7), 2)))
            elif state.phase is Phase.TO_PLAY:
                rolls += 1
                event = Event(Action.PLAY, state.on_roll, rng.choice(state.legal_plays))
            elif state.phase is Phase.RESIGNED:
                event = Event(Action.ACCEPT)
            elif rolls < ROLLS_OF_A_GAME:
                event = Event(Action.ROLL, state.on_roll, (rng.randint(1, 6), rng.randint(1, 6)))
            else:
                event = Event(Action.RESIGN, state.on_roll)
            state = state.apply(event)
            yield event


def record(games: int, loops: int) -> dict[str, Any]:
    match = records.Match.from_events(("Ann", "Bob"), MatchState.new(None), events_of(games, random.Random(2026)))
    text = records.dumps(match)
    seconds = []
    for _ in range(loops):
        start = time.process_time()
        read_and_referee([text])
        seconds.append(time.process_time() - start)
    return {"games": games, "rolls": match.rolls, "microseconds": min(seconds) / match.rolls * 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("number", type=int, help="of enumerations, or of the games of a record")
    parser.add_argument("--chunks", action="store_true", help="65,536 enumerations at a time")
    parser.add_argument("--records", action="store_true", help="a record of so many games, read and refereed")
    parser.add_argument("--loops", type=int, help="how often; the shortest time counts")
    args = parser.parse_args()
    if args.records:
        result = record(args.number, args.loops or max(2, min(20, 1000 // args.number)))
    else:
        loops = args.loops or max(1, min(5, 3 * 10**6 // args.number))
        result = enumerations(args.number, loops, chunks=args.chunks)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
