"""What the npm package in `web/` has of the library."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import loop
from gammonrules import __version__
from gammonrules.draw import built_script

WEB = Path(__file__).parents[2] / "web"


def test_its_version_is_that_of_the_library() -> None:
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == __version__.replace("rc", "-rc.")


@pytest.mark.long  # zlib has siblings, whose sizes are others
@loop.rows(
    ("name", "most"),
    ("rules.js", 15_500),
    ("match.js", 30_500),
    ("match-board.js", 60_000),
    *((name, 15_000) for name in ("board.js", "board-classic.js")),
    *((name, 13_500) for name in ("setup.js", "setup-classic.js")),
)
def test_its_scripts_are_small(name: str, most: int) -> None:
    assert len(gzip.compress(built_script(name).encode(), 9)) <= most
