"""What lies on the table: players, cube, offers, actions and results, and `MatchState`, all of it as one value."""

from gammonrules.match.state import MatchState
from gammonrules.match.table import (
    TO_ACT,
    Action,
    Cube,
    Double,
    End,
    Event,
    EventArgument,
    Phase,
    Player,
    Resignation,
    Result,
    ToAct,
)

__all__ = [
    "TO_ACT",
    "Action",
    "Cube",
    "Double",
    "End",
    "Event",
    "EventArgument",
    "MatchState",
    "Phase",
    "Player",
    "Resignation",
    "Result",
    "ToAct",
]
