"""`gammonrules hypergammon`: the table that has Hypergammon solved is made."""

from __future__ import annotations

from pathlib import Path

import click

from gammonrules.cli.option_conflicts import AnyPath, Command
from gammonrules.cli.output import computing, force_option, saving, writable
from gammonrules.cli.usage_errors import must_be_named, refusing, safe


@click.group("hypergammon")
def hypergammon_tables() -> None:
    """Solve Hypergammon."""


@hypergammon_tables.command("solve", cls=Command)
@click.argument("file", metavar="FILE", type=AnyPath())
@click.option(
    "--checkers",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    help="Checkers of a side.",
)
@click.option(
    "--length", type=click.IntRange(1, 3), help="Matches to so many points, instead of money play."
)
@force_option
def solve_hypergammon(file: str, checkers: int, length: int | None, *, force: bool) -> None:
    """Solve Hypergammon and write the table to FILE.

    Three checkers take 8 GB of memory, and half an hour on two processors; the table has 215 MB. Matches take 10 GB and
    more than an hour, and 692 MB. If it is interrupted, the same command goes on: what is done is in FILE.part.
    """
    with refusing():
        from gammonrules import hypergammon

        with computing(file, force=force) as progress:
            table = hypergammon.solve(file, checkers, length=length, progress=progress)
        click.echo(f"{safe(file)} is written: {table}, error at most {table.residual:.1e} points")


@hypergammon_tables.command("met")
@click.argument("table", metavar="TABLE", type=AnyPath())
@click.argument("file", metavar="FILE", type=AnyPath())
@click.option(
    "--length",
    type=click.IntRange(1, 64),
    default=25,
    show_default=True,
    help="Points of a player.",
)
@force_option
def write_met(table: str, file: str, length: int, *, force: bool) -> None:
    """Write a match equity table from the TABLE of matches to FILE, as the XML that GNU Backgammon reads."""
    with refusing():
        from gammonrules import equity, hypergammon

        must_be_named(file)
        with (
            hypergammon.open(table) as solved,
            writable(Path(file), table, force=force),
            saving(file),
        ):
            equity.write_table(file, solved.met(length))
