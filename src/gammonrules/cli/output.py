"""Files that a run writes: each is complete or missing, and none is replaced without `--force`."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from gammonrules.cli.report import shown

_SUFFIXES = frozenset({".mat", ".txt", ".sgf", ".xg", ".xgp", ".json"})
"""Suffixes of records; any other belongs to the name."""


@contextmanager
def whole_file(path: Path) -> Generator[Path]:
    """A temporary name for a file that gets its own name when everything is written.

    Raises:
        OSError: the file cannot be renamed.
    """
    part = path.with_name(f".gammonrules-{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a file, in UTF-8, and the folders that it needs.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part:
        part.write_bytes(text.encode("utf-8", "replace"))


def why_not_write(target: Path, read: Path, *, force: bool) -> str | None:
    """Why this file must not be written: it is the one that is read, or it exists, and `force` does not replace it."""
    try:
        if not target.exists():
            return None
        if read.exists() and target.samefile(read):
            return f"{target} is the file that is read: write to another one"
        is_file = target.is_file()
    except (OSError, ValueError) as error:
        return cannot_write(target, error)
    if not is_file:
        return f"{target} exists and is not an ordinary file"
    return None if force else f"{target} exists: use --force to replace it"


def cannot_write(target: Path, error: Exception) -> str:
    """A sentence that a file cannot be written, and why."""
    return f"{target} cannot be written: {getattr(error, 'strerror', None) or error}"


def renamed(path: Path, suffix: str) -> Path:
    """The path with another suffix; the part after a dot in a name may not be a suffix."""
    return path.with_name((path.stem if path.suffix.lower() in _SUFFIXES else path.name) + suffix)


def say(source: str, sentence: str) -> None:
    """A sentence about a file, on standard error."""
    click.echo(shown(f"{source}: {sentence}").plain, err=True)
