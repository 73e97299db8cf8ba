"""Parquet tables of decisions: real ones in several encodings, with pages, headers and footers changed."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzzing.harness import attempt
from fuzzing.readers import DATA, changed_bytes
from gammonrules import ParseError
from gammonrules.limits import MAX_MESSAGE_LENGTH
from gammonrules.records import search, to_table

Case = tuple[bytes, tuple[str, ...] | None]
"""A file, and the columns that are asked for."""
SECONDS = 2.0
WRITTEN: tuple[dict[str, Any], ...] = (
    {"compression": "none", "row_group_size": 7},
    {"compression": "snappy", "data_page_size": 100, "data_page_version": "2.0"},
    {"compression": "zstd", "use_dictionary": False},
    {"compression": "gzip", "column_encoding": {"equity": "BYTE_STREAM_SPLIT"}, "use_dictionary": ["player"]},
    {"compression": "none", "use_dictionary": False, "column_encoding": {"game": "DELTA_BINARY_PACKED"}},
)
COLUMNS = None, ("player",), ("xgid", "equity", "dice"), ("game",), ()


@cache
def files() -> list[bytes]:
    table, written = to_table(DATA / "matches" / "xg-text" / "match1.txt").slice(0, 40), list[bytes]()
    for options in WRITTEN:
        pq.write_table(table, file := BytesIO(), **options)
        written.append(file.getvalue())
    return written


def case(rng: random.Random) -> Case:
    """Changes anywhere, or in the footer alone, whose length is right."""
    content, columns = rng.choice(files()), rng.choice(COLUMNS)
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    if rng.random() < 0.5:
        return changed_bytes(rng, content), columns
    changed = changed_bytes(rng, content[footer:-8])
    return content[:footer] + changed + len(changed).to_bytes(4, "little") + content[-4:], columns


def check(case: Case) -> None:
    """The rows that fit, or a sentence that names the file; memory is bounded, as by `tests/fuzz.py`."""
    content, columns = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.parquet")
        path.write_bytes(content)
        rows, error = attempt(
            lambda: search(path, "player != Ann", columns=columns),
            seconds=SECONDS,
            longest=MAX_MESSAGE_LENGTH + len(str(path)),
        )
    assert isinstance(rows, pa.Table) or isinstance(error, ParseError), error
    assert error is None or str(error).startswith(f"{path}: ")
