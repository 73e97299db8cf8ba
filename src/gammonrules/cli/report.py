"""`gammonrules report`: a page about how well players play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from attrs import Factory, define

from gammonrules._shared.levels import USUAL_LEVEL
from gammonrules.cli.common_options import (
    at_option,
    jobs_option,
    page_option,
    records_argument,
    rule_option,
    same_option,
)
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.engine_options import ENGINES_IN_WORDS
from gammonrules.cli.options import AnyPath, Command
from gammonrules.cli.output import (
    force_option,
    lies_in,
    output_file,
    say_cut,
    write_output,
    write_page,
)
from gammonrules.cli.record_files import SkippedFiles, say_loose
from gammonrules.cli.refusals import Refused, must_be_named, refusing, safe
from gammonrules.limits import LONGEST_NAME
from gammonrules.values import counted

if TYPE_CHECKING:
    from gammonrules.cli.analysis_runs import AnalysisRun
    from gammonrules.records import Match, Scanned
    from gammonrules.records.archive import KeptItems, Source
    from gammonrules.records.page import Report, Tally

_MOST_TOLD: Final = 8
"""Players whose names are printed."""
_MOST_ADVISED: Final = 2
"""Players of whom the command says what the page does."""
_ANALYZE: Final = "Have an engine analyze what it has not, and keep it in DIR."


@click.command(
    cls=Command,
    never_with={
        ("--by", "--at"): ("--analyze", "--engine", "--level"),
        ("--force", "--pages"): ("--output=-",),
    },
)
@records_argument
@page_option
@click.option(
    "--pages",
    "has_pages",
    is_flag=True,
    help="FILE is a folder: write the page of each match and the openings too, with links.",
)
@click.option(
    "--player", metavar="NAME", help="Whose report it is; by default, that of all players."
)
@click.option("--analyze", "kept", metavar="DIR", type=AnyPath(), help=_ANALYZE)
@click.option("--engine", "program", metavar="NAME", help=f"The same, by {ENGINES_IN_WORDS} alone.")
@click.option("--level", "depth", type=int, help=f"How deep it looks (by default {USUAL_LEVEL}).")
@click.option(
    "--by", metavar="ENGINE", help="Whose analyses in the records count, by how the name begins."
)
@at_option
@rule_option
@same_option
@jobs_option
@force_option
def report(  # noqa: PLR0913 - an argument for each option
    paths: tuple[str, ...],
    output: str,
    *,
    has_pages: bool,
    player: str | None,
    kept: str | None,
    program: str | None,
    depth: int | None,
    by: str | None,
    at: str | None,
    rule: str,
    same: Iterable[tuple[str, str]],
    jobs: int | None,
    force: bool,
) -> None:
    """Write a page that shows where players lose points.

    A PATH is a record, a folder or a ZIP archive. The page is one file that needs no network. It has the PR and the net
    luck of a player, the worst mistakes on boards, the kinds of position to practice, with some to try again, and what
    is lost by kind, match, opponent and score. Without --player it has a table of all players, and this for the 50 with
    the most decisions. Of one or two players the command also prints what to practice, of more the names of the eight
    with the most decisions.

    Where no match is analyzed, it says how long an engine takes, and asks on a terminal whether to begin; it begins at
    once with --analyze. Analyses are kept in DIR, by default the folder analyzed beside the page, and used the next
    time; a run that was stopped goes on where it was.

    With --pages it writes a folder: the report as index.html, the page of each match that it names, as gammonrules view
    makes them, in matches, and that of the openings as openings.html. They link to one another, and can be moved as a
    whole.

    Each match counts once. Numbers of two engines or levels do not mix: the page has those of the engine that analyzes,
    or that analyzed most games, or those of --by and --at, and names the others.

    The exit status is 0 if the page is written; files that are no records are skipped and named. It is 1 if the page is
    empty, as no match is analyzed, and 2 if there is no such player, nothing can be read, a file is lost or cannot be
    analyzed, or the page cannot be written. A page that this command has written is replaced.
    """
    from gammonrules.cli.missing_analyses import analyze_missing, run_for
    from gammonrules.cli.page_sets import REPORT_FILE, PageSet
    from gammonrules.records.archive import entries_of, sources, together
    from gammonrules.records.internals import tallied

    must_be_named(output, kept, *paths)
    page_set: PageSet | None = None
    if has_pages:
        page_set = PageSet(Path(output), player, dict(same), jobs, force)
        output = str(Path(output) / REPORT_FILE)
    is_analysis_asked = kept is not None or program is not None or depth is not None
    folder = _folder_of_analyses(kept, output)
    tally_of = partial(tallied, player=player, rule=rule, names=dict(same), jobs=jobs)
    with (
        refusing(),
        _page_written(paths, output, force=force),
        _kept_beside(output) as kept_records,
        _kept_beside(output) as kept_analyses,
    ):
        if page_set is not None:
            page_set.check()
        files = [*together(sources(paths))]
        kept_before = _analyses_below(folder, paths, files)
        to_analyze = [file for file in files if file.path not in kept_before]
        read = _Read(kept_before, kept_records, has_pages, jobs)
        run: AnalysisRun | None = None
        if is_analysis_asked:
            run = run_for(program, depth, paths, folder)
            # of no records: what it refuses is refused before the long work; the tally comes after it
            tally = tally_of([], by=by, at=at)
        else:
            tally = tally_of([read.entries(files)], by=by, at=at)
            if not tally.names:
                raise Refused("no match can be read, so there is nothing to report")
            tally.check_player()
            has_analyses = read.is_analyzed and bool(tally.evaluators_named)
            if not has_analyses:
                to_analyze = read.with_matches(to_analyze)
                run = _run_if_agreed(paths, folder, to_analyze, read.rolls, jobs=jobs)
        is_failed = False
        if run is not None:
            is_failed = analyze_missing(run, to_analyze, jobs, kept_analyses)
            analyzed = chain.from_iterable(map(entries_of, kept_analyses))
            tally = tally_of([analyzed], by=run.plan.by.engine, at=run.plan.by.level)
        if page_set is None:
            page = _page_alone(tally, output)
        else:
            page = page_set.write(tally, kept_records if run is None else kept_analyses)
        _write_report(tally, page, output)
        status = 0
        if read.is_lost or is_failed:
            status = Refused.exit_code
        elif not tally.evaluators_named:  # the page is empty
            status = 1
    click.get_current_context().exit(status)


def _page_written(
    paths: Sequence[str], output: str, *, force: bool
) -> AbstractContextManager[None]:
    """A block that writes the page. Raises Refused if it may not be written."""
    from gammonrules.records.archive import sources
    from gammonrules.records.page import is_page_of

    # with --force, neither may a file in one of the folders be replaced, if it is read
    inputs = [source.archive or source.path for source in sources(paths)] if force else paths
    return output_file(output, *inputs, force=force, is_ours=partial(is_page_of, "report"))


def _page_alone(tally: Tally, output: str) -> Report:
    """The report without pages beside it; the games that are cut off are named."""
    from gammonrules.records.internals import report_page

    say_cut([*chain(*tally.cut.values())])
    return report_page(tally, output)


def _write_report(tally: Tally, page: Report, output: str) -> None:
    """Write the page, and print what it cannot show, and what to practice if it is of one or two players, else who."""
    say_loose([*tally.loose.values()])
    if tally.evaluators_named:
        write_page(output, page.html)
    else:  # it is empty: nobody needs to open it
        write_output(output, page.html)
    if len(page.sentences) <= _MOST_ADVISED:
        for name, sentence in page.sentences.items():
            click.echo(safe(f"{name}: {sentence}"), err=output == "-")
    else:
        for line in _players_to_name(tally):
            click.echo(safe(line), err=output == "-")


def _players_to_name(tally: Tally) -> Iterator[str]:
    """The players with the most decisions, by names that --player takes: not those that are changed to be shown."""
    from gammonrules.records.transcript import harmless

    sums = tally.totals[tally.evaluators()[0]]
    decisions = Counter({name: total.rate.decisions for name, total in sums.items()})
    yield "A report of one player: --player NAME, such as"
    named = [name for name, _ in decisions.most_common() if harmless(name, LONGEST_NAME) == name]
    named = named[:_MOST_TOLD]
    for name in named:
        yield f"{decisions[name]:>9,} decisions  {name}"
    if len(decisions) > len(named):
        yield f"and {counted(len(decisions) - len(named), 'more player', ',')}"


def _analyses_below(folder: Path, paths: Iterable[str], files: Iterable[Source]) -> set[str]:
    """The paths of analyses that an earlier run has kept in this folder, unless it is one that is to be read."""
    if folder in map(Path, paths):
        return set()
    return {file.path for file in files if not file.is_named and lies_in(file.path, folder)}


def _folder_of_analyses(kept: str | None, output: str) -> Path:
    """DIR, or by default the folder "analyzed" beside the page."""
    if kept is not None:
        return Path(kept)
    page_folder = Path() if output == "-" else Path(output).parent
    return page_folder / "analyzed"


def _kept_beside(output: str) -> AbstractContextManager[KeptItems[Source]]:
    """Items that are kept for a while beside the page, or as near to it as there is a folder yet."""
    from gammonrules.records.archive import kept_items

    if output == "-":
        return kept_items()
    return kept_items(
        str(next(above for above in Path(output).absolute().parents if above.is_dir()))
    )


def _run_if_agreed(
    paths: Sequence[str],
    folder: Path,
    files: Sequence[Source],
    rolls: Mapping[str, int],
    *,
    jobs: int | None,
) -> AnalysisRun | None:
    """How to analyze these files, if they are analyzed already, or who sits at the terminal agrees."""
    from gammonrules.cli.missing_analyses import may_analyze, run_for

    try:
        run = run_for(None, None, paths, folder)
        if may_analyze(run, files=files, rolls=rolls, jobs=jobs):
            return run
    except Refused as why:
        click.echo(f"No match is analyzed, so the page is empty: {why.message}", err=True)
    return None


@define
class _Read:
    """What was read; what is skipped is said at once."""

    kept_before: set[str]
    """The paths of analyses of earlier runs, which do not count: their folder is in one that is read."""
    kept: KeptItems[Source]
    keeps_all: bool
    """Else only until a match is analyzed: then no engine needs them."""
    jobs: int | None
    rolls: dict[str, int] = Factory(dict[str, int])
    """How many are in each other file, by its path."""
    is_lost: bool = False
    is_analyzed: bool = False

    def entries(self, files: Sequence[Source]) -> Iterator[Scanned]:
        """The records and what is none, as they are read, each of which is counted or said to be skipped."""
        from gammonrules.records.archive import entries_of, read_files

        skipped = SkippedFiles()
        with progress_bar(console_for_output(stderr=True)) as bar:
            task = bar.add_task("Reading records", total=len(files))
            with closing(read_files(files, self.jobs)) as files_read:
                for file in files_read:
                    for entry in entries_of(file):
                        if entry.error is not None:
                            skipped.add(entry.path, entry.error)
                        elif entry.match is not None and entry.path not in self.kept_before:
                            self.count(entry.path, entry.match)
                        if entry.is_lost:
                            self.is_lost = True
                        yield entry
                    if self.keeps_all or not self.is_analyzed:
                        self.kept.add(file)
                    bar.advance(task)
        skipped.say_rest()

    def with_matches(self, files: Iterable[Source]) -> list[Source]:
        """Those of the files that have matches, as they are kept: they are small, since none is analyzed."""
        kept = {file.path: file for file in self.kept}
        return [kept.get(file.path, file) for file in files if file.path in self.rolls]

    def count(self, path: str, match: Match) -> None:
        self.rolls[path] = self.rolls.get(path, 0) + match.rolls
        if any(any(game.analyses) for game in match.games):
            self.is_analyzed = True
