"""Which actions are legal in which states. What forbids one is stated in `match/`, which is asked here with arrays.

`phases` and `players_to_act` say again what `MatchState.phase` and `MatchState.to_act` say: one state is read field by
field until one decides, but arrays have to be read in full. `test_match_states.py` compares them after every action.
"""

from __future__ import annotations

from collections.abc import Callable, Set as AbstractSet
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Bools, Ints, Rows
from gammonrules.batch._state_columns import NOBODY, Arrays
from gammonrules.match import Action, Phase
from gammonrules.match.internals import (
    ACTIONS_OF_PHASE,
    ANYBODYS,
    Values,
    against_beaver,
    against_double,
    against_next_game,
)
from gammonrules.rules import Rules

Points: TypeAlias = npt.NDArray[np.int32]

ACTIONS = tuple(Action)
PHASES = tuple(Phase)
CODES = {action: code for code, action in enumerate(ACTIONS)}
"""The number of each action, and of its column in `MatchStates.legal_actions`."""
NO_ACTION = -1
"""The code that leaves a state as it is."""
_IN_PHASE = np.array(
    [[action in ACTIONS_OF_PHASE[phase] for action in ACTIONS] for phase in PHASES]
)
BY_ANYBODY = np.array([action in ANYBODYS for action in ACTIONS])
TO_PLAY = PHASES.index(Phase.TO_PLAY)


def phases(arrays: Arrays) -> npt.NDArray[np.intp]:
    """`MatchState.phase`, as a number in the order of `Phase`; each line overrules those before it."""
    numbers = np.where(arrays["dice"][:, 0] > 0, TO_PLAY, PHASES.index(Phase.TO_ROLL))
    numbers[arrays["offered"] > 0] = PHASES.index(Phase.DOUBLED)
    numbers[arrays["resigned_by"] != NOBODY] = PHASES.index(Phase.RESIGNED)
    numbers[arrays["on_roll"] == NOBODY] = PHASES.index(Phase.OPENING)
    numbers[arrays["won_by"] != NOBODY] = PHASES.index(Phase.OVER)
    return numbers


def players_to_act(arrays: Arrays) -> Rows:
    """`MatchState.to_act`: after a plain double the opponent of the player on roll, after a beaver themselves."""
    on_roll = arrays["on_roll"]
    resigned_by = arrays["resigned_by"]
    # a double is for the opponent to answer, its beaver for the player on roll, a raccoon for the opponent again
    is_offered_to_opponent = (arrays["offered"] > 0) & (arrays["beavers"] % 2 == 0)
    players = np.where(is_offered_to_opponent, 1 - on_roll, on_roll)
    players = np.where(resigned_by != NOBODY, 1 - resigned_by, players)
    players[arrays["won_by"] != NOBODY] = NOBODY
    return players


def scores_before(arrays: Arrays) -> Points:
    """`MatchState.score_before`."""
    won: Points = arrays["won"][:, np.newaxis] * (arrays["won_by"][:, np.newaxis] == [0, 1])
    return arrays["scores"] - won


def _rules_against_double(arrays: Arrays, length: int | None, rules: Rules) -> tuple[Values, ...]:
    on_roll = arrays["on_roll"]
    scores = arrays["scores"]
    points_on_roll = np.where(on_roll == 1, scores[:, 1], scores[:, 0])
    return against_double(
        rules,
        length,
        crawford=arrays["crawford"],
        opponent_owns=arrays["owners"] == 1 - on_roll,
        cube=arrays["cube"],
        points=points_on_roll,
    )


def _rules_against_beaver(arrays: Arrays, length: int | None, rules: Rules) -> tuple[Values, ...]:
    return against_beaver(rules, length, offered=arrays["offered"], beavers=arrays["beavers"])


def _rules_against_next_game(
    arrays: Arrays, length: int | None, _rules: Rules
) -> tuple[Values, ...]:
    return against_next_game(length, arrays["scores"].max(axis=1))


_AGAINST: dict[int, Callable[[Arrays, int | None, Rules], tuple[Values, ...]]] = {
    CODES[Action.DOUBLE]: _rules_against_double,
    CODES[Action.BEAVER]: _rules_against_beaver,
    CODES[Action.NEXT_GAME]: _rules_against_next_game,
}
"""What can forbid the actions that are not always legal in their phase."""


def may(code: int, arrays: Arrays, length: int | None, rules: Rules) -> Bools:
    """Whether nothing forbids this action in its phase."""
    forbidden = np.zeros(len(arrays["points"]), np.bool_)
    for forbids in _AGAINST[code](arrays, length, rules):
        forbidden |= forbids
    return ~forbidden


def allowed(
    phase_numbers: Ints,
    arrays: Arrays,
    length: int | None,
    rules: Rules,
    kinds: AbstractSet[int] = frozenset(_AGAINST),
) -> Bools:
    """`MatchState.legal_actions`, a column for each action; those that are not of these `kinds` by the phase alone."""
    legal: Bools = _IN_PHASE[phase_numbers]
    for code in _AGAINST.keys() & kinds:
        legal[:, code] &= may(code, arrays, length, rules)
    return legal
