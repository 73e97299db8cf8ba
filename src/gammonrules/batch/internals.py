"""What other folders of this package need of `batch` beside its public names. None of it is public."""

from __future__ import annotations

import numpy as np

from gammonrules.batch._game_loop import (
    CubePolicy as CubePolicy,
    GameBoards as GameBoards,
    any_play as any_play,
    decisions as decisions,
    roll_or_take as roll_or_take,
    rows_chosen as rows_chosen,
    turns_of as turns_of,
)
from gammonrules.batch._match_states import (
    MatchStates,
    drafted as drafted,
    legal_plays_where as legal_plays_where,
    states_at as states_at,
)
from gammonrules.batch._play import (
    check_starts as check_starts,
    start_of_matches as start_of_matches,
)
from gammonrules.batch._random_streams import (
    Stream as Stream,
    below as below,
    checked_rolls as checked_rolls,
    own_dice as own_dice,
    scramble as scramble,
)
from gammonrules.batch._state_actions import (
    Draft as Draft,
    codes_of,
    flipped_where as flipped_where,
)
from gammonrules.batch._state_rules import ACTIONS
from gammonrules.batch._turns import Turns
from gammonrules.match import Action, MatchState


def turn_of(state: MatchState, stream: Stream, match: int, game: int, turn: int) -> Turns:
    """The turn of one state, as in a run of `play_matches`: with the numbers of match, game in it, and turn."""
    return turns_of(
        MatchStates.from_states([state]),
        stream,
        matches=np.array([match]),
        of_match=np.array([game]),
        numbers=np.array([turn]),
    )


def row_of(choice: object, turns: Turns) -> int:
    """The row that a function chose for one turn. Raises ArgumentError."""
    return int(rows_chosen(choice, turns)[0])  # type: ignore[arg-type]


def action_of(decision: object) -> Action:
    """The action that a function for the cube returns for one state. Raises ArgumentError."""
    return ACTIONS[int(codes_of(decision, 1, "cube")[0])]  # type: ignore[arg-type]
