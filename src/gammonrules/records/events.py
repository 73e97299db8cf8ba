"""Events of a record that are not actions of players: positions set by hand, and forfeits."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import attrs
from attrs import field, frozen

from gammonrules.board import Position
from gammonrules.limits import MOST_POINTS
from gammonrules.match import Cube, Event, MatchState, Player
from gammonrules.match.players import to_player
from gammonrules.problems import Bounds, refuse, wrong_fields
from gammonrules.values import plain_int_or_none


@frozen
class SetPosition:
    """A position that was set by hand: the start of an edited game, or the board after a condoned illegal play.

    Afterward there are no dice to play, no double is pending, and it is `on_roll`'s turn.

    *Equality*: two are equal if board, turn and cube are equal.

    Attributes:
        position: the board as `on_roll` sees it.
        on_roll: whose turn it is.
        cube: the cube, or None to leave it as it is.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> start = MatchState.new(7).opening_roll(white=3, black=1)
        >>> SetPosition(Position.start(), Player.BLACK).apply(start).on_roll
        Player.BLACK
    """

    position: Position
    on_roll: Player = field(converter=to_player)
    cube: Cube | None = None

    def __attrs_post_init__(self) -> None:
        refuse("position set by hand", wrong_fields(self))

    def apply(self, state: MatchState) -> MatchState:
        """The state with this position. If the game was over, it goes on, and its points are taken back.

        Raises:
            MatchStateError: the state would be impossible, for example with the board of a finished game.

        Examples:
            >>> start = MatchState.new(7).opening_roll(white=3, black=1)
            >>> event = SetPosition(Position.start(), Player.BLACK, Cube(2, Player.BLACK))
            >>> edited = event.apply(start)
            >>> sorted(action.value for action in edited.legal_actions)
            ['double', 'resign', 'roll']
        """
        cube = state.cube if self.cube is None else self.cube
        return attrs.evolve(
            state,
            position=self.position,
            on_roll=self.on_roll,
            cube=cube,
            score=state.score_before,
            dice=None,
            offer=None,
            result=None,
        )


@frozen
class Forfeit:
    """An arbiter's decision that a player forfeits the game: out of time, disconnected, or absent.

    *Equality*: two are equal if loser and points are equal.

    Attributes:
        loser: the player who forfeits the game.
        points: the points awarded to the opponent, or None (the default) for what they still need to win the match.

    Raises:
        ArgumentError: an attribute has the wrong type, or no win can count this many points.

    Examples:
        >>> start = MatchState.new(7, score=(3, 0)).opening_roll(white=3, black=1)
        >>> Forfeit(Player.BLACK).apply(start).score
        (7, 0)
        >>> Forfeit(Player.BLACK, points=1).apply(start).score
        (4, 0)
    """

    loser: Player = field(converter=to_player)
    points: Annotated[int, Bounds(1, MOST_POINTS)] | None = field(default=None, converter=plain_int_or_none)

    def __attrs_post_init__(self) -> None:
        refuse("forfeit", wrong_fields(self))

    def apply(self, state: MatchState) -> MatchState:
        """The state after the decision; see `MatchState.forfeit`.

        Raises:
            IllegalActionError: the game is over, or these points cannot be awarded in it.

        Examples:
            >>> Forfeit(Player.WHITE, 2).apply(MatchState.new(None)).result.end
            <End.FORFEITED: 'forfeited'>
        """
        return state.forfeit(self.loser, self.points)


RecordEvent: TypeAlias = Event | SetPosition | Forfeit
"""An event of a record."""


def after(state: MatchState, event: RecordEvent) -> MatchState:
    """The state after an event."""
    return event.apply(state) if isinstance(event, (SetPosition, Forfeit)) else state.apply(event)
