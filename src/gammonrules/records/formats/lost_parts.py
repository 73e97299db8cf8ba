"""What differs between a record and its text, read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import cast

import attrs

from gammonrules.match import MatchState, RecordEvent
from gammonrules.records.findings import Finding, FindingKind
from gammonrules.records.header_tags import other_tags
from gammonrules.records.model import Game, Match, Stated
from gammonrules.records.referee_findings import referee
from gammonrules.rules import Rules

_OF_READERS = (FindingKind.UNFINISHED_GAME, FindingKind.UNKNOWN_RULE)
_REMARKS = ("analyses", "notes", "pending_analysis")
_STATED = ("winner", "points", "and_the_match")


def losses(match: Match, again: Match) -> Iterator[str]:
    """The names of the parts of a record that differ in the one read again, which has the same number of games."""
    if match.players != again.players:
        yield "players"
    if match.length != again.length:
        yield "length"
    if not set(match.tags) <= set(again.tags) or sorted(other_tags(match.tags)) != sorted(other_tags(again.tags)):
        yield "tags"
    if match.comments != again.comments:
        yield "comments"
    if match.rolls != again.rolls:
        yield "rolls"
    for option in attrs.fields(Rules):
        if getattr(match.rules, option.name) != getattr(again.rules, option.name):
            yield f"rules.{option.name}"
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=True)):
        for name in _losses_of_game(game, read):
            yield f"games[{index}].{name}"
    yield from _changed_findings(match, again)


def _losses_of_game(game: Game, read: Game) -> Iterator[str]:
    """The names of the parts of a game that differ."""
    if on_the_table(game.start) != on_the_table(read.start):
        yield "start"
    if _canonical(game) != _canonical(read):
        yield "events"
    if game.comments != read.comments:
        yield "comments"
    for name in _REMARKS:
        if not _is_kept(getattr(game, name), getattr(read, name)):
            yield name
    for name in _STATED if game.stated is not None else ():
        if _said(game.stated, name) not in (None, _said(read.stated, name)):
            yield f"stated.{name}"


def _canonical(game: Game) -> list[RecordEvent]:
    """The events in the form that readers give them."""
    return [before.canonical(event) for event, before in zip(game.events, game.states(), strict=False)]


def _is_kept(about: object, read: object) -> bool:
    """Whether all remarks or analyses come back, each at the same event."""
    items, others = (_items(one) for one in (about, read))
    return all(item is None or item == other for item, other in zip_longest(items, others[: len(items)]))


def _items(about: object) -> tuple[object, ...]:
    return cast("tuple[object, ...]", about) if isinstance(about, tuple) else (about,)


def _said(stated: Stated | None, name: str) -> object:
    return getattr(stated, name, None)


def _changed_findings(match: Match, again: Match) -> Iterator[str]:
    """The kinds of findings, game by game, that one of the records has more often than the other.

    Only a reader reports that a game has no result, or that a tag is not understood, so these
    do not count for a record that was built in a program.
    """
    mine, other = (Counter(map(_place_and_kind, referee(one))) for one in (match, again))
    come = (finding for finding in other - mine if finding[1] not in _OF_READERS)
    changed = sorted({*(mine - other), *come})
    yield from dict.fromkeys(_name_of(game, kind, len(match.games)) for game, kind, _ in changed)


def _place_and_kind(finding: Finding) -> tuple[int, str, str]:
    return finding.game or 0, str(finding.kind), str(finding.severity)


def _name_of(game: int, kind: str, games: int) -> str:
    return f"games[{game - 1}].findings.{kind}" if 0 < game <= games else f"findings.{kind}"


def on_the_table(state: MatchState) -> tuple[object, ...]:
    """A state without its rules, whose options may differ if they have no effect."""
    return attrs.astuple(state, recurse=False, filter=lambda field, _: field.name != "rules")
