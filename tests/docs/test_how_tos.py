"""A how-to shows what runs on its first screen: after few words, and above its pictures.

Where it begins on the built page is in `tests/browser/test_site.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import loop
from console_blocks import INSTALLATION

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
WORDS = 120
BLOCK = re.compile(r"(?ms)^```(?:console|js|py|pycon|python)\b[^\n]*\n(.*?)^```$")
NOT_READ = re.compile(r"(?m)\A---\n(?s:.*?)^---\n|^<!---.*$|(?<=\])\([^)]*\)")
"""What stands above the page, comments, and where links lead."""


def before_the_first_example(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    example = next(block for block in BLOCK.finditer(text) if does_more_than_install(block[1]))
    return NOT_READ.sub("", text[: example.start()])


def does_more_than_install(block: str) -> bool:
    return any(INSTALLATION.sub("", line).strip("$ ") for line in block.splitlines())


@loop.over("page", PAGES.glob("*.md"), ids=lambda page: page.name)
def test_the_first_example_comes_soon(page: Path) -> None:
    before = before_the_first_example(page)
    assert 0 < len(before.split()) <= WORDS
    assert "![" not in before
