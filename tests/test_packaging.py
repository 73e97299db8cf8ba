"""The package as it is installed: metadata, typing, imports, and what importing it costs."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import re
import runpy
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gammonrules
import processes

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "gammonrules"

FLOORS = (
    ("errors", "_limits", "_numbers"),
    ("dice",),
    ("movegen",),
    ("codecs",),
    ("notation", "_setup"),
    ("position", "_array_checks"),
    ("rules", "_perft"),
    ("match", "_table", "_table_checks", "_table_rules"),
    ("identifiers", "json", "records", "draw", "batch"),
    ("strategies", "_hypothesis"),
    ("cli",),
)


def loaded_by(program: str) -> set[str]:
    """The modules in `sys.modules` after a program in a fresh interpreter."""
    done = processes.run(sys.executable, "-c", f"{program}\nimport sys; print(*sys.modules)")
    return set(done.stdout.split())


def test_version_is_the_one_of_the_changelog() -> None:
    version = importlib.metadata.version("gammonrules")
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_only_attrs_is_required() -> None:
    required = [line for line in importlib.metadata.requires("gammonrules") or () if "extra ==" not in line]
    assert [line.split(">")[0] for line in required] == ["attrs"]


def test_the_notices_of_others_come_with_it() -> None:
    """The distributions carry the file, and it names every folder of match records."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "THIRD_PARTY_NOTICES.md" in project["license-files"]
    notices = (ROOT / "THIRD_PARTY_NOTICES.md").read_text(encoding="utf-8")
    folders = {path.parent for path in [*ROOT.glob("tests/data/*/**/*"), *ROOT.glob("examples/matches/**/*")]}
    with_records = [path.relative_to(ROOT).as_posix() for path in folders if path.name not in {"data", "matches"}]
    assert len(with_records) >= 9
    assert [folder for folder in with_records if f"`{folder}`" not in notices] == []


@pytest.mark.parametrize(
    ("python", "switch", "compiled"),
    [("cpython", "0", True), ("cpython", "1", False), ("pypy", "0", False), ("graalpy", "", False)],
)
def test_the_compiled_twin_is_built_for_cpython_only(
    monkeypatch: pytest.MonkeyPatch, python: str, switch: str, *, compiled: bool
) -> None:
    """It writes into objects as CPython lays them out."""
    setuptools: Any = ModuleType("setuptools")
    setuptools.Distribution, built = type("Distribution", (), {}), {}
    setuptools.setup = built.update
    monkeypatch.setitem(sys.modules, "setuptools", setuptools)
    monkeypatch.setattr(sys.implementation, "name", python)
    monkeypatch.setenv("GAMMONRULES_PURE_PYTHON", switch)
    runpy.run_path(str(ROOT / "setup.py"))
    assert (built["distclass"] is setuptools.Distribution) == compiled


def test_typed() -> None:
    assert Path(gammonrules.__file__).with_name("py.typed").exists()


def test_importing_the_package_loads_no_room() -> None:
    assert [name for name in loaded_by("import gammonrules") if name.startswith(("gammonrules.", "attr"))] == []


def test_the_table_needs_attrs_alone() -> None:
    loaded = loaded_by("import gammonrules; gammonrules.MatchState.new(7).opening_roll(3, 1).play('8/5 6/5')")
    assert loaded & {"click", "rich", "numpy", "hypothesis", "pytest", "cattrs"} == set()
    rooms = {"batch", "draw", "records", "cli", "identifiers"}
    assert loaded & {f"gammonrules.{room}" for room in rooms} == set()


def floor_of(module: str) -> int:
    """The floor of a module such as "records.mat"; ValueError if its room stands nowhere."""
    room = module.partition(".")[0]
    return [room in rooms for rooms in FLOORS].index(True)


def imports_of(path: Path) -> Iterator[str]:
    """What a module imports of the package when it is itself imported: not for annotations, not inside functions."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            home, _, module = node.module.partition(".")
            if home == "gammonrules":
                yield from [module] if module else (alias.name for alias in node.names)


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_imports_go_down(path: Path) -> None:
    """Rooms on floors: a module imports from its own floor or from below; only the front door imports everything."""
    here = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
    if here != "__init__":
        assert [module for module in imports_of(path) if floor_of(module) > floor_of(here)] == []


@pytest.mark.parametrize("room", ["draw.svg", "draw.text", "match", "position", "rules", "identifiers"])
def test_nothing_of_a_network_is_loaded(room: str) -> None:
    network = {"urllib.request", "http.client", "socket", "ssl", "email", "xml.sax.saxutils"}
    assert loaded_by(f"import gammonrules.{room}") & network == set()


@pytest.mark.parametrize("name", gammonrules.__all__)
def test_public_names_exist_and_are_documented(name: str) -> None:
    value = getattr(gammonrules, name)
    if isinstance(value, type):
        assert value.__doc__
        assert value.__module__.startswith("gammonrules")


PUBLIC_MODULES = (
    *("batch", "dice", "draw", "draw.svg", "errors", "identifiers", "json", "match", "position", "records", "rules"),
    "strategies",
)


def documented_names() -> set[str]:
    """Every name that a reference page prints from its docstring."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    return {name for page in pages for name in re.findall(r"(?m)^::: (\S+)$", page.read_text(encoding="utf-8"))}


@pytest.mark.parametrize("name", ["gammonrules", *(f"gammonrules.{name}" for name in PUBLIC_MODULES)])
def test_public_names_are_on_a_reference_page(name: str) -> None:
    """Each under its own module, or under the package, which is the shorter way to import it."""
    module, documented = importlib.import_module(name), documented_names()
    public = [known for known in module.__all__ if not isinstance(getattr(module, known), ModuleType)]
    assert [known for known in public if not {f"{name}.{known}", f"gammonrules.{known}"} & documented] == []


def test_reference_pages_name_public_names_only() -> None:
    for documented in documented_names():
        module, _, name = documented.rpartition(".")
        assert name in importlib.import_module(module).__all__


def test_rooms_are_loaded_at_their_first_use() -> None:
    loaded = loaded_by("import gammonrules; gammonrules.records.referee, gammonrules.draw.board")
    assert {"gammonrules.records", "gammonrules.draw", "gammonrules.match"} <= loaded
    assert gammonrules.__getattr__("records") is importlib.import_module("gammonrules.records")
    assert gammonrules.__getattr__("Dice") is importlib.import_module("gammonrules.dice").Dice
    with pytest.raises(AttributeError, match="module 'gammonrules' has no attribute 'castle'"):
        _ = gammonrules.castle


def test_names_and_rooms_are_listed() -> None:
    assert set(gammonrules.__all__) <= set(dir(gammonrules))
    assert {"position", "strategies"} <= set(dir(gammonrules))
