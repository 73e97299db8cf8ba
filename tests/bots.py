"""Players as functions of a state, or of many games at once. Processes of an arena import this: it imports little."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NoReturn

import numpy as np

from gammonrules import Action, Event, MatchState, Phase, Play, batch


class MuteError(Exception):
    """An exception whose text cannot be made."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


def mute(_: MatchState) -> NoReturn:
    raise MuteError


def is_to_play(state: MatchState) -> bool:
    return state.phase is Phase.TO_PLAY


def answer(state: MatchState) -> Event | Action:
    """Rolls, takes and accepts; for whatever is not a play."""
    return next(action for action in (Action.ROLL, Action.TAKE, Action.ACCEPT) if action in state.legal_actions)


def first(state: MatchState) -> Event | Action:
    return Event(Action.PLAY, state.to_act, state.legal_plays[0]) if is_to_play(state) else answer(state)


def plain(state: MatchState) -> Play | Event | Action:
    """As `first`, but it returns the play."""
    return state.legal_plays[0] if is_to_play(state) else answer(state)


def by_chance(state: MatchState, rng: Random) -> Play | Event | Action:
    """It returns any play, and turns no cube."""
    return rng.choice(state.legal_plays) if is_to_play(state) else answer(state)


def only_cubes(state: MatchState) -> Event | Action:
    assert not is_to_play(state), "it knows no plays"
    return answer(state)


def only_plays(state: MatchState) -> Event | Action:
    assert is_to_play(state), "it knows no cubes"
    return first(state)


def arrays(turns: Any) -> Any:
    """Plays of many games at once, no bot by itself."""
    return turns.random_rows()


def chance(state: MatchState, rng: Random) -> Event | Action:
    """Anything but resigning, at random."""
    if is_to_play(state):
        return Event(Action.PLAY, state.to_act, rng.choice(state.legal_plays))
    return rng.choice(sorted(set(state.legal_actions) - {Action.RESIGN}))


def wild() -> Callable[..., Event | Action]:
    """Whatever a state allows, resignations at all levels that can still happen included, none twice in a row."""
    offered: list[MatchState] = []

    def decide(state: MatchState, rng: Random) -> Event | Action:
        if not state.offer and state not in offered and rng.random() < 0.1:
            offered[:] = [state]
            assert state.to_act is not None
            levels = sorted(state.possible_wins(state.to_act.opponent))
            if levels:
                return Event(Action.RESIGN, state.to_act, rng.choice(levels))
        return chance(state, rng)

    return decide


def any_play(turns: batch.Turns, _: np.random.Generator) -> Any:
    assert turns.states is not None
    return turns.random_rows()


def racer(states: batch.MatchStates, _: np.random.Generator) -> Any:
    """Doubles and beavers with a lead, takes if not far behind; the same decision for the same state."""
    mine, theirs = batch.pip_counts(states.view(states.to_act)).T
    offers = np.where(mine < 0.95 * theirs, Action.DOUBLE, Action.ROLL)
    beavers = states.may(Action.BEAVER) & (mine < theirs)
    answers = np.where(beavers, Action.BEAVER, np.where(mine < 1.3 * theirs, Action.TAKE, Action.DROP))
    return np.where(states.phase == Phase.DOUBLED, answers, offers)


def drawn(turns: batch.Turns, rng: np.random.Generator) -> Any:
    return rng.integers(turns.offsets[:-1], turns.offsets[1:])


def hitting(turns: batch.Turns, _: np.random.Generator) -> Any:
    return turns.best(turns.points[:, 25] + turns.random() / 2)
