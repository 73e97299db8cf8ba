"""Games as records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from gammonrules.board import Position
from gammonrules.match import Action, Event, MatchState, Player
from gammonrules.records import Match
from gammonrules.rules import Rules

if TYPE_CHECKING:
    from gammonrules.batch._games import Games


def matches_of(games: Games, players: tuple[str, str]) -> list[Match]:
    """What `Games.to_matches` returns."""
    rules = Rules(cube=False, start=games.start or "standard")
    return [Match.from_events(players, *_log(games, number, rules)) for number in range(len(games))]


def _log(games: Games, number: int, rules: Rules) -> tuple[MatchState, Iterator[Event]]:
    """The state in which a game begins, and what happened."""
    state = MatchState.new(None, rules=rules)
    rows = range(games.offsets[number], games.offsets[number + 1])
    board = games.points[rows.start] if rows else games.final[number]
    if games.start is None:
        position = Position.from_points(board.tolist(), checkers=games.checkers)
        state = attrs.evolve(state, position=position, on_roll=Player.WHITE)
    return state, _events(games, rows)


def _events(games: Games, rows: range) -> Iterator[Event]:
    player = Player.WHITE
    for row, dice, moves in zip(rows, games.dice[rows].tolist(), games.moves[rows].tolist(), strict=True):
        if row == rows.start and games.start is not None:
            yield Event(Action.OPENING_ROLL, argument=(max(dice), min(dice)))
        else:
            yield Event(Action.ROLL, player, tuple(dice))
        yield Event(Action.PLAY, player, [move for move in moves if move[0] >= 0])
        player = player.opponent
