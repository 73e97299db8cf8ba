"""What other folders of this package need of matches beside their values. None of it is public."""

from gammonrules.match.actions import action_named
from gammonrules.match.doubling import cube_that_counts, highest_cube, why_not_double
from gammonrules.match.events import make_event
from gammonrules.match.legality import ACTIONS_OF_PHASE, ANYBODYS, refuse as refuse_action
from gammonrules.match.players import player_of, to_player, to_player_or_none
from gammonrules.match.results import level_name
from gammonrules.match.scoring import add_points, highest_win, points_of, why_not_award
from gammonrules.match.wording import kind_of_game

__all__ = [
    "ACTIONS_OF_PHASE",
    "ANYBODYS",
    "action_named",
    "add_points",
    "cube_that_counts",
    "highest_cube",
    "highest_win",
    "kind_of_game",
    "level_name",
    "make_event",
    "player_of",
    "points_of",
    "refuse_action",
    "to_player",
    "to_player_or_none",
    "why_not_award",
    "why_not_double",
]
