"""A board or a whole match state in one line of text, as people and programs exchange it: XGID, gnubg ID, and others.

`MatchState` and `Position` have a method for each format. Here are `read`, which finds out the format, and what each
format leaves out.
"""

from gammonrules.identifiers.losses import lost_in_gnubg_id, lost_in_xgid
from gammonrules.identifiers.reading import read

__all__ = ["lost_in_gnubg_id", "lost_in_xgid", "read"]
