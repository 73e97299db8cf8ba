"""The page about race formulas prints what it says for six checkers; Sybil runs it with five."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "race-formulas.md"


@pytest.mark.long
def test_six_checkers(capsys: pytest.CaptureFixture[str]) -> None:
    before, _, after = PAGE.read_text(encoding="utf-8").partition("```text\n")
    examples = [
        example
        for block in re.findall(r"(?ms)^```pycon\n(.*?)^```", before)
        for example in doctest.DocTestParser().get_examples(block)
    ]
    lines = "".join(example.source for example in examples)
    assert lines.count("checkers = 5\n") == 1
    exec(lines.replace("checkers = 5\n", "checkers = 6\n"), {})
    assert capsys.readouterr().out == after.partition("```")[0]
