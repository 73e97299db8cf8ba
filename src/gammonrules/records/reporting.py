"""`report`: a page about how well players play, from an archive of analyzed records."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain, count, groupby
from tempfile import TemporaryFile
from typing import cast

import attrs
from attrs import frozen

from gammonrules.archive import (
    Paths,
    Record,
    Scanned,
    Source,
    entries_of,
    for_each,
    is_path,
    one_by_one,
    sources,
    together,
)
from gammonrules.disk_files import path_text
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.page import Digest, Question, Tally, digests_of, report_page
from gammonrules.transcript import MISTAKES, Match, is_names, part_of
from gammonrules.values import one_of, shown
from gammonrules.work import checked_jobs


def report(
    *records: Record | Iterable[Record],
    player: str | None = None,
    rule: str = "xg",
    engine: str | None = None,
    level: str | None = None,
    names: Mapping[str, str] | None = None,
    file: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[Scanned], object] | None = None,
) -> str:
    """A page about how well players play and where they lose points: one HTML file, which needs no network.

    The page has, for a player: PR, error rate and luck in all, by kind of decision, match, month and opponent; a map of
    what cube decisions cost at each score; results with and without luck; the worst mistakes, with boards and the
    candidates of the engine; openings and replies. Without `player` it has a table of all players, and this for the 50
    with the most decisions. Its numbers are those of `error_rates`.

    Every match and every game counts once for each engine and level: as in the first file in which they analyzed it.
    Numbers of two engines or levels never mix. The page has those with the most decisions, and names the others; choose
    them with `engine` and `level`. Matches without analyses are only counted.

    The archive is read once, and may be larger than the memory: what is summed up later waits in a temporary file, of
    some 5 kB for each match. Kept in memory are about 150 bytes for each match and game, and 5 kB for each player. Of
    each player, the page has sums for up to 200 months and 200 opponents, those with the fewest decisions as one; the
    last 500 matches by their dates; the 1,000 most frequent replies to openings; and the 25 worst mistakes, or 5 if it
    is about all players.

    Args:
        records: paths of files, folders and ZIP archives, as for `scan`; matches; entries of `scan`. Each argument is
            one of these, or an iterable of them.
        player: the player whose report it is; None (the default) for all.
        rule: which decisions count, "xg" or "gnubg", as for `Match.error_rates`.
        engine: whose analyses, by the beginning of the name, or "gnubg"; None (the default) as above.
        level: at which level; None (the default) as above.
        names: the name to count a player under, by the name in the record; `similar_names` proposes pairs.
        file: where the page will be. From there, links lead to the page of each match that is there: of `match.mat`, it
            is called `match.html` or `match.mat.html`, and is beside the record or beside this page. None (the default)
            for no links.
        jobs: how many processes read files: None (the default) for one per processor, 1 for only the caller's.
        progress: called for each file that was read, with an entry as of `scan` that has no match; `error` says why a
            file is not in the report. None (the default) for no calls.

    Returns:
        The document, the same for the same records. What names, remarks and levels contain is shown as text.

    Raises:
        ArgumentError: there is no such player, and perhaps another one with a similar name; an argument is not as
            described here.
        GammonError: an event of a match breaks the rules. Matches that were read from files hold no such events.
        OSError: the temporary file cannot be written.

    Examples:
        >>> from gammonrules.records import report
        >>> page = report("examples/matches/xg", player="Maxence Job")
        >>> "PR" in page, "13.87" in page
        (True, True)
    """
    question = _question(player, rule, engine, level, names)
    here = None if file is None else path_text(file)
    with TemporaryFile() as waiting, closing(_readings(records, question, checked_jobs(jobs))) as readings:
        tally = Tally(waiting)
        for reading in readings:
            for digest in reading.digests:
                games = tally.new_games(digest)
                is_whole = len(games) == len(digest.games)
                for new in [digest] if is_whole else reading.of_games(games, question) if games else ():
                    if new.judge == digest.judge:
                        tally.add(new)
            tally.skipped += reading.entry.error is not None
            if progress is not None:
                progress(attrs.evolve(reading.entry, match=None))
        return report_page(tally, player, here)


def _question(
    player: str | None, rule: str, engine: str | None, level: str | None, names: Mapping[str, str] | None
) -> Question:
    """Raises ArgumentError."""
    if rule not in MISTAKES:
        raise ArgumentError(f"rule must be {one_of([*MISTAKES])}, not {shown(rule, 60)}")
    for argument, text in (("player", player), ("engine", engine), ("level", level)):
        if not isinstance(text, str | None):
            raise ArgumentError(f"{argument} must be a text or None, not {shown(text, 60)}")
    if names is not None and not is_names(names):
        raise ArgumentError(f"names must map names to names, not {shown(names, 60)}")
    return Question(rule, engine, level, names or {})


@frozen
class _Reading:
    """What was read of a match."""

    entry: Scanned
    digests: Sequence[Digest] = ()
    source: Source | None = None
    """Where to read it again; None if the entry has the match."""
    number: int = 0
    """Which entry of the source it is."""

    def of_games(self, games: Sequence[int], question: Question) -> list[Digest]:
        """The digests of the match with these of its games only."""
        entry = self.entry if self.source is None else entries_of(self.source)[self.number]
        return _digests(attrs.evolve(entry, match=part_of(cast("Match", entry.match), games)), self.number, question)


def _digests(entry: Scanned, number: int, question: Question) -> list[Digest]:
    where = f"{entry.path}, match {number}" if number or not entry.path else entry.path
    return [*digests_of(cast("Match", entry.match), entry.path, where, question)]


def _read(question: Question, source: Source) -> list[_Reading]:
    """In a process of its own."""
    readings: list[_Reading] = []
    for number, entry in enumerate(entries_of(source)):
        light = attrs.evolve(entry, match=None)
        try:
            digests = [] if entry.match is None else _digests(entry, number, question)
        except GammonError as error:
            readings.append(_Reading(attrs.evolve(light, error=str(error))))
        else:
            readings.append(_Reading(light, digests, source, number))
    return readings


def _lost(source: Source, sentence: str) -> list[_Reading]:
    files = (source, *source.more)
    return [_Reading(Scanned(file.path, None, sentence, file.is_named, is_lost=True)) for file in files]


def _readings(records: Iterable[object], question: Question, jobs: int) -> Generator[_Reading]:
    numbers = count(1)
    for are_paths, group in groupby(one_by_one(records), is_path):
        if are_paths:
            files = together(sources(cast("Paths", group)))
            with closing(for_each(partial(_read, question), files, _lost, jobs=jobs)) as results:
                yield from chain.from_iterable(results)
        else:
            for record in cast("Iterable[Match | Scanned]", group):
                entry = record if isinstance(record, Scanned) else Scanned("", record)
                number = next(numbers)
                yield _Reading(entry, [] if entry.match is None else _digests(entry, number, question), None, number)
