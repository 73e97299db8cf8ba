"""The games of matches as records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, cast

from gammonrules.batch._table_states import number_of
from gammonrules.board import Move
from gammonrules.match import TO_ACT, Action, End, Event, MatchState
from gammonrules.records import Match

if TYPE_CHECKING:
    from gammonrules.batch._match_games import MatchGames


def records_of(games: MatchGames, players: tuple[str, str]) -> list[Match]:
    """What `MatchGames.to_matches` returns."""
    ends = [game + 1 for game in games.last_games.tolist()]
    return [_record(games, range(begin, end), players) for begin, end in zip([0, *ends], ends, strict=False)]


def _record(games: MatchGames, numbers: range, players: tuple[str, str]) -> Match:
    """The games of one match, with the events as a reader of records makes them."""
    start = MatchState.new(games.length, rules=games.rules, score=games.scores[numbers[0]].tolist())
    log, state = list[Event](), start
    for event in _match(games, numbers):
        done = _named(event, state)
        log.append(done)
        state = state.apply(done)
    return Match.from_events(players, start, log)


def _named(event: Event, state: MatchState) -> Event:
    """The same event, with the player, and a play as its canonical text."""
    if event.action is Action.PLAY:
        play = state.legal_plays.find(cast("tuple[Move, ...]", event.argument))
        return Event(Action.PLAY, state.to_act or TO_ACT, str(play))
    return event if state.to_act is None else event.sent_by(state.to_act)


def _match(games: MatchGames, numbers: range) -> Iterator[Event]:
    """What happened in the games of a match."""
    for game in numbers:
        if game > numbers.start:
            yield Event(Action.NEXT_GAME)
        yield from _game(games, game)


def _game(games: MatchGames, game: int) -> Iterator[Event]:
    """What happened in one game: the arrays show how often the cube was turned, not by whom and when in a turn."""
    cube = 1
    for die in games.ties[game].tolist():
        if die:
            yield Event(Action.OPENING_ROLL, argument=(die, die))
            cube = int(games.opening_cubes[game])
    yield Event(Action.OPENING_ROLL, argument=games.openings[game].tolist())
    for row in range(games.offsets[game], games.offsets[game + 1]):
        yield from _cube_turned(cube, int(games.cubes[row]), Action.TAKE)
        cube = int(games.cubes[row])
        if row > games.offsets[game] or games.rules.opening == "reroll":
            yield Event(Action.ROLL, argument=tuple(games.dice[row].tolist()))
        yield Event(Action.PLAY, argument=[move for move in games.moves[row].tolist() if move[0] >= 0])
    if games.ends[game] == number_of(End.DROPPED):  # an offer at twice what was lost
        yield from _cube_turned(cube, 2 * int(games.won[game]), Action.DROP)


def _cube_turned(before: int, after: int, answer: Literal[Action.TAKE, Action.DROP]) -> Iterator[Event]:
    """A double, beavers, and the last answer, if the value of the cube changed."""
    if after > before:
        yield Event(Action.DOUBLE)
        for _ in range((after // before).bit_length() - 2):
            yield Event(Action.BEAVER)
        yield Event(answer)
