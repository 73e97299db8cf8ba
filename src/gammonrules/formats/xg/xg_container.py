"""The container: a header with a picture, then an archive of compressed files, described by an index and a trailer.

The trailer is at the end of the file and says how long the archive and its index are. If it is missing or wrong,
the archive is read from where the header ends, as far as it goes; each contradiction is a defect, and a file that
would inflate beyond the limit is refused.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from struct import Struct
from typing import Final

from attrs import Factory, define, frozen

from gammonrules.errors import ParseError

MAGIC: Final = b"RGMH"
HEADER_SIZE: Final = 8232
LARGEST_CONTENT: Final = 64 * 1024 * 1024
"""The most bytes of all files of an archive together, inflated."""
MOST_FILES: Final = 16
"""The most files of an archive; the program writes up to four."""

MATCH: Final = "temp.xg"
ROLLOUTS: Final = "temp.xgr"
COMMENTS: Final = "temp.xgc"
_WANTED: Final = (MATCH, ROLLOUTS, COMMENTS)

_THUMBNAIL = Struct("<12xqI")
_TRAILER = Struct("<6I12x")
_ENTRY = Struct("<256s256s4IBB2x")
_ZLIB, _STORED = 0, 1


@frozen
class Container:
    """The contents of a file."""

    files: Mapping[str, bytes]
    """The content of the files that are needed, by name."""
    defects: tuple[str, ...]
    """What is wrong with the file: for each defect one sentence, without a period."""


@define
class _Unpacking:
    """The state of unpacking: how much may still be inflated, and what was wrong so far."""

    left: int = LARGEST_CONTENT
    defects: list[str] = Factory(list[str])

    def inflate(self, data: bytes, name: str) -> bytes:
        """Inflate as much as there is. Raises ParseError beyond the limit."""
        stream = zlib.decompressobj()
        try:
            content = stream.decompress(data, self.left + 1)  # a limit of 0 would mean none
        except zlib.error:
            self.defects.append(f"{name} is damaged: it can be unpacked only in part")
            content = _up_to_the_damage(data, self.left + 1)
        else:
            if not stream.eof and len(content) <= self.left:
                self.defects.append(f"{name} is cut short")
        if len(content) > self.left:
            raise ParseError(f"the file inflates to more than {LARGEST_CONTENT // 2**20} MiB, the limit")
        self.left -= len(content)
        return content


def _up_to_the_damage(data: bytes, most: int) -> bytes:
    """What can be inflated before the first damage, in pieces of some hundred bytes."""
    stream, content = zlib.decompressobj(), bytearray()
    with suppress(zlib.error):
        for start in range(0, len(data), 256):
            content += stream.decompress(data[start : start + 256], most - len(content))
            if len(content) == most:
                break
    return bytes(content)


def is_container(content: bytes) -> bool:
    """Whether a file begins like those of eXtreme Gammon."""
    return content.startswith(MAGIC) and b"\0" in content[len(MAGIC) : 12]  # a text may begin with these letters


def unpack(content: bytes) -> Container:
    """The files in a container. Raises ParseError if it ends before the match, or inflates beyond the limit."""
    if len(content) < HEADER_SIZE:
        raise ParseError("this eXtreme Gammon file is cut short: even its header is incomplete")
    work = _Unpacking()
    _, size = _THUMBNAIL.unpack_from(content)
    start = HEADER_SIZE + size
    found = _archive(content, work)
    if found is None or (found.start != start and not found.is_sound):
        return Container(_without_trailer(content, start, work), tuple(work.defects))
    if found.start != start:
        surplus = f"{abs(found.start - start)} bytes {'too many' if found.start > start else 'missing'}"
        work.defects.append(f"{surplus} between header and archive; perhaps these are two files in one")
    return Container(_files(found.data, found.entries, work), tuple(work.defects))


@frozen
class _Archive:
    """The archive, as the trailer describes it."""

    start: int
    data: bytes
    entries: list[bytes]
    """The entries of its index."""
    is_sound: bool
    """Whether its checksum is right."""


def _archive(content: bytes, work: _Unpacking) -> _Archive | None:
    """The archive before the trailer; None if there is no trailer."""
    if len(content) < HEADER_SIZE + _TRAILER.size:
        return None
    crc, count, _, index_size, data_size, is_compressed = _TRAILER.unpack_from(content, len(content) - _TRAILER.size)
    end = len(content) - _TRAILER.size
    start = end - index_size - data_size
    if start < HEADER_SIZE or not 1 <= count <= MOST_FILES:
        return None
    data, index = content[start : end - index_size], content[end - index_size : end]
    is_sound = zlib.crc32(index, zlib.crc32(data)) == crc
    if not is_sound:
        work.defects.append("the checksum of the file is wrong, so something in it was changed or damaged")
    if is_compressed:
        index = _inflated_index(index)
    if len(index) != count * _ENTRY.size:
        work.defects.append("the index of the archive is damaged")
        return None
    entries = [index[at : at + _ENTRY.size] for at in range(0, len(index), _ENTRY.size)]
    return _Archive(start, data, entries, is_sound)


def _inflated_index(index: bytes) -> bytes:
    """The index of the archive, empty if it is damaged."""
    try:
        return zlib.decompressobj().decompress(index, (MOST_FILES + 1) * _ENTRY.size)
    except zlib.error:
        return b""


def _without_trailer(content: bytes, start: int, work: _Unpacking) -> dict[str, bytes]:
    """The first file of an archive without its trailer, always the match. Raises ParseError if it is not there."""
    work.defects.append("the file is cut short, or its end is damaged: comments and rollouts may be missing")
    data = content[start:]
    if start > len(content) or len(data) < 2 or data[0] & 0x0F != 8 or int.from_bytes(data[:2], "big") % 31:
        raise ParseError("this eXtreme Gammon file is cut short or damaged: its match is missing")
    return {MATCH: work.inflate(data, MATCH)}


def _files(data: bytes, entries: list[bytes], work: _Unpacking) -> dict[str, bytes]:
    """The files that are needed. Raises ParseError if they inflate beyond the limit."""
    files: dict[str, bytes] = {}
    taken: list[tuple[int, int]] = []
    for entry in entries:
        name, original, stored, start, crc, method = _described(entry)
        if stored and any(start < end and begin < start + stored for begin, end in taken):
            work.defects.append("files of the archive overlap")
        taken.append((start, start + stored))
        if name not in _WANTED:
            continue
        if name in files:
            work.defects.append(f"{name} is in the archive twice; the first one is read")
            continue
        files[name] = _content(data[start : start + stored], name, method, work)
        work.defects.extend(_doubts(files[name], name, original, crc, is_whole=start + stored <= len(data)))
    return files


def _described(entry: bytes) -> tuple[str, int, int, int, int, int]:
    """Name, original size, stored size, start, checksum and method of a file."""
    name, _, original, stored, start, crc, method, _ = _ENTRY.unpack(entry)
    return name[1 : 1 + name[0]].decode("latin-1").lower(), original, stored, start, crc, method


def _content(stored: bytes, name: str, method: int, work: _Unpacking) -> bytes:
    if method == _STORED:
        content = stored[: work.left]
        work.left -= len(content)
        return content
    if method != _ZLIB:
        work.defects.append(f"{name} is compressed by an unknown method ({method})")
        return b""
    return work.inflate(stored, name)


def _doubts(content: bytes, name: str, original: int, crc: int, *, is_whole: bool) -> Iterator[str]:
    """Where the index is wrong about a file."""
    if not is_whole:
        yield f"{name} goes on beyond the end of the archive"
    if len(content) != original:
        yield f"{name} has {len(content)} bytes, not the {original} that the index states"
    elif zlib.crc32(content) != crc:
        yield f"the checksum of {name} is wrong, so something in it was changed or damaged"
