"""What other folders of this package need of matches beside their values. None of it is public."""

from gammonrules.match.actions import (
    ACTIONS_OF_PHASE as ACTIONS_OF_PHASE,
    ANYBODYS as ANYBODYS,
    ActionName as ActionName,
    action_named as action_named,
    against_next_game as against_next_game,
    no_action as no_action,
)
from gammonrules.match.clock import Timing as Timing
from gammonrules.match.cube import (
    CENTERED as CENTERED,
    Values as Values,
    against_beaver as against_beaver,
    against_double as against_double,
    cube_that_counts as cube_that_counts,
    doubles_automatically as doubles_automatically,
    highest_turn as highest_turn,
    limit_matters as limit_matters,
    place_for as place_for,
)
from gammonrules.match.events import make_event as make_event, two_dice as two_dice
from gammonrules.match.players import (
    player_of as player_of,
    to_pair as to_pair,
    to_player as to_player,
    to_player_or_none as to_player_or_none,
)
from gammonrules.match.scoring import (
    add_points as add_points,
    crawford_after as crawford_after,
    crawford_if_first as crawford_if_first,
    has_won as has_won,
    highest_win as highest_win,
    is_past_crawford as is_past_crawford,
    level_name as level_name,
    score_with_away as score_with_away,
    why_not_award as why_not_award,
    win_points as win_points,
)
from gammonrules.match.state import (
    canonical_event as canonical_event,
    levels_that_count as levels_that_count,
    recorded as recorded,
    wins_left as wins_left,
)
