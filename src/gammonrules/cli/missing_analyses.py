"""Analyses that a report lacks: how long they take, and an engine that makes them and keeps them, as `analyze` does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Self

import click
from attrs import frozen

from gammonrules import records
from gammonrules._shared.work import checked_jobs
from gammonrules.cli.analyze import AnalysisPlan, Total, root_of, tried
from gammonrules.cli.console import console_for_output, print_lines, progress_bar, safe_text
from gammonrules.cli.output import Refused, must_be_apart, must_take_files, refusing
from gammonrules.cli.rollouts import engine_maker
from gammonrules.records.archive import entries_of, sources, together
from gammonrules.values import counted

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import SimpleEngine


@frozen
class MissingAnalyses:
    """The records at these paths, and an engine that is to analyze them."""

    paths: Sequence[str]
    plan: AnalysisPlan
    start: Callable[[], SimpleEngine]
    jobs: int | None

    @classmethod
    def by(cls, program: str, level: int | None, paths: Sequence[str], folder: Path, jobs: int | None) -> Self:
        """Raises Refused if this engine is not there, or analyses cannot be kept in the folder."""
        if folder in map(Path, paths):
            must_be_apart(folder, folder)
        must_take_files(folder)
        with refusing():
            start = engine_maker(program, level)
        name, its_level, _ = tried(start, start, "json")
        plan = AnalysisPlan((name, its_level), "json", "xg", {}, folder, root_of(paths), False, "", None)
        return cls(paths, plan, start, jobs)

    def made(self, rolls: Mapping[str, int]) -> tuple[list[str], bool]:
        """Analyze these files: where that is kept, and whether some failed. Raises Refused if all did."""
        total, kept, console = Total(), list[str](), console_for_output(stderr=True)
        files = [source for source in self.plan.distinct(together(sources(self.paths))) if source.path in rolls]
        with progress_bar(console) as bar, closing(self.plan.results(self.start, files, self.jobs, bar)) as results:
            for done in results:
                total.add(done)
                kept += [str(done.target)] if done.error is None else []
        if not kept:
            raise Refused("no match can be analyzed, so there is nothing to report")
        print_lines([total.summary(", ".join(self.plan.by), str(self.plan.folder))], console)
        return kept, total.failed > 0

    def are_wanted(self, rolls: Mapping[str, int]) -> bool:
        """Whether they are made already, or whoever sits at the terminal wants it.

        They are told how long it takes, as some sixteen decisions of a match tell.
        """
        new = {path: number for path, number in rolls.items() if not self.plan.target(path).is_file()}
        if not new:
            return True
        source = next(source for source in together(sources(self.paths)) if source.path in new)
        match, asked = next(entry.match for entry in entries_of(source) if entry.match), count()
        every = max(1, sum(1 for _ in match.decisions()) // 16)
        with refusing(), self.start() as engine:
            began = perf_counter()
            records.analyze(match, engine, only=lambda _: next(asked) % every == 0)
            each = (perf_counter() - began) * every / max(1, match.rolls)
        minutes = each * max(*new.values(), sum(new.values()) / min(checked_jobs(self.jobs), len(new))) / 60
        time = f"about {counted(round(minutes), 'minute')}" if minutes > 0.75 else "less than a minute"
        folder = safe_text(str(self.plan.folder)).plain
        told = f"Not analyzed: {counted(len(new), 'record')}. {', '.join(self.plan.by)}, takes {time} for it"
        if sys.stdin and sys.stdin.isatty():
            return click.confirm(f"{told}. Start now, and keep it in {folder}?", default=True, err=True)
        click.echo(f"{told}: add --analyze {folder}", err=True)
        return False
