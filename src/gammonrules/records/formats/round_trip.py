"""What is written is read back: what differs is lost, and a file with another game is worse than none."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeGuard

import attrs
from attrs import frozen

from gammonrules.analysis import Candidate, Chances, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import StoredAnalysis, decoded
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import End, Event, MatchState, Player, RecordEvent, SetPosition
from gammonrules.match.internals import canonical_event
from gammonrules.records.formats.match_reading import points_gained
from gammonrules.records.transcript import (
    FindingKind,
    Game,
    Match,
    RecordedResult,
    as_replayed,
    beginning_of,
    length_of_games,
    referee,
    won_in,
)
from gammonrules.records.transcript.header_tags import check_rules, effective, other_tags
from gammonrules.rules import Rules

Write: TypeAlias = Callable[[Match, list[list[MatchState]]], str | bytes]
"""Makes the text or bytes of a record, from it and the states of each game; GammonError for what it cannot say."""
Read: TypeAlias = Callable[[Any], "Match | tuple[Match, ...]"]
"""Reads a text or bytes: all its matches, if it may have several. Raises ParseError for one with no match at all."""
_OF_READERS = (FindingKind.UNFINISHED_GAME, FindingKind.UNKNOWN_RULE)
"""What only a reader reports: these do not count for a record that was built in a program."""
_IN_PARTS = (PlayAnalysis, CubeAnalysis, Candidate, Chances)
_ROUNDING = 1e-6
"""By how much a number that is written with six digits may differ."""
_CANNOT = "this record cannot be written in this format"
_COMPARED = ("players", "length", "tags", "comments", "rolls")
"""The fields of a match that are lost as a whole."""
_STATED = ("winner", "points", "and_the_match")


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
        replayed = as_replayed(self.record)  # readers cut games that break the rules
        for index, game in enumerate(match.games):
            is_shortened = replayed.games[index] is not game
            if is_shortened or game.cut:
                yield f"games[{index}].rest"
        yield from losses(self.record, self.again)


def write_and_read_back(match: Match, write: Write, read: Read) -> Written:
    """The record as it is written. Raises GammonError if other games would be read back."""
    for index, game in enumerate(match.games, start=1):
        if game.cut:
            raise GammonError(f"game {index} cannot be written: part of it could not be replayed")
    replayed = [list(game.states()) for game in match.games]
    text = write(match, replayed)
    try:
        read_matches = read(text)
    except ParseError as error:
        raise GammonError(f"{_CANNOT}: {error}") from None
    again = read_matches[0] if isinstance(read_matches, tuple) else read_matches
    _must_be_same_games(match, replayed, again)
    return Written(text, match, again)


def with_games_shortened(match: Match, write: Write, read: Read) -> Match:
    """The record without the rest of each game that cannot be written whole; its stated end, or its result, stays."""

    def can_be_written(game: Game) -> bool:
        try:
            write_and_read_back(attrs.evolve(match, games=(game,), findings=()), write, read)
        except GammonError:
            return False
        return True

    games: list[Game] = []
    for index, game in enumerate(match.games):
        if can_be_written(game):
            games.append(game)
        else:
            games_after = match.games[index + 1 :]
            next_score = games_after[0].score if games_after else None
            games.append(_part_that_fits(game, next_score, can_be_written))
    return attrs.evolve(match, games=tuple(games))


def _part_that_fits(
    game: Game, next_score: tuple[int, int] | None, can_be_written: Callable[[Game], bool]
) -> Game:
    """The longest beginning of a game that can be written, if any can."""
    won = won_in(game) or points_gained(game.score, next_score)
    stated = game.stated
    is_end_only_stated = stated is not None and game.result is None
    if won is not None and not is_end_only_stated:
        # the events that end the game are left out, so what it gave must be stated
        winner, points = won
        stated = RecordedResult(winner, points)

    def beginning(count: int) -> Game:
        return beginning_of(game, count, cut=False, stated=stated)

    def fits(count: int) -> bool:
        part = beginning(count)
        goes_on = count < len(game.events) and isinstance(game.events[count], SetPosition)
        is_end_taken_back = goes_on and part.result is not None
        return not is_end_taken_back and can_be_written(part)

    # if a beginning fits, so do all shorter ones, except an end that is taken back: of the counts from the most to
    # none, the first that fits is found
    counts = range(len(game.events), -1, -1)
    index = bisect_left(counts, True, key=fits)
    longest = counts[index] if index < len(counts) else 0
    return beginning(longest)


def _must_be_same_games(match: Match, replayed: list[list[MatchState]], again: Match) -> None:
    if len(again.games) != len(match.games):
        raise GammonError(
            f"{_CANNOT}: only {len(again.games):,} of its {len(match.games):,} games would be read back"
        )
    length = length_of_games(match)
    if length_of_games(again) != length:
        raise GammonError(f"{_CANNOT}: its length would change")
    check_rules(effective(match.rules, length), again.rules)
    for index, (states, game) in enumerate(zip(replayed, again.games, strict=True), start=1):
        if not _is_same_game(states, list(game.states())):
            why = "it would be read back as a different game"
            raise GammonError(f"game {index} cannot be written in this format: {why}")
    if any(finding.kind is FindingKind.UNREADABLE_LINE for finding in again.findings):
        raise GammonError(f"{_CANNOT}: a name, a tag or a comment is too long")


def _is_same_game(states: list[MatchState], read: list[MatchState]) -> bool:
    """Whether a game that was read back has all rolls of the written one, on the same boards, and ends alike.

    What comes after the last roll may differ: a take may be lost, and a roll that the other player answered by
    resigning may be read with the only play that it had, or with the one that wins.
    """
    boards = _boards_rolled_on(states)
    boards_read = _boards_rolled_on(read)
    final = states[-1]
    final_read = read[-1]
    if final.result is None:  # the game that is read may go on to the end that its file states
        return boards == boards_read[: len(boards)]
    if final.result.end is End.PLAYED and final.position != final_read.position:
        return False
    return boards == boards_read and _points_won(final) == _points_won(final_read)


def _boards_rolled_on(states: list[MatchState]) -> list[tuple[object, ...]]:
    """The dice, players, boards and cubes of all rolls to be played; an offer to resign does not repeat one.

    The score does not count, nor whether it is the Crawford game: a format may know them from the games before only.
    """
    tables: list[tuple[object, ...]] = []
    for state in states:
        if state.dice is not None and state.result is None:
            table = (state.dice, state.on_roll, state.position, state.cube)
            if not tables or table != tables[-1]:
                tables.append(table)
    return tables


def _points_won(state: MatchState) -> tuple[Player, int] | None:
    """The winner and the points, as far as these can count in a match."""
    result = state.result
    if result is None:
        return None
    points = result.points if state.length is None else min(result.points, state.length)
    return result.winner, points


def losses(match: Match, again: Match) -> Iterator[str]:
    """The names of the parts of a record that differ in the one read again, which has the same number of games."""
    if again is match:
        return
    for name in _COMPARED:
        is_lost = getattr(match, name) != getattr(again, name)
        if name == "tags":
            is_lost = _are_tags_lost(match, again)
        if is_lost:
            yield name
    for name in attrs.fields_dict(Rules):
        if getattr(match.rules, name) != getattr(again.rules, name):
            yield f"rules.{name}"
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=True)):
        for name in _losses_of_game(game, read):
            yield f"games[{index}].{name}"
    yield from _changed_findings(match, again)


def _are_tags_lost(match: Match, again: Match) -> bool:
    """Whether a tag is missing, or there is a new one that does not just state a rule."""
    has_all = set(match.tags) <= set(again.tags)
    return not has_all or other_tags(match.tags) != other_tags(again.tags)


def _losses_of_game(game: Game, read: Game) -> Iterator[str]:
    if game.number != read.number:
        yield "number"
    if _without_rules(game.start) != _without_rules(read.start):
        yield "start"
    if _canonical_events(game) != _canonical_events(read):
        yield "events"
    if game.result is not None and game.result != read.result:
        yield "result"
    if game.comments != read.comments:
        yield "comments"
    if _lacks_some(_times(game), _times(read)):
        yield "times"
    if _lacks_some(game.notes, read.notes):
        yield "notes"
    yield from _losses_of_analyses(game, read)
    yield from _losses_of_end(game.stated, read.stated)


def _losses_of_end(stated: RecordedResult | None, read: RecordedResult | None) -> Iterator[str]:
    if stated is None:
        return
    for name in _STATED:
        value = getattr(stated, name)
        if value is not None and value != getattr(read, name, None):
            yield f"stated.{name}"


def _canonical_events(game: Game) -> list[RecordEvent]:
    states = list(game.states())
    return list(map(canonical_event, states, game.events, states[1:]))


def _times(game: Game) -> list[float | None]:
    return [event.time if isinstance(event, Event) else None for event in game.events]


def _lacks_some(values: Sequence[object], read: Sequence[object]) -> bool:
    """Whether a value of an event, where it is known, is another one in what was read."""
    for index, value in enumerate(values):
        again = read[index] if index < len(read) else None
        if value is not None and value != again:
            return True
    return False


def _losses_of_analyses(game: Game, read: Game) -> Iterator[str]:
    """The names of the analyses that differ, or of their parts, each once."""
    states = list(game.states())
    states_read = list(read.states())
    parts: set[str] = set()
    for index, stored in enumerate(game.analyses):
        if index < len(read.analyses) and index < len(states_read):
            again = read.analyses[index]
            parts.update(_changed_parts(stored, again, states[index], states_read[index]))
        elif stored is not None:
            parts.add(_WHOLE)
    yield from sorted(f"analyses{part}" for part in parts)
    parts_of_pending = set(
        _changed_parts(game.pending_analysis, read.pending_analysis, states[-1], states_read[-1])
    )
    yield from sorted(f"pending_analysis{part}" for part in parts_of_pending)


_WHOLE = ""
"""What is added to the name of an analysis that is lost, or differs, as a whole."""


def _changed_parts(
    stored: StoredAnalysis | None,
    read: StoredAnalysis | None,
    state: MatchState,
    state_read: MatchState,
) -> Iterator[str]:
    """The parts of an analysis that differ, such as ".level", or `_WHOLE`."""
    if stored is None or stored == read:  # before they are decoded, which takes time
        return
    if read is None:
        yield _WHOLE
    else:
        yield from _different(_WHOLE, decoded(stored, state), decoded(read, state_read))


def _different(part: str, value: object, read: object) -> Iterator[str]:
    """The innermost parts of a value that differ by more than rounding; those that the value lacks are not compared.

    `part`: what the value is called. The five numbers of `Chances` are called as they are together.
    """
    if isinstance(value, _IN_PARTS) and type(value) is type(read):
        for name in attrs.fields_dict(type(value)):
            inner_part = part if isinstance(value, Chances) else f".{name}"
            yield from _different(inner_part, getattr(value, name), getattr(read, name))
    elif _is_tuple_of_parts(value) and _is_tuple_of_parts(read):
        if len(value) != len(read):
            yield part
        for item, item_read in zip(value, read, strict=False):
            yield from _different(part, item, item_read)
    elif isinstance(value, (int, float)) and isinstance(read, (int, float)):
        if abs(value - read) > _ROUNDING:
            yield part
    elif value not in (None, "") and value != read:
        yield part


def _is_tuple_of_parts(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


def _changed_findings(match: Match, again: Match) -> Iterator[str]:
    """The kinds of findings, game by game, that one of the records has more often than the other."""
    before = _counted_findings(match)
    after = _counted_findings(again)
    changed = set(before - after)  # a difference of counters has only what the first has more often
    for summary in after - before:
        if summary.kind not in _OF_READERS:
            changed.add(summary)
    names: list[str] = []
    for summary in sorted(changed):
        where = ""
        if 1 <= summary.game <= len(match.games):
            where = f"games[{summary.game - 1}]."
        names.append(f"{where}findings.{summary.kind}")
    yield from dict.fromkeys(names)  # once, though there are several severities


class _FindingSummary(NamedTuple):
    game: int
    """0 for one that belongs to no game."""
    kind: str
    severity: str


def _counted_findings(match: Match) -> Counter[_FindingSummary]:
    return Counter(
        _FindingSummary(finding.game or 0, str(finding.kind), str(finding.severity))
        for finding in referee(match)
    )


def _without_rules(state: MatchState) -> tuple[object, ...]:
    """A state without its rules, whose options may differ if they have no effect."""
    return attrs.astuple(state, recurse=False, filter=lambda field, _: field.name != "rules")
