"""Every public name is used in an example that runs, and no example is wider than a page shows.

An example of a name is in its own docstring, in that of its class, or on its page of the reference, and its code must
use the name; of exceptions, warnings and protocols it may be what is printed. Exempt are members of enums, attributes
that the docstring of their class describes, and members of protocols, which callers bring. Sybil runs all of them (see
the root conftest.py).
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import api_page
import loop
from test_packaging import ROOT, SOURCES
from test_public import docstrings, public_names

REFERENCE = ROOT / "docs" / "reference"
WIDEST = 80

pytestmark = pytest.mark.skipif(not REFERENCE.exists(), reason="a distribution is tested without the documentation")


def names_in(code: str) -> Iterator[str]:
    """The names that a piece of Python uses: variables, attributes, imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield node.name.rpartition(".")[2]


def shown_in(text: str) -> set[str]:
    """The names that the examples of a text use, and the errors that they print."""
    names: set[str] = set()
    for example in doctest.DocTestParser().get_examples(inspect.cleandoc(text)):
        names.update(names_in(example.source), re.findall(r"\w+Error\b", example.want))
    return names


@cache
def shown_on_pages() -> dict[str, set[str]]:
    """For each name that a page of the reference describes ("batch.flip", "Dice"), what its examples show."""
    names: dict[str, set[str]] = {}
    for path in REFERENCE.glob("*.md"):
        page = path.read_text(encoding="utf-8")
        blocks = re.findall(r"(?ms)^```(?:pycon|python)\n(.*?)^```", page)
        shown = set[str]().union(*map(shown_in, blocks))
        names |= dict.fromkeys(re.findall(r"(?m)^::: gammonrules\.([\w.]+)", page), shown)
    return names


def has_example(name: str) -> bool:
    owner, _, last = name.rpartition(".")
    described = owner if owner in public_names() else name  # the class of a member
    short = described.rpartition(".")[2]
    # `records` and `equity` export names of `analysis`, and these have one page
    pages = [shown_on_pages().get(known, set()) for known in (described, short, f"analysis.{short}")]
    return last in shown_in(docstrings()[name]).union(shown_in(docstrings()[described]), *pages)


def is_exempt(name: str) -> bool:
    return api_page.is_protocol(public_names().get(name.rpartition(".")[0]))


@loop.over("name", lambda: [name for name in docstrings() if not is_exempt(name)])
def test_every_public_name_has_an_example(name: str) -> None:
    assert has_example(name)


def docstrings_in(path: Path) -> Iterator[str]:
    texts = re.findall(r'(?s)"""(.*?)"""', path.read_text(encoding="utf-8"))
    yield from (inspect.cleandoc(text) for text in texts if "Examples:\n" in text)


@loop.over("path", lambda: sorted(SOURCES.rglob("*.py")), ids=str)
def test_examples_fit_the_page(path: Path) -> None:
    """A line of code or of output, without the indentation of its section, so that nothing of it is cut off."""
    wide = [
        line
        for text in docstrings_in(path)
        for line in text.partition("Examples:\n")[2].splitlines()
        if len(line.removeprefix("    ")) > WIDEST
    ]
    assert wide == []
