"""Have an engine analyze a folder of records on all processors of this machine, or on a cluster.

    python -m pip install ".[analyst,dask]"
    python examples/analysis_on_dask.py examples/matches/galaxy --engine bgsage --out analyzed
    python examples/analysis_on_dask.py my-matches --engine gnubg --out analyzed --scheduler tcp://10.0.0.1:8786

This process reads the records and writes them with their analyses, as JSON; a worker needs gammonrules and the engine,
and no file. If some are lost on the way, dask hands their records to others. A run that is stopped with Ctrl-C and
started again with the same options goes on with the files that are missing: `.done` in the folder has the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path

try:
    from arena_on_dask import in_order
    from distributed import Client
    from distributed.scheduler import KilledWorker
    from self_play_on_dask import add_options, connected, may_be_stopped

    from gammonrules import GammonError, records
    from gammonrules.engine import SimpleEngine
except ImportError as error:
    sys.exit(f'This needs the extras "analyst" and "dask" ({error}): python -m pip install ".[analyst,dask]"')


def analyze(client: Client, options: argparse.Namespace) -> Iterator[records.Scanned]:
    """Analyze and write what is missing; what became of it, file by file."""
    note = options.out / ".done"
    paths = {str(path) for path in options.folder.rglob("*") if path.is_file() and path.name[0] != "."}
    missing = sorted(paths - files_done(note, options))
    engine = partial(SimpleEngine.open, options.engine, options.level)
    analyzed = records.analyze_files(missing, engine=engine, run=partial(in_order, client))
    for path, entries_of_file in groupby(analyzed, key=attrgetter("path")):
        entries = [*entries_of_file]
        for number, entry in enumerate(entries):
            if entry.match is not None:
                records.dump(entry.match, target_of(path, number, options))
        if not any(entry.is_lost for entry in entries):
            with note.open("a", encoding="utf-8") as notes:
                print(path, *entries[0].more, sep="\n", file=notes)
        yield from entries


def files_done(note: Path, options: argparse.Namespace) -> set[str]:
    """Those that need not be analyzed again; a new note says for which run."""
    this_run = f"{options.engine}, level {options.level}, of {options.folder}"
    options.out.mkdir(parents=True, exist_ok=True)
    if not note.exists():
        note.write_text(f"{this_run}\n", encoding="utf-8")
    run, *paths = note.read_text(encoding="utf-8").splitlines()
    if run != this_run:
        sys.exit(f"{options.out} has the files of another run: {run}")
    return {*paths}


def target_of(path: str, number: int, options: argparse.Namespace) -> Path:
    """Where a match is written; `number` counts those of a file."""
    below = Path(path).relative_to(options.folder)
    target: Path = options.out / below.parent / f"{below.name}{f'-{number + 1}' if number else ''}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the records: files, and ZIP archives, which are analyzed as a whole")
    parser.add_argument("--engine", help="bgsage or gnubg; unless given, bgsage where the result is not known exactly")
    parser.add_argument("--level", type=int, help="how deep it looks (2)")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the analyzed records")
    add_options(parser)
    options = parser.parse_args()
    folder, out = options.folder.resolve(), options.out.resolve()
    if not folder.is_dir() or folder in (out, *out.parents):
        parser.error("the records must be in a folder, and --out must be outside of it")
    return options


def main() -> None:
    options = read_options()
    matches, lost = 0, 0
    with may_be_stopped("files"):
        try:
            with connected(options) as client:
                for entry in analyze(client, options):
                    if entry.error is not None:
                        print(f"\r{entry.path}: {entry.error}", file=sys.stderr)
                    matches += entry.match is not None
                    lost += entry.is_lost
                    print(f"\r{matches:,} matches ", end="", file=sys.stderr, flush=True)
        except (GammonError, KilledWorker) as error:
            sys.exit(f"stopped: {error}")
    if lost:
        sys.exit(f"the engine failed on {lost:,} files; the same command tries them again")


if __name__ == "__main__":
    main()
