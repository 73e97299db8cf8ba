"""The verdict on one file, as plain data and as JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs
from attrs import frozen

from gammonrules.cli.find import Candidate, sentence
from gammonrules.errors import GammonError
from gammonrules.records import Finding, Match, Severity, load, referee


@frozen
class Verdict:
    """The result for one file: a match with its findings, or why it cannot be read."""

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
            return {"file": _strict(self.file), "error": _strict(self.error or "")}
        return {
            "file": _strict(self.file),
            "format": match.format,
            "match_length": match.length or 0,
            "players": list(match.players),
            "games": len(match.games),
            "rolls": match.rolls,
            "score": list(match.score),
            "findings": [attrs.asdict(finding) for finding in self.findings],
        }


def _strict(text: str) -> str:
    """The text with escapes for the bytes of a file name that are not UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


Form = TypeVar("Form")


def judge(candidate: Candidate, form: Callable[[Verdict], Form]) -> tuple[Verdict, Form]:
    """Read and referee one file, and format the verdict; whatever happens, the run goes on.

    Args:
        candidate: the file.
        form: formats the verdict. It is called here because it handles what the file says.
    """
    try:
        verdict = _verdict(candidate)
        return verdict, form(verdict)
    except Exception as error:  # noqa: BLE001 - one file must not end the run, not even by a bug of ours
        what = f"{type(error).__name__}: {error!s:.200}"
        verdict = Verdict(candidate.path, error=f"gammonrules failed on it, please report this: {what}")
        return verdict, form(verdict)


def _verdict(candidate: Candidate) -> Verdict:
    """What is found in one file."""
    file = candidate.path
    if candidate.error is not None:
        return Verdict(file, error=candidate.error)
    try:
        match = load(file)
        return Verdict(file, match, referee(match))
    except OSError as error:
        return Verdict(file, error=sentence(error))
    except GammonError as error:
        return Verdict(file, error=str(error).removeprefix(f"{file}: "))
