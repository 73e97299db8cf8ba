"""Chances of winning the match and normalized equities, by match equity tables.

Examples:
    >>> from gammonrules import MatchState, Player
    >>> from gammonrules.equity import KAZAROSS_XG2
    >>> KAZAROSS_XG2.chance(MatchState.new(7, score=(5, 6)), Player.WHITE)
    0.32264
"""

from gammonrules.equity.kazaross import KAZAROSS_XG2
from gammonrules.equity.match_equity_table import MatchEquityTable

__all__ = ["KAZAROSS_XG2", "MatchEquityTable"]
