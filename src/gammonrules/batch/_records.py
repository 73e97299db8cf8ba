"""Games and matches as records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

import attrs

from gammonrules.batch._games import Games, MatchGames
from gammonrules.batch._table_states import number_of
from gammonrules.board import Move, Position
from gammonrules.match import TO_ACT, Action, End, Event, MatchState, Player
from gammonrules.rules import Rules
from gammonrules.transcript import Match


def records_of(games: Games, players: tuple[str, str]) -> list[Match]:
    """What `Games.to_matches` returns."""
    last = games.last_games.tolist() if isinstance(games, MatchGames) else range(len(games))
    ends = [game + 1 for game in last]
    return [_record(games, range(begin, end), players) for begin, end in zip([0, *ends], ends, strict=False)]


def _record(games: Games, numbers: range, players: tuple[str, str]) -> Match:
    """The games of one match, with the events as a reader of records makes them."""
    start = state = _start(games, numbers.start)
    log = list[Event]()
    for event in _match(games, numbers):
        done = _named(event, state)
        log.append(done)
        state = state.apply(done)
    return Match.from_events(players, start, log)


def _start(games: Games, game: int) -> MatchState:
    """The state in which a match begins with this game."""
    if isinstance(games, MatchGames):
        return MatchState.new(games.length, rules=games.rules, score=games.scores[game].tolist())
    state = MatchState.new(None, rules=Rules(cube=False, start=games.start or "standard"))
    if games.start is not None:
        return state
    first = games.offsets[game]
    board = games.points[first] if games.lengths[game] else games.final[game]
    position = Position.from_points(board.tolist(), checkers=games.checkers)
    return attrs.evolve(state, position=position, on_roll=Player.WHITE)


def _named(event: Event, state: MatchState) -> Event:
    """The same event, with the player, and a play as its canonical text."""
    if event.action is Action.PLAY:
        play = state.legal_plays.find(cast("tuple[Move, ...]", event.argument))
        return Event(Action.PLAY, state.to_act or TO_ACT, str(play))
    return event if state.to_act is None else event.sent_by(state.to_act)


def _match(games: Games, numbers: range) -> Iterator[Event]:
    """What happened in the games of a match."""
    for game in numbers:
        if game > numbers.start:
            yield Event(Action.NEXT_GAME)
        rows = range(games.offsets[game], games.offsets[game + 1])
        if isinstance(games, MatchGames):
            yield from _with_cube(games, game, rows)
        else:
            for row in rows:
                opening = row == rows.start and games.start is not None
                yield from _turn(games, row, Action.OPENING_ROLL if opening else Action.ROLL)


def _with_cube(games: MatchGames, game: int, rows: range) -> Iterator[Event]:
    """What happened in one game: the arrays show how often the cube was turned, not by whom and when in a turn."""
    cube = 1
    for die in games.ties[game].tolist():
        if die:
            yield Event(Action.OPENING_ROLL, argument=(die, die))
            cube = int(games.opening_cubes[game])
    yield Event(Action.OPENING_ROLL, argument=games.openings[game].tolist())
    for row in rows:
        yield from _cube_turned(cube, int(games.cubes[row]), Action.TAKE)
        cube = int(games.cubes[row])
        yield from _turn(games, row, Action.ROLL if row > rows.start or games.rules.opening == "reroll" else None)
    if games.ends[game] == number_of(End.DROPPED):  # an offer at twice what was lost
        yield from _cube_turned(cube, 2 * int(games.won[game]), Action.DROP)


def _turn(games: Games, row: int, rolling: Literal[Action.OPENING_ROLL, Action.ROLL] | None) -> Iterator[Event]:
    high, low = sorted(games.dice[row].tolist(), reverse=True)
    if rolling is Action.OPENING_ROLL:  # White starts
        yield Event(Action.OPENING_ROLL, argument=(high, low))
    elif rolling:
        yield Event(Action.ROLL, argument=(high, low))
    yield Event(Action.PLAY, argument=[move for move in games.moves[row].tolist() if move[0] >= 0])


def _cube_turned(before: int, after: int, answer: Literal[Action.TAKE, Action.DROP]) -> Iterator[Event]:
    """A double, beavers, and the last answer, if the value of the cube changed."""
    if after > before:
        yield Event(Action.DOUBLE)
        for _ in range((after // before).bit_length() - 2):
            yield Event(Action.BEAVER)
        yield Event(answer)
