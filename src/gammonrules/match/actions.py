"""`Action`, what players can do, `Phase`, what a game is waiting for, and what forbids an action in a phase.

`MatchState` lists the actions that nothing forbids; for any other it raises what forbids it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from gammonrules._shared.json_form import JsonField
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason as Reason
from gammonrules.limits import MAX_POINTS
from gammonrules.match.cube import Double, ForbiddenBy, Offer, Values
from gammonrules.match.players import Player
from gammonrules.match.scoring import Result, has_won
from gammonrules.values import one_of, plain_text, shown, suggestion


class Phase(JsonField, StrEnum):
    """What a state is waiting for (`MatchState.phase`).

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> from gammonrules import MatchState
        >>> MatchState.new(7).phase, Phase.TO_ROLL == "to_roll"
        (<Phase.OPENING: 'opening'>, True)
    """

    OPENING = "opening"
    """The opening roll; nobody is on roll yet."""
    TO_ROLL = "to_roll"
    """The player on roll rolls or doubles."""
    TO_PLAY = "to_play"
    """The player on roll plays the dice."""
    DOUBLED = "doubled"
    """A double must be answered."""
    RESIGNED = "resigned"
    """A resignation must be answered."""
    OVER = "over"
    """The game is over."""


class Action(JsonField, StrEnum):
    """What players can do; each value is the name of a method of `MatchState`.

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> Action("take"), Action.TAKE == "take"
        (<Action.TAKE: 'take'>, True)
    """

    OPENING_ROLL = "opening_roll"
    """Each player throws one die; the higher starts."""
    ROLL = "roll"
    """Roll both dice."""
    PLAY = "play"
    """Play the dice, or dance if nothing can be played."""
    DOUBLE = "double"
    """Offer the cube at twice its value before rolling."""
    TAKE = "take"
    """Accept a double or a beaver."""
    DROP = "drop"
    """Refuse a double or a beaver and lose the game."""
    BEAVER = "beaver"
    """Answer a double or a beaver by redoubling at once."""
    RESIGN = "resign"
    """Offer to lose the game."""
    ACCEPT = "accept"
    """Accept the opponent's resignation."""
    DECLINE = "decline"
    """Refuse the opponent's resignation and play on."""
    NEXT_GAME = "next_game"
    """Set up the next game."""


ActionName: TypeAlias = Literal[
    "opening_roll",
    "roll",
    "play",
    "double",
    "take",
    "drop",
    "beaver",
    "resign",
    "accept",
    "decline",
    "next_game",
]
"""The texts of `Action`."""


def action_named(value: object) -> Action:
    """Read an action from `Action` or its name.

    Raises:
        ArgumentError: there is no such action.
    """
    if isinstance(value, Action):
        return value
    name = plain_text(value)
    if name in list(Action):  # a member equals its name
        return Action(name)
    raise no_action(value)


def no_action(value: object) -> ArgumentError:
    """The error for what is not an action."""
    hint = suggestion(value, Action) or f"; expected {one_of([*Action])}"
    return ArgumentError(f"unknown action {shown(value)}{hint}")


# --- the actions of each phase, and what forbids any other: the phase, or an offer that must be answered first --------


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

_ALREADY_ROLLED = ForbiddenBy(Reason.ALREADY_ROLLED, "the dice have already been rolled")
_NO_DOUBLE = ForbiddenBy(Reason.NO_DOUBLE_PENDING, "no double is pending")
_NO_RESIGNATION = ForbiddenBy(Reason.NO_RESIGNATION_PENDING, "nobody has offered to resign")
_NOT_IN_THIS_TURN: dict[Action, ForbiddenBy] = {
    Action.OPENING_ROLL: ForbiddenBy(
        Reason.OPENING_ROLL_MADE, "the opening roll has already been made"
    ),
    Action.ROLL: _ALREADY_ROLLED,
    Action.PLAY: ForbiddenBy(Reason.NOT_ROLLED, "the dice have not been rolled yet"),
    Action.DOUBLE: _ALREADY_ROLLED,
    Action.TAKE: _NO_DOUBLE,
    Action.DROP: _NO_DOUBLE,
    Action.BEAVER: _NO_DOUBLE,
    Action.ACCEPT: _NO_RESIGNATION,
    Action.DECLINE: _NO_RESIGNATION,
    Action.NEXT_GAME: ForbiddenBy(Reason.GAME_NOT_OVER, "the game is not over"),
}


def illegal(action: Action, player: Player | None, why_not: ForbiddenBy) -> IllegalActionError:
    """The error that says what forbids an action to this player, or with None to anybody."""
    if action in _NEUTRAL:
        what = _NEUTRAL[action]
    elif player is None:
        what = f"nobody can {action} now"
    else:
        what = f"{player.title()} cannot {action}"
    return IllegalActionError(f"{what}: {why_not.sentence}", why_not.reason)


def against_next_game(length: int | None, highest: Values) -> tuple[Values, ...]:
    """Whether a match that is won, or a score that is too high, forbids another game; `highest` is the higher score."""
    return has_won(length, highest), highest > MAX_POINTS


def why_no_next_game(length: int | None, highest: int, winner: Player | None) -> ForbiddenBy | None:
    """Why no game can follow one after which a side has won the match or has this many points, or None if one can."""
    won, too_many = against_next_game(length, highest)
    if won and winner is not None:
        return ForbiddenBy(Reason.MATCH_OVER, f"{winner.title()} has won the match")
    if too_many:
        sentence = f"a game can begin with at most {MAX_POINTS:,} points"
        return ForbiddenBy(Reason.SCORE_LIMIT, sentence)
    return None


def why_not_in_this_phase(
    action: Action,
    player: Player | None,
    to_act: Player | None,
    offer: Offer | None,
    result: Result | None,
) -> ForbiddenBy:
    """Why an action of another phase is illegal for this player, or with None for anybody."""
    if result is not None:
        sentence = f"the game is over, and {result.winner.title()} has won it"
        return ForbiddenBy(Reason.GAME_OVER, sentence)
    if to_act is None:
        return ForbiddenBy(Reason.OPENING_ROLL_FIRST, "the game must begin with the opening roll")
    if offer is None:
        return _NOT_IN_THIS_TURN[action]
    is_named_already = player is to_act  # the message of `illegal` begins with the player
    if isinstance(offer, Double):
        without_name = "a double has yet to be taken or dropped"
        with_name = f"{to_act.title()} has yet to take or drop a double"
        return ForbiddenBy(Reason.DOUBLE_PENDING, without_name if is_named_already else with_name)
    without_name = "a resignation has yet to be accepted or declined"
    with_name = f"{to_act.title()} has yet to accept or decline a resignation"
    return ForbiddenBy(Reason.RESIGNATION_PENDING, without_name if is_named_already else with_name)
