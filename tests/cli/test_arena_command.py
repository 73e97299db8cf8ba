"""`gammonrules arena`: the table, its JSON, what is refused, and a run that is stopped."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

import commands
import loop
import wording
from gammonrules import Position, hypergammon
from gammonrules._shared.extras import INSTALL

BOTS = """
import os, sys
from gammonrules import Action, Event, arena

missing = arena.EnginePlayer(lambda: open("no such file"))
print("imported")

def resigns(state, rng):
    print("asked")
    open(f"{os.getpid()}.pid", "w").close()
    return Action.ACCEPT if state.offer else Event(Action.RESIGN, argument=rng.choice([1, 2, 3]))

def stops(state, rng):
    if os.path.getsize("saved") > 1000:
        raise KeyboardInterrupt
    return resigns(state, rng)

def asks(state):
    return input()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a module of bots."""
    (tmp_path / "some_bots.py").write_text(BOTS)
    (tmp_path / "imports_nobody.py").write_text("import nobody\n")
    (tmp_path / "script.py").write_text("import argparse\nargparse.ArgumentParser().parse_args(['a'])\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "some_bots", raising=False)
    return tmp_path


run = partial(commands.run, "arena")


@loop.rows(
    ("arguments", "words"),
    (["some_bots:nobody"] * 2, "nobody"),
    (["some_bots:resigns", "program:./nobody"], "program:./nobody: there is no program './nobody'"),
    (["some_bots:resigns", sys.executable], f"; a program is named program:{sys.executable}"),
    (["script:bot"] * 2, "script:bot cannot be imported: SystemExit: 2"),
    (["nobots:resigns"] * 2, "nobots:resigns cannot be imported: there is no nobots.py in this folder"),
    (["no.bots:resigns"] * 2, "no.bots:resigns cannot be imported: there is no no/bots.py in this folder"),
    (["some_bots.deeper:x"] * 2, "there is no some_bots/deeper.py in this folder"),
    (["some_bots:resings"] * 2, "some_bots:resings cannot be imported: there is no resings in "),
    (["some_bots.py:resigns"] * 2, "a module is named without .py, as some_bots:resigns"),
    (["nobots.py:resigns"] * 2, "a module is named without .py, as nobots:resigns"),
    (["imports_nobody:bot"] * 2, "cannot be imported: ModuleNotFoundError: No module named 'nobody'"),
    (["examples.nobody:choose"] * 2, "cannot be imported: gammonrules examples writes the folder examples"),
    (["some_bots:missing"] * 2, "some_bots:missing: it cannot be started: FileNotFoundError"),
    (["bgsage"] * 2 + ["--games", 3], "even"),
    (["bgsage"] * 2 + ["--until", "soon"], "soon"),
    (["bgsage"] * 2 + ["--start", "hypergamon"], "--start is a Position ID, or one of standard, "),
    (["bgsage"] * 2 + ["--table", "missing"], "missing: No such file"),
    (["bgsage"] * 2 + ["--records", __file__], __file__),
)
def test_refused(arguments: list[object], words: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands.in_this_process(monkeypatch)
    # as where the folder "examples" is not there
    monkeypatch.setattr(sys, "path", [place for place in sys.path if not Path(place, "examples").exists()])
    monkeypatch.delitem(sys.modules, "examples", raising=False)
    result = run(*arguments, "--workers", 1)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in " ".join(result.stderr.split())
    assert {path.name for path in folder.iterdir()} <= {"some_bots.py", "script.py", "imports_nobody.py", "__pycache__"}


def test_a_start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a name, so that the perfect player of Hypergammon plays from the command, or by a Position ID."""
    commands.in_this_process(monkeypatch)
    hypergammon.solve("one.table", checkers=1).close()
    options = "--games", 2, "--workers", 1, "--no-cube", "--save"
    result = run("hypergammon:one.table", "some_bots:resigns", *options, "one", "--start", "hypergammon1")
    assert (result.exit_code, "hypergammon:one.table" in result.stdout) == (0, True), result.stderr
    assert b'"start":"hypergammon1"' in Path("one").read_bytes()
    nackgammon = Position.start("nackgammon").id
    run(*["some_bots:resigns"] * 2, *options, "other", "--start", nackgammon)
    assert nackgammon.encode() in Path("other").read_bytes()


@loop.rows("option", "--records", "--save")
def test_a_full_disk(option: str, folder: Path) -> None:
    """The file is named, and nothing is left of a record."""

    def full(_number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        commands.in_this_process(patch)
        patch.setattr(os, "fsync", full)
        result = run(*["some_bots:resigns"] * 2, "--games", 2, "--workers", 1, option, "full")
    file = Path("full", "1-2-000001-1.mat") if option == "--records" else Path("full")
    wording.check(result.stderr.splitlines()[-1], f" {file}: No space left", longest=99)
    assert result.exit_code == 2
    if option == "--records":
        (folder / "full").rmdir()


def test_without_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    result = run("some_bots:resigns", "some_bots:resigns")
    assert (result.exit_code, result.stdout) == (2, "")
    assert INSTALL.format("arena") in result.stderr


@pytest.mark.long
def test_a_bot_that_reads_the_input(folder: Path) -> None:
    """It finds none: those of its process are not for it."""
    result = run("some_bots:asks", "some_bots:resigns", "--workers", 1, "--games", 2)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "EOFError" in result.stderr


def test_interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By Ctrl-C: it shows the result so far."""
    commands.in_this_process(monkeypatch)
    options = "--games", 100, "--workers", 1, "--save", "saved"
    status, output, errors = commands.main("arena", "some_bots:resigns", "some_bots:stops", *options)
    assert (status, errors.splitlines()[-1]) == (130, "gammonrules: stopped")
    assert b"some_bots:stops" in output


def test_a_pool_that_stops_says_how_to_go_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the table so far; only where a file keeps the games."""
    commands.in_this_process(monkeypatch)
    bots = folder / "wild_bots.py"
    bots.write_text(f"import some_bots\ncalm = some_bots.resigns\nTURNS = 0\n{WILD}", encoding="utf-8")
    two = "some_bots:resigns", "wild_bots:calm"
    options = "--games", 40, "--workers", 1
    arguments = *two, "wild_bots:wild", *options
    stopped = run(*arguments, "--save", "saved")
    assert (stopped.exit_code, "wild_bots:wild" in stopped.stdout) == (2, True)
    assert stopped.stderr.index("--rerun NAME") < stopped.stderr.index("no idea")
    ways_on = [
        (*arguments, "--on-error", "forfeit"),
        (*arguments, "--on-error", "drop"),
        (*two, *options, "--exclude", "wild_bots:wild"),
    ]
    for number, way_on in enumerate(ways_on):
        shutil.copy("saved", f"{number}")
        assert run(*way_on, "--save", f"{number}").exit_code == 0
    monkeypatch.setattr("wild_bots.TURNS", 0)
    with_two = run("some_bots:resigns", "wild_bots:wild", *options, "--save", "of two")
    assert ("--rerun NAME" in with_two.stderr, "drop" in with_two.stderr, "--exclude" in with_two.stderr) == (1, 0, 0)
    monkeypatch.setattr("wild_bots.TURNS", -10_000)  # it is repaired
    assert run(*arguments, "--save", "saved", "--rerun", "wild_bots:wild").exit_code == 0
    refused = run("some_bots:resigns", "some_bots:asks", *options, "--save", "saved")
    assert "--exclude NAME" in refused.stderr
    monkeypatch.setattr("wild_bots.TURNS", 0)
    assert "To go on" not in run(*arguments).stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_a_full_disk_is_no_fault_of_a_player(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table so far and the true sentence, without advice that would throw games away; later it goes on."""
    commands.in_this_process(monkeypatch)
    arguments = "some_bots:resigns", "some_bots:resigns", "--games", 100, "--workers", 1, "--save", "saved", "--json"
    with commands.full_disk(1_000):
        stopped = run(*arguments)
    assert stopped.exit_code == 2
    assert json.loads(stopped.stdout)["pairings"][0]["games"] > 0
    of_bots = {"imported", "asked"}
    assert {*stopped.stderr.splitlines()} - of_bots == {f"Error: saved: {os.strerror(errno.EFBIG)}"}
    assert Path("saved").stat().st_size == 1_000
    assert run(*arguments).exit_code == 0


WILD = """
def wild(state, rng):
    global TURNS
    TURNS += 1
    if TURNS > 20:
        raise ValueError("no idea")
    return some_bots.resigns(state, rng)
"""
