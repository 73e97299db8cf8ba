"""What the strategies of records are made of. None of it is public."""

from gammonrules.strategies._arguments import (
    DrawnValues as DrawnValues,
    is_a as is_a,
    limit as limit,
    strategy_for as strategy_for,
)
from gammonrules.strategies._event_strategies import (
    next_event as next_event,
    play_event as play_event,
)
from gammonrules.strategies._position_strategies import (
    CHOICES as CHOICES,
    chosen as chosen,
    scripts as scripts,
)
