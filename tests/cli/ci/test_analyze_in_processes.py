"""`gammonrules analyze`: on several processes, and by an engine that ends."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from test_analyze import FEW, SHORT, run

import gnu_backgammon
import wording
from commands import files_in
from gammonrules.records import load

ENDS_ONCE = """#!/bin/sh
test -e "$0.ended" && exec {0} "$@"
sed -u '/^analyse match$/{{s//quit/;q}}' | {0} "$@"
touch "$0.ended"
"""
"""GNU Backgammon that ends in the middle of the first match."""


@pytest.fixture
def real_bgsage() -> None:
    """With its luck, since no process but this one can be made to do without."""


class TestArchive:
    @pytest.mark.usefixtures("real_bgsage")
    def test_one_after_another_and_once_more_on_several_processes(self, tmp_path: Path) -> None:
        """Names do not collide, other files are skipped, and what is there is not analyzed again, or stays as it is."""
        source, out, quick = tmp_path / "in", tmp_path / "out", ("--level", 1)
        names = "a/one.mat", "b/one.mat", "b/one.txt", "README.md", "broken.mat"
        for name in names:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(FEW)
        (source / "README.md").write_text("no record")
        (source / "broken.mat").write_bytes(load(SHORT).players[0].encode() + b"\0RGMH")
        result = run(source, "-o", out, *quick, "--workers", 1)
        written = ["a/one.mat.json", "b/one.mat.json", "b/one.txt.json"]
        assert (result.exit_code, files_in(out)) == (0, written)
        assert "3 records: 1 match, 2 copies\n3 records analyzed by exact values and bgsage" in result.stdout
        assert re.search(r" 2 +- too few .* Bob$", result.stdout, re.MULTILINE)
        assert next(load(out / written[0]).decisions()).best == "8/5 6/5"
        whole = (out / written[1]).read_bytes()
        (out / written[1]).write_bytes(whole[:-9])
        before = [(out / name).stat().st_mtime_ns for name in written]
        again = run(source, "-o", out, *quick, "--workers", 1)
        assert (again.exit_code, [(out / name).stat().st_mtime_ns for name in written]) == (2, before)
        assert written[1] in again.stderr
        (out / written[1]).unlink()
        again = run(source, "-o", out, *quick, "--workers", 2)
        changed = [(out / name).stat().st_mtime_ns != then for name, then in zip(written, before, strict=True)]
        assert (again.exit_code, changed) == (0, [False, True, False])
        assert (out / written[1]).read_bytes() == whole
        assert again.stdout.splitlines()[:-1] == result.stdout.splitlines()[:-1]
        assert "already there: 2" in again.stdout

    @gnu_backgammon.is_needed
    @pytest.mark.skipif(os.name != "posix", reason="a program of the shell")
    def test_an_engine_that_ends_in_the_middle(self, tmp_path: Path) -> None:
        """The file is named, and the next one gets a new engine."""
        (tmp_path / "in").mkdir()
        for name in "a.mat", "b.mat":
            (tmp_path / "in" / name).write_text(FEW)
        program = tmp_path / "gnubg"
        program.write_text(ENDS_ONCE.format(gnu_backgammon.GNUBG))
        program.chmod(0o700)
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        result = run(tmp_path / "in", "-o", tmp_path / "out", "--workers", 1, "--engine", "gnubg", PATH=path)
        assert (result.exit_code, files_in(tmp_path / "out")) == (2, ["b.mat.json"])
        wording.check(result.stderr.strip(), "a.mat", "ended")
