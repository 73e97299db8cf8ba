"""Records that are read once, and needed several times: for a report, the pages of its matches, and its table."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Container, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from tempfile import TemporaryFile
from typing import IO

from attrs import Factory, define, frozen

from gammonrules.records.archive.copies import checked_choice
from gammonrules.records.archive.exporting import (
    PARQUET_OF_GAMES,
    KeptParts,
    Part,
    kept_until_choice,
    parts_of_entries,
)
from gammonrules.records.archive.scanning import Scanned, entries_of
from gammonrules.records.archive.source_files import Source, for_each
from gammonrules.records.transcript import Level


@frozen
class KeptEntries:
    """The entries of a file, packed."""

    path: str
    content: bytes

    def unpacked_items(self) -> list[Scanned]:
        entries: list[Scanned] = pickle.loads(zlib.decompress(self.content))  # noqa: S301 - of `_kept_file`
        return entries


@frozen
class _ReadFile:
    kept: KeptEntries
    parts: list[Part]


@frozen
class _KeptAt:
    """Where the entries of a file are kept."""

    path: str
    begin: int
    size: int


@define
class KeptRecords:
    """What has been read, on disk, so that memory does not grow with it."""

    parts: KeptParts
    """The rows of the tables of decisions and of candidates, each game once."""
    _file: IO[bytes]
    _places: list[_KeptAt] = Factory(list[_KeptAt])

    def read(
        self,
        files: Iterable[Source],
        jobs: int | None,
        progress: Callable[[], object] = lambda: None,
    ) -> Generator[Scanned]:
        """Read these files, and keep what is in them. `progress` is called after each file."""
        with closing(for_each(_read_file, files, _lost_file, jobs=jobs)) as results:
            for file in results:
                content = file.kept.content
                self._places.append(_KeptAt(file.kept.path, self._file.tell(), len(content)))
                self._file.write(content)
                self.parts.add(file.parts)
                yield from file.kept.unpacked_items()
                progress()

    def of_files(self, paths: Container[str]) -> Iterator[KeptEntries]:
        """What was read from these files."""
        for place in self._places:
            if place.path in paths:
                self._file.seek(place.begin)
                yield KeptEntries(place.path, self._file.read(place.size))


@contextmanager
def records_kept(folder: str, by: str | None, at: Level | str | None) -> Generator[KeptRecords]:
    """Records that are kept for a while, in files without names in this folder.

    `by` and `at`: whose copy of a game is kept in the tables, as for `export`. Raises ArgumentError.
    """
    choice = checked_choice("game", by, at)
    assert choice is not None
    with ExitStack() as stack:
        parts = stack.enter_context(kept_until_choice(choice, folder))
        yield KeptRecords(parts, stack.enter_context(TemporaryFile(dir=folder)))


def _read_file(source: Source) -> _ReadFile:
    return _kept_file(source.path, entries_of(source))


def _lost_file(source: Source, sentence: str) -> _ReadFile:
    lost = Scanned(source.path, error=sentence, is_named=source.is_named, is_lost=True)
    return _kept_file(source.path, [lost])


def _kept_file(path: str, entries: list[Scanned]) -> _ReadFile:
    content = zlib.compress(pickle.dumps(entries), level=1)
    parts = parts_of_entries(entries, PARQUET_OF_GAMES, with_evaluators=True)
    return _ReadFile(KeptEntries(path, content), parts)
