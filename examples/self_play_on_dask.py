"""Play a million games on all processors of this machine, or on a cluster, and keep them as Parquet.

    python -m pip install "gammonrules[dask]"
    python examples/self_play_on_dask.py --games 1000000 --out games
    python examples/self_play_on_dask.py --scheduler tcp://10.0.0.1:8786 --out /shared/games

The games are cut into chunks. Each chunk has a seed of its own, spawned from `--seed`, and is written to a file of its
own, so the files are the same, byte for byte, however many workers there are and whichever of them is lost on the way:
dask gives its chunks to another one. Stopped with Ctrl-C and started again with the same options, the run goes on with
the chunks that are missing.

A file has one row for each game: `result`, as in `gammonrules.batch.Games`, and `turns`, their number; with `--boards`
also `boards` and `dice`, every turn as 26 and 2 bytes, which `numpy.frombuffer` reads as int8.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster, as_completed

from gammonrules import batch

# --- policies: which of the legal plays is played -------------------------------------------------------------------


def any_play(plays: batch.LegalPlays, rng: np.random.Generator) -> np.ndarray:
    """Every play with the same chance."""
    return plays.offsets[:-1] + rng.integers(0, plays.counts)


def careful(plays: batch.LegalPlays, rng: np.random.Generator) -> np.ndarray:
    """Hit, make points and leave few blots; what counts the same is decided by chance."""
    points = plays.points  # the opponent is on roll: the mover's checkers are negative
    score = 3.0 * points[:, 25] + (points <= -2).sum(axis=1) - (points == -1).sum(axis=1)
    return plays.best(score + rng.random(len(score)) / 2)


POLICIES = {"random": any_play, "careful": careful}


# --- on a worker ----------------------------------------------------------------------------------------------------


def play_chunk(index: int, games: int, options: argparse.Namespace) -> int:
    """Play one chunk and write its file; how many games that were."""
    rng = np.random.default_rng(np.random.SeedSequence(options.seed, spawn_key=(index,)))
    played = batch.play_games(games, rng, POLICIES[options.policy])
    columns = {"result": pa.array(played.results), "turns": pa.array(np.diff(played.offsets).astype(np.int32))}
    if options.boards:
        columns |= {"boards": turns_of(played, played.points), "dice": turns_of(played, played.dice)}
    path = file_of(options.out, index)
    unfinished = path.with_suffix(f".{os.getpid()}.unfinished")
    pq.write_table(pa.table(columns), unfinished)
    unfinished.replace(path)  # a file that is there is whole, even if this worker ends now
    return games


def turns_of(games: batch.Games, rows: np.ndarray) -> pa.Array:
    """A list for each game, of the bytes of each turn; without a copy."""
    values = pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(rows)])
    return pa.ListArray.from_arrays(games.offsets.astype(np.int32), values)


def file_of(out: Path, index: int) -> Path:
    return out / f"chunk-{index:06}.parquet"


# --- the run --------------------------------------------------------------------------------------------------------


def chunks(options: argparse.Namespace) -> dict[int, int]:
    """How many games each chunk has."""
    starts = range(0, options.games, options.chunk)
    return {index: min(options.chunk, options.games - first) for index, first in enumerate(starts)}


def play(client: Client, missing: dict[int, int], options: argparse.Namespace) -> Iterator[int]:
    """The numbers of games of the chunks, as they are finished."""
    futures = [client.submit(play_chunk, index, games, options, pure=False) for index, games in missing.items()]
    for future in as_completed(futures):
        yield future.result()
        future.release()


def start(options: argparse.Namespace) -> None:
    """Make the folder, or see that the files in it are of the same run."""
    options.out.mkdir(parents=True, exist_ok=True)
    for left_by_a_lost_worker in options.out.glob("*.unfinished"):
        left_by_a_lost_worker.unlink()
    run = {name: getattr(options, name) for name in ("games", "chunk", "seed", "policy", "boards")}
    note = options.out / "run.json"
    if not note.exists():
        note.write_text(json.dumps(run))
    elif json.loads(note.read_text()) != run:
        sys.exit(f"{options.out} holds the games of another run: {note.read_text()}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--chunk", type=int, default=10_000, help="games of one task and one file (10,000)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--policy", choices=sorted(POLICIES), default="careful")
    parser.add_argument("--boards", action="store_true", help="keep every turn, not the results alone")
    parser.add_argument("--out", type=Path, default=Path("games"), help="a folder that all workers can write to")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster; without it one is made here")
    parser.add_argument("--workers", type=int, help="of the cluster made here: one for each processor")
    options = parser.parse_args()
    if options.games < 1 or options.chunk < 1 or options.seed < 0:
        parser.error("--games and --chunk are numbers from 1, --seed is one from 0")
    options.out = options.out.resolve()
    return options


def local_cluster(workers: int | None) -> LocalCluster:
    """Processes on this machine, which leave Ctrl-C to this one: it ends them in good order."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    finally:
        signal.signal(signal.SIGINT, before)


def run(options: argparse.Namespace) -> None:
    """Play what is missing, and show how far it is."""
    missing = {index: games for index, games in chunks(options).items() if not file_of(options.out, index).exists()}
    played, to_play, begun = 0, sum(missing.values()), time.perf_counter()
    with ExitStack() as stack:
        address = options.scheduler or stack.enter_context(local_cluster(options.workers))
        client = stack.enter_context(Client(address))
        for games in play(client, missing, options):
            played += games
            rate = played / (time.perf_counter() - begun)
            print(f"\r{played:,} of {to_play:,} games, {rate:,.0f} a second ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def print_results(options: argparse.Namespace) -> None:
    results: Counter[int] = Counter()
    for index in chunks(options):
        results.update(pq.read_table(file_of(options.out, index), columns=["result"])["result"].to_pylist())
    for result, number in sorted(results.items()):
        print(f"{'won' if result > 0 else 'lost'} by {abs(result)}: {number:,}")


def main() -> None:
    options = read_options()
    start(options)
    try:
        run(options)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on with the chunks that are missing")
    print_results(options)


if __name__ == "__main__":
    main()
