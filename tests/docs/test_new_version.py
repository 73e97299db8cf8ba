"""What a release changes: `.ci/new_version.py` finds each place; before the first one nothing is told as published."""

from __future__ import annotations

import re
import runpy
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import gammonrules
import processes
from gammonrules._shared.extras import INSTALL
from test_packaging import ROOT

SCRIPT = ROOT / ".ci" / "new_version.py"
FROM_THE_INDEX = re.compile(r"(?:pip install \S*gammonrules|npm install gammon-board(?!-\d))")

pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="a distribution is tested without what makes a release")


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


def test_nothing_is_told_as_published_before_it_is(script: dict[str, Any]) -> None:
    """Both names are free: whoever took one would get the readers of these pages."""
    named = [path for path in script["everywhere"]() if FROM_THE_INDEX.search(path.read_text(encoding="utf-8"))]
    assert (".[" in INSTALL) <= (named == [])


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {gammonrules.__version__}\n" in citation
    assert re.search(r"(?m)^date-released: \d{4}-\d\d-\d\d$", citation)


@pytest.mark.skipif('".[" not in INSTALL', reason="something has been released")
def test_the_first_release_and_the_next(script: dict[str, Any], tmp_path: Path) -> None:
    """No page then installs from a clone, and none is wider than before; of the next, the version alone is new."""
    edits = {
        path.relative_to(ROOT).as_posix(): text for path, text in script["edits_of"]("0.1.0", "2027-01-31").items()
    }
    pages = [
        edits.get(path.relative_to(ROOT).as_posix()) or path.read_text(encoding="utf-8")
        for path in script["everywhere"]()
    ]
    assert [page for page in pages if re.search(r"pip install \\?\"?\.[\[\s`]", page)] == []
    assert sum(bool(FROM_THE_INDEX.search(page)) for page in pages) > 50
    assert max(len(line) for page in pages for line in re.findall(r"(?m)^(?:\$ )?python -m pip .*", page)) <= 80
    assert {"web/README.md", "docs/index.md", "examples/check_plays.mjs", "examples/notebooks/tour.ipynb"} <= {*edits}
    for name, text in edits.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert "## [Unreleased]\n\n## [0.1.0] - 2027-01-31\n" in edits["CHANGELOG.md"]
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    processes.run(sys.executable, str(tmp_path / ".ci" / SCRIPT.name), "0.1.1", "2027-02-28")
    twice = processes.run(sys.executable, str(tmp_path / ".ci" / SCRIPT.name), "0.1.1", "2027-02-28", check=False)
    assert twice.stderr == "CHANGELOG.md has 0.1.1 already\n"
    again = {name: (tmp_path / name).read_text(encoding="utf-8") for name in edits}
    changed = {name for name in edits if again[name] != edits[name]}
    places = {"src/gammonrules/__init__.py", "web/package.json", "web/package-lock.json", "mkdocs.yml", "CITATION.cff"}
    assert changed == {*places, "CHANGELOG.md"}
    assert "/compare/v0.1.0...v0.1.1\n[0.1.0]: " in again["CHANGELOG.md"]


def test_what_is_not_there_is_named(script: dict[str, Any]) -> None:
    """Rather than left as it is."""
    with pytest.raises(SystemExit, match="castle: 0 places look like 'castle', not 1"):
        script["replaced"]("castle", "castle", "", "rook")
    with pytest.raises(SystemExit, match=r"a version is 1\.2\.3, not 'v1'"):
        script["edits_of"]("v1", "2027-01-31")
