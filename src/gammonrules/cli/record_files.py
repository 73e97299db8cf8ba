"""The files of records that commands read: how one is read, what comes of its name, and what some of them lack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from attrs import define

from gammonrules import records
from gammonrules.cli.output import say
from gammonrules.cli.usage_errors import Refused, safe
from gammonrules.values import counted

if TYPE_CHECKING:
    from gammonrules.records import Match, ScanEntry
    from gammonrules.records.transcript import RecordCounts

encoding_option = click.option(
    "--encoding", help="The encoding of a text, such as shift_jis or cp1254."
)


def read_match(record: str, encoding: str | None = None) -> Match:
    """The only match in a file. Raises Refused."""
    from gammonrules.records.archive import sentence

    try:
        return records.load(record, encoding=encoding)
    except OSError as error:
        raise Refused(sentence(error)) from None
    except ValueError as error:  # of ours, or of a path that the system does not take
        raise Refused(str(error).removeprefix(f"{record}: ")) from None


def must_be_read(entry: ScanEntry) -> bool:
    """Whether an entry without a match is a failure: its file was named, or may hold a record. Else it is skipped."""
    may_hold_record = entry.has_crashed or entry.format is not None
    return entry.is_explicit or may_hold_record


_MAX_NAMED: Final = 20


@define
class SkippedFiles:
    """What is left out of a folder: the first files are named at once, each with the reason, the others counted."""

    named: int = 0
    unnamed: int = 0

    def add(self, path: str, why: str) -> None:
        if self.named < _MAX_NAMED:
            self.named += 1
            say(path, f"skipped: {why}")
        else:
            self.unnamed += 1

    def count_unnamed(self, files: int) -> None:
        """Count further files whose names are not known."""
        self.unnamed += files

    def say_rest(self) -> None:
        """Say at the end how many are not named."""
        if self.unnamed:
            click.echo(f"and {counted(self.unnamed, 'more file', ',')} skipped", err=True)


def renamed(path: Path, suffix: str) -> Path:
    """The path with another suffix; the part after a dot in a name may not be a suffix."""
    from gammonrules.records.formats import SUFFIXES

    stem = path.stem if path.suffix.lower() in SUFFIXES else path.name
    return path.with_name(stem + suffix)


def say_copies(counts: RecordCounts) -> None:
    """Say how many matches the records are of, if not each of its own."""
    if counts.has_copies:
        click.echo(str(counts), err=True)


def say_loose(paths: Sequence[str]) -> None:
    """Say that some records lack games, by their paths."""
    from gammonrules.records.transcript import loose_told

    if paths:
        click.echo(safe(loose_told(paths)), err=True)
