"""`scan`: the records of an archive, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

import attrs
from attrs import frozen

from gammonrules.records.archive.pool import checked_jobs, in_order
from gammonrules.records.archive.sources import Paths, Source, sources
from gammonrules.records.model import Match


@frozen
class Scanned:
    """A match of an archive, or a file in it that cannot be read.

    A file gives one entry, except that a text of several matches gives one for each of them.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        path: the path of the file, as it was given or as it was found in a folder; `archive.zip/name` for a file in a
            ZIP archive.
        match: the record, or None if the file cannot be read.
        error: why it cannot be read, in one sentence, or None.
        is_named: whether the caller named this file itself, rather than a folder or ZIP archive that contains it.
        format: the format of the record. If it cannot be read, the format that the file shows signs of, or None.
        fingerprint: `Match.fingerprint`, or None.
        duplicate_of: the path of the first file with the same match, or None.

    Examples:
        >>> from gammonrules.records import Scanned, scan
        >>> first = next(scan("examples/matches/galaxy"))
        >>> isinstance(first, Scanned), first.error
        (True, None)
        >>> first.path, first.format, first.match.players
        ('examples/matches/galaxy/match1033650.txt', 'mat', ('lasse', 'gitte'))
    """

    path: str
    match: Match | None = None
    error: str | None = None
    is_named: bool = True
    format: str | None = None
    fingerprint: str | None = None
    duplicate_of: str | None = None


def scan(*paths: Paths, jobs: int | None = None, unique: bool = False) -> Iterator[Scanned]:
    """Read all records of an archive, one after another, on all processors.

    Files are read when the iterator gets to them, so an archive may be larger than the memory. They come in the order
    of the paths, and within a folder in the order of the names, however many processes read. In folders and ZIP
    archives all files are tried, whatever their names, except hidden ones; links to folders are not followed. A damaged
    record or any other file gives an entry with its `error`, and reading goes on.

    Several processes start only if there is enough to read. They import nothing from the calling program, so `scan`
    can be called anywhere: at the top level of a script, in a notebook, in a thread. They end when the iterator ends or
    is closed.

    Args:
        paths: files, folders and ZIP archives: each argument is a path, or an iterable of paths.
        jobs: how many processes read: None (the default) for one per processor, 1 for only the caller's.
        unique: leave out matches that are also in an earlier file; otherwise their `duplicate_of` names that file. The
            fingerprints of all matches are kept in memory, some 200 bytes each.

    Raises:
        ArgumentError: a path is neither a string nor a path, or `jobs` is not a number of processes.

    Examples:
        >>> from gammonrules.records import scan
        >>> paths = "examples/matches/galaxy", "examples/matches/README.md"
        >>> entries = list(scan(*paths))
        >>> len(entries), sum(entry.match is not None for entry in entries)
        (8, 7)
        >>> entries[-1].error
        'the record holds no match: the line "N point match" is missing'
    """
    return _scan(sources(*paths), checked_jobs(jobs), unique)


def _scan(files: Iterable[Source], jobs: int, unique: bool) -> Iterator[Scanned]:  # noqa: FBT001
    first = FirstSeen()
    for entry in chain.from_iterable(in_order(scanned, files, lost, jobs=jobs)):
        earlier = first.of(entry.fingerprint, entry.path)
        if earlier is None:
            yield entry
        elif not unique:
            yield attrs.evolve(entry, duplicate_of=earlier)


def scanned(source: Source) -> tuple[Scanned, ...]:
    """Read a file. This runs in a worker."""
    matches, error, form = source.read()
    if error is not None:
        return (Scanned(source.path, None, error, source.is_named, form),)
    return tuple(Scanned(source.path, match, None, source.is_named, form, match.fingerprint) for match in matches)


def lost(source: Source, sentence: str) -> tuple[Scanned, ...]:
    """The entry of a file whose worker was lost."""
    return (Scanned(source.path, None, sentence, source.is_named),)


class FirstSeen:
    """Which file was the first with each match."""

    def __init__(self) -> None:
        self._paths: dict[str, str] = {}

    def of(self, fingerprint: str | None, path: str) -> str | None:
        """The path of an earlier file with this match, if there is one."""
        if fingerprint is None:
            return None
        first = self._paths.get(fingerprint)
        if first is None:
            self._paths[fingerprint] = path
        return first
