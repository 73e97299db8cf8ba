"""The parts of `.ci/everything`, and its memory of when each has passed, by `.ci/passed.py`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import processes
from test_packaging import ROOT

FOLDER = ROOT / ".ci"
EVERYTHING = FOLDER / "everything"

pytestmark = pytest.mark.skipif(not EVERYTHING.exists(), reason="a distribution is tested without what makes a release")

OLD = "wheel\t0123abc\t2026-11-28T09:00:00Z\t300\t1.12\n"
NEW = "wheel\t4567def\t2026-12-01T09:00:00Z\t140\t0.56\n"
OTHER = "pages\t4567def\t2026-11-30T09:00:00Z\t600\t0.56\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """A copy of it, with a memory of its own."""
    script = tmp_path / "passed.py"
    script.write_bytes((FOLDER / "passed.py").read_bytes())
    return script


def said(script: Path, *words: str) -> str:
    return processes.run(sys.executable, script, *words).stdout


def remember(script: Path, *lines: str) -> None:
    script.with_suffix(".tsv").write_text("".join(lines))


def test_what_never_passed_is_next(script: Path) -> None:
    assert said(script, "next", "long-core", "pages") == "long-core\n"
    remember(script, NEW, OTHER)
    assert said(script, "next", "wheel", "long-core", "pages") == "long-core\n"


@pytest.mark.parametrize("lines", [(OLD, OTHER, NEW), (NEW, OTHER, OLD)])
def test_then_what_passed_longest_ago(script: Path, lines: tuple[str, ...]) -> None:
    """Lines that come of a merge are in any order: the latest date counts."""
    remember(script, *lines)
    assert said(script, "next", "wheel", "pages") == "pages\n"
    remember(script, OLD, OTHER)
    assert said(script, "next", "wheel", "pages") == "wheel\n"


def test_the_list_has_each_part_once(script: Path) -> None:
    """With minutes as on the machine that the parts are cut for; a part that is no more is left out."""
    remember(script, OLD, OTHER, "gone\t0123abc\t2026-11-01T09:00:00Z\t99\t0.56\n")
    heading, *rows, total = said(script, "list", "pages", "wheel", "pure").splitlines()
    assert heading.split()[0] == "part"
    assert [row.split()[0] for row in rows] == ["pure", "wheel", "pages"]
    assert rows[1].split() == ["wheel", "0123abc", "2026-11-28T09:00:00Z", "300", "1.12", "2.5"]
    assert rows[2].split()[-1] == "10.0"
    assert total == "2 of 3 parts: 12 minutes"


def test_what_passes_is_added(script: Path) -> None:
    remember(script, OLD)
    said(script, "add", "pure", "4567def", "77")
    old, new = script.with_suffix(".tsv").read_text().splitlines(keepends=True)
    assert old == OLD
    assert re.fullmatch(r"pure\t4567def\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\t77\t\d+\.\d\d\n", new)


def parts() -> list[str]:
    text = EVERYTHING.read_text(encoding="utf-8")
    (long,) = re.findall(r"(?m)^LONG=\((.*)\)$", text)
    (others,) = re.findall(r'(?ms)^PARTS=\("\$\{LONG\[@\]\}" (.*?)\)$', text)
    return [*long.split(), *others.split()]


def test_the_workflows_run_each_part() -> None:
    """Each in a job of its own; the long ones for each push."""
    names = []
    for workflow in ("ci", "scheduled"):
        text = (ROOT / f".github/workflows/{workflow}.yml").read_text(encoding="utf-8")
        (matrix,) = re.findall(r"(?s)\n        part:(.*?)\n    steps:", text)
        names += re.findall(r"[a-z][\w-]+", re.sub("#.*", "", matrix))
    assert names == parts()


def test_a_line_that_is_none_is_named(script: Path) -> None:
    """As a merge by hand may leave it."""
    remember(script, OLD, "<<<<<<< HEAD\n")
    for what in ("list", "next"):
        done = processes.run(sys.executable, script, what, "wheel", check=False)
        assert done.returncode == 1
        assert done.stderr == "passed.tsv: line 2 is not that of a part: '<<<<<<< HEAD'\n"


@pytest.mark.parametrize("name", ["long-nonsense", "", "--help"])
def test_an_unknown_part_is_named(name: str) -> None:
    done = processes.run("bash", EVERYTHING, name, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(f'; not "{name}"\n')
    assert all(f" {part}" in done.stderr for part in parts())
