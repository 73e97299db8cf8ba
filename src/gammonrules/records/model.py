"""`Match` and `Game`: a record as values, whatever file it came from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs
from attrs import field, frozen

from gammonrules.errors import GammonError
from gammonrules.match import Action, Cube, Event, MatchState, Player, Result
from gammonrules.position import Position
from gammonrules.records.findings import Finding
from gammonrules.rules import TOURNAMENT, Rules


@frozen
class SetPosition:
    """A position that was set by hand: the start of an edited game, or the board after a condoned play.

    No dice lie and no double is pending afterwards; it is the turn of `on_roll`.

    Equality: all attributes are equal.

    Attributes:
        position: the board as `on_roll` sees it.
        on_roll: whose turn it is.
        cube: the cube, or None to leave it as it is.

    Examples:
        >>> start = MatchState.new(7).opening_roll(white=3, black=1)
        >>> SetPosition(Position.start(), Player.BLACK).apply(start).on_roll
        Player.BLACK
    """

    position: Position
    on_roll: Player
    cube: Cube | None = None

    def apply(self, state: MatchState) -> MatchState:
        """The table with this position.

        Raises:
            MatchStateError: the table cannot stand like this, as with a game that is already won.
        """
        cube = state.cube if self.cube is None else self.cube
        return attrs.evolve(
            state, position=self.position, on_roll=self.on_roll, cube=cube, dice=None, offer=None, result=None
        )


RecordEvent: TypeAlias = Event | SetPosition
"""What a record consists of."""


@frozen
class Stated:
    """The end of a game as a file states it; the referee compares it with what was played.

    Attributes:
        winner: the winner, or None where the file does not tell.
        points: the points won, or None where the file does not tell.
        and_the_match: whether the file says that the match is won as well.
        text: the words of the file.
        row: the number of their row, if it has one.
    """

    winner: Player | None
    points: int | None
    and_the_match: bool = False
    text: str = ""
    row: int | None = None


@frozen
class Game:
    """One game of a record.

    Equality: number, start, events and comments are equal. What a file states about the end, and the rows on
    which its events stand, do not count.

    Attributes:
        number: the number of the game as the record counts it.
        start: the table before the opening roll.
        events: what happened, in order; plays are canonical texts.
        comments: free remarks.
        stated: the end as the file states it, if it does.
        rows: the row number of each event, where a file has them.
        cut: whether the record goes on after these events in a way that could not be followed.

    Examples:
        >>> game = Game(1, MatchState.new(7), (Event(Action.OPENING_ROLL, None, (3, 1)),))
        >>> [state.phase.value for state in game.states()]
        ['opening', 'to_play']
    """

    number: int
    start: MatchState
    events: tuple[RecordEvent, ...] = ()
    comments: tuple[str, ...] = ()
    stated: Stated | None = field(default=None, eq=False)
    rows: tuple[int | None, ...] = field(default=(), eq=False, repr=False)
    cut: bool = field(default=False, eq=False)

    @property
    def score(self) -> tuple[int, int]:
        """The points of White and Black before the game."""
        return self.start.score

    def states(self) -> Iterator[MatchState]:
        """The start, then the state after each event.

        Raises:
            IllegalActionError, IllegalPlayError: at an event that the rules forbid. A game that was read from a file
                holds no such event.
        """
        state = self.start
        yield state
        for event in self.events:
            state = event.apply(state) if isinstance(event, SetPosition) else state.apply(event)
            yield state

    def final(self) -> MatchState:
        """The state after the last event.

        Raises:
            IllegalActionError, IllegalPlayError: as for `states`.
        """
        state = self.start
        for state in self.states():  # noqa: B007
            pass
        return state


@frozen
class Match:
    """A record of a match or of a money session.

    Equality: players, length, rules, games, tags and comments are equal; the format and the findings of the reader
    do not count, so that the same match is equal in any format.

    Attributes:
        players: the names of White (the left column) and Black.
        length: the points that win the match, or None for money play.
        games: the games in order.
        rules: the rules of all of them.
        tags: name and value of each tag of the header, in order.
        comments: free remarks of the header.
        format: the format that the record was read from.
        findings: what the reader noticed; `referee` adds what the events show.
        stated_rolls: how many rolls the file shows, also those of plays that could not be read.

    Examples:
        >>> match = Match(("Ann", "Bob"), 7)
        >>> match.players[Player.BLACK], match.score
        ('Bob', (0, 0))
    """

    players: tuple[str, str]
    length: int | None
    games: tuple[Game, ...] = ()
    rules: Rules = TOURNAMENT
    tags: tuple[tuple[str, str], ...] = ()
    comments: tuple[str, ...] = ()
    format: str = field(default="mat", eq=False)
    findings: tuple[Finding, ...] = field(default=(), eq=False, repr=False)
    stated_rolls: int | None = field(default=None, eq=False, repr=False)

    @property
    def rolls(self) -> int:
        """The number of rolls in the record."""
        if self.stated_rolls is not None:
            return self.stated_rolls
        rolled = (Action.OPENING_ROLL, Action.ROLL)
        return sum(isinstance(event, Event) and event.action in rolled for game in self.games for event in game.events)

    @property
    def score(self) -> tuple[int, int]:
        """The points of White and Black after the last game, not capped.

        A game without a result counts the points that its file states.
        """
        return score_after(self.games[-1]) if self.games else (0, 0)


def result_of(game: Game) -> Result | None:
    """The result of the events, or None: no result, or events that the rules forbid."""
    try:
        return game.final().result
    except GammonError:
        return None


def score_after(game: Game) -> tuple[int, int]:
    """The score after a game: by its events, else by the points that the file states."""
    result = result_of(game)
    if result is not None:
        return add_points(game.score, result.winner, result.points)
    stated = game.stated
    if stated is None or stated.winner is None or stated.points is None:
        return game.score
    return add_points(game.score, stated.winner, stated.points)


def add_points(score: tuple[int, int], winner: Player, points: int) -> tuple[int, int]:
    """The score with points added for a player."""
    white, black = score
    return (white + points, black) if winner is Player.WHITE else (white, black + points)
