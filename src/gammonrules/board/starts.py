"""Where generated games begin: a start position by name, or any position."""

from __future__ import annotations

from gammonrules.board.position import Position
from gammonrules.board.setup import StartName
from gammonrules.errors import ArgumentError
from gammonrules.values import shown


def start_of_games(start: StartName | Position) -> Position:
    """Read the argument `start`: a name as in `Position.start`, or a position in which the game goes on.

    Raises:
        ArgumentError: `start` is neither, or the game is over.
        PositionError: there is no start position with this name.
    """
    if isinstance(start, str):
        return Position.start(start)
    if not isinstance(start, Position):
        raise ArgumentError(f"start must be the name of a start position or a Position, not {shown(start)}")
    if start.outcome is not None:
        raise ArgumentError("start: the game is over in this position")
    return start
