"""The commands in `architecture.md` for a change in each package name every package and `c`, and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import gammonrules

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "development" / "architecture.md"
PACKAGE = Path(gammonrules.__file__).parent
ROW = re.compile(r"^\| ([^|]+) \| `python -m pytest ([^`|]+)` \|$", re.MULTILINE)
LINE = re.compile(r"`(?:python -m pytest )?(tests/[^`]+)`")


def section() -> str:
    _, _, after = PAGE.read_text(encoding="utf-8").partition("### What is run before the gate\n")
    return after.partition("\n## ")[0]


def test_each_package_has_one_row() -> None:
    named = [name for packages, _ in ROW.findall(section()) for name in re.findall("`([^`]+)`", packages)]
    sources = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    names = [f"{path.name}/" if path.is_dir() else path.name for path in sources]
    assert sorted(named) == sorted({*names, "c/"} - {"__init__.py"})


def test_the_tests_of_each_row_exist() -> None:
    paths = [path for words in LINE.findall(section()) for path in words.split()]
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []
