"""Whole matches and money sessions between two engines, as records."""

from __future__ import annotations

from random import Random

from gammonrules import Action, Dice, Event, MatchState, Phase, Player
from gammonrules.engine import SimpleEngine
from gammonrules.records import Match

RASH = 1 / 40
"""How often somebody doubles or resigns without asking the engine: else there are few beavers and no resignations."""


def play(white: SimpleEngine, black: SimpleEngine, state: MatchState, games: int, seed: int) -> Match:
    """A match until it is won, or so many games."""
    rng, start, events = Random(seed), state, list[Event]()
    while state.result is None or (state.winner is None and games > 1):
        games -= state.result is not None
        events.append(_next(white, black, state, rng))
        state = state.apply(events[-1])
    return Match.from_events((white.name, black.name), start, events)


def _next(white: SimpleEngine, black: SimpleEngine, state: MatchState, rng: Random) -> Event:
    dice = Dice.random(rng)
    if state.phase is Phase.OPENING:
        return Event(Action.OPENING_ROLL, argument=(rng.randint(1, 6), rng.randint(1, 6)))
    if state.to_act is None:
        return Event(Action.NEXT_GAME)
    if rng.random() < RASH and Action.RESIGN in state.legal_actions:
        loser = rng.choice([*Player])
        levels = sorted(state.possible_wins(loser.opponent))
        if levels:
            return Event(Action.RESIGN, loser, rng.choice(levels))
    if rng.random() < RASH and Action.DOUBLE in state.legal_actions:
        return Event(Action.DOUBLE, state.to_act)
    decided = (white if state.to_act is Player.WHITE else black).decide(state)
    return Event(Action.ROLL, state.to_act, dice) if decided is Action.ROLL else decided
