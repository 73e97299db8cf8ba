"""A board or a whole match state in one line of text, as people and programs exchange it: XGID, gnubg ID, and others.

`MatchState` and `Position` have a method for each format. This package has `read`, which detects the format, functions
that say what a format leaves out, and the lines in which programs talk to GNU Backgammon.
"""

from gammonrules.identifiers.gnubg_lines import from_bot_line, from_gnubg_line, to_bot_line, to_gnubg_line
from gammonrules.identifiers.lost_fields import lost_in_fibs_board, lost_in_gnubg_id, lost_in_ogid, lost_in_xgid
from gammonrules.identifiers.read_identifiers import read

__all__ = [
    "from_bot_line",
    "from_gnubg_line",
    "lost_in_fibs_board",
    "lost_in_gnubg_id",
    "lost_in_ogid",
    "lost_in_xgid",
    "read",
    "to_bot_line",
    "to_gnubg_line",
]
__dir__ = __all__.copy
