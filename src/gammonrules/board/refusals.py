"""Why a play is refused."""

from __future__ import annotations

from enum import StrEnum, auto


class BrokenRule(StrEnum):
    """The rule of checker play that an illegal play breaks (`IllegalPlayError.reason`).

    *Equality*: a member equals its own text, as in any StrEnum.
    """

    BLOCKED_POINT = auto()
    """A point held by two or more opposing checkers cannot be entered."""
    BAR_FIRST = auto()
    """A checker on the bar must enter before any other moves."""
    NOT_ALL_HOME = auto()
    """Bearing off begins when all checkers are in the home board."""
    HIGHER_CHECKER_FIRST = auto()
    """A die larger than the point bears off only from the highest point held."""
    BOTH_DICE = auto()
    """Both dice must be played where that is possible."""
    HIGHER_DIE = auto()
    """Where either die can be played but not both, it must be the higher."""
    MORE_OF_DOUBLET = auto()
    """As many of the four numbers of a doublet as possible must be played."""
    DIE_NOT_ROLLED = auto()
    """A move by a number that the dice do not show, or no longer."""
    NO_SUCH_CHECKER = auto()
    """A move from a point where the player has no checker left."""
    MOVES_BACKWARD = auto()
    """A checker moves from higher to lower points only."""
    NOTHING_HIT = auto()
    """A star where no checker is hit."""
    MUST_PLAY = auto()
    """A pass, though there is a legal play."""
    GAME_OVER = auto()
    """The game is over."""
    OTHER_ORDER = auto()
    """Moves of a legal play, but not in an order in which they can be made."""
    OTHER_POSITION = auto()
    """A `Play` that belongs to another position or roll."""
