"""`docs/reference/api.md` says what the package offers today."""

from __future__ import annotations

import importlib
import re
from types import ModuleType

import pytest

import api_page
import gammonrules

NAMES = r"(?m)^(?:### |- |  )\[`?(\w+).*?\]\("
"""What has an entry of its own, to which it is linked; a name may have several signatures."""


def test_the_page_is_up_to_date() -> None:
    """If it is not: `python tests/api_page.py` writes it again."""
    assert api_page.PAGE.read_text(encoding="utf-8") == api_page.page()


@pytest.mark.parametrize("name", api_page.MODULES)
def test_every_public_name_stands_under_its_module(name: str) -> None:
    module = importlib.import_module(f"gammonrules.{name}")
    (section,) = re.findall(rf"(?ms)^## gammonrules\.{re.escape(name)}\n(.*?)(?=^## |\Z)", api_page.page())
    shown = set(re.findall(NAMES, section))
    assert {known for known in module.__all__ if not isinstance(getattr(module, known), ModuleType)} <= shown


def test_what_the_package_offers_stands_somewhere() -> None:
    shown = set(re.findall(NAMES, api_page.page()))
    assert set(gammonrules.__all__) <= shown


def test_every_entry_says_something() -> None:
    """Alone are constructors, whose class is described above them, and private aliases, which say what they mean."""
    page = api_page.page()
    alone = re.findall(r"(?m)^- \[?`([^`]+)`(?:\]\([^)]*\))?:?$(?!\n  )", page)
    small = [code for code in alone if not (code[0].isupper() or code[0] == "_")]
    assert [code for code in small if f"\n### [{code.partition('(')[0]}](" not in page] == []
