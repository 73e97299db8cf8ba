"""The forms in which rows are written: Parquet by pyarrow, which is an extra, CSV and JSON lines by Python itself.

The rows of a file are encoded where the file is read, so that workers do this part too.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from operator import attrgetter
from types import SimpleNamespace
from typing import IO, Any, Final, TypeVar

from attrs import frozen

from gammonrules._shared.extras import importing
from gammonrules._shared.work import is_child
from gammonrules.errors import ArgumentError
from gammonrules.records.archive.column_values import Columns
from gammonrules.records.archive.decision_table import COLUMNS_OF, FILLED_COLUMNS, Table, names_of
from gammonrules.values import one_of, shown

_Part = TypeVar("_Part")

ROWS_OF_A_GROUP: Final = 65_536
"""Rows that are kept until they are written together, as a row group of a Parquet file."""
VERSION_KEY: Final = "gammonrules.table"
VERSION: Final = "2"
"""Of the columns and what they mean, in the metadata of tables; raised when tables that exist mean something else."""


@frozen
class Form:
    """A way to write a table."""

    encode: Callable[[Table, Columns], bytes]
    """Makes bytes of columns; it can be pickled, since the process that reads a file calls it."""
    writer: Callable[[IO[bytes], Table], AbstractContextManager[Callable[[bytes], object]]]
    """A block in which a function adds such bytes to a table."""


# --- CSV and JSON lines -------------------------------------------------------------------------------------------


def csv_of(table: Table, columns: Columns) -> bytes:
    """Lines of comma-separated values in UTF-8; null is empty, booleans are `true` and `false`, floats are short."""
    lines: list[str] = []
    file: Any = SimpleNamespace(write=lines.append)
    # Before Python 3.13 the csv module quotes a "\r" or a "\n" in a cell only if it is among those that end lines:
    # so both end them there, and only the second in the file.
    writer = csv.writer(file, lineterminator="\r\n")
    texts = _texts_in(table)
    for row in zip(*columns, strict=True):
        writer.writerow(_plain_cells(row, texts))
    return "".join(line.removesuffix("\r\n") + "\n" for line in lines).encode()


def _plain_cells(row: Sequence[Any], texts: Sequence[int]) -> list[Any]:
    """The cells of a row for the csv module; `texts` has the indexes of those that a spreadsheet might execute."""
    # it writes None as nothing, and a date in the one way that reads back
    cells = [_plain_cell(value) for value in row]
    for index in texts:
        text = cells[index]
        if text and not _SIGNS.isdisjoint(text):
            cells[index] = _FORMULA.sub("'", text)
    return cells


def _plain_cell(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")  # which the csv module writes with no more digits
    return _BOOLEANS[value] if isinstance(value, bool) else value


_BOOLEANS: Final = {True: "true", False: "false"}
_DIGITS: Final = 7
"""Of a float: single precision, in which most programs store analyses, is good for no more."""


_SIGNS: Final = frozenset("=+-@＝＋－＠\t\r\n")  # noqa: RUF001
_FORMULA: Final = re.compile(r"""(?:^|(?<=[;\t\r\n]))(?=['"]*[=+\-@＝＋－＠\t\r\n])""")  # noqa: RUF001
"""Where a text begins that a spreadsheet may execute, also one that takes a semicolon or a tab for the end of a cell:
strangers choose names. Apostrophes there count, so that taking one away at each such place restores the text."""


@cache
def _texts_in(table: Table) -> tuple[int, ...]:
    """The columns to look at: no stranger chooses the others, and a Position ID may begin with a plus sign."""
    indexes: list[int] = []
    for index, filled in enumerate(FILLED_COLUMNS[table]):
        if filled.column.type == "text" and not filled.is_ours:
            indexes.append(index)
    return tuple(indexes)


def _csv_writer(file: IO[bytes], table: Table) -> AbstractContextManager[Callable[[bytes], object]]:
    # with the mark of UTF-8, without which Excel takes the bytes for another encoding
    file.write((",".join(names_of(table)) + "\n").encode("utf-8-sig"))
    return nullcontext(file.write)


def json_lines_of(table: Table, columns: Columns) -> bytes:
    names = names_of(table)
    lines: list[str] = []
    for row in zip(*columns, strict=True):
        cells = dict(zip(names, row, strict=True))
        lines.append(_ENCODER.encode(cells) + "\n")
    return "".join(lines).encode()


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=str)  # for dates


# --- Parquet ------------------------------------------------------------------------------------------------------


@cache
def pyarrow(module: str = "pyarrow") -> Any:
    """The library pyarrow, or a module of it. Raises ImportError, which says how to install it."""
    if is_child():
        _hide_pandas()
    with importing("pyarrow", "a table or a Parquet file", "tables"):
        import_module("pyarrow")
    return import_module(module)


@cache
def _hide_pandas() -> None:
    """Make pandas look uninstalled; a None in `sys.modules` is not enough for compiled code.

    pyarrow imports it, if it can, to ask whether a list is one of its values; that takes longer than many files.
    """
    sys.meta_path.insert(0, _WithoutPandas())


class _WithoutPandas(MetaPathFinder):
    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        if fullname == "pandas":
            raise ModuleNotFoundError("not needed here", name=fullname)


@cache
def table_schema(table: Table) -> Any:
    """The columns for pyarrow, with their meanings and the version as metadata. Raises ImportError like `pyarrow`."""
    pa = pyarrow()
    types = {
        "text": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "date": pa.date32(),
        "time": pa.time32("ms"),  # Parquet has no seconds
    }
    fields = [
        pa.field(
            column.name,
            types[column.type],
            metadata={"meaning": column.meaning, "unit": column.unit},
        )
        for column in COLUMNS_OF[table]
    ]
    return pa.schema(fields, {VERSION_KEY: VERSION})


def arrow_of(table: Table, columns: Columns) -> bytes:
    """The columns in Arrow's format for sending."""
    pa = pyarrow()
    fields = table_schema(table)
    rows = len(columns[0])
    arrays: list[Any] = []
    for values, kind in zip(columns, fields.types, strict=True):
        # most columns are the same in all rows: those about the match, and about an analysis if there is none
        may_be_constant = values[0] is values[-1]  # a quick test, which most other columns fail
        if may_be_constant and values.count(values[0]) == rows:
            arrays.append(pa.repeat(pa.scalar(values[0], kind), rows))
        else:
            arrays.append(pa.array(values, kind))
    sent: bytes = pa.record_batch(arrays, schema=fields).serialize().to_pybytes()
    return sent


def joined_tables(parts: Iterable[bytes], table: Table) -> Iterator[Any]:
    """The parts, joined to pyarrow Tables of at least `ROWS_OF_A_GROUP` rows, except for the last."""
    pa = pyarrow()
    ipc = pyarrow("pyarrow.ipc")
    fields = table_schema(table)
    batches = (ipc.read_record_batch(part, fields) for part in parts)

    def joined(group: list[Any]) -> Any:
        return pa.Table.from_batches(group, fields).combine_chunks()

    # not in a loop, whose variable would hold a group while the next one is collected
    return map(joined, gathered(batches, attrgetter("num_rows"), ROWS_OF_A_GROUP))


def gathered(
    parts: Iterable[_Part], rows_of: Callable[[_Part], int], enough: int
) -> Iterator[list[_Part]]:
    """The parts in groups, each of which ends as soon as it has enough rows."""
    group = list[_Part]()
    rows = 0
    for part in parts:
        group.append(part)
        rows += rows_of(part)
        if rows >= enough:
            yield group
            group = []
            rows = 0
    if group:
        yield group


@contextmanager
def _parquet_writer(file: IO[bytes], table: Table) -> Generator[Callable[[bytes], object]]:
    """A Parquet file with row groups of about the same size, however many rows the files have."""
    repeated = [
        filled.column.name
        for filled in FILLED_COLUMNS[table]
        if filled.column.type != "float" and not filled.is_ours
    ]
    parquet = pyarrow("pyarrow.parquet")
    writer = parquet.ParquetWriter(
        file, table_schema(table), compression="zstd", use_dictionary=repeated
    )
    waiting: list[bytes] = []

    def write() -> None:
        for rows in joined_tables(waiting, table):
            writer.write_table(rows)
            del rows  # it may be large, and would stay while the next one is collected
        waiting.clear()

    def add(part: bytes) -> None:
        waiting.append(part)
        if sum(map(len, waiting)) >= _BYTES_OF_A_GROUP:
            write()

    try:
        yield add
        write()
        writer.close()
    finally:
        # after an error: else pyarrow would write the end of the file when the writer is garbage collected
        writer.is_open = False


_BYTES_OF_A_GROUP: Final = 24 * 1024 * 1024
"""Some 50,000 rows as they are sent."""

FORMS: Final[Mapping[str, Form]] = {
    ".parquet": Form(arrow_of, _parquet_writer),
    ".csv": Form(csv_of, _csv_writer),
    ".jsonl": Form(json_lines_of, lambda file, _: nullcontext(file.write)),
}
"""By the suffix of the file."""


def form_of(name: str) -> Form:
    """The form in which a file with this name is written. Raises ArgumentError if its suffix names no form."""
    for suffix, form in FORMS.items():
        if name.lower().endswith(suffix):
            return form
    raise ArgumentError(
        f"the name of a table must end with {one_of(list(FORMS))}, not {shown(name)}"
    )
