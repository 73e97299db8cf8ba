"""The formats: how each is recognized by its content, never by its name, and who reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, TypeVar

from attrs import frozen

from gammonrules.errors import ArgumentError, ParseError
from gammonrules.records.formats.json_documents import is_json, lost_in_json, read_json, write_json
from gammonrules.records.formats.mat.mat_reader import read_mat
from gammonrules.records.formats.mat.round_trip import lost_in_mat, write_mat
from gammonrules.records.formats.mat.sheet import LIKE_A_LINE, MATCH_LINE
from gammonrules.records.formats.sgf.round_trip import lost_in_sgf, write_sgf
from gammonrules.records.formats.sgf.sgf_reader import LARGEST_SGF, is_sgf, read_sgf
from gammonrules.records.formats.texts.bgblitz_text import (
    begins_bgblitz_text,
    is_bgblitz_text,
    read_bgblitz_text,
    read_bgblitz_texts,
)
from gammonrules.records.formats.texts.gnubg_sheet import begins_gnubg_text, is_gnubg_text
from gammonrules.records.formats.texts.gnubg_text import read_gnubg_text, read_gnubg_texts
from gammonrules.records.formats.texts.xg_text import XGID_LINE, is_xg_text, read_xg_text, read_xg_texts
from gammonrules.records.formats.unsupported_formats import other_format
from gammonrules.records.formats.xg.xg_container import is_container
from gammonrules.records.formats.xg.xg_reader import read_xg
from gammonrules.records.model import Match
from gammonrules.values import one_of, plain_str, plain_text, shown

ReadFormat: TypeAlias = Literal["xg", "json", "sgf", "gnubg-text", "bgblitz-text", "xg-text", "mat"]
WrittenFormat: TypeAlias = Literal["mat", "sgf", "json"]

LARGEST_RECORD: Final = 4 * 1024 * 1024
"""The most characters of a record in the format "mat"; a money session of two thousand games fits."""

LARGEST_FILE: Final = 32 * 1024 * 1024
"""The most bytes of any record file; each format has limits of its own below it."""

_END_OF_FILE: Final = "\x1a"
"""Ctrl-Z, which DOS programs wrote at the end of text files."""


_T = TypeVar("_T")


@frozen
class Reader:
    """A format that can be read."""

    name: str
    recognizes: Callable[[Any], bool]
    """Whether a record is in this format: its bytes for a binary one, else its text. It reads only a little of it."""
    read: Callable[[Any], Match]
    """Read a record. Raises ParseError for one with no match at all, or several."""
    is_binary: bool = False
    largest: int = LARGEST_RECORD
    """The most bytes or characters."""
    has_sign: bool = True
    """Whether its files can be recognized even if they cannot be read."""
    read_all: Callable[[Any], tuple[Match, ...]] | None = None
    """Read all matches of a file, if it may hold several."""
    begins: Callable[[str], object] | None = None
    """Whether a line is one with which its texts begin; None for a format that is recognized by its beginning."""
    like: re.Pattern[str] = re.compile(r"[0-9]|\|[ XO]{18}\|")
    """What lines of its texts have: a number or half a board. In records four in five lines do, in prose one."""


@frozen
class Writer:
    """A format that can be written, as text."""

    name: WrittenFormat
    write: Callable[[Match], str]
    lost: Callable[[Match], tuple[str, ...]]
    """The names of the parts that the text leaves out."""
    suffixes: tuple[str, ...]


READERS: Final[tuple[Reader, ...]] = (
    Reader("xg", is_container, read_xg, is_binary=True, largest=LARGEST_FILE),
    Reader("json", is_json, read_json, largest=LARGEST_FILE),
    Reader("sgf", is_sgf, read_sgf, largest=LARGEST_SGF),
    Reader(
        *("gnubg-text", is_gnubg_text, read_gnubg_text),
        largest=LARGEST_FILE,
        read_all=read_gnubg_texts,
        begins=begins_gnubg_text,
    ),
    # Before the next one, since there are XGIDs in them.
    Reader(
        *("bgblitz-text", is_bgblitz_text, read_bgblitz_text),
        read_all=read_bgblitz_texts,
        begins=begins_bgblitz_text,
    ),
    Reader("xg-text", is_xg_text, read_xg_text, read_all=read_xg_texts, begins=XGID_LINE.match),
    # At the end, since its texts have no sign at their beginning.
    Reader("mat", lambda _: True, read_mat, has_sign=False, begins=MATCH_LINE.fullmatch, like=LIKE_A_LINE),
)
"""In the order in which they are tried."""

WRITERS: Final[Mapping[str, Writer]] = {
    "mat": Writer("mat", write_mat, lost_in_mat, (".mat", ".txt")),
    "sgf": Writer("sgf", write_sgf, lost_in_sgf, (".sgf",)),
    "json": Writer("json", write_json, lost_in_json, (".json",)),
}


def writer_named(format: object) -> Writer:  # noqa: A002
    """The writer of a format. Raises ArgumentError for an unknown one."""
    name = plain_text(format) or ""
    if name in WRITERS:
        return WRITERS[name]
    raise ArgumentError(f"there is no format {shown(format, 60)} to write, only {one_of(list(WRITERS))}")


def lost_in(match: Match, format: WrittenFormat) -> tuple[str, ...]:  # noqa: A002
    """The parts of a record that its text in this format would leave out or change.

    Args:
        match: the record.
        format: the format, as for `dumps`: "mat", of which `lost_in_mat` says more, or another.

    Returns:
        Names of fields: `rules.jacoby` for an option of the rules, `games[0].events` for a field of a game, with the
        index in `match.games`, and `games[2].findings.capped-points` for a kind of finding that appears or disappears.
        In JSON nothing is lost.

    Raises:
        ArgumentError: `match` is not a `Match`, or there is no such format.
        GammonError: `dumps` refuses the record; the message gives the reason.

    Examples:
        >>> from gammonrules.records import load
        >>> match = load("examples/matches/galaxy/match1033650.txt")
        >>> lost_in(match, "mat"), lost_in(match, "json")
        ((), ())
    """
    writer = writer_named(format)
    if not isinstance(match, Match):
        raise ArgumentError(f"match must be a Match, not {shown(match, 60)}")
    return writer.lost(match)


def read(record: str | bytes, format: object = None) -> Match:  # noqa: A002
    """Read a record in this format, or in the one that its content shows.

    Raises:
        ArgumentError: there is no such format.
        ParseError: the record cannot be read.
    """
    reader, content = _chosen(record, format)
    return _read(record, content, reader, reader.read, is_named=format is not None)


def read_all(record: str | bytes, format: object = None) -> tuple[Match, ...]:  # noqa: A002
    """Read all matches of a record, which may be one; the errors are those of `read`."""
    reader, content = _chosen(record, format)
    if reader.read_all is None:
        return (_read(record, content, reader, reader.read, is_named=format is not None),)
    return _read(record, content, reader, reader.read_all, is_named=format is not None)


def _read(
    record: str | bytes, content: str | bytes, reader: Reader, read_content: Callable[[Any], _T], *, is_named: bool
) -> _T:
    """What a reader makes of a record, within its limit."""
    if len(content) > reader.largest:
        raise ParseError(f"the record is larger than {reader.largest // 2**20} MiB, the limit")
    if not content or content.isspace():
        raise ParseError("the record is empty")
    try:
        found = read_content(content)
    except ParseError:
        known = other_format(record)
        if known is None:
            raise
    else:
        mere_line = None if is_named else _mere_line(reader, content)
        if mere_line is None:
            return found
        known = other_format(record) or (
            f"this is not a record: the line {shown(mere_line, 60)} looks like one, but most other lines do not"
        )
    raise ParseError(known)


def _mere_line(reader: Reader, content: str | bytes) -> str | None:
    """The line that looks like this format in a text that is something else, such as a manual; None for a record."""
    if reader.begins is None or isinstance(content, bytes) or reader.begins(_first_line(content)):
        return None
    lines = [line[:_LONGEST_LINE] for line in _LINE_END.split(content) if not _SAYS_NOTHING.match(line)]
    beginnings = [number for number, line in enumerate(lines) if reader.begins(line)]
    # a second match is not read where a file holds only one
    end = beginnings[1] if reader.read_all is None and len(beginnings) > 1 else None
    if 2 * sum(reader.like.search(line) is not None for line in lines[:end]) > len(lines):
        return None
    return lines[beginnings[0]].strip() if beginnings else ""


def _first_line(text: str) -> str:
    """The first line that is neither blank nor a comment."""
    lines = _LINE_END.split(text[:_ENOUGH])
    return next((line for line in lines if not _COMMENT.match(line)), "")


_LINE_END: Final = re.compile(r"\r\n?|\n")
_LONGEST_LINE: Final = 400
_COMMENT: Final = re.compile(r"\s{0,200}(?:$|;|#[^\s#]|#\s{0,20}\[)")
"""A blank line, or a comment or tag of a match text."""
_SAYS_NOTHING: Final = re.compile(r"[>\s]{0,200}$|\s{0,200}#{1,6}\s{1,20}[^\s\[]")
"""A blank line, also as a mail quotes it, and "# Title": a comment, or a heading of Markdown."""


def seems_to_be(content: bytes) -> str | None:
    """The format that an unreadable file seems to have; None if there is no sign of one."""
    head = content[:_ENOUGH]
    text = _decoded(head).removeprefix("\ufeff")
    for reader in READERS:
        if reader.has_sign and reader.recognizes(head if reader.is_binary else text):
            whole = head if reader.is_binary else _decoded(content).removeprefix("\ufeff")
            return reader.name if _mere_line(reader, whole) is None else None
    return None


_ENOUGH: Final = 65_536


def _chosen(record: str | bytes, format: object) -> tuple[Reader, str | bytes]:  # noqa: A002
    """The reader of a record, and what it reads."""
    names, name = [reader.name for reader in READERS], plain_text(format)
    if format is not None and name not in names:
        raise ArgumentError(f"there is no format {shown(format, 60)}, only {one_of(names)}")
    if isinstance(record, bytes):
        for reader in READERS:
            if reader.is_binary and (name == reader.name or (format is None and reader.recognizes(record))):
                return reader, record
    if len(record) > LARGEST_FILE:
        raise ParseError(f"the record is larger than {LARGEST_FILE // 2**20} MiB, the limit")
    text = text_of(record)
    for reader in READERS:
        if not reader.is_binary and (name == reader.name or (format is None and reader.recognizes(text))):
            return reader, text
    raise ParseError(f"a record in the format {shown(format)} must be bytes, not a string")


def text_of(record: str | bytes) -> str:
    """The text of a record. Raises ParseError if it is not text."""
    text = _decoded(record) if isinstance(record, bytes) else plain_str(record)
    if "\0" in text:
        raise ParseError(other_format(record) or "the record contains NUL bytes, so it is not a text file")
    return text.removeprefix("\ufeff").removesuffix(_END_OF_FILE)


def _decoded(data: bytes) -> str:
    """Decode UTF-8, or else Windows-1252, whose five undefined bytes become replacement characters."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
