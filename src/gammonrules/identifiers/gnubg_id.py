"""GNU Backgammon's Position ID and Match ID together: the board, and the rest of a match state."""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from gammonrules._shared.identifier_text import LABELS, label_re, labeled, pasted, without_label
from gammonrules.board.internals import BAR, halves_of_id, is_position_id
from gammonrules.errors import IdentifierError
from gammonrules.identifiers import match_id
from gammonrules.identifiers.plain_state import PlainState, plain_game
from gammonrules.match import MatchState, Player
from gammonrules.values import shown

OWN_LABELS = "gnubg ID", "Position ID", "Match ID"
"""The labels before a gnubg ID, or before one of its two parts."""
_OPENING = r"(?>[*_`\"'<(\[]*)"
_CHARACTERS = (
    f"{_OPENING}"
    r"([^\s:=,;\"'<>()\[\]{}|#-]*[^\s:=,;*_`\"'<>()\[\]{}|#.!?-])(?:==)?"
    r"[*_`\"'>)\],;.!?]*"
)
"""An identifier, perhaps in quotes or Markdown and at the end of a sentence."""
_MATCH_ID = _OPENING + label_re(LABELS["Match ID"])
_PAIR = re.compile(
    rf"(?>(?:(?:GNU Backgammon )?{label_re(LABELS['Position ID'])})?){_CHARACTERS}"
    rf"(?: ?: ?(?>({_MATCH_ID})?)| ?({_MATCH_ID})| (?=[A-Za-z0-9+/]{{12}}(?: |$)))"
    rf"{_CHARACTERS}(?:[ \"'<(\[{{}}|#].*)?",
    re.IGNORECASE | re.ASCII,
)
"""Both with a colon or a blank between them, or each after its label, as people paste them.

The labels are in atomic groups: possessive ones in a row match wrongly before Python 3.11.5.
"""


def pair_in(text: str) -> tuple[str, str] | None:
    """The Position ID and the Match ID of a pasted text that has both, even with mistakes."""
    label, rest = labeled(text)
    pair = _PAIR.fullmatch(rest if label == "gnubg ID" else text)
    if pair is None:
        return None
    board, *labels, match = pair.groups()
    is_labeled = label == "gnubg ID" or any(labels)
    if is_labeled or is_position_id(board) or len(match) == match_id.LENGTH:
        return board, match
    return None  # other words with a colon between them


def is_meant(text: str) -> bool:
    """Whether a pasted text has both, even with mistakes."""
    return pair_in(text) is not None


def write(state: MatchState, _names: Sequence[str]) -> str:
    """Both identifiers of a state. Raises IdentifierError if a number needs more bits than its field has."""
    return f"{state.position.id}:{match_id.encode(plain_game(state))}"


def read_back(_state: MatchState, plain: PlainState) -> PlainState:
    """The state that a reader takes from the gnubg ID of a state, whose score is cut in `plain`."""
    text = match_id.encode(match_id.capped_state(plain))
    return attrs.evolve(match_id.decode(text), sides=plain.sides)


def decode(text: str) -> PlainState:
    """The state that a Position ID with a Match ID describes.

    Raises:
        IdentifierError: the text is not a pair of these; the message names the field.
    """
    plain_text = pasted(text, "gnubg ID")
    pair = pair_in(plain_text)
    if pair is None:
        label, _ = labeled(plain_text)
        if label not in {"", *OWN_LABELS}:
            without_label(plain_text, "gnubg ID")  # raises the error that names the other form
        raise IdentifierError(
            f"gnubg ID: expected a Position ID, a colon and a Match ID, not {shown(text, 60)}"
        )
    board, match = pair
    plain = match_id.decode(match)
    their_half, my_half = halves_of_id(board)
    theirs = tuple(their_half.to_bytes(BAR, "big"))
    mine = tuple(my_half.to_bytes(BAR, "big"))
    white_on_roll = plain.on_roll is Player.WHITE
    return attrs.evolve(plain, sides=(mine, theirs) if white_on_roll else (theirs, mine))
