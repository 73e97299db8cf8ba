"""Play a million games on all processors of this machine, or on a cluster, and save them as Parquet.

    python -m pip install ".[dask]"
    python examples/self_play_on_dask.py --games 1000000 --out games
    python examples/self_play_on_dask.py --scheduler tcp://10.0.0.1:8786 --out /shared/games

The games are split into chunks, each with its own file. Every game has its own dice, made from `--seed` and its number,
so the games are the same however many chunks and workers there are. The files are the same, byte for byte, even if some
workers are lost on the way: dask hands their chunks to others. A run that is stopped with Ctrl-C and started again with
the same options continues with the missing chunks.

A file has one row per game: `result`, as in `gammonrules.batch.Games`, and `turns`, their number. With `--boards` it
also has `boards` and `dice`, 26 and 2 bytes per turn, which `numpy.frombuffer` reads as int8. The folder is a Parquet
dataset: `pyarrow.parquet.read_table(folder)` reads all games and skips files whose names begin with "_" or ".".
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import resource_tracker
from pathlib import Path

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, LocalCluster, as_completed
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
except ImportError as error:
    sys.exit(f'This program needs the extra "dask" ({error}): python -m pip install ".[dask]"')

from gammonrules import batch

# --- policies: which of the legal plays to make -------------------------------------------------------------------


def any_play(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """Every play is equally likely."""
    return turns.random_rows()


def careful(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """Hit, make points and leave few blots; ties are broken at random."""
    points = turns.points  # the opponent is on roll: the mover's checkers are negative
    score = 3.0 * points[:, 25] + (points <= -2).sum(axis=1) - (points == -1).sum(axis=1)
    return turns.best(score + turns.random() / 2)


POLICIES = {"random": any_play, "careful": careful}


# --- on a worker ----------------------------------------------------------------------------------------------------


def play_chunk(index: int, games: int, options: argparse.Namespace) -> int:
    """Play one chunk, write its file, and return the number of games."""
    rng = np.random.default_rng(options.seed)
    played = batch.play_games(games, POLICIES[options.policy], rng=rng, first=index * options.chunk)
    columns = {"result": pa.array(played.results), "turns": pa.array(np.diff(played.offsets).astype(np.int32))}
    if options.boards:
        columns |= {"boards": turns_of(played, played.points), "dice": turns_of(played, played.dice)}
    path = file_of(options.out, index)
    pq.write_table(pa.table(columns), unfinished(path))
    unfinished(path).replace(path)  # a file that exists is complete, even if this worker is killed now
    return games


def turns_of(games: batch.Games, rows: np.ndarray) -> pa.Array:
    """A list for each game with the bytes of each turn, without copying."""
    values = pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(rows)])
    return pa.ListArray.from_arrays(games.offsets.astype(np.int32), values)


def file_of(out: Path, index: int) -> Path:
    return out / f"chunk-{index:06}.parquet"


def unfinished(path: Path) -> Path:
    """The name of a file while this process writes it; readers of the folder skip it because of the dot."""
    return path.with_name(f".{path.name}.{os.getpid()}.unfinished")


# --- the run --------------------------------------------------------------------------------------------------------


def chunks(options: argparse.Namespace) -> dict[int, int]:
    """The number of games in each chunk."""
    starts = range(0, options.games, options.chunk)
    return {index: min(options.chunk, options.games - first) for index, first in enumerate(starts)}


def play(client: Client, missing: dict[int, int], options: argparse.Namespace) -> Iterator[int]:
    """The number of games in each chunk, as chunks are finished."""
    futures = [client.submit(play_chunk, index, games, options, pure=False) for index, games in missing.items()]
    for future in as_completed(futures):
        yield future.result()
        future.release()


def claim(folder: Path, run: dict[str, object]) -> None:
    """Make the folder, or check that the games in it belong to the same run."""
    note = folder / "_run.json"
    folder.mkdir(parents=True, exist_ok=True)
    if note.exists():
        if noted(note) != run:
            sys.exit(f"{folder} contains the games of another run: {note.read_text()}")
    elif any(folder.glob("chunk-*.parquet")):
        sys.exit(f"{folder} contains games, but no {note.name} that says which run it belongs to")
    else:
        unfinished(note).write_text(json.dumps(run))
        unfinished(note).replace(note)
    for left_by_a_lost_worker in folder.glob(".*.unfinished"):
        left_by_a_lost_worker.unlink()


def noted(note: Path) -> object:
    """The run that wrote the files in the folder."""
    try:
        return json.loads(note.read_text())
    except ValueError as error:
        sys.exit(f"{note} does not say which run the files beside it belong to: {error}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--chunk", type=int, default=10_000, help="games of one task and one file (10,000)")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--policy", choices=sorted(POLICIES), default="careful")
    parser.add_argument("--boards", action="store_true", help="keep every turn, not only the results")
    parser.add_argument("--out", type=Path, default=Path("games"), help="a folder that all workers can write to")
    add_options(parser)
    options = parser.parse_args()
    if min(options.games, options.chunk, 1 if options.workers is None else options.workers) < 1 or options.seed < 0:
        parser.error("--games, --chunk and --workers are numbers from 1, --seed is a number from 0")
    options.out = options.out.resolve()
    return options


def run(options: argparse.Namespace) -> None:
    """Play what is missing and show the progress."""
    missing = {index: games for index, games in chunks(options).items() if not file_of(options.out, index).exists()}
    played = 0
    to_play = sum(missing.values())
    begun = time.perf_counter()
    with connected(options) as client:
        for games in play(client, missing, options):
            played += games
            rate = played / (time.perf_counter() - begun)
            print(f"\r{played:,} of {to_play:,} games, {rate:,.0f} a second ", end="", file=sys.stderr, flush=True)


def print_results(options: argparse.Namespace) -> None:
    results: Counter[int] = Counter()
    for index in chunks(options):
        results.update(pq.read_table(file_of(options.out, index), columns=["result"])["result"].to_pylist())
    for result, number in sorted(results.items()):
        print(f"{'won' if result > 0 else 'lost'} by {abs(result)}: {number:,}")


def main() -> None:
    options = read_options()
    settings = {name: getattr(options, name) for name in ("games", "chunk", "seed", "policy", "boards")}
    with may_be_stopped():
        claim(options.out, settings)
        run(options)
        print_results(options)


# --- a cluster, and how a run ends; also for the arena ----------------------------------------------------------------


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where to run."""
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster; without it one is made here")
    parser.add_argument("--workers", type=int, help="of the cluster made here: one for each processor")


@contextmanager
def connected(options: argparse.Namespace) -> Iterator[Client]:
    """The client of the cluster, with a line of standard error to show the progress in."""
    with ExitStack() as stack:
        address = options.scheduler
        if address is None:
            with interrupts_held_back():
                address = stack.enter_context(local_cluster(options.workers))
        try:
            client = stack.enter_context(Client(address))
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            sys.exit(f"no scheduler can be reached at {address}: {error}")
        stack.callback(logging.disable)  # what a client logs when it closes does not matter
        stack.callback(print, file=sys.stderr)  # ends the progress line
        yield client


def local_cluster(workers: int | None) -> LocalCluster:
    """Processes on this machine, without what they log when they close; errors of tasks are raised as exceptions."""
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Processes started in this block ignore Ctrl-C; it is left to this process, which then ends them in order."""
    if sys.platform == "win32":
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
    else:
        resource_tracker.ensure_running()  # otherwise the first process to start would unblock the signal
        came: list[int] = []  # a thread of a library may take the signal, although this one blocks it
        before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            signal.signal(signal.SIGINT, before)
        if came:
            raise KeyboardInterrupt


@contextmanager
def may_be_stopped(parts: str = "chunks") -> Iterator[None]:
    """What ends a run that can be continued becomes a sentence."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(f"stopped; the same command goes on with the {parts} that are missing")
    except (FutureCancelledError, CommClosedError):
        sys.exit(f"the scheduler is gone; the same command goes on with the {parts} that are missing")
    except OSError as error:
        sys.exit(f"stopped: {error}")


if __name__ == "__main__":
    main()
