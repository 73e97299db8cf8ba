"""What tests of the command share."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import commands
from gammonrules.records import dump
from real_records import loaded

XG = Path(__file__).parents[2] / "examples" / "matches" / "xg" / "test.xg"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def real_bgsage(monkeypatch: pytest.MonkeyPatch) -> None:
    """bgsage looks ahead, but measures no luck."""
    pytest.importorskip("bgsage", reason="bgsage is not installed", exc_type=ImportError)
    monkeypatch.setattr(*commands.NO_LUCK)


@pytest.fixture(autouse=True)
def bgsage_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere it answers at once."""
    if "real_bgsage" not in request.fixturenames:
        commands.answering_at_once(monkeypatch)


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game that eXtreme Gammon has analyzed, with mistakes of both players."""
    path = tmp_path_factory.mktemp("analyzed") / "game.json"
    match = loaded(XG)
    dump(attrs.evolve(match, games=(attrs.evolve(match.games[2], number=1),)), path)
    return path
