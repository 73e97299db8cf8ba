"""What a score is worth: match equity tables, and the chances, equities and doubling windows that follow from them.

Examples:
    >>> from gammonrules import MatchState, Player
    >>> from gammonrules.equity import KAZAROSS_XG2
    >>> KAZAROSS_XG2.chance(MatchState.new(7, score=(5, 6)), Player.WHITE)
    0.32264
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named
from gammonrules.analysis import Chances, ChancesLike
from gammonrules.equity.janowski import DoublingWindow
from gammonrules.equity.kazaross import KAZAROSS_XG2
from gammonrules.equity.match_equity_table import MatchEquityTable
from gammonrules.equity.table_files import read_table, write_table

__all__ = [
    "KAZAROSS_XG2",
    "Chances",
    "ChancesLike",
    "DoublingWindow",
    "MatchEquityTable",
    "read_table",
    "write_table",
]
__all__ += ["cubeless_equities", "doubling_windows", "equities", "flip", "nested"]
__dir__ = __all__.copy

if TYPE_CHECKING:
    from gammonrules.equity.arrays import (
        cubeless_equities,
        doubling_windows,
        equities,
        flip,
        nested,
    )
else:
    __getattr__ = _when_named(
        __name__, arrays=("cubeless_equities", "doubling_windows", "equities", "flip", "nested")
    )
