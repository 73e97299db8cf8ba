"""Logs of matches played at random, with all that players and a house may do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import attrs

from gammonrules import Action, Event, Forfeit, GammonError, MatchState, Player, Position, Rules, SetPosition, Win
from gammonrules.match import Phase, RecordEvent
from gammonrules.rules import (
    BRETTSPIELWELT_SINGLE,
    FINNISH,
    GAMEDESIRE,
    GAMEDESIRE_PARLOR,
    MONEY,
    PHILOS,
    PORTES,
    TOURNAMENT,
)

RULES = (
    *(TOURNAMENT, MONEY, FINNISH, PHILOS, GAMEDESIRE, GAMEDESIRE_PARLOR, PORTES, BRETTSPIELWELT_SINGLE),
    *(Rules(auto_doubles=2, beavers=3), Rules(gammons=False, backgammons=False), Rules(backgammons=False, max_cube=4)),
    *(Rules(start="nackgammon"), Rules(start="longgammon", jacoby=True), Rules(max_cube=2048), Rules(beavers=30)),
    *(Rules(start="hypergammon"), Rules(start="hypergammon1"), Rules(start="hypergammon2", beavers=1)),
)
CLOSED = Position.of(mine={6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 7: 3}, theirs={25: 2, 6: 5, 5: 5, 4: 3})
"""The opponent cannot move; they can be on roll on it, or wait for it."""


def beginning(rng: random.Random, rules: Rules, length: int | None) -> MatchState:
    """The usual start at any score, or in the midst of a game, perhaps against a closed board."""
    most = length or 4
    score = rng.choice(((0, 0), (rng.randrange(most), rng.randrange(most))))
    start = MatchState.new(length, rules=rules, score=score)
    if rng.random() < 0.8 or start.position.checkers < 15:
        return start
    board = rng.choice((CLOSED, CLOSED.flip(), bear_off(rng)))
    return attrs.evolve(start, position=board, on_roll=rng.choice((None, *Player)))


def midst(state: MatchState, log: list[RecordEvent]) -> MatchState:
    """The last state that these events lead to in which the game is not over."""
    states = [state]
    for event in log:
        states.append(states[-1].apply(event))
    return next(state for state in reversed(states) if state.phase is not Phase.OVER)


def bear_off(rng: random.Random) -> Position:
    """Few checkers at home, so that the game is played to its end."""
    mine, theirs = ({point: rng.randint(1, 2) for point in rng.sample(range(1, 7), 2)} for _ in Player)
    return Position.of(mine=mine, theirs=theirs)


def events(rng: random.Random, state: MatchState) -> Iterator[RecordEvent]:
    """What happens, until the match is over or broken off."""
    games, last = 1, rng.choice((5, 20, 80, 250))
    calm = rng.choice((0.0, 0.02, 0.2))
    for _ in range(last):
        event = next_event(rng, state, calm)
        if event is None or games > 3:
            return
        try:
            state = state.apply(event)
        except GammonError:
            continue
        games += isinstance(event, Event) and event.action is Action.NEXT_GAME
        yield event


def next_event(rng: random.Random, state: MatchState, restless: float) -> RecordEvent | None:
    """An event that may be legal; None if the match is over."""
    if state.phase is Phase.OVER:
        if Action.NEXT_GAME not in state.legal_actions:
            return None
        return Event(Action.NEXT_GAME, argument=rng.choice((None, None, None, *Player)))
    if rng.random() < restless / 10:
        return Forfeit(rng.choice([*Player]), rng.choice((None, 1, 2, 3, state.length or 5)))
    if rng.random() < restless:
        return Event(Action.RESIGN, rng.choice([*Player]), rng.choice([*Win]))
    if state.phase is Phase.TO_PLAY and rng.random() < restless:
        return play_of_another_roll(rng, state)
    actions = sorted(state.legal_actions - {Action.RESIGN})
    if not actions:
        return Event(Action.OPENING_ROLL, argument=(rng.randint(1, 6), rng.randint(1, 6)))
    cautious = [action for action in actions if action not in (Action.DOUBLE, Action.DROP)]
    action = rng.choice(actions if rng.random() < 0.2 else cautious or actions)
    return Event(action, argument=argument(rng, state, action))


def play_of_another_roll(rng: random.Random, state: MatchState) -> SetPosition:
    """A play that the dice do not give, and that stands."""
    assert state.on_roll is not None
    play = rng.choice(state.position.legal_plays((rng.randint(1, 6), rng.randint(1, 6))))
    return SetPosition(play.position, state.on_roll.opponent)


def argument(rng: random.Random, state: MatchState, action: Action) -> Any:
    if action in (Action.ROLL, Action.OPENING_ROLL):
        return rng.randint(1, 6), rng.randint(1, 6)
    return rng.choice(state.legal_plays) if action is Action.PLAY else None
