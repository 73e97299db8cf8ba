"""Analyses that a report lacks: how long they take, and an engine that makes them and keeps them, as `analyze` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import click

from gammonrules._shared.work import checked_workers
from gammonrules.cli.analysis_runs import (
    AnalysisRun,
    AnalyzedRecord,
    carry_out,
    checked_evaluator,
    root_of,
)
from gammonrules.cli.console import console_for_output, is_at_terminal, print_lines
from gammonrules.cli.engine_options import engine_maker
from gammonrules.cli.output import NOT_APART, must_take_files
from gammonrules.cli.report_records import ReportRecords
from gammonrules.cli.usage_errors import Refused, refusing, safe
from gammonrules.records.archive import Source, entries_of
from gammonrules.records.internals import AnalysisPlan
from gammonrules.values import counted

_SAMPLE: Final = 4
"""Files whose decisions tell how long the work takes."""


def run_for(
    program: str | None, level: int | None, paths: Sequence[str], folder: Path
) -> AnalysisRun:
    """Who is to analyze what a report lacks. Raises Refused if this engine is not there, or nothing can be kept."""
    if folder.resolve() in [Path(path).resolve() for path in paths]:
        raise Refused(NOT_APART)
    must_take_files(folder)
    with refusing():
        start = engine_maker(program, level)
    plan = AnalysisPlan(start, checked_evaluator(start, "json"))
    return AnalysisRun(plan, folder, root=root_of(paths), keeps_records=True)


def analyze_missing(
    run: AnalysisRun,
    files: Sequence[Source],
    rolls: Mapping[str, int],
    workers: int | None,
    after: Callable[[AnalyzedRecord], None],
) -> bool:
    """Analyze these files, and keep what comes of it; whether some failed. Raises Refused if none can be analyzed."""
    total = carry_out(run, files, workers, rolls=rolls, after=after)
    if not total.written:
        raise Refused("no match can be analyzed, so there is nothing to report")
    summary = total.summary(run.plan.words(), str(run.folder))
    print_lines([summary], console_for_output(stderr=True))
    return total.failed > 0


def may_analyze(run: AnalysisRun, records: ReportRecords, workers: int | None) -> bool:
    """Whether whoever sits at the terminal agrees to have analyzed what is not, told how long it takes.

    Raises Refused where nobody sits at a terminal. Nothing is asked if there is nothing that this engine has not tried.
    """
    paths = records.unanalyzed_by(run)
    if not paths:
        return False
    time = _time_in_words(_seconds_of(run, records, paths, workers))
    effort = f"to analyze {counted(len(paths), 'record')} by {run.plan.words()} takes {time}"
    if not is_at_terminal():
        raise Refused(f"{effort}: add --analyze {run.folder}")
    tally = records.tally
    evaluators = tally.evaluators()
    has_other_numbers = bool(evaluators) and evaluators[0] != run.plan.by
    instead = ""
    if has_other_numbers:
        instead = f", so that the numbers here are no longer those of {evaluators[0].engine}"
    ask = f"{tally.lack}, and {effort}. Start now, and keep it in {run.folder}{instead}?"
    return click.confirm(safe(ask), default=not has_other_numbers, err=True)


def _seconds_of(
    run: AnalysisRun, records: ReportRecords, paths: Sequence[str], workers: int | None
) -> float:
    """How long the analysis of these files takes, as a few of them tell that are spread over all."""
    rolls = [records.played[path].rolls for path in paths]
    processes = min(checked_workers(workers), len(paths))
    # a record is analyzed by one process, so it takes at least as long as the longest record
    rolls_of_a_process = max(sum(rolls) / processes, *rolls)
    spread = islice(paths, 0, None, max(1, len(paths) // _SAMPLE))
    entries = [entries_of(file) for file in records.newest_first(spread)]
    matches = [next(entry.match for entry in of_file if entry.match) for of_file in entries]
    with refusing():
        return run.plan.seconds_of_a_roll(matches) * rolls_of_a_process


def _time_in_words(seconds: float) -> str:
    minutes = seconds / 60
    if minutes > 0.75:  # which is nearer to one than to a half
        return f"about {counted(round(minutes), 'minute')}"
    return "less than a minute"
