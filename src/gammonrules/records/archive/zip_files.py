"""Records in ZIP files, as they are often downloaded. Nothing is ever unpacked to disk.

These files come from strangers: everything is bounded before work begins, and a bad entry spoils no other.
"""
# `zipfile` refuses a whole archive for one extra field that claims too many bytes, as devices write and 7-Zip reads.

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import IO, Final, NamedTuple

import attrs
from attrs import frozen

from gammonrules.errors import ParseError
from gammonrules.records.formats import MAX_FILE_SIZE, ReadFormat, read, too_large
from gammonrules.records.transcript import Match

_SIGN_OF_MEMBER: Final = b"PK\x03\x04"
_SIGN_IN_LIST: Final = b"PK\x01\x02"
_SIGN_OF_END: Final = b"PK\x05\x06"
_SIGN_OF_END_64: Final = b"PK\x06\x06"
_SIGN_OF_LOCATOR: Final = b"PK\x06\x07"
ZIP_SIGNS: Final = (_SIGN_OF_MEMBER, _SIGN_OF_END)
"""What a ZIP file begins with; an empty one begins with the second."""

MAX_MEMBERS: Final = 250_000
"""The most files in a ZIP file."""

MAX_LIST_SIZE: Final = 32 * 1024 * 1024
"""The most bytes of the list of its members."""

MAX_INFLATED: Final = 200
"""How many times as large as packed a member may be; records are five to ten times, deflate reaches 1,032."""

_SMALL: Final = 1024 * 1024
"""Up to here, the ratio does not matter."""

_LOCAL: Final = struct.Struct("<4s22x2H")
"""Before a member: sign, lengths of its name and of the extra field, which follow."""
_ENTRY: Final = struct.Struct("<4s4x2H4x3L4H6xL")
"""In the list: sign, flags, method, checksum, both sizes; lengths of name, extra field, comment; part, offset."""
_END: Final = struct.Struct("<4s2H4x2LH")
"""After it: sign, this part of a split file and the one with the list, its length and offset, length of a comment."""
_END_64: Final = struct.Struct("<4s12x2L16x2Q")
"""Before that, in large files: the same in more bytes, without the comment."""
_LOCATOR: Final = struct.Struct("<4s16x")
"""Between the two."""
_TAIL: Final = _END_64.size + _LOCATOR.size + _END.size + 0xFFFF
"""How far these reach from the end of the file, with the longest comment."""

_STORED = 0
_DEFLATED = 8
_ENCRYPTED = 0x2041
_PATCHED = 0x20
_IN_EXTRA = 0xFFFFFFFF
"""A number that stands in the extra field, in more bytes."""
_EXTRA_HEAD: Final = struct.Struct("<2H")
"""Before each item of an extra field: its tag and its length."""
_TAG_OF_LARGE_NUMBERS: Final = 1


class ProgramFileError(ParseError):
    """A ZIP file that is the file of a program, such as a deck of cards, rather than an archive of records."""


@frozen
class Member:
    """A file in a ZIP file, as the list describes it."""

    at: int
    packed: int
    """How many bytes it has there."""
    size: int
    crc: int
    method: int

    @property
    def end(self) -> int:
        """Where it ends at the earliest: its name, which comes first, may be empty there."""
        return self.at + _LOCAL.size + self.packed


@frozen
class ListedMember:
    """A file in a ZIP file with its name, and why it cannot be read, if the list shows it."""

    name: str
    member: Member
    error: str | None


def listed_members(file: IO[bytes]) -> Iterator[ListedMember]:
    """The files in a ZIP file.

    Folders and hidden files are left out. Raises OSError if the file cannot be read, ParseError if it is no whole ZIP
    file or has too many files, ProgramFileError for a file of a program. If the list is damaged in its middle, the
    files before come first.
    """
    entries = _list_in(file)
    listed, is_whole = _members_in_list(entries)
    program_file = _program_file_of({entry.name for entry in listed})
    if program_file is not None:
        raise ProgramFileError(f"this is {program_file}, not a record")
    readable = {index: entry.member for index, entry in enumerate(listed) if entry.error is None}
    # Members that overlap are how a small file inflates to petabytes; a few bytes may be a mistake in one of them.
    # So they are refused if all together are larger than what stands before the list, where they must fit.
    packed_in_all = sum(member.packed for member in readable.values())
    overlapping = frozenset[int]()
    if packed_in_all > entries.start:
        overlapping = _overlapping(readable)
    for index, entry in enumerate(listed):
        if index in overlapping:
            yield attrs.evolve(entry, error="it overlaps another file in its ZIP archive")
        else:
            yield entry
    if not is_whole:
        raise ParseError(
            "this ZIP archive is damaged in the list of its files, so some of them may be missing"
        )


_PROGRAM_FILES: Final = {
    "collection.anki2": "a deck of cards for Anki",
    "collection.anki21": "a deck of cards for Anki",
    "[Content_Types].xml": "a document of Microsoft Office",
    "mimetype": "a document or a book",
    "META-INF/MANIFEST.MF": "a program in Java",
}
"""What a ZIP file is in which there is a file of this name, other than an archive of anybody's files."""


def _program_file_of(names: set[str]) -> str | None:
    if names and all(name.endswith(".npy") for name in names):
        return "a file of arrays for NumPy"
    for name, words in _PROGRAM_FILES.items():
        if name in names:
            return words
    return None


def content_of_member(file: IO[bytes], member: Member) -> bytes:
    """The content of a member that `listed_members` gave without an error. ParseError if it is damaged or a ZIP."""
    try:
        file.seek(member.at)
        sign, length_of_name, length_of_extra = _LOCAL.unpack(file.read(_LOCAL.size))
        file.seek(length_of_name + length_of_extra, os.SEEK_CUR)
        content = file.read(member.packed)
        if member.method == _DEFLATED:
            inflated_at_most = member.size + 1  # one more shows that the list is wrong
            # below 0: without the head and the end of a zlib stream
            inflater = zlib.decompressobj(-zlib.MAX_WBITS)
            content = inflater.decompress(content, inflated_at_most)
    except (struct.error, zlib.error) as error:
        raise ParseError(f"it is damaged in its ZIP archive: {error}") from None
    is_as_listed = len(content) == member.size and zlib.crc32(content) == member.crc
    if sign != _SIGN_OF_MEMBER or not is_as_listed:
        raise ParseError(
            "it is damaged in its ZIP archive: the list of files there says something else of it"
        )
    if content.startswith(ZIP_SIGNS):
        raise ParseError("this is a ZIP archive inside another one: unpack the outer one first")
    return content


@frozen
class _MemberList:
    """The list of the members of a ZIP file."""

    content: bytes
    start: int
    """Where it begins."""
    prefix: int
    """How many bytes stand before the ZIP file itself."""


def _list_in(file: IO[bytes]) -> _MemberList:
    """Raises ParseError if there is none or if it is too long."""
    tail_at = max(0, file.seek(0, os.SEEK_END) - _TAIL)
    file.seek(tail_at)
    tail = file.read(_TAIL)
    at = _last_record_in(tail)
    if at < 0:
        raise ParseError(
            "this ZIP archive is damaged or cut short: the list of its files is missing"
        )
    _, part, part_with_list, length, offset, _ = _END.unpack_from(tail, at)
    # in a large file, the same in more bytes stands before, and between the two a locator
    locator_at = at - _LOCATOR.size
    large_at = locator_at - _END_64.size
    has_locator = large_at >= 0 and tail.startswith(_SIGN_OF_LOCATOR, locator_at)
    if has_locator and tail.startswith(_SIGN_OF_END_64, large_at):
        at = large_at
        _, part, part_with_list, length, offset = _END_64.unpack_from(tail, at)
    if part or part_with_list:
        raise ParseError("this is one part of a ZIP archive that was split: join the parts first")
    if length > MAX_LIST_SIZE:
        raise ParseError(
            f"this ZIP archive has a list of files larger than {MAX_LIST_SIZE // 2**20} MiB, the limit"
        )
    end_of_list = tail_at + at  # where the last record begins
    start = end_of_list - length
    if start < offset:
        raise ParseError(
            "this ZIP archive is damaged or cut short: the list of its files is missing"
        )
    file.seek(start)
    return _MemberList(file.read(length), start, prefix=start - offset)


def _last_record_in(tail: bytes) -> int:
    """Where the last record begins, -1 without one. A comment may contain its sign, but only one comment ends there."""
    starts: list[int] = []
    starts_of_whole: list[int] = []
    last_start = len(tail) - _END.size
    for sign in re.finditer(_SIGN_OF_END, tail):
        start = sign.start()
        if start > last_start:
            break
        starts.append(start)
        *_, length_of_comment = _END.unpack_from(tail, start)
        if start + _END.size + length_of_comment == len(tail):
            starts_of_whole.append(start)
    if starts_of_whole:
        return max(starts_of_whole)
    return max(starts, default=-1)  # other bytes follow the file, or its comment is cut short


class _ListEntry(NamedTuple):
    """The numbers of a member in the list, as `_ENTRY` unpacks them."""

    sign: bytes
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    length_of_name: int
    length_of_extra: int
    length_of_comment: int
    part: int
    """In which part of a split file it is."""
    offset: int


def _members_in_list(entries: _MemberList) -> tuple[list[ListedMember], bool]:
    """What is in the list, and whether it is whole. Raises ParseError if there are too many files."""
    listed: list[ListedMember] = []
    data = entries.content
    at = 0
    while at < len(data):
        if not data.startswith(_SIGN_IN_LIST, at) or len(data) - at < _ENTRY.size:
            return listed, False
        entry = _ListEntry(*_ENTRY.unpack_from(data, at))
        name_at = at + _ENTRY.size
        extra_at = name_at + entry.length_of_name
        comment_at = extra_at + entry.length_of_extra
        at = comment_at + entry.length_of_comment  # the next entry
        name = _name(data[name_at:extra_at])
        if name.endswith(("/", "\\")) or _is_hidden(name):
            continue
        if len(listed) == MAX_MEMBERS:
            raise ParseError(f"this ZIP archive has more than {MAX_MEMBERS:,} files, the limit")
        size = entry.size
        packed = entry.packed
        offset = entry.offset
        if _IN_EXTRA in (size, packed, offset):
            extra = data[extra_at:comment_at]
            size, packed, offset = _in_64_bits(extra, size, packed, offset)
        member = Member(
            entries.prefix + offset, packed=packed, size=size, crc=entry.crc, method=entry.method
        )
        are_numbers_known = min(size, packed, offset) >= 0  # -1 is missing
        is_in_first_part = entry.part == 0
        ends_before_list = member.end <= entries.start
        error: str | None = _NOT_THERE
        if are_numbers_known and is_in_first_part and ends_before_list:
            error = _why_unreadable(member, entry.flags)
        listed.append(ListedMember(name, member, error))
    is_whole = at == len(data)  # else the last entry says that it is longer
    return listed, is_whole


_NOT_THERE = "it is not in its ZIP archive, where the list of files there says"


def _in_64_bits(extra: bytes, *numbers: int) -> list[int]:
    """The numbers, those too large for 32 bits from the extra field, or -1 if they are missing there."""
    # only the numbers that are too large stand there, in this order
    values = iter(_large_numbers(extra))
    return [next(values, -1) if number == _IN_EXTRA else number for number in numbers]


def _large_numbers(extra: bytes) -> tuple[int, ...]:
    """The numbers of 64 bits in an extra field, as many as are whole."""
    at = 0
    while at + _EXTRA_HEAD.size <= len(extra):
        tag, length = _EXTRA_HEAD.unpack_from(extra, at)
        at += _EXTRA_HEAD.size
        if tag == _TAG_OF_LARGE_NUMBERS:
            bytes_there = min(length, len(extra) - at)
            whole_numbers = bytes_there // 8
            return struct.unpack_from(f"<{whole_numbers}Q", extra, at)
        at += length
    return ()


def _overlapping(members: dict[int, Member]) -> frozenset[int]:
    """The members that overlap others, as few as possible: of two, the one that ends last."""
    overlapping: set[int] = set()
    end_of_others = 0
    for index, member in sorted(members.items(), key=lambda item: item[1].end):
        if member.at < end_of_others:
            overlapping.add(index)
        else:
            end_of_others = member.end
    return frozenset(overlapping)


def _name(name: bytes) -> str:
    """The name of a member. Many programs write UTF-8 without saying so."""
    try:
        text = name.decode("utf-8")
    except ValueError:
        text = name.decode("cp437")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _is_hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    if parts[0] == "__MACOSX":
        return True
    # ".." and "." are no names
    return any(part.startswith(".") and part.strip(".") for part in parts)


def _why_unreadable(member: Member, flags: int) -> str | None:
    """Why a member cannot be read, as far as the list shows."""
    if flags & _ENCRYPTED:
        return "it is encrypted in its ZIP archive: unpack it with its password"
    if member.method not in {_STORED, _DEFLATED} or flags & _PATCHED:
        return "its ZIP archive uses a compression method other than deflate: unpack it"
    if member.size > max(_SMALL, MAX_INFLATED * member.packed):
        return f"it inflates to more than {MAX_INFLATED} times its size in its ZIP archive, which no record does"
    # what cannot be packed takes a little more packed than as it is
    if member.size > MAX_FILE_SIZE or member.packed > MAX_FILE_SIZE + _SMALL:
        return str(too_large(MAX_FILE_SIZE))
    return None


def only_record(file: IO[bytes], format: ReadFormat | None, encoding: str | None = None) -> Match:
    """The record in a ZIP file. Raises ParseError if there is none, or several."""
    matches: list[Match] = []
    errors: list[str] = []
    for listed in islice(listed_members(file), _MAX_TRIED):
        if listed.error:
            errors.append(listed.error)
            continue
        try:
            matches.append(read(content_of_member(file, listed.member), format, encoding))
        except ParseError as error:
            errors.append(str(error))
        if len(matches) > 1:
            raise ParseError(_SEVERAL)
    if matches:
        return matches[0]
    if len(errors) == 1:
        raise ParseError(f"in this ZIP archive: {errors[0]}")
    if len(errors) == _MAX_TRIED:  # there may be more files, with records among them
        raise ParseError(_SEVERAL)
    raise ParseError("this ZIP archive has no record in it")


_MAX_TRIED = 100
"""How many files of a ZIP file are looked at for its only record."""
_SEVERAL = (
    "this ZIP archive has several files in it, not just one record: records.scan reads them one by one, and so "
    "does gammonrules convert if OUT is a folder that exists"
)
