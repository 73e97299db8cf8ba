"""What other folders of this package need of identifiers beside the public functions. None of it is public."""

from gammonrules.identifiers import gnubg_id, match_id, xgid
from gammonrules.identifiers.forms import (
    FORMS as FORMS,
    SHOWN_FORMS as SHOWN_FORMS,
    ReadForm as ReadForm,
)
from gammonrules.identifiers.gnubg_lines import (
    MAX_GNUBG_MATCH_LENGTH as MAX_GNUBG_MATCH_LENGTH,
    gnubg_line as gnubg_line,
)
from gammonrules.identifiers.plain_state import possible_state as possible_state
from gammonrules.identifiers.read_identifiers import read_form as read_form
from gammonrules.identifiers.write_identifiers import write as write
from gammonrules.identifiers.xgid import DoubledTurn as DoubledTurn

decode_gnubg_id = gnubg_id.decode
decode_match_id = match_id.decode
decode_xgid = xgid.decode
encode_xgid = xgid.encode
