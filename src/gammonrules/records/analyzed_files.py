"""`analyze_files`: the records of an archive with an engine's analyses, on all processors."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import TypeAlias, TypeVar

import attrs
from attrs import Factory, define, frozen

from gammonrules._shared.forks import ForkableLock
from gammonrules._shared.map_functions import MapFunction
from gammonrules._shared.pickles import pickled, unpickled
from gammonrules._shared.work import CacheOfOne, checked_workers_or_map
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import MatchState
from gammonrules.records.analyzing import Analyzer, Only, analyze
from gammonrules.records.archive import (
    Paths,
    ScanEntry,
    Source,
    entries_of,
    for_each,
    lost_entry,
    read_files,
    sources,
    together,
)
from gammonrules.records.transcript import Evaluator, Match, levels_by_engine, why_none
from gammonrules.values import check_function, error_text, shown

Start: TypeAlias = Callable[[], Analyzer]
_Item = TypeVar("_Item")
_T = TypeVar("_T")
_Work: TypeAlias = Callable[[Sequence[ScanEntry]], Iterable[_T]]

_MAX_CACHED = 10_000


def analyze_files(
    *paths: Paths, engine: Start, workers: int | MapFunction | None = None
) -> Generator[ScanEntry]:
    r"""Have an engine analyze all records of an archive, one after another, on all processors or on a cluster.

    What this engine has analyzed already, at this level, is not analyzed again. The records come in the order of
    `scan`, each as soon as it and those before it are done. Each process starts an engine of its own; they end when
    the iterator ends or is closed, and on a cluster with their process.

    Args:
        paths: files, folders and ZIP archives, as for `scan`.
        engine: a function that starts the engine, such as `SimpleEngine.bgsage`, or a `functools.partial` of it with
            arguments. Unless `workers` is 1, other processes must be able to import it.
        workers: the number of processes: None (the default) for one per processor, 1 for only the caller's. Or a
            `MapFunction`, which works in their place, for example on a cluster (extra `arena`). This process reads the
            files, so that the others need only gammonrules and the engine.

    Returns:
        An iterator of the entries of `scan`, without fingerprints, each with its analyzed match; or with the `error`:
        why it cannot be read, why the engine has failed (`has_crashed`), or why it has analyzed none of its decisions.

    Raises:
        ArgumentError: as for `scan`; `engine` is not a function; `workers` is neither a number of processes nor a
            function; `engine` cannot be sent to other processes; or a map function does not return a result for each
            file.

    Examples:
        >>> from functools import partial
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gammonrules.engine import SimpleEngine
        >>> from gammonrules.records import analyze_files
        >>> text = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3"
        >>> bgsage = partial(SimpleEngine.bgsage, level=1)
        >>> with TemporaryDirectory() as folder:
        ...     Path(folder, "a.mat").write_text(text) > 0
        ...     for entry in analyze_files(folder, engine=bgsage, workers=1):
        ...         play = next(entry.match.decisions())
        ...         print(play.best, play.error > 0.1)
        True
        8/5 6/5 True
    """
    check_function("engine", engine)
    number_or_map = checked_workers_or_map(workers)
    files = together(sources(*paths))
    if callable(number_or_map):
        sent = pickled(engine, "engine", "an analysis on a cluster")
        files_read = read_files(files, workers=1)
        return for_each_file(files_read, partial(with_analyses, sent), number_or_map)
    if number_or_map > 1:
        try:
            _ = pickle.dumps(engine)
        except Exception as error:
            sentence = f"engine: {shown(engine, 60)} cannot be sent to other processes; with workers=1 nothing is sent"
            raise ArgumentError(sentence) from error
    return for_each_file(files, partial(with_analyses, engine), number_or_map)


def for_each_file(
    files: Iterable[Source],
    work: _Work[_T],
    workers: int | MapFunction | None,
    progress: Callable[[], object] = lambda: None,
) -> Generator[_T]:
    """The results of a function for the entries of each file, also of one that is lost; `progress` follows each."""
    work_on_file = partial(_results_of_entries, work)
    lost = partial(_results_of_lost, work)
    results = for_each_with_engine(work_on_file, files, lost, workers)
    with closing(results):
        for result in results:
            yield from result
            progress()


def _results_of_entries(work: _Work[_T], file: Source) -> list[_T]:
    with _lock:
        return [*work(entries_of(file))]


def _results_of_lost(work: _Work[_T], file: Source, sentence: str) -> list[_T]:
    return [*work([lost_entry(file, sentence)])]


def for_each_with_engine(
    function: Callable[[_Item], _T],
    items: Iterable[_Item],
    lost: Callable[[_Item, str], _T],
    workers: int | MapFunction | None,
) -> Generator[_T]:
    """As the `for_each` of archives; the engine that `analyzed_by` runs in this process is closed at the end."""
    try:
        with closing(for_each(function, items, lost, workers=workers, is_long=True)) as results:
            yield from results
    finally:
        with _lock:
            _running_engine.close()


@define(eq=False)
class RunningEngine:
    """An engine with the answers that it has given."""

    engine: Analyzer
    cache: dict[object, object] = Factory(dict[object, object])

    def close(self) -> None:
        """End the engine, if it is one that ends."""
        getattr(self.engine, "close", lambda: None)()


def _started(start: Start | bytes) -> RunningEngine:
    return RunningEngine(unpickled(start, "engine")())


_running_engine = CacheOfOne[Start | bytes, RunningEngine](_started)
"""That of this process. A function that was sent here with each file is a new one each time, but its pickle is not."""
_lock = ForkableLock()
"""It has one file at a time, also where a process of a cluster has several threads."""


@frozen
class AnalyzedMatch:
    """A match after its analysis, and why decisions have none, counted."""

    match: Match
    unknown: Counter[str] = Factory(Counter[str])


def analyzed_by(start: Start | bytes, match: Match, only: Only | None = None) -> AnalyzedMatch:
    """As `analyze`, by the engine of this process."""
    unknown = Counter[str]()

    def count(_state: MatchState, why: str | None) -> None:
        if why:
            unknown[why] += 1

    try:
        running = _running_engine.get(start)
        if len(running.cache) > _MAX_CACHED:
            running.cache.clear()
        analyzed = analyze(match, running.engine, only=only, cache=running.cache, progress=count)
    except GammonError:
        _running_engine.close()
        raise
    return AnalyzedMatch(analyzed, unknown)


def analyzed_once(start: Start | bytes, match: Match, by: Evaluator) -> AnalyzedMatch:
    """As `analyzed_by`, but a match that this engine has analyzed already, at this level, stays as it is."""
    levels = levels_by_engine(match.decisions()).get(by.engine, ())
    if by.level in levels:
        return AnalyzedMatch(match)
    return analyzed_by(start, match)


def with_analyses(start: Start | bytes, entries: Iterable[ScanEntry]) -> Iterator[ScanEntry]:
    """The entries with analyses, as `analyze_files` has them."""
    for entry in entries:
        try:
            if entry.match is None:
                yield entry
            else:
                yield _with_its_analyses(start, entry, entry.match)
        except GammonError as error:
            yield attrs.evolve(entry, match=None, error=error_text(error), has_crashed=True)


def _with_its_analyses(start: Start | bytes, entry: ScanEntry, match: Match) -> ScanEntry:
    engine = _running_engine.get(start).engine
    by = Evaluator(engine.name, engine.level)
    analyzed = analyzed_once(start, match, by)
    why = why_none(analyzed.match, analyzed.unknown)
    if why:
        return attrs.evolve(entry, match=None, error=why)
    return attrs.evolve(entry, match=analyzed.match)
