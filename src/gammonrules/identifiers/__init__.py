"""A board or a whole match state in one line of text, as people and programs exchange it: XGID, gnubg ID, and others.

`MatchState` and `Position` have a method for each format. This package has `read`, which detects the format, and
functions that say what a format leaves out.
"""

from gammonrules.identifiers.lost_fields import lost_in_gnubg_id, lost_in_ogid, lost_in_xgid
from gammonrules.identifiers.read_identifiers import read

__all__ = ["lost_in_gnubg_id", "lost_in_ogid", "lost_in_xgid", "read"]
