"""Tables of decisions that commands read, also of records from which none has been made yet."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from gammonrules._shared.disk_files import beginning
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.export import of_others, progress_by_file
from gammonrules.cli.output import is_folder, saving, say_cut
from gammonrules.cli.record_files import SkippedFiles, say_copies
from gammonrules.cli.usage_errors import Refused
from gammonrules.records import ExportSummary, Level
from gammonrules.records.archive import (
    Source,
    export_files,
    is_folder_of_tables,
    record_counts_of,
    sources,
)

_PARQUET = b"PAR1"
_OTHER_TABLES = ".csv", ".jsonl"
"""As export writes them too, for other programs."""


def inputs_of(*paths: str | None) -> list[str]:
    """What is read there, so that none of it is replaced."""
    inputs: list[str] = []
    for path in filter(None, paths):
        inputs.append(path)
        if is_folder(path):
            inputs += (source.archive or source.path for source in sources(path))
    return inputs


@frozen
class TableFiles:
    """The path of a table of decisions, and that of its candidates, if there is one: a file or a folder of tables."""

    decisions: str
    candidates: tuple[str, ...] = ()


@contextmanager
def table_at(
    path: str, candidates: str | None = None, *, with_candidates: bool = False
) -> Generator[TableFiles]:
    """A table, or for a while that of the records in a folder or file, each game once. Raises Refused.

    The candidates of a table that exists are where they are named, if they are asked for; those of records are made
    with theirs.
    """
    if is_table(path):
        yield TableFiles(path, (candidates,) if candidates else ())
        return
    progress = progress_by_file([path], console_for_output(stderr=True))
    files = sources(path)
    with temporary_table(files, with_candidates=with_candidates, progress=progress) as made:
        say_cut(made.done.cut)
        say_copies(record_counts_of(made.done))
        _say_skipped(made.done)
        why = None
        unread = path
        if made.done.unread:
            unread, why = made.done.unread[0]
        elif not made.done.matches:
            why = (
                "no match in this folder can be read; gammonrules export makes tables, "
                "and a folder of them has nothing else in it"
            )
        if path.endswith(_OTHER_TABLES):
            why = "tables are read as .parquet alone, which gammonrules export writes"
        if why is not None:
            raise Refused(f"{unread}: {why}")
        yield made.files


@frozen
class MadeTable:
    """A table that was made for a command; its files are there only if it has a match."""

    files: TableFiles
    done: ExportSummary


@contextmanager
def temporary_table(
    files: Iterable[Source],
    *,
    with_candidates: bool,
    analyzed_by: str | None = None,
    analysis_level: Level | str | None = None,
    workers: int | None = None,
    progress: AbstractContextManager[Callable[[ExportSummary], None] | None],
) -> Generator[MadeTable]:
    """For a while, the table of the records in files, each game once; who judged is said."""
    with TemporaryDirectory() as folder:
        decisions = str(Path(folder) / "decisions.parquet")
        candidates = str(Path(folder) / "candidates.parquet") if with_candidates else None
        with saving(decisions), progress as show:
            done = export_files(
                files,
                decisions,
                candidates=candidates,
                workers=workers,
                unique="game",
                analyzed_by=analyzed_by,
                analysis_level=analysis_level,
                progress=show,
            )
        print_lines(of_others(done), console_for_output(stderr=True))
        yield MadeTable(TableFiles(decisions, (candidates,) if candidates else ()), done)


def _say_skipped(done: ExportSummary) -> None:
    """Name what was left out of a folder, as far as it is known by name."""
    skipped = SkippedFiles()
    for why, paths in done.examples.items():
        for path in paths:
            skipped.add(path, why)
        skipped.count_unnamed(done.skipped[why] - len(paths))
    skipped.say_rest()


def refuse_candidates_of_records(candidates: str | None, table: str) -> None:
    """Raises Refused for a file of candidates beside records."""
    if candidates and not is_table(table):
        raise Refused(
            f"--candidates: {table} is no .parquet TABLE; those of records are made with theirs"
        )


def is_table(path: str) -> bool:
    """Whether it is to be read as a table: also if nothing can be read there, for the error that says so."""
    if is_folder(path):
        return is_folder_of_tables(path)
    if path.endswith(".parquet"):
        return True
    if not Path(path).is_file():  # nothing is there, as the reader of tables says
        return True
    try:
        with Path(path).open("rb") as file:
            return beginning(file, len(_PARQUET)) == _PARQUET
    except OSError:  # it cannot be opened, as the reader of tables says
        return True
