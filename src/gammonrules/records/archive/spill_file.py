"""What is read once and needed again: packed, and on disk, so that memory does not grow with it."""

from __future__ import annotations

import os
import pickle
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any, Generic, TypeVar

from attrs import define

from gammonrules._shared.disk_files import errors_naming

Item = TypeVar("Item")


@define
class KeptItems(Generic[Item]):
    """Items in a file, in the order in which they were added."""

    _file: IO[bytes]
    _folder: str

    def add(self, item: Item) -> None:
        """Raises OSError, which says where they are kept, if there is no room."""
        with errors_naming(f"what is kept in {self._folder}"):
            _ = self._file.seek(0, os.SEEK_END)
            pickle.dump(item, self._file)
            self._file.flush()

    def __iter__(self) -> Iterator[Item]:
        end = self._file.seek(0, os.SEEK_END)
        place = 0
        while place < end:
            _ = self._file.seek(place)
            item: Item = pickle.load(self._file)  # noqa: S301 - of `add`
            place = self._file.tell()
            yield item


@contextmanager
def kept_items(folder: str | None = None) -> Generator[KeptItems[Any]]:
    """Items that are kept for a while, in a file without a name in this folder, by default that for temporary files."""
    place = gettempdir() if folder is None else folder
    file = TemporaryFile(dir=place)  # noqa: SIM115 - closed below
    try:
        yield KeptItems(file, place)
    finally:
        with suppress(OSError):  # where there was no room, it tries once more to write the rest
            file.close()


def packed_items(items: object) -> bytes:
    return zlib.compress(pickle.dumps(items), level=1)


def unpacked_items(content: bytes) -> Any:
    """What `packed_items` was given."""
    return pickle.loads(zlib.decompress(content))  # noqa: S301 - of `packed_items`
