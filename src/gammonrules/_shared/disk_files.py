"""Ordinary files to read, or to add to; and files that are written as a whole: under a hidden name, renamed at the end.

So such a file is never incomplete, and an older one stays until then. A link is followed: the file that it leads to is
replaced.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, cast

from attrs import frozen

from gammonrules.errors import ArgumentError, ParseError
from gammonrules.values import shown

fcntl: Any = None
with suppress(ImportError):  # Windows has no such locks
    import fcntl

NOT_ORDINARY: Final = "this is not an ordinary file"
NOTHING_YET: Final = "nothing can be read from the file without waiting"


def path_text(path: Any, expected: str = "a path") -> str:
    """The path of a file as text. Raises ArgumentError for anything else."""
    # TypeError: this is no path; UnicodeEncodeError: the system cannot encode it
    with suppress(TypeError, UnicodeEncodeError):
        # the method of a caller's class may return anything, whatever type checkers say
        name = cast("object", os.fspath(path))
        if isinstance(name, str) and name and b"\0" not in os.fsencode(name):
            return name
    raise ArgumentError(f"expected {expected}, not {shown(path, 60)}")


# --- files to read, or to add to --------------------------------------------------------------------------------------


@contextmanager
def ordinary_file(path: Path) -> Generator[IO[bytes]]:
    """An ordinary file, open to be read. Raises OSError if it cannot be opened, ParseError if it is something else."""
    # Opening a device may trigger something, so check first. By then the path may be another file, so check again.
    _must_be_ordinary(path.stat())
    with open(path, "rb", opener=_opened_without_waiting) as file:
        _must_be_ordinary(os.fstat(file.fileno()))
        yield file


def beginning(file: IO[bytes], limit: int) -> bytes:
    """The first bytes of a file, at most so many. Raises OSError, and ParseError if it has nothing to say yet."""
    # type checkers do not know that a file which is read without waiting may answer None, as /proc/kmsg does
    content = cast("bytes | None", file.read(limit))
    if content is None:
        raise ParseError(NOTHING_YET)
    return content


@contextmanager
def file_to_extend(path: str) -> Generator[IO[bytes]]:
    """An ordinary file to read and to add to, which is made if there is none. It is locked where the system can.

    Raises OSError if it cannot be opened, ParseError if it is something else, or another run adds to it.
    """
    with suppress(FileNotFoundError):
        leads_somewhere = Path(path).exists()
        # a link that leads nowhere is looked at itself, and refused
        _must_be_ordinary(Path(path).stat(follow_symlinks=leads_somewhere))
    with open(path, "ab+", opener=_opened_without_waiting) as file:
        _must_be_ordinary(os.fstat(file.fileno()))
        _lock(file)
        yield file


@contextmanager
def errors_naming(path: str) -> Generator[None]:
    """A block whose errors of the system name this file: the name that the caller knows."""
    try:
        yield
    except OSError as error:
        error.filename = path
        raise


def _lock(file: IO[bytes]) -> None:
    """Lock an open file until it is closed. Raises ParseError if another run has locked it."""
    if fcntl is None:
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ParseError("another run is writing to this file") from None
    except OSError:  # a file system without locks
        pass


def _must_be_ordinary(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise ParseError(NOT_ORDINARY)


def _opened_without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting for a writer, as opening a pipe would; Windows does not have this flag."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


# --- files that are written as a whole --------------------------------------------------------------------------------


@frozen(eq=False)
class _Protection:
    """That no file replaces the one at a path."""

    path: Path
    error: Exception
    may_replace: Callable[[], bool]


_protections: ContextVar[tuple[_Protection, ...]] = ContextVar("protections", default=())


@contextmanager
def unless_there(
    path: Path, error: Exception, may_replace: Callable[[], bool] = lambda: False
) -> Generator[None]:
    """A block in which a file replaces no other, not even one that appears meanwhile: `error` is raised instead.

    `may_replace`: whether the file that has appeared may be replaced.
    """
    token = _protections.set((*_protections.get(), _Protection(path, error, may_replace)))
    try:
        yield
    finally:
        _protections.reset(token)


@frozen(eq=False)
class NewFile:
    """A file that is being written under a hidden name."""

    target: Path
    hidden: Path
    file: IO[bytes]
    protection: _Protection | None
    """What applies if something is there already; None to replace it."""

    def finish(self) -> None:
        """Write it to the end. Raises OSError if that cannot be done."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def give_name(self) -> None:
        """Give it its name, once it is finished. Raises OSError if that cannot be done; see `unless_there`."""
        if self.protection is None:
            self.hidden.replace(self.target)
            return
        try:
            # unlike a renamed file, a link never replaces one; `discard` removes the hidden name
            os.link(self.hidden, self.target)
        except OSError:  # something is there, or the file system has no such links
            if not os.path.lexists(self.target):
                self.hidden.rename(self.target)
            elif self.protection.may_replace():
                self.hidden.replace(self.target)
            else:
                raise self.protection.error from None

    def put_in_place(self) -> None:
        """Finish it and give it its name. Raises as both."""
        self.finish()
        self.give_name()

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
    protection = _protection_of(target)
    permissions = _permissions_of(target)
    # a random name, so that nobody can put something else there before
    hidden = target.with_name(f".gammonrules-{os.urandom(8).hex()}.unfinished")
    # a new file has the usual permissions, not those of a private temporary file
    opener = partial(os.open, mode=0o666 if permissions is None else permissions)
    with errors_naming(str(target)):
        file = open(hidden, "xb", buffering=1 << 20, opener=opener)  # noqa: SIM115 - `discard` closes it
    new = NewFile(target, hidden, file, protection)
    try:
        if permissions is not None and hasattr(os, "fchmod"):
            os.fchmod(file.fileno(), permissions)
        yield new
    finally:
        new.discard()


def put_in_place(*files: NewFile) -> None:
    """Give several files their names. If one of them fails, those before it are deleted that have replaced nothing."""
    for new in files:
        new.finish()
    with ExitStack() as undoing:
        for new in files:
            replaces_another = os.path.lexists(new.target)
            new.give_name()
            if not replaces_another:
                undoing.callback(new.target.unlink, missing_ok=True)
        undoing.pop_all()  # all have their names, so nothing is undone


def utf8(content: str | bytes) -> bytes:
    """A text as the bytes of a file; bytes as they are."""
    return content if isinstance(content, bytes) else content.encode("utf-8", "replace")


def write_whole(path: str, content: bytes) -> None:
    """Write a file. Raises OSError and ArgumentError as `new_file`."""
    with errors_naming(path), new_file(path) as new:
        new.file.write(content)
        new.put_in_place()


def _protection_of(target: Path) -> _Protection | None:
    """What the innermost `unless_there` for this file has, or None."""
    protection: _Protection | None = None
    for protection_of_block in _protections.get():
        if os.path.realpath(protection_of_block.path) == str(target):
            protection = protection_of_block
    return protection


def _permissions_of(target: Path) -> int | None:
    """The permissions of the file that is replaced; None if there is none."""
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
