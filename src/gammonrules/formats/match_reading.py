"""The games of a match, one after another: with which state each begins, and how they are numbered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, cast

import attrs
from attrs import define, field, frozen

from gammonrules.errors import GammonError
from gammonrules.formats.game_replay import Place
from gammonrules.match import Cube, MatchState
from gammonrules.rules import Rules
from gammonrules.transcript import (
    Analysis,
    EncodedAnalysis,
    Finding,
    FindingKind,
    FindingLog,
    Game,
    Match,
    Severity,
    Tags,
    known_game,
    quoted,
    renumbered,
    score_after,
)

Source = TypeVar("Source")


@frozen
class RawGame(Generic[Source]):
    """What a file states about a game before its first action."""

    heading: Place
    source: Source
    """The game as the reader has taken it apart."""
    score: tuple[int, int] | None
    """The score before the game; None if only the games before it tell."""
    crawford: bool | None = None
    """Whether this is the Crawford game; None if only the scores tell."""
    cube: Cube = field(factory=Cube)
    """The cube before the first roll, which ties may have doubled."""


@define
class MatchReading(Generic[Source]):
    """A match that is replayed game by game: a reader takes its `starts`, and puts each game into `games`."""

    raw_games: Sequence[RawGame[Source]]
    length: int | None
    """To which the games are played."""
    rules: Rules
    findings: FindingLog
    """Those about games have their numbers in the file until the match is complete."""
    games: dict[int, Game] = field(init=False, factory=dict)
    """The games replayed so far, by their numbers in the file, counted from 1."""

    @property
    def score(self) -> tuple[int, int]:
        """The score after the games so far."""
        return score_after(next(reversed(self.games.values()))) if self.games else (0, 0)

    def stated_score(self, index: int) -> tuple[int, int] | None:
        """The score before a game in the file; None if the file does not state it, or has no such game."""
        return self.raw_games[index - 1].score if index <= len(self.raw_games) else None

    def starts(self) -> Iterator[tuple[int, RawGame[Source], MatchState]]:
        """The games that can begin, with their numbers in the file; each other one becomes a finding."""
        crawford_over = False
        for index, raw in enumerate(self.raw_games, start=1):
            score = self.score if raw.score is None else raw.score
            crawford = False if raw.crawford is None and crawford_over else raw.crawford
            try:
                start = MatchState.new(self.length, rules=self.rules, score=score, crawford=crawford)
                if raw.cube != start.cube:
                    start = attrs.evolve(start, cube=raw.cube)
            except GammonError as error:
                note = f"no game can start like this, so the game is left out: {error}"
                about = Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, note
                self.findings.report(*about, text=raw.heading.text, line=raw.heading.line)
                continue
            crawford_over |= start.crawford
            yield index, raw, start

    def report(self, index: int, severity: Severity, kind: FindingKind, note: str) -> None:
        """Add a finding about the heading of a game."""
        heading = self.raw_games[index - 1].heading
        self.findings.report(severity, kind, note, text=heading.text, line=heading.line, game=index)

    def match(
        self,
        players: tuple[str, str],
        length: int | None,
        tags: Tags,
        comments: Iterable[str],
        format: str,  # noqa: A002
        rolls: int | None = None,
    ) -> Match:
        """The match, whose games are numbered without those that are left out; `length` is the stated one."""
        findings = renumbered(self.findings, [*self.games])
        games = tuple(self.games.values())
        return Match(players, length, games, self.rules, tags, tuple(comments), format, findings, rolls)


def coin_game(stated: int | None, played: int | None, text: str, line: int | None) -> Iterator[Finding]:
    """The finding about a coin game, whose games are not played to the stated length; see `Match.is_coin_game`."""
    if played != stated:
        note = "this is a coin game, one game of money play written as a match"
        yield Finding(Severity.INFO, FindingKind.COIN_GAME, None, None, quoted(text), note, line)


def as_analyzed(game: Game, length: int | None) -> Game:
    """A coin game whose analyses are those of a match to `length`, which its program took it for; others unchanged."""
    if game.start.length == length or length is None:
        return game

    def of_a_match(stored: Analysis | EncodedAnalysis | None) -> EncodedAnalysis | None:
        return EncodedAnalysis((length, stored), _decode_as_of_a_match) if isinstance(stored, EncodedAnalysis) else None

    analyses, pending = tuple(map(of_a_match, game.analyses)), of_a_match(game.pending_analysis)
    return known_game(attrs.evolve(game, analyses=analyses, pending_analysis=pending), tuple(game.states()))


def _decode_as_of_a_match(data: object, state: MatchState) -> Analysis | None:
    """The analysis of a state of money play, as if it were of a match."""
    length, stored = cast("tuple[int, EncodedAnalysis]", data)
    if state.result is not None:
        return None
    cube = Cube(1) if state.cube.owner is None else state.cube  # no automatic doubles in a match, and no beavers
    return stored.decode(stored.data, attrs.evolve(state, length=length, cube=cube, offer=None))
