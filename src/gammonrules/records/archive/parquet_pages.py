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
_END_OF_STRUCT = 0
_LENGTH_FOLLOWS = 15
"""What the head of a list has instead of a length of 15 or more."""

# Numbers of fields. Of the end of a file:
_FIELD_GROUPS = 4
# Of a group of rows, and of the chunk of a column in it:
_FIELD_CHUNKS = 1
_FIELD_ROWS = 3
_FIELD_METADATA = 3
# Of the metadata of a chunk:
_FIELD_PATH = 3
_FIELD_PACKED_SIZE = 7
_FIELD_DATA_PAGES = 9
_FIELD_DICTIONARY_PAGE = 11
# Of the head of a page:
_FIELD_UNPACKED_PAGE = 2
_FIELD_PACKED_PAGE = 3

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
            total += _size_field(fields, _FIELD_UNPACKED_PAGE)
            at += head.at + _size_field(fields, _FIELD_PACKED_PAGE)
        return total


def groups_of(read: Read, size: int) -> list[Group]:
    """The groups of a file of this size. Raises ValueError if its end is damaged."""
    length = int.from_bytes(read(size - 8, 4), "little")
    magic = read(size - 4, 4)
    if magic != _MAGIC or length > size - 8:
        raise ValueError("this is no end of a Parquet file")
    end = _Thrift(read(size - 8 - length, length)).struct()
    return [_row_group(group) for group in _list_field(end, _FIELD_GROUPS, _STRUCT)]


def _row_group(group: dict[tuple[int, int], Any]) -> Group:
    columns = dict[str, tuple[int, int]]()
    for chunk in _list_field(group, _FIELD_CHUNKS, _STRUCT):
        metadata = chunk.get((_FIELD_METADATA, _STRUCT), {})
        path = b".".join(_list_field(metadata, _FIELD_PATH, _BINARY)).decode()
        data_pages = metadata.get((_FIELD_DATA_PAGES, _LONG), 0)
        dictionary_page = metadata.get((_FIELD_DICTIONARY_PAGE, _LONG), 0)
        starts = [start for start in (data_pages, dictionary_page) if start > 0]
        if starts:
            columns[path] = (min(starts), _size_field(metadata, _FIELD_PACKED_SIZE, _LONG))
        else:
            columns[path] = (0, 0)
    return Group(_size_field(group, _FIELD_ROWS, _LONG), columns)


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
        head = self.take(1)[0]
        while head != _END_OF_STRUCT:
            kind = head & 15
            step = head >> 4  # from the field before; 0 if the number itself follows
            field = field + step if step else self.signed()
            fields[field, kind] = None if kind in _BOOLEANS else self.value(kind, depth + 1)
            head = self.take(1)[0]
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
            items_kind = head & 15
            length = head >> 4
            if length == _LENGTH_FOLLOWS:
                length = self.number()
            return items_kind, [self.value(items_kind, depth + 1) for _ in range(length)]
        if kind not in {*_BOOLEANS, _BYTE, _DOUBLE, _BINARY}:
            raise ValueError("there is no such kind")
        size = 1
        if kind == _BINARY:
            size = self.number()
        elif kind == _DOUBLE:
            size = 8
        return self.take(size)
