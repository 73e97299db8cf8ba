"""The table of decisions as it is asked: Parquet files read row group by row group, only what is needed of each."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, partial, reduce
from pathlib import Path
from typing import Any

from gammonrules.archive.conditions import Condition, conditions_in
from gammonrules.archive.row_files import OURS, pyarrow, schema
from gammonrules.archive.source_files import Paths, one_by_one, sentence
from gammonrules.disk_files import ordinary_file, path_text
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.values import saying_where


def search(tables: Paths, *conditions: object, any_score: bool = False, columns: Sequence[str] | None = None) -> Any:
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

    A table is read row group by row group, and of each only the columns that are needed, so that it may be larger than
    the memory.

    Args:
        tables: the path of a table in Parquet, or an iterable of them.
        conditions: what a row must meet; without any, all rows are returned.
        any_score: whether an XGID or a state stands for its board, turn and dice, at any score and cube; False (the
            default) for all of it.
        columns: the names of the columns to return, in this order; None (the default) for all.

    Returns:
        A pyarrow Table of the rows in the order of the tables, with the columns and types of `to_table`.

    Raises:
        ParseError: a file is no such table, cannot be read, or lacks a column; the message begins with its path.
        ArgumentError: no board meets a pattern, there is no such column, or a value is not of its type.
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
    names: Sequence[str] = schema("decisions").names if columns is None else columns
    parts = [*selected(tables, conditions, names, any_score=any_score)]
    return pyarrow().concat_tables([schema("decisions").empty_table().select(names), *parts])


def selected(tables: Paths, asked: Iterable[object], columns: Sequence[str], *, any_score: bool) -> Iterator[Any]:
    """The rows that meet all conditions, as pyarrow Tables, each of a row group; raises errors like `search`."""
    if unknown := {*columns}.difference(schema("decisions").names):
        raise ArgumentError(f"the table of decisions has no column {', '.join(sorted(unknown))}")
    conditions = [condition for each in asked for condition in conditions_in(each, any_score=any_score)]
    for path in map(path_text, one_by_one([tables])):
        if Path(path).is_dir():
            raise ParseError(f"{path}: this is a folder: gammonrules export makes a table of its records")
        try:
            with saying_where(path, ParseError), ordinary_file(Path(path)):
                yield from _rows(path, conditions, columns)
        except OSError as error:
            raise ParseError(f"{path}: {sentence(error)}") from None
        except (pyarrow().ArrowException, UnicodeDecodeError):
            raise ParseError(f"{path}: this is no table that export has written to a .parquet file") from None


def _rows(path: str, conditions: Collection[Condition], columns: Sequence[str]) -> Iterator[Any]:
    pa, compute, known = pyarrow(), pyarrow("pyarrow.compute"), schema("decisions")
    # Not Python's own file, since the threads of pyarrow would need the interpreter, even at its end.
    file, parquet = pa.OSFile(os.fsencode(path)), pyarrow("pyarrow.parquet")
    fields = parquet.read_schema(file)
    texts = [field.name for field in fields if field.type == pa.string() and field.name in {*known.names} - OURS]
    table = parquet.ParquetFile(file, read_dictionary=texts)

    def read(groups: Sequence[int], names: Sequence[str]) -> Any:
        if missing := [name for name in names if name not in fields.names]:
            raise ParseError(f"the table has no column {', '.join(missing)}")
        return table.read_row_groups(groups, names).select(names)

    def column_of(group: int, name: str) -> Any:
        return read([group], [name])[name].cast(known.field(name).type)

    read([], columns)  # raises errors even if nothing fits
    for group in range(table.num_row_groups):
        column = cache(partial(column_of, group))
        every = pa.repeat(True, table.metadata.row_group(group).num_rows)
        fitting = compute.indices_nonzero(reduce(compute.and_, (meets(column) for meets in conditions), every))
        if len(fitting):
            rows = read([group], columns).take(fitting).cast(pa.schema(map(known.field, columns)))
            rows.validate(full=True)
            yield rows
