"""Policies for `batch`: two of them play many games at once; one of them decides state after state against others."""

from __future__ import annotations

from typing import Any

import numpy as np

from gammonrules import batch
from gammonrules.arena._games import Decide, Moment
from gammonrules.arena._players import Choose, CubePolicy, Policy
from gammonrules.batch.internals import Stream, action_of, row_of, turns_of
from gammonrules.board import Win
from gammonrules.errors import BotError, GammonError
from gammonrules.match import Action, Event, MatchState, Phase, Resignation
from gammonrules.match.internals import highest_win, make_event
from gammonrules.rules import Rules
from gammonrules.values import shown


def play_policies(
    policies: tuple[Policy, Policy],
    names: tuple[str, str],
    number: int,
    *,
    first: int,
    seed: int,
    length: int | None,
    rules: Rules,
) -> batch.MatchGames:
    """Matches, or money games, of two policies as White and Black, all at once.

    Raises BotError.
    """
    chance = np.random.default_rng((seed, first))  # the functions of a block have numbers of their own
    both = tuple(_Policy(policy, name, chance) for policy, name in zip(policies, names, strict=True))
    white, black = both
    rng = np.random.default_rng(seed)
    choose = white.choose, black.choose
    cube = (white.cube, black.cube) if rules.cube else None
    try:
        return batch.play_matches(number, rng, choose, cube, length=length, rules=rules, first=first)
    except BotError:
        raise
    except GammonError as error:
        raise BotError(f"{' or '.join(dict.fromkeys(names))}: {error}") from error


class _Policy:
    """A policy whose exceptions name it, with a generator of its own."""

    def __init__(self, policy: Policy, name: str, chance: np.random.Generator) -> None:
        self._policy, self._name, self._chance = policy, name, chance

    def choose(self, turns: batch.Turns, _: np.random.Generator) -> Any:
        return self._asked(self._policy.choose, turns)

    def cube(self, tables: batch.Tables, _: np.random.Generator) -> Any:
        if self._policy.cube is None:
            return np.where(tables.offered > 0, Action.TAKE, Action.ROLL)
        return self._asked(self._policy.cube, tables)

    def _asked(self, function: Choose | CubePolicy, about: Any) -> Any:
        try:
            return function(about, self._chance)
        except Exception as error:
            said = f"it raised {type(error).__name__}: {shown(str(error), 200)}"
            raise BotError(f"{self._name}: {said} (for {about!r})") from error


def by_states(policy: Policy, stream: Stream) -> Decide:
    """A policy that decides one state after another."""

    def decide(state: MatchState, moment: Moment) -> Event | Action:
        chance = np.random.default_rng(moment.rng.getrandbits(64))
        match state.phase:
            case Phase.TO_PLAY:
                turns = turns_of(state, stream, moment.match, moment.game, moment.turn)
                row = row_of(policy.choose(turns, chance), turns)
                return make_event(Action.PLAY, state.to_act, state.legal_plays[row])
            case Phase.RESIGNED:
                return Action.ACCEPT if _is_all(state) else Action.DECLINE
            case _ if policy.cube is None:
                return Action.TAKE if state.offer else Action.ROLL
            case _ if state.offer or Action.DOUBLE in state.legal_actions:
                return action_of(policy.cube(batch.Tables.from_states([state]), chance))
            case _:
                return Action.ROLL

    return decide


def _is_all(state: MatchState) -> bool:
    """Whether a resignation offers the highest win that is still possible."""
    offer = state.offer
    assert isinstance(offer, Resignation)  # noqa: S101 - this is its phase
    most = Win.SINGLE if state.view(offer.by).off else highest_win(state.rules, state.length, state.cube)
    return offer.win >= most
