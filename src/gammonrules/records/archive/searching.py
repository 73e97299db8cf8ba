"""The table of decisions as it is asked: Parquet files read in parts, only what is needed of each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from gammonrules._shared.disk_files import ordinary_file, path_text
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import MAX_ROWS_OF_A_GROUP, UNPACKED_TABLE, UNPACKED_TABLE_RATIO
from gammonrules.records.archive.conditions import Condition, conditions_in, no_column
from gammonrules.records.archive.decision_table import LATER, Table
from gammonrules.records.archive.parquet_pages import Group, groups_of
from gammonrules.records.archive.row_files import VERSION, VERSION_KEY, pyarrow, table_schema
from gammonrules.records.archive.source_files import Paths, one_by_one, sentence
from gammonrules.values import first_items, saying_where, shown


def search(
    tables: Paths,
    *conditions: object,
    any_score: bool = False,
    columns: Sequence[str] | None = None,
) -> Any:
    """The decisions that meet all conditions, from tables that `export` has written (extra `tables`).

    A condition is a text, a `Position` or a `MatchState`. A text is one of three:

    - *A pattern* such as "13:5 6:2+ bar:0 vs 20:2" says how many checkers of the decider are on a point, with "+" at
      least, with "-" at most so many. "4-8:2+" says it of each point from 4 to 8. After "vs" follow the opponent's
      checkers, by the opponent's own numbers. What is not named does not matter.
    - *A comparison* such as "error >= 0.08" or "player = Ann Lee" has a column, one of = != < <= > >=, and a value or
      another column of the same type. "best =" asks for rows without a value, "best !=" for those with one; a row
      without a value meets no other comparison.
    - *An identifier* is one that `identifiers.read` takes. A Position ID is a board as the decider sees it, whatever
      else is on the table, and so is a `Position`. An XGID asks for itself, whichever player is White; so do a
      `MatchState` and the other identifiers of states.

    A table is read in parts, and of each only the columns that are needed, so that it may be larger than the memory.

    Args:
        tables: the path of a table in Parquet, or of a folder that has nothing but such tables, all of which are read
            by name; or an iterable of paths. In a folder, names that begin with "." or "_" do not count.
        conditions: what a row must meet; without any, all rows are returned.
        any_score: whether an XGID or a state stands for its board, turn and dice, at any score and cube; False (the
            default) for all of it.
        columns: the names of the columns to return, in this order; None (the default) for all.

    Returns:
        A pyarrow Table of the rows in the order of the tables, with the columns and types of `to_table`.

    Raises:
        ParseError: a file is no such table, is one of another version, cannot be read, or lacks a column; some tables
            are of decisions and others of candidates; a folder has no table, or something else in it. The message
            begins with the path.
        ArgumentError: no board meets a pattern, there is no such column, or a column cannot contain a value.
        IdentifierError: a text is none of the three.
        GammonError: a roll or an identifier cannot be read.
        ImportError: pyarrow is not installed.

    Examples:
        >>> import tempfile
        >>> from gammonrules.records import export, search
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     done = export("examples/matches/studio", f"{folder}/a.parquet")
        ...     prime = search(f"{folder}/a.parquet", "4-8:2+ vs bar:1+")
        ...     opening = search(f"{folder}/a.parquet", "4HPwATDgc/ABMA", "dice = 31")
        >>> prime.num_rows, opening.num_rows, sorted({*opening['action'].to_pylist()})
        (3, 2, ['8/5 6/5'])
    """
    names: Any = table_schema("decisions").names
    if columns is not None:
        names = first_items(columns, _MAX_COLUMNS)
    if names is None or not all(isinstance(name, str) for name in names):
        raise ArgumentError(f"columns must be names of columns, not {shown(columns, 60)}")
    parts = [*selected(tables, conditions, names, any_score=any_score)]
    # with an empty table first, the result has its columns even if no row meets the conditions
    empty = table_schema("decisions").empty_table().select(names)
    return pyarrow().concat_tables([empty, *parts], promote_options="default")


_MAX_COLUMNS: Final = 1_000
"""More than the table has; the rest of an endless series is not read."""


def selected(
    tables: Paths,
    conditions: Iterable[object],
    columns: Sequence[str],
    *,
    any_score: bool,
    of: Table | None = None,
) -> Iterator[Any]:
    """The rows that meet all conditions, as pyarrow Tables of some rows; raises errors like `search`.

    `of`: what all tables are of; by default, what the first is of.
    """
    unknown = {*columns}.difference(table_schema("decisions").names)
    if unknown:
        raise no_column(min(unknown))
    read_conditions: list[Condition] = []
    for condition in conditions:
        read_conditions += conditions_in(condition, any_score=any_score)
    for path in _paths_of_tables(tables):
        try:
            with saying_where(path, ParseError), ordinary_file(Path(path)):
                read = _ParquetFile(path)
                of = of or read.kind
                read.check_kind(of)
                yield from _matching_rows(read, read_conditions, columns)
        except OSError as error:
            raise ParseError(f"{path}: {sentence(error)}") from None
        except (pyarrow().ArrowException, UnicodeDecodeError):
            raise ParseError(
                f"{path}: this is no table that export has written to a .parquet file"
            ) from None


def _paths_of_tables(tables: Paths) -> Iterator[str]:
    """The paths, and in the place of a folder those of the tables in it, by name. Raises ParseError, as `search`."""
    for path in map(path_text, one_by_one([tables])):
        if Path(path).is_dir():
            yield from _paths_in_folder(path)
        else:
            yield path


def _paths_in_folder(folder: str) -> list[str]:
    try:
        names = _visible_names(folder)
    except OSError as error:
        raise ParseError(f"{folder}: {sentence(error)}") from None
    if not any(map(_is_name_of_table, names)):
        raise ParseError(
            f"{folder}: no table is in this folder: gammonrules export makes one of records"
        )
    return [str(Path(folder, name)) for name in names]


def is_folder_of_tables(path: str) -> bool:
    """Whether it is a folder that has tables, and nothing else."""
    with suppress(OSError):
        names = _visible_names(path)
        return len(names) > 0 and all(map(_is_name_of_table, names))
    return False


def _is_name_of_table(name: str) -> bool:
    return name.endswith(".parquet")


def _visible_names(folder: str) -> list[str]:
    """What is in a folder, but for the names that readers of Parquet skip. Raises OSError."""
    return sorted(name for name in os.listdir(folder) if name[0] not in "._")  # noqa: PTH208


_COLUMN_OF_CANDIDATES: Final = "play"
"""One that no table of decisions has."""
_KEYS: Final = "file", "game", "number"
_OF_CANDIDATES: Final = *_KEYS, "position_id", "equity"


def candidates_of_rows(
    rows: Iterable[Mapping[str, Any]], tables: Paths
) -> Iterator[dict[str, Any]]:
    """The candidates of these decisions, from tables of candidates; raises errors like `search`."""
    key_of = itemgetter(*_KEYS)
    wanted = {key_of(row) for row in rows}
    if not wanted:
        return
    compute = pyarrow("pyarrow.compute")
    numbers = pyarrow().array(sorted({number for _, _, number in wanted}))
    for chunk in selected(tables, ["equity !="], _OF_CANDIDATES, any_score=False, of="candidates"):
        perhaps = chunk.filter(compute.is_in(chunk["number"], value_set=numbers))
        for candidate in perhaps.to_pylist():
            if key_of(candidate) in wanted:
                yield candidate


def _matching_rows(
    read: _ParquetFile, conditions: Collection[Condition], columns: Sequence[str]
) -> Iterator[Any]:
    """The rows of a file that meet all conditions, as pyarrow Tables with these columns."""
    pa = pyarrow()
    known = table_schema("decisions")
    needed = _columns_read_by(conditions)
    columns = [name for name in columns if name not in LATER or name in read.fields.names]
    schema = pa.schema([known.field(name) for name in columns])
    read.check([*columns, *needed])
    for group in range(len(read.groups)):
        # first which rows fit, by the columns that the conditions need; then these rows of the columns asked for
        no_rows = pa.array([], pa.bool_())  # since a group may have no batch
        fitting = pa.concat_arrays([no_rows, *_rows_that_fit(read, group, conditions, needed)])
        if fitting.true_count == 0:
            continue
        rows_before = 0
        for batch in read.batches(group, columns):
            fitting_in_batch = fitting.slice(rows_before, batch.num_rows)
            rows_before += batch.num_rows
            if fitting_in_batch.true_count > 0:
                rows = pa.Table.from_batches([batch]).filter(fitting_in_batch).select(columns)
                yield read.decoded(rows).cast(schema)


def _columns_read_by(conditions: Iterable[Condition]) -> list[str]:
    """The columns that conditions read: each is tried on columns without rows, which take note of their names."""
    pa = pyarrow()
    names = dict[str, None]()  # as a set that keeps the order

    def column_without_rows(name: str) -> Any:
        names[name] = None
        return pa.array([], table_schema("decisions").field(name).type)

    for condition in conditions:
        condition(column_without_rows)
    return [*names]


def _rows_that_fit(
    read: _ParquetFile, group: int, conditions: Collection[Condition], needed: Sequence[str]
) -> Iterator[Any]:
    """Which rows of a group meet all conditions, as booleans, batch by batch."""
    pa = pyarrow()
    compute = pyarrow("pyarrow.compute")
    known = table_schema("decisions")

    def column_of(rows: Any, name: str) -> Any:
        return rows[name].combine_chunks().cast(known.field(name).type)

    if not needed:  # without a condition that reads a column, all rows fit
        yield pa.repeat(True, read.groups[group].rows)
        return
    for batch in read.batches(group, needed):
        rows = read.decoded(pa.Table.from_batches([batch]))
        column = cache(partial(column_of, rows))  # several conditions may ask for one
        fitting = pa.repeat(True, batch.num_rows)
        for condition in conditions:
            fitting = compute.and_(fitting, condition(column))
        yield compute.fill_null(fitting, False)  # a row without the value meets no condition


class _ParquetFile:
    """A Parquet file that a stranger may have made: what it unpacks to is bounded by its size."""

    def __init__(self, path: str) -> None:
        # Not Python's own file, since the threads of pyarrow would need the interpreter, even at its end.
        source = pyarrow().OSFile(os.fsencode(path))
        parquet = pyarrow("pyarrow.parquet")
        self.source = source
        self.fields = parquet.read_schema(source)
        known = table_schema("decisions").names
        texts = [
            field.name for field in self.fields if field.name in known and _is_text(field.type)
        ]
        # each text stays once, as in the file, until `decoded` has counted how large all together are
        self.file = parquet.ParquetFile(source, read_dictionary=texts)
        self.groups = list[Group]()
        self._bytes_left = UNPACKED_TABLE + UNPACKED_TABLE_RATIO * source.size()

    @property
    def kind(self) -> Table:
        return "candidates" if _COLUMN_OF_CANDIDATES in self.fields.names else "decisions"

    def check_kind(self, of: Table) -> None:
        """Raises ParseError if it is a table of the other kind."""
        if self.kind != of:
            raise ParseError(f"this is a table of {self.kind}, where one of {of} is needed")

    def check(self, columns: Iterable[str]) -> None:
        """Raises ParseError for what cannot be read in bounded memory, or is not there."""
        self._check_version()
        names = Counter[str](self.fields.names)
        needed = dict.fromkeys(columns)
        missing = [name for name in needed if not names[name]]
        if missing:
            raise ParseError(f"the table has no column {', '.join(missing)}")
        twice = [name for name in needed if names[name] > 1]
        if twice:
            raise ParseError(f"the table has a column twice: {twice[0]}")
        for name in needed:
            kind = self.fields.field(name).type
            if not _is_flat(kind):
                raise ParseError(f"the column {name} has the type {shown(str(kind), 60)}")
        try:
            self.groups = groups_of(self._bytes, self.source.size())
            unpacked = 0
            for group in self.groups:
                for name in needed.keys() & group.columns:
                    unpacked += group.unpacked_size(self._bytes, name)
        except ValueError:
            raise pyarrow().ArrowInvalid("its end, or a page, is damaged") from None
        if any(group.rows > MAX_ROWS_OF_A_GROUP for group in self.groups):
            raise ParseError(f"a group of the table has more than {MAX_ROWS_OF_A_GROUP:,} rows")
        self._count(unpacked)

    def _check_version(self) -> None:
        metadata: dict[bytes, bytes] = self.fields.metadata or {}
        stated = metadata.get(VERSION_KEY.encode(), b"").decode(errors="replace")
        if stated != VERSION:
            version = f"version {shown(stated, 20)}" if stated else "no version"
            raise ParseError(
                f"the table of decisions has {version}, and version {VERSION} is read: "
                f"make it anew with gammonrules export"
            )

    def _bytes(self, at: int, count: int) -> bytes:
        self.source.seek(at)
        content: bytes = self.source.read(count)
        return content

    def batches(self, group: int, names: Sequence[str]) -> Iterator[Any]:
        yield from self.file.iter_batches(_ROWS_OF_A_BATCH, [group], names)

    def decoded(self, rows: Any) -> Any:
        """The rows, whose texts are not yet repeated; raises ParseError if all so far are too many."""
        for column in rows.columns:
            self._count(sum(_size_of(chunk) for chunk in column.chunks))
        rows.validate(full=True)
        return rows

    def _count(self, size: int) -> None:
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise ParseError("the table unpacks to much more than its size")


def _is_text(kind: Any) -> bool:
    types = pyarrow("pyarrow.types")
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _is_flat(kind: Any) -> bool:
    types = pyarrow("pyarrow.types")
    is_text = _is_text(kind) or (types.is_dictionary(kind) and _is_text(kind.value_type))
    return is_text or bool(types.is_primitive(kind) or types.is_null(kind))


def _size_of(values: Any) -> int:
    """The bytes that values take when each text is there, and some for each row."""
    compute = pyarrow("pyarrow.compute")
    size_of_rows = _MIN_BYTES_OF_A_ROW * len(values)
    texts = getattr(values, "dictionary", None)
    if texts is None:
        return max(int(values.nbytes), size_of_rows)
    values.validate(full=True)  # a stranger's indices may point beyond the texts
    lengths = compute.binary_length(texts).take(values.indices)
    size_of_texts = compute.sum(lengths).as_py()
    if size_of_texts is None:  # no row has a text
        return size_of_rows
    return size_of_rows + int(size_of_texts)


_MIN_BYTES_OF_A_ROW: Final = 8
_ROWS_OF_A_BATCH: Final = 65_536
