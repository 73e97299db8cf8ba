"""Files that are none, for every function that opens one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import wording
from gammonrules import bearoff, equity, records
from gammonrules._shared import disk_files
from gammonrules.errors import ParseError

READERS = (equity.read_table, bearoff.open, records.load)
each_reader = pytest.mark.parametrize("read", READERS)
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")


@each_reader
@needs_pipes
def test_pipes_folders_and_devices(read: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "link", Path(os.devnull), Path("/dev/zero")):
        with wording.raises(ParseError, f"{path}: this is not an ordinary file"):
            read(path)


@each_reader
@needs_pipes
def test_a_pipe_that_comes_after_the_first_look(
    read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If opening it did wait, only the clock would end it."""
    os.mkfifo(tmp_path / "pipe")
    ordinary = Path(__file__).stat()
    monkeypatch.setattr(Path, "stat", lambda _: ordinary)
    with wording.raises(ParseError, "this is not an ordinary file"):
        read(tmp_path / "pipe")


@each_reader
@needs_pipes
def test_a_file_that_calls_itself_ordinary_and_has_nothing_to_say_yet(
    read: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `/proc/kmsg` does; if a read did wait, only the clock would end it."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    monkeypatch.setattr(disk_files, "_must_be_ordinary", lambda status: None)
    writer = os.open(path, os.O_RDWR)
    try:
        with wording.raises(ParseError, f"{path}: nothing can be read"):
            read(path)
    finally:
        os.close(writer)


@each_reader
@pytest.mark.parametrize("name", ["environ", "cmdline", "status", "maps", "pagemap"])
def test_a_file_that_the_system_makes_up(read: Callable[[Path], object], name: str) -> None:
    """Its size is 0, it cannot be mapped into memory, and some have no end."""
    path = Path("/proc/self") / name
    if not path.exists():
        pytest.skip("no such file here")
    with wording.tells(ParseError, str(path)):
        read(path)
