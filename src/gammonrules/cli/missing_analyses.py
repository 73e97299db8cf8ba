"""Analyses that a report lacks: how long they take, and an engine that makes them and keeps them, as `analyze` does."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

import click

from gammonrules import records
from gammonrules._shared.work import checked_jobs
from gammonrules.cli.analysis_runs import AnalysisPlan, carry_out, checked_evaluator, root_of
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.output import NOT_APART, must_take_files
from gammonrules.cli.refusals import Refused, refusing, safe
from gammonrules.cli.rollouts import engine_maker
from gammonrules.records.archive import KeptRecords, Source, entries_of
from gammonrules.values import counted

_LEAST_SAMPLE = 16
"""Decisions that tell how long a match takes, if it has so many."""


def plan_for(
    program: str | None, level: int | None, paths: Sequence[str], folder: Path
) -> AnalysisPlan:
    """Who is to analyze what a report lacks. Raises Refused if this engine is not there, or nothing can be kept."""
    if folder in [Path(path) for path in paths]:
        raise Refused(NOT_APART)
    must_take_files(folder)
    with refusing():
        start = engine_maker(program, level)
    return AnalysisPlan(
        start,
        by=checked_evaluator(start, "json"),
        folder=folder,
        root=root_of(paths),
        keeps_records=True,
    )


def analyze_missing(
    plan: AnalysisPlan, files: Iterable[Source], jobs: int | None, kept: KeptRecords
) -> bool:
    """Analyze these files, and keep what comes of it; whether some failed. Raises Refused if none can be analyzed."""
    total = carry_out(plan, files, jobs, kept)
    if not total.written:
        raise Refused("no match can be analyzed, so there is nothing to report")
    summary = total.summary(plan.engine_words(), str(plan.folder))
    print_lines([summary], console_for_output(stderr=True))
    return total.failed > 0


def may_analyze(
    plan: AnalysisPlan, files: Sequence[Source], rolls: Mapping[str, int], jobs: int | None
) -> bool:
    """Whether these files are analyzed already, or whoever sits at the terminal agrees to it, told how long it takes.

    Raises Refused where nobody sits at a terminal. How long it takes is estimated by some sixteen decisions of a match.
    """
    new = {source.path: source for source in files if not plan.target(source.path).is_file()}
    if not new:
        return True
    first_new, *_ = new.values()
    rolls_of_new = [rolls[path] for path in new]
    processes = min(checked_jobs(jobs), len(new))
    # a record is analyzed by one process, so it takes at least as long as the longest record
    rolls_of_a_process = max(sum(rolls_of_new) / processes, *rolls_of_new)
    minutes = _seconds_of_a_roll(plan, first_new) * rolls_of_a_process / 60
    time = "less than a minute"
    if minutes > 0.75:  # which is nearer to one than to a half
        time = f"about {counted(round(minutes), 'minute')}"
    effort = f"to analyze {counted(len(new), 'record')} by {plan.engine_words()} takes {time}"
    if sys.stdin and sys.stdin.isatty():
        ask = f"No match is analyzed, and {effort}. Start now, and keep it in {plan.folder}?"
        return click.confirm(safe(ask), default=True, err=True)
    raise Refused(f"add --analyze {plan.folder}: {effort}")


def _seconds_of_a_roll(plan: AnalysisPlan, source: Source) -> float:
    """How long the analysis of a roll takes, as some sixteen decisions of the match in a file tell."""
    match = next(entry.match for entry in entries_of(source) if entry.match)
    decisions = [*match.decisions()]
    step = max(1, len(decisions) // _LEAST_SAMPLE)
    sample = {(decision.game, decision.index) for decision in decisions[::step]}
    with refusing(), plan.start() as engine:
        began = perf_counter()
        records.analyze(
            match, engine, only=lambda decision: (decision.game, decision.index) in sample
        )
        seconds_of_sample = perf_counter() - began
    seconds_of_match = seconds_of_sample * step
    return seconds_of_match / max(1, match.rolls)
