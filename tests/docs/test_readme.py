"""The front page: its links and ratios, and the list of the cookbook. Sybil runs its code (see conftest.py)."""

from __future__ import annotations

import ast
import builtins
import doctest
import re
from collections.abc import Iterator

import pytest

import speed
from test_packaging import ROOT

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
COOKBOOK = ROOT / "docs" / "cookbook"
HOST, SITE = "https://github.com/gammonrules/gammonrules", "https://gammonrules.github.io/gammonrules/"

pytestmark = pytest.mark.skipif(not COOKBOOK.exists(), reason="a distribution is tested without the documentation")


def targets() -> list[str]:
    return re.findall(r"\]\(([^)]*)\)", PAGE)


def test_links_work_wherever_the_page_is_shown() -> None:
    """A package index shows it as well, where there is nothing for a relative link to lead to."""
    assert [target for target in targets() if not target.startswith("https://")] == []


def page_of(address: str) -> str:
    """The file of a page of the site."""
    return next(name for name in (f"docs/{address[:-1]}.md", f"docs/{address}index.md") if (ROOT / name).exists())


def test_links_lead_somewhere() -> None:
    """Pages of the documentation on its site, since what `:::` stands for is only there."""
    places = [
        re.fullmatch(rf"(?:{HOST}/(?:blob|tree)/main/|({SITE}))([^#]+)(?:#(.+))?", target) for target in targets()
    ]
    inside = [(page_of(place[2]) if place[1] else place[2], place[3]) for place in places if place is not None]
    assert len(inside) >= 20
    assert f"{HOST}/blob/main/docs" not in PAGE
    for path, anchor in inside:
        assert (ROOT / path).exists(), path
        if anchor:
            headings = re.findall(r"(?m)^#+ (.+)$", (ROOT / path).read_text(encoding="utf-8"))
            assert anchor in {heading.lower().replace(" ", "-") for heading in headings}
    raw = "https://raw.githubusercontent.com/gammonrules/gammonrules/main/"
    assert [target.removeprefix(raw) for target in targets() if target.startswith(raw)] == ["docs/images/board.svg"]


def test_ratios_are_those_of_the_benchmark() -> None:
    """`python generate.py speed` writes them."""
    rows = speed.rows(speed.measured())
    assert f"\n\n{rows}\n\n" in PAGE
    assert len(re.findall(r"\*\*([0-9.]+ times as|equally) fast\*\*", rows)) == 5


def test_the_cookbook_lists_its_recipes() -> None:
    listed = re.findall(r"(?m)^- \[(.+)\]\((\w+\.md)#", (COOKBOOK / "index.md").read_text(encoding="utf-8"))
    recipes = [
        (heading, name)
        for name in ("boards.md", "bots.md", "records.md")
        for heading in re.findall(r"(?m)^## (.+)$", (COOKBOOK / name).read_text(encoding="utf-8"))
    ]
    assert listed == recipes


def recipes() -> Iterator[tuple[str, str]]:
    """The heading and the code of each recipe."""
    for path in sorted(COOKBOOK.glob("*.md")):
        for recipe in re.split(r"(?m)^## ", path.read_text(encoding="utf-8"))[1:]:
            examples = doctest.DocTestParser().get_examples("".join(re.findall(r"(?ms)^```pycon\n(.*?)^```", recipe)))
            yield recipe.partition("\n")[0], "".join(example.source for example in examples)


def unknown(code: str) -> set[str]:
    """The names that some code uses without having made them."""
    known, used = set(dir(builtins)), set[str]()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                known.add(name)
            case ast.alias(name=name, asname=other):
                known.add(other or name)
            case ast.ExceptHandler(name=str(name)):
                known.add(name)
            case _:
                pass
    return used - known


def test_every_recipe_works_by_itself() -> None:
    """Readers copy one; Sybil runs a whole page."""
    assert {heading: names for heading, code in recipes() if (names := unknown(code))} == {}
    assert sum(bool(code) for _, code in recipes()) > 40
