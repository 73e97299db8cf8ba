"""Records in files and texts: decoding, size limit, and the choice of the format."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from gammonrules.errors import ParseError
from gammonrules.records.mat import read_mat, write_mat
from gammonrules.records.model import Match

LARGEST_RECORD: Final = 4 * 1024 * 1024
"""Bytes (or characters) of a record; a money session of two thousand games fits."""

FORMATS: Final = ("mat",)
"""The formats that can be read and written."""


def loads(text: str | bytes, format: str = "mat") -> Match:  # noqa: A002
    r"""Read a record from text.

    Args:
        text: the record; bytes are UTF-8, with or without a byte order mark, else Windows-1252.
        format: "mat", the Jellyfish text family.

    Returns:
        The match. Defects of the text are its `findings`; nothing but a text without any game is refused.

    Raises:
        ParseError: no match and game in the text, NUL bytes, more than 4 MiB, or an unknown format.

    Examples:
        >>> loads("5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5").rolls
        1
    """
    if format not in FORMATS:
        raise ParseError(f"there is no format {format!r}; known is {', '.join(FORMATS)}")
    if len(text) > LARGEST_RECORD:
        raise ParseError(_too_large())
    if isinstance(text, bytes):
        text = _decoded(text)
    if "\0" in text:
        raise ParseError("it holds NUL bytes: this is no text")
    return read_mat(text.removeprefix("\ufeff"))


def load(path: str | os.PathLike[str]) -> Match:
    """Read a record from a file.

    Args:
        path: a file of the Jellyfish text family; its name does not matter.

    Raises:
        OSError: the file cannot be opened or read.
        ParseError: as for `loads`; also for what is no ordinary file (a folder, a pipe).

    Examples:
        >>> load(".")
        Traceback (most recent call last):
        ...
        gammonrules.errors.ParseError: it is no ordinary file
    """
    # Opening a pipe would wait for a writer, so look first.
    status = os.stat(path)  # noqa: PTH116
    if not stat.S_ISREG(status.st_mode):
        raise ParseError("it is no ordinary file")
    if status.st_size > LARGEST_RECORD:
        raise ParseError(_too_large())
    with Path(path).open("rb") as file:
        return loads(file.read(LARGEST_RECORD + 1))


def dumps(match: Match, format: str = "mat") -> str:  # noqa: A002
    r"""Write a record as text.

    The form of "mat" is canonical: single-die steps with a star at every hit, 25 for the bar and 0 for off, full
    points. Reading it gives an equal match, but for what the format cannot say: declined resignations, tied opening
    rolls, empty names, names with a colon or control characters. Another start than the standard one is read back as
    a position set by hand.

    Raises:
        ParseError: an unknown format.
        GammonError: an event that the rules forbid, or a position set by hand where no play is due.

    Examples:
        >>> record = dumps(loads("5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5"))
        >>> print(record.splitlines()[-1])
          1) 31: 8/5 6/5
    """
    if format not in FORMATS:
        raise ParseError(f"there is no format {format!r}; known is {', '.join(FORMATS)}")
    return write_mat(match)


def dump(match: Match, path: str | os.PathLike[str], format: str = "mat") -> None:  # noqa: A002
    """Write a record to a file, in UTF-8.

    Raises:
        OSError: the file cannot be written.
        GammonError: as for `dumps`; nothing is written then.
    """
    Path(path).write_bytes(dumps(match, format).encode("utf-8", "replace"))


def _too_large() -> str:
    return f"it is larger than {LARGEST_RECORD // 2**20} MiB, the limit for a record"


def _decoded(data: bytes) -> str:
    """UTF-8, else Windows-1252; its five undefined bytes become replacement characters."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
