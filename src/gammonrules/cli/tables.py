"""Tables of decisions that commands read, also of records from which none has been made yet."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from gammonrules import records
from gammonrules._shared.disk_files import beginning
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.export import of_others, progress_by_file
from gammonrules.cli.output import is_folder, say_cut
from gammonrules.cli.refusals import Refused
from gammonrules.records.archive import sources

_PARQUET = b"PAR1"


def inputs_of(path: str, candidates: str | None = None) -> list[str]:
    """What is read there, and a file of candidates, so that none of it is replaced."""
    inputs = [path]
    if candidates:
        inputs.append(candidates)
    if is_folder(path):
        inputs += (source.archive or source.path for source in sources(path))
    return inputs


@frozen
class TableFiles:
    """The file of a table of decisions, and that of its candidates, if there is one."""

    decisions: str
    candidates: tuple[str, ...] = ()


@contextmanager
def table_at(
    path: str, candidates: str | None = None, *, with_candidates: bool = False
) -> Generator[TableFiles]:
    """A table, or for a while that of the records in a folder or file, each game once. Raises Refused.

    The candidates of a table that exists are in a file that is named, if they are asked for; those of records are made
    with theirs.
    """
    if is_table(path):
        yield TableFiles(path, (candidates,) if candidates else ())
        return
    console = console_for_output(stderr=True)
    with TemporaryDirectory() as folder:
        decisions = str(Path(folder) / "decisions.parquet")
        made_candidates = str(Path(folder) / "candidates.parquet") if with_candidates else None
        with progress_by_file([path], console) as show:
            done = records.export(
                path, decisions, candidates=made_candidates, unique="game", progress=show
            )
        why = None
        if done.unread:
            _, why = done.unread[0]
        elif not done.matches:
            why = "no match in this folder can be read"
        if why is not None:
            raise Refused(f"{path}: {why}; a table is made by gammonrules export")
        print_lines(of_others(done), console)
        say_cut(done.cut)
        yield TableFiles(decisions, (made_candidates,) if made_candidates else ())


def refuse_candidates_of_records(candidates: str | None, table: str) -> None:
    """Raises Refused for a file of candidates beside records."""
    if candidates and not is_table(table):
        raise Refused(
            f"--candidates: {table} is no .parquet TABLE; those of records are made with theirs"
        )


def is_table(path: str) -> bool:
    """Whether it is to be read as a table: also if nothing can be read there, for the error that says so."""
    if is_folder(path):
        return False
    if path.endswith(".parquet"):
        return True
    if not Path(path).is_file():  # nothing is there, as the reader of tables says
        return True
    try:
        with Path(path).open("rb") as file:
            return beginning(file, len(_PARQUET)) == _PARQUET
    except OSError:  # it cannot be opened, as the reader of tables says
        return True
