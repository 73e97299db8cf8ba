"""The installed package: metadata, typing, imports, and what importing it loads."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import re
import runpy
import sys
import tomllib
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import api_page
import gammonrules
import loop
import processes
from gammonrules._shared.extras import INSTALL
from layers import HOOKS, LAYER_OF, MODULES, NEEDS, SOURCES, arrows, imports, imports_of, needs, package_of

ROOT = Path(__file__).parent.parent

OPEN_MODULES = {
    "analysis.chances",  # what equities need, without analyses
    "analysis.json_forms",
    "analysis.strategies",
    "equity.arrays",  # NumPy
    "records.transcript.header_tags",
}
"""What neighbors may import of a package beside its own names and its `internals`."""


def loaded_by(*programs: str) -> list[set[str]]:
    """The modules in `sys.modules` after each of these programs, one after another in a fresh interpreter."""
    lines = "".join(f"{program}\nprint(*sys.modules)\n" for program in programs)
    return [
        set(line.split()) for line in processes.run(sys.executable, "-c", f"import sys\n{lines}").stdout.splitlines()
    ]


def test_the_changelog_says_what_is_released() -> None:
    """Its newest version, with a date, is this one; before the first release there is none, and extras need a clone."""
    version = re.escape(importlib.metadata.version("gammonrules"))
    unreleased, *released = re.findall(r"(?m)^## (.+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert unreleased == "[Unreleased]"
    assert all(re.fullmatch(rf"\[{version}\] - \d{{4}}-\d\d-\d\d", heading) for heading in released[:1])
    assert (".[" in INSTALL) == (not released)


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
def test_the_kernel_is_built_for_cpython_only(
    monkeypatch: pytest.MonkeyPatch, python: str, switch: str, *, compiled: bool
) -> None:
    """It writes into objects as CPython lays them out."""
    setuptools: Any = ModuleType("setuptools")
    setuptools.Distribution, built = type("Distribution", (), {}), {}
    setuptools.setup = built.update
    commands = "bdist_wheel", "build_ext", "build_py"
    for command in commands:
        setattr(setuptools, command, type(command, (), {}))
    for module in ("setuptools", "setuptools.command", *(f"setuptools.command.{command}" for command in commands)):
        monkeypatch.setitem(sys.modules, module, setuptools)
    monkeypatch.setattr(sys.implementation, "name", python)
    monkeypatch.setenv("GAMMONRULES_PURE_PYTHON", switch)
    runpy.run_path(str(ROOT / "setup.py"))
    assert (built["distclass"] is setuptools.Distribution) == compiled


@loop.rows(
    "name",
    *("py.typed", "json/schema.json", "arena/benchmark.jsonl.gz", "equity/kazaross.met"),
    "records/page/match_page.html",
    *("c/gammonrules.h", "c/match.wasm", "c/opponent.wasm", "c/reasons.json", "c/rules.wasm", "c/selftaught.bin"),
)
def test_files_beside_the_modules(name: str) -> None:
    """The type checkers' marker, what modules read when they are used, and what is for other languages."""
    assert Path(gammonrules.__file__).parent.joinpath(name).exists()


def test_importing_the_package_loads_the_core_only() -> None:
    """Which needs attrs alone; a game at the table loads no more, and pictures nothing of a network."""
    drawing = "".join(f"import gammonrules.{name}\n" for name in ("draw.svg", "draw.text", "identifiers"))
    game = "import gammonrules; gammonrules.MatchState.new(7).opening_roll(3, 1).play('8/5 6/5')"
    loaded, with_pictures = loaded_by(game, drawing)
    modules = {name.split(".")[1] for name in loaded if name.startswith("gammonrules.")}
    assert modules == {"errors", "limits", "values", "_shared", "dice", "board", "rules", "match"}
    assert loaded & {"click", "rich", "numpy", "hypothesis", "pytest", "cattrs", "pydantic"} == set()
    network = {"urllib.request", "http.client", "socket", "ssl", "email", "xml.sax.saxutils"}
    assert with_pictures & network == set()


with_sources = pytest.mark.skipif(not MODULES, reason="a distribution is tested without the sources beside it")


@with_sources
@loop.over("here", MODULES)
def test_imports_go_down(here: str) -> None:
    up = {module for module in imports_of(MODULES[here]) if LAYER_OF[package_of(module)] > LAYER_OF[package_of(here)]}
    assert {(here, module) for module in up} <= HOOKS


@with_sources
def test_packages_offer_their_public_names_and_internals_alone() -> None:
    """`internals` is for the neighbors; what all share is open to all."""
    internals = {f"{package}.internals" for package in LAYER_OF}
    offered = {*LAYER_OF, *internals, *api_page.MODULES, *OPEN_MODULES}
    across = {
        (here, module)
        for here, module in imports() - HOOKS
        if package_of(module) != package_of(here) and not re.fullmatch(r"_\w+\.\w+", module)
    }
    assert sorted((here, module) for here, module in across if module not in offered) == []
    assert {module for _, module in across} >= OPEN_MODULES


def test_private_files_are_imported_by_their_own_folder() -> None:
    """Those of a folder inside a folder, too."""
    private = {
        (here, module)
        for here, module in imports()
        if module.rpartition(".")[2].startswith("_") and not here.startswith(module.rpartition(".")[0])
    }
    assert private == set()


@with_sources
def test_every_hook_is_there() -> None:
    assert {(here, module) for here, module in HOOKS if module in imports_of(MODULES[here])} == HOOKS


@with_sources
def test_packages_need_what_is_declared() -> None:
    """If they do not, change the imports, or `NEEDS` in `generators/layers.py`."""
    assert needs() == NEEDS


@with_sources
def test_the_packages_of_records_know_few_of_each_other() -> None:
    """Those that need records import their model, and no reader, archive or page."""
    assert {package: others for package, others in arrows("records").items() if LAYER_OF[package] == 5} == {
        "records.archive": {"records.formats"},
        "records": {"records.formats", "records.archive", "records.page"},
    }


@with_sources
def test_the_top_of_the_package_shows_what_users_import() -> None:
    modules = {path for path in SOURCES.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    entries = {path.stem for path in modules if not path.name.startswith("_")}
    assert entries == {name for name in LAYER_OF if "." not in name and not name.startswith("_")}
    assert len(entries) <= 23


def test_no_folder_imports_in_a_circle() -> None:
    """On one layer too: no two folders import each other."""
    pairs = {(package_of(here), package_of(module)) for here, module in imports() - HOOKS}
    assert [pair for pair in pairs if pair[0] < pair[1] and pair[::-1] in pairs] == []


@cache
def reached_from(here: str) -> set[str]:
    """Every module that this one imports, directly or through others, but for those that go up."""
    reached, to_do = set[str](), [here]
    while to_do:
        importer = to_do.pop()
        imported = {
            module for module in imports_of(MODULES[importer]) & MODULES.keys() if (importer, module) not in HOOKS
        }
        to_do += imported - reached
        reached |= imported
    return reached


@with_sources
def test_no_files_import_in_a_circle() -> None:
    """Not for annotations or inside functions either, but for what goes up."""
    assert [here for here in MODULES if here in reached_from(here)] == []


@loop.over("name", gammonrules.__all__)
def test_public_names_exist_and_are_documented(name: str) -> None:
    value = getattr(gammonrules, name)
    if isinstance(value, type):
        assert value.__doc__
        assert value.__module__.startswith("gammonrules")


@cache
def documented_names() -> frozenset[str]:
    """Every name that a reference page prints from its docstring."""
    pages = (ROOT / "docs" / "reference").glob("*.md")
    return frozenset(
        name for page in pages for name in re.findall(r"(?m)^::: (\S+)$", page.read_text(encoding="utf-8"))
    )


@loop.rows("name", "gammonrules", *(f"gammonrules.{name}" for name in api_page.MODULES))
def test_public_names_are_on_a_reference_page(name: str) -> None:
    """Each under its own module, under the package, or under `analysis`, whose names other modules export too."""
    module, documented = importlib.import_module(name), documented_names()
    public = [known for known in module.__all__ if not isinstance(getattr(module, known), ModuleType)]
    missing = [known for known in public if not {f"{name}.{known}", f"gammonrules.{known}"} & documented]
    assert [known for known in missing if f"gammonrules.analysis.{known}" not in documented] == []
    assert all(getattr(module, known) is getattr(gammonrules.analysis, known) for known in missing)


def test_reference_pages_name_public_names_only() -> None:
    for documented in documented_names():
        owner, _, name = documented.rpartition(".")
        place = pkgutil.resolve_name(owner)  # a module, or a public class of one
        assert name in getattr(place, "__all__", dir(place))


@pytest.mark.skipif(not (ROOT / "examples").exists(), reason="a distribution is tested without the examples")
def test_an_example_without_its_extra_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "examples" / "terminal" / "play.py"
    monkeypatch.syspath_prepend(path.parent)
    for name, loaded in list(sys.modules.items()):  # what other tests have imported, also of the examples
        if name.startswith("textual.") or str(getattr(loaded, "__file__", "")).startswith(str(ROOT / "examples")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    sentence = r'This \w+ needs the extra "examples" \(.*textual.*\): python -m pip install .*'
    assert re.fullmatch(sentence, str(ended.value.code))


def test_names_and_modules_are_listed() -> None:
    packages = {name.partition(".")[0] for name in api_page.MODULES}
    assert set(dir(gammonrules)) == {*gammonrules.__all__, "__version__", *packages}


@loop.over("name", api_page.MODULES)
def test_a_module_lists_its_public_names_only(name: str) -> None:
    module = gammonrules
    for part in name.split("."):  # as attributes, without an import of the module
        module = getattr(module, part)
    others = {"backgammon_v0"} if name == "environments" else set[str]()
    assert set(dir(module)) == {*module.__all__} | others
