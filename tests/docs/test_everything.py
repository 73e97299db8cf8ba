"""The workflows run each part of `.ci/everything`."""

from __future__ import annotations

import re

import pytest

from test_packaging import ROOT

EVERYTHING = ROOT / ".ci" / "everything"

pytestmark = pytest.mark.skipif(not EVERYTHING.exists(), reason="a distribution is tested without what makes a release")


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
