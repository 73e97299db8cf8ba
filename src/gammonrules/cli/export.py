"""The command `export`: its progress on a terminal, and its summary."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from gammonrules import records
from gammonrules.cli.common_options import (
    analysis_level_option,
    analyzed_by_option,
    records_argument,
    workers_option,
)
from gammonrules.cli.console import console_for_output, print_lines, progress_bar, safe_text
from gammonrules.cli.option_conflicts import Command
from gammonrules.cli.output import force_option, saving, say_cut, writable
from gammonrules.cli.record_files import say_loose
from gammonrules.cli.usage_errors import Refused, must_be_named, refusing, safe
from gammonrules.values import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from gammonrules.records import ExportSummary

_MAX_REASONS = 10


@click.command(
    cls=Command,
    only_with={("--analyzed-by", "--analysis-level"): ("--unique", "--unique-games")},
    never_with={("--unique",): ("--unique-games",)},
)
@records_argument
@click.option(
    "-o", "--output", metavar="FILE", help="The table to write: a .parquet, .csv or .jsonl file."
)
@click.option(
    "--candidates", metavar="FILE", help="A table of the plays that engines compared, one row each."
)
@click.option(
    "--unique",
    is_flag=True,
    help="Records with the same games only once, as one engine analyzed them.",
)
@click.option(
    "--unique-games",
    is_flag=True,
    help="Each game only once, also if another record has only a part of the match.",
)
@analyzed_by_option("Whose copies are kept")
@analysis_level_option
@workers_option
@force_option
def export(
    paths: tuple[str, ...],
    output: str | None,
    candidates: str | None,
    analyzed_by: str | None,
    analysis_level: str | None,
    workers: int | None,
    *,
    unique: bool,
    unique_games: bool,
    force: bool,
) -> None:
    """Write the decisions of match records as a table.

    Each has a row. With --candidates, the plays that engines compared become another table, and -o may be left out.

    A PATH is a record, a folder or a ZIP archive. Other files in a folder or ZIP archive are skipped and counted. In
    CSV, texts that a spreadsheet would execute get an apostrophe in front.

    With --unique, a match that is in several files is kept as the engine analyzed it that analyzed most of its games;
    --analyzed-by and --analysis-level choose another one where there is a copy of it, and leave nothing out.

    The exit status is 0 if the table is written. It is 2 if a file that you name cannot be read, or the process that
    read a file was lost (the other files are still in the table), if nothing can be read, or if the table cannot be
    written. A run that is stopped writes no table.
    """
    must_be_named(output, candidates)
    if output is None and candidates is None:
        raise Refused("name a file with -o, with --candidates or with both")
    console = console_for_output(stderr=True)
    once: Literal["match", "game", False] = False
    if unique:
        once = "match"
    elif unique_games:
        once = "game"
    with refusing(), ExitStack() as stack:
        files = [file for file in (output, candidates) if file is not None]
        for file in files:
            stack.enter_context(writable(Path(file), *paths, force=force))
        stack.enter_context(saving(*files))
        show = stack.enter_context(progress_by_file(paths, console))
        done = records.export(
            paths,
            output,
            candidates=candidates,
            unique=once,
            analyzed_by=analyzed_by,
            analysis_level=analysis_level,
            workers=workers,
            progress=show,
        )
    print_lines(summary(done, output, candidates), console)
    say_cut(done.cut)
    say_loose(done.incomplete)
    is_failed = bool(done.unread) or not done.matches
    click.get_current_context().exit(Refused.exit_code if is_failed else 0)


@contextmanager
def progress_by_file(
    paths: Iterable[str], console: Console
) -> Generator[Callable[[ExportSummary], None]]:
    """A function that shows how many files are done; without a terminal it does nothing."""
    from gammonrules.records.archive import sources

    with progress_bar(console) as progress:
        total = sum(1 for _ in sources(paths)) if console.is_interactive else None
        task = progress.add_task("Reading records", total=total)

        def show(done: ExportSummary) -> None:
            rows = counted(done.rows, "decision", ",")
            if not done.rows:
                rows = counted(done.candidates, "candidate", ",")
            advance = 0 if progress.finished else 1  # the last call is about no further file
            progress.update(task, advance=advance, description=f"Reading records, {rows}")

        yield show


def summary(done: ExportSummary, output: str | None, candidates: str | None) -> Generator[Text]:
    """What was written, and what was skipped and why."""
    from rich.text import Text

    from gammonrules.records.archive import record_counts_of

    counts = record_counts_of(done)
    matches = counts.of_records(done.matches)
    if not done.matches:
        yield Text("nothing could be read, so no table was written")
    if output is not None and done.matches:
        rows = counted(done.rows, "decision", ",")
        yield Text.assemble(f"{rows} of {matches} written to ", safe_text(output))
    if candidates is not None and done.matches:
        rows = counted(done.candidates, "candidate", ",")
        yield Text.assemble(f"{rows} of {matches} written to ", safe_text(candidates))
    if counts.has_copies:
        has_games_twice = counts.copies > counts.records_left_out and not counts.games_left_out
        hint = "; --unique-games counts each game once" if has_games_twice else ""
        yield Text(f"{counts}{hint}")
    yield from of_others(done)
    if done.skipped:
        yield Text(f"skipped: {counted(done.skipped.total(), 'file', ',')}")
    for reason, number in done.skipped.most_common(_MAX_REASONS):
        names = done.examples[reason]
        examples = ", ".join(names)
        if number > len(names):
            examples += ", ..."
        yield Text.assemble(f"  {number:,}: ", safe_text(reason), f" ({safe(examples)})")
    if len(done.skipped) > _MAX_REASONS:
        yield Text(f"  and for {counted(len(done.skipped) - _MAX_REASONS, 'more reason')}")
    for path, why in done.unread:
        yield Text.assemble("cannot be read: ", safe_text(path), ": ", safe_text(why))


def of_others(done: ExportSummary) -> Iterator[Text]:
    """How many games are not by the engine of their match."""
    from rich.text import Text

    if done.other_engines:
        number = counted(len(done.other_engines), "game", ",")
        path, game, engine, usual_engine = done.other_engines[0]
        first = safe(f"game {game} of {path} is by {engine}, the others by {usual_engine}")
        yield Text(f"{number} not as the rest of the match: {first}")
