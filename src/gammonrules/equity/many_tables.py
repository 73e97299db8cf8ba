"""Values of many tables at once, for functions that play whole matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gammonrules.match import MatchState

_V = TypeVar("_V")

_COLUMNS = "cube", "owners", "offered", "crawford", "on_roll", "won_by", "won"


def at_scores(tables: Any, value: Callable[[MatchState], _V]) -> list[_V]:
    """Ask for a value of each of many tables, but only once for each score and cube.

    Args:
        tables: the `batch.Tables`.
        value: returns the value for a state. The state has the score, the cube and the player on roll of all tables
            that its value is used for, but the board of one of them.

    Returns:
        The value for each table; `numpy.array` makes an array of them.

    Examples:
        >>> from gammonrules import Player, batch
        >>> from gammonrules.equity import KAZAROSS_XG2, at_scores
        >>> tables = batch.Tables.new(3, length=7, score=(3, 2))
        >>> def of_white(state):
        ...     return KAZAROSS_XG2.chance(state, Player.WHITE)
        >>> at_scores(tables, of_white)
        [0.57732, 0.57732, 0.57732]
    """
    scores = map(tuple, tables.scores.tolist())
    keys = [*zip(scores, *(getattr(tables, name).tolist() for name in _COLUMNS), strict=True)]
    numbers = {key: number for number, key in enumerate(keys)}
    values = {key: value(tables[number]) for key, number in numbers.items()}
    return [values[key] for key in keys]
