"""The command `referee`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import click

from gammonrules.cli.common_options import records_argument
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.option_conflicts import Command, WordChoice
from gammonrules.cli.output import say

if TYPE_CHECKING:
    from rich.console import Console

    from gammonrules.cli.verdict import FileVerdict, Form
    from gammonrules.cli.verdict_lines import Totals
    from gammonrules.records import Severity


@click.command(cls=Command, never_with={("--summary",): ("--json",)})
@records_argument
@click.option(
    "--severity",
    "least",
    type=WordChoice(["error", "warning", "info"]),
    default="info",
    help="Show only findings of this severity or worse.",
)
@click.option(
    "--summary",
    "only_summary",
    is_flag=True,
    help="Print only how many findings there are of each kind.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per match, each on its own line."
)
def referee(paths: tuple[str, ...], *, least: str, only_summary: bool, as_json: bool) -> None:
    """Replay match records and report every broken rule.

    A PATH is a record, a folder or a ZIP archive. Records are recognized by their content; other files in a folder or
    ZIP archive are skipped. Each record gets one line, with its findings below it.

    The exit status is 0 if no finding is an error, 1 if at least one is, and 2 if a file that you name or a damaged
    record cannot be read, or there is nothing to read. A run that is stopped exits with 130 (Ctrl-C), 143 (SIGTERM),
    129 (SIGHUP) or 141 (nobody reads the output anymore).
    """
    from gammonrules.cli.verdict import lost_verdict, verdicts_of
    from gammonrules.cli.verdict_lines import Totals, with_progress
    from gammonrules.records import Severity
    from gammonrules.records.archive import for_each, sources

    console = console_for_output()
    totals = Totals()
    files = list(sources(paths))
    with closing(for_each(verdicts_of, files, lost_verdict)) as results:
        if as_json:
            print_json(chain.from_iterable(results), totals, Severity(least))
        else:
            verdicts = chain.from_iterable(with_progress(results, files, console))
            print_report(
                verdicts, totals, console, least=Severity(least), only_summary=only_summary
            )
    click.get_current_context().exit(totals.exit_status)


def print_json(verdicts: Iterable[FileVerdict], totals: Totals, least: Severity) -> None:
    """One object a file; files that are skipped have none."""
    for _, line in counted_by(totals, verdicts, lambda verdict: json.dumps(verdict.as_json(least))):
        click.echo(line)


def print_report(
    verdicts: Iterable[FileVerdict],
    totals: Totals,
    console: Console,
    least: Severity,
    *,
    only_summary: bool,
) -> None:
    """A line a file with its findings, or the list of their kinds; then the totals."""
    from gammonrules.cli.verdict_lines import heading, printed_lines

    lines_of = partial(printed_lines, console=console, least=least)
    has_heading = only_summary  # the list of kinds begins with one of its own
    for verdict, lines in counted_by(totals, verdicts, lines_of):
        is_read = verdict.facts is not None
        if only_summary and is_read:
            continue
        if not has_heading:
            print_lines([heading(console)], console)
            has_heading = True
        print_lines(lines, console)
    if only_summary:
        print_lines(totals.lines_of_kinds(least), console)
    counts = totals.known.counts
    if counts.has_copies:
        console.print(str(counts), markup=False, soft_wrap=True)
    console.print(str(totals), markup=False, soft_wrap=True)


def counted_by(
    totals: Totals, verdicts: Iterable[FileVerdict], form: Callable[[FileVerdict], Form]
) -> Iterator[tuple[FileVerdict, Form]]:
    """The verdicts on records with their forms. Of files that are skipped, those that cannot be opened are named."""
    from gammonrules.cli.verdict import formed

    for original in verdicts:
        verdict, output = formed(original, form)  # if that fails, a verdict that says so
        totals.add(verdict)
        if not verdict.is_skipped:
            yield verdict, output
        elif not verdict.is_opened:
            say(verdict.file, f"skipped: {verdict.error}")
