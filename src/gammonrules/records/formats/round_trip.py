"""What is written is read back: what differs is lost, and a file with another game is worse than none."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby, islice, zip_longest
from typing import Any, TypeAlias, cast

import attrs
from attrs import frozen

from gammonrules.equity import Chances
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import End, MatchState, Player
from gammonrules.records.formats.match_reading import points_gained
from gammonrules.records.transcript import (
    Candidate,
    CubeAnalysis,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Stated,
    StoredAnalysis,
    decoded,
    length_of_games,
    referee,
    won_in,
)
from gammonrules.records.transcript.header_tags import check_rules, effective, other_tags

Write: TypeAlias = Callable[[Match, list[list[MatchState]]], str | bytes]
"""Makes the text or bytes of a record, from it and the states of each game; GammonError for what it cannot say."""
_OF_READERS = (FindingKind.UNFINISHED_GAME, FindingKind.UNKNOWN_RULE)
"""What only a reader reports: these do not count for a record that was built in a program."""
_IN_PARTS = PlayAnalysis, CubeAnalysis, Candidate, Chances
_ROUNDING = 1e-6
"""By how much a number that is written with six digits may differ."""
_CANNOT = "this record cannot be written in this format"
_STATED = ("winner", "points", "and_the_match")
_OF_EVENTS = ("events", "rows", "lines", "analyses", "notes")
"""The fields of a game that have an item for each event."""


@frozen
class Written:
    """A record as text or bytes."""

    text: str | bytes
    record: Match
    """What was written: the record, or as much of its games as can be."""
    again: Match
    """What is read back."""

    def lost_of(self, match: Match) -> Iterator[str]:
        """The names of the parts of the record that are lost."""
        games = enumerate(zip(match.games, self.record.games, strict=True))
        yield from (f"games[{index}].rest" for index, (game, kept) in games if kept is not game)
        yield from losses(self.record, self.again)


def write_and_read_back(match: Match, write: Write, read: Callable[[Any], Any]) -> Written:
    """The record as it is written. Raises GammonError if other games would be read back."""
    for index, game in enumerate(match.games, start=1):
        if game.cut:
            raise GammonError(f"game {index} cannot be written: part of it could not be replayed")
    replayed = [list(game.states()) for game in match.games]
    text = write(match, replayed)
    try:
        again, *_ = cast("tuple[Match, ...]", read(text))
    except ParseError as error:
        raise GammonError(f"{_CANNOT}: {error}") from None
    _must_be_same_games(match, replayed, again)
    return Written(text, match, again)


def with_games_shortened(match: Match, write: Write, read: Callable[[Any], Any]) -> Match:
    """The record without the rest of each game that cannot be written whole; its stated end, or its result, stays."""

    def can_be_written(game: Game) -> bool:
        try:
            write_and_read_back(attrs.evolve(match, games=(game,), findings=()), write, read)
        except GammonError:
            return False
        return True

    next_scores = [*(game.score for game in match.games[1:]), None]
    games = [
        game if can_be_written(game) else _part_that_fits(game, next_score, can_be_written)
        for game, next_score in zip(match.games, next_scores, strict=False)
    ]
    return attrs.evolve(match, games=tuple(games))


def _part_that_fits(
    game: Game, next_score: tuple[int, int] | None, can_be_written: Callable[[Game], bool]
) -> Game:
    """The longest beginning of a game that can be written, if any can."""
    won = won_in(game) or points_gained(game.score, next_score)
    stated = game.stated
    if won is not None and (stated is None or game.result is not None):
        stated = Stated(*won)

    def first(count: int) -> Game:
        parts = {name: getattr(game, name)[:count] for name in _OF_EVENTS}
        return attrs.evolve(game, cut=False, stated=stated, pending_analysis=None, **parts)

    counts = range(len(game.events), -1, -1)
    written = bisect_left(counts, True, key=lambda count: can_be_written(first(count)))
    return first(counts[min(written, len(game.events))])


def _must_be_same_games(match: Match, replayed: list[list[MatchState]], again: Match) -> None:
    if len(again.games) != len(match.games):
        raise GammonError(
            f"{_CANNOT}: only {len(again.games):,} of its {len(match.games):,} games would be read back"
        )
    length = length_of_games(match)
    if length_of_games(again) != length:
        raise GammonError(f"{_CANNOT}: its length would change")
    check_rules(effective(match.rules, length), again.rules)
    for index, (states, read) in enumerate(zip(replayed, again.games, strict=True), start=1):
        if not _is_same_game(states, list(read.states())):
            why = "it would be read back as a different game"
            raise GammonError(f"game {index} cannot be written in this format: {why}")
    if any(finding.kind is FindingKind.UNREADABLE_LINE for finding in again.findings):
        raise GammonError(f"{_CANNOT}: a name, a tag or a comment is too long")


def _is_same_game(states: list[MatchState], read: list[MatchState]) -> bool:
    """Whether a game that was read back has all rolls of the written one, on the same boards, and ends alike.

    What comes after the last roll may differ: a take may be lost, and a roll that the other player answered by
    resigning may be read with the only play that it had, or with the one that wins.
    """
    written = _boards_rolled_on(states)
    again = _boards_rolled_on(read)
    final = states[-1]
    end = read[-1]
    if final.result is None:  # it may get one from the end that its file stated
        return written == again[: len(written)]
    is_same_board = final.result.end is not End.PLAYED or final.position == end.position
    return written == again and _points_won(final) == _points_won(end) and is_same_board


def _boards_rolled_on(states: list[MatchState]) -> list[tuple[object, ...]]:
    """What is seen where a roll is to be played, without repetition, which an offer to resign causes.

    The score does not count, nor whether it is the Crawford game: a format may know them from the games before only.
    """
    rolled = (state for state in states if state.dice is not None and state.result is None)
    seen = ((state.dice, state.on_roll, state.position, state.cube) for state in rolled)
    return [table for table, _ in groupby(seen)]


def _points_won(state: MatchState) -> tuple[Player, int] | None:
    """Who won how much, as far as that can count in a match."""
    result = state.result
    return (
        None
        if result is None
        else (result.winner, min(result.points, state.length or result.points))
    )


def losses(match: Match, again: Match) -> Iterator[str]:
    """The names of the parts of a record that differ in the one read again, which has the same number of games."""
    if again is match:
        return
    names = "players", "length", "tags", "comments", "rolls"
    changed = {name: getattr(match, name) != getattr(again, name) for name in names}
    changed["tags"] = not set(match.tags) <= set(again.tags) or other_tags(
        match.tags
    ) != other_tags(again.tags)
    yield from (name for name, is_changed in changed.items() if is_changed)
    rules = attrs.asdict(again.rules)
    yield from (
        f"rules.{name}" for name, value in attrs.asdict(match.rules).items() if value != rules[name]
    )
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=True)):
        yield from (f"games[{index}].{name}" for name in _losses_of_game(game, read))
    yield from _changed_findings(match, again)


def _losses_of_game(game: Game, read: Game) -> Iterator[str]:
    events = zip_longest(game.events, read.events[: len(game.events)])
    times = [[getattr(event, "time", None) for event in pair] for pair in events]
    notes = zip_longest(game.notes, read.notes[: len(game.notes)])
    canonical = [
        [*map(MatchState.canonical, played.states(), played.events)] for played in (game, read)
    ]
    changed = {
        "number": game.number != read.number,
        "start": _without_rules(game.start) != _without_rules(read.start),
        "events": canonical[0] != canonical[1],
        "result": game.result != read.result and game.result is not None,
        "comments": game.comments != read.comments,
        "times": any(time not in (None, again) for time, again in times),
        "notes": any(note not in (None, again) for note, again in notes),
    }
    yield from (name for name, is_changed in changed.items() if is_changed)
    yield from _losses_of_analyses(game, read)
    for name in _STATED if game.stated is not None else ():
        if getattr(game.stated, name) not in (None, getattr(read.stated, name, None)):
            yield f"stated.{name}"


def _losses_of_analyses(game: Game, read: Game) -> Iterator[str]:
    events = zip_longest(game.analyses, read.analyses, game.states(), read.states())
    analyses = list(islice(events, len(game.analyses)))
    final = game.pending_analysis, read.pending_analysis, game.final(), read.final()
    for name, pairs in (("analyses", analyses), ("pending_analysis", [final])):
        yield from sorted({name + part for pair in pairs for part in _changed_parts(*pair)})


def _changed_parts(
    stored: StoredAnalysis | None,
    read: StoredAnalysis | None,
    state: MatchState | None,
    state_read: MatchState | None,
) -> Iterator[str]:
    """The parts of an analysis that differ, such as ".level", or "" for the whole; decoding them takes time."""
    if stored is None or stored == read:
        return
    if read is None or state is None or state_read is None:
        yield ""
    else:
        yield from _different("", decoded(stored, state), decoded(read, state_read))


def _different(part: str, value: object, read: object) -> Iterator[str]:
    """The parts of a value that differ by more than rounding; those that the value lacks are not compared."""
    if isinstance(value, _IN_PARTS) and type(value) is type(read):
        for name in attrs.fields_dict(type(value)):
            inner = part if isinstance(value, Chances) else f".{name}"
            yield from _different(inner, getattr(value, name), getattr(read, name))
    elif isinstance(value, tuple) and isinstance(read, tuple):
        pair = cast("tuple[object, ...]", value), cast("tuple[object, ...]", read)
        yield from [part] * (len(pair[0]) != len(pair[1]))
        for items in zip(*pair, strict=False):
            yield from _different(part, *items)
    elif isinstance(value, (int, float)) and isinstance(read, (int, float)):
        yield from [part] * (abs(value - read) > _ROUNDING)
    elif value not in (None, "") and value != read:
        yield part


def _changed_findings(match: Match, again: Match) -> Iterator[str]:
    """The kinds of findings, game by game, that one of the records has more often than the other."""
    before, after = (
        Counter(
            (finding.game or 0, str(finding.kind), str(finding.severity))
            for finding in referee(record)
        )
        for record in (match, again)
    )
    new = (summary for summary in after - before if summary[1] not in _OF_READERS)
    changed = sorted({*(before - after), *new})
    parts = {game: f"games[{game - 1}]." for game in range(1, len(match.games) + 1)}
    yield from dict.fromkeys(f"{parts.get(game, '')}findings.{kind}" for game, kind, _ in changed)


def _without_rules(state: MatchState) -> tuple[object, ...]:
    """A state without its rules, whose options may differ if they have no effect."""
    return attrs.astuple(state, recurse=False, filter=lambda field, _: field.name != "rules")
