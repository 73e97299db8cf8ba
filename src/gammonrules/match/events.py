"""`Event`, an action as a value, and the events that are no player's: positions set by hand, and forfeits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from operator import index
from typing import Annotated, Any, Literal, TypeAlias, overload

import attrs

from gammonrules._shared.checked_fields import Bounds, Checked
from gammonrules._shared.json_form import JsonField, word_of
from gammonrules.board import Move, MoveLike, Play, Position, Win
from gammonrules.board.internals import Maker, read_moves
from gammonrules.dice import Dice, DiceLike
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.limits import MAX_MOVES, MAX_PLAY_LENGTH, MAX_POINTS, MAX_SECONDS
from gammonrules.match.actions import Action, action_named
from gammonrules.match.cube import Cube
from gammonrules.match.players import (
    TO_ACT,
    Pair,
    Player,
    PlayerLike,
    ToAct,
    actor_of,
    player_of,
    to_player,
)
from gammonrules.values import (
    items_of_pair,
    listed,
    plain_text,
    real_argument,
    shown,
    suggestion,
    whole_number,
)

EventArgument: TypeAlias = (
    Dice | Pair[int] | str | Play | tuple[Move, ...] | Win | Player | Position | None
)
"""The argument of an `Event`; which type it has depends on the action."""

_Played: TypeAlias = str | Play | Iterable[MoveLike]
_Start: TypeAlias = PlayerLike | Position
_OpeningRoll: TypeAlias = Literal[Action.OPENING_ROLL, "opening_roll"]
_Roll: TypeAlias = Literal[Action.ROLL, "roll"]
_Play: TypeAlias = Literal[Action.PLAY, "play"]
_Resign: TypeAlias = Literal[Action.RESIGN, "resign"]
_NextGame: TypeAlias = Literal[Action.NEXT_GAME, "next_game"]
_Bare: TypeAlias = Literal[
    Action.DOUBLE, Action.TAKE, Action.DROP, Action.BEAVER, Action.ACCEPT, Action.DECLINE
]
"""Actions without an argument."""
_BareName: TypeAlias = Literal["double", "take", "drop", "beaver", "accept", "decline"]
WinWord: TypeAlias = Literal["single", "gammon", "backgammon"]
"""The words of JSON for `Win`."""


@attrs.frozen(init=False)
class Event(JsonField):
    """One action as a value, for logs and records; `MatchState.apply` performs it.

    *Equality*: two events are equal if action, player and argument are equal. Dice are kept as `Dice`, a win as `Win`;
    a play is kept as you pass it, so a string differs from a `Play`, and from another spelling;
    `MatchState.canonical` gives them one form. `time` has no part in it, nor in `repr`.

    Attributes:
        action: the action.
        by: the player who acts, or `TO_ACT` (the default) for the player who is to act.
        argument: for `roll` the dice (anything that `Dice.of` reads); for `opening_roll` the pair (White's die,
            Black's die); for `play` a string of up to 200 characters, a `Play` or up to four moves; for `resign` the
            `Win` offered, or its word, such as "gammon" (None for a single game); for `next_game` the `Player` who
            starts it, the `Position` in which it starts as White sees it, or None; for all other actions None.
        time: when it happened, in seconds, as `at` has noted it; otherwise None.

    Raises:
        ArgumentError: there is no such action, the argument does not fit it, or several things are wrong.
        IllegalActionError: `by` is neither a `Player` nor `TO_ACT`.
        DiceError: the dice are not a roll.

    Examples:
        >>> event = Event("roll", Player.WHITE, "31")
        >>> event.action, event.by, event.argument
        (<Action.ROLL: 'roll'>, Player.WHITE, Dice(high=3, low=1))
        >>> Event("plya")
        Traceback (most recent call last):
        ...
        gammonrules.ArgumentError: unknown action 'plya'; did you mean "play"?
    """

    action: Action
    by: Player | ToAct = TO_ACT
    argument: EventArgument = None
    time: float | None = attrs.field(default=None, init=False, eq=False, repr=False)

    # Which argument goes with which action. A required argument comes after `by`, or by keyword.
    @overload
    def __init__(
        self, action: _OpeningRoll, by: PlayerLike | ToAct, argument: Sequence[int]
    ) -> None: ...
    @overload
    def __init__(
        self, action: _OpeningRoll, by: PlayerLike | ToAct = TO_ACT, *, argument: Sequence[int]
    ) -> None: ...
    @overload
    def __init__(self, action: _Roll, by: PlayerLike | ToAct, argument: DiceLike) -> None: ...
    @overload
    def __init__(
        self, action: _Roll, by: PlayerLike | ToAct = TO_ACT, *, argument: DiceLike
    ) -> None: ...
    @overload
    def __init__(self, action: _Play, by: PlayerLike | ToAct, argument: _Played) -> None: ...
    @overload
    def __init__(
        self, action: _Play, by: PlayerLike | ToAct = TO_ACT, *, argument: _Played
    ) -> None: ...
    @overload
    def __init__(
        self,
        action: _Resign,
        by: PlayerLike | ToAct = TO_ACT,
        argument: Win | WinWord | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self, action: _NextGame, by: PlayerLike | ToAct = TO_ACT, argument: _Start | None = None
    ) -> None: ...
    @overload
    def __init__(
        self, action: _Bare | _BareName, by: PlayerLike | ToAct = TO_ACT, argument: None = None
    ) -> None: ...
    def __init__(
        self, action: Action | str, by: PlayerLike | ToAct = TO_ACT, argument: object = None
    ) -> None:
        tries = Tries()
        kind = tries.read(action_named, action)
        actor = tries.read(actor_of, by)
        fitting = None if kind is None else tries.read(_argument, kind, argument)
        tries.refuse()
        # nothing was wrong, so none of these is missing
        self.__attrs_init__(kind, actor, fitting)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    def at(self, now: float) -> Event:
        """The same event with the time at which it happened, by the clock of which `Clock.follow` gets the time.

        A log of such events keeps the clocks of its players too: follow each state at the time of its event.

        Raises:
            ArgumentError: `now` is not a number from -1,000,000,000,000 to 1,000,000,000,000.

        Examples:
            >>> Event("take").at(1.5).time
            1.5
        """
        return make_event(self.action, self.by, self.argument, time=moment_argument("now", now))


any_event: Callable[..., Event] = Event
"""The constructor, for an action that nobody knows before; it checks whether the argument fits."""

_make_event = Maker(Event, "action", "by", "argument", "time").make


def make_event(action: Action, by: object, argument: object, time: float | None = None) -> Event:
    """An event whose fields are known to be valid."""
    return _make_event(action, by, argument, time)


@attrs.frozen
class SetPosition(Checked, JsonField):
    """A position that was set by hand: an illegal play that the opponent lets stand, or an edited board.

    The turn ends: there are no dice to play, no double and no resignation is pending, and it is `on_roll`'s turn. So an
    illegal play that stands is the board after it with the opponent on roll. If one side has no checkers left, the game
    ends as if it had been played to its end, at the level that counts with the cube on the table, and the loser is on
    roll, whoever is named. If the game was over, its points are taken back, and with any other board it goes on.

    That a play may stand is a rule of the Finnish text (statement 39) and of Philos (24), see "Where every rule comes
    from"; they let the opponent decide until they have rolled.

    *Equality*: two are equal if board, turn and cube are equal.

    Attributes:
        position: the board as `on_roll` sees it.
        on_roll: whose turn it is now.
        cube: the cube, or None (the default) to leave it as it is.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> start = MatchState.new(7).opening_roll(white=3, black=1)
        >>> by_hand = SetPosition(Position.start(), Player.BLACK, Cube(2, Player.BLACK))
        >>> sorted(action.value for action in start.apply(by_hand).legal_actions)
        ['double', 'resign', 'roll']
        >>> false_8_3 = Position.of(
        ...     mine={24: 2, 13: 5, 8: 3, 6: 5}, theirs={24: 2, 13: 5, 8: 2, 6: 5, 3: 1}
        ... )
        >>> stands = start.apply(SetPosition(false_8_3, Player.BLACK))
        >>> stands.to_act, stands.dice
        (Player.BLACK, None)
        >>> last_checker = Position.of(mine={6: 15}, theirs={})
        >>> start.apply(SetPosition(last_checker, Player.BLACK)).result.win.name
        'GAMMON'
    """

    position: Position
    on_roll: Player = attrs.field(converter=to_player)
    cube: Cube | None = None


@attrs.frozen
class Forfeit(Checked, JsonField):
    """An arbiter's decision that a player forfeits the game: out of time, disconnected, or absent.

    *Equality*: two are equal if loser and points are equal.

    Attributes:
        loser: the player who forfeits the game.
        points: the points awarded to the opponent, or None (the default) for what they still need to win the match.

    Raises:
        ArgumentError: an attribute has the wrong type, or no win can count this many points.

    Examples:
        >>> from gammonrules import MatchState
        >>> start = MatchState.new(7, score=(3, 0)).opening_roll(white=3, black=1)
        >>> start.apply(Forfeit(Player.BLACK)).score
        (7, 0)
        >>> start.apply(Forfeit(Player.BLACK, points=1)).score
        (4, 0)
    """

    loser: Player = attrs.field(converter=to_player)
    points: Annotated[int, Bounds(1, MAX_POINTS)] | None = None


RecordEvent: TypeAlias = Event | SetPosition | Forfeit
"""What a log or a record holds, and `MatchState.apply` takes."""


def _argument(action: Action, argument: Any) -> EventArgument:
    """The argument of an event in its canonical type. Raises ArgumentError if it does not fit the action."""
    match action:
        case Action.ROLL:
            return Dice.of(argument)
        case Action.OPENING_ROLL:
            return two_dice(argument)
        case Action.PLAY:
            return _play_argument(argument)
        case Action.RESIGN:
            return Win.SINGLE if argument is None else level(argument)
        case Action.NEXT_GAME:
            return _start(argument)
        case _:
            if argument is not None:
                raise ArgumentError(f"{action} takes no argument, not {shown(argument)}")
            return None


def two_dice(argument: object) -> Pair[int]:
    """White's die and Black's die as plain ints.

    Raises:
        ArgumentError: `argument` is not a pair.
        DiceError: a die is not a whole number from 1 to 6.
    """
    pair = items_of_pair(argument)
    if pair is None:
        raise ArgumentError(
            f"an opening roll must be a pair, White's die and Black's die, not {shown(argument)}"
        )
    white, black = pair
    _ = Dice(white, black)  # raises DiceError for impossible faces
    return Pair((index(white), index(black)))  # plain ints, also of numbers of NumPy


def _play_argument(argument: object) -> str | Play | tuple[Move, ...]:
    if isinstance(argument, Play):
        return argument
    text = plain_text(argument)
    if text is not None:
        if len(text) > MAX_PLAY_LENGTH:
            raise ArgumentError(
                f"a play has at most {MAX_PLAY_LENGTH} characters, but this text has {len(text)}"
            )
        return text
    try:
        moves = tuple(Move(source, target, hit) for source, target, hit in read_moves(argument))
    except ArgumentError:
        raise ArgumentError(
            f"a play must be a string, a Play or moves, not {shown(argument)}"
        ) from None
    if len(moves) > MAX_MOVES:
        raise ArgumentError(f"a play has at most {MAX_MOVES} moves, but this series has more")
    return moves


def _start(argument: object) -> Player | Position | None:
    if argument is None or isinstance(argument, Position):
        return argument
    try:
        return player_of(argument)
    except ArgumentError:
        raise ArgumentError(
            f"a next game accepts its starter, its Position or nothing, not {shown(argument)}"
            + suggestion(argument, Player)
        ) from None


def level(value: object) -> Win:
    """Read the level of a win from `Win`, its number or its word.

    Raises:
        ArgumentError: `value` is none of these.
    """
    if isinstance(value, Win):
        return value
    is_of_other_enum = isinstance(value, Enum)  # its members may be numbers or texts
    if not is_of_other_enum:
        number = whole_number(value)
        word = plain_text(value)
        for win in Win:
            if win == number or word_of(win) == word:
                return win
    raise ArgumentError(
        'the level of a win must be a Win, its number or its word, "single", "gammon" or "backgammon",'
        f" not {shown(value)}" + suggestion(value, map(word_of, Win))
    )


def moment_argument(name: str, value: object) -> float:
    """Check that an argument is a time, in seconds of either sign; return it to the millisecond.

    Raises:
        ArgumentError: it is not.
    """
    needed = f"a number of seconds up to {MAX_SECONDS:,} of either sign"
    seconds = real_argument(name, value, needed, lambda number: abs(number) <= MAX_SECONDS)
    return to_the_millisecond(seconds)


def to_the_millisecond(seconds: float) -> float:
    """Seconds rounded, and never -0.0."""
    return round(seconds, 3) + 0.0


class Tries:
    """Reads the parts of a value one after another, and collects what was wrong with any of them."""

    def __init__(self) -> None:
        self._wrong: list[GammonError] = []

    def read(self, reader: Callable[..., Any], *arguments: object) -> Any:
        """What this function makes of these arguments; None if it raises an error, which is kept."""
        try:
            return reader(*arguments)
        except GammonError as error:
            self._wrong.append(error)
            return None

    def refuse(self) -> None:
        """Raise the error; if there are several, ArgumentError with all their sentences."""
        if len(self._wrong) == 1:
            raise self._wrong[0]
        if self._wrong:
            raise ArgumentError(listed(str(error) for error in self._wrong))
