"""What `analyze` and `report` have an engine analyze: into which folder, the work in other processes, and its sum."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs
from attrs import Factory, define, frozen
from rich.progress import Progress
from rich.text import Text

from gammonrules import records
from gammonrules._shared.disk_files import utf8
from gammonrules.analysis import Level
from gammonrules.analysis.internals import trials_text
from gammonrules.cli.console import console_for_output, progress_bar, safe_text
from gammonrules.cli.output import (
    is_folder,
    key_of,
    must_stay_below,
    names_below,
    say,
    writable,
    write_file,
)
from gammonrules.cli.player_aliases import hint_to_join, names_to_join
from gammonrules.cli.record_files import SkippedFiles, must_be_read
from gammonrules.cli.rollout_files import rolled_out
from gammonrules.cli.usage_errors import Refused, refusing
from gammonrules.errors import EngineUnsupportedError, GammonError
from gammonrules.match import MatchState
from gammonrules.records import ErrorRate, Game, Match, ScanEntry
from gammonrules.records.archive import (
    PlayedMatch,
    Source,
    content_of,
    played_in,
    sentence,
    with_entries,
)
from gammonrules.records.formats import WRITERS
from gammonrules.records.internals import (
    AnalysisPlan,
    Doubt,
    PlannedRollout,
    evaluators_in,
    for_each_file,
)
from gammonrules.records.transcript import (
    Evaluator,
    KnownGame,
    KnownRecords,
    cut_games,
    merged,
    players_of,
    told_pr,
    trials_of,
    why_none,
)
from gammonrules.records.transcript.header_tags import ignored_rule_in
from gammonrules.values import counted

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import SimpleEngine

_ELSEWHERE = "use another DIR; gammonrules analyze --force replaces it"
_MAX_PLAYERS = 50
_TO_ROLL = MatchState.new(1).opening_roll(white=3, black=1).play("8/5 6/5")

Start: TypeAlias = "Callable[[], SimpleEngine]"


# --- the folder -------------------------------------------------------------------------------------------------------


@frozen
class AnalysisRun:
    """What a command wants of a plan: where records are written, and what is told of them. It can be pickled."""

    plan: AnalysisPlan
    folder: Path
    root: PurePath
    """The folder that all records are in."""
    to: str = "json"
    rule: str = "xg"
    aliases: Mapping[str, str] = Factory(dict[str, str])
    is_forced: bool = False
    """Whether to analyze again, and replace, what the folder has."""
    keeps_records: bool = False
    """Whether what was analyzed is needed then, for a report."""

    def target(self, path: str, number: int = 0) -> Path:
        """Where a record is written; `number` counts the matches of a file from 0."""
        return target_below(self.folder, self.root, path, self.to, number=number)

    def distinct(self, files: Iterable[Source]) -> Iterator[Source]:
        """The files; in the place of one whose name in the folder is that of an earlier one, the error."""
        keys_of_targets: set[str] = set()
        for source in files:
            key = key_of(self.target(source.path))
            if key in keys_of_targets:
                clash = "another file has the same name in DIR: rename it"
                yield attrs.evolve(source, error=clash, is_named=True)
            else:
                keys_of_targets.add(key)
                yield source

    def written_before(self, target: Path, match: Match) -> _WrittenBefore | None:
        """What an earlier run wrote there; None if nothing is there, or if it is to be replaced.

        Raises Refused if it is anything else, which would be lost.
        """
        try:
            if self.is_forced or not target.is_file():
                return None
            content = content_of(target)
            written = records.loads(content, self.to)  # type: ignore[arg-type]
        except OSError as error:
            raise Refused(f"{target}: {sentence(error)}") from None
        except GammonError:
            raise Refused(f"{target} is not a record: {_ELSEWHERE}") from None
        if not self._is_same_match(written, match):
            raise Refused(f"{target} is another match: {_ELSEWHERE}")
        evaluators = evaluators_in(written)
        others = self.plan.others(evaluators)
        if others:
            raise Refused(f"{target} was analyzed by {others[0]}: {_ELSEWHERE}")
        is_analyzed = bool(evaluators)
        # nothing in a record without analyses says whose it is, but we write each record in one way
        if not is_analyzed and not self._is_as_we_write(content, written):
            raise Refused(f"{target} was not written by gammonrules: {_ELSEWHERE}")
        return _WrittenBefore(written, is_analyzed)

    def _is_same_match(self, written: Match, match: Match) -> bool:
        """Whether a record that was written has the games of a match, and its players as the format writes them."""
        games = [game.fingerprint for game in match.games]
        games_written = [game.fingerprint for game in written.games]
        # a format cannot write every name, so both are compared as they are read
        match_read_again = WRITERS[self.to].written(match).again
        return games_written == games and written.players == match_read_again.players

    def _is_as_we_write(self, content: bytes, written: Match) -> bool:
        """Whether these are the bytes that this library writes for the record."""
        return content == utf8(records.dumps(written, self.to))  # type: ignore[call-overload]

    def rates(self, match: Match, target: Path) -> tuple[tuple[str, ErrorRate], ...]:
        """The players with their error rates."""
        players = players_of(match, self.aliases, str(target))
        return tuple(zip(players, match.error_rates(self.rule), strict=True))


@frozen
class _WrittenBefore:
    """What an earlier run wrote."""

    match: Match
    is_analyzed: bool


def target_below(
    folder: Path, root: PurePath, path: str, to: str = "json", *, number: int = 0
) -> Path:
    """Where a record below the root is written in this folder, as `AnalysisRun.target` has it."""
    *folders, name = names_below(PurePath(path), root)
    if number > 0:  # people count them from 1
        name += f"-{number + 1}"
    return folder.joinpath(*folders, name + WRITERS[to].suffixes[0])


def root_of(paths: Iterable[str]) -> PurePath:
    """The folder that all paths are in."""
    folders = [path if is_folder(path) else Path(path).parent for path in paths]
    try:
        return PurePath(os.path.commonpath(folders))
    except ValueError:  # some are absolute, and some are not
        return PurePath()


def checked_evaluator(start: Start, to: str) -> Evaluator:
    """The engine that this function starts, and its level.

    Raises Refused, before long work, if it cannot start, if nobody named it and it is not the one that is meant, or if
    the format cannot be written.
    """
    with refusing():
        smallest_match = Match(("", ""), 1, (Game(1, MatchState.new(1)),))
        _ = records.dumps(smallest_match, to)  # type: ignore[call-overload]
        with start() as engine:
            if engine.advice:  # for error rates it would judge too badly, unless it is wanted
                raise Refused(
                    f"without bgsage there are no error rates: {engine.advice}; "
                    "to have selftaught judge all the same: --engine selftaught"
                )
            with suppress(EngineUnsupportedError):
                # the default engine starts bgsage when it is first needed: now, with a question
                _ = engine.roll_equities(_TO_ROLL)
            return Evaluator(engine.name, engine.level)


def rollout_level_from(start: Start) -> Level:
    """What an engine that rolls out calls this. Raises Refused if it cannot start."""
    with refusing(), start() as engine:
        return engine.level


# --- the work, in a process of its own --------------------------------------------------------------------------------


@frozen
class AnalyzedRecord:
    """How the analysis of a record ended."""

    path: str
    error: str | None = None
    is_skipped: bool = False
    """Whether the file is no record, and was not named."""
    is_old: bool = False
    """Whether it was analyzed by an earlier run."""
    rates: tuple[tuple[str, ErrorRate], ...] = ()
    """The players with their error rates."""
    trials: Counter[str] = Factory(Counter[str])
    """Those of rollouts that may end early, as `trials_of` has them."""
    target: Path = Path()
    analyzed: Source | None = None
    """What was written there, if the run keeps it."""
    doubts: Sequence[Doubt] = ()
    """What is to be rolled out in it."""
    unknown: Counter[str] = Factory(Counter[str])
    """Why decisions have no analysis."""
    why_none: str = ""
    """Why not a single one has one."""
    ignored_rule: str | None = None
    """The rule that the engine ignored."""
    played: PlayedMatch = Factory(PlayedMatch)
    """What was played, by which copies are found."""
    cut: tuple[str, ...] = ()
    """A sentence about each game of which only the beginning could be replayed."""
    is_loose: bool = False


def _analyzed_records(run: AnalysisRun, entries: Sequence[ScanEntry]) -> list[AnalyzedRecord]:
    matches_done = Counter[str]()  # by the path of their file
    done: list[AnalyzedRecord] = []
    for entry in entries:
        number = matches_done[entry.path]
        done.append(_analyzed_record(run, entry, number))
        matches_done[entry.path] += 1
    return done


def _analyzed_record(run: AnalysisRun, entry: ScanEntry, number: int) -> AnalyzedRecord:
    """Analyze a record and write it, unless an earlier run did."""
    if entry.match is None:
        return AnalyzedRecord(entry.path, entry.error, is_skipped=not must_be_read(entry))
    try:
        return _analyzed_match(run, entry, entry.match, number)
    except Refused as why:
        return AnalyzedRecord(entry.path, why.message)
    except GammonError as error:
        return AnalyzedRecord(entry.path, str(error))


def _analyzed_match(
    run: AnalysisRun, entry: ScanEntry, match_read: Match, number: int
) -> AnalyzedRecord:
    """As `_analyzed_record`, of the match of an entry. Raises Refused and GammonError."""
    target = run.target(entry.path, number)
    must_stay_below(run.folder, target)
    in_folder = _match_in_folder(run, entry.path, target, match_read)
    match = in_folder.match
    analyzed_file: Source | None = None
    if run.keeps_records:
        analyzed_file = with_entries(Source(str(target)), [ScanEntry(str(target), match)])
    return AnalyzedRecord(
        entry.path,
        is_old=in_folder.is_old,
        rates=run.rates(match, target),
        trials=_trials_in(match),
        target=target,
        analyzed=analyzed_file,
        doubts=run.plan.doubts_in(match),
        unknown=in_folder.unknown,
        why_none=why_none(match, in_folder.unknown),
        ignored_rule=ignored_rule_in(match.tags),
        played=played_in(match),
        cut=tuple(words for _, words in cut_games(match_read)),
        is_loose=entry.is_incomplete,
    )


@frozen
class _MatchInFolder:
    """A match as the folder has it, and why decisions have no analysis, counted, if this run has analyzed it."""

    match: Match
    is_old: bool = False
    unknown: Counter[str] = Factory(Counter[str])


def _match_in_folder(
    run: AnalysisRun, path: str, target: Path, match_read: Match
) -> _MatchInFolder:
    """The match that an earlier run, or another one at this time, has written; else it is analyzed and written.

    Raises Refused and GammonError.
    """
    before = run.written_before(target, match_read)
    if before is not None and before.is_analyzed:
        return _MatchInFolder(before.match, is_old=True)
    match = match_read if before is None else before.match
    # an earlier run wrote the match without analyses: nothing is lost if it is replaced
    is_without_analyses = before is not None
    may_replace = run.is_forced or is_without_analyses
    try:
        with writable(target, path, force=may_replace):
            analyzed = run.plan.analyzed(match)
            write_file(target, records.dumps(analyzed.match, run.to))  # type: ignore[call-overload]
    except (Refused, GammonError):
        meanwhile = run.written_before(target, match_read)
        if meanwhile is None or (is_without_analyses and not meanwhile.is_analyzed):
            raise  # no other run has written it
        return _MatchInFolder(meanwhile.match, is_old=True)
    return _MatchInFolder(analyzed.match, unknown=analyzed.unknown)


def _trials_in(match: Match) -> Counter[str]:
    return trials_of(decision.analysis for decision in match.decisions())


# --- the run ----------------------------------------------------------------------------------------------------------


def carry_out(
    run: AnalysisRun,
    files: Iterable[Source],
    workers: int | None,
    *,
    rolls: Mapping[str, int] | None = None,
    after: Callable[[AnalyzedRecord], None] = lambda _record: None,
) -> AnalysisTotal:
    """Read the records in these files, have them analyzed and rolled out, and add up what comes of it.

    `rolls`: how many are in each file, by its path, for the bar; without it each file counts as much.
    `after`: what is done with each record that has been analyzed, when it is.
    """
    total = AnalysisTotal(aliases=run.aliases)
    in_doubt: list[AnalyzedRecord] = []
    distinct_files = [*run.distinct(files)]
    weights = [1 if rolls is None else rolls[file.path] for file in distinct_files]
    work = partial(_analyzed_records, run)
    with progress_bar(console_for_output(stderr=True)) as bar:
        words = "Analyzing" if rolls is None else "Analyzing rolls"
        task = bar.add_task(words, total=sum(weights))
        weights_in_order = iter(weights)  # files come in their order

        def advance() -> None:
            bar.advance(task, next(weights_in_order))

        with closing(for_each_file(distinct_files, work, workers, advance)) as done:
            for record in done:
                after(record)
                if record.doubts:
                    in_doubt.append(record)
                else:
                    total.add(record)
        rollout = run.plan.rollout
        if rollout is not None:
            for record in _rolled_out_records(run, rollout, in_doubt, workers=workers, bar=bar):
                total.add(record)
    total.skipped.say_rest()
    return total


def _rolled_out_records(
    run: AnalysisRun,
    rollout: PlannedRollout,
    in_doubt: Sequence[AnalyzedRecord],
    *,
    workers: int | None,
    bar: Progress,
) -> Iterator[AnalyzedRecord]:
    """The records in which decisions are rolled out, with what comes of it."""
    decisions = sum(len(record.doubts) for record in in_doubt)
    task = bar.add_task("Rolling out", total=decisions, visible=bool(in_doubt))
    doubts = {record.target: record.doubts for record in in_doubt}
    results = rolled_out(rollout.start, doubts, workers, advance=partial(bar.advance, task))
    with refusing(), closing(results):
        for record, result in zip(in_doubt, results, strict=True):
            if result.match is not None:
                rates = run.rates(result.match, record.target)
                trials = _trials_in(result.match)
                yield attrs.evolve(record, error=result.error, rates=rates, trials=trials)
            else:
                yield attrs.evolve(record, error=result.error)


# --- the sum ----------------------------------------------------------------------------------------------------------


_OLD: Final = "already there"
_IN_VAIN: Final = "not analyzed"
_FAILED: Final = "failed"
_SKIPPED: Final = "skipped, not records"


@define
class AnalysisTotal:
    """What came of all records."""

    written: int = 0
    """How many are in the folder, with their analyses."""
    counts: Counter[str] = Factory(Counter[str])
    """How many records ended otherwise than by an analysis, in words."""
    players: dict[str, list[ErrorRate]] = Factory(dict[str, list[ErrorRate]])
    trials: Counter[str] = Factory(Counter[str])
    unknown: Counter[str] = Factory(Counter[str])
    aliases: Mapping[str, str] = Factory(dict[str, str])
    """The name to list a player under, by each other name."""
    known: KnownRecords = Factory(KnownRecords)
    """The records, for copies among them."""
    matches: set[KnownGame] = Factory(set[KnownGame])
    """The matches whose players have been added."""
    cut: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    loose: list[str] = Factory(list[str])
    skipped: SkippedFiles = Factory(SkippedFiles)

    @property
    def failed(self) -> int:
        """How many records failed."""
        return self.counts[_FAILED]

    @property
    def in_vain(self) -> int:
        """In how many the engine knew no decision."""
        return self.counts[_IN_VAIN]

    def add(self, record: AnalyzedRecord) -> None:
        """Count a record; what went wrong is said at once."""
        if record.error is not None:
            if record.is_skipped:
                self.counts[_SKIPPED] += 1
                self.skipped.add(record.path, record.error)
            else:
                self.counts[_FAILED] += 1
                say(record.path, record.error)
            return
        self.written += 1
        self.unknown += record.unknown
        self.trials += record.trials
        if record.ignored_rule:
            self.counts[f"ignoring {record.ignored_rule}"] += 1
        if record.is_old:
            self.counts[_OLD] += 1
        if record.why_none:
            self.counts[_IN_VAIN] += 1
            say(record.path, record.why_none)
        self.cut += [(record.path, words) for words in record.cut]
        if record.is_loose:
            self.loose.append(record.path)
        names = [self.aliases.get(name, name) for name in record.played.players]
        match = self.known.add(names, record.played.prints).played
        if match not in self.matches:
            self.matches.add(match)
            for name, rate in record.rates:
                self.players.setdefault(name, []).append(rate)

    def lines(self) -> Iterator[Text]:
        """The table of players, those with the most decisions first, and what was not analyzed."""
        if self.players:
            yield Text(_HEAD, "dim")
        rates = merged(self.players)
        players = sorted(rates, key=lambda name: rates[name].decisions, reverse=True)
        for name in players[:_MAX_PLAYERS]:
            line = f"{len(self.players[name]):>8,}{_rate_cells(rates[name])}  "
            yield Text(line).append_text(safe_text(name))
        if len(players) > _MAX_PLAYERS:
            yield Text(f"  and {counted(len(players) - _MAX_PLAYERS, 'more player')}")
        for names in names_to_join(self.players)[:_MAX_PLAYERS]:
            yield safe_text(hint_to_join(names[:2]))  # the option takes two, and can be repeated
        for why, number in self.unknown.most_common():
            decisions = counted(number, "decision")
            yield Text.assemble(f"{decisions} without an analysis: ", safe_text(why))
        if self.known.counts.has_copies:
            yield Text(str(self.known.counts))

    def summary(self, engine: str, folder: str) -> Text:
        """What was analyzed, and what was not."""
        new = self.written - self.counts[_OLD] - self.counts[_IN_VAIN]
        remarks = [f"; {words}: {number:,}" for words, number in self.counts.items()]
        if self.trials:
            remarks.append(f"; {trials_text(self.trials).lower()}")
        records_analyzed = self.known.counts.of_records(new)
        analyzed = safe_text(f"{records_analyzed} analyzed by {engine}, in ")
        return Text.assemble(analyzed, safe_text(folder), *remarks)


_HEAD: Final = (
    f"{'matches':>8}{'decisions':>11}{'error rate':>12}{'PR':>8}"
    f"{'luck':>9}{'net luck':>11}{'worth':>8}  player"
)


def _rate_cells(rate: ErrorRate) -> str:
    pr = told_pr(rate)
    error_rate = "-" if pr is None else f"{2 * pr:.1f}"
    words = f"{pr:.2f}" if pr is not None else "too few" if rate.decisions else "-"
    luck = f"{_signed_cell(rate.luck):>9}{_signed_cell(rate.luck_net):>11}{_signed_cell(rate.luck_worth):>8}"
    return f"{rate.decisions:>11,}{error_rate:>12}{words:>8}{luck}"


def _signed_cell(number: float | None) -> str:
    return "-" if number is None else f"{number:+.2f}"
