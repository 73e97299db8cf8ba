"""Before the first release no page says that something is published, and the citation names this version."""

from __future__ import annotations

import re
import runpy
from typing import Any

import pytest

import gammonrules
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
