"""`gammonrules openings`: a page of opening plays and replies."""

from __future__ import annotations

from functools import partial

import click

from gammonrules import records
from gammonrules.cli.common_options import candidates_option, page_option
from gammonrules.cli.identifier_argument import IdentifierCommand
from gammonrules.cli.option_conflicts import InputPath
from gammonrules.cli.output import force_option, output_file, write_page
from gammonrules.cli.usage_errors import must_be_named, refusing


@click.command(cls=IdentifierCommand, never_with={("--force",): ("--output=-",)})
@click.argument("patterns", nargs=-1, metavar="[PATTERN]...")
@click.argument("table", type=InputPath())
@page_option
@candidates_option
@force_option
def openings(
    patterns: tuple[str, ...], table: str, output: str, candidates: str | None, *, force: bool
) -> None:
    """Write a page of openings, and what they cost.

    TABLE is a .parquet file that gammonrules export has written, a folder of such files alone, or a record, a folder or
    a ZIP archive, as for gammonrules find. With a file of --candidates, as with records, a play costs what analyses of
    its roll say of it, also where another play was made. A PATTERN says which plays count, as for gammonrules find:
    "player = Ann Lee", "away = 2". For each roll of the opening, and for the rolls after it that were met most often,
    the page has a board, how often each play was made, how many of the games were won, and what the play cost by the
    engine and level that judged most of them, which are named. A game counts once, if it begins as usual.

    The exit status is 0 if the page is written; files in a folder that are no records are skipped and named. It is 2 if
    a PATTERN cannot be met, the table cannot be read, or the page cannot be written. A page that this command has
    written is replaced.
    """
    from gammonrules.cli.decision_tables import inputs_of, refuse_candidates_of_records, table_at
    from gammonrules.cli.search_titles import question_in_words
    from gammonrules.records.page import is_page_of

    must_be_named(output, table, candidates)
    refuse_candidates_of_records(candidates, table)
    inputs = inputs_of(table, candidates)
    page = output_file(output, *inputs, force=force, is_ours=partial(is_page_of, "openings"))
    with refusing(), page, table_at(table, candidates, with_candidates=True) as files:
        rows = records.openings(files.decisions, *patterns, candidates=files.candidates)
        title = question_in_words(patterns, "Openings")
        write_page(output, records.openings_to_html(rows, title=title))
