"""How many findings are listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

import attrs
from attrs import Factory, define

from gammonrules.records.findings import Finding, FindingKind, Severity

MOST_OF_A_KIND: Final = 50
"""Findings of one kind and severity that are listed for a record; one more says that there are others."""


@define
class FindingLog:
    """Findings as they come up, of each kind and severity no more than can be read."""

    listed: list[Finding] = Factory(list[Finding])
    _counts: Counter[tuple[Severity, FindingKind]] = Factory(Counter[tuple[Severity, FindingKind]])

    @classmethod
    def after(cls, findings: Iterable[Finding]) -> FindingLog:
        """A log that goes on after findings that were listed before."""
        listed = list(findings)
        return cls(listed, Counter((finding.severity, finding.kind) for finding in listed))

    def is_full(self, severity: Severity, kind: FindingKind) -> bool:
        """Whether another finding of this kind would not be listed, so that nobody needs to make it."""
        return self._counts[severity, kind] > MOST_OF_A_KIND

    def append(self, finding: Finding) -> None:
        """List a finding, the last one of its kind with a note that there are more."""
        which = finding.severity, finding.kind
        self._counts[which] += 1
        if self._counts[which] <= MOST_OF_A_KIND:
            self.listed.append(finding)
        elif self._counts[which] == MOST_OF_A_KIND + 1:
            self.listed.append(attrs.evolve(finding, explanation=f"{finding.explanation}; {_AND_MORE}"))

    def extend(self, findings: Iterable[Finding]) -> None:
        """List several."""
        for finding in findings:
            self.append(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.listed)


_AND_MORE = "others of this kind may follow, which are not listed"
