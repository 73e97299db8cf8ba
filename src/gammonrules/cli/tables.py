"""Tables of decisions that commands read, also of records from which none has been made yet."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from gammonrules import records
from gammonrules._shared.disk_files import beginning
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.export import of_others, progress_by_file
from gammonrules.cli.output import is_folder, say_cut
from gammonrules.cli.refusals import Refused
from gammonrules.records.archive import sources

_PARQUET = b"PAR1"


def inputs_of(path: str) -> list[str]:
    """What is read there, so that it is not replaced."""
    inputs = [path]
    if is_folder(path):
        inputs += (source.archive or source.path for source in sources(path))
    return inputs


@contextmanager
def table_at(path: str, ranked: str | None = None) -> Generator[str]:
    """A table, or for a while that of the records in a folder or file, each game once. Raises Refused.

    Beside one that is made for a while is that of the candidates, if `ranked` names it.
    """
    if is_table(path):
        yield path
        return
    console = console_for_output(stderr=True)
    with TemporaryDirectory() as folder:
        file = str(Path(folder) / "decisions.parquet")
        with progress_by_file([path], console) as show:
            candidates = str(Path(folder) / ranked) if ranked else None
            done = records.export(path, file, candidates=candidates, unique="game", progress=show)
        why = None
        if done.unread:
            _, why = done.unread[0]
        elif not done.matches:
            why = "no match in this folder can be read"
        if why is not None:
            raise Refused(f"{path}: {why}; a table is made by gammonrules export")
        print_lines(of_others(done), console)
        say_cut(done.cut)
        yield file


def is_table(path: str) -> bool:
    """Whether it is to be read as a table: also if it cannot be read, which is said then."""
    if is_folder(path):
        return False
    if path.endswith(".parquet") or not Path(path).is_file():
        return True
    with suppress(OSError), Path(path).open("rb") as file:
        return beginning(file, len(_PARQUET)) == _PARQUET
    return True
