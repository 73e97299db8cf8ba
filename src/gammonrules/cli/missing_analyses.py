"""Analyses that a report lacks: how long they take, and an engine that makes them and keeps them, as `analyze` does."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from time import perf_counter

import click

from gammonrules import records
from gammonrules._shared.work import checked_jobs
from gammonrules.cli.analyze import FAILED, AnalysisPlan, Total, root_of, tried
from gammonrules.cli.console import console_for_output, print_lines, progress_bar
from gammonrules.cli.output import must_be_apart, must_take_files, say_loose
from gammonrules.cli.refusals import Refused, refusing, safe
from gammonrules.cli.rollouts import engine_maker
from gammonrules.records.archive import Source, entries_of
from gammonrules.values import counted


def plan_for(
    program: str | None, level: int | None, paths: Sequence[str], folder: Path
) -> AnalysisPlan:
    """Who is to analyze what a report lacks. Raises Refused if this engine is not there, or nothing can be kept."""
    if folder in map(Path, paths):
        must_be_apart(folder, folder)
    must_take_files(folder)
    with refusing():
        start = engine_maker(program, level)
    name, its_level, _ = tried(start, start, "json")
    return AnalysisPlan(
        start,
        by=(name, its_level),
        to="json",
        rule="xg",
        same={},
        folder=folder,
        root=root_of(paths),
        force=False,
        rollout_level="",
        limits=None,
    )


def analyses_kept(
    plan: AnalysisPlan, files: Iterable[Source], jobs: int | None
) -> tuple[list[str], bool]:
    """Analyze these files: where that is kept, and whether some failed. Raises Refused if all did."""
    total = Total()
    kept = list[str]()
    console = console_for_output(stderr=True)
    with (
        progress_bar(console) as bar,
        closing(plan.results([*plan.distinct(files)], jobs, bar)) as results,
    ):
        for done in results:
            total.add(done)
            kept += [str(done.target)] if done.error is None else []
    if not kept:
        raise Refused("no match can be analyzed, so there is nothing to report")
    print_lines([total.summary(", ".join(plan.by), str(plan.folder))], console)
    say_loose(total.loose)
    return kept, total.counts[FAILED] > 0


def are_wanted(
    plan: AnalysisPlan, files: Sequence[Source], rolls: Mapping[str, int], jobs: int | None
) -> bool:
    """Whether these files are analyzed already, or whoever sits at the terminal wants it; elsewhere raises Refused.

    It is told how long it takes, as some sixteen decisions of a match tell.
    """
    new = {source.path: source for source in files if not plan.target(source.path).is_file()}
    if not new:
        return True
    match = next(entry.match for entry in entries_of(next(iter(new.values()))) if entry.match)
    asked = count()
    every = max(1, sum(1 for _ in match.decisions()) // 16)
    with refusing(), plan.start() as engine:
        began = perf_counter()
        records.analyze(match, engine, only=lambda _: next(asked) % every == 0)
        each = (perf_counter() - began) * every / max(1, match.rolls)
    numbers = [rolls[path] for path in new]
    minutes = each * max(*numbers, sum(numbers) / min(checked_jobs(jobs), len(new))) / 60
    time = f"about {counted(round(minutes), 'minute')}" if minutes > 0.75 else "less than a minute"
    by = ", ".join(plan.by)
    number = counted(len(new), "record")
    effort = f"to analyze {number} by {by} takes {time}"
    if sys.stdin and sys.stdin.isatty():
        ask = f"No match is analyzed, and {effort}. Start now, and keep it in {plan.folder}?"
        return click.confirm(safe(ask), default=True, err=True)
    raise Refused(f"add --analyze {plan.folder}: {effort}")
