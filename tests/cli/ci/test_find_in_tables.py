"""The command `find` in folders of tables."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import attrs
import pytest
from test_find import ROOT, XG

from commands import refused, run
from gammonrules.records import dump, export
from real_records import loaded

pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")


def test_a_folder_of_tables(here: Path, game: Path) -> None:
    """As its tables, also for `openings`, and with a folder of candidates; nothing in it is replaced."""
    for name in ("tables", "ranked"):
        Path(name).mkdir()
    dump(attrs.evolve(loaded(XG), games=loaded(XG).games[:1]), "first.json")
    for number, path in enumerate((game, "first.json")):
        export(path, f"tables/{number}.parquet", candidates=f"ranked/{number}.parquet", workers=1)
    export([game, "first.json"], "all.parquet", candidates="all-ranked.parquet", workers=1)
    for command in ["find", "error >= 0.01"], ["openings"]:
        by_folder = run(*command, "tables", "--candidates", "ranked", "-o", "-")
        by_table = run(*command, "all.parquet", "--candidates", "all-ranked.parquet", "-o", "-")
        assert (by_folder.exit_code, by_folder.stdout) == (0, by_table.stdout)
    for output in ("tables/1.parquet", "ranked/1.parquet"):
        refused("find", "6:2", "tables", "--candidates", "ranked", "-o", output, "--force", says="that is read")
    shutil.copy(game, "tables/game.json")  # whoever exports the records of a folder into it
    assert run("find", "6:2", "tables").stdout.splitlines()[0] == run("find", "6:2", str(game)).stdout.splitlines()[0]
    Path("empty").mkdir()
    refused("find", "6:2", "empty", says="no files")
    shutil.copy(ROOT / "README.md", "empty")
    refused("find", "6:2", "empty", says="gammonrules export")
