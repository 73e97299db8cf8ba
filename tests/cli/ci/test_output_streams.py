"""The command: verdicts, JSON, exit status, and input that is not what it should be."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from test_cli import CLEAN, MATCHES, broken

import each
import processes
from commands import PROGRAM, run

__all__ = ["broken"]


class TestMain:
    @pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
    @each.first(
        "arguments",
        [("referee", MATCHES / "broken"), ("referee", "--json", MATCHES), ("show", "4HPwATDgc/ABMA")],
        ids=["table", "json", "board"],
    )
    def test_output_that_nobody_reads(self, arguments: tuple[object, ...]) -> None:
        """As with `gammonrules referee ... | head -1`: the run ends early and in silence."""
        reading, writing = os.pipe()
        os.close(reading)
        done = processes.run(sys.executable, "-m", "gammonrules", *arguments, stdout=writing, text=False, check=False)
        os.close(writing)
        assert done.stderr == b""
        assert done.returncode == 141

    @pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
    @each.first("closing", [">&-", ">&- 2>&-"])
    def test_closed_output(self, closing: str) -> None:
        command = f'"$@" {closing}'
        done = processes.run("sh", "-c", command, "sh", *PROGRAM, "referee", CLEAN, check=False)
        assert done.returncode == 2
        sentence = f"gammonrules: the output cannot be written: {os.strerror(errno.EBADF)}\n"
        assert done.stderr == ("" if "2>&-" in closing else sentence)

    @pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
    @each.first("closing", [">&-", ">&- <&-", "2>&- >&- <&-"])
    def test_closed_output_of_what_writes_a_file(self, tmp_path: Path, closing: str) -> None:
        """No file that is opened meanwhile becomes the output."""
        processes.run("sh", "-c", f'"$@" {closing}', "sh", *PROGRAM, "convert", CLEAN, tmp_path / "a.sgf")
        run("convert", CLEAN, tmp_path / "expected.sgf")
        assert (tmp_path / "a.sgf").read_bytes() == (tmp_path / "expected.sgf").read_bytes()

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
    @each.first("options", [(), ("--json",)])
    def test_full_disk(self, options: tuple[str, ...]) -> None:
        with Path("/dev/full").open("wb") as full:
            done = processes.run(*PROGRAM, "referee", *options, CLEAN, stdout=full, text=False, check=False)
        assert done.stderr.startswith(b"gammonrules: the output cannot be written: ")
        assert done.stderr.count(b"\n") == 1
        assert done.returncode == 2
