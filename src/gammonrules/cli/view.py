"""`gammonrules view`: a match as a page for the browser."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from gammonrules.cli.output import cannot_write, renamed, say, why_not_write, write
from gammonrules.cli.referee import AnyPath
from gammonrules.cli.report import shown
from gammonrules.records import load, to_html
from gammonrules.records.internals import failed, sentence

_NO_PAGE = 2
"""The exit status if the record cannot be read, or the page cannot be written."""


class _NoPageError(Exception):
    """Why there is no page."""


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
@click.option("--force", is_flag=True, help="Replace an existing file, but never the one that is read.")
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
    except _NoPageError as why:
        say(record, str(why))
        click.get_current_context().exit(_NO_PAGE)


def _target(record: str, output: str | None) -> Path | None:
    """The file to write; None for standard output."""
    if not record or output == "":
        raise _NoPageError("a path is empty")
    with suppress(OSError, ValueError):  # an error in the path is reported when it is read
        if Path(record).is_dir():
            raise _NoPageError("a page shows one match: name a record, not a folder")
    if output == "-":
        return None
    return Path(output) if output is not None else Path(renamed(Path(record), ".html").name)


def _write(record: str, target: Path, *, force: bool) -> None:
    why_not = why_not_write(target, Path(record), force=force)
    if why_not is not None:
        raise _NoPageError(why_not)
    page = _page(record)
    try:
        write(target, page)
    except (OSError, ValueError) as error:
        raise _NoPageError(cannot_write(target, error)) from None


def _page(record: str) -> str:
    """The page of the only match in a file."""
    try:
        match = load(record)
    except OSError as error:
        raise _NoPageError(sentence(error)) from None
    except ValueError as error:  # of ours, or of a path that the system does not take
        raise _NoPageError(str(error).removeprefix(f"{record}: ")) from None
    try:
        return to_html(match)
    except Exception as error:  # noqa: BLE001 - a traceback would say less, even about a bug of ours
        raise _NoPageError(failed(error)) from None
