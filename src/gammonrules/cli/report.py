"""Verdicts on the terminal. Texts from files are shown as they are, never as markup or control characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from attrs import Factory, define
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from gammonrules.cli.find import Candidate
from gammonrules.cli.verdict import Verdict
from gammonrules.records import Finding, Match, Severity

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
LONG_RUN = 200_000
"""Bytes of records from which a run takes long enough to show its progress."""


def shown(text: str) -> Text:
    """A text that comes from a file or a path, harmless for the terminal."""
    return Text("".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text))


def with_progress(candidates: list[Candidate], console: Console) -> Iterator[Candidate]:
    """The candidates, with a progress bar if there is much to read and somebody looks on."""
    if not console.is_terminal or size_of(candidates) < LONG_RUN:
        yield from candidates
        return
    with _progress_bar(console) as progress:
        yield from progress.track(candidates, description="Reading records")


@contextmanager
def progress_by_depth(console: Console) -> Generator[Callable[[Collection[Any]], Iterable[Any]]]:
    """A function that shows the progress of one depth after the other, all of them by the same bar."""
    with _progress_bar(console) as progress:
        task, depths = progress.add_task(""), count(1)

        def track(level: Collection[Any]) -> Iterable[Any]:
            progress.reset(task, total=len(level), description=f"Depth {next(depths)}")
            for each in level:  # not by Progress.track, whose end needs memory, which may be what has run out
                yield each
                progress.advance(task)

        yield track


def _progress_bar(console: Console) -> Progress:
    """A bar that goes when the work is done; there is none where nobody looks on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def size_of(candidates: Iterable[Candidate]) -> int:
    """The bytes to read, as far as they can be known."""
    total = 0
    for candidate in candidates:
        with suppress(OSError, ValueError):
            total += Path(candidate.path).stat().st_size
    return total


def print_verdict(verdict: Verdict, console: Console) -> None:
    """The table of a match and its findings, or the sentence about a file that cannot be read."""
    match = verdict.match
    if match is None:
        line = Text.assemble(shown(verdict.file), ": ", (shown(verdict.error or "").plain, "red"))
        console.print(line, soft_wrap=True)
        console.print()
        return
    console.print(Text.assemble((shown(verdict.file).plain, "bold")), soft_wrap=True)
    console.print(match_table(match, verdict))
    for finding in verdict.findings:
        console.print(finding_line(finding), soft_wrap=True)
    if verdict.findings:
        console.print()


def match_table(match: Match, verdict: Verdict) -> Table:
    """Length, score, games, rolls and findings of a match."""
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in ("White", "Black", "Length", "Score", "Games", "Rolls", "Findings"):
        table.add_column(heading, justify="right" if heading in {"Games", "Rolls"} else "left", overflow="fold")
    white, black = match.score
    table.add_row(
        shown(match.players[0]),
        shown(match.players[1]),
        "money" if match.length is None else str(match.length),
        f"{white}-{black}",
        str(len(match.games)),
        str(match.rolls),
        summary(verdict),
    )
    return table


def summary(verdict: Verdict) -> Text:
    """The numbers of findings by severity."""
    parts = [
        Text(counted(count, severity), _STYLES[severity]) for severity in Severity if (count := verdict.count(severity))
    ]
    return Text(", ").join(parts) if parts else Text("none", "green")


def counted(count: int, noun: str) -> str:
    """A number with its noun; "info" has no plural."""
    return f"{count} {noun}{'s' * (count != 1 and noun != 'info')}"


def finding_line(finding: Finding) -> Text:
    """One finding on one line."""
    place = ", ".join(
        f"{name} {value}" for name, value in (("game", finding.game), ("row", finding.row)) if value is not None
    )
    return Text.assemble(
        "  ",
        (f"{finding.severity:<8}", _STYLES[finding.severity]),
        f"{place + ': ' if place else ''}{finding.kind}: ",
        shown(finding.explanation),
        f"  [{shown(finding.text)}]" if finding.text else "",
    )


@define
class Tally:
    """What a run has found so far; the verdicts themselves are not kept, since a folder may hold thousands."""

    matches: int = 0
    unread: int = 0
    findings: Counter[Severity] = Factory(Counter[Severity])

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.matches += verdict.match is not None
        self.unread += verdict.match is None
        self.findings.update(finding.severity for finding in verdict.findings)

    @property
    def exit_status(self) -> int:
        """0 no errors, 1 findings of severity error, 2 a file that cannot be read or nothing to read."""
        if self.unread or not self.matches:
            return 2
        return 1 if self.findings[Severity.ERROR] else 0

    def __str__(self) -> str:
        noun = "match" if self.matches == 1 else "matches"
        counts = ", ".join(counted(self.findings[severity], severity) for severity in Severity)
        return f"{self.matches} {noun}: {counts}" + (f"; not read: {self.unread}" if self.unread else "")
