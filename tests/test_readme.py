"""The front page: its picture, its links, its ratios; and the list of the cookbook.

`python tests/test_readme.py` draws the picture again. Sybil runs the code (see the root conftest.py).
"""

from __future__ import annotations

import json
import re

import pytest

from gammonrules import MatchState, draw
from test_packaging import ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs" / "images" / "board.svg"
COOKBOOK = ROOT / "docs" / "cookbook"
HOST = "https://github.com/gammonrules/gammonrules"

pytestmark = pytest.mark.skipif(not COOKBOOK.exists(), reason="a distribution is tested without the documentation")


def picture() -> str:
    """A board in the middle of a match, as an image file that is light or dark as its reader's system."""
    state = MatchState.from_xgid("XGID=--bB-BBBBa--bBA--b-ec---B-:1:-1:1:53:1:0:0:7:10")
    play = "24/21 14/9*"
    svg = draw.svg.table(state, names=("Ann", "Bob"), arrows=play, theme="auto", nonce="", size=628)
    return f"{svg}\n"


def test_the_picture_is_drawn_by_the_library() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture()


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


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
