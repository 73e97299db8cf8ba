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
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

try:
    from distributed import as_completed
    from runs_on_dask import add_options, claim, connected, may_be_stopped
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
    files: list[str] = []
    for folder, folders, names in os.walk(archive):
        folders[:] = [name for name in folders if not name.startswith(".")]
        files += [str(Path(folder, name)) for name in names if not name.startswith(".")]
    return sorted(files)


def settings(files: list[str], options: argparse.Namespace) -> dict[str, object]:
    digest = hashlib.sha256("\0".join(files).encode("utf-8", "surrogateescape")).hexdigest()
    return {"archive": str(options.archive), "chunk": options.chunk, "files": len(files), "digest": digest}


def run(files: list[str], options: argparse.Namespace) -> None:
    """Export what is missing and show the progress."""
    chunks = [files[first : first + options.chunk] for first in range(0, len(files), options.chunk)]
    missing = {index: chunk for index, chunk in enumerate(chunks) if not report_of(options.out, index).exists()}
    rows, begun = 0, time.perf_counter()
    with connected(options) as client:
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
    add_options(parser)
    options = parser.parse_args()
    if min(options.chunk, 1 if options.workers is None else options.workers) < 1:
        parser.error("--chunk and --workers are numbers from 1")
    if not options.archive.is_dir():
        parser.error(f"there is no folder {options.archive}")
    options.out, options.archive = options.out.resolve(), options.archive.resolve()
    if options.archive in (options.out, *options.out.parents):
        parser.error("--out must not be in the archive, where its files would be read as records")
    return options


def main() -> None:
    options = read_options()
    with may_be_stopped():
        files = files_in(options.archive)
        run_of = settings(files, options)
        claim(options.out, run_of, "table", "chunk-*.parquet", ", or files were added to the archive since")
        run(files, options)
        print_report(options.out)


if __name__ == "__main__":
    main()
