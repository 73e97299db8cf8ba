"""Files that are compressed with Zstandard (`.zst`), which Python can unpack from 3.14 on."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO

from gammonrules.errors import ParseError

_SIGN = b"\x28\xb5\x2f\xfd"


def unpacked(content: bytes, most: int) -> bytes:
    """What is in such a file, up to one byte beyond this limit; the content as it is otherwise, or in an older Python.

    Raises ParseError if it is damaged.
    """
    if not content.startswith(_SIGN):
        return content
    try:
        zstd = import_module("compression.zstd")
    except ImportError:
        return content
    try:
        with zstd.ZstdFile(BytesIO(content)) as file:
            return bytes(file.read(most + 1))
    except (zstd.ZstdError, EOFError) as error:
        raise ParseError(
            f"this is compressed with Zstandard, and damaged or cut short: {error}"
        ) from None
