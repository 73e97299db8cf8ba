"""Let bots and engines play each other on all processors of this machine, or on a cluster.

    python -m pip install ".[arena,dask]"
    python examples/arena_on_dask.py bot:choose gnubg:1 --games 1000 --save arena.jsonl
    python examples/arena_on_dask.py bot:choose gnubg:1 --save arena.jsonl --scheduler tcp://10.0.0.1:8786

Players are named as for `gammonrules arena`; every worker needs the modules and engines. The result is the same for any
number of workers, and if some are lost on the way: dask hands their games to others. With `--save`, a run that is
stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

try:
    from distributed import Client
    from distributed.scheduler import KilledWorker
    from self_play_on_dask import add_options, connected, may_be_stopped

    from gammonrules import GammonError, arena
except ImportError as error:
    sys.exit(f'This needs the extras "arena" and "dask" ({error}): python -m pip install ".[arena,dask]"')

AHEAD = (
    4  # blocks of games that each worker has begun or waits for, so that memory is bounded and an early end is early
)


def in_order(client: Client, function: Callable[[Any], Any], blocks: Iterable[Any]) -> Iterator[Any]:
    """As `map` does; blocks that are not needed anymore are canceled."""
    begun: deque[Any] = deque()
    for block in blocks:
        begun.append(client.submit(function, block, pure=False))
        if len(begun) > AHEAD * max(1, sum(client.nthreads().values())):
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()


def show(running: arena.Progress) -> None:
    print(f"\r{running.finished:,} of {running.total:,} games ", end="", file=sys.stderr, flush=True)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="+", help="gnubg:1, bgsage:1, ubgi:PROGRAM, module:function")
    parser.add_argument("--games", type=int, default=1_000, help="of each two players (1,000)")
    parser.add_argument("--length", type=int, help="points that win a match; money games unless given")
    parser.add_argument("--seed", type=int, help="of the dice; that of the file, or a new one, unless given")
    parser.add_argument("--until-decided", action="store_const", const="decided", dest="until", help="end early")
    parser.add_argument("--records", type=Path, help="a folder for the matches, as .mat")
    parser.add_argument("--save", type=Path, help="the file of the run, which goes on with what is in it")
    add_options(parser)
    return parser.parse_args()


def main() -> None:
    options = read_options()
    settings = {name: value for name, value in vars(options).items() if name not in {"scheduler", "workers"}}
    with may_be_stopped("games"):
        try:
            with connected(options) as client:
                results = arena.play(**settings, workers=partial(in_order, client), progress=show)
        except (GammonError, KilledWorker) as error:
            sys.exit(f"stopped: {error}")
    print(results)


if __name__ == "__main__":
    main()
