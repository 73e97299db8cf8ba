"""The verdict on one file, as plain data and as JSON. A worker makes it, so it has no match, only what is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import attrs
from attrs import Factory, frozen

from gammonrules.errors import GammonError
from gammonrules.records import Finding, Match, Severity, loads_all, referee
from gammonrules.records.archive import PlayedMatch, Source, failed, played_in, storable
from gammonrules.records.formats import seems_to_be
from gammonrules.records.transcript import is_loose


@frozen
class MatchFacts:
    """What is printed about a match besides its findings."""

    format: str
    match_length: int | None
    is_coin_game: bool
    players: tuple[str, str]
    games: int
    rolls: int
    score: tuple[int, int]


@frozen
class FileVerdict:
    """The result for one file: a match with its findings, or why it cannot be read."""

    file: str
    facts: MatchFacts | None = None
    findings: tuple[Finding, ...] = ()
    error: str | None = None
    is_skipped: bool = False
    """Whether the file is not a record, or cannot be opened, and was not named: it is in a folder or ZIP archive."""
    is_opened: bool = True
    """Whether its content could be read."""
    is_loose: bool = False
    """Whether it is a text of GNU Backgammon with some games of a match."""
    played: PlayedMatch = Factory(PlayedMatch)
    """What was played, by which copies are found."""

    def as_json(self, least: Severity) -> dict[str, Any]:
        """The object that `--json` prints, as `docs/reference/referee.schema.json` describes it."""
        facts = self.facts
        if facts is None:
            return {"version": 1, "file": storable(self.file), "error": storable(self.error or "")}
        return {
            "version": 1,
            "file": storable(self.file),
            "format": facts.format,
            "match_length": facts.match_length or 0,  # 0 in money play
            "players": facts.players,
            "games": facts.games,
            "rolls": facts.rolls,
            "score": facts.score,
            "findings": [attrs.asdict(finding) for finding in self.shown(least)],
        }

    def shown(self, least: Severity) -> list[Finding]:
        """The findings of at least this severity."""
        severities = severities_from(least)
        return [finding for finding in self.findings if finding.severity in severities]


def severities_from(least: Severity) -> list[Severity]:
    """This severity and the worse ones, the worst first."""
    severities = list(Severity)
    return severities[: severities.index(least) + 1]


def verdicts_of(source: Source) -> tuple[FileVerdict, ...]:
    """Read and referee one file: a verdict on each match in it, usually one. A bug of ours raises an exception."""
    content = None  # stays so if the file cannot be opened
    try:
        content = source.content()
        matches = loads_all(content)
    except GammonError as error:
        seems_a_record = content is not None and seems_to_be(content) is not None
        was_read = content is not None
        was_opened_before = source.is_known  # and found to be no record
        verdict = FileVerdict(
            source.path,
            error=str(error),
            is_skipped=not source.is_named and not seems_a_record,
            is_opened=was_read or was_opened_before,
        )
        return (verdict,)
    return tuple(_verdict_on(source.path, match) for match in matches)


def _verdict_on(path: str, match: Match) -> FileVerdict:
    facts = MatchFacts(
        match.format,
        match_length=match.length,
        is_coin_game=match.is_coin_game,
        players=match.players,
        games=len(match.games),
        rolls=match.rolls,
        score=match.score,
    )
    return FileVerdict(
        path, facts, referee(match), is_loose=is_loose(match), played=played_in(match)
    )


def lost_verdict(source: Source, sentence: str) -> tuple[FileVerdict, ...]:
    """The verdict on a file on which the library failed, or whose worker was lost."""
    return (FileVerdict(source.path, error=sentence),)


Form = TypeVar("Form")


def formed(verdict: FileVerdict, form: Callable[[FileVerdict], Form]) -> tuple[FileVerdict, Form]:
    """The verdict, and its form in the output; if that cannot be made, a verdict that says so, and its form."""
    try:
        return verdict, form(verdict)
    except Exception as error:  # noqa: BLE001 - one file must not end the run, not even by a bug of ours
        failure = FileVerdict(verdict.file, error=failed(error))
        return failure, form(failure)
