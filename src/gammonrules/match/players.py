"""The two players, and `TO_ACT`, which stands for the one who is to act."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, TypeVar, overload

from gammonrules._shared.checked_fields import FieldEnum, member_in_words
from gammonrules._shared.json_form import JsonField
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.values import is_pair_of, items_of_pair, plain, plain_text, shown, suggestion

_T_co = TypeVar("_T_co", covariant=True)


class Player(JsonField, FieldEnum):
    """White or Black. A `Pair`, such as a score, accepts a player as an index: `score[Player.WHITE]`.

    White is the bottom player (capital letters) of an XGID, player 1 of GNU Backgammon, and the left column of a match
    record. Functions that accept a player also accept "white" or "black" (see `match.PlayerLike`), but not a number.

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> from gammonrules import MatchState
        >>> state = MatchState.new(7, score=(2, 5))
        >>> [str(player) for player in Player], state.score[Player.BLACK]
        (['white', 'black'], 5)
        >>> state.score["black"], state.view("black") == state.view(Player.BLACK)
        (5, True)
    """

    WHITE = "white"
    """First in every pair. Before the opening roll, boards are seen by White."""
    BLACK = "black"
    """Second in every pair."""

    @property
    def opponent(self) -> Player:
        """The other player.

        Examples:
            >>> Player.WHITE.opponent
            Player.BLACK
        """
        return _BLACK if self is _WHITE else _WHITE

    def __repr__(self) -> str:
        return f"Player.{self.name}"


# faster than looking up members in the class
_WHITE = Player.WHITE
_BLACK = Player.BLACK
_PLAYER_OF_TEXT = {player.value: player for player in Player}

PlayerLike: TypeAlias = Player | Literal["white", "black"]
"""Anything that functions accept as a player: a `Player`, or its string."""


_item: Callable[[object, Any], Any] = vars(tuple)["__getitem__"]


class Pair(tuple[_T_co, _T_co]):
    """The values of White and Black, as a tuple that a `Player` or its string can index as well.

    Another string as an index raises ArgumentError. `in`, `index` and `count` compare the two values, as in any tuple:
    a score contains two numbers, and no player.

    *Equality*: that of a tuple.

    Examples:
        >>> names = Pair(("Ann", "Bob"))
        >>> names, names[Player.BLACK], names["black"], names[0]
        (('Ann', 'Bob'), 'Bob', 'Bob', 'Ann')
        >>> "Bob" in names, "black" in names
        (True, False)
    """

    __slots__ = ()

    @overload
    def __getitem__(self, key: PlayerLike | SupportsIndex, /) -> _T_co: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[_T_co, ...]: ...
    def __getitem__(self, key: Any, /) -> Any:
        if key is _WHITE:
            return _item(self, 0)
        if key is _BLACK:
            return _item(self, 1)
        try:  # which takes no time for a number
            return _item(self, key)
        except TypeError:
            if not isinstance(key, str):
                raise
        return self[player_of(key, "the index")]


class ToAct(Enum):
    """The type of `TO_ACT`."""

    TO_ACT = "to_act"
    """The player who is to act."""

    def __repr__(self) -> str:
        return self.name


TO_ACT: Final = ToAct.TO_ACT
"""The default of `by`: the player who is to act. A server should pass the player who sent the action instead."""


_PLAYERS = " or ".join(map(member_in_words, Player))


def _meant(value: object) -> str:
    """A question about the player who may be meant, for the end of an error message."""
    return suggestion(value, _PLAYER_OF_TEXT)


def _player_or_none(value: object) -> Player | None:
    """Read a player from `Player` or its text; None for anything else."""
    if isinstance(value, Player):
        return value
    if isinstance(value, Enum):  # another one, whose member may be a text
        return None
    text = plain_text(value)
    return None if text is None else _PLAYER_OF_TEXT.get(text)


def player_of(value: object, name: str = "player") -> Player:
    """Read a player from `Player` or its text.

    Raises:
        ArgumentError: `value` is neither; the message refers to it by `name`.
    """
    player = _player_or_none(value)
    if player is None:
        raise ArgumentError(f"{name} must be {_PLAYERS}, not {shown(value)}{_meant(value)}")
    return player


def actor_of(value: object) -> Player | ToAct:
    """Read the argument `by`: a player or `TO_ACT`.

    Raises:
        IllegalActionError: it is none of these. None is refused too, so that a stranger cannot act for a player.
    """
    actor = TO_ACT if value is TO_ACT else _player_or_none(value)
    if actor is None:
        sentence = f"by must be {_PLAYERS}, or TO_ACT, not {shown(value)}{_meant(value)}"
        raise IllegalActionError(sentence, IllegalActionReason.UNKNOWN_PLAYER)
    return actor


def sender_of(value: object) -> Player:
    """Read the player who has sent a message.

    Raises:
        IllegalActionError: it is no player. A stranger's seat, None, sends nothing, and `TO_ACT` is nobody's seat.
    """
    player = _player_or_none(value)
    if player is None:
        must = f"only a player can act: player must be {_PLAYERS}"
        sentence = f"{must}, not {shown(value)}{_meant(value)}"
        raise IllegalActionError(sentence, IllegalActionReason.UNKNOWN_PLAYER)
    return player


# Converters of fields: anything that is not a player stays unchanged, to be reported with the other problems.


def to_player(value: PlayerLike) -> Player:
    """Converter of a field that is a player."""
    if type(value) is Player:  # nearly always
        return value
    unchanged: Any = value
    return _player_or_none(value) or unchanged


def to_player_or_none(value: PlayerLike | None) -> Player | None:
    """Converter of a field that is a player or None."""
    return None if value is None else to_player(value)


# attrs copies these annotations into constructors, whose modules do not know the name `PlayerLike`
to_player.__annotations__["value"] = PlayerLike
to_player_or_none.__annotations__["value"] = PlayerLike | None


def to_pair(value: Any) -> Pair[Any]:
    """Converter of a field that is a pair: a tuple or a list of two becomes a `Pair` of plain numbers and strings."""
    if is_pair_of(value, int):  # the usual case
        return Pair(value)
    pair = items_of_pair(value)
    if pair is not None:
        return Pair(map(plain, pair))
    unchanged: Pair[Any] = value  # the check of the fields refuses it
    return unchanged


def opponent_of(player: Player | None) -> Player | None:
    """The opponent of a player; None for None."""
    return None if player is None else player.opponent
