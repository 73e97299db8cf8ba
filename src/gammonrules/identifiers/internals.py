"""What other folders of this package need of identifiers beside `read`. None of it is public."""

from gammonrules.identifiers.gnubg_id import decode as decode_gnubg_id
from gammonrules.identifiers.gnubg_lines import LONGEST_GNUBG_MATCH, gnubg_line
from gammonrules.identifiers.match_id import decode as decode_match_id
from gammonrules.identifiers.plain_state import possible_state
from gammonrules.identifiers.read_identifiers import from_fibs_board, from_gnubg_id, from_ogid, from_xgid
from gammonrules.identifiers.write_identifiers import to_fibs_board, to_gnubg_id, to_match_id, to_ogid, to_xgid
from gammonrules.identifiers.xgid import DoubledTurn, decode as decode_xgid

__all__ = [
    "LONGEST_GNUBG_MATCH",
    "DoubledTurn",
    "decode_gnubg_id",
    "decode_match_id",
    "decode_xgid",
    "from_fibs_board",
    "from_gnubg_id",
    "from_ogid",
    "from_xgid",
    "gnubg_line",
    "possible_state",
    "to_fibs_board",
    "to_gnubg_id",
    "to_match_id",
    "to_ogid",
    "to_xgid",
]
