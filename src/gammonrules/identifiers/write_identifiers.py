"""Writing identifiers, for the methods of `MatchState`."""

from __future__ import annotations

from gammonrules.errors import IdentifierError
from gammonrules.identifiers import match_id, ogid, xgid
from gammonrules.identifiers.lost_fields import lost_in_gnubg_id, lost_in_ogid, lost_in_xgid
from gammonrules.identifiers.state_conversion import checked_rules, max_cube_of, plain_game, plain_state
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules


def to_xgid(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_xgid`."""
    rules = checked_rules(rules)
    if strict:
        _refuse_loss("an XGID", lost_in_xgid(state, rules=rules))
    if state.offer is not None:
        return xgid.encode(plain_state(state))
    turn, rules, dice = state.on_roll or Player.WHITE, state.rules, state.dice
    return xgid.line(
        xgid.board_text(state.position.points, turn),
        state.cube.value,
        state.cube.owner,
        turn,
        "00" if dice is None else f"{dice.high}{dice.low}",
        state.score,
        xgid.rule(state.length, state.crawford, rules.jacoby, rules.beavers > 0),
        state.length,
        max_cube_of(rules),
    )


def to_match_id(state: MatchState) -> str:
    """See `MatchState.match_id`."""
    return match_id.encode(plain_game(state))


def to_gnubg_id(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_gnubg_id`."""
    rules = checked_rules(rules)
    if strict:
        _refuse_loss("a gnubg ID", lost_in_gnubg_id(state, rules=rules))
    return f"{state.position.id}:{to_match_id(state)}"


def to_ogid(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_ogid`."""
    rules = checked_rules(rules)
    if strict:
        _refuse_loss("an OGID", lost_in_ogid(state, rules=rules))
    return ogid.encode(plain_game(state))


def _refuse_loss(what: str, lost: tuple[str, ...]) -> None:
    if lost:
        raise IdentifierError(f"{what} cannot carry the whole state; it would lose: {', '.join(lost)}")
