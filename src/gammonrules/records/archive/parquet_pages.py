"""What a Parquet file says of itself: its groups of rows, and how much their columns unpack to by the heads of pages.

Before anything is unpacked, and without pyarrow, which ends the whole process for some ends of files. These state sizes
too, but a reader believes the heads. Source: Apache Parquet, `parquet.thrift`, `FileMetaData` and `PageHeader`, in the
compact protocol of Thrift.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import define, frozen

from gammonrules._shared.byte_cursor import Cursor

_BOOLEANS: Final = {1, 2}
_BYTE = 3
_SHORT = 4
_INT = 5
_LONG = 6
_DOUBLE = 7
_BINARY = 8
_LIST = 9
_SET = 10
_STRUCT = 12
_MOST_IN_EACH_OTHER: Final = 8
_MOST_VALUES: Final = 4_000_000
"""Of the end of a file; a column of a group has some 40."""
_LONGEST_HEAD: Final = 1 << 16
_MAGIC: Final = b"PAR1"

Read = Callable[[int, int], bytes]
"""The bytes at a place, and how many."""


@frozen
class Group:
    """How many rows it has, and where the pages of each column begin, and how many bytes they take."""

    rows: int
    columns: dict[str, tuple[int, int]]

    def unpacked_size(self, read: Read, name: str) -> int:
        """What the pages of a column unpack to. Raises ValueError if these are no pages."""
        at, packed = self.columns[name]
        total = 0
        end = at + packed
        while at < end:
            head = _Thrift(read(at, min(_LONGEST_HEAD, end - at)))
            fields = head.struct()
            total += _size_field(fields, 2)
            at += head.at + _size_field(fields, 3)
        return total


def groups_of(read: Read, size: int) -> list[Group]:
    """The groups of a file of this size. Raises ValueError if its end is damaged."""
    length = int.from_bytes(read(size - 8, 4), "little")
    magic = read(size - 4, 4)
    if magic != _MAGIC or length > size - 8:
        raise ValueError("this is no end of a Parquet file")
    end = _Thrift(read(size - 8 - length, length)).struct()
    return [_row_group(group) for group in _list_field(end, 4, _STRUCT)]


def _row_group(group: dict[tuple[int, int], Any]) -> Group:
    columns = dict[str, tuple[int, int]]()
    for chunk in _list_field(group, 1, _STRUCT):
        metadata = chunk.get((3, _STRUCT), {})
        path = b".".join(_list_field(metadata, 3, _BINARY)).decode()
        stated = [metadata.get((field, _LONG), 0) for field in (9, 11)]
        starts = [start for start in stated if start > 0]
        columns[path] = (min(starts), _size_field(metadata, 7, _LONG)) if starts else (0, 0)
    return Group(_size_field(group, 3, _LONG), columns)


def _list_field(fields: dict[tuple[int, int], Any], field: int, kind: int) -> list[Any]:
    items_kind, items = fields.get((field, _LIST), (kind, []))
    if items_kind != kind:
        raise ValueError("a list has other items")
    return list(items)


def _size_field(fields: dict[tuple[int, int], Any], field: int, kind: int = _INT) -> int:
    size = int(fields.get((field, kind), 0))
    if size < 0:
        raise ValueError("a size is below 0")
    return size


@define
class _Thrift(Cursor):
    """Bytes that are read from their beginning, with numbers as in OGXM; there may be more behind."""

    values_left: int = _MOST_VALUES

    def signed(self) -> int:
        value = self.number()
        return -(value // 2) - 1 if value & 1 else value // 2

    def struct(self, depth: int = 0) -> dict[tuple[int, int], Any]:
        """Its fields by number and kind: a reader passes over a number of another kind."""
        fields = dict[tuple[int, int], Any]()
        field = 0
        while head := self.take(1)[0]:
            field = field + (head >> 4) if head >> 4 else self.signed()
            kind = head & 15
            fields[field, kind] = None if kind in _BOOLEANS else self.value(kind, depth + 1)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        self.values_left -= 1
        if depth > _MOST_IN_EACH_OTHER or self.values_left < 0:
            raise ValueError("too much in each other")
        if kind in {_SHORT, _INT, _LONG}:
            return self.signed()
        if kind == _STRUCT:
            return self.struct(depth)
        if kind in {_LIST, _SET}:
            head = self.take(1)[0]
            number = self.number() if head >> 4 == 15 else head >> 4
            return head & 15, [self.value(head & 15, depth + 1) for _ in range(number)]
        if kind not in {*_BOOLEANS, _BYTE, _DOUBLE, _BINARY}:
            raise ValueError("there is no such kind")
        length = 1
        if kind == _BINARY:
            length = self.number()
        elif kind == _DOUBLE:
            length = 8
        return self.take(length)
