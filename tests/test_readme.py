"""The front page: its links and ratios, and the list of the cookbook. Sybil runs its code (see conftest.py)."""

from __future__ import annotations

import json
import re

import pytest

from test_packaging import ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
COOKBOOK = ROOT / "docs" / "cookbook"
HOST = "https://github.com/gammonrules/gammonrules"

pytestmark = pytest.mark.skipif(not COOKBOOK.exists(), reason="a distribution is tested without the documentation")


def test_the_commands() -> None:
    for command in (
        'python -m pip install ".[cli]" && gammonrules referee examples/matches',
        'python -m pip install -e ".[test]" && python -m pytest',
    ):
        assert f"```console\n{command}\n```\n" in PAGE


def test_ten_lines() -> None:
    typed = [line for line in PAGE.splitlines() if line.startswith(">>> ")]
    assert len(typed) == 10


def targets() -> list[str]:
    return re.findall(r"\]\(([^)]*)\)", PAGE)


def test_links_work_wherever_the_page_is_shown() -> None:
    """A package index shows it as well, where there is nothing for a relative link to lead to."""
    assert [target for target in targets() if not target.startswith("https://")] == []


def test_links_lead_somewhere() -> None:
    places = [re.fullmatch(rf"{HOST}/(?:blob|tree)/main/([^#]+)(?:#(.+))?", target) for target in targets()]
    inside = [(found[1], found[2]) for found in places if found is not None]
    assert len(inside) >= 10
    for path, anchor in inside:
        assert (ROOT / path).exists(), path
        if anchor:
            headings = re.findall(r"(?m)^#+ (.+)$", (ROOT / path).read_text(encoding="utf-8"))
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
    raw = "https://raw.githubusercontent.com/gammonrules/gammonrules/main/"
    assert [target.removeprefix(raw) for target in targets() if target.startswith(raw)] == ["docs/images/board.svg"]


def test_ratios_are_those_of_the_benchmark() -> None:
    measured = json.loads((ROOT / "docs" / "images" / "performance.json").read_text(encoding="utf-8"))
    ratios = {measure["name"]: f"{measure['ratio']:.1f}" for measure in measured["measures"]}
    rows = re.findall(r"(?m)^\| (T\w+) \|.*\| ([\d.]+) \|$", PAGE)
    assert len(rows) == 5
    assert rows == [(name, ratios[name]) for name, _ in rows]


def test_the_cookbook_lists_its_recipes() -> None:
    listed = re.findall(r"(?m)^- \[(.+)\]\((\w+\.md)#", (COOKBOOK / "index.md").read_text(encoding="utf-8"))
    found = [
        (heading, name)
        for name in ("boards.md", "bots.md", "records.md")
        for heading in re.findall(r"(?m)^## (.+)$", (COOKBOOK / name).read_text(encoding="utf-8"))
    ]
    assert listed == found
