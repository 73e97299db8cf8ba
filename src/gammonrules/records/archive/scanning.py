"""`scan`: the records of an archive, one after another."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

import attrs
from attrs import field, frozen

from gammonrules._shared.work import checked_workers
from gammonrules.analysis import Level
from gammonrules.errors import GammonError
from gammonrules.records.archive.deduplication import (
    Best,
    Choice,
    Origin,
    PlayedMatch,
    Seen,
    Unique,
    checked_choice,
    played_in,
)
from gammonrules.records.archive.source_files import Paths, Source, for_each, sources, together
from gammonrules.records.archive.spill_file import (
    KeptItems,
    kept_items,
    packed_items,
    unpacked_items,
)
from gammonrules.records.formats import read_all, seems_to_be
from gammonrules.records.transcript import Match, RecordCounts, is_loose, join, part_of, replay_once


@frozen
class ScanEntry:
    """A match of an archive, or a file in it that cannot be read.

    A file gives one entry, except that a file of several matches gives one for each of them, and that texts of GNU
    Backgammon with one game each, in one folder, give one entry for their match: see `join`. Where several texts
    would continue one, the names of the files decide that the program gives them: `match7.txt`, `match7_002.txt`.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        path: the path of the file, which the caller named or which is below one that the caller named;
            `archive.zip/name` for a file in a ZIP archive.
        match: the record, or None if the file cannot be read.
        error: why it cannot be read, in one sentence, or None.
        is_explicit: whether the caller named this file itself, rather than a folder or ZIP archive that contains it.
        format: the format of the record. If it cannot be read, the format that the file shows signs of, or None.
        fingerprint: `Match.fingerprint` of the whole match, or None.
        duplicate_of: the path of the first file with the same match, or None. If all games of this one are in earlier
            files with matches of its length, such as a text of one game, it is that of the first game.
        duplicate_games: for each game, the path of the first file with the same game, or None; `()` if there is no
            match. Games are the same as `docs/reference/decisions-table.md` describes under *Copies*.
        more: the paths of the texts with the second and further games of the match, one each; otherwise `()`.
        games: how many games the match has, where `unique` has left some of them out; otherwise None.
        has_crashed: whether the file may contain a match, although it cannot be read: the system ended the process that
            read it, twice, or gammonrules failed on it, by a mistake of ours.

    Examples:
        >>> from gammonrules.records import ScanEntry, scan
        >>> first = next(scan("examples/matches/galaxy"))
        >>> isinstance(first, ScanEntry), first.error
        (True, None)
        >>> first.path, first.format, first.match.players
        ('examples/matches/galaxy/match1033650.txt', 'mat', ('lasse', 'gitte'))
    """

    path: str
    match: Match | None = None
    error: str | None = None
    is_explicit: bool = True
    format: str | None = None
    fingerprint: str | None = None
    duplicate_of: str | None = None
    duplicate_games: tuple[str | None, ...] = ()
    more: tuple[str, ...] = ()
    games: int | None = None
    has_crashed: bool = False
    _played: PlayedMatch = field(default=PlayedMatch(), init=False, eq=False, repr=False)

    @property
    def is_incomplete(self) -> bool:
        """Whether the match is a text of GNU Backgammon that lacks games: no other text continues it, or several do.

        Examples:
            >>> from gammonrules.records import scan
            >>> text = "tests/data/analysis/gnubg/match7662222_1ply_002.txt"
            >>> [entry.is_incomplete for entry in scan(text)]
            [True]
        """
        return self.match is not None and is_loose(self.match)


def scan(
    *paths: Paths,
    workers: int | None = None,
    unique: Unique = False,
    analyzed_by: str | None = None,
    analysis_level: Level | str | None = None,
) -> Iterator[ScanEntry]:
    """Read all records of an archive, one after another, on all processors.

    Files are read when the iterator gets to them, so an archive may be larger than the memory; only texts with one game
    each are read before, with the rest of their folder, to join those of one match. They come in the order
    of the paths, and within a folder in the order of the names, however many processes read. In folders and ZIP
    archives all files are tried, whatever their names, except hidden ones; links to folders are not followed. A damaged
    record or any other file gives an entry with its `error`, and reading goes on.

    Several processes start only if there is enough to read. They import nothing from the calling program, so `scan`
    can be called anywhere: at the top level of a script, in a notebook, in a thread. They end when the iterator ends or
    is closed. If the system ends one, as when memory runs out, its file is read once more while nothing else is.

    Fingerprints of all matches and games, some 500 bytes each, are kept in memory.

    Args:
        paths: files, folders and ZIP archives: each argument is a path, or an iterable of paths.
        workers: how many processes read: None (the default) for one per processor, 1 for only the caller's.
        unique: "match", or True, for records with the same games only once, "game" for each game only once: the matches
            come without the games that are kept from another file. All games of a match are kept as one engine analyzed
            them: the one that analyzed most of its games, then most decisions, then the one that was read first; of its
            copies, that with the most such games, then decisions, then the first. A game that only others analyzed is
            kept as they did. Both keep some 1,000 bytes for each file, match and game; and until all are known the
            records themselves, up to 100 kB each, in a file without a name among the temporary ones. False (the
            default) for everything.
        analyzed_by: whose copy is kept where it has one, by the beginning of the name, or "gnubg" or "xg"; None (the
            default) as above. It chooses among copies, with `unique`, and leaves nothing out.
        analysis_level: in the same way, the level that the engine was set to, such as "2-ply". Files of eXtreme Gammon,
            which mixes its levels, do not state it.

    Raises:
        ArgumentError: a path is neither a string nor a path, `workers` is not a number of processes, `unique`,
            `analyzed_by` or `analysis_level` is something else, or one of the latter two is given without `unique`.
        OSError: with `unique`, there is no room for the records that are kept.

    Examples:
        >>> from gammonrules.records import scan
        >>> paths = "examples/matches/galaxy", "examples/matches/README.md"
        >>> entries = list(scan(*paths))
        >>> len(entries), sum(entry.match is not None for entry in entries)
        (8, 7)
        >>> entries[-1].error.partition(":")[0]
        'the record holds no match'
        >>> text = "tests/data/analysis/gnubg/match7662222_1ply_002.txt"
        >>> paths = "tests/data/matches/galaxy/match7662222.txt", text
        >>> for entry in scan(*paths, unique="game"):
        ...     print([game.number for game in entry.match.games])
        [1, 3, 4]
        [2]
    """
    return _scan(
        together(sources(*paths)),
        checked_workers(workers),
        checked_choice(unique, analyzed_by, analysis_level),
    )


def scan_unique_games(
    paths: Paths,
    *,
    analyzed_by: str | None,
    analysis_level: Level | str | None,
    at_end: Callable[[RecordCounts], None],
) -> Iterator[ScanEntry]:
    """As `scan` with `unique="game"`; `at_end` is called with what was counted."""
    return _scan(
        together(sources(paths)),
        checked_workers(None),
        checked_choice("game", analyzed_by, analysis_level),
        at_end,
    )


def _scan(
    files: Iterable[Source],
    workers: int,
    choice: Choice | None,
    at_end: Callable[[RecordCounts], None] = lambda _counts: None,
) -> Iterator[ScanEntry]:
    if choice is None:
        yield from _chosen_entries(
            for_each(read_entries, files, lost_entries, workers=workers), None, at_end
        )
        return
    with kept_items() as kept:
        best = _best_of_all(files, workers, choice, kept)
        yield from _chosen_entries(map(unpacked_items, kept), best, at_end)


def _chosen_entries(
    entries_of_files: Iterable[Sequence[ScanEntry]],
    best: Best | None,
    at_end: Callable[[RecordCounts], None],
) -> Iterator[ScanEntry]:
    """The entries of all files; of copies the best, if there is a choice."""
    seen = Seen()
    games_left_out = 0
    for entries in entries_of_files:
        for number, entry in enumerate(entries):
            if entry.match is None:
                yield entry
                continue
            played = played_of(entry)
            earlier = seen.before(played, entry.path, entry.more)
            compared = attrs.evolve(
                entry, duplicate_of=earlier.match, duplicate_games=earlier.games
            )
            if best is None:
                yield compared
                continue
            kept_games = best.games((entry.path, number), played)
            games = len(played.prints.games)
            games_left_out += best.counts_left_out(played, kept_games).games_left_out
            if kept_games or not games:
                yield _with_games(compared, kept_games)
    at_end(attrs.evolve(seen.counts, games_left_out=games_left_out))


def _best_of_all(
    files: Iterable[Source], workers: int, choice: Choice, kept: KeptItems[bytes]
) -> Best:
    """The choice among copies, for which all files are read; what is read is kept, packed."""
    best = Best(choice)
    for file in for_each(_packed_file, files, _packed_lost_file, workers=workers):
        kept.add(file.content)
        for origin, played in file.copies.items():
            best.add(origin, played)
    return best


@frozen
class _PackedFile:
    """The entries of a file, packed, and what was played in its matches."""

    content: bytes
    copies: dict[Origin, PlayedMatch]


def _packed_file(source: Source) -> _PackedFile:
    return _packed_entries(read_entries(source, with_evaluators=True))


def _packed_lost_file(source: Source, sentence: str) -> _PackedFile:
    return _packed_entries(lost_entries(source, sentence))


def _packed_entries(entries: Sequence[ScanEntry]) -> _PackedFile:
    copies: dict[Origin, PlayedMatch] = {}
    for number, entry in enumerate(entries):
        if entry.match is not None:
            copies[entry.path, number] = played_of(entry)
    return _PackedFile(packed_items(entries), copies)


def _with_games(entry: ScanEntry, games: list[int]) -> ScanEntry:
    """The entry with only these of its games."""
    match = entry.match
    if match is None or len(games) == len(match.games):
        return entry
    path = entry.path
    more = entry.more
    if more:  # each game has a file of its own
        files_of_games = (path, *more)
        kept_files = [files_of_games[index] for index in games]
        path = kept_files[0]
        more = tuple(kept_files[1:])
    duplicates = tuple(entry.duplicate_games[index] for index in games)
    return attrs.evolve(
        entry,
        path=path,
        more=more,
        match=part_of(match, games),
        duplicate_games=duplicates,
        games=len(match.games),
    )


def read_entries(source: Source, *, with_evaluators: bool = False) -> list[ScanEntry]:
    """Read a file, and the files with the further games of its match. The entries know what was played."""
    return [with_played(entry, with_evaluators=with_evaluators) for entry in entries_of(source)]


def with_played(entry: ScanEntry, *, with_evaluators: bool = False) -> ScanEntry:
    """The entry of a match with its fingerprint and with what was played. `attrs.evolve` forgets what was played."""
    if entry.match is None:
        return entry
    replay_once(entry.match)
    played = played_in(entry.match, with_evaluators=with_evaluators)
    known = attrs.evolve(entry, fingerprint=entry.fingerprint or played.prints.match)
    object.__setattr__(known, "_played", played)
    return known


def played_of(entry: ScanEntry) -> PlayedMatch:
    """What was played in the match of an entry that `with_played` has made."""
    return entry._played  # noqa: SLF001 - it is no field that users see


def entries_of(source: Source) -> list[ScanEntry]:
    """The matches of a file and of those with their further games, or why there are none; without fingerprints.

    Whatever the file contains, only a bug of ours raises an error.
    """
    if source.read is not None and source.error is None:
        entries_read: list[ScanEntry] = unpacked_items(source.read)
        return entries_read
    entries = _entries_of_file(source)
    if not source.more:
        return entries
    for further in source.more:
        entries += entries_of(further)
    matches = join(entry.match for entry in entries if entry.match is not None)
    if len(matches) != 1:
        return entries
    match = matches[0]
    has_each_file_one_game = len(match.games) == len(entries)
    if not has_each_file_one_game:
        return entries
    more = tuple(entry.path for entry in entries[1:])
    return [attrs.evolve(entries[0], match=match, more=more)]


def _entries_of_file(source: Source) -> list[ScanEntry]:
    content = b""  # of a file that cannot be opened
    try:
        content = source.content()
        matches = read_all(content)
    except GammonError as error:
        form = seems_to_be(content)
        return [ScanEntry(source.path, error=str(error), is_explicit=source.is_named, format=form)]
    return [
        ScanEntry(source.path, match, is_explicit=source.is_named, format=match.format)
        for match in matches
    ]


def lost_entries(source: Source, sentence: str) -> list[ScanEntry]:
    """The entries of files on which the library failed, or whose worker was lost."""
    return [lost_entry(file, sentence) for file in (source, *source.more)]


def lost_entry(source: Source, sentence: str) -> ScanEntry:
    return ScanEntry(source.path, error=sentence, is_explicit=source.is_named, has_crashed=True)


# --- files that are read once, and needed several times ---------------------------------------------------------------


def read_files(files: Iterable[Source], workers: int | None) -> Generator[Source]:
    """The files with their entries."""
    return for_each(_read_file, files, _lost_file, workers=workers)


def with_entries(source: Source, entries: Sequence[ScanEntry]) -> Source:
    """A file whose entries are known, so that it is not read again."""
    return attrs.evolve(source, read=packed_items(entries))


def _read_file(source: Source) -> Source:
    return with_entries(source, entries_of(source))


def _lost_file(source: Source, sentence: str) -> Source:
    return with_entries(source, [lost_entry(source, sentence)])
