"""Compute a two-sided table of bear-offs, of up to 14 checkers, on all processors of this machine or on a cluster.

    python -m pip install ".[dask]"
    python examples/bearoff_on_dask.py --checkers 10 --out ten
    python examples/bearoff_on_dask.py --checkers 14 --out /shared/fourteen --scheduler tcp://10.0.0.1:8786

The table is divided into blocks: all pairs of a layout of so many pips and one of so many. A worker computes a block
from others, which it reads from the folder, and writes it there with a checksum. A block that is damaged is computed
again by whoever reads it. Few are under way at once, each after those that it needs. If a worker is lost, dask hands
its blocks to others; a run that is stopped and started again continues with the missing blocks. So the table is the
same, byte for byte, as that of one process.

At the end the table is in the folder: `table.bd` in the format of GNU Backgammon, or with `--exact` `table.bearoff`,
twice as large. `bearoff.open` reads both. The blocks can then be deleted. With 15 checkers one side may lose a gammon,
which such a table does not know.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import sys
import time
from collections import deque
from contextlib import suppress
from functools import partial
from pathlib import Path

try:
    from distributed import Client, as_completed
    from runs_on_dask import add_options, claim, connected, may_be_stopped
except ImportError as error:
    sys.exit(f'This program needs the extra "dask" ({error}): python -m pip install ".[dask]"')

from gammonrules import ArgumentError, bearoff

Pair = tuple[int, int]
CHECKSUM = hashlib.sha256().digest_size
AT_ONCE = 100
"""The most blocks that are under way; not many more can be computed at once."""
OF_PYTHON = 200_000_000
"""Bytes of a worker that computes nothing."""

# --- on a worker ----------------------------------------------------------------------------------------------------


def solve(pair: Pair, checkers: int, out: Path, *, gnubg: bool) -> Pair:
    """Compute a block, unless it is there."""
    block(bearoff.Blocks(checkers=checkers, gnubg=gnubg), out, pair)
    return pair


def block(blocks: bearoff.Blocks, out: Path, pair: Pair) -> memoryview:
    """A block from its file, if that is whole; otherwise it is computed and written."""
    path = file_of(out, pair)
    with suppress(FileNotFoundError):
        content = memoryview(path.read_bytes())
        if hashlib.sha256(content[CHECKSUM:]).digest() == content[:CHECKSUM]:
            return content[CHECKSUM:]
    solved = blocks.solve(pair, partial(block, blocks, out)).data
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    with unfinished.open("wb") as file:
        file.write(hashlib.sha256(solved).digest())
        file.write(solved)
    unfinished.replace(path)
    return solved.cast("B")


def file_of(out: Path, pair: Pair) -> Path:
    return out / f"block-{pair[0]:02}-{pair[1]:02}"


# --- the run --------------------------------------------------------------------------------------------------------


def run(client: Client, blocks: bearoff.Blocks, out: Path) -> None:
    """Compute what is missing, in order, and show the progress."""
    pairs = blocks.pairs
    done = {pair for pair in pairs if file_of(out, pair).exists()}
    waiting = deque(pair for pair in pairs if pair not in done)
    running, begun = as_completed(), time.perf_counter()
    while waiting or running.count():
        while waiting and running.count() < AT_ONCE and done.issuperset(blocks.needs(waiting[0])):
            running.add(client.submit(solve, waiting.popleft(), blocks.checkers, out, gnubg=blocks.gnubg, pure=False))
        done.add(next(running).result())
        shown = f"{len(done):,} of {len(pairs):,} blocks, {time.perf_counter() - begun:,.0f} seconds"
        print(f"\r{shown} ", end="", file=sys.stderr, flush=True)


def plan(blocks: bearoff.Blocks, out: Path) -> None:
    """Say what is needed, and check the disk."""
    there = sum(path.stat().st_size for path in out.glob("block-*"))
    needed, free = 2 * blocks.size - there, shutil.disk_usage(out).free
    print(
        f"memory of each thread of a worker, and of this program at the end: up to {OF_PYTHON + blocks.memory:,} bytes"
    )
    print(f"disk: {needed:,} bytes for blocks and table; {free:,} are free", flush=True)
    if free < needed:
        sys.exit("the disk is too small")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkers", type=int, default=10, help="the most checkers of a side: 1 to 14 (10)")
    parser.add_argument("--exact", action="store_true", help="float32, without the rounding of GNU Backgammon")
    parser.add_argument("--out", type=Path, default=Path("bearoff"), help="a folder that all workers can write to")
    add_options(parser)
    options = parser.parse_args()
    if options.workers is not None and options.workers < 1:
        parser.error("--workers is a number from 1")
    options.out = options.out.resolve()
    return options


def main() -> None:
    options = read_options()
    try:
        blocks = bearoff.Blocks(checkers=options.checkers, gnubg=not options.exact)
    except ArgumentError as error:
        sys.exit(str(error))
    with may_be_stopped("blocks"):
        claim(options.out, {"checkers": options.checkers, "exact": options.exact}, "blocks", "block-*")
        plan(blocks, options.out)
        with connected(options) as client:
            run(client, blocks, options.out)
        table = options.out / ("table.bearoff" if options.exact else "table.bd")
        blocks.save(table, partial(block, blocks, options.out))
        print(table)


if __name__ == "__main__":
    main()
