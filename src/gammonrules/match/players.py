"""The two players, and `TO_ACT` for whoever of them is to act."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Final

from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.values import plain_text, shown


class Player(StrEnum):
    """The two players. They index pairs as well, White first: `score[Player.WHITE]`.

    White is the bottom, upper-case player of an XGID and player 1 of GNU Backgammon; in a match record White is the
    left column. Wherever a player is asked for, the text "white" or "black" will do; a number will not.

    *Equality*: a player equals its text.

    Examples:
        >>> from gammonrules import MatchState
        >>> [str(player) for player in Player], MatchState.new(7, score=(2, 5)).score[Player.BLACK]
        (['white', 'black'], 5)
    """

    WHITE = "white"
    """The first of every pair; before the opening roll the board is White's."""
    BLACK = "black"
    """The second of every pair."""

    @property
    def opponent(self) -> Player:
        """The other player.

        Examples:
            >>> Player.WHITE.opponent
            Player.BLACK
        """
        return _BLACK if self is _WHITE else _WHITE

    def __index__(self) -> int:
        return 0 if self is _WHITE else 1

    def __repr__(self) -> str:
        return f"Player.{self.name}"


_WHITE, _BLACK = Player  # a member is looked up in its class more slowly


class ToAct(Enum):
    """The type of `TO_ACT`."""

    TO_ACT = "to_act"
    """Whoever is to act."""

    def __repr__(self) -> str:
        return self.name


TO_ACT: Final = ToAct.TO_ACT
"""What `by` is where no player is named: whoever is to act. A server names the player who sent the action."""


def _found(value: object) -> Player | None:
    """A player from `Player` or its text; None for anything else."""
    if isinstance(value, Player):
        return value
    text = None if isinstance(value, Enum) else plain_text(value)
    return next((player for player in Player if player.value == text), None)


def player_of(value: object, name: str = "player") -> Player:
    """A player from `Player` or its text.

    Raises:
        ArgumentError: `value` is neither; the message calls it by `name`.
    """
    player = _found(value)
    if player is None:
        raise ArgumentError(f"{name} is Player.WHITE or Player.BLACK, not {shown(value)}")
    return player


def actor_of(value: object) -> Player | ToAct:
    """Who acts, from a `Player`, its text or `TO_ACT`.

    Raises:
        IllegalActionError: anything else, None too: a stranger does not act for whoever is to act.
    """
    actor = TO_ACT if value is TO_ACT else _found(value)
    if actor is None:
        sentence = f"by is Player.WHITE, Player.BLACK or TO_ACT, not {shown(value)}"
        raise IllegalActionError(sentence, IllegalActionReason.UNKNOWN_PLAYER)
    return actor


# Converters of fields: what is not a player stays as it is, to be refused with the other problems of a value.


def to_player(value: Player) -> Player:
    """A player, who may be given as text."""
    return value if type(value) is Player else _found(value) or value


def to_player_or_none(value: Player | None) -> Player | None:
    """The same, or None."""
    return None if value is None else to_player(value)


def other(player: Player | None) -> Player | None:
    """The opponent of a player, or nobody."""
    return None if player is None else player.opponent
