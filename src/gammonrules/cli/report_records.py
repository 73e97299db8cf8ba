"""The records of a report: each is read once, and what an engine would have to analyze of them is known then."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path, PurePath
from typing import TypeGuard

import attrs
from attrs import Factory, define

from gammonrules.cli.analysis_runs import AnalysisRun, target_below
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.output import lies_in, say
from gammonrules.cli.record_files import SkippedFiles
from gammonrules.records import Match, ScanEntry
from gammonrules.records.archive import KeptItems, Source, entries_of, read_files
from gammonrules.records.page import Tally
from gammonrules.records.transcript import KnownGame


@define
class PlayedFile:
    """What a file holds of the matches that a report counts."""

    rolls: int = 0
    date: dt.date | None = None
    """That of its newest match."""
    matches: dict[int, KnownGame] = Factory(dict[int, KnownGame])
    """Their keys in the tally, by their numbers in the file, from 0."""

    def add(self, number: int, key: KnownGame, match: Match) -> None:
        self.matches[number] = key
        self.rolls += match.rolls
        self.date = max(filter(None, [self.date, match.date]), default=None)


@define
class ReportRecords:
    """The records of a report. What is skipped is said at once."""

    tally: Tally
    folder: Path
    """Where analyses of earlier runs are; they count, but are not analyzed again."""
    root: PurePath
    """The folder that all records are in."""
    kept: KeptItems[Source]
    """All files, if `keeps_all`; else those with a match that nobody has analyzed, which an engine may need."""
    keeps_all: bool
    workers: int | None
    played: dict[str, PlayedFile] = Factory(dict[str, PlayedFile])
    """The files in which the player has played, or all, without those in `folder`, by their paths."""
    is_lost: bool = False
    """Whether something could not be read that may have held a match."""
    _files: dict[str, Source] = Factory(dict[str, Source])
    """All with matches, by their paths."""
    _analyses: set[str] = Factory(set[str])
    """The paths of files in `folder`, if it is in one that is read."""
    _elsewhere: set[str] = Factory(set[str])
    """Those of its files that have the names of analyses of what was read, if it is in none."""
    _of_others: set[str] = Factory(set[str])
    """Those of them that are of other matches."""

    def read(self, files: Sequence[Source], paths: Iterable[str]) -> None:
        """Add up these files, which the paths lead to, and what an earlier run has analyzed of them."""
        if self.folder not in map(Path, paths):
            self._analyses = {
                file.path for file in files if not file.is_named and lies_in(file.path, self.folder)
            }
        skipped = SkippedFiles()
        # records come first, so that what is said of them names them, and not what was written about them
        self._read(sorted(files, key=lambda file: file.path in self._analyses), skipped)
        if not self._analyses:
            targets = [*self._targets_elsewhere()]
            self._elsewhere = {target.path for target in targets}
            if targets:
                self._read(targets, skipped)
        self.tally.finish()
        skipped.say_rest()

    def only_place(self, paths: Sequence[str]) -> str:
        """The one path that leads to all that is counted; "" if there is none."""
        return paths[0] if len(paths) == 1 and not self._elsewhere else ""

    def add_again(self, tally: Tally) -> None:
        """Add up the same matches in another tally, as of another player."""
        tally.skipped = self.tally.skipped
        self.tally = tally
        self.played = {}
        kept = self._kept_of(self._files)
        for file in read_files(
            [kept.get(path, file) for path, file in self._files.items()], self.workers
        ):
            _ = self._add(file, entries_of(file))
        tally.finish()

    def newest_first(self, paths: Iterable[str]) -> list[Source]:
        """These files, those without a date last; what is kept of them is not read again."""
        ordered = sorted(paths, key=lambda path: _days_ago(self.played[path].date))
        kept = self._kept_of({*ordered})
        return [kept.get(path, self._files[path]) for path in ordered]

    def unanalyzed_by(self, run: AnalysisRun) -> list[str]:
        """The files of which this engine has not analyzed all matches."""
        return [path for path, played in self.played.items() if self._is_left_by(run, path, played)]

    def _is_left_by(self, run: AnalysisRun, path: str, played: PlayedFile) -> bool:
        """Whether a match of a file is neither analyzed by this engine, nor was tried in vain by an earlier run."""
        for number, key in played.matches.items():
            is_analyzed = run.plan.by in self.tally.matches[key].evaluators
            target = run.target(path, number)
            is_tried = target.is_file() and str(target) not in self._of_others
            if not is_analyzed and not is_tried:
                return True
        return False

    def targets_without(self, tally: Tally, run: AnalysisRun) -> list[Source]:
        """What another run has analyzed at the same time, of the matches that have no analysis in a tally."""
        files: list[Source] = []
        for path, played in self.played.items():
            for number, key in played.matches.items():
                target = run.target(path, number)
                if not tally.matches[key].evaluators and target.is_file():
                    files.append(Source(str(target), is_named=False))
        return [file for file in read_files(files, self.workers) if self._has_analyses(file)]

    def _has_analyses(self, file: Source) -> bool:
        """Whether a file that has been read has analyses of a match of these records."""
        matches = [entry.match for entry in entries_of(file)]
        games = chain(*(match.games for match in matches if self._is_of_what_was_read(match)))
        return any(any(game.analyses) for game in games)

    def _read(self, files: Sequence[Source], skipped: SkippedFiles) -> None:
        with progress_bar(console_for_output(stderr=True)) as bar:
            task = bar.add_task("Reading records", total=len(files))
            with closing(read_files(files, self.workers)) as files_read:
                for file in files_read:
                    entries = entries_of(file)
                    for entry in entries:
                        if entry.error is not None:
                            skipped.add(entry.path, entry.error)
                        self.is_lost |= entry.has_crashed
                    is_unanalyzed = self._add(file, entries)
                    if self.keeps_all or is_unanalyzed:
                        self.kept.add(file)
                    bar.advance(task)

    def _add(self, file: Source, entries: Iterable[ScanEntry]) -> bool:
        """Add up the matches of a file that has been read; whether nobody has analyzed one of them."""
        is_unanalyzed = False
        for number, entry in enumerate(entries):
            if file.path in self._elsewhere and not self._is_of_what_was_read(entry.match):
                say(file.path, "it is another match than the record of this name: use another DIR")
                self._of_others.add(file.path)
                continue
            is_analysis = file.path in self._analyses or file.path in self._elsewhere
            key = self.tally.add(entry.match, entry.path, is_record=not is_analysis)
            if entry.match is None:
                continue
            self._files[file.path] = attrs.evolve(file, read=None)
            is_unanalyzed |= not any(any(game.analyses) for game in entry.match.games)
            if key is not None and not is_analysis:
                self.played.setdefault(file.path, PlayedFile()).add(number, key, entry.match)
        return is_unanalyzed

    def _is_of_what_was_read(self, match: Match | None) -> TypeGuard[Match]:
        return match is not None and self.tally.is_played(match)

    def _kept_of(self, paths: Container[str]) -> dict[str, Source]:
        """The files at these paths that have been kept."""
        return {file.path: file for file in self.kept if file.path in paths}

    def _targets_elsewhere(self) -> Iterator[Source]:
        """What earlier runs have analyzed of the matches, in a folder that is in none of those read."""
        for path, played in self.played.items():
            for number in played.matches:
                target = target_below(self.folder, self.root, path, number=number)
                if target.is_file():
                    yield Source(str(target), is_named=False)


def _days_ago(date: dt.date | None) -> int:
    """A number by which files are sorted."""
    return 0 if date is None else -date.toordinal()
