"""Raw streams may write a part of what they are given, and nobody asks how much: here they write it all."""

from __future__ import annotations

import errno
import io
import os
from typing import Any, TypeGuard


class _Unbuffered(io.RawIOBase):
    """Writes to a raw stream at once, as often as it takes."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw

    @property
    def name(self) -> Any:
        """The name of the stream, such as "<stdout>", if it has one."""
        return self._raw.name

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def write(self, content: Any, /) -> int:
        """Write all of it. Raises OSError if that cannot be done."""
        rest = memoryview(content).cast("B")
        length = len(rest)
        while rest:
            written = self._raw.write(rest)
            if not written:  # None if it would have to wait, which it was told not to do
                raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
            rest = rest[written:]
        return length


def _may_write_less(stream: object) -> TypeGuard[io.RawIOBase]:
    """Whether it is raw, and none of ours."""
    return isinstance(stream, io.RawIOBase) and not isinstance(stream, _Unbuffered)


def without_short_writes(stream: Any) -> Any:
    """A stream, binary or text; if what it writes may be cut short in silence, one in its place that writes it all.

    Raw are streams that were opened with `buffering=0`, and standard output where PYTHONUNBUFFERED is set. In the place
    of a text stream, line endings are the usual ones of the system, since it does not tell which its own are.
    """
    if _may_write_less(stream):
        return _Unbuffered(stream)
    if isinstance(stream, io.TextIOWrapper) and _may_write_less(stream.buffer):
        stream.flush()
        whole = _Unbuffered(stream.buffer)
        return io.TextIOWrapper(whole, stream.encoding, stream.errors, write_through=True)
    return stream
