"""Ordinary files to read, or to add to; and files that are written as a whole: under a hidden name, renamed at the end.

So such a file is never incomplete, and an older one stays until then. A link is followed: the file that it leads to is
replaced. What a killed run has left is removed by the next one that writes the same file.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Final, cast

from attrs import frozen

from gammonrules.errors import ArgumentError, ParseError
from gammonrules.values import shown

fcntl: Any = None
with suppress(ImportError):  # Windows has no such locks, and does not delete a file that is open
    import fcntl

_END = ".unfinished"
_LONGEST_PART = 100
"""Bytes of a file's own name in its hidden one, which the system must take even if the own one is as long as can be."""


NOT_ORDINARY: Final = "this is not an ordinary file"
NOTHING_YET: Final = "nothing can be read from the file without waiting"


def path_text(path: object, expected: str = "a path") -> str:
    """The path of a file as text. Raises ArgumentError for anything else."""
    # not a path, or one that the system cannot encode
    with suppress(TypeError, UnicodeEncodeError):
        name = cast("object", os.fspath(cast("str | os.PathLike[str]", path)))
        if isinstance(name, str) and name and b"\0" not in os.fsencode(name):
            return name
    raise ArgumentError(f"expected {expected}, not {shown(path, 60)}")


@contextmanager
def ordinary_file(path: Path) -> Generator[IO[bytes]]:
    """An ordinary file, open to be read. Raises OSError if it cannot be opened, ParseError if it is something else."""
    # Opening a device may trigger something, so check first. By then the path may be another file, so check again.
    _must_be_ordinary(path.stat())
    with open(path, "rb", opener=_opened_without_waiting) as file:
        _must_be_ordinary(os.fstat(file.fileno()))
        yield file


def beginning(file: IO[bytes], most: int) -> bytes:
    """What a file begins with, at most so many bytes. Raises OSError, and ParseError if it has nothing to say yet."""
    content = cast("bytes | None", file.read(most))
    if content is None:  # as in /proc/kmsg
        raise ParseError(NOTHING_YET)
    return content


@contextmanager
def file_to_extend(path: str) -> Generator[IO[bytes]]:
    """An ordinary file to read and to add to, which is made if there is none. It is locked where the system can.

    Raises OSError if it cannot be opened, ParseError if it is something else, or another run adds to it.
    """
    with suppress(FileNotFoundError):
        # a link to nothing is none
        _must_be_ordinary(Path(path).stat(follow_symlinks=Path(path).exists()))
    with open(path, "ab+", opener=_opened_without_waiting) as file:
        _must_be_ordinary(os.fstat(file.fileno()))
        if not _is_locked(file.fileno()):
            raise ParseError("another run is writing to this file")
        yield file


@contextmanager
def errors_naming(path: str) -> Generator[None]:
    """A block whose errors of the system name this file: the name that the caller knows."""
    try:
        yield
    except OSError as error:
        error.filename = path
        raise


def _must_be_ordinary(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ParseError(NOT_ORDINARY)


def _opened_without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting for a writer, as opening a pipe would; Windows does not have this flag."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


_refusals: ContextVar[tuple[tuple[Path, Exception], ...]] = ContextVar("refusals", default=())


@contextmanager
def unless_there(path: Path, refusal: Exception) -> Generator[None]:
    """A block in which a file replaces no other, not even one that appears while it is written: this is raised."""
    token = _refusals.set((*_refusals.get(), (path, refusal)))
    try:
        yield
    finally:
        _refusals.reset(token)


@frozen(eq=False)
class NewFile:
    """A file that is being written."""

    target: Path
    hidden: Path
    file: IO[bytes]

    def finish(self) -> None:
        """Write it to the end. Raises OSError if that cannot be done."""
        self.file.flush()
        os.fsync(self.file.fileno())

    def put_in_place(self) -> None:
        """Give it its name. Raises OSError if it cannot be written to the end or not be renamed; see `unless_there`."""
        self.finish()
        self.give_name()

    def give_name(self) -> None:
        """The second half of `put_in_place`."""
        if fcntl is None:
            self.file.close()  # Windows renames no open file; elsewhere it is locked until it has its name
        refusals = (
            refusal
            for path, refusal in _refusals.get()
            if Path(os.path.realpath(path)) == self.target
        )
        if (refusal := next(refusals, None)) is None:
            self.hidden.replace(self.target)
        else:
            self._put_where_nothing_is(refusal)
        self.file.close()

    def _put_where_nothing_is(self, refusal: Exception) -> None:
        try:
            os.link(self.hidden, self.target)  # `discard` removes the hidden name
        except OSError:  # or a file system without such links
            if os.path.lexists(self.target):
                raise refusal from None
            self.hidden.rename(self.target)

    def discard(self) -> None:
        """Delete it, or its hidden name, unless it was renamed."""
        with suppress(OSError):  # unwritten data does not matter
            self.file.close()
        with suppress(OSError):  # it has its name
            self.hidden.unlink()


@contextmanager
def new_file(path: str) -> Generator[NewFile]:
    """A file to write; unless it is put in place within the block, nothing is left of it.

    Raises OSError if it cannot be made or must not replace the old one, ArgumentError if that is no ordinary file.
    """
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    begin = f".{os.fsencode(target.name)[:_LONGEST_PART].decode('utf-8', 'ignore')}."
    for name in _unfinished_in(target.parent):
        if re.fullmatch(f"{re.escape(begin)}[0-9a-f]{{16}}{_END}", name):
            _remove_abandoned(target.with_name(name))
    new = None
    while new is None:
        # A random name, so that nobody can put something else there before.
        new = _created(target, target.with_name(begin + secrets.token_hex(8) + _END), mode)
    try:
        yield new
    finally:
        new.discard()


def put_in_place(*files: NewFile) -> None:
    """Give several files their names, or none of them, unless one has replaced another by then."""
    for new in files:
        new.finish()
    with ExitStack() as undoing:
        for new in files:
            is_there = os.path.lexists(new.target)
            new.give_name()
            if not is_there:
                undoing.callback(new.target.unlink, missing_ok=True)
        undoing.pop_all()


def utf8(content: str | bytes) -> bytes:
    """A text as the bytes of a file; bytes as they are."""
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def write_whole(path: str, content: bytes) -> None:
    """Write a file. Raises OSError and ArgumentError as `new_file`."""
    with errors_naming(path), new_file(path) as new:
        new.file.write(content)
        new.put_in_place()


def _mode_of(target: Path) -> int | None:
    """The permissions of the file to replace; None if there is none."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise ArgumentError(
            f"{shown(str(target))} is not an ordinary file, so no file can replace it"
        )
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    return mode & 0o777


def _created(target: Path, hidden: Path, mode: int | None) -> NewFile | None:
    """The new file, locked while it is written; None if another run has just removed it as abandoned."""
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    # With the usual permissions, not those of a private temporary file.
    with errors_naming(str(target)):
        descriptor = os.open(hidden, flags, 0o666 if mode is None else mode)
    new = NewFile(target, hidden, os.fdopen(descriptor, "wb", buffering=1 << 20))
    try:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)
        if _is_locked(descriptor) and os.fstat(descriptor).st_nlink:
            return new
    except BaseException:
        new.discard()
        raise
    new.discard()
    return None


def _is_locked(descriptor: int) -> bool:
    """Lock an open file, which shows other runs that this one lives. False if one of them has locked it."""
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks: nobody can lock it, so nobody removes it
            pass
    return True


@lru_cache(maxsize=1_000)
def _unfinished_in(folder: Path) -> tuple[str, ...]:
    """The unfinished files in a folder, listed once: this process may write many files there."""
    with suppress(OSError):  # if files cannot be made there either, that says why
        return tuple(path.name for path in folder.iterdir() if path.name.endswith(_END))
    return ()


def _remove_abandoned(path: Path) -> None:
    """Delete an unfinished file, unless a run still writes it."""
    with suppress(OSError):  # somebody does, or it is not ours to delete
        if not stat.S_ISREG(path.lstat().st_mode):
            return
        if fcntl is None:
            path.unlink()
            return
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            # exclusive, NFS would want it open for writing
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            path.unlink()
        finally:
            os.close(descriptor)
