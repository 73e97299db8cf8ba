"""Each image is shown on a page, and each how-to shows what comes out."""

from __future__ import annotations

import re
from pathlib import Path

import loop
import pictures

FOREIGN = {"favicon.svg", "matrix.svg", "faster.svg", "performance.svg", "performance-narrow.svg"}
"""Images that are no boards: an engine makes the verdicts of the second, generators/speed.py draws the others."""


def test_every_picture_is_shown_and_nothing_else_lies_there() -> None:
    shown = set()
    for page in [*pictures.DOCS.rglob("*.md"), pictures.DOCS.parent / "README.md"]:
        links = re.findall(r"!\[[^\]]+\]\(([^)#]+\.(?:svg|webp))[)#]", page.read_text(encoding="utf-8"))
        shown |= {(page.parent / link.rpartition("/main/")[2]).resolve() for link in links}
    there = {file for file in pictures.FOLDER.rglob("*.svg") if file.name not in FOREIGN}
    assert there == set(pictures.pictures())
    assert there | {*pictures.FOLDER.rglob("*.webp")} <= shown


@loop.over("page", (pictures.DOCS / "how-to").glob("*.md"), ids=lambda page: page.name)
def test_a_how_to_shows_what_comes_out(page: Path) -> None:
    """On top, before its first section; what browsers show (`generators/page_pictures.py`) in both schemes."""
    top = page.read_text(encoding="utf-8").partition("\n## ")[0]
    shown = re.findall(r"!\[[^\]]+\]\((\.\.[^)#]+)(#only-\w+)?", top)
    assert shown
    for file, scheme in shown:
        assert 0 < (page.parent / file).stat().st_size < 110_000
        assert scheme == "".join(f"#only-{name}" for name in re.findall(r"-(light|dark)\.", file))
