"""The installed package: what naming its parts loads and needs, and what is compiled."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

import gammonrules
import loop
import processes
from gammonrules._shared.extras import INSTALL
from test_packaging import ROOT, loaded_by


@pytest.mark.skipif(gammonrules.KERNEL == "pure" or not (ROOT / "setup.py").exists(), reason="no kernel was built here")
@pytest.mark.parametrize("is_in_place", [False, True])
def test_no_kernel_of_an_earlier_build_is_installed(tmp_path: Path, *, is_in_place: bool) -> None:
    """Where a compiler is missing or fails, the library has no kernel."""
    pytest.importorskip("setuptools.command.bdist_wheel")
    name = Path(importlib.import_module("gammonrules.board._kernel").__file__ or "").name
    built, in_source = tmp_path / "build/gammonrules/board", tmp_path / "src/gammonrules/board"
    for folder in (built, in_source):
        folder.mkdir(parents=True)
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY_NOTICES.md"):
        shutil.copy(ROOT / file, tmp_path)
    for file in ("__init__.py", "board/_kernel.c"):
        shutil.copy(ROOT / "src/gammonrules" / file, tmp_path / "src/gammonrules" / file)
    kernels = [built / name, in_source / name] if is_in_place else [built / name]
    for kernel in kernels:
        kernel.touch()
    options = ["--build-lib", "build", *["--inplace"] * is_in_place]
    env = os.environ | {"CC": "/bin/false", "GAMMONRULES_PURE_PYTHON": "0"}
    processes.run(sys.executable, "setup.py", "--quiet", "build_ext", *options, cwd=tmp_path, env=env)
    assert not any(kernel.exists() for kernel in kernels)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@loop.rows("name", "rules.c", "match.c", "opponent.c")
def test_the_c_compiles_without_the_rest_of_the_package(tmp_path: Path, name: str) -> None:
    """A copy of its folder is all that a program in C, Go or Rust needs."""
    folder = shutil.copytree(Path(gammonrules.__file__).parent / "c", tmp_path / name / "c")
    processes.run("cc", "-c", name, cwd=folder)
    assert (folder / name).with_suffix(".o").exists()


def test_what_subinterpreters_cannot_load_is_loaded_at_its_first_use() -> None:
    """Up to Python 3.12 that is `pyexpat`, which reads match equity tables from files."""
    engines = "from gammonrules.engine import Engine, SimpleEngine, serve"
    records = "from gammonrules import draw, equity, identifiers, records; records.load, equity.read_table, draw.svg"
    state = "from gammonrules import MatchState; MatchState.new(3).opening_roll(3, 1)"
    for loaded in loaded_by(f"{engines}; {records}; {state}"):
        assert loaded & {"pyexpat", "xml.etree.ElementTree"} == set()


def test_no_reader_is_loaded() -> None:
    (loaded,) = loaded_by("import gammonrules.json, gammonrules.engine, gammonrules.batch, gammonrules.environments")
    assert loaded & {f"gammonrules.records.{name}" for name in ("formats", "archive", "page", "files")} == set()
    assert "pydantic" not in loaded


NEEDS = (
    *(("batch", "NumPy", "numpy"), ("bearoff", "NumPy", "numpy"), ("hypergammon", "NumPy", "numpy")),
    ("equity.equities", "NumPy", "numpy"),
    *(
        ("engine.evaluate_batch", "NumPy", "numpy"),
        ("records.to_samples", "NumPy", "numpy"),
        ("arena", "NumPy", "arena"),
    ),
    *(("environments", "Gymnasium", "environments"), ("environments.backgammon_v0", "PettingZoo", "environments")),
    *(("json", "cattrs", "json"), ("strategies", "Hypothesis", "hypothesis")),
    ("notebook", "anywidget", "notebook"),
)
"""What a program may name, the library that it needs when it is named, and the extra with this library."""


NAMING = """
import importlib.abc, operator, os, sys
import gammonrules

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, module, path, target=None):
        if module == library:
            raise ModuleNotFoundError(missing, name=missing)

sys.meta_path.insert(0, Finder())
for asked in sys.argv[1:]:
    if len(sys.argv) > 2 and (child := os.fork()):
        os.waitpid(child, 0)
        continue
    name, library = asked.split()
    for missing in (library, "castle"):
        try:
            operator.attrgetter(name)(gammonrules)
        except ImportError as error:
            print(name, error.name, error.msg, sep=": ", flush=True)
    break
"""
"""What naming each of these says without its library, in a process that has imported no more than the package."""


def test_a_missing_extra_is_named() -> None:
    """Something else that is missing, in a library that is there, is left as it is."""
    asked = [f"{name} {library.lower()}" for name, library, _ in NEEDS]
    together = [asked] if hasattr(os, "fork") else [[each] for each in asked]
    said = [processes.run(sys.executable, "-c", NAMING, *some).stdout for some in together]
    wanted = [
        rf"{name}: {library.lower()}: .* needs {library}; {re.escape(INSTALL.format(extra))}\n{name}: castle: castle\n"
        for name, library, extra in NEEDS
    ]
    assert re.fullmatch("".join(wanted), "".join(said)), said


def test_optional_modules_are_loaded_at_their_first_use() -> None:
    """As a record needs no JSON, unless it is written in it, and no picture."""
    path = str(ROOT / "tests" / "data" / "matches" / "endings" / "match7707286.txt")
    (loaded,) = loaded_by(f"import gammonrules; gammonrules.records.load({path!r})")
    assert {"gammonrules.records", "gammonrules.match"} <= loaded
    others = {"gammonrules.json", "gammonrules.draw", "gammonrules.draw.svg", "gammonrules.records.page.match_page"}
    assert loaded & {"cattrs", *others} == set()
    for name in ("records", "draw"):
        assert gammonrules.__getattr__(name) is importlib.import_module(f"gammonrules.{name}")
    with pytest.raises(AttributeError, match="module 'gammonrules' has no attribute 'castle'"):
        _ = gammonrules.castle
