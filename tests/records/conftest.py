"""Records that tests of tables and of openings share."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from gammonrules.records import dump
from real_records import loaded

MATCHES = Path(__file__).parents[1] / "data" / "matches"


@pytest.fixture(scope="session")
def by_gnubg_and_xg(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same two games, with the analyses of GNU Backgammon, and with those of eXtreme Gammon, who has one more."""
    folder = tmp_path_factory.mktemp("copies")
    paths = folder / "gnubg.json", folder / "xg.json"
    for name, path in zip(("sgf/test.sgf", "xg/test.xg"), paths, strict=True):
        match = loaded(MATCHES / name)
        first, second = match.games[2:4]
        if path == paths[0]:
            second = attrs.evolve(second, analyses=(*second.analyses[:9], None, *second.analyses[10:]))
        dump(attrs.evolve(match, games=(first, second)), path)
    return paths
