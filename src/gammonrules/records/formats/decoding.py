"""The bytes of a record: how they are decompressed and decoded, and doubts about their encoding."""

from __future__ import annotations

import re
from importlib import import_module
from io import BytesIO

from gammonrules.errors import ArgumentError, ParseError
from gammonrules.records.transcript import MAX_QUOTE_LENGTH, Finding, FindingKind, Severity, quoted
from gammonrules.values import shown

_IMPLAUSIBLE = re.compile(
    "[\N{REPLACEMENT CHARACTER}\N{LATIN SMALL LETTER F WITH HOOK}\N{MODIFIER LETTER CIRCUMFLEX ACCENT}\N{SMALL TILDE}]"
    "|\N{SINGLE LOW-9 QUOTATION MARK}[^\x00-\x7f]"
    r"|[^\W\d_A-Za-z]{4}"
    r"|[^\W\d_][\xa2-\xa9\xac-\xb9\xbc-\xbe][^\W\d_]"
)
"""What names and remarks of western languages hardly have: bytes without a meaning, rare signs, four letters with
accents in a row, a sign between two letters."""


def text_decoded(data: bytes) -> str:
    """Decode UTF-8, or else Windows-1252, whose five undefined bytes become replacement characters."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def decoded_as(record: str | bytes, encoding: object) -> str:
    """Decode bytes. Raises ArgumentError for an unknown encoding or a string, and ParseError if they are in another."""
    if not isinstance(encoding, str):
        raise ArgumentError(
            f"encoding must be the name of one, such as 'shift_jis', not {shown(encoding, 60)}"
        )
    if isinstance(record, str):
        raise ArgumentError(
            f"encoding={shown(encoding, 60)} is for bytes, and this record is a string"
        )
    try:
        return record.decode(encoding)
    except UnicodeDecodeError as error:
        line = record.count(b"\n", 0, error.start) + 1
        raise ParseError(
            f"the record is not in the encoding {shown(encoding, 60)}: see line {line}"
        ) from None
    except (LookupError, ValueError):
        raise ArgumentError(f"there is no encoding {shown(encoding, 60)} of texts") from None


def doubt_about_encoding(record: str | bytes) -> Finding | None:
    """A finding about bytes that are not UTF-8, and hardly Windows-1252; nothing for others."""
    if isinstance(record, str) or is_utf8(record):
        return None
    text = text_decoded(record)
    strange = _IMPLAUSIBLE.search(text)
    if strange is None:
        return None
    start_of_line = text.rfind("\n", 0, strange.start()) + 1
    line = text[start_of_line : start_of_line + MAX_QUOTE_LENGTH].partition("\n")[0]
    note = "the text is neither UTF-8 nor, it seems, Windows-1252, so names may be garbled unless its encoding is said"
    return Finding(
        Severity.WARNING,
        kind=FindingKind.UNREADABLE_LINE,
        game=None,
        row=None,
        text=quoted(line),
        explanation=note,
        line=text.count("\n", 0, strange.start()) + 1,
    )


def is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


_SIGN = b"\x28\xb5\x2f\xfd"


def unpacked(content: bytes, limit: int) -> bytes:
    """The content that a compressed one unpacks to; any other as it is, and in an older Python this one too.

    Of more than `limit` bytes there is one more, so that the caller sees that they are too many. Raises ParseError
    if it is damaged.
    """
    if not content.startswith(_SIGN):
        return content
    try:
        zstd = import_module("compression.zstd")
    except ImportError:  # before Python 3.14
        return content
    try:
        with zstd.ZstdFile(BytesIO(content)) as file:
            return bytes(file.read(limit + 1))
    except (zstd.ZstdError, EOFError) as error:
        raise ParseError(
            f"this is compressed with Zstandard, and damaged or cut short: {error}"
        ) from None
