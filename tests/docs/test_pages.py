"""What holds for every page of the documentation, as it is written; `browser/test_site.py` looks at the built site."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import gammonrules
from gammonrules._shared.extras import INSTALL

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]


def blocks(page: Path) -> Iterator[tuple[int, str, str]]:
    """The line, the language and the text of each block of code."""
    text = page.read_text(encoding="utf-8")
    for fence in re.finditer(r"(?ms)^( *)```(\S*)(?: title=\S+)?\n(.*?)^\1```$", text):
        yield text[: fence.start()].count("\n") + 1, fence[2], re.sub(rf"(?m)^{fence[1]}", "", fence[3])


LANGUAGES = {"c", "console", "css", "go", "html", "js", "json", "py", "pycon", "python", "rust", "text", "ts"}
BLOCKS = [(f"{page.relative_to(ROOT).as_posix()}:{line}", *block) for page in PAGES for line, *block in blocks(page)]


def test_every_block_says_what_it_is() -> None:
    """A session is `pycon`, so that what it prints is not colored as Python: write it as such."""
    assert len(BLOCKS) > 100
    unknown = [(place, language) for place, language, _ in BLOCKS if language not in LANGUAGES]
    not_as_told = [place for place, language, text in BLOCKS if text.startswith(">>> ") != (language == "pycon")]
    assert (unknown, not_as_told) == ([], [])


def test_every_page_has_a_description_of_its_own() -> None:
    """One line, for search engines, and for `llms.txt`, which the build of the site writes."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES[1:]]
    described = [re.findall(r"\A---\ndescription: (.{20,160})\n", text) for text in texts]
    assert all(described)
    assert len(set(map(tuple, described))) == len(described)
    assert [line for (line,) in described if ": " in line and line[0] != '"'] == []  # YAML takes it for a key


def test_no_block_is_wider_than_a_page_shows() -> None:
    assert [(place, row) for place, _, text in BLOCKS for row in text.splitlines() if len(row) > 80] == []


def test_the_site_says_which_version_it_describes() -> None:
    """In the footer of every page; the generators have no variable for it that both know."""
    assert f"\ncopyright: gammonrules {gammonrules.__version__}, " in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_place_installs_extras_as_error_messages_say() -> None:
    """The first release changes `extras.INSTALL`, then what this finds. Editable installations need a clone anyway."""
    files = [*PAGES, *(path for folder in ("src", "examples") for path in (ROOT / folder).rglob("*.*"))]
    command = re.escape(INSTALL[INSTALL.index("python") :]).replace(r"\{\}", r"[\w,]+").replace('"', r'\\?"')
    lines = [
        (path.relative_to(ROOT).as_posix(), line)
        for path in files
        if path.suffix in {".md", ".py", ".ipynb"} and path.name != "extras.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if "pip install" in line and re.search(r"pip install (?!-e )[^`]*\[", line)
    ]
    assert [(path, line) for path, line in lines if not re.search(command, line)] == []
    assert len(lines) > 20


def extras_and_those_listed() -> tuple[dict[str, list[str]], list[str]]:
    """Of the project, with what each needs, and the names in the table of the page *Install*, in its order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = re.findall(r"(?m)^\| .* \| `(\w+)` \|$", (ROOT / "docs/install.md").read_text(encoding="utf-8"))
    return project["optional-dependencies"], listed


def test_one_page_lists_every_extra() -> None:
    """But those for developing the library, and the one for clusters, which its page names."""
    extras, listed = extras_and_those_listed()
    assert sorted([*listed, "dask", "docs", "test"]) == sorted(extras)


def test_the_extra_of_analysts_has_the_four_listed_below_it() -> None:
    extras, listed = extras_and_those_listed()
    first, *others = listed[:5]
    assert extras[first] == [f"gammonrules[{','.join(sorted(others))}]"]
