"""What other folders of this package need of identifiers beside `read`. None of it is public."""

from gammonrules.identifiers import gnubg_id, match_id, xgid
from gammonrules.identifiers.gnubg_lines import LONGEST_GNUBG_MATCH as LONGEST_GNUBG_MATCH, gnubg_line as gnubg_line
from gammonrules.identifiers.plain_state import possible_state as possible_state
from gammonrules.identifiers.read_identifiers import (
    from_fibs_board as from_fibs_board,
    from_gnubg_id as from_gnubg_id,
    from_ogid as from_ogid,
    from_xgid as from_xgid,
)
from gammonrules.identifiers.write_identifiers import (
    to_fibs_board as to_fibs_board,
    to_gnubg_id as to_gnubg_id,
    to_match_id as to_match_id,
    to_ogid as to_ogid,
    to_xgid as to_xgid,
)
from gammonrules.identifiers.xgid import DoubledTurn as DoubledTurn

decode_gnubg_id, decode_match_id, decode_xgid = gnubg_id.decode, match_id.decode, xgid.decode
encode_xgid = xgid.encode
