"""No command loses a file: each is tried on everything that may be in the place of what it writes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import gettempdir

import pytest

import commands
import each
import loop
import wording

FEW = "2 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n"
BOTS = """
from gammonrules import Action, Event

def resigns(state):
    return Action.ACCEPT if state.offer else Event(Action.RESIGN, argument=1)
"""
ARENA = "arena resigning:resigns resigning:resigns --games 2 --no-cube --workers 1 --seed {number}"
ANALYZE = "analyze {folder} --level 1 --workers 1 -o out"
FORCED = {
    "view {folder}/a.mat -o out/a.html": "a.html",
    "convert {folder}/a.mat out/a.json": "a.json",
    "convert {folder} out --to mat": "a.mat",
    **{f"export {{folder}} --workers 1 -o out/a.{suffix}": f"a.{suffix}" for suffix in ("csv", "jsonl", "parquet")},
    "bearoff make one-sided --points {number} out/a": "a",
    "bearoff make two-sided --points {number} --gnubg out/a": "a",
    ANALYZE: "a.mat.json",
    f"{ANALYZE} --engine bgsage --to sgf": "a.mat.sgf",
}
"""Commands that have `--force`, and the file that each writes to the folder `out`. The braces name a source."""
COMMANDS = {f"{ARENA} --records out": "1-2-000001-1.mat", **FORCED, f"{ARENA} --save out/a": "a"}
GOES_ON = {
    ANALYZE: ["its own"],
    f"{ANALYZE} --engine bgsage --to sgf": ["its own", "cut", "longer"],  # which are SGF files of this match
    f"{ARENA} --save out/a": ["its own", "cut", "empty"],
}
SOURCES = {"in": 1, "other": 2}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory, with two sources, and bots."""
    commands.in_this_process(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "resigning", raising=False)
    Path("resigning.py").write_text(BOTS)
    for folder, play in ("in", "24/18 13/11"), ("other", "24/16"):
        Path(folder).mkdir()
        Path(folder, "a.mat").write_text(FEW.replace("24/18 13/11", play))


def run(command: str, *options: str, folder: str = "in") -> tuple[int, str]:
    """The exit status, and what was said."""
    result = commands.run(*command.format(folder=folder, number=SOURCES[folder]).split(), *options)
    return result.exit_code, result.stderr


def refused(command: str, *options: str) -> None:
    """A sentence names what is there, which stays."""
    before = content()
    status, said = run(command, *options)
    assert (status, content()) == (2, before)
    wording.check(said.strip().splitlines()[-1], COMMANDS[command])


@cache
def written(command: str, folder: str = "in") -> bytes:
    """What a command writes where nothing was."""
    empty()
    assert run(command, folder=folder)[0] == 0
    return Path("out", COMMANDS[command]).read_bytes()


def empty() -> Path:
    """The folder, with nothing in it."""
    shutil.rmtree("out", ignore_errors=True)
    Path("out").mkdir()
    return Path("out")


def content() -> dict[str, bytes | str]:
    """All that is in the folder."""
    paths = Path("out").iterdir()
    return {str(path): path.read_bytes() if path.is_file() else str(path.lstat().st_mode) for path in paths}


STATES: dict[str, Callable[[str], bytes]] = {
    "notes": lambda _: b"mine\n",
    "empty": lambda _: b"",
    "of a later version": lambda _: b'{"version": 99, "type": "Match", "value": {}}\n',
    "another record": lambda _: FEW.replace("24/18 13/11", "24/22 13/7").encode(),
    "cut": lambda command: written(command)[:-9],
    "longer": lambda command: written(command) + b"mine",
    "of another source": lambda command: written(command, "other"),
    "its own": written,
}
"""What is there, for a command."""


@loop.over("state", STATES)
@each.first("command", COMMANDS, of_these=len(COMMANDS) - 2)
def test_nothing_is_replaced_unless_asked_for(command: str, state: str) -> None:
    """But what a command has begun itself, some go on with."""
    there, whole = STATES[state](command), written(command)
    target = empty() / COMMANDS[command]
    target.write_bytes(there)
    if state in GOES_ON.get(command, ()):
        assert run(command)[0] == 0
        assert target.read_bytes() == there or "--save" in command
    else:
        refused(command)
    if command in FORCED and state == "notes":
        assert run(command, "--force")[0] == 0
        assert target.read_bytes() == whole


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
@loop.over("command", FORCED)
def test_what_is_no_file_is_never_replaced(command: str) -> None:
    """A folder, and a link to nothing: who made it would choose where we write."""
    target = empty() / COMMANDS[command]
    for make in (target.mkdir, lambda: target.symlink_to("nowhere")):
        make()
        if not (command.startswith("convert {folder}/") and target.is_dir()):  # which is written to
            refused(command)
            refused(command, "--force")
        empty()


@loop.over("command", FORCED)
def test_what_may_not_be_written_is_refused_before_the_work(command: str) -> None:
    target = empty() / COMMANDS[command]
    target.write_text("mine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: Path(path).name != target.name)
        patch.setattr("gammonrules.records.analyze", None)
        refused(command, "--force")


@pytest.mark.skipif(os.name != "posix", reason="names of POSIX")
@loop.rows("command", "view in/a -o", "convert in/a", "export in -o", "analyze in -o", "bearoff make one-sided")
def test_what_a_name_would_do_to_a_terminal(command: str) -> None:
    name = "a\x1b[2J\n\u202e.json"
    Path(name).write_text("mine")
    status, said = run(command, name)
    wording.check(said.strip(), ".json")
    assert (status, said.strip().isprintable(), Path(name).read_text()) == (2, True, "mine")


@loop.over("command", [command for command in FORCED if " out/a" in command and "analyze" not in command])
def test_through_a_folder_that_is_not_there(command: str) -> None:
    """It is not made, and the file that the path leads to is not replaced."""
    content_there, through = written(command), command.replace("out/a", "out/new/../a")
    target = empty() / COMMANDS[command]
    assert (run(through)[0], content()) == (0, {str(target): content_there})
    target.write_text("mine")
    status, said = run(through)
    wording.check(said.strip(), "--force")
    assert (status, content()) == (2, {str(target): b"mine"})


@loop.rows(("command", "link"), *((command, os.link) for command in FORCED), (next(iter(FORCED)), None))
def test_what_appears_during_the_work_is_not_replaced(command: str, link: Callable[..., None] | None) -> None:
    """Nor is anything left beside it, on a file system without links either."""
    whole, target = written(command), empty() / COMMANDS[command]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "link", link or failing)
        assert (run(command)[0], content()) == (0, {str(target): whole})
        target.unlink()
        patch.setattr(os, "fsync", lambda _: target.write_text("mine"))  # when all has been written
        status, said = run(command)
        wording.check(said.strip().splitlines()[-1], target.name, "--force")
        assert (status, content()) == (2, {str(target): b"mine"})
        assert (run(command, "--force")[0], content()) == (0, {str(target): whole})


def failing(*_: object) -> None:
    raise PermissionError


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@loop.rows(
    "line, size, says",
    ("cards {} -o new", 8_192, (f"what is kept in {gettempdir()}", "too large")),
    ("cards {} -o new", 16_384, ("collection.anki2", "cannot be written")),
    ("find dice=31 {} -o new", 8_192, ("decisions.parquet", "cannot be written")),
    ("openings {} -o new", 8_192, ("decisions.parquet", "cannot be written")),
)
def test_no_room_for_a_file_that_is_needed_meanwhile(line: str, size: int, says: tuple[str, ...], game: Path) -> None:
    """A sentence names it, or the folder for files without a name, not the output."""
    with commands.full_disk(size):
        result = commands.run(*line.format(game).split())
    assert (result.exit_code, Path("new").exists()) == (2, False)
    wording.check(result.stderr.strip(), *says)
