"""Files of OGXM back to back (`.ogxms`), as databases of matches publish them; usually there is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from gammonrules.errors import ParseError
from gammonrules.records.formats.ogxm.ogxm_layout import END, HEADER, MAGIC
from gammonrules.records.formats.ogxm.ogxm_reader import is_ogxm, read_ogxm
from gammonrules.records.transcript import FindingKind, FindingLog, Match, Severity

MOST_GAMES: Final = 10_000
"""Games of all files together, and files: as many take about 400 MB of memory."""


def read_ogxms(content: bytes) -> tuple[Match, ...]:
    """The match of each file. One that cannot be read is reported with the match before it, or else with the first.

    Raises the first ParseError if there is no match at all.
    """
    matches = list[Match]()
    refusals = list[tuple[int, str]]()
    games = 0
    first = ParseError("this OGXM file is empty")
    for number, (start, end) in enumerate(files_in(content)):
        if max(games, number) >= MOST_GAMES:
            refusals.append(
                (len(matches), f"no more than {MOST_GAMES:,} games, or files, are read")
            )
            break
        try:
            if not is_ogxm(content[start : start + HEADER.size]):
                raise ParseError("it is not OGXM")  # noqa: TRY301
            matches.append(read_ogxm(content[start:end]))
            games += len(matches[-1].games)
        except ParseError as error:
            first = error if not (matches or refusals) else first
            refusals.append(
                (len(matches), f"the file that begins at byte {start:,} is left out: {error}")
            )
    if not matches:
        raise first
    logs = [FindingLog.after(match.findings) for match in matches]
    for before, note in refusals:
        logs[max(0, before - 1)].report(Severity.ERROR, FindingKind.DAMAGED_FILE, note)
    return tuple(
        attrs.evolve(match, findings=tuple(log)) for match, log in zip(matches, logs, strict=True)
    )


def files_in(content: bytes) -> Iterator[tuple[int, int]]:
    """Where each file begins and ends: where it says so, or if it ends otherwise, where the next whole one begins."""
    at = 0
    while at < len(content):
        if (end := _end_of(content, at)) is None:
            end = content.find(MAGIC, at + 1)
            while end >= 0 and _end_of(content, end) is None:
                end = content.find(MAGIC, end + 1)
            end = len(content) if end < 0 else end
        yield at, end
        at = end


def _end_of(content: bytes, at: int) -> int | None:
    """The end of a file that begins here, if it ends where its header says."""
    if len(content) - at < HEADER.size or not content.startswith(MAGIC, at):
        return None
    *_, size = HEADER.unpack_from(content, at)
    is_whole = size >= HEADER.size + len(END) and content.startswith(END, at + size - len(END))
    return at + size if is_whole else None
