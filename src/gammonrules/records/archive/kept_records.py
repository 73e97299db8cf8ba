"""Records that are read once, and needed several times: for a report, an analysis, the pages of matches, a table."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing

import attrs

from gammonrules.records.archive.kept_items import KeptItems, packed_items
from gammonrules.records.archive.scanning import Scanned, entries_of
from gammonrules.records.archive.source_files import Source, for_each


def entries_kept(
    files: Iterable[Source],
    kept: KeptItems[Source],
    jobs: int | None,
    progress: Callable[[], object],
) -> Generator[Scanned]:
    """Read these files, and keep them with what is in them. `progress` is called after each file."""
    with closing(for_each(_read_file, files, _lost_file, jobs=jobs)) as results:
        for file in results:
            kept.add(file)
            yield from entries_of(file)
            progress()


def with_entries(source: Source, entries: Sequence[Scanned]) -> Source:
    """A file whose entries are known, so that it is not read again."""
    return attrs.evolve(source, read=packed_items(entries))


def _read_file(source: Source) -> Source:
    return with_entries(source, entries_of(source))


def _lost_file(source: Source, sentence: str) -> Source:
    lost = Scanned(source.path, error=sentence, is_named=source.is_named, is_lost=True)
    return with_entries(source, [lost])
