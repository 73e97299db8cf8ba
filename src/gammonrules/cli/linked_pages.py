"""A folder of pages that link to one another: a report, a page of each match that it names, and the openings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Final
from urllib.parse import quote

import attrs
from attrs import frozen

from gammonrules import records
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.decision_tables import temporary_table
from gammonrules.cli.output import key_of, must_take_files, names_below, say, writable, write_file
from gammonrules.cli.record_files import renamed
from gammonrules.records import Level
from gammonrules.records.archive import Source, entries_of, for_each, packed_items, pyarrow
from gammonrules.records.internals import match_in_set, openings_in_set, report_in_set
from gammonrules.records.page import Report, Tally, is_page_of
from gammonrules.records.transcript import seat_of_player, with_player_as_asked

REPORT_FILE: Final = "index.html"
_OPENINGS_FILE: Final = "openings.html"
_FOLDER_OF_MATCHES: Final = "matches"
_LINKS_OF_REPORT: Final = {_OPENINGS_FILE: "Openings"}
_LINKS_OF_OPENINGS: Final = {REPORT_FILE: "← Report"}
_LINKS_OF_MATCH: Final = {f"../{REPORT_FILE}": "← Report", f"../{_OPENINGS_FILE}": "Openings"}


@frozen
class PageSet:
    """The pages beside the report in a folder. A page is written after those that it leads to, so no link is dead."""

    folder: Path
    player: str | None
    aliases: Mapping[str, str]
    workers: int | None
    force: bool

    def check(self) -> None:
        """Raises Refused or ImportError, before long work, if the pages cannot be written."""
        must_take_files(self.folder)
        pyarrow()  # for the openings
        with self._openings_writable():
            pass

    def write(
        self,
        tally: Tally,
        kept: Iterable[Source],
        find_in: str,
        write_report: Callable[[str], None],
    ) -> Report:
        """Write all but the last report, which is returned, of the records that are kept, which the tally counts.

        `find_in`: where `gammonrules find` finds them, as of `report_page`.
        `write_report`: writes the report without links, if there is none, since the other pages lead to it.
        """

        def write_others(report_without_links: str, named: Sequence[str]) -> dict[str, str]:
            targets = self._targets_of_matches(named)
            if not (self.folder / REPORT_FILE).exists():
                write_report(report_without_links)
            self._write_openings(
                kept, analyzed_by=tally.analyzed_by, analysis_level=tally.analysis_level
            )
            return self._write_matches(kept, targets)

        return report_in_set(tally, write_others, _LINKS_OF_REPORT, find_in=find_in)

    def _openings_writable(self) -> Any:
        is_ours = partial(is_page_of, "openings")
        return writable(self.folder / _OPENINGS_FILE, force=self.force, is_ours=is_ours)

    def _targets_of_matches(self, named: Iterable[str]) -> dict[str, Path]:
        """Where the page of each match goes, by its file, of those that the report names.

        Raises Refused, before the first page is written, if one of them cannot be.
        """
        names = _names_of_pages(named)
        targets = {path: self.folder / _FOLDER_OF_MATCHES / name for path, name in names.items()}
        for path, target in targets.items():
            with self._match_writable(target, path):
                pass
        return targets

    def _write_matches(self, kept: Iterable[Source], targets: Mapping[str, Path]) -> dict[str, str]:
        """Write a page of each match that is alone in its file; their addresses from the report, by those files."""
        work = partial(_page_of_file, self.player, self.aliases)
        addresses: dict[str, str] = {}
        with progress_bar(console_for_output(stderr=True)) as bar:
            task = bar.add_task("Writing pages", total=len(targets))
            files = (file for file in kept if file.path in targets)
            made = for_each(work, files, _lost_page, workers=self.workers, is_long=True)
            with closing(made):
                for page in made:
                    bar.advance(task)
                    if page.error:
                        say(page.path, page.error)
                    if not page.html:
                        continue
                    target = targets[page.path]
                    with self._match_writable(target, page.path):
                        write_file(target, page.html)
                    addresses[page.path] = quote(f"{_FOLDER_OF_MATCHES}/{target.name}")
        return addresses

    def _match_writable(self, target: Path, record: str) -> Any:
        return writable(target, record, force=self.force, is_ours=partial(is_page_of, "report"))

    def _write_openings(
        self, kept: Iterable[Source], analyzed_by: str | None, analysis_level: Level | str | None
    ) -> None:
        """Those of the player, unless other names count as theirs, which no condition could ask for."""
        conditions: list[str] = []
        title = "Openings"
        if self.player is not None and self.player not in self.aliases.values():
            conditions.append(f"player = {self.player}")
            title = f"Openings by {self.player}"
            kept = (_file_with_player_as_asked(self.player, file) for file in kept)
        rows: list[dict[str, Any]] = []
        table = temporary_table(
            kept,
            with_candidates=True,
            analyzed_by=analyzed_by,
            analysis_level=analysis_level or None,
            workers=self.workers,
            progress=nullcontext(),
        )
        with table as made:
            if made.done.matches:
                tables = made.files
                rows = records.openings(tables.decisions, *conditions, candidates=tables.candidates)
        with self._openings_writable():
            page = openings_in_set(rows, title, _LINKS_OF_OPENINGS)
            write_file(self.folder / _OPENINGS_FILE, page)


def _file_with_player_as_asked(player: str, file: Source) -> Source:
    """The file with one name for both spellings of the player, since a condition asks for one name."""
    entries = entries_of(file)
    for index, entry in enumerate(entries):
        if entry.match is not None:
            players = with_player_as_asked(entry.match.players, player)
            entries[index] = attrs.evolve(entry, match=attrs.evolve(entry.match, players=players))
    return attrs.evolve(file, read=packed_items(entries))


def _names_of_pages(paths: Iterable[str]) -> dict[str, str]:
    """A name for the page of each record: that of its file, with a number where another has it."""
    names: dict[str, str] = {}
    used: set[str] = set()
    numbers: Counter[str] = Counter()
    for path in paths:
        *_, file_name = names_below(PurePath(path), PurePath(path).parent)
        first = renamed(Path(file_name), ".html")
        name = first
        while key_of(name) in used:
            numbers[key_of(first)] += 1
            name = renamed(Path(file_name), f"-{numbers[key_of(first)] + 1}.html")
        used.add(key_of(name))
        names[path] = name.name
    return names


@frozen
class _PageOfMatch:
    """The page of the match in a file; "" without one, and perhaps a sentence why."""

    path: str
    html: str = ""
    error: str = ""


def _page_of_file(player: str | None, aliases: Mapping[str, str], file: Source) -> _PageOfMatch:
    """The page of the only match of a file; of several, as `view` has it, none."""
    matches = [entry.match for entry in entries_of(file) if entry.match is not None]
    if len(matches) != 1:
        return _PageOfMatch(file.path)
    match = matches[0]
    seat = seat_of_player([aliases.get(name, name) for name in match.players], player)
    return _PageOfMatch(file.path, match_in_set(match, seat, _LINKS_OF_MATCH))


def _lost_page(file: Source, sentence: str) -> _PageOfMatch:
    return _PageOfMatch(file.path, error=sentence)
