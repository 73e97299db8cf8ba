"""Records that are read once, and needed several times: for a report, an analysis, the pages of matches, a table."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence

import attrs

from gammonrules.records.archive.kept_on_disk import packed_items
from gammonrules.records.archive.scanning import Scanned, entries_of
from gammonrules.records.archive.source_files import Source, for_each


def read_files(files: Iterable[Source], jobs: int | None) -> Generator[Source]:
    """The files with their entries."""
    return for_each(_read_file, files, _lost_file, jobs=jobs)


def with_entries(source: Source, entries: Sequence[Scanned]) -> Source:
    """A file whose entries are known, so that it is not read again."""
    return attrs.evolve(source, read=packed_items(entries))


def _read_file(source: Source) -> Source:
    return with_entries(source, entries_of(source))


def _lost_file(source: Source, sentence: str) -> Source:
    lost = Scanned(source.path, error=sentence, is_named=source.is_named, is_lost=True)
    return with_entries(source, [lost])
