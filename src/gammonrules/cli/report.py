"""`gammonrules report`: a page about how well players play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from attrs import define

from gammonrules import records
from gammonrules._shared.work import MOST_JOBS
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.output import Refused, force_option, must_be_named, page_file, refusing, say, say_cut, write_page
from gammonrules.cli.referee import AnyPath
from gammonrules.cli.rollouts import engine_maker
from gammonrules.records import Scanned
from gammonrules.records.archive import sources, together
from gammonrules.records.internals import Start, for_each_file, with_analyses
from gammonrules.records.transcript import MISTAKES, cut_games
from gammonrules.records.transcript.header_tags import left_out_in
from gammonrules.values import counted

_MOST_NAMED: Final = 20
"""Files that are skipped, each with the reason."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=AnyPath())
@click.option("-o", "--output", required=True, metavar="FILE", type=AnyPath(), help="The page; - for standard output.")
@click.option("--player", metavar="NAME", help="Whose report it is; by default, that of all players.")
@click.option(
    "--engine", "program", metavar="NAME", help="Have bgsage or gnubg analyze the matches that it has not analyzed yet."
)
@click.option("--level", "depth", type=int, help="How deep it looks (default 1); gnubg's N-ply is level N+1.")
@click.option(
    "--by", "engine", metavar="ENGINE", help="Whose analyses count: an engine in the records, by how its name begins."
)
@click.option("--at", "level", metavar="LEVEL", help="At which level, in the words of the engine, such as 2-ply.")
@click.option("--rule", type=click.Choice([*MISTAKES]), default="xg", help="Which decisions count.")
@click.option("--same", nargs=2, multiple=True, metavar="NAME NAME", help="Names of one player, listed by the second.")
@click.option("--jobs", type=click.IntRange(1, MOST_JOBS), help="Number of processes; by default, one per processor.")
@force_option
def report(
    paths: tuple[str, ...], output: str, program: str | None, depth: int | None, *, force: bool, **choice: Any
) -> None:
    """Write a page that shows where players lose points.

    A PATH is an analyzed record, a folder or a ZIP archive. The page is one file that needs no network. It has the PR,
    the mistakes and the luck of a player, by match, month, opponent, kind of decision and score, with the worst
    mistakes on boards. Without --player it has a table of all players, and this for the 50 with the most decisions.

    Each match counts once. Numbers of two engines or levels do not mix: the page has those that analyzed most games, or
    those of --by and --at, and names the others. Matches without analyses are only counted, unless an --engine analyzes
    them; to keep its analyses, use gammonrules analyze first.

    The exit status is 0 if the page is written; files that are no records are skipped and named. It is 2 if there is no
    such player, nothing can be read, a file is lost, or the page cannot be written. A page that this command has
    written is replaced.
    """
    must_be_named(output, *paths)
    if program is None and depth is not None:
        raise Refused("--level is for an engine: add --engine NAME")
    if program is not None and (choice["engine"] or choice["level"]):
        raise Refused("--by and --at choose among analyses that are there: leave out --engine")
    names, jobs = dict(choice.pop("same")), choice.pop("jobs")
    start, read = None, _Read()
    with ExitStack() as stack, refusing():
        inputs = [source.archive or source.path for source in sources(paths)] if force else paths
        stack.enter_context(page_file(output, *inputs, force=force, command="report"))
        if program is not None:
            start = engine_maker(program, depth or 1)
            with start() as tried:
                choice["engine"] = tried.name
        page = records.report_to_html(read.entries(paths, start, jobs), names=names, file=Path(output), **choice)
        if not read.matches:
            raise Refused("no match can be read, so there is nothing to report")
        write_page(output, page)
        if not read.analyzed:
            click.echo("but no match is analyzed: gammonrules analyze does it, or add --engine bgsage", err=True)
    click.get_current_context().exit(Refused.exit_code if read.is_lost else 0)


@define
class _Read:
    """What was read; what is skipped is said at once."""

    matches: int = 0
    analyzed: int = 0
    skipped: int = 0
    is_lost: bool = False

    def entries(self, paths: Sequence[str], start: Start | None, jobs: int | None) -> Iterator[Scanned]:
        """The records, which the engine analyzes, if there is one and it has not yet."""
        files, cut = [*together(sources(paths))], list[tuple[str, str]]()
        with progress_bar(console_for_output(stderr=True)) as bar:
            advance = partial(bar.advance, bar.add_task("Reading records", total=len(files)))
            each = list[Scanned] if start is None else partial(with_analyses, start)
            with closing(for_each_file(files, each, jobs, advance, is_long=start is not None)) as entries:
                for entry in entries:
                    self.matches += entry.error is None
                    self.analyzed += entry.match is not None and any(any(game.analyses) for game in entry.match.games)
                    self.skipped += entry.error is not None
                    self.is_lost |= entry.is_lost
                    if start is not None and entry.match and (without := left_out_in(entry.match.tags)):
                        say(entry.path, f"asked without {without}")
                    if entry.error is not None and self.skipped <= _MOST_NAMED:
                        say(entry.path, f"skipped: {entry.error}")
                    if entry.match is not None:
                        cut += ((entry.path, words) for _, words in cut_games(entry.match))
                    yield entry
        say_cut(cut)
        if self.skipped > _MOST_NAMED:
            click.echo(f"and {counted(self.skipped - _MOST_NAMED, 'more file', ',')} skipped", err=True)
