"""How much a column of a Parquet file unpacks to, by the heads of its pages, before any of them is unpacked.

The end of a file states sizes too, but a reader believes the heads: Apache Parquet, `parquet.thrift`, `PageHeader`, in
the compact protocol of Thrift.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_VALUE_OF_A_BYTE, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = 3, 7, 8, 9, 10, 11, 12
_BOOLEANS: Final = {1, 2}
_NUMBERS: Final = {4, 5, 6}
_UNPACKED, _PACKED = 2, 3
_MOST_IN_EACH_OTHER: Final = 8
_LONGEST_HEAD: Final = 1 << 16


def unpacked_size(read: Callable[[int, int], bytes], start: int, packed: int) -> int:
    """What the pages unpack to that begin there and take so many bytes; `read` takes a place and how many bytes.

    Raises ValueError or IndexError if these are no pages.
    """
    total, at, end = 0, start, start + packed
    while at < end:
        head = _Head(read(at, min(_LONGEST_HEAD, end - at)))
        numbers = head.struct()
        total += numbers[_UNPACKED]
        at += head.at + numbers[_PACKED]
    return total


class _Head:
    """The head of a page, in bytes that may have more behind it."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError("a number is too long")

    def struct(self, depth: int = 0) -> list[int]:
        """The first numbers of its fields, by their identifiers; 0 for others. Nothing may be below 0."""
        numbers, field = [0] * (_PACKED + 1), 0
        while head := self.byte():
            field = field + (head >> 4) if head >> 4 else self.varint() // 2
            if head & 15 in _NUMBERS:
                number = self.varint()
                if field <= _PACKED:
                    if number & 1:
                        raise ValueError("a size is below 0")
                    numbers[field] = number // 2
            else:
                self.skip(head & 15, depth)
        return numbers

    def skip(self, kind: int, depth: int, *, in_list: bool = False) -> None:
        if depth > _MOST_IN_EACH_OTHER:
            raise ValueError("too much in each other")
        if kind in _NUMBERS:
            self.varint()
        elif kind == _STRUCT:
            self.struct(depth + 1)
        elif kind in {_LIST, _SET}:
            head = self.byte()
            for _ in range(self.varint() if head >> 4 == 15 else head >> 4):
                self.skip(head & 15, depth + 1, in_list=True)
        elif kind == _BINARY:
            length = self.varint()  # which moves on itself
            self.at += length
        elif kind in _BOOLEANS:
            self.at += in_list
        elif kind in {_VALUE_OF_A_BYTE, _DOUBLE}:
            self.at += 1 if kind == _VALUE_OF_A_BYTE else 8
        else:
            raise ValueError("this is no head of a page")
