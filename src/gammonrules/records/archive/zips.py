"""Records in ZIP files, as they are often downloaded. Nothing is ever unpacked to disk.

These files come from strangers, so everything is bounded before work begins: the list of the members, and what a
member may inflate to, in bytes and against its packed size.
"""

from __future__ import annotations

import os
import struct
import threading
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from attrs import define

from gammonrules.errors import ParseError
from gammonrules.records.formats import LARGEST_FILE

SIGNS: Final = (b"PK\x03\x04", b"PK\x05\x06")
"""What a ZIP file begins with; an empty one begins with the second."""

MOST_MEMBERS: Final = 250_000
"""The most files in a ZIP file."""

LARGEST_LIST: Final = 32 * 1024 * 1024
"""The most bytes of the list of its members."""

MOST_INFLATED: Final = 200
"""How many times its packed size a member may have; records have five to ten times, and deflate cannot exceed 1,032."""

_SMALL: Final = 1024 * 1024
"""Up to here, the ratio does not matter."""

_METHODS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED, _UTF_8 = 0x1, 0x800
_BROKEN = (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError, ValueError, struct.error)
"""What Python's reader raises for files that are damaged."""


def is_zip(path: str) -> bool:
    """Whether an ordinary file begins like a ZIP file. Raises OSError if it cannot be read."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        return os.read(number, 4) in SIGNS
    finally:
        os.close(number)


def members(path: str) -> Iterator[tuple[int, str, str | None]]:
    """Number and name of each file in a ZIP file, in its order, and why it cannot be read, if that is known already.

    Folders and hidden files are left out.

    Raises:
        OSError: the file cannot be read.
        ParseError: it is damaged, or has too many members.
    """
    with Path(path).open("rb") as file:
        yield from _listed(_opened(file))


def member_of(path: str, number: int) -> bytes:
    """The content of a member; if it is too large, only enough to show that.

    Raises:
        OSError: the file cannot be read.
        ParseError: the ZIP file or this member cannot be read.
    """
    archive = _kept.archive(path)
    if number >= len(archive.filelist):
        raise ParseError("the ZIP file was changed while it was read")
    return _inflated(archive, archive.filelist[number])


def contents(file: IO[bytes]) -> Iterator[bytes | ParseError]:
    """The content of each member that is neither a folder nor hidden, or why it cannot be read.

    Raises:
        ParseError: the ZIP file is damaged, or has too many members.
    """
    archive = _opened(file)
    for number, _, _ in _listed(archive):
        try:
            yield _inflated(archive, archive.filelist[number])
        except ParseError as error:
            yield error


@define
class _Kept:
    """The ZIP file that was read last in this thread: its list need not be read again for each member."""

    path: str = ""
    status: tuple[int, ...] = ()
    file: IO[bytes] | None = None
    opened: zipfile.ZipFile | None = None

    def archive(self, path: str) -> zipfile.ZipFile:
        """The ZIP file at this path."""
        status = Path(path).stat()
        now = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
        if self.opened is None or (self.path, self.status) != (path, now):
            self.close()
            file = Path(path).open("rb")  # noqa: SIM115 - it stays open for the next member
            try:
                self.opened = _opened(file)
            except BaseException:
                file.close()
                raise
            self.path, self.status, self.file = path, now, file
        return self.opened

    def close(self) -> None:
        """Forget it."""
        if self.file is not None:
            self.file.close()
        self.file = self.opened = None


class _KeptByThread(threading.local):
    """`ZipFile` may not be shared by threads."""

    def __init__(self) -> None:
        self.kept = _Kept()

    def archive(self, path: str) -> zipfile.ZipFile:
        return self.kept.archive(path)

    def close(self) -> None:
        self.kept.close()


_kept = _KeptByThread()


def forget() -> None:
    """Close the ZIP file that this thread has kept open."""
    _kept.close()


def _opened(file: IO[bytes]) -> zipfile.ZipFile:
    """The ZIP file, with its list of members. Raises ParseError if it is damaged or the list is too long."""
    _check_size_of_list(file)
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as error:
        raise ParseError(f"this ZIP archive is damaged or cut short: {error!s:.100}") from None
    if len(archive.filelist) > MOST_MEMBERS:
        raise ParseError(f"this ZIP archive has more than {MOST_MEMBERS:,} files, the limit")
    # Members that overlap are how a small file inflates to petabytes.
    if sum(info.compress_size for info in archive.filelist) > file.seek(0, os.SEEK_END):
        raise ParseError("this ZIP archive is damaged: the files in it are larger than the archive")
    return archive


_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")


def _check_size_of_list(file: IO[bytes]) -> None:
    """Raise ParseError if the list of members is too long: Python's reader would take it whole into memory."""
    size = file.seek(0, os.SEEK_END)
    tail_at = max(0, size - 65_536 - _END.size - _LOCATOR.size)
    file.seek(tail_at)
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise ParseError("this ZIP archive is damaged or cut short: the list of its files is missing")
    length: int = _END.unpack_from(tail, at)[5]
    before = at - _LOCATOR.size
    if before >= 0 and tail[before : before + 4] == b"PK\x06\x07":
        file.seek(min(_LOCATOR.unpack_from(tail, before)[2], size))
        end = file.read(_END_64.size)
        if len(end) == _END_64.size and end[:4] == b"PK\x06\x06":
            length = _END_64.unpack(end)[8]
    if length > LARGEST_LIST:
        raise ParseError(f"this ZIP archive has a list of files larger than {LARGEST_LIST // 2**20} MiB, the limit")


def _listed(archive: zipfile.ZipFile) -> Iterator[tuple[int, str, str | None]]:
    for number, info in enumerate(archive.filelist):
        name = _name(info)
        if not name.endswith(("/", "\\")) and not _is_hidden(name):  # `is_dir` fails for an empty name in Python 3.11
            yield number, name, _why_not(info)


def _name(info: zipfile.ZipInfo) -> str:
    """The name of a member. Many programs write UTF-8 without saying so."""
    if not info.flag_bits & _UTF_8:
        try:
            return info.filename.encode("cp437").decode("utf-8")
        except ValueError:
            pass
    return info.filename


def _is_hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] == "__MACOSX" or any(part[:1] == "." and part.strip(".") for part in parts)


def _why_not(info: zipfile.ZipInfo) -> str | None:
    """Why a member cannot be read, as far as the list shows."""
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted in its ZIP archive: unpack it with its password"
    if info.compress_type not in _METHODS:
        return "its ZIP archive uses a compression method other than deflate: unpack it"
    return None


def _inflated(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The content of a member, no more than just beyond the largest record."""
    error = _why_not(info)
    if error is not None:
        raise ParseError(error)
    largest = min(LARGEST_FILE, max(_SMALL, MOST_INFLATED * info.compress_size))
    try:
        with archive.open(info) as member:
            content = member.read(largest + 1)
    except _BROKEN as error:
        raise ParseError(f"it is damaged in its ZIP archive: {error!s:.100}") from None
    if len(content) > largest and largest < LARGEST_FILE:
        raise ParseError(
            f"it inflates to more than {MOST_INFLATED} times its size in its ZIP archive, which no record does"
        )
    if content[:4] in SIGNS:
        raise ParseError("this is a ZIP archive inside another one: unpack the outer one first")
    return content
