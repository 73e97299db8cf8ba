"""Files that are compressed with Zstandard (`.zst`), which Python can unpack from 3.14 on."""

from __future__ import annotations

from importlib import import_module
from io import BytesIO

from gammonrules.errors import ParseError

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
