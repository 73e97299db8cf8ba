"""The rules of the table for arrays, where `match/` has them for one state. `test_tables.py` compares the two.

What depends on the rules alone comes from `match/`: the actions of a phase, the levels that count, the highest cube.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from gammonrules.batch._checks import Bools, Ints, Rows
from gammonrules.batch._table_states import NOBODY
from gammonrules.limits import MOST_POINTS
from gammonrules.match import Action, Cube, Phase, Player
from gammonrules.match.internals import ACTIONS_OF_PHASE, ANYBODYS, highest_cube, highest_win
from gammonrules.rules import Rules

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


def _may_double(tables: Tables) -> Bools | bool:
    """Whether `doubling.why_not_double` allows a double by the player on roll."""
    if not tables.rules.cube:
        return False
    may: Bools = (tables.owners != 1 - tables.on_roll) & (2 * tables.cube <= highest_cube(tables.rules))
    may &= ~tables.crawford
    if tables.length is not None:
        scores = np.where(tables.on_roll == 1, tables.scores[:, 1], tables.scores[:, 0])
        may &= scores + tables.cube < tables.length
    return may


def _may_beaver(tables: Tables) -> Bools | bool:
    """Whether `doubling.why_not_beaver` allows redoubling the pending double."""
    if tables.length is not None or not tables.rules.beavers:
        return False
    may: Bools = (tables.beavers < tables.rules.beavers) & (2 * tables.offered <= highest_cube(tables.rules))
    return may


def _may_go_on(tables: Tables) -> Bools:
    """Whether a game can follow the one that is over."""
    may: Bools = (winners(tables) == NOBODY) & (tables.scores.max(axis=1) <= MOST_POINTS)
    return may


_FURTHER: dict[int, Callable[[Tables], Bools | bool]] = {
    CODES[Action.DOUBLE]: _may_double,
    CODES[Action.BEAVER]: _may_beaver,
    CODES[Action.NEXT_GAME]: _may_go_on,
}
"""The conditions of the actions that are not always legal in their phase."""


def allowed(tables: Tables, phase: npt.NDArray[np.intp]) -> Bools:
    """`MatchState.legal_actions`, a column for each action."""
    found = _IN_PHASE[phase]
    for code, may in _FURTHER.items():
        found[:, code] &= may(tables)
    return found


def are_allowed(tables: Tables, phase: npt.NDArray[np.intp], codes: Ints, kinds: Collection[int]) -> Bools:
    """For each table whether its action is legal: less work than `allowed`, since only these actions are checked."""
    found = _IN_PHASE[phase, codes]
    for code in _FURTHER.keys() & kinds:
        found &= (codes != code) | _FURTHER[code](tables)
    legal: Bools = found | (codes == NO_ACTION)
    return legal


def winners(tables: Tables) -> Rows:
    """`MatchState.winner`."""
    found = np.full(len(tables), NOBODY, np.int8)
    if tables.length is not None:
        won = tables.scores >= tables.length
        found[won[:, 1]] = 1
        found[won[:, 0]] = 0
    return found


def scores_before(tables: Tables) -> Points:
    """`MatchState.score_before`."""
    over = np.flatnonzero(tables.won_by != NOBODY)
    if not len(over):
        return tables.scores
    scores = tables.scores.copy()
    scores[over, tables.won_by[over]] -= tables.won[over]
    return scores


def doubled_by_ties(rules: Rules, length: int | None, cube: Points) -> Points:
    """The cubes after tied opening rolls: `doubling.doubles_automatically`."""
    if length is not None or not rules.cube:
        return cube
    last = min(1 << min(rules.auto_doubles, 30), highest_cube(rules))  # cubes of at least this value are not doubled
    return np.where(cube < last, 2 * cube, cube)


def levels_that_count(rules: Rules, length: int | None, owners: Rows, levels: Rows) -> Rows:
    """The levels of wins, reduced to those that count."""
    centered, owned = (highest_win(rules, length, cube) for cube in (Cube(), Cube(2, Player.WHITE)))
    return np.minimum(levels, np.where(owners == NOBODY, np.int8(centered), np.int8(owned)))


def points_of(rules: Rules, cube: Points, levels: Rows, loser_pips: Points) -> Points:
    """`scoring.points_of`."""
    return loser_pips if rules.scoring == "pips" else levels * cube


def one_away(length: int | None, scores: Points) -> Ints:
    """`scoring.one_away`."""
    return np.zeros(len(scores), np.int64) if length is None else np.sum(scores == length - 1, axis=1)


def crawford_after(rules: Rules, length: int | None, scores: Points, before: Points) -> Bools:
    """`scoring.crawford_after`."""
    first: Bools = (one_away(length, scores) == 1) & (one_away(length, before) == 0)
    return first & rules.crawford


def past_crawford(rules: Rules, length: int | None, scores: Points) -> Bools:
    """`scoring.is_past_crawford`."""
    past: Bools = one_away(length, scores) > 0
    return past & (rules.crawford and length != 1)
