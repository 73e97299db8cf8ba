"""`docs/reference/api.md` says what the package offers today."""

from __future__ import annotations

import re
from functools import cache

import api_page

page = cache(api_page.page)


def test_every_entry_is_public_and_every_meaning_is_told() -> None:
    assert re.findall(r"\b_\w+", page()) == []
    names = re.findall(r"(?m)^- \[`(?:[\w.]+\.)?(\w+)`\]", page())
    assert api_page.MEANINGS.keys() <= {*names}


def test_every_page_says_its_tier_and_the_policy_knows_both() -> None:
    """Two pages are about both tiers; the others say theirs before their first section."""
    lines = {f"*{tier}*: {promise}" for tier, promise in api_page.TIERS.items()}
    pages = [page for page in api_page.PAGE.parent.glob("*.md") if page.name not in {"api.md", "index.md"}]
    tops = {page.name: page.read_text(encoding="utf-8").partition("\n## ")[0].splitlines() for page in pages}
    assert [name for name, top in tops.items() if len(lines & {*top}) != 1] == []
    policy = (api_page.PAGE.parents[2] / "SECURITY.md").read_text(encoding="utf-8")
    assert all(f"**{tier.lower()}**" in policy for tier in api_page.TIERS)
