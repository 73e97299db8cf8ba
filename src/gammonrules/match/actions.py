"""What players can do, and what a game waits for."""

from __future__ import annotations

from enum import StrEnum

from gammonrules.errors import ArgumentError
from gammonrules.values import plain_text, shown


class Phase(StrEnum):
    """What the state waits for; `MatchState.phase`.

    *Equality*: a phase equals its text.

    Examples:
        >>> from gammonrules import MatchState
        >>> MatchState.new(7).phase, Phase.TO_ROLL == "to_roll"
        (<Phase.OPENING: 'opening'>, True)
    """

    OPENING = "opening"
    """The opening roll: nobody is on roll yet."""
    TO_ROLL = "to_roll"
    """The player on roll throws the dice, or doubles."""
    TO_PLAY = "to_play"
    """The dice have been rolled; the player on roll plays them."""
    DOUBLED = "doubled"
    """A double is pending."""
    RESIGNED = "resigned"
    """An offer to resign is pending."""
    OVER = "over"
    """The game has its result."""


class Action(StrEnum):
    """Everything that players can do; the values are the names of the methods of `MatchState`.

    *Equality*: an action equals its text.

    Examples:
        >>> Action("take"), Action.TAKE == "take"
        (<Action.TAKE: 'take'>, True)
    """

    OPENING_ROLL = "opening_roll"
    """Each player throws one die; the higher starts."""
    ROLL = "roll"
    """Throw both dice."""
    PLAY = "play"
    """Play the dice, or pass where nothing can be played."""
    DOUBLE = "double"
    """Offer the cube at twice its value, before rolling."""
    TAKE = "take"
    """Accept a double or a beaver."""
    DROP = "drop"
    """Refuse a double or a beaver, and lose the game."""
    BEAVER = "beaver"
    """Answer a double, or a beaver, by redoubling at once."""
    RESIGN = "resign"
    """Offer to lose the game."""
    ACCEPT = "accept"
    """Accept the opponent's resignation."""
    DECLINE = "decline"
    """Refuse the opponent's resignation and play on."""
    NEXT_GAME = "next_game"
    """Set up the next game."""


def action_named(value: object) -> Action:
    """An action, from `Action` or its name.

    Raises:
        ArgumentError: anything else.
    """
    if isinstance(value, Action):
        return value
    name = plain_text(value)
    if name in list(Action):
        return Action(name)
    raise ArgumentError(f"there is no action {shown(value)}")
