"""What lies on the table beside the board: seats, cube, offers, results, actions and events (public in `match`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import TypeAlias, cast

import attrs

from gammonrules.dice import Dice, DiceLike
from gammonrules.errors import IllegalActionError, MatchStateError, MatchStateProblem
from gammonrules.position import Move, Play, Win
from gammonrules.rules import is_power_of_two


class Player(IntEnum):
    """The two seats. As whole numbers they index pairs: `score[Player.WHITE]`.

    White is the bottom, upper-case player of an XGID and player 1 of GNU Backgammon; in a match record White is the
    left column.

    *Equality*: a player equals its number, 0 or 1.

    Examples:
        >>> Player.WHITE.opponent, str(Player.WHITE)
        (Player.BLACK, 'White')
    """

    WHITE = 0
    BLACK = 1

    @property
    def opponent(self) -> Player:
        """The other player."""
        return Player(1 - self)

    def __repr__(self) -> str:
        return f"Player.{self.name}"

    def __str__(self) -> str:
        return self.name.title()

    # The format of an IntEnum is that of the number; sentences want the name.
    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class Phase(StrEnum):
    """What the table waits for; `MatchState.phase`.

    *Equality*: a phase equals its text.
    """

    OPENING = "opening"
    """The opening roll: nobody is on roll yet."""
    TO_ROLL = "to_roll"
    """The player on roll throws the dice, or doubles."""
    TO_PLAY = "to_play"
    """The dice lie; the player on roll plays them."""
    DOUBLED = "doubled"
    """A double is pending."""
    RESIGNED = "resigned"
    """An offer to resign is pending."""
    OVER = "over"
    """The game has its result."""


class Action(StrEnum):
    """Everything that can be done at the table; the values are the names of the methods of `MatchState`.

    *Equality*: an action equals its text.

    Examples:
        >>> Action("take"), Action.TAKE == "take"
        (<Action.TAKE: 'take'>, True)
    """

    OPENING_ROLL = "opening_roll"
    ROLL = "roll"
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    BEAVER = "beaver"
    RESIGN = "resign"
    ACCEPT = "accept"
    DECLINE = "decline"
    NEXT_GAME = "next_game"


class End(StrEnum):
    """How a game ended; `Result.by`.

    *Equality*: an end equals its text.
    """

    PLAYED = "played"
    """The winner has borne off the last checker."""
    DROPPED = "dropped"
    """The loser has dropped a double."""
    RESIGNED = "resigned"
    """The loser has resigned."""


def _refuse(flag: MatchStateProblem, sentence: str) -> None:
    raise MatchStateError(sentence, flag)


def _require(value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Refuse a value of another type, whatever the annotations promise."""
    if not isinstance(value, kind):
        _refuse(MatchStateProblem.WRONG_TYPE, f"{what}, not {value!r}")


@attrs.frozen
class Cube:
    """The doubling cube.

    *Equality*: two cubes are equal if value and owner are.

    Attributes:
        value: 1, 2, 4, 8, ...; the points of a single game.
        owner: the only player who may double next, or None while the cube is centred.

    Raises:
        MatchStateError: a value that is no power of two, or a cube owned at 1.

    Examples:
        >>> Cube(), Cube(2, Player.WHITE)
        (Cube(value=1, owner=None), Cube(value=2, owner=Player.WHITE))
    """

    value: int = 1
    owner: Player | None = None

    def __attrs_post_init__(self) -> None:
        _require(self.owner, (Player, type(None)), "the owner of the cube is a Player or None")
        if not is_power_of_two(self.value):
            _refuse(MatchStateProblem.WRONG_CUBE, f"a cube shows a power of two, not {self.value!r}")
        if self.value == 1 and self.owner is not None:
            _refuse(MatchStateProblem.WRONG_CUBE, "a cube that somebody owns has been turned: it shows 2 at least")


@attrs.frozen
class Double:
    """A pending double, `MatchState.offer`. The cube on the table still shows value and owner before the first offer.

    *Equality*: two doubles are equal if doubler, value and beavers are.

    Attributes:
        by: who doubled; he stays on roll.
        value: the value now offered, in points; whoever drops it loses half of that.
        beavers: how often the offer has been turned on at once: 0 a plain double, 1 beaver, 2 raccoon, and so on.

    Raises:
        MatchStateError: a value that so many turns of a cube cannot show.

    Examples:
        >>> beaver = Double(by=Player.WHITE, value=4, beavers=1)
        >>> beaver.answerer, beaver.taken
        (Player.WHITE, Cube(value=4, owner=Player.BLACK))
    """

    by: Player
    value: int
    beavers: int = 0

    def __attrs_post_init__(self) -> None:
        _require(self.by, Player, "the doubler is a Player")
        if type(self.beavers) is not int or self.beavers < 0:
            _refuse(MatchStateProblem.WRONG_BEAVER, f"beavers are counted from 0, not {self.beavers!r}")
        if not is_power_of_two(self.value) or self.value.bit_length() < self.beavers + 2:
            turns = self.beavers + 1
            _refuse(
                MatchStateProblem.WRONG_OFFER,
                f"a cube that has been turned {turns} time{'s' * (turns > 1)} cannot show {self.value!r}",
            )

    @property
    def answerer(self) -> Player:
        """Who must answer: the doubler's opponent, and after a beaver the doubler."""
        return self.by if self.beavers % 2 else self.by.opponent

    @property
    def taken(self) -> Cube:
        """The cube if this offer is taken: it belongs to the player who was doubled first, beavers or not."""
        return Cube(self.value, self.by.opponent)


@attrs.frozen
class Resignation:
    """A pending offer to resign, `MatchState.offer`.

    *Equality*: two offers are equal if player, level and interrupted double are.

    Attributes:
        by: who offers to lose the game.
        win: the level offered to the opponent.
        double: the double that was pending, and is pending again if the resignation is declined.

    Examples:
        >>> Resignation(Player.WHITE, Win.GAMMON)
        Resignation(by=Player.WHITE, win=<Win.GAMMON: 2>, double=None)
    """

    by: Player
    win: Win
    double: Double | None = None

    def __attrs_post_init__(self) -> None:
        _require(self.by, Player, "who resigns is a Player")
        _require(self.win, Win, "what is offered is a Win")
        _require(self.double, (Double, type(None)), "what a resignation interrupts is a Double or None")


@attrs.frozen
class Result:
    """How a game was decided.

    *Equality*: two results are equal if winner, level, points and end are.

    Attributes:
        winner: who won.
        win: the level that counts under the rules of the game (with Jacoby and a centred cube always single).
        points: what the winner scores: level times cube, or the loser's pip count with pip scoring.
        by: played to the end, dropped or resigned.

    Examples:
        >>> Result(Player.BLACK, Win.SINGLE, 2, End.DROPPED)
        Result(winner=Player.BLACK, win=<Win.SINGLE: 1>, points=2, by=<End.DROPPED: 'dropped'>)
    """

    winner: Player
    win: Win
    points: int
    by: End

    def __attrs_post_init__(self) -> None:
        _require(self.winner, Player, "the winner is a Player")
        _require(self.win, Win, "the level of a result is a Win")
        _require(self.by, End, "how a game ended is an End")
        if type(self.points) is not int or self.points < 1:
            _refuse(MatchStateProblem.WRONG_RESULT, f"a win counts a point at least, not {self.points!r}")


EventArgument: TypeAlias = Dice | tuple[int, int] | str | Play | tuple[Move, ...] | Win | Player | None
"""What an `Event` may carry; see there."""


@attrs.frozen(init=False)
class Event:
    """One action as a value, for logs and records; `MatchState.apply` performs it.

    *Equality*: two events are equal if action, seat and argument are. Dice are kept as `Dice`, a win as `Win`; a play
    stays as it was given, so a text differs from a `Play`, and from another spelling.

    Attributes:
        action: what is done.
        by: the seat that does it, or None for whoever is to act.
        argument: for `roll` the dice (anything that `Dice.of` reads); for `opening_roll` the pair (White's die,
            Black's die); for `play` a text, a `Play` or moves; for `resign` the `Win` offered (None: single); for
            `next_game` the player who starts it (None: an opening roll decides); None for all others.

    Raises:
        IllegalActionError: an action or seat that does not exist, or an argument that does not fit the action.
        DiceError: dice that do not exist.

    Examples:
        >>> Event("roll", Player.WHITE, "31")
        Event(action=<Action.ROLL: 'roll'>, by=Player.WHITE, argument=Dice(high=3, low=1))
    """

    action: Action
    by: Player | None = None
    argument: EventArgument = None

    def __init__(self, action: Action | str, by: Player | int | None = None, argument: object = None) -> None:
        if action not in list(Action):
            raise IllegalActionError(f"there is no action {action!r}")
        action = Action(action)
        self.__attrs_init__(  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
            action, seat(by), _argument(action, argument)
        )


def seat(value: int | None) -> Player | None:
    """The player with that number; None stays None.

    Raises:
        IllegalActionError: anything else.
    """
    if value is None or value in list(Player):
        return None if value is None else Player(value)
    raise IllegalActionError(f"a seat is Player.WHITE, Player.BLACK or None, not {value!r}")


def _argument(action: Action, argument: object) -> EventArgument:
    """The argument of an event in its own type, or IllegalActionError."""
    match action:
        case Action.ROLL:
            return Dice.of(cast("DiceLike", argument))
        case Action.OPENING_ROLL:
            return _two_dice(argument)
        case Action.PLAY:
            return _play(argument)
        case Action.RESIGN:
            return Win.SINGLE if argument is None else level(argument)
        case Action.NEXT_GAME:
            return seat(cast("int | None", argument))
        case _:
            if argument is not None:
                raise IllegalActionError(f"{action} takes no argument, not {argument!r}")
            return None


def level(value: object) -> Win:
    """The level of a win, from `Win` or its number.

    Raises:
        IllegalActionError: anything else.
    """
    if value in list(Win):
        return Win(cast("int", value))
    raise IllegalActionError(f"the level of a win is Win.SINGLE, Win.GAMMON or Win.BACKGAMMON, not {value!r}")


def _two_dice(argument: object) -> tuple[int, int]:
    if not isinstance(argument, (tuple, list)) or len(cast("Sequence[int]", argument)) != 2:
        raise IllegalActionError(f"an opening roll is a pair, White's die and Black's die, not {argument!r}")
    white, black = cast("Sequence[int]", argument)
    _ = Dice(white, black)  # refuses faces that do not exist
    return white, black


def _play(argument: object) -> str | Play | tuple[Move, ...]:
    if isinstance(argument, (str, Play)):
        return argument
    if isinstance(argument, Iterable):
        moves = tuple(argument)
        if all(isinstance(move, Move) for move in moves):
            return cast("tuple[Move, ...]", moves)
    raise IllegalActionError(f"a play is a text, a Play or moves, not {argument!r}")
