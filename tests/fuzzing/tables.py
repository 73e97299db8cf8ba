"""Random match states, and what must hold for every one that exists."""

from __future__ import annotations

import pickle
import random
from contextlib import suppress

import attrs

from boards import position_of, random_board
from gammonrules import Action, GammonError, MatchState, Player, Win, json
from rules_by_chance import rules_by_chance

MAX_PICTURE_LENGTH = 60_000


def random_table(rng: random.Random, actions: int | None = None) -> MatchState:
    """A match state after some random actions, at times with another board set up by hand."""
    rules = rules_by_chance(rng.choice)
    length = None if rules.scoring == "pips" else rng.choice((None, None, 1, 2, 3, 5, 7, 13, 64))
    score = (0, 0) if length is None else (rng.randrange(length), rng.randrange(length))
    state = MatchState.new(length, rules=rules, score=score)
    for _ in range(rng.choice((0, 1, 2, 3, 5, 9)) if actions is None else actions):
        following = random_action(rng, state)
        if following is None:
            break
        state = following
    if rng.random() < 0.3 and state.on_roll is not None and state.offer is None and state.result is None:
        with suppress(GammonError):  # as where dice lie that the board cannot have, or the cube of such a game
            state = attrs.evolve(state, position=position_of(random_board(rng)))
    return state


def random_action(rng: random.Random, state: MatchState) -> MatchState | None:
    """The state after one of the legal actions; None if there is none."""
    actions = sorted(state.legal_actions)
    if not actions:
        return None
    if state.result is None and rng.random() < 0.03:  # which is not an action of the players
        return state.forfeit(rng.choice(list(Player)), 1 if state.length is None else None)
    match rng.choice(actions):
        case Action.OPENING_ROLL:
            return state.opening_roll(rng.randint(1, 6), rng.randint(1, 6))
        case Action.ROLL:
            return state.roll((rng.randint(1, 6), rng.randint(1, 6)))
        case Action.PLAY:
            return state.play(rng.choice(state.legal_plays))
        case Action.RESIGN:
            return state.resign(Win.SINGLE if state.rules.scoring == "pips" else rng.choice(list(Win)))
        case Action.NEXT_GAME:
            return state.next_game() if rng.random() < 0.5 else state.next_game(rng.choice(list(Player)))
        case action:
            return getattr(state, action)()


def check_table(state: MatchState) -> None:
    """A state that exists can be shown, written and read, kept, and seen from both sides."""
    for text in (str(state), state._repr_svg_()):
        assert len(text) <= MAX_PICTURE_LENGTH
        text.encode()
    assert len(repr(state)) <= MAX_PICTURE_LENGTH
    assert state.swap_players().swap_players() == state
    assert state.view(Player.WHITE) == state.view(Player.BLACK).flip()
    assert pickle.loads(pickle.dumps(state)) == state
    assert json.loads(json.dumps(state)) == state
    assert attrs.evolve(state) == state
