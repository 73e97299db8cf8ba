"""Which actions are legal at which tables. What forbids one is stated in `match/`, which is asked here with arrays.

`phases` and `players_to_act` say again what `MatchState.phase` and `MatchState.to_act` say: one state is read field by
field until one decides, but arrays have to be read in full. `test_tables.py` compares them after every action.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.batch._table_states import NOBODY
from gammonrules.board.array_checks import Bools, Ints, Rows
from gammonrules.match import Action, Phase
from gammonrules.match.internals import (
    ACTIONS_OF_PHASE,
    ANYBODYS,
    Values,
    against_beaver,
    against_double,
    against_next_game,
)

if TYPE_CHECKING:
    from gammonrules.batch._tables import Tables

Points: TypeAlias = npt.NDArray[np.int32]

ACTIONS = tuple(Action)
PHASES = tuple(Phase)
CODES = {action: code for code, action in enumerate(ACTIONS)}
"""The number of each action, and of its column in `Tables.legal_actions`."""
NO_ACTION = -1
"""The code that leaves a table as it is."""
_IN_PHASE = np.array([[action in ACTIONS_OF_PHASE[phase] for action in ACTIONS] for phase in PHASES])
BY_ANYBODY = np.array([action in ANYBODYS for action in ACTIONS])
TO_PLAY = PHASES.index(Phase.TO_PLAY)


def phases(tables: Tables) -> npt.NDArray[np.intp]:
    """`MatchState.phase`, as a number in the order of `Phase`."""
    found = np.where(tables.dice[:, 0] > 0, TO_PLAY, PHASES.index(Phase.TO_ROLL))
    found[tables.offered > 0] = PHASES.index(Phase.DOUBLED)
    found[tables.resigned_by != NOBODY] = PHASES.index(Phase.RESIGNED)
    found[tables.on_roll == NOBODY] = PHASES.index(Phase.OPENING)
    found[tables.won_by != NOBODY] = PHASES.index(Phase.OVER)
    return found


def players_to_act(tables: Tables) -> Rows:
    """`MatchState.to_act`: after a plain double the opponent of the player on roll, after a beaver themselves."""
    answers = (tables.offered > 0) & (tables.beavers % 2 == 0)
    found = np.where(answers, 1 - tables.on_roll, tables.on_roll)
    found = np.where(tables.resigned_by != NOBODY, 1 - tables.resigned_by, found)
    found[tables.won_by != NOBODY] = NOBODY
    return found


def _against_double(t: Tables) -> tuple[Values, ...]:
    points = np.where(t.on_roll == 1, t.scores[:, 1], t.scores[:, 0])
    return against_double(t.rules, t.length, t.crawford, t.owners == 1 - t.on_roll, t.cube, points)


_AGAINST: dict[int, Callable[[Tables], tuple[Values, ...]]] = {
    CODES[Action.DOUBLE]: _against_double,
    CODES[Action.BEAVER]: lambda t: against_beaver(t.rules, t.length, t.offered, t.beavers),
    CODES[Action.NEXT_GAME]: lambda t: against_next_game(t.length, np.maximum(*t.scores.T)),
}
"""What can forbid the actions that are not always legal in their phase."""


def _may(tables: Tables, code: int) -> Bools:
    """Whether nothing forbids this action in its phase."""
    forbidden = np.zeros(len(tables), np.bool_)
    for forbids in _AGAINST[code](tables):
        forbidden |= forbids
    return ~forbidden


def allowed(tables: Tables) -> Bools:
    """`MatchState.legal_actions`, a column for each action."""
    found: Bools = _IN_PHASE[tables.phase_numbers]
    for code in _AGAINST:
        found[:, code] &= _may(tables, code)
    return found


def are_allowed(tables: Tables, codes: Ints, kinds: Collection[int]) -> Bools:
    """For each table whether its action is legal: less work than `allowed`, since only these kinds are checked."""
    found: Bools = _IN_PHASE[tables.phase_numbers, codes] | (codes == NO_ACTION)
    for code in _AGAINST.keys() & kinds:
        found &= (codes != code) | _may(tables, code)
    return found
