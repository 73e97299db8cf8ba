"""`Action`, what players can do, and `Phase`, what a game is waiting for."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from gammonrules.errors import ArgumentError
from gammonrules.values import plain_text, shown


class Phase(StrEnum):
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


class Action(StrEnum):
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
    """Play the dice, or pass if nothing can be played."""
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
    "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline", "next_game"
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
    if name in list(Action):
        return Action(name)
    raise ArgumentError(f"there is no action {shown(value)}")
