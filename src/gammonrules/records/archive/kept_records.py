"""Records that are read once, and needed several times: for a report, an analysis, the pages of matches, a table."""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager

import attrs
from attrs import define

from gammonrules.records.archive.kept_items import KeptItems, kept_items, packed_items
from gammonrules.records.archive.scanning import Scanned, entries_of
from gammonrules.records.archive.source_files import Source, for_each


@define
class KeptRecords:
    """What has been read, on disk, so that memory does not grow with it."""

    _files: KeptItems[Source]

    def read(
        self,
        files: Iterable[Source],
        jobs: int | None,
        progress: Callable[[], object] = lambda: None,
    ) -> Generator[Scanned]:
        """Read these files, and keep what is in them. `progress` is called after each file."""
        with closing(for_each(_read_file, files, _lost_file, jobs=jobs)) as results:
            for file in results:
                self.add(file)
                yield from entries_of(file)
                progress()

    def add(self, file: Source) -> None:
        """Keep what is in a file that has been read."""
        self._files.add(file)

    def __iter__(self) -> Iterator[Source]:
        """The files that were read, which are not read again."""
        return iter(self._files)

    def of_files(self, paths: Container[str]) -> Iterator[Source]:
        """Those at these paths."""
        return (file for file in self if file.path in paths)


@contextmanager
def records_kept() -> Generator[KeptRecords]:
    """Records that are kept for a while, in a file without a name among the temporary ones."""
    with kept_items() as files:
        yield KeptRecords(files)


def with_entries(source: Source, entries: Sequence[Scanned]) -> Source:
    """A file whose entries are known."""
    return attrs.evolve(source, read=packed_items(entries))


def _read_file(source: Source) -> Source:
    return with_entries(source, entries_of(source))


def _lost_file(source: Source, sentence: str) -> Source:
    lost = Scanned(source.path, error=sentence, is_named=source.is_named, is_lost=True)
    return with_entries(source, [lost])
