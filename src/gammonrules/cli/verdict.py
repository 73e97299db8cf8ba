"""The verdict on one file, as plain data and as JSON."""

from __future__ import annotations

from typing import Any

import attrs
from attrs import frozen

from gammonrules.cli.find import Candidate, sentence
from gammonrules.errors import GammonError
from gammonrules.records import Finding, Match, Severity, load, referee


@frozen
class Verdict:
    """What was found in a file: a match with its findings, or the reason why it cannot be read."""

    file: str
    match: Match | None = None
    findings: tuple[Finding, ...] = ()
    error: str | None = None

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        match = self.match
        if match is None:
            return {"file": self.file, "error": self.error}
        return {
            "file": self.file,
            "format": match.format,
            "match_length": match.length or 0,
            "players": list(match.players),
            "games": len(match.games),
            "rolls": match.rolls,
            "score": list(match.score),
            "findings": [attrs.asdict(finding) for finding in self.findings],
        }


def judge(candidate: Candidate) -> Verdict:
    """Read and referee one file; whatever happens, the run goes on."""
    file = str(candidate.path)
    if candidate.error is not None:
        return Verdict(file, error=candidate.error)
    try:
        match = load(candidate.path)
        return Verdict(file, match, referee(match))
    except OSError as error:
        return Verdict(file, error=sentence(error))
    except GammonError as error:
        return Verdict(file, error=str(error).removeprefix(f"{file}: "))
    except Exception as error:  # noqa: BLE001 - one file must not end the run, not even by a mistake of ours
        return Verdict(file, error=f"gammonrules failed on it, please report this: {type(error).__name__}: {error}")
