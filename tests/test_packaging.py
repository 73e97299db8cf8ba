"""The package as it is installed: metadata, typing, imports, and what importing it costs."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import gammonrules

ROOT = Path(__file__).parent.parent


def imported_by_the_package() -> set[str]:
    """The modules in `sys.modules` after `import gammonrules` in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", "import gammonrules, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_version_is_the_one_of_the_changelog() -> None:
    version = importlib.metadata.version("gammonrules")
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_only_attrs_is_required() -> None:
    required = [line for line in importlib.metadata.requires("gammonrules") or () if "extra ==" not in line]
    assert [line.split(">")[0] for line in required] == ["attrs"]


def test_typed() -> None:
    spec = importlib.util.find_spec("gammonrules")
    assert spec is not None
    assert spec.origin is not None
    assert (Path(spec.origin).parent / "py.typed").exists()


def test_importing_the_package_needs_attrs_alone() -> None:
    assert imported_by_the_package() & {"click", "rich", "numpy", "hypothesis", "pytest"} == set()


def test_drawings_records_and_the_command_are_loaded_when_used() -> None:
    rooms = {"gammonrules.draw", "gammonrules.records", "gammonrules.cli"}
    assert imported_by_the_package() & rooms == set()


@pytest.mark.parametrize("name", gammonrules.__all__)
def test_public_names_exist_and_are_documented(name: str) -> None:
    value = getattr(gammonrules, name)
    if isinstance(value, type):
        assert value.__doc__
        assert value.__module__.startswith("gammonrules")
