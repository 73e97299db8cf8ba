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

_MAX_IN_EACH_OTHER: Final = 8
_MAX_VALUES: Final = 4_000_000
"""Of the end of a file; a column of a group has some 40."""
_MAX_HEAD_LENGTH: Final = 1 << 16
_MAGIC: Final = b"PAR1"

Read = Callable[[int, int], bytes]
"""The bytes at a place, and how many."""


@frozen
class _Pages:
    """The pages of a column in a group, one after another in the file."""

    start: int
    packed: int
    """How many bytes they take together."""


@frozen
class Group:
    """How many rows a group has, and the pages of each column."""

    rows: int
    columns: dict[str, _Pages]

    def unpacked_size(self, read: Read, name: str) -> int:
        """What the pages of a column unpack to. Raises ValueError if these are no pages."""
        pages = self.columns[name]
        total = 0
        at = pages.start
        end = pages.start + pages.packed
        while at < end:
            head = _Thrift(read(at, min(_MAX_HEAD_LENGTH, end - at)))
            fields = head.struct()
            length_of_head = head.at  # what was read
            total += _size_field(fields, _FIELD_UNPACKED_PAGE)
            at += length_of_head + _size_field(fields, _FIELD_PACKED_PAGE)
        return total


def groups_of(read: Read, size: int) -> list[Group]:
    """The groups of a file of this size. Raises ValueError if its end is damaged."""
    # last come the metadata, their length in four bytes, and the four bytes of the magic
    end_of_metadata = size - 8
    length = int.from_bytes(read(end_of_metadata, 4), "little")
    magic = read(size - 4, 4)
    if magic != _MAGIC or length > end_of_metadata:
        raise ValueError("this is no end of a Parquet file")
    metadata = _Thrift(read(end_of_metadata - length, length)).struct()
    return [_row_group(group) for group in _list_field(metadata, _FIELD_GROUPS, _STRUCT)]


def _row_group(group: dict[tuple[int, int], Any]) -> Group:
    columns = dict[str, _Pages]()
    for chunk in _list_field(group, _FIELD_CHUNKS, _STRUCT):
        metadata = chunk.get((_FIELD_METADATA, _STRUCT), {})
        path = b".".join(_list_field(metadata, _FIELD_PATH, _BINARY)).decode()
        data_pages = metadata.get((_FIELD_DATA_PAGES, _LONG), 0)
        dictionary_page = metadata.get((_FIELD_DICTIONARY_PAGE, _LONG), 0)
        # the file begins with the magic, so no page is at 0: that says there is none
        starts = [start for start in (data_pages, dictionary_page) if start > 0]
        columns[path] = _Pages(start=0, packed=0)
        if starts:
            packed = _size_field(metadata, _FIELD_PACKED_SIZE, _LONG)
            columns[path] = _Pages(min(starts), packed)
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

    values_left: int = _MAX_VALUES

    def signed(self) -> int:
        value = self.number()
        return -(value // 2) - 1 if value & 1 else value // 2

    def struct(self, depth: int = 0) -> dict[tuple[int, int], Any]:
        """Its fields by number and kind: a reader passes over a number of another kind."""
        fields = dict[tuple[int, int], Any]()
        field = 0
        head = self.take(1)[0]
        while head != _END_OF_STRUCT:
            step, kind = divmod(head, 16)
            if step > 0:
                field += step
            else:  # then the number itself follows
                field = self.signed()
            is_boolean = kind in _BOOLEANS  # in a field, the kind itself is the value
            fields[field, kind] = None if is_boolean else self.value(kind, depth + 1)
            head = self.take(1)[0]
        return fields

    def value(self, kind: int, depth: int) -> Any:
        """A value of this kind: a number, a struct, a list with the kind of its items, or bytes as they are."""
        self.values_left -= 1
        if depth > _MAX_IN_EACH_OTHER or self.values_left < 0:
            raise ValueError("too much in each other")
        if kind in {_SHORT, _INT, _LONG}:
            return self.signed()
        if kind == _STRUCT:
            return self.struct(depth)
        if kind in {_LIST, _SET}:
            length, items_kind = divmod(self.take(1)[0], 16)
            if length == _LENGTH_FOLLOWS:
                length = self.number()
            return items_kind, [self.value(items_kind, depth + 1) for _ in range(length)]
        if kind == _BINARY:
            length = self.number()
            return self.take(length)
        if kind == _DOUBLE:
            return self.take(8)
        if kind == _BYTE or kind in _BOOLEANS:  # of a list, since a field has no byte for a boolean
            return self.take(1)
        raise ValueError("there is no such kind")
