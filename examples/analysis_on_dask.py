"""Have an engine analyze a folder of records on all processors of this machine, or on a cluster.

    python -m pip install ".[analyst,dask]"
    python examples/analysis_on_dask.py examples/matches/galaxy --engine bgsage --out analyzed
    python examples/analysis_on_dask.py examples/matches --engine gnubg --out analyzed --scheduler tcp://10.0.0.1:8786

This process reads the records and writes them with their analyses, as JSON, into a folder of `--out` that has the name
of the engine and its level; a worker needs gammonrules and the engine, and no file. If some are lost on the way, dask
hands their records to others. A run that is stopped with Ctrl-C and started again goes on with what is missing there.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path, PurePath

try:
    from arena_on_dask import in_order
    from distributed import Client
    from distributed.scheduler import KilledWorker
    from self_play_on_dask import add_options, connected, may_be_stopped

    from gammonrules import GammonError, records
    from gammonrules.cli.output import key_of, names_below
    from gammonrules.engine import SimpleEngine
except ImportError as error:
    sys.exit(f'This needs the extras "analyst" and "dask" ({error}): python -m pip install ".[analyst,dask]"')


def analyze(client: Client, options: argparse.Namespace) -> Iterator[records.ScanEntry]:
    """Analyze and write what is missing; what became of it, match by match."""
    engine = partial(SimpleEngine.open, options.engine, options.level)
    out = options.out / client.submit(name_and_level, engine, pure=False).result()
    targets = Targets(options.folder, out)
    paths = missing(targets)
    yield from targets.clashes.values()
    analyzed = records.analyze_files(paths, engine=engine, workers=partial(in_order, client))
    for entry, target in targets.of(analyzed):
        if entry.match is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
            records.dump(entry.match, target)
        yield entry


def name_and_level(engine: Callable[[], SimpleEngine]) -> str:
    """Those of an engine, which is started for this on a worker."""
    with engine() as started:
        return f"{started.name}, {started.level}"


def missing(targets: Targets) -> list[str]:
    """The files that have not all been written, and those that cannot be read; an archive is analyzed as a whole."""
    written = {Path(entry.path): entry.fingerprint for entry in records.scan(targets.out) if entry.match is not None}
    paths: dict[str, None] = {}
    for entry, target in targets.of(records.scan(targets.folder)):
        if entry.match is None or target not in written:
            paths |= dict.fromkeys(map(file_or_archive, (entry.path, *entry.more)))
        if entry.match is not None and written.setdefault(target, entry.fingerprint) != entry.fingerprint:
            sys.exit(f"{target} is another match than {entry.path}: rename that, or use another --out")
    return [*paths]


def file_or_archive(path: str) -> str:
    """The file, or the ZIP archive that it is in."""
    parents = (Path(path), *Path(path).parents)
    # unlike `is_file`, this does not raise an error below a folder that may not be entered
    return next((str(parent) for parent in parents if os.path.isfile(parent)), path)  # noqa: PTH113


class Targets:
    """The files that the matches of a folder are written to, and the matches whose file is that of an earlier one.

    `gammonrules analyze` has the same names. A ZIP archive of a stranger may name a file anywhere: none leads out of
    the folder, and every system can store them. So several names can become one.
    """

    def __init__(self, folder: Path, out: Path) -> None:
        self.folder = folder
        self.out = out
        self.clashes: dict[str, records.ScanEntry] = {}
        self._path_of_target: dict[str, str] = {}

    def of(self, entries: Iterable[records.ScanEntry]) -> Iterator[tuple[records.ScanEntry, Path]]:
        """Each entry with its file. Those that clash are left out, and are in `clashes` by their paths."""
        for path, entries_of_file in groupby(entries, key=attrgetter("path")):
            target = self.out.joinpath(*names_below(PurePath(path), self.folder))
            for number, entry in enumerate(entries_of_file, start=1):
                own = target.with_name(f"{target.name}{f'-{number}' if number > 1 else ''}.json")
                first = self._path_of_target.setdefault(key_of(own), path)
                if first == path:
                    yield entry, own
                else:
                    error = f"{first} has the same name in --out: rename one of them"
                    self.clashes[path] = records.ScanEntry(path, error=error)


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
                    lost += entry.has_crashed
                    print(f"\rmatches analyzed: {matches:,} ", end="", file=sys.stderr, flush=True)
        except (GammonError, KilledWorker) as error:
            sys.exit(f"stopped: {error}")
    if lost:
        sys.exit(f"not analyzed: {lost:,}; the same command tries it again")


if __name__ == "__main__":
    main()
