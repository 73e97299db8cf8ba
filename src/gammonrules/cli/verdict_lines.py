"""Verdicts on the terminal. Text from files is shown as it is, never interpreted as markup or control characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from attrs import Factory, define
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from gammonrules.cli.console import progress_bar, safe_text
from gammonrules.cli.usage_errors import safe
from gammonrules.cli.verdict import FileVerdict, MatchFacts, severities_from
from gammonrules.records import Finding, FindingKind, Severity
from gammonrules.records.archive import Source
from gammonrules.records.transcript import KnownRecords, findings_counted

_T = TypeVar("_T")

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
LONG_RUN = 200_000
"""From this many bytes of records, a run is long enough to show its progress."""


def with_progress(
    verdicts: Iterable[_T], files: Collection[Source], console: Console
) -> Iterator[_T]:
    """The verdicts on these files, with a progress bar if there is much to read on a terminal."""
    if not console.is_interactive or bytes_of(files) < LONG_RUN:
        yield from verdicts
        return
    with progress_bar(console) as progress:
        yield from progress.track(verdicts, total=len(files), description="Reading records")


def bytes_of(files: Iterable[Source]) -> int:
    """The bytes to read, as far as they are known; files in ZIP archives count as much as their archive."""
    total = 0
    for file in files:
        with suppress(OSError, ValueError):
            total += Path(file.archive or file.path).stat().st_size
    return total


_SCORE = 7
_LENGTH = 6
_GAMES = 5
_ROLLS = 6
_COUNTS = 17
"""The widths of the columns before the path of a file."""
_PLAYERS = 24
"""The width of the column for the names of the players."""
_WIDE = 110
"""From this width of the terminal on, there is such a column."""
_GAP = "  "
_CUT = "\N{HORIZONTAL ELLIPSIS}"
_INDENT = 4
_NARROWEST = 24
"""Columns for an explanation, below which it is not indented."""


def heading(console: Console) -> Text:
    """The line above those of the files."""
    columns = [
        f"{'score':>{_SCORE}}",
        f"{'match':<{_LENGTH}}",
        f"{'games':>{_GAMES}}",
        f"{'rolls':>{_ROLLS}}",
        f"{'findings':<{_COUNTS}}",
    ]
    if console.width >= _WIDE:
        columns.append(f"{'players':<{_PLAYERS}}")
    columns.append("file")
    return Text(_GAP.join(columns), "dim")


def printed_lines(verdict: FileVerdict, console: Console, least: Severity) -> list[Text]:
    """What is printed about a file: one line, and below it the findings of at least this severity, or an error."""
    if verdict.facts is None:
        first = Text.assemble("not read   ", (safe(verdict.file), "bold"), ":")
        reason = Text(safe(verdict.error or ""), "red")
        return [first, *hanging(reason, console)]
    summary = findings_summary(verdict)
    lines = [line_of(verdict.file, verdict.facts, counts=summary, console=console)]
    for finding in verdict.shown(least):
        lines += finding_lines(verdict.file, finding, console)
    has_findings = len(lines) > 1
    if has_findings:
        lines.append(Text())  # parts them from the next file
    return lines


def line_of(file: str, facts: MatchFacts, counts: Text, console: Console) -> Text:
    """Score, length, games, rolls, findings and path. On a terminal, a path that does not fit is shortened."""
    score = f"{facts.score[0]}-{facts.score[1]}"
    if facts.match_length is None:
        length = "money"
    elif facts.is_coin_game:
        length = "coin"
    else:
        length = f"to {facts.match_length}"
    line = Text(f"{score:>{_SCORE}}{_GAP}{length:<{_LENGTH}}{_GAP}")
    line.append(f"{facts.games:>{_GAMES}}{_GAP}{facts.rolls:>{_ROLLS}}{_GAP}")
    line.append_text(counts)
    rest_of_column = max(0, _COUNTS - counts.cell_len)
    line.pad_right(rest_of_column + len(_GAP))
    if console.width >= _WIDE:
        players = Text(" - ").join(safe_text(name or "no name") for name in facts.players)
        players.truncate(_PLAYERS, overflow="ellipsis", pad=True)
        line.append_text(players).append(_GAP)
    path = safe(file)
    if console.is_terminal:
        path = shortened(path, max(_NARROWEST, console.width - line.cell_len))
    return line.append(path, "bold")


def shortened(path: str, width: int) -> str:
    """A path without the folders that do not fit, and if necessary without the middle of the file's name."""
    if cell_len(path) <= width:
        return path
    name = path.rpartition("/")[2]
    width_beside_cut = width - cell_len(_CUT)
    if cell_len(f"/{name}") <= width_beside_cut:
        tail = _last_cells(path, width_beside_cut)
        return _CUT + tail[tail.index("/") :]
    end = _last_cells(name, width // 2 - 1)
    begin = set_cell_size(name, width_beside_cut - cell_len(end))
    return begin + _CUT + end


def _last_cells(text: str, width: int) -> str:
    """As much of the end of a longer text as fits in so many cells."""
    backward = set_cell_size(text[::-1], width)
    return backward[::-1]


def finding_lines(file: str, finding: Finding, console: Console) -> Iterator[Text]:
    """A finding: where (so that a terminal or editor can jump there), what kind, and why, in words."""
    link = safe(file)
    if finding.line is not None:
        link += f":{finding.line}"
    what = str(finding.kind)
    if finding.game is not None:
        what += f", game {finding.game}"
    if finding.row is not None:
        what += f", row {finding.row}"
    severity = (str(finding.severity), _STYLES[finding.severity])
    yield Text.assemble((link, "underline"), ": ", severity, f": {what}")
    yield from hanging(safe_text(finding.explanation), console)
    if finding.text:
        yield from hanging(safe_text(finding.text), console, Text("> ", "dim"))


def hanging(text: Text, console: Console, first: Text | None = None) -> Iterator[Text]:
    """A text in lines of the width of the console, indented below the line above; a sign hangs before the first."""
    indent = _INDENT if console.width >= _INDENT + _NARROWEST else 0
    sign = first or Text()
    width = max(1, console.width - indent - sign.cell_len)
    for line in text.wrap(console, width, overflow="fold"):
        line.rstrip()
        yield Text(" " * indent).append_text(sign).append_text(line)
        sign = Text(" " * sign.cell_len)  # only the first line has it


def findings_summary(verdict: FileVerdict) -> Text:
    """The number of findings by severity."""
    if not verdict.findings:
        return Text("none", "green")
    numbers = Counter(finding.severity for finding in verdict.findings)
    parts = list[Text]()
    for severity in Severity:
        if numbers[severity]:
            words = findings_counted(numbers[severity], severity)
            parts.append(Text(words, _STYLES[severity]))
    return Text(", ").join(parts)


@define
class Totals:
    """The totals of a run so far. The verdicts are not kept, since there may be thousands of files."""

    matches: int = 0
    known: KnownRecords = Factory(KnownRecords)
    """All matches, for copies among them."""
    loose: int = 0
    """Texts with some games of a match; the other files of the match count as well."""
    unread: int = 0
    others: int = 0
    """Files that are skipped since they are no records."""
    unopened: int = 0
    """Files that are skipped since they cannot be opened."""
    findings: Counter[Severity] = Factory(Counter[Severity])
    kinds: Counter[tuple[Severity, FindingKind]] = Factory(Counter[tuple[Severity, FindingKind]])
    files: Counter[tuple[Severity, FindingKind]] = Factory(Counter[tuple[Severity, FindingKind]])
    """In how many files there are findings of a severity and kind."""

    def add(self, verdict: FileVerdict) -> None:
        if verdict.facts is not None:
            self.matches += 1
            _ = self.known.add(verdict.facts.players, verdict.played.prints)
        elif not verdict.is_skipped:
            self.unread += 1
        elif verdict.is_opened:
            self.others += 1
        else:
            self.unopened += 1
        if verdict.is_loose:
            self.loose += 1
        self.findings.update(finding.severity for finding in verdict.findings)
        kinds = [(finding.severity, finding.kind) for finding in verdict.findings]
        self.kinds.update(kinds)
        self.files.update(set(kinds))  # each once a file

    @property
    def exit_status(self) -> int:
        """0 no errors, 1 findings of severity error, 2 a file that cannot be read or nothing to read."""
        if self.unread or not self.matches:
            return 2
        return 1 if self.findings[Severity.ERROR] else 0

    def lines_of_kinds(self, least: Severity) -> Iterator[Text]:
        """The kinds of findings of at least this severity, how often they occur and in how many files."""
        has_heading = False
        # the worst first, and of one severity the most frequent
        for severity in severities_from(least):
            for (severity_of_kind, kind), number in self.kinds.most_common():
                if severity_of_kind is not severity:
                    continue
                if not has_heading:
                    has_heading = True
                    yield Text(f"{'findings':>10}{'files':>8}{_GAP}{'severity':<10}kind", "dim")
                counts = f"{number:>10,}{self.files[severity, kind]:>8,}{_GAP}"
                yield Text.assemble(counts, (f"{severity:<10}", _STYLES[severity]), str(kind))

    def __str__(self) -> str:
        text = self.known.counts.of_records(self.matches)
        if self.loose:
            text += f", {self.loose} of them without some games"
        counts = [findings_counted(self.findings[severity], severity) for severity in Severity]
        text += f": {', '.join(counts)}"
        if self.unread:
            text += f"; not read: {self.unread}"
        if self.others:
            text += f"; skipped, not records: {self.others}"
        if self.unopened:
            text += f"; skipped, cannot be opened: {self.unopened}"
        return text
