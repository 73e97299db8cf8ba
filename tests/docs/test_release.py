"""What release.yml publishes: the files that were built, by `.ci/hashes.py`, and no others."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

import processes
from test_packaging import ROOT

SCRIPT = ROOT / ".ci" / "hashes.py"
JQ = shutil.which("jq")
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"

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


def test_each_artifact_is_named_and_has_its_hashes() -> None:
    """Those of the jobs that build, wherever all are downloaded."""
    text = WORKFLOW.read_text(encoding="utf-8")
    systems = re.findall(r"- \{system: ([\w-]+), ", text)
    (named,) = re.findall(r'(?m)^  ARTIFACTS: "\{(.*)\}"$', text)
    assert named.split(",") == [*(f"wheels-{system}" for system in systems), "source"]
    assert re.findall(r"(?m)^      ([\w-]+): \$\{\{ steps\.built\.outputs\.([\w-]+) \}\}$", text) == [
        *((system, system) for system in systems),
        ("files", "files"),
    ]
    jobs = {job.partition(":")[0]: job for job in re.split(r"(?m)^  (?=\w[\w-]*:$)", text.partition("\njobs:\n")[2])}
    takes_all = [name for name, job in jobs.items() if "path: dist\n" in job and "wheels-*" not in job]
    assert takes_all == ["check", "test-source", "publish", "rehearse"]  # of which one takes "source" alone
    for name in ("check", "publish", "rehearse"):
        before, _, after = jobs[name].partition("pattern: ${{ env.ARTIFACTS }}")
        assert "download-artifact" in before
        assert "hashes.py dist 26" in after.partition("uses: pypa")[0].partition("pip install")[0]


@pytest.mark.skipif(JQ is None, reason="jq is not installed")
def test_the_lines_of_all_jobs(folder: Path) -> None:
    """As the workflow hands them on: the outputs of two jobs, in JSON."""
    first, *others = hashes_of(folder).splitlines()
    needs = {"wheels": {"outputs": {"linux": "\n".join(others)}}, "source": {"outputs": {"files": first}}, "check": {}}
    (words,) = {*re.findall(r"jq --raw-output '(.*?)'", WORKFLOW.read_text(encoding="utf-8"))}
    lines = processes.run(JQ, "--raw-output", words, stdin=None, input=json.dumps(needs)).stdout
    assert compared(folder, 3, lines) == (0, "")
