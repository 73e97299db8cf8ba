"""Policies for `batch`: two of them play many games at once; one of them decides state after state against others."""

from __future__ import annotations

from collections.abc import Callable
from random import Random, SystemRandom
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen

from gammonrules import batch
from gammonrules._arrays.checks import Ints
from gammonrules.arena._match import Moment, PlayerError
from gammonrules.batch.internals import (
    Stream,
    action_of,
    decisions,
    roll_or_take,
    row_of,
    rows_chosen,
    turn_of,
)
from gammonrules.dice import no_random_source
from gammonrules.engine.internals import gives_highest_win
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, Event, MatchState, Phase
from gammonrules.match.internals import make_event
from gammonrules.values import check_function, error_text, shown

Choose: TypeAlias = Callable[[batch.Turns, np.random.Generator], object]
CubePolicy: TypeAlias = Callable[[batch.MatchStates, np.random.Generator], object]


@frozen
class Policy:
    """A player made of the functions that `batch.play_matches` takes.

    Two of them play hundreds of games at once. Without a `cube` they never double, and take every double. A policy is
    itself a function that decides about plays and the cube, so it goes wherever one of `batch` or of a vector
    environment goes: `batch.play_matches(20, policy, policy, rng=rng)`.

    *Equality*: two policies are equal if their functions are.

    Attributes:
        choose: chooses the plays, as for `batch.play_games`; `turns.states` has score and cube.
        cube: decides about the cube, as for `batch.play_matches`; None (the default) for nothing of that.

    Raises:
        ArgumentError: one of these is no function.

    Examples:
        >>> from gammonrules import arena
        >>> def anything(turns, rng):
        ...     return turns.random_rows()
        >>> anyone = arena.Policy(anything)
        >>> print(arena.play([anyone, anyone], games=4, workers=1))
        anything against anything 2: +0.000 ± 0.000 (4 games)
    """

    choose: Choose
    cube: CubePolicy | None = None

    def __attrs_post_init__(self) -> None:
        check_function("choose", self.choose)
        check_function("cube", self.cube, optional=True)

    def __call__(self, asked: batch.Turns | batch.MatchStates, rng: np.random.Generator) -> Any:
        """What `choose` decides about turns, or `cube` about states."""
        if isinstance(asked, batch.Turns):
            return self.choose(asked, rng)
        decide_cube = roll_or_take if self.cube is None else self.cube
        return decide_cube(asked, rng)

    def decide(self, state: MatchState, *, rng: Random | None = None) -> Event | Action:
        """What the policy does as the player who is to act: so it plays wherever a function of a state does.

        Examples are `engine.serve` and `serve_ubgi`. It accepts a resignation that gives all that can still be won
        (`MatchState.possible_wins`), and no other. It does not resign.

        Args:
            state: a game that goes on, after its opening roll.
            rng: a `random.Random`, from which `turns.random()` and the functions' generator are made; None (the
                default) for a fresh one.

        Returns:
            An `Event`; `Action.ROLL` if the player rolls, since the caller brings the dice.

        Raises:
            ArgumentError: nobody is to act, `rng` is not a `random.Random`, or a function returns what it must not.
                What a function raises is passed on.

        Examples:
            >>> from gammonrules import MatchState, arena
            >>> def hitting(turns, rng):
            ...     return turns.best(turns.points[:, 25])
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> event = arena.Policy(hitting).decide(state)
            >>> event.argument in state.legal_plays
            True
        """
        if state.to_act is None:
            raise ArgumentError(f"nobody is to act in this phase: {state.phase}")
        if rng is not None and not isinstance(rng, Random):
            raise no_random_source(rng, "a random.Random or None", "random.Random")
        chance = rng or SystemRandom()
        stream = Stream.drawn_from(np.random.default_rng(chance.getrandbits(64)))
        decide = by_states(self, stream)
        decision = decide(state, Moment(0, game=0, turn=0, rng=chance))
        if isinstance(decision, Event) or decision is Action.ROLL:
            return decision
        return make_event(decision, state.to_act, None)


class NamedPolicy:
    """A policy whose errors name it, with a generator of its own."""

    def __init__(self, policy: Policy, name: str, chance: np.random.Generator) -> None:
        self._policy = policy
        self._name = name
        self._chance = chance

    def __call__(self, asked: batch.Turns | batch.MatchStates, _: np.random.Generator) -> Ints:
        """What the policy decides with its own generator, not with that of the games."""
        try:
            if isinstance(asked, batch.Turns):
                return rows_chosen(self._policy(asked, self._chance), asked)
            return decisions(
                self._policy,
                states=asked,
                rng=self._chance,
                at=np.arange(len(asked)),
                label="state {}".format,
            )
        except Exception as error:
            what = shown(error_text(error), 300)
            if not isinstance(error, ArgumentError):  # which says what is wrong by itself
                what = f"it raised {type(error).__name__}: {what}"
            where = repr(asked)
            states = asked.states if isinstance(asked, batch.Turns) else asked
            if states is not None:
                where += f": {states[0].xgid}"
            raise PlayerError(f"{self._name}: {what} ({where})", self._name) from error


def by_states(policy: Policy, stream: Stream) -> Callable[[MatchState, Moment], Event | Action]:
    """A policy that decides one state after another."""

    def decide(state: MatchState, moment: Moment) -> Event | Action:
        chance = np.random.default_rng(moment.rng.getrandbits(64))
        if state.phase is Phase.TO_PLAY:
            turns = turn_of(state, stream, moment.match, moment.game, moment.turn)
            row = row_of(policy(turns, chance), turns)
            return make_event(Action.PLAY, state.to_act, state.legal_plays[row])
        if state.phase is Phase.RESIGNED:
            return Action.ACCEPT if gives_highest_win(state) else Action.DECLINE
        may_double = Action.DOUBLE in state.legal_actions
        if state.phase is Phase.DOUBLED or may_double:
            states = batch.MatchStates.from_states([state])
            return action_of(policy(states, chance))
        return Action.ROLL

    return decide
