"""What tests of this folder share; what is open for them ends with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from open_engines import close_all

from gammonrules import draw


@pytest.fixture(scope="session", autouse=True)
def _closing() -> Iterator[None]:
    yield
    close_all()


@pytest.fixture(scope="session")
def opponent_js(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("opponent")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "match.js").write_text(draw.match_js(), encoding="utf-8")
    (folder / "opponent.js").write_text(draw.opponent_js(module=True), encoding="utf-8")
    return folder / "opponent.js"
