"""`reasons.json`: its templates give the messages of Python, and its problems have the numbers of the match in C."""

from __future__ import annotations

import random
from typing import Any

from sentences import PROBLEMS, message

import match_in_c
import random_logs
from gammonrules import TO_ACT, Action, Event, MatchState, Player, Position, Rules, Win
from gammonrules.errors import GammonError, IllegalActionError, IllegalActionReason
from gammonrules.limits import MAX_CUBE
from gammonrules.match import Cube, Double, Phase

WHITE, BLACK = Player
ARGUMENTS: dict[Action, Any] = {
    Action.OPENING_ROLL: (3, 1),
    Action.ROLL: (3, 1),
    Action.PLAY: "",
    Action.RESIGN: Win.BACKGAMMON,
}


def at_limits() -> list[MatchState]:
    return [
        MatchState(Position.start(), WHITE, cube=Cube(MAX_CUBE, WHITE)),
        MatchState(Position.start(), WHITE, rules=Rules(beavers=3, max_cube=4), offer=Double(WHITE, 4, beavers=1)),
        MatchState(Position.start(), WHITE, rules=Rules(beavers=1), offer=Double(WHITE, 4, beavers=1)),
        MatchState(Position.start(), WHITE, rules=Rules(beavers=0), offer=Double(WHITE, 2)),
        MatchState.new(None, score=(10**9, 0)).forfeit(WHITE, 1),
        MatchState.new(None, score=(10**9, 0)).forfeit(BLACK, 1),
        MatchState(Position.start(), WHITE, length=3, score=(2, 0)),
    ]


def states() -> list[MatchState]:
    """Those of a few matches under each set of rules."""
    rng = random.Random(0)
    after = list[MatchState]()
    for rules in random_logs.RULES:
        for length in (None,) if rules.scoring == "pips" else (None, 1, 3):
            state = random_logs.beginning(rng, rules, length)
            after.append(state)
            for event in random_logs.events(rng, state):
                try:
                    state = state.apply(event)
                except GammonError:
                    break
                after.append(state)
    return [*at_limits(), *after[::20]]


def test_sentences_of_reasons() -> None:
    """Every reason comes, for either player and for whoever is to act."""
    seen = set[str]()
    for state in states():
        for action in Action:
            for by in (TO_ACT, *Player):
                try:
                    state.apply(Event(action, by, ARGUMENTS.get(action)))
                except IllegalActionError as error:
                    player = by if isinstance(by, Player) else state.to_act
                    assert message(state, action, player, error.reason) == str(error), state
                    seen.add(error.reason)
                except GammonError:
                    assert state.phase in (Phase.TO_PLAY, Phase.OVER)
    assert seen == {reason.value for reason in IllegalActionReason} - {"unknown_player"}


def test_problems() -> None:
    """Every number that the C has, each once."""
    assert [*PROBLEMS] == [*range(1, len(PROBLEMS) + 1)]
    in_c = [flag.name.lower() for flag in match_in_c.PROBLEMS if flag.name]
    first = match_in_c.FIRST_CONTRADICTION
    assert [entry["name"] for number, entry in PROBLEMS.items() if number >= first] == in_c
