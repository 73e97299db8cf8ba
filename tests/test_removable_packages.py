"""Every package above the rules can be removed, with those that need it: the rest of a copy still imports.

`NEEDS` in `generators/layers.py` declares what each package needs.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import processes
from layers import MODULES, NEEDS, SOURCES, with_all_above
from test_packaging import with_sources

pytestmark = with_sources

PACKAGES = [name for name in NEEDS if "." not in name]

IMPORT_ALL = """
import importlib, json, sys

failed = {}
for package, folder in json.loads(sys.stdin.read()).items():
    for name in [name for name in sys.modules if name.partition(".")[0] == "gammonrules"]:
        del sys.modules[name]
    sys.path[0] = folder
    importlib.invalidate_caches()
    failed[package] = {}
    for name in json.loads(open(f"{folder}/modules.json").read()):
        try:
            module = importlib.import_module(f"gammonrules.{name}")
        except ImportError as error:
            failed[package][name] = str(error)
        else:
            assert module.__file__.startswith(folder), module.__file__
print(json.dumps(failed))
"""
"""What imports every module of each copy, in one process: other libraries are loaded once."""


def copy_without(removed: Iterable[str], folder: Path) -> list[str]:
    """Copy the package into a folder, without these packages and parts of them; return the modules that are left."""
    paths = {SOURCES / unit.replace(".", "/") for unit in removed}
    gone = {path if path.is_dir() else path.with_suffix(".py") for path in paths}

    def left_out(parent: str, names: list[str]) -> list[str]:
        return [name for name in names if name == "__pycache__" or Path(parent, name) in gone]

    shutil.copytree(SOURCES, folder / "gammonrules", ignore=left_out, copy_function=os.symlink)
    modules = [name for name in MODULES if name != "__main__"]  # which runs the command
    left = [name for name in modules if not any(name == unit or name.startswith(f"{unit}.") for unit in removed)]
    (folder / "modules.json").write_text(json.dumps(left))
    return left


def run(program: str, folder: Path, **options: Any) -> str:
    """What a program prints that finds the package in this folder, if anywhere."""
    alone = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_NO_PLUGINS": "1"}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = processes.run(sys.executable, "-c", program, env=kept | alone, cwd=folder, seconds=600, **options)
    return str(done.stdout)


def test_the_rest_imports_without_a_package(tmp_path: Path) -> None:
    folders = {package: tmp_path / package for package in PACKAGES}
    left = {package: copy_without(with_all_above(package), folder) for package, folder in folders.items()}
    assert all(left.values())
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps({package: str(folder) for package, folder in folders.items()}))
    with asked.open() as file:
        failed = json.loads(run(IMPORT_ALL, tmp_path, stdin=file))
    assert failed == {package: {} for package in PACKAGES}


REPORT = """
import json, sys
import numpy as np
from gammonrules import Action, Event, Position, arena, batch, json as documents, notebook, strategies
from gammonrules.analysis import PlayAnalysis
from gammonrules.engine import _gnubg_rollouts

def first(state):
    return Event(Action.PLAY, argument=state.legal_plays[0]) if state.dice else Action.ROLL

def message(use):
    try:
        use()
    except ImportError as error:
        return str(error)
    return "nothing is missed"

games = batch.random_games(1, rng=np.random.default_rng(1))
analyze = _gnubg_rollouts.GnubgRollouts._rolled_out
print(json.dumps([message(use) for use in (
    lambda: arena.play([first, first], games=2, workers=1, options=arena.Options(records="kept")),
    lambda: games.to_matches(),
    lambda: documents.loads('{"version": 2, "type": "Match"}'),
    lambda: strategies.records(),
    lambda: notebook.Viewer,
    lambda: analyze(None, None, Event(Action.DOUBLE), PlayAnalysis(), "cube"),
)]))
"""

USERS = (
    "arena.Options with records= or table=",
    "to_matches",
    "the JSON form of Match",
    "strategies.records",
    "notebook.Viewer",
    "a rollout by GNU Backgammon",
)


def test_what_uses_records_reports_that_they_are_missing(tmp_path: Path) -> None:
    """In one message, before anything is done: the rest of each module works."""
    copy_without(with_all_above("records"), tmp_path)
    assert json.loads(run(REPORT, tmp_path)) == [
        f"{user} needs the package gammonrules.records, which this copy of gammonrules does not contain"
        for user in USERS
    ]


REPORT_ANALYSES = """
import gammonrules.json, gammonrules.strategies

document = {"version": 2, "type": "Chances"}
for use in (lambda: gammonrules.json.from_data(document), lambda: gammonrules.strategies.chances):
    try:
        use()
    except ImportError as error:
        print(error)
"""


def test_what_uses_analyses_reports_that_they_are_missing(tmp_path: Path) -> None:
    copy_without(with_all_above("analysis"), tmp_path)
    assert run(REPORT_ANALYSES, tmp_path).splitlines() == [
        f"{user} needs the package gammonrules.analysis, which this copy of gammonrules does not contain"
        for user in ("the JSON form of Chances", "strategies.chances")
    ]
