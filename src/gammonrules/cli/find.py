"""`gammonrules find`: the decisions of a table that meet conditions, such as a pattern of checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

import click

from gammonrules import records
from gammonrules.cli.common_options import candidates_option, output_option
from gammonrules.cli.console import console_for_output, safe_text
from gammonrules.cli.identifier_argument import IdentifierCommand
from gammonrules.cli.option_conflicts import InputPath
from gammonrules.cli.output import force_option, output_file, write_output
from gammonrules.cli.usage_errors import must_be_named, refusing, safe
from gammonrules.values import counted

_MAX_PRINTED = 20
_COLUMNS_PRINTED = 10


@click.command(
    cls=IdentifierCommand,
    only_with={("--force", "--candidates"): ("--output",)},
    never_with={("--force", "--xgids"): ("--output=-",)},
)
@click.argument("patterns", nargs=-1, required=True, metavar="PATTERN...")
@click.argument("table", type=InputPath())
@click.option(
    "--any-score",
    is_flag=True,
    help="Find the board, turn and dice of an XGID at any score and cube.",
)
@click.option("--xgids", is_flag=True, help="Print the XGIDs of all, one in each line.")
@output_option("A page that asks the first 100; - for standard output.")
@candidates_option
@force_option
def find(
    patterns: tuple[str, ...],
    table: str,
    output: str | None,
    *,
    candidates: str | None,
    any_score: bool,
    xgids: bool,
    force: bool,
) -> None:
    """Find positions in a table of decisions.

    TABLE is a .parquet file that gammonrules export has written, or a folder of such files alone; of a record, a folder
    or a ZIP archive one is made for this time, with each game once. What cost most comes first. A PATTERN is checkers
    of the player who decides, such as "13:5 6:2+ 20:2 bar:0": a point and a number, with + at least, with - at most;
    4-8:2+ is each of these points. After vs follow those of the opponent, by the opponent's own numbers. It may also be
    a Position ID or an XGID, or a column, one of = != < <= > >= and a value: "dice = 31", "away = 2", "player = Ann
    Lee", "longest_prime >= 5". Rows meet all of several.

    The page asks each position, among the plays that were candidates, which records have, and a TABLE with a file of
    its --candidates; without, only the best play and the one that was made are asked.

    The exit status is 0, whether anything is found or not; files in a folder that are no records are skipped and named.
    It is 2 if a PATTERN cannot be met, a table cannot be read, or the page cannot be written. A page that this command
    has written is replaced.
    """
    from gammonrules.cli.decision_tables import inputs_of, refuse_candidates_of_records, table_at
    from gammonrules.cli.search_titles import question_in_words
    from gammonrules.records.archive import candidates_of_rows, pyarrow, selected
    from gammonrules.records.page import COLUMNS_OF_ROWS, MAX_ROWS, is_page_of

    must_be_named(output, table, candidates)
    refuse_candidates_of_records(candidates, table)
    rows: list[dict[str, Any]] = []
    total = 0
    lost = 0.0
    page: AbstractContextManager[None] = nullcontext()
    if output:
        is_ours = partial(is_page_of, "find")
        page = output_file(output, *inputs_of(table, candidates), force=force, is_ours=is_ours)
    made = table_at(table, candidates, with_candidates=output is not None)
    with refusing(), page, made as files:
        # the rows that cost most, of the chunks so far: all rows may not fit into memory
        worst: Any = None
        for chunk in selected(files.decisions, patterns, COLUMNS_OF_ROWS, any_score=any_score):
            total += chunk.num_rows
            lost_in_chunk = pyarrow("pyarrow.compute").sum(chunk["error"]).as_py()
            lost += lost_in_chunk or 0.0  # None where nothing is judged
            if xgids:
                for xgid in chunk["xgid"].to_pylist():
                    click.echo(safe(str(xgid)))
            worst_and_new = chunk if worst is None else pyarrow().concat_tables([worst, chunk])
            worst = worst_and_new.sort_by([("error", "descending")]).slice(0, MAX_ROWS)
        if worst is not None:
            rows = worst.to_pylist()
        if output:
            title = question_in_words(patterns, "Decisions")
            of_rows = candidates_of_rows(rows, files.candidates)
            text = records.rows_to_html(
                rows, title=title, total=total, file=output, candidates=of_rows
            )
            write_output(output, text)
    summary = _count_in_words(total, lost)
    is_output_data = xgids or output == "-"  # which nothing else may be mixed with
    if output and not is_output_data:
        first = f"the first {MAX_ROWS} " if total > MAX_ROWS else ""
        summary += f", {first}on boards in {safe(output)}"
    if not output and not is_output_data:
        _print_rows(rows[:_MAX_PRINTED])
        summary += f", the first {_MAX_PRINTED} listed" if total > _MAX_PRINTED else ""
    click.echo(summary, err=is_output_data)


def _count_in_words(total: int, lost: float) -> str:
    """How many decisions there are, and what they lost if that can be seen in two decimals."""
    number = counted(total, "decision", ",")
    return f"{number}, {lost:.2f} points lost" if lost >= 0.005 else number


def _print_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.table import Table

    from gammonrules.analysis.internals import cell_text
    from gammonrules.records.page import COLUMNS_OF_ROWS, name_in_row

    if not rows:
        return
    columns = COLUMNS_OF_ROWS[:_COLUMNS_PRINTED]
    table = Table(box=None)
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        cells = [safe_text(cell_text(name_in_row(row, name))) for name in columns]
        table.add_row(*cells)
    console_for_output().print(table)
