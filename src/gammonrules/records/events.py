"""What happens in a record besides the actions of play: a position set by hand, and an arbiter's decision."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import attrs
from attrs import field, frozen

from gammonrules.board import Position
from gammonrules.limits import MOST_POINTS
from gammonrules.match import Cube, Event, MatchState, Player
from gammonrules.problems import Bounds, refuse, wrong_fields
from gammonrules.values import plain_int_or_none


@frozen
class SetPosition:
    """A position that was set by hand: the start of an edited game, or the board after a condoned play.

    No dice lie and no double is pending afterwards; it is the turn of `on_roll`.

    *Equality*: two are equal if board, turn and cube are.

    Attributes:
        position: the board as `on_roll` sees it.
        on_roll: whose turn it is.
        cube: the cube, or None to leave it as it is.

    Raises:
        GammonError: an attribute of another type.

    Examples:
        >>> start = MatchState.new(7).opening_roll(white=3, black=1)
        >>> SetPosition(Position.start(), Player.BLACK).apply(start).on_roll
        Player.BLACK
    """

    position: Position
    on_roll: Player
    cube: Cube | None = None

    def __attrs_post_init__(self) -> None:
        refuse("position set by hand", wrong_fields(self))

    def apply(self, state: MatchState) -> MatchState:
        """The table with this position. A game that was over goes on, and its points are taken back.

        Raises:
            MatchStateError: the table cannot stand like this, as with the board of a finished game.

        Examples:
            >>> start = MatchState.new(7).opening_roll(white=3, black=1)
            >>> edited = SetPosition(Position.start(), Player.BLACK, Cube(2, Player.BLACK)).apply(start)
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
    """An arbiter's decision that a player forfeits the game: time ran out, a connection was lost, they did not come.

    *Equality*: two are equal if loser and points are.

    Attributes:
        loser: who forfeits the game.
        points: what the opponent is awarded, or None (the default) for what they still need to win the match.

    Raises:
        GammonError: an attribute of another type, or points that cannot be awarded.

    Examples:
        >>> start = MatchState.new(7, score=(3, 0)).opening_roll(white=3, black=1)
        >>> Forfeit(Player.BLACK).apply(start).score, Forfeit(Player.BLACK, points=1).apply(start).score
        ((7, 0), (4, 0))
    """

    loser: Player
    points: Annotated[int, Bounds(1, MOST_POINTS)] | None = field(default=None, converter=plain_int_or_none)

    def __attrs_post_init__(self) -> None:
        refuse("forfeit", wrong_fields(self))

    def apply(self, state: MatchState) -> MatchState:
        """The table after the decision; see `MatchState.forfeit`.

        Raises:
            IllegalActionError: the game is over, or these points cannot be awarded in it.

        Examples:
            >>> Forfeit(Player.WHITE, 2).apply(MatchState.new(None)).result.end
            <End.FORFEITED: 'forfeited'>
        """
        return state.forfeit(self.loser, self.points)


RecordEvent: TypeAlias = Event | SetPosition | Forfeit
"""What a record consists of."""


def after(state: MatchState, event: RecordEvent) -> MatchState:
    """The table after an event."""
    return event.apply(state) if isinstance(event, (SetPosition, Forfeit)) else state.apply(event)
