"""What a report needs of a match: it is made where the match is read, perhaps in another process, and it is small."""

from __future__ import annotations

import datetime as dt
import pickle
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from typing import Final, TypeAlias

import attrs
from attrs import frozen

from gammonrules.board import Position
from gammonrules.match import Pair, Player
from gammonrules.transcript import (
    Decision,
    DecisionKind,
    ErrorRate,
    Errors,
    Game,
    Match,
    added,
    decoded,
    fingerprints_of,
    is_by,
    judges_in,
    known_game,
    players_of,
    rated,
    won_in,
)

Judge: TypeAlias = tuple[str, str]
"""An engine, and the level at which it was asked to look; "" if that is not one level."""
Cell: TypeAlias = tuple[str, ...]
"""Decisions that are told together: what they have in common, which begins with the name of a table."""
MOST_WORST: Final = 25
"""The mistakes of a player that are shown."""
FARTHEST: Final = 9
"""Points away; those who need more are in the same row of the map of scores."""
MONEY: Final[Cell] = ("cube", "money")


@frozen
class Question:
    """What a report is asked for."""

    rule: str = "xg"
    engine: str | None = None
    level: str | None = None
    names: Mapping[str, str] = {}
    """The name to count a player under, by the name in the record."""


@frozen
class Mistake:
    """A decision that cost something, with its analysis decoded."""

    decision: Decision
    error: float
    path: str
    names: Pair[str]
    date: dt.date | None


@frozen
class Digest:
    """A match as an engine judges it at one level, or without a judge."""

    path: str
    judge: Judge | None
    names: Pair[str]
    """Whom White and Black count as."""
    date: dt.date | None
    length: int | None
    score: Pair[int]
    winner: Player | None
    match: str | None
    """The fingerprint of the match."""
    games: tuple[str | None, ...]
    """The fingerprints of its games."""
    rates: Mapping[Player, ErrorRate] = {}
    """Empty without a judge."""
    details: Mapping[Player, bytes] = {}
    """The same, packed, since most of them are never looked at."""

    @property
    def light(self) -> Digest:
        """The same without what it takes to compare it, and to tell more of it."""
        return attrs.evolve(self, games=(), details={})

    def details_of(self, player: Player) -> tuple[dict[Cell, Errors], list[Mistake]]:
        """What the decisions of each cell cost, and the worst mistakes."""
        details: tuple[dict[Cell, Errors], list[Mistake]] = pickle.loads(zlib.decompress(self.details[player]))  # noqa: S301 - made below
        return details


def digests_of(match: Match, path: str, where: str, question: Question) -> Iterator[Digest]:
    """The digest of a match by each engine and level that is asked for; if there is none, one without a judge.

    Raises ArgumentError if it cannot be told who analyzed it, and GammonError if an event breaks the rules.
    """
    names = Pair(players_of(match, question.names, where))
    facts = match.date, match.length, match.score, match.winner
    plain = Digest(path, None, names, *facts, *fingerprints_of(match))
    games = [(game.start, [*game.decisions()], won_in(game)) for game in map(_decoded, match.games)]
    judged = plain
    for engine, levels in judges_in(decision for _, decisions, _ in games for decision in decisions).items():
        for level in [question.level] if question.level else levels if len(levels) > 1 else [None]:
            if is_by(engine, question.engine):
                rates, counted = rated(games, question.rule, engine, level)
                if any(rate.decisions or rate.luck is not None for rate in rates):
                    judge = engine, level or next(iter(levels), "")
                    judged = attrs.evolve(
                        plain,
                        judge=judge,
                        rates=dict(zip(Player, rates, strict=True)),
                        details=_details(plain, [*counted]),
                    )
                    yield judged
    if judged is plain:
        yield plain


def _decoded(game: Game) -> Game:
    """The same game with its analyses decoded, so that this is done once."""
    states = (*game.states(),)
    analyses = tuple(decoded(analysis, state) for analysis, state in zip(game.analyses, states, strict=False))
    return known_game(attrs.evolve(game, analyses=analyses), states)


def _details(digest: Digest, counted: Sequence[tuple[Decision, Errors]]) -> dict[Player, bytes]:
    details: dict[Player, bytes] = {}
    for player in Player:
        cells: dict[Cell, list[Errors]] = defaultdict(list)
        for cell, errors in _cells(counted, player):
            cells[cell].append(errors)
        wrong = ((decision, errors.error) for decision, errors in counted if decision.player is player and errors.error)
        worst = nlargest(MOST_WORST, wrong, key=lambda mistake: mistake[1])
        mistakes = [Mistake(decision, error, digest.path, digest.names, digest.date) for decision, error in worst]
        packed = pickle.dumps(({cell: added(errors) for cell, errors in cells.items()}, mistakes))
        details[player] = zlib.compress(packed, 1)
    return details


def _cells(counted: Sequence[tuple[Decision, Errors]], player: Player) -> Iterator[tuple[Cell, Errors]]:
    """Each decision of a player with the cells that it is in."""
    opening, last = tuple[str, ...](), -1
    for decision, errors in counted:
        if decision.index < last:
            opening = ()  # another game
        last = decision.index
        is_play = decision.kind is DecisionKind.PLAY
        if is_play and decision.turn == 1:
            opening = (str(decision.dice), decision.action) if decision.state.position == Position.start() else ()
        if decision.player is player:
            yield ("kind", "play" if is_play else decision.action), errors
            if not is_play:
                yield _score(decision), errors
            elif opening and decision.turn <= 2:
                yield (
                    ("opening", *opening)
                    if decision.turn == 1
                    else ("reply", *opening, str(decision.dice), decision.action),
                    errors,
                )


def _score(decision: Decision) -> Cell:
    away = decision.state.away
    if away is None:
        return MONEY
    return "cube", *(str(min(away[player], FARTHEST)) for player in (decision.player, decision.player.opponent))
