"""Writing identifiers, for the methods of `MatchState`."""

from __future__ import annotations

from gammonrules.errors import IdentifierError
from gammonrules.identifiers import match_id, xgid
from gammonrules.identifiers.losses import lost_in_gnubg_id, lost_in_xgid
from gammonrules.identifiers.states import checked_rules, plain_game, plain_state
from gammonrules.match import MatchState
from gammonrules.rules import Rules


def to_xgid(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_xgid`."""
    rules = checked_rules(rules)
    if strict:
        _refuse_loss("an XGID", lost_in_xgid(state, rules=rules))
    return xgid.encode(plain_state(state))


def to_match_id(state: MatchState) -> str:
    """See `MatchState.match_id`."""
    return match_id.encode(plain_game(state))


def to_gnubg_id(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_gnubg_id`."""
    rules = checked_rules(rules)
    if strict:
        _refuse_loss("a gnubg ID", lost_in_gnubg_id(state, rules=rules))
    return f"{state.position.id}:{to_match_id(state)}"


def _refuse_loss(what: str, lost: tuple[str, ...]) -> None:
    if lost:
        raise IdentifierError(f"{what} cannot carry the whole state; lost would be: {', '.join(lost)}")
