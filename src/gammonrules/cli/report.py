"""`gammonrules report`: a page about how well players play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import click
from attrs import define, frozen

from gammonrules._shared.engine_levels import USUAL_LEVEL
from gammonrules.cli.common_options import (
    alias_option,
    analysis_level_option,
    analyzed_by_option,
    output_option,
    player_option,
    rule_option,
    workers_option,
)
from gammonrules.cli.console import is_at_terminal
from gammonrules.cli.engine_options import ENGINES_IN_WORDS, engine_option_of, level_option_of
from gammonrules.cli.option_conflicts import AnyPath, Command, InputPath
from gammonrules.cli.output import (
    force_option,
    output_file,
    say_cut,
    write_file,
    write_output,
    write_page,
)
from gammonrules.cli.record_files import say_copies, say_loose
from gammonrules.cli.usage_errors import Refused, must_be_named, refusing, safe
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.values import counted

if TYPE_CHECKING:
    from gammonrules.cli.analysis_runs import AnalysisRun, AnalyzedRecord
    from gammonrules.cli.linked_pages import PageSet
    from gammonrules.cli.player_aliases import Aliases
    from gammonrules.cli.report_records import ReportRecords
    from gammonrules.records.archive import KeptItems, Source
    from gammonrules.records.page import Report, Tally

_PAGE: Final = "report.html"
_PAGES: Final = "report"
"""The folder of the pages, where none is named."""
_MAX_FILES: Final = 1_000
"""So many files are read of the current folder without a question, if no path is named."""
_MAX_TOLD: Final = 8
"""Players whose names are printed."""
_MAX_ADVISED: Final = 2
"""Players of whom the command says what the page does."""
_ANALYZE: Final = "Have an engine analyze what it has not, and keep it in DIR."


@click.command(
    cls=Command,
    never_with={
        ("--analyzed-by", "--analysis-level"): ("--analyze", "--engine", "--level"),
        ("--force", "--pages"): ("--output=-",),
    },
)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=InputPath())
@output_option(f"The page; - for standard output.  [default: {_PAGE}, with --pages {_PAGES}]")
@click.option(
    "--pages",
    "has_pages",
    is_flag=True,
    help="FILE is a folder: write the page of each match and the openings too, with links.",
)
@player_option("Whose report it is; by default, that of all players.")
@click.option("--analyze", "kept", metavar="DIR", type=AnyPath(), help=_ANALYZE)
@engine_option_of(f"Which engine alone analyzes, into DIR: {ENGINES_IN_WORDS}.", "program")
@level_option_of(
    f"How deep it looks, by default {USUAL_LEVEL}, and without --engine sometimes deeper.", "depth"
)
@analyzed_by_option("Whose analyses in the records count")
@analysis_level_option
@rule_option
@alias_option
@workers_option
@force_option
def report(  # noqa: PLR0913 - an argument for each option
    paths: tuple[str, ...],
    output: str | None,
    *,
    has_pages: bool,
    player: str | None,
    kept: str | None,
    program: str | None,
    depth: int | None,
    analyzed_by: str | None,
    analysis_level: str | None,
    rule: str,
    aliases: Sequence[tuple[str, str]],
    workers: int | None,
    force: bool,
) -> None:
    """Write a page that shows where players lose points.

    A PATH is a record, a folder or a ZIP archive; without any it is the current folder. The page is one file that needs
    no network. It has the PR and the net luck of a player, the worst mistakes on boards, the kinds of position to
    practice, with some to try again, and what is lost by kind, match, opponent and score. Without --player it has a
    table of all players, and this for the 50 with the most decisions. Of one or two players the command also prints
    what to practice, of more the names of the eight with the most decisions.

    Where matches are not analyzed, it says how many, and how long an engine takes, and asks on a terminal whether to
    begin; it begins at once with --analyze DIR. With --player it analyzes the matches of this player, of both sides. It
    begins with the newest, and writes the page after the first one, and again whenever their number has doubled. What
    others have analyzed is analyzed too, so that one engine counts. Analyses are kept in DIR, by default the folder
    analyzed beside the page or pages, and count the next time; a run that was stopped goes on where it was. Several
    runs may use DIR at the same time: each takes what another has analyzed. On a terminal it asks once whether names
    that are spelled alike are those of one player; the answers are kept in DIR as aliases.txt.

    With --pages it writes a folder: the report as index.html, the page of each match that it names, as gammonrules view
    makes them, in matches, and that of the openings as openings.html. They link to one another, and can be moved as a
    whole.

    Each match and each game counts once, and the copies that are left out are counted. Numbers of two engines or levels
    do not mix: the page has those of the engine that analyzes, or that analyzed most games, or those of --analyzed-by
    and --analysis-level, and names the others.

    The exit status is 0 if the page is written; files that are no records are skipped and named. It is 1 if the page is
    empty, as no match is analyzed, and 2 if there is no such player, nothing can be read, a file is lost or cannot be
    analyzed, or the page cannot be written. A page that this command has written is replaced.
    """
    from gammonrules.cli.linked_pages import REPORT_FILE, PageSet
    from gammonrules.cli.missing_analyses import run_for
    from gammonrules.cli.player_aliases import Aliases

    must_be_named(output, kept, *paths)
    is_all_here = not paths
    paths = paths or (".",)
    output = output or (_PAGES if has_pages else _PAGE)
    folder = _folder_of_analyses(kept, output)
    page_set: PageSet | None = None
    if has_pages:
        page_set = PageSet(Path(output), player, {}, workers, force)
        output = str(page_set.folder / REPORT_FILE)
    with refusing(), _kept_beside(output) as kept_records, _kept_beside(output) as kept_analyses:
        files = _files_of(paths, is_all_here=is_all_here)
        page = _PageFile(output, _inputs(paths, files, force=force), force)
        with page.writable():
            if page_set is not None:
                page_set.check()
        is_to_analyze = kept is not None or program is not None or depth is not None
        run = run_for(program, depth, paths, folder) if is_to_analyze else None
        spellings = Aliases.in_folder(folder, aliases)
        terms = _Terms(
            player, spellings.listed_as(player), rule, analyzed_by, analysis_level, workers
        )
        keeps_all = has_pages or run is not None
        records = terms.new_records(paths, folder, kept_records, keeps_all=keeps_all)
        _read_all(records, files, paths)
        terms = _with_answers(terms, records, spellings, asks_who=is_all_here)
        tally = records.tally
        if run is None and analyzed_by is None and analysis_level is None:
            run = _run_if_agreed(paths, folder, records, workers)
        is_failed = False
        if run is not None:
            tally = tally.without_analyses(run.plan.by)
            is_failed = _analyze(run, records, workers, _PageSoFar(page, tally, kept_analyses))
        kept_of_page = kept_records if run is None else kept_analyses
        find_in = records.only_place(paths) if run is None else _folder_of_run(run, kept_analyses)
        if page_set is not None:
            page_set = attrs.evolve(page_set, player=terms.player, aliases=terms.aliases)
        report_made = _report_of(tally, page, page_set, kept_of_page, find_in)
        with page.writable():
            _write_report(tally, report_made, output)
    is_incomplete = records.is_lost or is_failed
    click.get_current_context().exit(_exit_status(tally, is_incomplete=is_incomplete))


def _exit_status(tally: Tally, *, is_incomplete: bool) -> int:
    if is_incomplete:
        return Refused.exit_code
    is_empty = not tally.evaluators_named
    return 1 if is_empty else 0


# --- what is read -----------------------------------------------------------------------------------------------------


def _files_of(paths: Iterable[str], *, is_all_here: bool) -> list[Source]:
    """The files to read. `is_all_here`: whether nobody has named a path.

    Raises Refused if there are many files then, and nobody agrees.
    """
    from gammonrules.records.archive import sources, together

    files = sources(paths)
    first_files = [*islice(files, _MAX_FILES + 1)] if is_all_here else []
    if len(first_files) > _MAX_FILES:
        sentence = f"there are more than {_MAX_FILES:,} files in this folder"
        if not is_at_terminal():
            raise Refused(f"{sentence}: name those to read, or . for all")
        if not click.confirm(f"{sentence.capitalize()}. Read all of them?", err=True):
            raise Refused("nothing was read")
    return [*together(chain(first_files, files))]


def _read_all(records: ReportRecords, files: list[Source], paths: Sequence[str]) -> None:
    """Read and add up the files. Raises Refused and ArgumentError if there is nothing to report."""
    records.read(files, paths)
    if not records.tally.names:
        raise Refused("no match can be read, so there is nothing to report")
    records.tally.check_player()


def _inputs(paths: Sequence[str], files: Iterable[Source], *, force: bool) -> Sequence[str]:
    """What the page may not replace: with --force, neither a file in one of the folders that are read."""
    return [file.archive or file.path for file in files] if force else paths


@frozen
class _Terms:
    """How matches are added up."""

    player: str | None
    aliases: dict[str, str]
    rule: str
    analyzed_by: str | None
    analysis_level: str | None
    workers: int | None

    def tally(self) -> Tally:
        """The sum of no match yet. Raises ArgumentError if it cannot be added up so."""
        from gammonrules.records.internals import tallied

        return tallied(
            [],
            player=self.player,
            rule=self.rule,
            analyzed_by=self.analyzed_by,
            analysis_level=self.analysis_level,
            aliases=self.aliases,
            workers=self.workers,
        )

    def new_records(
        self, paths: Sequence[str], folder: Path, kept: KeptItems[Source], *, keeps_all: bool
    ) -> ReportRecords:
        from gammonrules.cli.analysis_runs import root_of
        from gammonrules.cli.report_records import ReportRecords

        root = root_of(paths)
        return ReportRecords(self.tally(), folder, root, kept, keeps_all, self.workers)


def _with_answers(
    terms: _Terms, records: ReportRecords, spellings: Aliases, *, asks_who: bool
) -> _Terms:
    """The terms after what is asked at a terminal: whose report it is, and which names are of one player.

    The records are added up again if the answers make a difference.
    """
    player = terms.player
    if asks_who and player is None:
        player = _player_agreed(records.tally)
    spellings.ask(records.tally.names, player)
    agreed = attrs.evolve(terms, player=player, aliases=spellings.listed_as(player))
    if agreed != terms:
        records.add_again(agreed.tally())
    return agreed


def _player_agreed(tally: Tally) -> str | None:
    """Who is named most, if whoever sits at the terminal wants their report; None for that of all."""
    from gammonrules.records.transcript import matches_counted

    named_most = tally.names.most_common(1)
    if not named_most or not is_at_terminal():
        return None
    name, number = named_most[0]
    ask = f"{name} is named most, in {matches_counted(number)}. Is the report to be about them?"
    return name if click.confirm(safe(ask), default=True, err=True) else None


# --- what is analyzed -------------------------------------------------------------------------------------------------


def _run_if_agreed(
    paths: Sequence[str], folder: Path, records: ReportRecords, workers: int | None
) -> AnalysisRun | None:
    """How to analyze what nobody has, if whoever sits at the terminal agrees; else it is said what lacks analyses."""
    from gammonrules.cli.missing_analyses import may_analyze, run_for

    lack = records.tally.lack
    if not lack:
        return None
    why = ""
    try:
        run = run_for(None, None, paths, folder)
        if may_analyze(run, records, workers):
            return run
    except Refused as refusal:
        why = f"; {refusal.message}"
    empty = "" if records.tally.totals else ", so the page is empty"
    click.echo(safe(f"{lack}{empty}{why}"), err=True)
    return None


def _analyze(
    run: AnalysisRun, records: ReportRecords, workers: int | None, so_far: _PageSoFar
) -> bool:
    """Analyze the matches of the report, the newest first, and add up what the folder has then; whether some failed."""
    from gammonrules.cli.missing_analyses import analyze_missing

    files = records.newest_first(records.played)
    rolls = {path: played.rolls for path, played in records.played.items()}
    is_failed = analyze_missing(run, files, rolls, workers, so_far.add)
    so_far.add_kept(records.targets_without(so_far.tally, run))
    return is_failed


def _folder_of_run(run: AnalysisRun, kept: Iterable[Source]) -> str:
    """The folder, if it has only what the report counts; else ""."""
    counted_paths = {Path(source.path) for source in kept}
    return str(run.folder) if counted_paths.issuperset(run.folder.rglob("*.json")) else ""


@define
class _PageSoFar:
    """The page while matches are analyzed: it is there after the first one, and new whenever they have doubled."""

    page: _PageFile
    tally: Tally
    kept: KeptItems[Source]
    _written: int = 0
    """How many matches it has."""

    def add_kept(self, files: Iterable[Source]) -> None:
        """Add up files of the folder."""
        from gammonrules.records.archive import entries_of

        for file in files:
            self.kept.add(file)
            for entry in entries_of(file):
                _ = self.tally.add(entry.match, entry.path, is_record=False)
        self.tally.finish()

    def add(self, record: AnalyzedRecord) -> None:
        from gammonrules.records.internals import report_page

        if record.analyzed is None:
            return
        self.add_kept([record.analyzed])
        unanalyzed = self.tally.unanalyzed
        analyzed = self.tally.played - unanalyzed
        is_due = analyzed >= max(1, 2 * self._written) and unanalyzed
        if is_due and self.page.output != "-":
            self._written = analyzed
            self.page.write(report_page(self.tally, self.page.output).html)
            told = f"{self.page.output} has {analyzed:,} of {self.tally.played:,} matches"
            if analyzed == 1:
                told += "; if you stop with Ctrl-C, the same command goes on"
            click.echo(safe(told), err=True)


# --- what is written --------------------------------------------------------------------------------------------------


@frozen
class _PageFile:
    """The page, and what it may not replace."""

    output: str
    inputs: Sequence[str]
    is_forced: bool

    def writable(self) -> AbstractContextManager[None]:
        """A block that writes the page. Raises Refused if it may not be written."""
        from gammonrules.records.page import is_page_of

        is_ours = partial(is_page_of, "report")
        return output_file(self.output, *self.inputs, force=self.is_forced, is_ours=is_ours)

    def write(self, html: str) -> None:
        """Write a page to which the last one will be written too. Raises Refused if it may not be written."""
        with self.writable():
            write_file(Path(self.output), html)


def _report_of(
    tally: Tally, page: _PageFile, page_set: PageSet | None, kept: Iterable[Source], find_in: str
) -> Report:
    """The report, after the pages beside it are written, if there are to be some."""
    from gammonrules.records.internals import report_page

    if page_set is None:
        return report_page(tally, page.output, find_in=find_in)
    return page_set.write(tally, kept, find_in, page.write)


def _write_report(tally: Tally, page: Report, output: str) -> None:
    """Write the page, and print what it cannot show, and what to practice if it is of one or two players, else who."""
    say_cut([*chain(*tally.cut.values())])
    say_loose([*tally.loose.values()])
    say_copies(tally.counts())
    if tally.evaluators_named:
        write_page(output, page.html)
    else:  # it is empty: nobody needs to open it
        write_output(output, page.html)
    if len(page.sentences) <= _MAX_ADVISED:
        for name, sentence in page.sentences.items():
            click.echo(safe(f"{name}: {_pr_told(tally, name)}{sentence}"), err=output == "-")
    else:
        for line in _players_to_name(tally):
            click.echo(safe(line), err=output == "-")


def _pr_told(tally: Tally, name: str) -> str:
    """The PR of a player in words, a sentence; "" of too few decisions."""
    from gammonrules.records.transcript import told_pr

    rate = tally.totals[tally.evaluators()[0]][name].rate
    pr = told_pr(rate)
    return "" if pr is None else f"PR {pr:.1f} in {counted(rate.decisions, 'decision', ',')}. "


def _players_to_name(tally: Tally) -> Iterator[str]:
    """The players with the most decisions, by names that --player takes: not those that are changed to be shown."""
    from gammonrules.analysis.internals import harmless

    sums = tally.totals[tally.evaluators()[0]]
    decisions = Counter({name: total.rate.decisions for name, total in sums.items()})
    yield "A report of one player: --player NAME, such as"
    named = [name for name, _ in decisions.most_common() if harmless(name, MAX_NAME_LENGTH) == name]
    named = named[:_MAX_TOLD]
    for name in named:
        yield f"{decisions[name]:>9,} decisions  {name}"
    if len(decisions) > len(named):
        yield f"and {counted(len(decisions) - len(named), 'more player', ',')}"


def _folder_of_analyses(kept: str | None, written: str) -> Path:
    """DIR, or by default the folder "analyzed" beside the page, or beside the folder of pages.

    Raises Refused for what is an option that stands where DIR was forgotten.
    """
    if kept is not None and kept.startswith("-"):
        raise Refused(f"--analyze needs a folder, and {kept} is an option: --analyze DIR")
    if kept is not None:
        return Path(kept)
    return (Path() if written == "-" else Path(written).parent) / "analyzed"


def _kept_beside(output: str) -> AbstractContextManager[KeptItems[Source]]:
    """Items that are kept for a while beside the page, or as near to it as there is a folder yet."""
    from gammonrules.records.archive import kept_items

    if output == "-":
        return kept_items()
    return kept_items(
        str(next(above for above in Path(output).absolute().parents if above.is_dir()))
    )
