"""`docs/reference/findings.md` has an example of every kind of finding, and says what the referee says."""

from __future__ import annotations

import re

import findings_page
import loop
from gammonrules.records import FindingKind, Severity

CASES = [(kind, example) for kind, examples in findings_page.EXAMPLES.items() for example in examples]


def test_every_kind_has_an_example() -> None:
    assert {*findings_page.EXAMPLES, *findings_page.ELSEWHERE} == set(FindingKind)
    assert not {*findings_page.EXAMPLES} & {*findings_page.ELSEWHERE}


@loop.over(("kind", "example"), CASES)
def test_an_example_shows_its_kind(kind: FindingKind, example: str | findings_page.Damaged) -> None:
    """Once, as severe as its description says, at a line of the file, in words that can be read out."""
    finding, *others = findings_page.findings_in(kind, example)
    assert not others or not isinstance(example, str)
    described = findings_page.description(kind)
    if described.startswith(("Error", "Warning", "Info")):
        assert described.startswith(finding.severity.title())
    assert finding.line is None or not isinstance(example, str) or finding.line <= example.count("\n")
    assert re.fullmatch(r"[^\n_{}<>]+[^.]", finding.explanation)
    assert 20 < len(finding.explanation) < 260


@loop.over(("kind", "example"), CASES)
def test_an_example_has_no_other_error(kind: FindingKind, example: str | findings_page.Damaged) -> None:
    errors = {
        finding.kind
        for finding in findings_page.referee(findings_page.read(example))
        if finding.severity is Severity.ERROR
    }
    assert errors <= {kind}
