"""What commands say of a folder of which they cannot read a part: nothing is left out without a word."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import commands
from gammonrules.cli.app import app
from gammonrules.records import loads_all, report_to_html
from gammonrules.records.archive import scanning

EXAMPLES = Path(__file__).parents[2] / "examples" / "matches"
XG = EXAMPLES / "xg" / "test.xg"
POSITION = EXAMPLES / "positions" / "money-jacoby_double-take.txt"
LINES = {
    "analyze {} -o out --level 1 --workers 1": 2,
    "cards {} -o deck.apkg --error 0.01": 0,
    "convert {} out --to json": 2,
    "export {} -o out.csv --workers 1": 0,
    "find turn>0 {}": 0,
    "find turn>0 {} --xgids": 0,
    "find turn>0 {} -o page.html": 0,
    "openings {} -o page.html": 0,
    "referee {}": 2,
    "referee {} --json": 2,
    "report {} -o page.html --workers 1": 0,
    "report {} -o pages --pages --workers 1": 0,
}
"""Each command that takes a folder, and its exit status if there is a damaged record."""
NAMED = {"closed": os.strerror(errno.EACCES), "cut.xg": "cut short", "gone.mat": os.strerror(errno.ENOENT)}
"""What cannot be read, and why."""


@pytest.fixture(autouse=True)
def closed_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of this name cannot be read: who runs the tests may be permitted everything."""
    listed = os.scandir

    def scandir(path: Any) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return listed(path)

    monkeypatch.setattr("gammonrules.records.archive.source_files.os.scandir", scandir)
    commands.in_this_process(monkeypatch)


def folder_with(*good: Path, name: str = "folder") -> Path:
    """A folder in the current one, with these records and what cannot be read."""
    folder = Path(name)
    (folder / "closed").mkdir(parents=True)
    (folder / "cut.xg").write_bytes(XG.read_bytes()[:3000])
    (folder / "gone.mat").symlink_to("nowhere")
    (folder / "notes.txt").write_text("hello\n")
    for record in good:
        shutil.copy(record, folder)
    return folder


def run(line: str, folder: Path) -> Any:
    """A command, each time into an empty place."""
    for output in "out", "pages":
        shutil.rmtree(output, ignore_errors=True)
    for output in "deck.apkg", "out.csv", "page.html":
        Path(output).unlink(missing_ok=True)
    return commands.run(*(part.format(folder) for part in line.split()))


def test_what_cannot_be_read_is_named(game: Path) -> None:
    """Once, with the reason, and the rest is read."""
    small = folder_with(POSITION)
    analyzed = folder_with(game, name="analyzed")
    wrong: list[tuple[object, ...]] = []
    for line, status in LINES.items():
        folder = small if line.startswith("analyze") else analyzed
        result = run(line, folder)
        said = result.stderr + (result.stdout if line.startswith("referee") else "")
        for name, why in NAMED.items():
            about = [text for text in said.splitlines() if f"{folder / name}" in text]
            is_below = line == "referee {}" and name == "cut.xg"  # the reason is on the next line
            if len(about) != 1 or not (why in about[0] or is_below):
                wrong.append((line, name, about))
        if result.exit_code != status:
            wrong.append((line, result.exit_code, said))
    assert wrong == []


def test_every_command_is_tried_that_takes_folders() -> None:
    tried = {line.split()[0] for line in LINES}
    others = {"arena", "bearoff", "bench", "conform", "evaluate", "examples"}
    others |= {"hypergammon", "perft", "plays", "show", "view"}
    assert {*app.list_commands(None)} == tried | others  # type: ignore[arg-type]


def test_nothing_to_read(here: Path) -> None:
    """Then too it is said what was there."""
    folder = folder_with()
    for line in LINES:
        result = run(line, folder)
        assert result.exit_code == 2, line
        said = result.stderr + result.stdout
        assert [name for name in NAMED if name not in said] == [], line


def test_a_report_in_python(game: Path) -> None:
    """The page itself says how many files it leaves out."""
    page = report_to_html(folder_with(game), workers=1)
    assert "no records: 4." in page


def test_a_deck_without_a_record_that_was_lost(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written, and the exit status says that it may lack something."""

    def fail(content: bytes) -> Any:
        if content != game.read_bytes():
            raise KeyError("x")
        return loads_all(content)

    monkeypatch.setattr(scanning, "read_all", fail)
    folder = folder_with(game, POSITION)
    result = run("cards {} -o deck.apkg --error 0.01", folder)
    assert (result.exit_code, Path("deck.apkg").exists()) == (2, True)
    assert f"{folder / POSITION.name}: skipped: gammonrules failed on this file" in result.stderr
