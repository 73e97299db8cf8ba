"""GNU Backgammon's Position ID and Match ID together: the board, and the rest of a match state."""

from __future__ import annotations

import re

import attrs

from gammonrules._shared.identifier_text import bounded, label_re
from gammonrules.board.internals import BAR, halves_of_id
from gammonrules.errors import IdentifierError
from gammonrules.identifiers import match_id
from gammonrules.identifiers.plain_state import PlainState
from gammonrules.match import Player
from gammonrules.values import shown

_PAIR = re.compile(
    r"(?>(?:GNU\s+Backgammon\s+)?)(?>(?:GNUbg\s*ID\s*[:=]?\s*)?)"
    rf"(?>(?:{label_re('Position ID')})?)([^\s:=,;-]+)(?:==)?"
    rf"(?:\s*:\s*(?>(?:{label_re('Match ID')})?)|[\s,;]+{label_re('Match ID')}|\s+(?=[A-Za-z0-9+/]{{12}}(?:\s|$)))"
    r"([^\s:=,;)\]]+)(?:==)?(?:[\s,;)\]].*)?",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
"""Both with a colon or a blank between them, or each after its label, as people paste them.

The labels are in atomic groups: possessive ones in a row match wrongly before Python 3.11.5.
"""
is_meant = _PAIR.fullmatch


def decode(text: str) -> PlainState:
    """What a Position ID with a Match ID says.

    Raises:
        IdentifierError: the text is not a pair of these; the message names the field.
    """
    pair = _PAIR.fullmatch(bounded(text, "gnubg ID").strip()) if isinstance(text, str) else None
    if pair is None:
        raise IdentifierError(f"gnubg ID: expected a Position ID, a colon and a Match ID, not {shown(text, 60)}")
    plain = match_id.decode(pair[2])
    theirs, mine = (tuple(half.to_bytes(BAR, "big")) for half in halves_of_id(pair[1]))
    return attrs.evolve(plain, sides=(mine, theirs) if plain.on_roll is Player.WHITE else (theirs, mine))
