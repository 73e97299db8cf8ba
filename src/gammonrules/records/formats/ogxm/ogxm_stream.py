"""Files of OGXM back to back (`.ogxms`), as databases of matches publish them; usually there is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs
from attrs import frozen

from gammonrules.errors import ParseError
from gammonrules.records.formats.ogxm.ogxm_layout import END, HEADER, MAGIC
from gammonrules.records.formats.ogxm.ogxm_reader import is_ogxm, read_ogxm
from gammonrules.records.transcript import FindingKind, FindingLog, Match, Severity

MAX_GAMES: Final = 10_000
"""Games of all files together, and files: as many take about 400 MB of memory."""


@frozen
class _FileLeftOut:
    """Why a file is left out."""

    matches_before: int
    note: str


def read_ogxms(content: bytes) -> tuple[Match, ...]:
    """The match of each file. One that cannot be read is reported with the match before it, or else with the first.

    Raises the first ParseError if there is no match at all.
    """
    matches: list[Match] = []
    refusals: list[_FileLeftOut] = []
    games = 0
    first_error = None
    for files_before, (start, end) in enumerate(files_in(content)):
        if games >= MAX_GAMES or files_before >= MAX_GAMES:
            note = f"no more than {MAX_GAMES:,} games, or files, are read"
            refusals.append(_FileLeftOut(len(matches), note))
            break
        try:
            match = _match_of_file(content[start:end])
        except ParseError as error:
            if first_error is None:
                first_error = error
            note = f"the file that begins at byte {start:,} is left out: {error}"
            refusals.append(_FileLeftOut(len(matches), note))
        else:
            matches.append(match)
            games += len(match.games)
    if not matches:
        raise first_error or ParseError("this OGXM file is empty")
    logs = [FindingLog.after(match.findings) for match in matches]
    for refusal in refusals:
        match_before = max(0, refusal.matches_before - 1)  # the first match if there is none before
        logs[match_before].report(Severity.ERROR, FindingKind.DAMAGED_FILE, refusal.note)
    return tuple(
        attrs.evolve(match, findings=tuple(log)) for match, log in zip(matches, logs, strict=True)
    )


def _match_of_file(content: bytes) -> Match:
    """The match of one file. Raises ParseError."""
    if not is_ogxm(content):
        raise ParseError("it is not OGXM")
    return read_ogxm(content)


def files_in(content: bytes) -> Iterator[tuple[int, int]]:
    """The places where each file begins and ends.

    A file ends where its header says. If it cannot end there, it goes on to the beginning of the next whole file.
    """
    start = 0
    while start < len(content):
        end = _end_of(content, start)
        if end is None:
            end = _next_whole_file(content, start + 1)
        yield start, end
        start = end


def _next_whole_file(content: bytes, at: int) -> int:
    """The place where the next file begins that ends where it says; the end if there is none."""
    begin = content.find(MAGIC, at)
    while begin >= 0 and _end_of(content, begin) is None:
        begin = content.find(MAGIC, begin + 1)
    return len(content) if begin < 0 else begin


def _end_of(content: bytes, at: int) -> int | None:
    """The end of a file that begins here, if it ends where its header says."""
    if len(content) - at < HEADER.size or not content.startswith(MAGIC, at):
        return None
    *_, size = HEADER.unpack_from(content, at)
    is_whole = size >= HEADER.size + len(END) and content.startswith(END, at + size - len(END))
    return at + size if is_whole else None
