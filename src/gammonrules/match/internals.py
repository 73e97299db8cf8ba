"""What other folders of this package need of matches beside their values. None of it is public."""

from gammonrules.match.actions import ActionName, action_named
from gammonrules.match.cube import CENTERED
from gammonrules.match.doubling import (
    Values,
    against_beaver,
    against_double,
    cube_that_counts,
    doubles_automatically,
    highest_turn,
    why_not_double,
)
from gammonrules.match.events import make_event
from gammonrules.match.legality import ACTIONS_OF_PHASE, ANYBODYS, against_next_game
from gammonrules.match.players import player_of, to_pair, to_player, to_player_or_none
from gammonrules.match.results import level_name
from gammonrules.match.scoring import (
    add_points,
    crawford_after,
    crawford_if_first,
    has_won,
    highest_win,
    is_past_crawford,
    points_of,
    why_not_award,
)

__all__ = [
    "ACTIONS_OF_PHASE",
    "ANYBODYS",
    "CENTERED",
    "ActionName",
    "Values",
    "action_named",
    "add_points",
    "against_beaver",
    "against_double",
    "against_next_game",
    "crawford_after",
    "crawford_if_first",
    "cube_that_counts",
    "doubles_automatically",
    "has_won",
    "highest_turn",
    "highest_win",
    "is_past_crawford",
    "level_name",
    "make_event",
    "player_of",
    "points_of",
    "to_pair",
    "to_player",
    "to_player_or_none",
    "why_not_award",
    "why_not_double",
]
