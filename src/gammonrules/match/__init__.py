"""Matches: players, the cube, offers, actions, results, `MatchState`, which holds all of them, and `Clock`."""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named
from gammonrules.match.actions import Action, Phase
from gammonrules.match.cube import Cube, Double, Resignation
from gammonrules.match.events import Event, EventArgument, Forfeit, RecordEvent, SetPosition
from gammonrules.match.players import TO_ACT, Pair, Player, PlayerLike, ToAct
from gammonrules.match.scoring import End, Result
from gammonrules.match.state import MatchState

if TYPE_CHECKING:
    from gammonrules.match.clock import Clock
else:
    __getattr__ = _when_named(__name__, clock=("Clock",))

__all__ = [
    "TO_ACT",
    "Action",
    "Clock",
    "Cube",
    "Double",
    "End",
    "Event",
    "EventArgument",
    "Forfeit",
    "MatchState",
]
__all__ += [
    "Pair",
    "Phase",
    "Player",
    "PlayerLike",
    "RecordEvent",
    "Resignation",
    "Result",
    "SetPosition",
    "ToAct",
]
__dir__ = __all__.copy
