"""What release.yml publishes: the files that were built, by `.ci/hashes.py`, and no others."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import processes
from test_packaging import ROOT

SCRIPT = ROOT / ".ci" / "hashes.py"

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="a distribution is tested without what makes a release")


def hashes_of(folder: Path) -> str:
    return processes.run(sys.executable, SCRIPT, folder).stdout


def compared(folder: Path, number: int, built: str) -> tuple[int, str]:
    """The status, and what is said."""
    (folder.parent / "built").write_text(built)
    with (folder.parent / "built").open() as lines:
        done = processes.run(sys.executable, SCRIPT, folder, number, check=False, stdin=lines)
    return done.returncode, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    folder.mkdir()
    for name in "abc":
        (folder / name).write_text(name)
    return folder


def test_the_files_that_were_built(folder: Path) -> None:
    """The lines are those of `sha256sum`, in any order."""
    built = hashes_of(folder)
    a = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"
    assert built.startswith(f"{a}  a\n")
    assert compared(folder, 3, built) == (0, "")
    assert compared(folder, 3, "\n".join(reversed(built.splitlines()))) == (0, "")
    assert compared(folder, 3, "\n" + built.replace("\n", "\n \n\n")) == (0, "")


@pytest.mark.parametrize("change", ["another", "one more", "one less", "none was built"])
def test_other_files_are_refused(folder: Path, change: str) -> None:
    built = hashes_of(folder)
    if change == "another":
        (folder / "b").write_text("not b")
        said = "was not built: [0-9a-f]{64}  b\nis not here: [0-9a-f]{64}  b\n"
    elif change == "one more":
        (folder / "d").write_text("d")
        said = "was not built: [0-9a-f]{64}  d\n"
    elif change == "one less":
        (folder / "c").unlink()
        said = "is not here: [0-9a-f]{64}  c\n"
    else:
        built = ""
        said = "3 files were to be built, not 0\n(was not built: .*\n){3}"
    status, words = compared(folder, 3, built)
    assert status == 1
    assert re.fullmatch(said, words), words
