"""Which actions are legal in each phase, for whom, and if not, why not.

Two functions decide it, one for the actions of the current phase and one for all others: each returns the rule that
forbids an action, with a sentence, or None. `MatchState.legal_actions` lists the actions that neither forbids; the
methods of `MatchState` raise the reason as IllegalActionError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gammonrules.errors import IllegalActionError, IllegalActionReason as Reason
from gammonrules.limits import MOST_POINTS
from gammonrules.match.actions import Action, Phase
from gammonrules.match.cube import Double, Resignation
from gammonrules.match.doubling import Refusal, Values, why_not_beaver, why_not_double
from gammonrules.match.players import Player
from gammonrules.match.scoring import has_won

if TYPE_CHECKING:
    from gammonrules.match.state import MatchState

ACTIONS_OF_PHASE: dict[Phase, tuple[Action, ...]] = {
    Phase.OPENING: (Action.OPENING_ROLL,),
    Phase.TO_ROLL: (Action.ROLL, Action.DOUBLE, Action.RESIGN),
    Phase.TO_PLAY: (Action.PLAY, Action.RESIGN),
    Phase.DOUBLED: (Action.TAKE, Action.DROP, Action.BEAVER, Action.RESIGN),
    Phase.RESIGNED: (Action.ACCEPT, Action.DECLINE),
    Phase.OVER: (Action.NEXT_GAME,),
}
"""The actions of each phase."""

_NEUTRAL = {Action.OPENING_ROLL: "no opening roll now", Action.NEXT_GAME: "no next game"}
"""Actions that belong to neither player, and how the message begins if they are illegal."""

ANYBODYS = frozenset({*_NEUTRAL, Action.RESIGN})  # both players may resign at any time

_DOUBLE, _BEAVER, _NEXT_GAME = Action.DOUBLE, Action.BEAVER, Action.NEXT_GAME  # faster than looking them up

_ROLLED = Reason.ALREADY_ROLLED, "the dice have already been rolled"
_NO_DOUBLE = Reason.NO_DOUBLE_PENDING, "no double is pending"
_NO_RESIGNATION = Reason.NO_RESIGNATION_PENDING, "nobody has offered to resign"
_NOT_IN_THIS_TURN: dict[Action, Refusal] = {
    Action.OPENING_ROLL: (Reason.OPENING_ROLL_MADE, "the opening roll has already been made"),
    Action.ROLL: _ROLLED,
    Action.PLAY: (Reason.NOT_ROLLED, "the dice have not been rolled yet"),
    Action.DOUBLE: _ROLLED,
    Action.TAKE: _NO_DOUBLE,
    Action.DROP: _NO_DOUBLE,
    Action.BEAVER: _NO_DOUBLE,
    Action.ACCEPT: _NO_RESIGNATION,
    Action.DECLINE: _NO_RESIGNATION,
    Action.NEXT_GAME: (Reason.GAME_NOT_OVER, "the game is not over"),
}
_UNANSWERED: dict[type[Double | Resignation], tuple[Reason, str, tuple[str, str]]] = {
    Double: (Reason.DOUBLE_PENDING, "a double", ("take or drop", "taken or dropped")),
    Resignation: (Reason.RESIGNATION_PENDING, "a resignation", ("accept or decline", "accepted or declined")),
}


def actions_of(state: MatchState, player: Player | None) -> frozenset[Action]:
    """The actions that the rules allow this player now; with None, those that they allow anybody."""
    return frozenset(
        [action for action in ACTIONS_OF_PHASE[state.phase] if _why_not_here(state, action, player) is None]
    )


def refuse(state: MatchState, action: Action, player: Player | None) -> None:
    """Raise IllegalActionError if this player (with None, anybody) may not do this now."""
    judge = _why_not_here if action in ACTIONS_OF_PHASE[state.phase] else why_not_now
    why_not = judge(state, action, player)
    if why_not is None:
        return
    reason, sentence = why_not
    who = "nobody can" if player is None else f"{player.title()} cannot"
    what = _NEUTRAL.get(action, f"{who} {action}{' now' * (player is None)}")
    raise IllegalActionError(f"{what}: {sentence}", reason)


def _why_not_here(state: MatchState, action: Action, player: Player | None) -> Refusal | None:
    """Why this player may not do an action of the current phase, or None if they may."""
    if player is None or action in ANYBODYS:
        return _why_no_next_game(state) if action is _NEXT_GAME else None
    if player is not state.to_act:
        return Reason.NOT_YOUR_TURN, f"{player.opponent.title()} is to act"
    if action is _DOUBLE:
        return why_not_double(state, player)
    if action is _BEAVER and isinstance(state.offer, Double):
        return why_not_beaver(state, state.offer)
    return None


def _why_no_next_game(state: MatchState) -> Refusal | None:
    """Why no game can follow this one, or None if one can."""
    won, too_many = against_next_game(state.length, max(state.score))
    if won and state.winner is not None:
        return Reason.MATCH_OVER, f"{state.winner.title()} has won the match"
    if too_many:
        return Reason.SCORE_LIMIT, f"a game can begin with at most {MOST_POINTS:,} points"
    return None


def against_next_game(length: int | None, most: Values) -> tuple[Values, ...]:
    """Whether a match that is won, or a score that is too high, forbids another game; `most` is the higher score."""
    return has_won(length, most), most > MOST_POINTS


def why_not_now(state: MatchState, action: Action, player: Player | None) -> Refusal:
    """Why this player (with None, anybody) may not do an action of another phase."""
    if state.result is not None:
        return Reason.GAME_OVER, f"the game is over, and {state.result.winner.title()} has won it"
    to_act = state.to_act
    if to_act is None:
        return Reason.OPENING_ROLL_FIRST, "the game must begin with the opening roll"
    if state.offer is None:
        return _NOT_IN_THIS_TURN[action]
    reason, what, (answer, answered) = _UNANSWERED[type(state.offer)]
    if player is to_act:  # the message begins with their name
        return reason, f"{what} has yet to be {answered}"
    return reason, f"{to_act.title()} has yet to {answer} {what}"
