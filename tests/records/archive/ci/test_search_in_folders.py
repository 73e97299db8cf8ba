"""Folders of tables that are searched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
from test_search import table, whole

from gammonrules.records import COLUMNS, openings, search

__all__ = ["table", "whole"]


def test_a_folder_of_tables(whole: Any, tmp_path: Path) -> None:
    """As by a job array: each record in a table of its own; hidden files, and notes of programs, are skipped."""
    folder = tmp_path / "tables"
    folder.mkdir()
    files = whole["file"].unique()[:4]
    for number, file in enumerate(files):
        pq.write_table(whole.filter(pc.equal(whole["file"], file)), folder / f"{number:02}.parquet")
    some = whole.filter(pc.is_in(whole["file"], files))
    for name in (".hidden", "_run.json"):
        (folder / name).touch()
    assert search(folder).sort_by("file") == some.sort_by("file")
    assert search([folder, folder / "00.parquet"]).num_rows > some.num_rows
    assert [*openings(str(folder))] == [*openings(sorted(folder.glob("*.parquet")))]


def test_every_column_can_be_asked_for_and_returned(whole: Any, tmp_path: Path) -> None:
    some, table = whole.slice(0, 100), tmp_path / "some.parquet"
    pq.write_table(some, table)
    for column in COLUMNS:
        without = search(table, f"{column.name} =" if column.name != "xgid" else "game < 0", columns=[column.name])
        assert without.num_rows == some[column.name].null_count
