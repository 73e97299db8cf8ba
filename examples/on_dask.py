"""Three long tasks on all processors of this machine, or on a cluster with dask.

    python -m pip install ".[analyst,arena,dask]"
    python examples/on_dask.py analyze examples/matches/galaxy --engine bgsage --out analyzed
    python examples/on_dask.py arena bot:choose gnubg:1 --games 1000 --save arena.jsonl
    python examples/on_dask.py self-play --games 1000000 --out games

`--scheduler tcp://10.0.0.1:8786` names a cluster, whose workers need gammonrules and what the task uses. The results
are the same for any number of workers, and if some are lost on the way: dask gives their work to others. You can stop a
task with Ctrl-C. The same command continues it; an arena continues only with `--save`.

- `analyze`: an engine analyzes match records. This process reads and writes the files, so the workers need only the
  engine. Each match is written once, as JSON, with its players and its fingerprint as name.
- `arena`: bots and engines play each other. Players are named as for `gammonrules arena`.
- `self-play`: a bot plays against itself. The workers write the games to Parquet files in the same folder. A file has a
  row for each game: `result`, as in `gammonrules.batch.Games`, and `turns`, their number. With `--boards` it also has
  `boards` and `dice`, 26 and 2 bytes a turn, which `numpy.frombuffer` reads as int8.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gammonrules import GammonError

NOT_INSTALLED: ImportError | None = None
try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    from distributed import Client, LocalCluster
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    from gammonrules import batch
except ImportError as error:
    NOT_INSTALLED = error  # `--help` works without them

if TYPE_CHECKING:  # each task imports what it needs, because the extras of the others may not be installed
    from gammonrules import arena, records
    from gammonrules.engine import SimpleEngine

AHEAD = 4  # tasks that each worker has begun or waits for: more would take memory, and go on after an early end


def in_order(client: Client, function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """As `map` does, but on the cluster. The library accepts this function as `workers`."""
    begun: deque[Any] = deque()
    for item in items:
        begun.append(client.submit(function, item, pure=False))
        if len(begun) > AHEAD * max(1, sum(client.nthreads().values())):
            yield begun.popleft().result()
    while begun:
        yield begun.popleft().result()


def show(line: str) -> None:
    print(f"\r{line} ", end="", file=sys.stderr, flush=True)


# --- analyze ----------------------------------------------------------------------------------------------------------


def analyze(client: Client, folder: Path, engine: str | None, level: int | None, out: Path) -> None:
    from gammonrules import records  # noqa: PLC0415
    from gammonrules.engine import SimpleEngine  # noqa: PLC0415

    start = partial(SimpleEngine.open, engine, level)
    out /= client.submit(name_and_level, start, pure=False).result()
    out.mkdir(parents=True, exist_ok=True)
    matches, lost = 0, 0
    for entry in records.analyze_files(missing(folder, out), engine=start, workers=partial(in_order, client)):
        if entry.error is not None:
            print(f"\r{entry.path}: {entry.error}", file=sys.stderr)
        if entry.match is not None:
            records.dump(entry.match, file_of(out, entry.match))
            matches += 1
        lost += entry.has_crashed
        show(f"matches analyzed: {matches:,}")
    if lost:
        sys.exit(f"not analyzed: {lost:,}; the same command tries it again")


def name_and_level(start: Callable[[], SimpleEngine]) -> str:
    """A worker starts the engine for this."""
    with start() as engine:
        return f"{engine.name}, {engine.level}"


def missing(folder: Path, out: Path) -> list[str]:
    """The files with matches that are still to be analyzed, and the files that cannot be read."""
    from gammonrules import records  # noqa: PLC0415

    paths: dict[str, None] = {}
    for entry in records.scan(folder):
        if entry.match is None or not file_of(out, entry.match).exists():
            paths |= dict.fromkeys(map(file_or_archive, (entry.path, *entry.more)))
    return [*paths]


def file_of(out: Path, match: records.Match) -> Path:
    """The file of a match. Copies have the same file, and no name leads out of the folder."""
    return out / f"{quote(' - '.join(match.players), safe=' ', errors='replace')[:150]} {match.fingerprint}.json"


def file_or_archive(path: str) -> str:
    """The file, or the ZIP archive that contains it."""
    parents = (Path(path), *Path(path).parents)
    # unlike `is_file`, this does not raise an error below a folder that may not be entered
    return next((str(parent) for parent in parents if os.path.isfile(parent)), path)  # noqa: PTH113


# --- arena ------------------------------------------------------------------------------------------------------------


def hold_arena(client: Client, players: list[str], records: Path | None, **settings: Any) -> None:
    from gammonrules import arena  # noqa: PLC0415

    def progress(running: arena.Progress) -> None:
        show(f"{running.finished:,} of {running.total:,} games")

    options = arena.Options(records=records, progress=progress)
    print(arena.play(players, **settings, workers=partial(in_order, client), options=options))


# --- self-play --------------------------------------------------------------------------------------------------------


def self_play(client: Client, games: int, chunk: int, seed: int, out: Path, *, boards: bool) -> None:
    """The games are numbered, and each has its own dice, so they do not depend on the size of the chunks."""
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    chunks = [range(games)[first : first + chunk] for first in range(0, games, chunk)]
    end = "-boards.parquet" if boards else ".parquet"
    files = [(out / f"{seed}-{part[0]:09}-{part[-1]:09}{end}", part) for part in chunks]
    refuse_other_files(out, {path for path, _ in files})
    to_play = [(path, part) for path, part in files if not path.exists()]
    played = 0
    for number in in_order(client, partial(play_chunk, seed=seed, boards=boards), to_play):
        played += number
        show(f"{played:,} games played")


def refuse_other_files(out: Path, files: set[Path]) -> None:
    """Readers take all files of the folder, so a file of other settings would add games or repeat them."""
    for path in sorted(out.glob("[!.]*.parquet")):
        if path not in files:
            sys.exit(
                f"{out} contains {path.name}, which these settings do not write: "
                "name another folder with --out, or use the settings that wrote it"
            )


def play_chunk(path_and_part: tuple[Path, range], *, seed: int, boards: bool) -> int:
    """Play these games on a worker, write them to the file, and return how many they are."""
    path, part = path_and_part
    games = batch.play_games(len(part), choose, rng=np.random.default_rng(seed), first=part[0])
    columns = {"result": pa.array(games.results), "turns": pa.array(np.diff(games.offsets).astype(np.int32))}
    if boards:
        columns |= {"boards": turns_of(games, games.points), "dice": turns_of(games, games.dice)}
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")  # readers of the folder skip it because of the dot
    pq.write_table(pa.table(columns), unfinished)
    unfinished.replace(path)  # a file that exists is complete, even if this worker is killed now
    return len(part)


def choose(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """The bot: hit, make points and leave few blots; ties are broken at random. Replace it with your own."""
    points = turns.points  # the opponent is on roll: the mover's checkers are negative
    score = 3.0 * points[:, 25] + (points <= -2).sum(axis=1) - (points == -1).sum(axis=1)
    return turns.best(score + turns.random() / 2)


def turns_of(games: batch.Games, rows: np.ndarray) -> pa.Array:
    """A list for each game with the bytes of each turn, without copying."""
    values = pa.FixedSizeBinaryArray.from_buffers(pa.binary(rows.shape[1]), len(rows), [None, pa.py_buffer(rows)])
    return pa.ListArray.from_arrays(games.offsets.astype(np.int32), values)


# --- the command line and the cluster ---------------------------------------------------------------------------------


def whole_number(least: int, text: str) -> int:
    """For argparse, which adds the name of the option to the message."""
    with suppress(ValueError):
        if (number := int(text)) >= least:
            return number
    raise argparse.ArgumentTypeError(f"must be a whole number from {least}, not {text!r}")


def check_installed(install: str, modules: tuple[str, ...]) -> None:
    try:
        if NOT_INSTALLED is not None:
            raise NOT_INSTALLED
        for module in modules:
            import_module(module)
    except ImportError as error:
        sys.exit(f"This task needs {error.name or error}: {install}")


def read_options() -> dict[str, Any]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = parser.add_subparsers(required=True)
    positive = partial(whole_number, 1)

    def task(name: str, run: Callable[..., None], install: str, *modules: str) -> Callable[..., argparse.Action]:
        options = tasks.add_parser(name)
        options.set_defaults(run=run, install=install, modules=modules)
        options.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster; without it one is made here")
        options.add_argument("--workers", type=positive, help="of the cluster made here: one for each processor")
        return options.add_argument

    option = task("analyze", analyze, 'python -m pip install ".[analyst,dask]"', "gammonrules.json")
    option("folder", type=Path, help="the records: files and ZIP archives")
    option("--engine", help="bgsage or gnubg; unless given, bgsage where the result is not known exactly")
    option("--level", type=int, help="how deep it looks (2)")
    option("--out", type=Path, required=True, help="a folder for the analyzed records")

    option = task("arena", hold_arena, 'python -m pip install ".[arena,dask]"', "gammonrules.arena", "cloudpickle")
    option("players", nargs="+", help="gnubg:1, bgsage:1, ubgi:PROGRAM, module:function")
    option("--games", type=positive, default=1_000, help="of each two players (1,000)")
    option("--length", type=int, help="points that win a match; money games unless given")
    option("--seed", type=int, help="of the dice; that of the file, or a new one, unless given")
    option("--until-decided", action="store_const", const="decided", dest="until", help="end early")
    option("--records", type=Path, help="a folder for the matches, as .mat")
    option("--save", type=Path, help="the file of the run, which continues with what is in it")

    option = task("self-play", self_play, 'python -m pip install ".[dask]"')
    option("--games", type=positive, default=1_000_000)
    option("--chunk", type=positive, default=10_000, help="games of one file (10,000)")
    option("--seed", type=partial(whole_number, 0), default=2026)
    option("--boards", action="store_true", help="keep every turn, not only the results")
    option("--out", type=Path, default=Path("games"), help="a folder that all workers can write to")
    return vars(parser.parse_args())


@contextmanager
def connected(scheduler: str | None, workers: int | None) -> Iterator[Client]:
    with ExitStack() as stack:
        client = stack.enter_context(Client(scheduler or stack.enter_context(local_cluster(workers))))
        stack.callback(logging.disable)  # what a client logs when it closes does not matter
        stack.callback(print, file=sys.stderr)  # ends the line of the progress
        yield client


def local_cluster(workers: int | None) -> LocalCluster:
    """Processes on this machine. They ignore Ctrl-C, so that this process ends them in order."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        )
    finally:
        signal.signal(signal.SIGINT, before)


def main() -> None:
    options = read_options()
    check_installed(options.pop("install"), options.pop("modules"))
    run, scheduler, workers = (options.pop(name) for name in ("run", "scheduler", "workers"))
    try:
        with connected(scheduler, workers) as client:
            run(client, **options)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command continues")
    except (FutureCancelledError, CommClosedError):
        sys.exit("the scheduler is gone; the same command continues")
    except (GammonError, KilledWorker, OSError) as error:
        sys.exit(f"stopped: {error}")


if __name__ == "__main__":
    main()
