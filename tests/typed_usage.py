"""Calls as users write them, for the type checkers alone: `mypy --strict` and basedpyright read this file."""

from __future__ import annotations

from gammonrules import Event, MatchState, Player, Position, Rules, Win, json, read
from gammonrules.position import START_NAMES


def positions(points: dict[int, int], named: dict[str, int], name: str) -> list[Position]:
    found = [
        Position.of(mine={24: 1, 13: 2, "bar": 1}, theirs={24: 2, 6: 3, "off": 10}),
        Position.of(mine={"bar": 1}, theirs={1: 2}),
        Position.of({}, points),
        Position.of(named, named, checkers=3),
        Position.start("nackgammon"),
    ]
    return found + [Position.start(start) for start in START_NAMES if start == name]


def tables(text: str) -> MatchState:
    described = read(text, Rules(start="hypergammon"))
    if isinstance(described, Position):
        described = MatchState(described, Player.WHITE, "31", length=7)
    state = json.loads(json.dumps(described), MatchState)
    event = json.loads(text, Event)
    return state.apply(event).resign(Win.GAMMON, by=Player.BLACK)
