"""What lies on the table beside the board: seats, cube, offers, results, actions and events (public in `match`)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, StrEnum
from typing import Final, TypeAlias, cast

import attrs

from gammonrules.board import Move, Play, Position, Win
from gammonrules.board.generator import Maker
from gammonrules.board.moves import series_of_moves
from gammonrules.dice import Dice, DiceLike
from gammonrules.errors import (
    ArgumentError,
    IllegalActionError,
    IllegalActionReason,
    MatchStateError,
    MatchStateProblem as Problem,
)
from gammonrules.limits import LARGEST_CUBE, LONGEST_PLAY, MOST_MOVES, MOST_POINTS, MOST_TURNS
from gammonrules.problems import Tries
from gammonrules.values import (
    counted,
    is_cube_value,
    items_of_pair,
    listed,
    make_plain,
    plain_text,
    shown,
    whole_number,
)


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


class Phase(StrEnum):
    """What the table waits for; `MatchState.phase`.

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
    """Play on in spite of the opponent's resignation."""
    NEXT_GAME = "next_game"
    """Set the table up again after a game."""


class End(StrEnum):
    """How a game ended; `Result.end`.

    *Equality*: an end equals its text.

    Examples:
        >>> from gammonrules import MatchState
        >>> MatchState.new(7).opening_roll(3, 1).resign().accept().result.end
        <End.RESIGNED: 'resigned'>
    """

    PLAYED = "played"
    """The winner has borne off the last checker."""
    DROPPED = "dropped"
    """The loser has dropped a double."""
    RESIGNED = "resigned"
    """The loser has resigned."""
    FORFEITED = "forfeited"
    """An arbiter has awarded the game: time ran out, a connection was lost, a player did not come."""


Found: TypeAlias = Iterator[tuple[Problem, str]]
"""What a check finds: problems, each with its sentence."""


def raise_problems(what: str, found: Found) -> None:
    """Raise MatchStateError with all of these problems, if there are any."""
    flags, sentences = Problem(0), list[str]()
    for flag, sentence in found:
        flags |= flag
        sentences.append(sentence)
    if sentences:
        raise MatchStateError(f"{what}: {listed(sentences)}", flags)


def level_name(win: Win) -> str:
    """The level of a win in words."""
    return "single game" if win is Win.SINGLE else win.name.lower()


def _wrong_type(value: object, kind: type | tuple[type, ...], what: str) -> Found:
    """A value of another type, whatever the annotations promise."""
    if not isinstance(value, kind):
        yield Problem.WRONG_TYPE, f"{what}, not {shown(value)}"


@attrs.frozen
class Cube:
    """The doubling cube.

    *Equality*: two cubes are equal if value and owner are.

    Attributes:
        value: 1, 2, 4, 8, ... up to 16,777,216; the points of a single game. Default 1.
        owner: the only player who may double next, or None (the default) while the cube is centred.

    Raises:
        MatchStateError: a value that is no power of two or above 16,777,216 (2^24), a cube owned at 1, or an owner that
            is no `Player`.

    Examples:
        >>> Cube(), Cube(2, Player.WHITE)
        (Cube(value=1, owner=None), Cube(value=2, owner=Player.WHITE))
    """

    value: int = 1
    owner: Player | None = None

    def __attrs_post_init__(self) -> None:
        make_plain(self, "value")
        raise_problems("impossible cube", self._problems())

    def _problems(self) -> Found:
        if not is_cube_value(self.value):
            yield Problem.WRONG_CUBE, f"a cube shows a power of two up to {LARGEST_CUBE}, not {shown(self.value)}"
        elif self.value == 1 and self.owner is not None:
            yield Problem.WRONG_CUBE, "a cube that somebody owns has been turned, it shows 2 at least"
        yield from _wrong_type(self.owner, (Player, type(None)), "the owner is a Player or None")


@attrs.frozen
class Double:
    """A pending double, `MatchState.offer`. The cube on the table still shows value and owner before the first offer.

    *Equality*: two doubles are equal if doubler, value and beavers are.

    Attributes:
        by: who doubled; he stays on roll.
        value: the value now offered, in points; whoever drops it loses half of that.
        beavers: how often the offer has been redoubled at once: 0 (the default) a plain double, 1 beaver, 2 raccoon,
            and so on.

    Raises:
        MatchStateError: a value that so many turns of a cube cannot show, or a doubler that is no `Player`.

    Examples:
        >>> Double(by=Player.WHITE, value=4, beavers=1)
        Double(by=Player.WHITE, value=4, beavers=1)
        >>> Double(by=Player.WHITE, value=2, beavers=1)
        Traceback (most recent call last):
        ...
        gammonrules.errors.MatchStateError: impossible double: a cube that has been turned 2 times cannot show 2
    """

    by: Player
    value: int
    beavers: int = 0

    def __attrs_post_init__(self) -> None:
        make_plain(self, "value", "beavers")
        raise_problems("impossible double", self._problems())

    def _problems(self) -> Found:
        yield from _wrong_type(self.by, Player, "the doubler is a Player")
        beavers, value = self.beavers, self.value
        if type(beavers) is not int or not 0 <= beavers < MOST_TURNS:
            yield Problem.WRONG_BEAVER, f"beavers are counted from 0 to {MOST_TURNS - 1}, not {shown(beavers)}"
            beavers = 0
        if not is_cube_value(value) or value.bit_length() < beavers + 2:
            turns = counted(beavers + 1, "time")
            yield Problem.WRONG_OFFER, f"a cube that has been turned {turns} cannot show {shown(value)}"

    @property
    def answerer(self) -> Player:
        """Who must answer: the doubler's opponent, and after a beaver the doubler.

        Examples:
            >>> Double(Player.WHITE, 2).answerer, Double(Player.WHITE, 4, beavers=1).answerer
            (Player.BLACK, Player.WHITE)
        """
        return self.by if self.beavers % 2 else self.by.opponent

    @property
    def taken(self) -> Cube:
        """The cube if this offer is taken: it belongs to the player who was doubled first, beavers or not.

        Examples:
            >>> Double(Player.WHITE, 4, beavers=1).taken
            Cube(value=4, owner=Player.BLACK)
        """
        return Cube(self.value, self.by.opponent)


@attrs.frozen
class Resignation:
    """A pending offer to resign, `MatchState.offer`.

    *Equality*: two offers are equal if player, level and interrupted double are.

    Attributes:
        by: who offers to lose the game.
        win: the level offered to the opponent.
        double: the double that was pending, and is pending again if the resignation is declined. Default None.

    Raises:
        MatchStateError: a field of a wrong type.

    Examples:
        >>> Resignation(Player.WHITE, Win.GAMMON)
        Resignation(by=Player.WHITE, win=<Win.GAMMON: 2>, double=None)
    """

    by: Player
    win: Win
    double: Double | None = None

    def __attrs_post_init__(self) -> None:
        raise_problems("impossible resignation", self._problems())

    def _problems(self) -> Found:
        yield from _wrong_type(self.by, Player, "who resigns is a Player")
        yield from _wrong_type(self.win, Win, "what is offered is a Win")
        yield from _wrong_type(self.double, (Double, type(None)), "what is interrupted is a Double or None")


@attrs.frozen
class Result:
    """How a game was decided.

    *Equality*: two results are equal if winner, level, points and end are.

    Attributes:
        winner: who won.
        win: the level that counts under the rules of the game (with Jacoby and a centred cube always single); None if
            the game was forfeited.
        points: what the winner scores, up to 1,000,000,000: level times cube, the loser's pip count with pip scoring,
            or as awarded.
        end: played to the end, dropped, resigned or forfeited.

    Raises:
        MatchStateError: a field of a wrong type, points below 1 or above 1,000,000,000, or a forfeited game with a
            level.

    Examples:
        >>> Result(Player.BLACK, Win.SINGLE, 2, End.DROPPED)
        Result(winner=Player.BLACK, win=<Win.SINGLE: 1>, points=2, end=<End.DROPPED: 'dropped'>)
    """

    winner: Player
    win: Win | None
    points: int
    end: End

    def __attrs_post_init__(self) -> None:
        make_plain(self, "points")
        raise_problems("impossible result", self._problems())

    def _problems(self) -> Found:
        yield from _wrong_type(self.winner, Player, "the winner is a Player")
        if self.end is not End.FORFEITED:
            yield from _wrong_type(self.win, Win, "the level is a Win")
        elif self.win is not None:
            yield Problem.WRONG_RESULT, f"a forfeited game has no level, so it is None, not {shown(self.win)}"
        if type(self.points) is not int or not 1 <= self.points <= MOST_POINTS:
            yield Problem.WRONG_RESULT, f"a win counts 1 to {MOST_POINTS} points, not {shown(self.points)}"
        yield from _wrong_type(self.end, End, "how the game ended is an End")


EventArgument: TypeAlias = Dice | tuple[int, int] | str | Play | tuple[Move, ...] | Win | Player | Position | None
"""What an `Event` may carry; see there."""


@attrs.frozen(init=False)
class Event:
    """One action as a value, for logs and records; `MatchState.apply` performs it.

    *Equality*: two events are equal if action, seat and argument are. Dice are kept as `Dice`, a win as `Win`; a play
    stays as it was given, so a text differs from a `Play`, and from another spelling.

    Attributes:
        action: what is done.
        by: the player who does it, or `TO_ACT` (the default) for whoever is to act.
        argument: for `roll` the dice (anything that `Dice.of` reads); for `opening_roll` the pair (White's die,
            Black's die); for `play` a text of up to 200 characters, a `Play` or up to four moves; for `resign` the
            `Win` offered (None: single); for `next_game` either the `Player` who starts it, or the `Position` in which
            it starts as White sees it, or None; None for all others.

    Raises:
        ArgumentError: there is no such action, or the argument does not fit it; also where several things are wrong.
        IllegalActionError: `by` is neither a `Player` nor `TO_ACT`.
        DiceError: there are no such dice.

    Examples:
        >>> Event("roll", Player.WHITE, "31")
        Event(action=<Action.ROLL: 'roll'>, by=Player.WHITE, argument=Dice(high=3, low=1))
        >>> Event("castle")
        Traceback (most recent call last):
        ...
        gammonrules.errors.ArgumentError: there is no action 'castle'
    """

    action: Action
    by: Player | ToAct = TO_ACT
    argument: EventArgument = None

    def __init__(self, action: Action | str, by: Player | ToAct = TO_ACT, argument: object = None) -> None:
        tries = Tries()
        kind = tries.read(action_named, action)
        player = tries.read(seat, by)
        fitting = None if kind is None else tries.read(_argument, kind, argument)
        tries.refuse()
        self.__attrs_init__(kind, player, fitting)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


EVENTS = Maker(Event, "action", "by", "argument")
"""For events whose fields are known to be right."""


def _player(value: object) -> Player | None:
    """A player from `Player` or its text; None for anything else."""
    if isinstance(value, Player):
        return value
    text = None if isinstance(value, Enum) else plain_text(value)
    return next((player for player in Player if player.value == text), None)


def seat(value: object) -> Player | ToAct:
    """Who acts, from a `Player`, its text or `TO_ACT`.

    Raises:
        IllegalActionError: anything else, None too: a stranger does not act for whoever is to act.
    """
    player = value if value is TO_ACT else _player(value)
    if player is None:
        who = f"`by` is Player.WHITE, Player.BLACK or TO_ACT, not {shown(value)}"
        raise IllegalActionError(who, IllegalActionReason.UNKNOWN_PLAYER)
    return player


def player_of(value: object) -> Player:
    """A player from `Player` or its text.

    Raises:
        ArgumentError: anything else, None too.
    """
    player = _player(value)
    if player is None:
        raise ArgumentError(f"a player is Player.WHITE or Player.BLACK, not {shown(value)}")
    return player


def level(value: object) -> Win:
    """The level of a win, from `Win` or its number.

    Raises:
        ArgumentError: anything else.
    """
    if isinstance(value, Win):
        return value
    number = None if isinstance(value, Enum) else whole_number(value)
    win = next((win for win in Win if win == number), None)
    if win is None:
        raise ArgumentError(f"the level of a win is Win.SINGLE, Win.GAMMON or Win.BACKGAMMON, not {shown(value)}")
    return win


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


def _argument(action: Action, argument: object) -> EventArgument:
    """The argument of an event in its own type, or ArgumentError."""
    match action:
        case Action.ROLL:
            return Dice.of(cast("DiceLike", argument))
        case Action.OPENING_ROLL:
            return two_dice(argument)
        case Action.PLAY:
            return _play(argument)
        case Action.RESIGN:
            return Win.SINGLE if argument is None else level(argument)
        case Action.NEXT_GAME:
            return _start(argument)
        case _:
            if argument is not None:
                raise ArgumentError(f"{action} takes no argument, not {shown(argument)}")
            return None


def two_dice(argument: object) -> tuple[int, int]:
    """White's die and Black's die as plain ints.

    Raises:
        ArgumentError: no pair.
        DiceError: a face that does not exist.
    """
    pair = items_of_pair(argument)
    if pair is None:
        raise ArgumentError(f"an opening roll is a pair, White's die and Black's die, not {shown(argument)}")
    white, black = (cast("int", whole_number(die)) or die for die in cast("tuple[int, int]", pair))
    _ = Dice(white, black)  # refuses faces that do not exist
    return white, black


def _play(argument: object) -> str | Play | tuple[Move, ...]:
    if isinstance(argument, Play):
        return argument
    text = plain_text(argument)
    if text is not None:
        if len(text) > LONGEST_PLAY:
            raise ArgumentError(f"a play is at most {LONGEST_PLAY} characters long, this text has {len(text)}")
        return text
    moves = series_of_moves(argument)
    if moves is None:
        raise ArgumentError(f"a play is a text, a Play or moves, not {shown(argument)}")
    if len(moves) > MOST_MOVES:
        raise ArgumentError(f"a play has at most {MOST_MOVES} moves, this series has more")
    return moves


def _start(argument: object) -> Player | Position | None:
    player = _player(argument)
    if player is None and argument is not None and not isinstance(argument, Position):
        raise ArgumentError(f"a next game takes its starter, its Position or nothing, not {shown(argument)}")
    return argument if isinstance(argument, Position) else player
