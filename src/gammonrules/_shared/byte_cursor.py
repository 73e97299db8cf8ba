"""A place in bytes that a stranger has made, for readers of OGXM and of Parquet, which write numbers alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import define

from gammonrules.errors import ParseError

_MAX_BITS = 70
"""Of a number; a longer one is larger than any that is allowed."""


@define
class Cursor:
    """A place in bytes; nothing is read beyond their end."""

    data: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        start = self.at
        self.at += count
        if self.at > len(self.data):
            raise ParseError("it is cut short")
        return self.data[start : self.at]

    def number(self, limit: int = 2**64) -> int:
        """A number of any length, seven bits a byte."""
        value = 0
        for shift in range(0, _MAX_BITS, 7):  # the lowest bits come first
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:  # the last one
                break
        if value > limit:
            raise ParseError("a number in it is larger than there can be")
        return value

    def all_of(self, read: Callable[[Cursor], Any]) -> Iterator[Any]:
        while self.at < len(self.data):
            yield read(self)
