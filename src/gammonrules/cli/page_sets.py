"""A folder of pages that link to one another: a report, a page of each match that it names, and the openings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path, PurePath
from typing import Any, Final
from urllib.parse import quote

from attrs import frozen

from gammonrules import records
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.output import key_of, must_take_files, names_below, say, writable, write_file
from gammonrules.cli.record_files import renamed
from gammonrules.cli.tables import table_of_records
from gammonrules.match import Player
from gammonrules.records import Match, Scanned
from gammonrules.records.archive import failed, pyarrow, sources, together
from gammonrules.records.internals import (
    for_each_file,
    match_in_set,
    openings_in_set,
    report_in_set,
)
from gammonrules.records.page import Report, Tally, is_page_of

REPORT_FILE: Final = "index.html"
_OPENINGS_FILE: Final = "openings.html"
_FOLDER_OF_MATCHES: Final = "matches"
_LINKS_OF_REPORT: Final = {_OPENINGS_FILE: "Openings"}
_LINKS_OF_OPENINGS: Final = {REPORT_FILE: "← Report"}
_LINKS_OF_MATCH: Final = {f"../{REPORT_FILE}": "← Report", f"../{_OPENINGS_FILE}": "Openings"}


@frozen
class PageSet:
    """What lies beside the report in a folder. A link leads only to what has been written."""

    folder: Path
    player: str | None
    same: Mapping[str, str]
    jobs: int | None
    force: bool

    def check(self) -> None:
        """Raises Refused or ImportError, before long work, if the pages cannot be written."""
        must_take_files(self.folder)
        pyarrow()  # for the openings
        with self._openings_writable():
            pass

    def write(self, tally: Tally, paths: Sequence[str]) -> Report:
        """Write all but the report, which is returned, of the records at these paths, which the tally counts.

        What the tally says of games that are cut off is said with the openings.
        """
        page = report_in_set(tally, partial(self._write_matches, paths), _LINKS_OF_REPORT)
        self._write_openings(paths, tally)
        return page

    def _openings_writable(self) -> Any:
        is_ours = partial(is_page_of, "openings")
        return writable(self.folder / _OPENINGS_FILE, force=self.force, is_ours=is_ours)

    def _write_matches(self, paths: Sequence[str], named: Sequence[str]) -> dict[str, str]:
        """Write a page of each match that is alone in its file; their addresses from the report, by those files.

        `named`: the files, of those at these paths, whose matches the report names.
        """
        names = _names_of_pages(named)
        targets = {path: self.folder / _FOLDER_OF_MATCHES / name for path, name in names.items()}
        for path, target in targets.items():  # all of them, before the first is written
            with self._match_writable(target, path):
                pass
        files = [file for file in together(sources(paths)) if file.path in names]
        work = partial(_pages_of_file, self.player, self.same)
        addresses: dict[str, str] = {}
        with progress_bar(console_for_output(stderr=True)) as bar:
            advance = partial(bar.advance, bar.add_task("Writing pages", total=len(files)))
            made = for_each_file(files, work=work, jobs=self.jobs, progress=advance, is_long=False)
            with closing(made):
                for page in made:
                    if page.error:
                        say(page.path, page.error)
                        continue
                    with self._match_writable(targets[page.path], page.path):
                        write_file(targets[page.path], page.html)
                    addresses[page.path] = quote(f"{_FOLDER_OF_MATCHES}/{names[page.path]}")
        return addresses

    def _match_writable(self, target: Path, record: str) -> Any:
        return writable(target, record, force=self.force, is_ours=partial(is_page_of, "report"))

    def _write_openings(self, paths: Sequence[str], tally: Tally) -> None:
        """Those of the player, unless other names count as theirs, which no condition could ask for."""
        conditions: list[str] = []
        title = "Openings"
        if self.player is not None and self.player not in self.same.values():
            conditions.append(f"player = {self.player}")
            title = f"Openings · {self.player}"
        rows: list[dict[str, Any]] = []
        with table_of_records(
            paths, with_candidates=True, by=tally.by, at=tally.at or None, jobs=self.jobs
        ) as made:
            if made.done.matches:
                files = made.files
                rows = records.openings(files.decisions, *conditions, candidates=files.candidates)
        with self._openings_writable():
            page = openings_in_set(rows, title, _LINKS_OF_OPENINGS)
            write_file(self.folder / _OPENINGS_FILE, page)


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
    """The page of the match in a file, or a sentence why there is none."""

    path: str
    html: str = ""
    error: str = ""


def _pages_of_file(
    player: str | None, same: Mapping[str, str], entries: Sequence[Scanned]
) -> Iterator[_PageOfMatch]:
    """The page of the only match of a file; of several, as `view` has it, none."""
    matched = [entry for entry in entries if entry.match is not None]
    if len(matched) != 1:
        return
    entry = matched[0]
    assert entry.match is not None
    try:
        seat = _seat_of_player(entry.match, player, same)
        yield _PageOfMatch(entry.path, match_in_set(entry.match, seat, _LINKS_OF_MATCH))
    except Exception as error:  # noqa: BLE001 - one record must not end the run, not even by a bug of ours
        yield _PageOfMatch(entry.path, error=failed(error))


def _seat_of_player(match: Match, player: str | None, same: Mapping[str, str]) -> Player | None:
    for seat, name in zip(Player, match.players, strict=True):
        if same.get(name, name) == player:
            return seat
    return None
