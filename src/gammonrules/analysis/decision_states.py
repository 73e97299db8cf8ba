"""The state of a decision: whether it is about a double, and how a link or a table names it."""

from __future__ import annotations

from contextlib import suppress

from gammonrules.errors import IdentifierError
from gammonrules.match import Action, MatchState, Phase


def is_of_double(state: MatchState) -> bool:
    """Whether a player may double here, or a double without beavers is to be answered."""
    if state.phase is Phase.DOUBLED:
        return state.pending_double is not None and not state.pending_double.beavers
    return Action.DOUBLE in state.legal_actions


def xgid_of(state: MatchState) -> str:
    """The XGID of a state; "" for a score too high for one."""
    with suppress(IdentifierError):
        return state.xgid
    return ""
