"""Records in files and texts: decoding, size limit, and the choice of the format."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final, cast

from gammonrules.errors import GammonError, ParseError
from gammonrules.records._other_formats import other_format
from gammonrules.records.mat import lost_in_mat, read_mat, write_mat
from gammonrules.records.model import Match
from gammonrules.values import shown

__all__ = ["FORMATS", "LARGEST_RECORD", "dump", "dumps", "load", "loads", "lost_in_mat"]

LARGEST_RECORD: Final = 4 * 1024 * 1024
"""Bytes (or characters) of a record; a money session of two thousand games fits."""

_END_OF_FILE: Final = "\x1a"
"""Ctrl-Z, with which programs for DOS ended their texts."""

_TOO_LARGE: Final = f"the record is larger than {LARGEST_RECORD // 2**20} MiB, the limit"

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
        ParseError: no match and game in the text, NUL bytes, more than 4 MiB (`LARGEST_RECORD`), an unknown format, or
            no text at all. A file of another kind, such as `.xg`, SGF or a ZIP archive, is named as what it is.

    Examples:
        >>> loads("5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5").rolls
        1
    """
    _refuse_unknown(format)
    if not isinstance(text, (str, bytes)):
        raise ParseError(f"a record is a text or bytes, not {shown(text, 60)}")
    try:
        return read_mat(_checked(text))
    except ParseError:
        known = other_format(text)
        if known is None:
            raise
    raise ParseError(known)


def _refuse_unknown(format: object) -> None:  # noqa: A002
    """ParseError for a format that is not known here."""
    if not isinstance(format, str) or format not in FORMATS:  # an array would be equal to nothing and everything
        raise ParseError(f"there is no format {shown(format, 60)}; known is {', '.join(FORMATS)}")


def _checked(record: str | bytes) -> str:
    """The text of a record of reasonable size.

    Raises:
        ParseError: more than the limit, or no text.
    """
    if len(record) > LARGEST_RECORD:
        raise ParseError(_TOO_LARGE)
    text = _decoded(record) if isinstance(record, bytes) else record
    if "\0" in text:
        raise ParseError("the record holds NUL bytes: this is no text")
    return text.removeprefix("\ufeff").removesuffix(_END_OF_FILE)


def load(path: str | os.PathLike[str]) -> Match:
    """Read a record from a file.

    Args:
        path: a file of the Jellyfish text family; its name does not matter.

    Raises:
        OSError: the file cannot be opened or read.
        ParseError: as for `loads`, also for what is no ordinary file (a folder, a pipe) or no path; the message begins
            with the path.

    Examples:
        >>> match = load("examples/matches/galaxy/match1033650.txt")
        >>> match.players, match.length, match.score
        (('lasse', 'gitte'), 7, (7, 4))
        >>> load(".")
        Traceback (most recent call last):
        ...
        gammonrules.errors.ParseError: .: the record is no ordinary file
    """
    file = _path(path)
    try:
        return loads(_content(file))
    except ParseError as error:
        raise ParseError(f"{os.fspath(path)}: {error}") from None


def _path(path: object) -> Path:
    """The path of a file; ParseError for what can be none."""
    try:
        name = os.fspath(cast("str | os.PathLike[str]", path))
        if isinstance(name, str) and b"\0" not in os.fsencode(name):
            return Path(name)
    except (TypeError, UnicodeEncodeError):  # no path, or one that the system has no bytes for
        pass
    raise ParseError(f"{shown(path, 60)} is no path of a file")


def _content(path: Path) -> bytes:
    """The bytes of an ordinary file, no more than show that it is too large."""
    # A device may act when it is opened, so look first; what is opened may be another file by then, so look again.
    _must_be_ordinary(path.stat())
    with open(path, "rb", opener=_opened_without_waiting) as file:
        _must_be_ordinary(os.fstat(file.fileno()))
        content = cast("bytes | None", file.read(LARGEST_RECORD + 1))
    if content is None:
        raise ParseError("nothing can be read from it without waiting")
    return content


def _must_be_ordinary(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ParseError("the record is no ordinary file")


def _opened_without_waiting(path: str, flags: int) -> int:
    """Open a file, but do not wait for somebody to write into it, as a pipe would; Windows has no such flag."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def dumps(match: Match, format: str = "mat") -> str:  # noqa: A002
    r"""Write a record as text.

    The form of "mat" is canonical: single-die steps with a star at every hit, 25 for the bar and 0 for off, full
    points. Reading it gives the same boards, rolls, cubes, results and rules, and an equal match if the events are as
    a reader has them (seats named, plays as canonical texts), but for what the format cannot say. `lost_in_mat` names
    what that is in a certain record:

    - Offers to resign that were not accepted, and tied opening rolls, are left out.
    - The level of a resignation is the lowest that gives its points.
    - A forfeit is read back with the points that it gave, and with a finding (`Kind.FORFEIT`).
    - Options of the rules without effect in the form of play, such as Jacoby in a match, are not written.
    - Empty names, colons, control characters, blanks around names and the sign before a comment are replaced; a tag
      without a proper name is read as a comment.
    - A game that starts with another board than its rules say (`Rules.start`, which is written as the tag Variation) is
      read back as one that starts so, with a position set by hand after the opening roll or in its place.
    - A game without result whose end is stated is read back as resigned.
    - Points, a winner or "and the match" that a file stated otherwise than its games say are put right, and the
      findings about them are gone.

    A game whose record could not be followed to its end (`Game.cut`) is refused: the play that broke the rules would be
    missing, and the file would look clean. To write what could be followed, give such games `cut=False`.

    Raises:
        ParseError: an unknown format.
        GammonError: what would be read back as something else: rules without a tag in this format (another scoring or
            opening, automatic doubles, games without gammons or backgammons), a position set by hand where no play is
            due or after which nothing is rolled or doubled, a game that is cut, a last event that takes a beaver, a
            line that would be too long, more short games than a reader takes; also an event that the rules forbid, a
            record without games, and what is no `Match`.

    Examples:
        >>> record = dumps(loads("5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5"))
        >>> print(record.splitlines()[-1])
          1) 31: 8/5 6/5
    """
    if not isinstance(match, Match):
        raise GammonError(f"what can be written is a Match, not {shown(match, 60)}")
    _refuse_unknown(format)
    return write_mat(match)


def dump(match: Match, path: str | os.PathLike[str], format: str = "mat") -> None:  # noqa: A002
    r"""Write a record to a file, in UTF-8.

    Raises:
        OSError: the file cannot be written.
        ParseError: no path, or an unknown format.
        GammonError: as for `dumps`; nothing is written then.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> match = loads("5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5")
        >>> with TemporaryDirectory() as folder:
        ...     dump(match, f"{folder}/match.mat")
        ...     load(f"{folder}/match.mat") == match
        True
    """
    _path(path).write_bytes(dumps(match, format).encode("utf-8", "replace"))


def _decoded(data: bytes) -> str:
    """UTF-8, else Windows-1252; its five undefined bytes become replacement characters."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
