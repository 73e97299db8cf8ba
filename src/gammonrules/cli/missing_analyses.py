"""Analyses that a report lacks: how long they take, and an engine that makes them and keeps them, as `analyze` does."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from gammonrules._shared.work import checked_jobs
from gammonrules.cli.analysis_runs import AnalysisRun, carry_out, checked_evaluator, root_of
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.engine_options import engine_maker
from gammonrules.cli.output import NOT_APART, must_take_files
from gammonrules.cli.refusals import Refused, refusing, safe
from gammonrules.records.archive import KeptItems, Source, entries_of
from gammonrules.records.internals import AnalysisPlan
from gammonrules.values import counted


def run_for(
    program: str | None, level: int | None, paths: Sequence[str], folder: Path
) -> AnalysisRun:
    """Who is to analyze what a report lacks. Raises Refused if this engine is not there, or nothing can be kept."""
    if folder in [Path(path) for path in paths]:
        raise Refused(NOT_APART)
    must_take_files(folder)
    with refusing():
        start = engine_maker(program, level)
    plan = AnalysisPlan(start, checked_evaluator(start, "json"))
    return AnalysisRun(plan, folder, root=root_of(paths), keeps_records=True)


def analyze_missing(
    run: AnalysisRun, files: Iterable[Source], jobs: int | None, kept: KeptItems[Source]
) -> bool:
    """Analyze these files, and keep what comes of it; whether some failed. Raises Refused if none can be analyzed."""
    total = carry_out(run, files, jobs, kept)
    if not total.written:
        raise Refused("no match can be analyzed, so there is nothing to report")
    summary = total.summary(run.plan.words(), str(run.folder))
    print_lines([summary], console_for_output(stderr=True))
    return total.failed > 0


def may_analyze(
    run: AnalysisRun, files: Sequence[Source], rolls: Mapping[str, int], jobs: int | None
) -> bool:
    """Whether these files are analyzed already, or whoever sits at the terminal agrees to it, told how long it takes.

    Raises Refused where nobody sits at a terminal. How long it takes is estimated by some sixteen decisions of a match.
    """
    new = {source.path: source for source in files if not run.target(source.path).is_file()}
    if not new:
        return True
    first_new, *_ = new.values()
    rolls_of_new = [rolls[path] for path in new]
    processes = min(checked_jobs(jobs), len(new))
    # a record is analyzed by one process, so it takes at least as long as the longest record
    rolls_of_a_process = max(sum(rolls_of_new) / processes, *rolls_of_new)
    first_match = next(entry.match for entry in entries_of(first_new) if entry.match)
    with refusing():
        minutes = run.plan.seconds_of_a_roll(first_match) * rolls_of_a_process / 60
    time = "less than a minute"
    if minutes > 0.75:  # which is nearer to one than to a half
        time = f"about {counted(round(minutes), 'minute')}"
    effort = f"to analyze {counted(len(new), 'record')} by {run.plan.words()} takes {time}"
    if sys.stdin and sys.stdin.isatty():
        ask = f"No match is analyzed, and {effort}. Start now, and keep it in {run.folder}?"
        return click.confirm(safe(ask), default=True, err=True)
    raise Refused(f"add --analyze {run.folder}: {effort}")
