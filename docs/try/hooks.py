"""What the build of the site does besides (`hooks` in `mkdocs.yml`)."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

import beforehand
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation

PAGES: list[Any] = []
"""In the order of the navigation, and then those that are not in it."""


def on_pre_build(**_: Any) -> None:
    """Boards play without Python."""
    beforehand.write()


def on_nav(nav: Navigation, files: Files, **_: Any) -> None:
    """Keep the order of the pages."""
    others = [file.page for file in files.documentation_pages() if file.page not in nav.pages]
    PAGES[:] = [*nav.pages, *others]


def on_post_build(config: MkDocsConfig) -> None:
    """Write `llms.txt` (https://llmstxt.org): every page with its address and description, for language models."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}"]
    for section, pages in groupby(PAGES, section_of):
        entries = [f"- [{page.title}]({page.canonical_url}): {page.meta['description']}" for page in pages]
        lines += ["", f"## {section}", "", *entries]
    Path(config.site_dir, "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def section_of(page: Any) -> str:
    """The tab that it belongs to."""
    return str(page.ancestors[-1].title) if page.ancestors else "Pages"
