"""What an enumeration costs as their number grows: processor time, and memory at its highest, for one size.

    python benchmarks/growth.py 100000 [--chunks]

Prints JSON. A fresh interpreter for each size, because the highest memory never falls again.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time

import numpy as np

from gammonrules import batch
from measures import random_points, with_all_rolls


def highest_memory() -> int:
    """Bytes that this process has had at most."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", type=int)
    parser.add_argument("--chunks", action="store_true", help="legal_plays_in_chunks instead of legal_plays")
    args = parser.parse_args()
    some_points, some_dice = with_all_rolls(random_points(min(2000, args.cases // 21 + 1)))
    points, dice = np.resize(some_points, (args.cases, 26)), np.resize(some_dice, (args.cases, 2))
    before = highest_memory()
    seconds = []
    for _ in range(max(1, min(5, 3 * 10**6 // args.cases))):
        start = time.process_time()
        if args.chunks:
            plays = sum(len(chunk.points) for chunk in batch.legal_plays_in_chunks(points, dice))
        else:
            plays = len(batch.legal_plays(points, dice).points)
        seconds.append(time.process_time() - start)
    result = {
        "cases": args.cases,
        "chunks": args.chunks,
        "plays": plays,
        "nanoseconds": min(seconds) / args.cases * 1e9,
        "bytes": (highest_memory() - before) / args.cases,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
