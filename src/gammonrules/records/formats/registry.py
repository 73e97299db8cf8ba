"""The formats: how each is recognized by its content, never by its name, and who reads and writes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import attrs
from attrs import frozen

from gammonrules._shared.checked_fields import check_kind
from gammonrules.board import Position
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import MatchState
from gammonrules.records.formats.bgf.bgf_reader import is_bgf, read_bgf
from gammonrules.records.formats.decoding import (
    decoded_as,
    doubt_about_encoding,
    text_decoded,
    unpacked,
)
from gammonrules.records.formats.json_documents import (
    has_saved_json,
    is_json,
    is_other_json,
    read_json,
    read_saved_json,
    why_not_match,
    write_json,
)
from gammonrules.records.formats.mat.mat_reader import read_mats, read_parts
from gammonrules.records.formats.mat.mat_writer import write_mat
from gammonrules.records.formats.mat.sheet import LIKE_A_LINE, MATCH_LINE
from gammonrules.records.formats.ogxm.ogxm_reader import is_ogxm
from gammonrules.records.formats.ogxm.ogxm_stream import read_ogxms
from gammonrules.records.formats.ogxm.ogxm_writer import write_ogxm
from gammonrules.records.formats.pasted_texts import XGID_LINE, as_written, without_fences
from gammonrules.records.formats.round_trip import (
    Write,
    Written,
    with_games_shortened,
    write_and_read_back,
)
from gammonrules.records.formats.sgf.sgf_reader import MAX_SGF_SIZE, is_sgf, read_sgfs
from gammonrules.records.formats.sgf.sgf_writer import write_sgf
from gammonrules.records.formats.texts.bgblitz_text import (
    begins_bgblitz_text,
    is_bgblitz_text,
    read_bgblitz_texts,
)
from gammonrules.records.formats.texts.gnubg_sheet import begins_gnubg_text, is_gnubg_text
from gammonrules.records.formats.texts.gnubg_text import read_gnubg_texts
from gammonrules.records.formats.texts.xg_text import is_xg_text, read_xg_texts
from gammonrules.records.formats.unsupported_formats import copied_from, other_format
from gammonrules.records.formats.xg.xg_container import is_container
from gammonrules.records.formats.xg.xg_reader import read_xg
from gammonrules.records.transcript import Match, brief_name
from gammonrules.values import choice_argument, shown

ReadFormat: TypeAlias = Literal[
    "xg", "bgf", "ogxm", "json", "sgf", "gnubg-text", "bgblitz-text", "xg-text", "mat"
]
WrittenText: TypeAlias = Literal["mat", "sgf", "json"]
WrittenBytes: TypeAlias = Literal["ogxm"]
WrittenFormat: TypeAlias = WrittenText | WrittenBytes

MAX_RECORD_SIZE: Final = 4 * 1024 * 1024
"""The most characters of a record in the format "mat"; a money session of two thousand games fits."""
MAX_FILE_SIZE: Final = 32 * 1024 * 1024
"""The most bytes of any record file; each format has limits of its own below it."""
_MARKS_OF_ENCODING: Final = "\N{ZERO WIDTH NO-BREAK SPACE}\N{ZERO WIDTH SPACE}"
_END_OF_FILE: Final = "\x1a"
"""Ctrl-Z, which DOS programs wrote at the end of text files."""


@frozen
class RecordFormat:
    name: str
    recognizes: Callable[[Any], bool]
    """Whether a record is in this format: its bytes for a binary one, else its text. It reads only a little of it."""
    read: Callable[[Any], Match | tuple[Match, ...]]
    """Read a record: all its matches, if it may have several. Raises ParseError for one with no match at all."""
    largest: int = MAX_RECORD_SIZE
    """The most bytes or characters."""
    suffixes: tuple[str, ...] = (".txt",)
    """Of its files, the usual one first; to write, they name the format. What a file holds is never taken from it."""
    is_binary: bool = False
    write: Write | None = None
    is_exact: bool = False
    """Whether what is written keeps everything, so that it need not be read back."""
    has_sign: bool = True
    """Whether its files can be recognized even if they cannot be read."""
    read_named: Callable[[Any], tuple[Match, ...]] | None = None
    """Read a part of a record, which is recognized only if its format is named."""
    begins: Callable[[str], object] | None = None
    """Whether a line is one with which its texts begin; None for a format that is recognized by its beginning."""
    like: re.Pattern[str] = re.compile(
        r"[0-9]|\|[ XO]{18}\||^[\s>^v]{0,20}\|[ XO]{1,18}\|(?:BAR| {0,3})\|[ XO]{1,18}\|"
    )
    """What lines of its texts have: a number, or half a board, or a whole one whose runs of blanks became one blank.

    In records four in five lines do, in prose one.
    """

    def written(self, match: Match, *, shorten: bool = False) -> Written:
        """A record in this format; with `shorten`, without the rest of games that it cannot hold.

        Raises:
            GammonError: it cannot be written.
        """
        write = self.write
        assert write is not None  # of a writer
        if self.is_exact:
            return Written(write(match, []), match, match)
        try:
            return write_and_read_back(match, write, self.read)
        except GammonError:
            if not shorten:
                raise
        shortened = with_games_shortened(match, write, self.read)
        return write_and_read_back(shortened, write, self.read)


READERS: Final[tuple[RecordFormat, ...]] = (
    RecordFormat(
        "xg",
        recognizes=is_container,
        read=read_xg,
        largest=MAX_FILE_SIZE,
        suffixes=(".xg", ".xgp"),
        is_binary=True,
    ),
    RecordFormat(
        "bgf",
        recognizes=is_bgf,
        read=read_bgf,
        largest=MAX_FILE_SIZE,
        suffixes=(".bgf",),
        is_binary=True,
    ),
    RecordFormat(
        "ogxm",
        recognizes=is_ogxm,
        read=read_ogxms,
        largest=MAX_FILE_SIZE,
        suffixes=(".ogxm", ".ogxms"),
        is_binary=True,
        write=write_ogxm,
    ),
    RecordFormat(
        "json",
        recognizes=is_json,
        read=read_json,
        largest=MAX_FILE_SIZE,
        suffixes=(".json",),
        write=write_json,
        is_exact=True,
    ),
    RecordFormat(
        "sgf",
        recognizes=is_sgf,
        read=read_sgfs,
        largest=MAX_SGF_SIZE,
        suffixes=(".sgf",),
        write=write_sgf,
    ),
    RecordFormat(
        "gnubg-text",
        recognizes=is_gnubg_text,
        read=read_gnubg_texts,
        largest=MAX_FILE_SIZE,
        begins=begins_gnubg_text,
    ),
    # Before the next one, since there are XGIDs in them.
    RecordFormat("bgblitz-text", is_bgblitz_text, read_bgblitz_texts, begins=begins_bgblitz_text),
    RecordFormat("xg-text", is_xg_text, read_xg_texts, begins=XGID_LINE.match),
    # At the end, since its texts have no sign at their beginning.
    RecordFormat(
        "mat",
        lambda _: True,
        read_mats,
        suffixes=(".mat", ".txt"),
        write=write_mat,
        has_sign=False,
        read_named=read_parts,
        begins=MATCH_LINE.fullmatch,
        like=LIKE_A_LINE,
    ),
)
"""In the order in which they are tried."""

_BY_NAME = {reader.name: reader for reader in READERS}
WRITERS: Final[Mapping[str, RecordFormat]] = {
    name: _BY_NAME[name] for name in ("mat", "sgf", "ogxm", "json")
}
SUFFIXES: Final = frozenset(chain.from_iterable(reader.suffixes for reader in READERS))
"""Of all records; any other belongs to the name."""


def writer_for(path: Path) -> RecordFormat | None:
    """The writer of the format that the suffix of a path names; None if it names none."""
    suffix = path.suffix.lower()
    return next((writer for writer in WRITERS.values() if suffix in writer.suffixes), None)


def read(record: str | bytes, format: object = None, encoding: object = None) -> Match:
    """Read a record in this format, or in the one that its content shows. Raises ArgumentError and ParseError."""
    return read_all(record, format, encoding, only=True)[0]


def read_all(
    record: str | bytes, format: object = None, encoding: object = None, *, only: bool = False
) -> tuple[Match, ...]:
    """Read all matches of a record; the errors are those of `read`.

    `only`: whether several matches are an error.
    """
    if isinstance(record, bytes):
        record = unpacked(record, MAX_FILE_SIZE)
    readers, content = _readers_for(record, format, encoding)
    if len(content) > readers[0].largest:
        if isinstance(content, str) and is_other_json(content):
            raise ParseError(why_not_match(content))
        raise too_large(readers[0].largest)
    if not content or content.isspace():
        raise ParseError("the record is empty")
    matches, reader = _first_read(readers, record, content, is_named=format is not None)
    if only and len(matches) > 1:
        raise _several(matches, "file" if reader.is_binary else "text")
    is_encoding_certain = encoding is not None or reader.is_binary
    if is_encoding_certain:
        return matches
    doubt = doubt_about_encoding(record)
    if doubt is None:
        return matches
    return tuple(attrs.evolve(match, findings=(doubt, *match.findings)) for match in matches)


def read_saved_record(
    record: bytes, encoding: object = None
) -> Match | MatchState | Position | None:
    """What a program has saved as JSON, as by `read_saved_json`, which raises ParseError; None of any other record."""
    try:
        text = text_of(unpacked(record, MAX_FILE_SIZE), encoding)
    except ParseError:
        return None
    return read_saved_json(text) if has_saved_json(text) else None


def _first_read(
    readers: Sequence[RecordFormat], record: str | bytes, content: str | bytes, *, is_named: bool
) -> tuple[tuple[Match, ...], RecordFormat]:
    """The matches that a reader finds, and that reader: the first one that finds any.

    Raises ParseError if none does: what the record is otherwise, or else what the first reader says.
    """
    errors: list[ParseError] = []
    for reader in readers:
        try:
            read_matches = _read_by(reader, content, is_named=is_named)
        except ParseError as error:
            errors.append(error)
            continue
        matches = read_matches if isinstance(read_matches, tuple) else (read_matches,)
        mere_line = None
        if not is_named:  # else the caller knows that it is a record
            mere_line = _mere_line(reader, content)
        if mere_line is None:
            return matches, reader
        note = f"the line {shown(mere_line, 60)} looks like one, but most other lines do not"
        errors.append(ParseError(f"this is not a record: {note}"))
    refusal = other_format(record)
    if refusal is None and isinstance(content, str):
        refusal = why_not_match(content) if is_other_json(content) else copied_from(content)
    if refusal is not None:
        raise ParseError(refusal)
    raise errors[0]


def _read_by(
    reader: RecordFormat, content: str | bytes, *, is_named: bool
) -> Match | tuple[Match, ...]:
    if isinstance(content, str) and reader.begins is not None:
        content = without_fences(content)
    if is_named and reader.read_named is not None:
        return reader.read_named(content)
    return reader.read(content)


def too_large(limit: int) -> ParseError:
    return ParseError(f"the record is larger than {limit // 2**20} MiB, the limit")


def _several(matches: Sequence[Match], what: str) -> ParseError:
    first, second = map(_match_words, matches[:2])
    note = f"the {what} holds {len(matches)} matches, and a record holds one: the first is {first}, the second {second}"
    return ParseError(
        f"{note}; records.loads_all and gammonrules convert, to a folder that exists, take them all"
    )


def _match_words(match: Match) -> str:
    names = [brief_name(name) or "a player without a name" for name in match.players]
    play = "money play" if match.length is None else f"to {match.length}"
    words = f"{' against '.join(names)}, {play}"
    line = match.games[0].line if match.games else None
    return words if line is None else f"{words}, on line {line}"


def _mere_line(reader: RecordFormat, content: str | bytes) -> str | None:
    """The line that looks like this format in a text that is something else, such as a manual; None for a record."""
    if reader.begins is None or isinstance(content, bytes):
        return None
    if reader.begins(_first_line(content[:_ENOUGH])):
        return None
    lines = [
        line[:_MAX_LINE_LENGTH] for line in content.split("\n") if not _SAYS_NOTHING.match(line)
    ]
    lines_like_a_record = [line for line in lines if reader.like.search(line)]
    are_most_like_a_record = len(lines_like_a_record) > len(lines) / 2
    if are_most_like_a_record:
        return None
    for line in lines:
        if reader.begins(line):
            return line.strip()
    return ""  # it is none of the lines that were looked at


def _first_line(text: str) -> str:
    """The first line that is neither blank nor a comment."""
    return next((line for line in text.split("\n") if not _COMMENT.match(line)), "")


_ENOUGH: Final = 65_536
_MAX_LINE_LENGTH: Final = 400
_COMMENT: Final = re.compile(r"\s{0,200}(?:$|;|#[^\s#]|#\s{0,20}\[)")
"""A blank line, or a comment or tag of a match text."""
_SAYS_NOTHING: Final = re.compile(r"[>\s]{0,200}$|\s{0,200}#{1,6}\s{1,20}[^\s\[]")
"""A blank line, also as a mail quotes it, and "# Title": a comment, or a heading of Markdown."""


def seems_to_be(content: bytes) -> str | None:
    """The format that an unreadable file seems to have; None if there is no sign of one."""
    with suppress(ParseError):
        content = unpacked(content, MAX_FILE_SIZE)
    head = content[:_ENOUGH]
    text = _text_in(text_decoded(head))
    for reader in READERS:
        if not reader.has_sign:
            continue
        if reader.is_binary:
            if reader.recognizes(head):
                return reader.name
        elif reader.recognizes(text):
            whole = _text_in(text_decoded(content))
            return reader.name if _mere_line(reader, whole) is None else None
    return None


def _readers_for(
    record: str | bytes, format: object, encoding: object
) -> tuple[Sequence[RecordFormat], str | bytes]:
    """The readers to be tried in turn, and the bytes or the text that they read.

    The first is the one whose format is named, or else shows. Those of other texts follow if it may be one of these.
    """
    name: str | None = None
    if format is not None:
        name = choice_argument("format", format, [reader.name for reader in READERS])
    if isinstance(record, bytes):
        for reader in READERS:
            if reader.is_binary and _is_meant(reader, name, record):
                return [reader], record
    if len(record) > MAX_FILE_SIZE:
        raise too_large(MAX_FILE_SIZE)
    text = text_of(record, encoding)
    for reader in READERS:
        if not reader.is_binary and _is_meant(reader, name, text):
            readers = [reader]
            may_be_another_text = name is None and reader in _TEXTS
            if may_be_another_text:
                readers += [other for other in _TEXTS if other is not reader]
            return readers, text
    # the reader of "mat" recognizes any text, so a binary format is named
    raise ParseError(f"a record in the format {shown(format)} must be bytes, not a string")


def _is_meant(reader: RecordFormat, name: str | None, content: str | bytes) -> bool:
    """Whether this reader has the name, or without a name, recognizes the content."""
    return reader.recognizes(content) if name is None else reader.name == name


_TEXTS: Final = tuple(reader for reader in READERS if reader.begins is not None)
"""The readers of texts that may begin with something else, such as the line of another format."""


def text_of(record: str | bytes, encoding: object = None) -> str:
    """The text of a record. Raises ParseError if it is not text, or not in this encoding, and ArgumentError."""
    if encoding is not None:
        record = decoded_as(record, encoding)
    text = text_decoded(record) if isinstance(record, bytes) else record
    if "\0" in text:
        raise ParseError(
            other_format(record) or "the record contains NUL bytes, so it is not a text file"
        )
    return _text_in(text.removesuffix(_END_OF_FILE))


def _text_in(decoded: str) -> str:
    """A text as a program has written it, whatever happened to it since."""
    text = decoded.lstrip(_MARKS_OF_ENCODING)
    if is_json(text) or is_sgf(text):
        return text
    return as_written(text)


def written_record(match: Match, format: object, *, shorten: bool = False) -> Written:
    """A record in this format, as by `RecordFormat.written`. Raises ArgumentError, too."""
    check_kind("shorten", shorten, bool)
    return _writer_named(match, format).written(match, shorten=shorten)


def parts_lost_in(match: Match, format: object) -> tuple[str, ...]:
    """The parts of a record that a format cannot hold: of some games the rest, or ("match",). Raises ArgumentError."""
    writer = _writer_named(match, format)
    try:
        return tuple(writer.written(match, shorten=True).lost_of(match))
    except GammonError:
        return ("match",)


def _writer_named(match: Match, format: object) -> RecordFormat:
    writer = WRITERS[choice_argument("the format to write", format, [*WRITERS])]
    check_kind("match", match, Match)
    return writer
