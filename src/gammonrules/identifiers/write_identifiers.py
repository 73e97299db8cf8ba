"""Writing identifiers, for the methods of `MatchState`."""

from __future__ import annotations

from collections.abc import Callable

from gammonrules.errors import IdentifierError
from gammonrules.identifiers import fibs_board, match_id, ogid, xgid
from gammonrules.identifiers.lost_fields import lost_in_fibs_board, lost_in_gnubg_id, lost_in_ogid, lost_in_xgid
from gammonrules.identifiers.plain_state import checked_rules, plain_game, refuse_large_score
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules


def to_xgid(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """The XGID: without an offer to resign, a result and most rules."""
    if strict or rules is not None:
        _refuse_loss("an XGID", lost_in_xgid, state, rules, strict=strict)
    refuse_large_score(state.score, "XGID, score", "XGID, opponent's score")
    return xgid.encode(state)


def to_match_id(state: MatchState) -> str:
    """The Match ID.

    Its game state is 0 before the opening roll, and after a game 2 (played or forfeited), 3 (resigned) or 4 (dropped).
    These cannot be read back, since a Match ID does not say who begins, nor what the result was.
    """
    return match_id.encode(plain_game(state))


def to_gnubg_id(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """The two IDs: without a result, all rules except Jacoby, and beavers beyond the raccoon."""
    _refuse_loss("a gnubg ID", lost_in_gnubg_id, state, rules, strict=strict)
    return f"{state.position.id}:{to_match_id(state)}"


def to_ogid(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """The OGID: without an offer to resign, a result and all rules; a beaver or raccoon is written as taken.

    The move number is 0. While a double is pending, the cube is as before the offer.
    """
    _refuse_loss("an OGID", lost_in_ogid, state, rules, strict=strict)
    return ogid.encode(plain_game(state))


def to_fibs_board(state: MatchState, names: object, *, strict: bool, rules: Rules | None) -> str:
    """The board line: without an offer to resign, a result, beavers and all rules."""
    _refuse_loss("a FIBS board", lost_in_fibs_board, state, rules, strict=strict)
    can_move = 0
    if state.dice is not None and state.on_roll is Player.WHITE:
        can_move = len(state.position.legal_plays(state.dice)[0].moves)
    return fibs_board.encode(plain_game(state), fibs_board.checked_names(names), can_move)


def _refuse_loss(
    what: str, lost_in: Callable[..., tuple[str, ...]], state: MatchState, rules: Rules | None, *, strict: bool
) -> None:
    rules = checked_rules(rules)
    refuse_loss(what, lost_in(state, rules=rules) if strict else ())


def refuse_loss(what: str, lost: tuple[str, ...]) -> None:
    """Raise IdentifierError if anything is lost."""
    if lost:
        raise IdentifierError(f"{what} cannot carry the whole state; it would lose: {', '.join(lost)}")
