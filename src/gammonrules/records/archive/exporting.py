"""The table of decisions of an archive: in memory, or written to a file."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs
from attrs import Factory, define, frozen

from gammonrules._shared.disk_files import NewFile, new_file, path_text, put_in_place
from gammonrules._shared.work import checked_workers
from gammonrules.analysis import Level
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.records.archive.column_values import Columns, columns_of
from gammonrules.records.archive.decision_rows import (
    MAX_ROWS,
    GamePart,
    Numbers,
    facts_of_games,
    parts_of_games,
)
from gammonrules.records.archive.decision_table import Table
from gammonrules.records.archive.deduplication import (
    Best,
    Choice,
    Origin,
    PlayedMatch,
    Seen,
    Unique,
    checked_choice,
)
from gammonrules.records.archive.row_files import (
    Form,
    arrow_of,
    form_of,
    gathered,
    joined_tables,
    pyarrow,
    table_schema,
)
from gammonrules.records.archive.scanning import (
    ScanEntry,
    lost_entries,
    played_of,
    read_entries,
    with_played,
)
from gammonrules.records.archive.source_files import (
    Paths,
    Source,
    failed,
    for_each,
    one_by_one,
    sources,
    together,
)
from gammonrules.records.archive.spill_file import KeptItems, kept_items
from gammonrules.records.transcript import Match, RecordCounts, cut_games
from gammonrules.values import shown

_NAMES_OF_A_REASON: Final = 3
_REASONS: Final = 100


Encode: TypeAlias = Mapping[Table, Callable[[Columns], bytes]]
"""What makes bytes of the columns of each table that is asked for."""
Forms: TypeAlias = Mapping[Table, Form]
"""The tables that are asked for."""


@frozen
class Piece:
    """Some rows of a match."""

    game: int | None
    """The index of their game; None if they are of several."""
    data: Any
    table: Table = "decisions"
    rows: int = 0


Pieces: TypeAlias = Callable[[ScanEntry, Numbers], tuple[Piece, ...]]
"""Makes pieces of the match of an entry, which knows what was played. It can be pickled."""


@frozen
class Part:
    """The rows of one match, or why a file has none."""

    path: str
    error: str | None = None
    origin: Origin = ("", 0)
    played: PlayedMatch = Factory(PlayedMatch)
    cut: tuple[tuple[int, str], ...] = ()
    is_loose: bool = False
    data: tuple[Piece, ...] = ()
    is_wanted: bool = False
    """Whether it matters that the file cannot be read: it is named, or lost."""


def parts_of(source: Source, pieces: Pieces, *, with_evaluators: bool = False) -> list[Part]:
    """Read a file, and make pieces of its matches."""
    numbers = numbers_by_game()
    entries = read_entries(source, with_evaluators=with_evaluators)
    return [_part_of(entry, number, pieces, numbers) for number, entry in enumerate(entries)]


def _part_of(entry: ScanEntry, number: int, pieces: Pieces, numbers: Numbers) -> Part:
    """The pieces of a match, which has this number in its file."""
    if entry.match is None:
        return Part(entry.path, entry.error, is_wanted=entry.is_explicit)
    try:
        return Part(
            entry.path,
            origin=(entry.path, number),
            played=played_of(entry),
            cut=tuple(cut_games(entry.match)),
            is_loose=entry.is_incomplete,
            data=pieces(entry, numbers),
        )
    except GammonError as error:  # a bug of ours, which always matters
        return Part(entry.path, failed(error), is_wanted=True)


def encoded(
    entry: ScanEntry, numbers: Numbers, *, encode: Encode, by_game: bool
) -> tuple[Piece, ...]:
    """The rows in pieces of a size at which nothing needs much memory, however long the match is.

    `by_game`: whether each piece is of one game, since some games may be left out.
    """
    games = parts_of_games(facts_of_games(entry), numbers)
    if not by_game:
        return tuple(_encoded_pieces(chain.from_iterable(games), game=None, encode=encode))
    pieces: list[Piece] = []
    for index, parts in enumerate(games):
        pieces += _encoded_pieces(parts, game=index, encode=encode)
    return tuple(pieces)


def _encoded_pieces(parts: Iterable[GamePart], game: int | None, encode: Encode) -> Iterator[Piece]:
    """The rows of these parts, as pieces of this game."""
    for group in gathered(parts, lambda part: len(part.decisions), MAX_ROWS):
        for table, columns in columns_of(group, encode).items():
            rows = len(columns[0])
            if rows:
                yield Piece(game, data=encode[table](columns), table=table, rows=rows)


def numbers_by_game() -> Numbers:
    return defaultdict(partial(count, 1))


def _lost_parts(source: Source, sentence: str) -> list[Part]:
    lost = lost_entries(source, sentence)
    return [Part(entry.path, entry.error, is_wanted=True) for entry in lost]


@define
class ExportSummary:
    """What was written to the tables of decisions and candidates, and what was skipped.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        rows: the number of decisions in their table; 0 if only candidates were asked for.
        matches: the matches in the tables; with `unique`, only those that have rows in them.
        duplicates: the records that were read of a match that another one has too, or a part of it.
        skipped: how many files in folders and ZIP archives were skipped, by reason.
        examples: the paths of the first three of them for each reason.
        unread: the named files that cannot be read, and all files on which the reader crashed
            (`ScanEntry.has_crashed`), each with the reason.
        candidates: the number of rows in the table of candidates.
        other_engines: with `unique`, the games in the tables that the engine of their match has not analyzed at its
            level, and another has: the path, the place of the game in its match, counted from 1, who analyzed it, and
            who the match.
        cut: the games in the tables of which only the beginning could be replayed, as after an illegal play: the path
            and a sentence.
        incomplete: the paths of matches in the tables that lack games, see `ScanEntry.is_incomplete`.
        records: the records that were read. A file of several matches counts as so many.
        without_play: those in which nothing was played, such as positions.
        games_left_out: with `unique="game"`, the games that were left out as copies.
        records_left_out: with `unique="match"`, the records that were left out, since others have the same games.

    Examples:
        >>> import tempfile
        >>> from gammonrules.records import ExportSummary, export
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     done = export(["examples/matches/studio"], f"{folder}/decisions.csv")
        >>> isinstance(done, ExportSummary), done.matches, done.skipped.total()
        (True, 3, 0)
    """

    rows: int = 0
    matches: int = 0
    duplicates: int = 0
    skipped: Counter[str] = Factory(Counter[str])
    examples: dict[str, list[str]] = Factory(dict[str, list[str]])
    unread: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    candidates: int = 0
    other_engines: list[tuple[str, int, str, str]] = Factory(list[tuple[str, int, str, str]])
    cut: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    incomplete: list[str] = Factory(list[str])
    records: int = 0
    without_play: int = 0
    games_left_out: int = 0
    records_left_out: int = 0


def record_counts_of(done: ExportSummary) -> RecordCounts:
    """How many records were read, of how many matches, and what was left out."""
    return RecordCounts(
        matches=done.records - done.duplicates - done.without_play,
        copies=done.duplicates,
        without_play=done.without_play,
        games_left_out=done.games_left_out,
        records_left_out=done.records_left_out,
    )


def export(
    paths: Paths,
    file: str | os.PathLike[str] | None = None,
    *,
    candidates: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    unique: Unique = False,
    analyzed_by: str | None = None,
    analysis_level: Level | str | None = None,
    progress: Callable[[ExportSummary], None] | None = None,
) -> ExportSummary:
    """Write the decisions of an archive as a table, one row each, and the plays that engines compared, as another.

    Both take constant memory. A table is written under a hidden name beside the file and renamed at the end, so the
    file is never incomplete: not after Ctrl-C, on a full disk, or if a process is lost. What was there is replaced
    then. A link is followed. The table is the same however many processes read. `docs/reference/decisions-table.md`
    describes the columns, and the apostrophe that CSV puts before texts which a spreadsheet would execute.

    Args:
        paths: a file, folder or ZIP archive, or an iterable of them, as for `scan`.
        file: the path of the table, whose suffix sets the format: ".parquet" (extra `tables`), ".csv" or ".jsonl". None
            (the default) for no such table.
        candidates: the path of the table of candidates, in the same way. If both are asked for, either both files are
            written or none.
        workers: how many processes read: None (the default) for one per processor, 1 for only the caller's.
        unique: "match", or True, for records with the same games only once, "game" for each game only once, all games
            of a match as one engine analyzed them, as for `scan`. Both keep the rows of all copies beside the table
            until the choice, in a file without a name. False (the default) for everything.
        analyzed_by: whose copy is kept where it has one, as for `scan`.
        analysis_level: at which level, as for `scan`.
        progress: called after each file, or the files of one match, with the totals so far, with `unique` those of all
            copies, and at the end those of what is kept; None (the default) for no calls.

    Returns:
        What was written and what was skipped. Without any match, no file is written.

    Raises:
        OSError: the table cannot be written.
        ImportError: pyarrow is needed and not installed.
        ArgumentError: no table is asked for, or both in one file; the suffix is unknown, there is something else than
            an ordinary file in its place; or as for `scan`.

    Examples:
        >>> import os, tempfile
        >>> from gammonrules.records import export
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     done = export(["examples/matches/galaxy"], f"{folder}/decisions.csv")
        ...     done.matches, done.rows, os.listdir(folder)
        (7, 1387, ['decisions.csv'])
    """
    return export_files(
        sources(paths),
        file,
        candidates=candidates,
        workers=workers,
        unique=unique,
        analyzed_by=analyzed_by,
        analysis_level=analysis_level,
        progress=progress,
    )


def export_files(
    files: Iterable[Source],
    file: str | os.PathLike[str] | None,
    *,
    candidates: str | os.PathLike[str] | None,
    workers: int | None,
    unique: Unique,
    analyzed_by: str | None,
    analysis_level: Level | str | None,
    progress: Callable[[ExportSummary], None] | None,
) -> ExportSummary:
    """As `export`, of the records in these files."""
    names = _real_paths({"decisions": file, "candidates": candidates})
    forms: Forms = {table: form_of(name) for table, name in names.items()}
    tables = set(names.values())
    # a table that an earlier run has written into a folder is no record of it
    read_from = (source for source in files if os.path.realpath(source.path) not in tables)
    folder = str(Path(next(iter(names.values()))).parent)
    workers = checked_workers(workers)
    choice = checked_choice(unique, analyzed_by, analysis_level)
    encode: Encode = {table: partial(form.encode, table) for table, form in forms.items()}
    pieces = partial(encoded, encode=encode, by_game=unique == "game")
    work = partial(parts_of, pieces=pieces, with_evaluators=choice is not None)
    with ExitStack() as stack:
        # none is in its place yet
        new_files: dict[Table, NewFile] = {
            table: stack.enter_context(new_file(name)) for table, name in names.items()
        }
        # the end of the stack ends the workers
        parts_of_files = stack.enter_context(
            closing(for_each(work, together(read_from), _lost_parts, workers=workers))
        )
        if choice is None:
            done = _write_rows(parts_of_files, None, forms, new_files, progress)
        else:
            kept = stack.enter_context(kept_items(folder))
            best = _best_of_parts(parts_of_files, choice, kept, progress)
            done = _write_rows(kept, best, forms, new_files)
            if progress is not None:
                progress(done)
        if done.matches:
            put_in_place(*new_files.values())
    return done


def _write_rows(
    parts_of_files: Iterable[Sequence[Part]],
    best: Best | None,
    forms: Forms,
    new_files: Mapping[Table, NewFile],
    progress: Callable[[ExportSummary], None] | None = None,
) -> ExportSummary:
    """Write the rows that belong in the tables, which are whole at the end."""
    done = ExportSummary()
    seen = Seen()
    with ExitStack() as writers_open:
        add_to = {
            table: writers_open.enter_context(form.writer(new_files[table].file, table))
            for table, form in forms.items()
        }
        for parts in parts_of_files:
            for part in parts:
                for piece in _count_part(part, done, seen, best):
                    add_to[piece.table](piece.data)
            if progress is not None:
                progress(done)
    return done


def _best_of_parts(
    parts_of_files: Iterable[Sequence[Part]],
    choice: Choice,
    kept: KeptItems[Sequence[Part]],
    progress: Callable[[ExportSummary], None] | None,
) -> Best:
    """The choice among copies, for which all parts are made; they are kept. `progress` is told of all copies."""
    best = Best(choice)
    of_all = ExportSummary()
    seen = Seen()
    for parts in parts_of_files:
        for part in parts:
            best.add(part.origin, part.played)
            _ = _count_part(part, of_all, seen, None)
        kept.add(parts)
        if progress is not None:
            progress(of_all)
    return best


def _real_paths(files: Mapping[Table, str | os.PathLike[str] | None]) -> dict[Table, str]:
    """The real paths of the tables that are asked for. Raises ArgumentError."""
    names: dict[Table, str] = {}
    for table, file in files.items():
        if file is not None:
            names[table] = os.path.realpath(path_text(file, "the path of a table"))
    if not names:
        raise ArgumentError(
            "no table is asked for: give a file for the decisions, for the candidates or for both"
        )
    if len({*names.values()}) < len(names):
        raise ArgumentError(f"two tables cannot be one file: {shown(files['decisions'], 60)}")
    return names


def _count_part(part: Part, done: ExportSummary, seen: Seen, best: Best | None) -> list[Piece]:
    """Count a match or a file without one, and choose the rows that belong in the tables."""
    if part.error is not None:
        _skip(done, part.path, part.error, is_wanted=part.is_wanted)
        return []
    _ = seen.before(part.played, part.path)
    done.duplicates = seen.counts.copies
    done.without_play = seen.counts.without_play
    done.records = seen.counts.records
    games = len(part.played.prints.games)
    kept_games = set(range(games))
    if best is not None:
        kept_games = set(best.games(part.origin, part.played))
        left_out = best.counts_left_out(part.played, kept_games)
        done.games_left_out += left_out.games_left_out
        done.records_left_out += left_out.records_left_out
        if games and not kept_games:
            return []
        for other in best.others(part.origin):
            game_number = other.index + 1
            done.other_engines.append((part.path, game_number, other.analyzed_by, other.of_match))
    done.matches += 1
    _count_remarks(part, done, kept_games)
    pieces: list[Piece] = []
    for piece in part.data:
        is_of_several_games = piece.game is None  # only where all games of a match are kept
        if is_of_several_games or piece.game in kept_games:
            pieces.append(piece)
            if piece.table == "decisions":
                done.rows += piece.rows
            else:
                done.candidates += piece.rows
    return pieces


def _count_remarks(part: Part, done: ExportSummary, kept_games: set[int]) -> None:
    """Count what a match, or these of its games, lack."""
    if part.is_loose:
        done.incomplete.append(part.path)
    for index, words in part.cut:
        if index in kept_games:
            done.cut.append((part.path, words))


def _skip(done: ExportSummary, path: str, why: str, *, is_wanted: bool) -> None:
    """Count a file that cannot be read; only some reasons and paths are kept."""
    if is_wanted:
        done.unread.append((path, why))
        return
    reason = why
    if why not in done.skipped and len(done.skipped) >= _REASONS:
        reason = "other reasons"
    done.skipped[reason] += 1
    names = done.examples.setdefault(reason, [])
    if len(names) < _NAMES_OF_A_REASON:
        names.append(path)


# --- in memory --------------------------------------------------------------------------------------------------------


Record: TypeAlias = str | os.PathLike[str] | Match | ScanEntry


def to_table(
    *records: Record | Iterable[Record],
    workers: int | None = None,
    unique: Unique = False,
    analyzed_by: str | None = None,
    analysis_level: Level | str | None = None,
) -> Any:
    """The table of decisions of records, one row each, as a pyarrow Table (extra `tables`).

    pandas, polars and DuckDB take the table as it is. For an archive that does not fit into memory, use `export`.
    `docs/reference/decisions-table.md` describes the columns.

    Args:
        records: paths of files, folders and ZIP archives, as for `scan`; matches; entries of `scan`. Each argument is
            one of these, or an iterable of them. Other files in folders are left out; `scan` and `export` say which,
            and why.
        workers: how many processes read files: None (the default) for one per processor, 1 for only the caller's.
        unique: as for `export`, but everything is read only once and kept in memory until the choice.
        analyzed_by: whose copy is kept where it has one, as for `scan`.
        analysis_level: at which level, as for `scan`.

    Returns:
        The table. With `unique` its metadata has `other_engines`, `ExportSummary.other_engines` as JSON.

    Raises:
        ParseError: a file that you named cannot be read, or the reader crashed on a file (`ScanEntry.has_crashed`); the
            message begins with its path.
        ImportError: pyarrow is not installed.
        ArgumentError: there is something else among the records, or as for `scan`.
        GammonError: an event of a match breaks the rules. Matches that were read from files hold no such events.

    Examples:
        >>> from gammonrules.records import to_table
        >>> table = to_table("examples/matches/galaxy")
        >>> table.num_rows, table["action"][0].as_py()
        (1387, '13/7 8/7')
    """
    pa = pyarrow()
    encode = partial(arrow_of, "decisions")
    pieces = partial(encoded, encode={"decisions": encode}, by_game=unique == "game")
    done = ExportSummary()
    choice = checked_choice(unique, analyzed_by, analysis_level)
    data = (piece.data for piece in pieces_of(records, pieces, workers, choice, done))
    table = pa.concat_tables(
        [table_schema("decisions").empty_table(), *joined_tables(data, "decisions")]
    )
    metadata = dict(table.schema.metadata)
    if choice is not None:
        metadata["other_engines"] = json.dumps(done.other_engines)
    return table.replace_schema_metadata(metadata)


def pieces_of(
    records: Iterable[object],
    pieces: Pieces,
    workers: int | None,
    choice: Choice | None,
    done: ExportSummary | None = None,
) -> Iterator[Piece]:
    """The pieces of records, as `to_table` takes them, counted in `done`. Raises errors like it."""
    if done is None:
        done = ExportSummary()
    seen = Seen()
    best = None
    parts: Iterable[Part] = _parts_of_records(
        records, pieces, checked_workers(workers), with_evaluators=choice is not None
    )
    if choice is not None:
        # only when all are known can one choose; numbered through, since records in memory have no path
        parts = [attrs.evolve(part, origin=("", number)) for number, part in enumerate(parts)]
        best = Best(choice)
        for part in parts:
            best.add(part.origin, part.played)
    return chain.from_iterable(_count_part(part, done, seen, best) for part in parts)


def _parts_of_records(
    records: Iterable[object], pieces: Pieces, workers: int, *, with_evaluators: bool
) -> Iterator[Part]:
    """The parts of each record; paths that follow each other are read together. Raises ParseError for a named file."""
    work = partial(parts_of, pieces=pieces, with_evaluators=with_evaluators)
    for item in entries_and_paths(records):
        if isinstance(item, list):  # of paths
            for parts in for_each(work, together(sources(item)), _lost_parts, workers=workers):
                for part in parts:
                    if part.error is not None and part.is_wanted:
                        raise ParseError(f"{part.path}: {part.error}")
                    yield part
        elif item.match is not None:
            entry = with_played(item, with_evaluators=with_evaluators)
            data = pieces(entry, numbers_by_game())
            yield Part(entry.path, played=played_of(entry), data=data)


def entries_and_paths(
    records: Iterable[object],
) -> Iterator[ScanEntry | list[str | os.PathLike[Any]]]:
    """Each match as an entry of `scan`, and the paths among them, those that follow each other as a list.

    Raises ArgumentError for anything else.
    """
    paths: list[str | os.PathLike[Any]] = []  # names in bytes are refused later
    for record in one_by_one(records):
        if isinstance(record, (str, os.PathLike)):
            paths.append(record)
            continue
        if not isinstance(record, (Match, ScanEntry)):
            raise ArgumentError(f"expected paths or matches, not {shown(record, 60)}")
        if paths:
            yield paths
            paths = []
        yield record if isinstance(record, ScanEntry) else ScanEntry("", record)
    if paths:
        yield paths
