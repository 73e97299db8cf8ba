"""`gammonrules report`: a page about how well players play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any, Final

import click
from attrs import Factory, define

from gammonrules import records
from gammonrules._shared.levels import USUAL_LEVEL
from gammonrules._shared.work import MOST_JOBS
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.missing_analyses import analyses_kept, are_wanted, plan_for
from gammonrules.cli.output import (
    Refused,
    force_option,
    lies_in,
    must_be_named,
    page_file,
    refusing,
    say,
    say_cut,
    write_page,
)
from gammonrules.cli.referee import AnyPath
from gammonrules.records import Scanned
from gammonrules.records.archive import sources, together
from gammonrules.records.internals import for_each_file
from gammonrules.records.transcript import MISTAKES, cut_games
from gammonrules.values import counted

_MOST_NAMED: Final = 20
"""Files that are skipped, each with the reason."""
_MOST_TOLD: Final = 2
"""Players of whom the command says what the page does."""
_SAID: Final = re.compile(r'<p class="lead" data-player="(.*?)">(.*?)</p>')


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=AnyPath())
@click.option("-o", "--output", required=True, metavar="FILE", type=AnyPath(), help="The page; - for standard output.")
@click.option("--player", metavar="NAME", help="Whose report it is; by default, that of all players.")
@click.option(
    "--analyze",
    "kept",
    metavar="DIR",
    type=AnyPath(),
    help="Have an engine analyze what it has not, and keep it in DIR.",
)
@click.option("--engine", "program", metavar="NAME", help="The same, by bgsage (the default) or gnubg.")
@click.option("--level", "depth", type=int, help=f"How deep it looks (by default {USUAL_LEVEL}).")
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

    A PATH is a record, a folder or a ZIP archive. The page is one file that needs no network. It has the PR and the
    luck of a player, the worst mistakes on boards, the kinds of position to practice, with some to try again, and what
    is lost by kind, match, opponent and score. Without --player it has a table of all players, and this for the 50 with
    the most decisions. Of one or two players the command also prints what to practice.

    Where no match is analyzed, it says how long an engine takes, and asks on a terminal whether to begin; it begins at
    once with --analyze. Analyses are kept in DIR, by default the folder analyzed beside the page, and used the next
    time; a run that was stopped goes on where it was.

    Each match counts once. Numbers of two engines or levels do not mix: the page has those of the engine that analyzes,
    or that analyzed most games, or those of --by and --at, and names the others.

    The exit status is 0 if the page is written; files that are no records are skipped and named. It is 2 if there is no
    such player, nothing can be read, a file is lost or cannot be analyzed, or the page cannot be written. A page that
    this command has written is replaced.
    """
    kept, jobs = choice.pop("kept"), choice.pop("jobs")
    must_be_named(output, kept, *paths)
    is_asked = (kept, program, depth) != (None, None, None)
    if is_asked and (choice["engine"] or choice["level"]):
        raise Refused("--by and --at choose among analyses that are there: leave out --analyze, --engine and --level")
    folder = Path(kept or Path("" if output == "-" else output).parent / "analyzed")
    read, plan = _Read(None if folder in map(Path, paths) else folder), partial(plan_for, program or "bgsage", depth)
    make = partial(records.report_to_html, names=dict(choice.pop("same")), file=Path(output))
    with ExitStack() as stack, refusing():
        inputs = [source.archive or source.path for source in sources(paths)] if force else paths
        stack.enter_context(page_file(output, *inputs, force=force, command="report"))
        asked, is_failed = plan(paths, folder) if is_asked else None, False
        page = make(read.entries(paths, jobs), **choice)
        if not read.matches:
            raise Refused("no match can be read, so there is nothing to report")
        files = [source for source in together(sources(paths)) if source.path in read.rolls]
        if asked is None and not read.analyzed:
            try:
                usual = plan(paths, folder)
                asked = usual if are_wanted(usual, files, read.rolls, jobs) else None
            except Refused as why:
                click.echo(f"no match is analyzed: {why.message}", err=True)
        if asked is not None:
            kept, is_failed = analyses_kept(asked, files, jobs)
            choice["engine"], choice["level"] = asked.by
            page = make(kept, jobs=jobs, **choice)
        write_page(output, page)
        said = _SAID.findall(page)
        for name, sentence in said if len(said) <= _MOST_TOLD else ():
            click.echo(unescape(re.sub("<.*?>", "", f"{name}: {sentence}")), err=output == "-")
    click.get_current_context().exit(Refused.exit_code if read.is_lost or is_failed else 0)


@define
class _Read:
    """What was read; what is skipped is said at once."""

    own: Path | None
    """Where analyses of earlier runs are, which do not count: the folder is in one that is read."""
    matches: int = 0
    analyzed: int = 0
    rolls: dict[str, int] = Factory(dict[str, int])
    """How many are in each file, by its path."""
    skipped: int = 0
    is_lost: bool = False

    def entries(self, paths: Sequence[str], jobs: int | None) -> Iterator[Scanned]:
        """The records."""
        files, cut = [*together(sources(paths))], list[tuple[str, str]]()
        with progress_bar(console_for_output(stderr=True)) as bar:
            advance = partial(bar.advance, bar.add_task("Reading records", total=len(files)))
            with closing(for_each_file(files, list[Scanned], jobs, advance, is_long=False)) as entries:
                for entry in entries:
                    self.matches += entry.error is None
                    self.skipped += entry.error is not None
                    self.is_lost |= entry.is_lost
                    if entry.error is not None and self.skipped <= _MOST_NAMED:
                        say(entry.path, f"skipped: {entry.error}")
                    if entry.match is not None:
                        cut += ((entry.path, words) for _, words in cut_games(entry.match))
                        if entry.is_named or not (self.own and lies_in(entry.path, self.own)):
                            self.rolls[entry.path] = self.rolls.get(entry.path, 0) + entry.match.rolls
                            self.analyzed += any(any(game.analyses) for game in entry.match.games)
                    yield entry
        say_cut(cut)
        if self.skipped > _MOST_NAMED:
            click.echo(f"and {counted(self.skipped - _MOST_NAMED, 'more file', ',')} skipped", err=True)
