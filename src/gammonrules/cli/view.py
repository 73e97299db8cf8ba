"""`gammonrules view`: a match as a page for the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from gammonrules.archive import failed
from gammonrules.cli.console import shown
from gammonrules.cli.output import Refused, force_option, must_be_named, read, renamed, say, writable, write
from gammonrules.cli.referee import AnyPath
from gammonrules.records import to_html


@click.command()
@click.argument("record", metavar="RECORD", type=AnyPath())
@click.option(
    "-o",
    "--output",
    "output",
    metavar="FILE",
    type=AnyPath(),
    help="The page to write, or - for standard output; by default, RECORD's name with .html, in this folder.",
)
@force_option
def view(record: str, output: str | None, *, force: bool) -> None:
    """Write a match as a page to look through in a browser.

    RECORD is a record in any format that gammonrules reads, or a ZIP archive with one record in it. The page is one
    file that needs no network: the board, the list of moves, what the referee found, and the analyses of the record.

    The exit status is 0 if the page is written, whatever the referee found. It is 2 if the record cannot be read or the
    page cannot be written.
    """
    try:
        target = _target(record, output)
        if target is None:
            click.echo(_page(record), nl=False)
        else:
            _write(record, target, force=force)
            click.echo(f"{shown(str(target)).plain} is written: open it in a browser")
    except Refused as why:
        say(record, why.message)
        click.get_current_context().exit(why.exit_code)


def _target(record: str, output: str | None) -> Path | None:
    """The file to write; None for standard output."""
    must_be_named(record, output)
    with suppress(OSError, ValueError):  # an error in the path is reported when it is read
        if Path(record).is_dir():
            raise Refused("a page shows one match: name a record, not a folder")
    if output == "-":
        return None
    return Path(output) if output is not None else Path(renamed(Path(record), ".html").name)


def _write(record: str, target: Path, *, force: bool) -> None:
    with writable(target, record, force=force):
        write(target, _page(record))


def _page(record: str) -> str:
    match = read(record)
    try:
        return to_html(match)
    except Exception as error:  # noqa: BLE001 - a traceback would say less, even about a bug of ours
        raise Refused(failed(error)) from None
