"""The table of features names tests that exist."""

from __future__ import annotations

import re

from test_development import ROOT, definitions

PAGE = (ROOT / "docs" / "explanation" / "board-features.md").read_text(encoding="utf-8")


def test_each_feature_has_its_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][1:]
    tests = [re.findall(r"`(test_\w+\.py)::(\w+)` \|$", row) for row in rows]
    assert [len(named) for named in tests] == [1] * len(rows)
    missing = [name for ((path, name),) in tests if name not in definitions(ROOT / "tests" / "browser" / path)]
    assert missing == []
