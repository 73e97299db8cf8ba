"""Verdicts on the terminal. Text from files is shown as it is, never taken for markup or control characters."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from attrs import Factory, define
from rich.box import SIMPLE
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from gammonrules.cli.find import Candidate
from gammonrules.cli.verdict import Verdict
from gammonrules.records import Finding, Match, Severity
from gammonrules.values import counted

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
LONG_RUN = 200_000
"""From this many bytes of records, a run is long enough to show its progress."""
_WIDTH_OF_FILES, _HEIGHT = 120, 25
_WIDEST = 1_000


def console_for_output(*, stderr: bool = False) -> Console:
    """The console of a run, as wide as the terminal, or of a fixed width if there is none.

    rich does not decide the width, since it takes `COLUMNS=0` for a terminal of width 0.
    """
    console = Console(stderr=stderr, highlight=False, width=_WIDTH_OF_FILES, height=_HEIGHT)
    if console.is_terminal:
        console.width = min(shutil.get_terminal_size().columns, _WIDEST)
    return console


def shown(text: str) -> Text:
    """Text from a file or a path, made harmless for the terminal."""
    return Text("".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text))


def with_progress(candidates: list[Candidate], console: Console) -> Iterator[Candidate]:
    """The candidates, with a progress bar if there is much to read on a terminal."""
    if not console.is_terminal or size_of(candidates) < LONG_RUN:
        yield from candidates
        return
    with _progress_bar(console) as progress:
        yield from progress.track(candidates, description="Reading records")


@contextmanager
def progress_by_depth(console: Console) -> Generator[Callable[[Collection[Any]], Iterable[Any]]]:
    """A function that shows the progress of one depth after another in the same bar."""
    with _progress_bar(console) as progress:
        task, depths = progress.add_task(""), count(1)

        def track(level: Collection[Any]) -> Iterable[Any]:
            progress.reset(task, total=len(level), description=f"Depth {next(depths)}")
            for each in level:  # Progress.track needs memory at its end, which may have run out
                yield each
                progress.advance(task)

        yield track


def _progress_bar(console: Console) -> Progress:
    """A bar that disappears when the work is done; without a terminal there is none."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def size_of(candidates: Iterable[Candidate]) -> int:
    """The bytes to read, as far as they are known."""
    total = 0
    for candidate in candidates:
        with suppress(OSError, ValueError):
            total += Path(candidate.path).stat().st_size
    return total


def lines_of(verdict: Verdict, console: Console) -> list[RenderableType]:
    """What is printed about a file: lines, and a table if the console is wide enough."""
    match = verdict.match
    if match is None:
        return [Text.assemble(shown(verdict.file), ": ", (shown(verdict.error or "").plain, "red")), Text()]
    lines: list[RenderableType] = [Text.assemble((shown(verdict.file).plain, "bold"))]
    facts = facts_about(match, verdict)
    table = table_of(facts)
    if Measurement.get(console, console.options.update(width=_WIDEST), table).maximum <= console.width:
        lines.append(table)
    else:
        lines += [Text.assemble(f"{heading:<8}  ", fact) for heading, fact in facts.items()]
    lines += [finding_line(finding) for finding in verdict.findings]
    return [*lines, Text()] if verdict.findings else lines


def print_lines(lines: Iterable[RenderableType], console: Console) -> None:
    """Print what `lines_of` made; the terminal breaks lines that are too long."""
    for line in lines:
        console.print(line, soft_wrap=isinstance(line, Text))


def facts_about(match: Match, verdict: Verdict) -> dict[str, Text]:
    """Players, length, score, games, rolls and findings of a match."""
    white, black = match.score
    return {
        "White": shown(match.players[0]),
        "Black": shown(match.players[1]),
        "Length": Text("money" if match.length is None else f"{match.length}{' (coin game)' * match.is_coin_game}"),
        "Score": Text(f"{white}-{black}"),
        "Games": Text(str(len(match.games))),
        "Rolls": Text(str(match.rolls)),
        "Findings": summary(verdict),
    }


def table_of(facts: dict[str, Text]) -> Table:
    """The facts about a match under their headings."""
    table = Table(box=SIMPLE, pad_edge=False)
    for heading in facts:
        table.add_column(heading, justify="right" if heading in {"Games", "Rolls"} else "left", overflow="fold")
    table.add_row(*facts.values())
    return table


def summary(verdict: Verdict) -> Text:
    """The number of findings by severity."""
    parts = [
        Text(findings_counted(count, severity), _STYLES[severity])
        for severity in Severity
        if (count := verdict.count(severity))
    ]
    return Text(", ").join(parts) if parts else Text("none", "green")


def findings_counted(count: int, severity: Severity) -> str:
    """A number of findings; "info" has no plural."""
    return f"{count} info" if severity is Severity.INFO else counted(count, severity)


def finding_line(finding: Finding) -> Text:
    """One finding on one line."""
    place = ", ".join(
        f"{name} {value}"
        for name, value in (("line", finding.line), ("game", finding.game), ("row", finding.row))
        if value is not None
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
    """The totals of a run so far. The verdicts are not kept, since there may be thousands of files."""

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
        counts = ", ".join(findings_counted(self.findings[severity], severity) for severity in Severity)
        return f"{self.matches} {noun}: {counts}" + (f"; not read: {self.unread}" if self.unread else "")
