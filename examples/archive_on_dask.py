"""Turn an archive of match records into a table of decisions, on all processors of this machine or on a cluster.

    python -m pip install ".[dask]"
    python examples/archive_on_dask.py my-matches --out decisions
    python examples/archive_on_dask.py /shared/bmab --out /shared/decisions --scheduler tcp://10.0.0.1:8786

The files are listed once and split into chunks, each of which becomes one file of the folder `decisions`. So the rows
are the same however many workers there are and even if some are lost on the way: dask hands their chunks to others, no
file is lost, and none comes twice. A run that is stopped with Ctrl-C and started again continues with the missing
chunks.

The folder is a Parquet dataset: `pyarrow.parquet.read_table(folder)`, polars, pandas and DuckDB read all chunks and
skip the files whose names begin with "_" or ".". `_report-000000.json` says what was read and what was skipped for a
chunk. For an archive that one machine can read, `gammonrules export` does the same in one command.
"""

from __future__ import annotations

import argparse
import hashlib
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
from typing import Any

try:
    from distributed import Client, LocalCluster, as_completed
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
except ImportError as error:
    sys.exit(f'This program needs the extra "dask" ({error}): python -m pip install ".[dask]"')

from gammonrules import records

# --- on a worker ----------------------------------------------------------------------------------------------------


def export_chunk(index: int, files: list[str], out: Path) -> int:
    """Write the decisions of some files and a report on them, and return the number of rows."""
    # `export` renames the table when it is complete, and leaves none if there is no match in these files.
    done = records.export(files, out / f"chunk-{index:06}.parquet", jobs=1)
    skipped = done.skipped + Counter(why for _, why in done.unread)
    report = {"files": len(files), "matches": done.matches, "rows": done.rows, "skipped": skipped}
    write(
        report_of(out, index), report
    )  # at the end: a chunk with a report is complete, even if this worker is killed now
    return done.rows


def report_of(out: Path, index: int) -> Path:
    return out / f"_report-{index:06}.json"


def write(path: Path, content: Any) -> None:
    """Write a file that is complete or not there at all."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    unfinished.write_text(json.dumps(content))
    unfinished.replace(path)


# --- the run --------------------------------------------------------------------------------------------------------


def files_in(archive: Path) -> list[str]:
    """Every file in the archive, in an order that does not depend on the machine; hidden ones are left out."""
    found: list[str] = []
    for folder, folders, names in os.walk(archive):
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [str(Path(folder, name)) for name in names if not name.startswith(".")]
    return sorted(found)


def start(files: list[str], options: argparse.Namespace) -> None:
    """Make the folder, or check that what is in it belongs to the same run."""
    digest = hashlib.sha256("\0".join(files).encode("utf-8", "surrogateescape")).hexdigest()
    run = {"archive": str(options.archive), "chunk": options.chunk, "files": len(files), "digest": digest}
    note = options.out / "_run.json"
    options.out.mkdir(parents=True, exist_ok=True)
    if note.exists():
        if noted(note) != run:
            sys.exit(
                f"{options.out} contains the table of another run, or files were added to the archive since: "
                "remove it first"
            )
    elif any(options.out.glob("chunk-*.parquet")):
        sys.exit(f"{options.out} contains a table, but no {note.name} that says which run it belongs to")
    else:
        write(note, run)
    for left_by_a_lost_worker in options.out.glob(".*.unfinished"):
        left_by_a_lost_worker.unlink()


def noted(note: Path) -> Any:
    """The run that wrote the files in the folder."""
    try:
        return json.loads(note.read_text())
    except ValueError as error:
        sys.exit(f"{note} does not say which run the files beside it belong to: {error}")


def run(files: list[str], options: argparse.Namespace) -> None:
    """Export what is missing and show the progress."""
    chunks = [files[first : first + options.chunk] for first in range(0, len(files), options.chunk)]
    missing = {index: chunk for index, chunk in enumerate(chunks) if not report_of(options.out, index).exists()}
    rows, begun = 0, time.perf_counter()
    with ExitStack() as stack:
        address = options.scheduler
        if address is None:
            with interrupts_held_back():
                address = stack.enter_context(local_cluster(options.workers))
        client = stack.enter_context(connected(address))
        stack.callback(logging.disable)  # what a client logs when it closes does not matter
        stack.callback(print, file=sys.stderr)  # ends the progress line
        futures = [
            client.submit(export_chunk, index, chunk, options.out, pure=False) for index, chunk in missing.items()
        ]
        for number, future in enumerate(as_completed(futures), start=1):
            rows += future.result()
            future.release()
            rate = rows / (time.perf_counter() - begun)
            shown = f"{number:,} of {len(missing):,} chunks, {rows:,} decisions, {rate:,.0f} a second"
            print(f"\r{shown} ", end="", file=sys.stderr, flush=True)


def print_report(out: Path) -> None:
    """What the reports of all chunks say together."""
    counts: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for path in sorted(out.glob("_report-*.json")):
        report = json.loads(path.read_text())
        skipped.update(report.pop("skipped"))
        counts.update(report)
    print(f"{counts['rows']:,} decisions of {counts['matches']:,} matches in {counts['files']:,} files")
    for why, number in skipped.most_common(10):
        print(f"{number:,} skipped: {why}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path, help="a folder that all workers can read")
    parser.add_argument("--chunk", type=int, default=200, help="files of one task and one file of the dataset (200)")
    parser.add_argument("--out", type=Path, default=Path("decisions"), help="a folder that all workers can write to")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a dask cluster; without it one is made here")
    parser.add_argument("--workers", type=int, help="of the cluster made here: one for each processor")
    options = parser.parse_args()
    if min(options.chunk, 1 if options.workers is None else options.workers) < 1:
        parser.error("--chunk and --workers are numbers from 1")
    if not options.archive.is_dir():
        parser.error(f"there is no folder {options.archive}")
    options.out, options.archive = options.out.resolve(), options.archive.resolve()
    if options.archive in (options.out, *options.out.parents):
        parser.error("--out must not be in the archive, where its files would be read as records")
    return options


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
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def local_cluster(workers: int | None) -> LocalCluster:
    """Processes on this machine, without what they log when they close; errors of tasks are raised as exceptions."""
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)


def connected(address: str | LocalCluster) -> Client:
    try:
        return Client(address)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        sys.exit(f"no scheduler can be reached at {address}: {error}")


def main() -> None:
    options = read_options()
    try:
        files = files_in(options.archive)
        start(files, options)
        run(files, options)
        print_report(options.out)
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on with the chunks that are missing")
    except (FutureCancelledError, CommClosedError):
        sys.exit("the scheduler is gone; the same command goes on with the chunks that are missing")
    except OSError as error:
        sys.exit(f"stopped: {error}")


if __name__ == "__main__":
    main()
