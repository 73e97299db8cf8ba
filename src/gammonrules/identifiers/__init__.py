"""A board or a whole match state in one line of text, as people and programs exchange it: XGID, gnubg ID, and others.

`read` reads all of them, `write` writes them, and `lost_fields` names what one of them leaves out. The most usual ones
are methods of `MatchState` and `Position` too.
"""

from gammonrules.identifiers.lost_fields import lost_fields
from gammonrules.identifiers.read_identifiers import read
from gammonrules.identifiers.write_identifiers import write

__all__ = ["lost_fields", "read", "write"]
__dir__ = __all__.copy
