"""What other folders of this package need of `batch` beside its public names. None of it is public."""

from __future__ import annotations

import numpy as np

from gammonrules.batch._legal_plays import unchecked
from gammonrules.batch._loop import rows_chosen
from gammonrules.batch._play import check_starts
from gammonrules.batch._streams import Stream, checked_rolls, own_dice
from gammonrules.batch._table_actions import codes_of
from gammonrules.batch._table_rules import ACTIONS
from gammonrules.batch._tables import Tables
from gammonrules.batch._turns import Turns
from gammonrules.match import Action, MatchState

__all__ = ["Stream", "action_of", "check_starts", "checked_rolls", "own_dice", "row_of", "rows_chosen", "turns_of"]


def turns_of(state: MatchState, stream: Stream, match: int, game: int, turn: int) -> Turns:
    """The turn of one state, as in a run of `play_matches` with this stream."""
    tables = Tables.from_states([state])
    plays = tables.legal_plays
    numbers = (np.array([number]) for number in (match, turn))
    arrays = plays.offsets, plays.points, plays.moves, tables.points, tables.dice
    return unchecked(Turns, *arrays, *numbers, tables.on_roll, stream, np.array([game]), tables)


def row_of(choice: object, turns: Turns) -> int:
    """The row that a function chose for one turn. Raises ArgumentError."""
    return int(rows_chosen(choice, turns)[0])  # type: ignore[arg-type]


def action_of(decision: object) -> Action:
    """The action that a function for the cube returns for one table. Raises ArgumentError."""
    return ACTIONS[int(codes_of(decision, 1, "cube")[0])]  # type: ignore[arg-type]
