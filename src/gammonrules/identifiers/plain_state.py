"""`PlainState`, what an identifier says about a match, field by field, before anything is checked.

XGID, Match ID, OGID and FIBS board write the same fields in four ways. Each format has a module that turns its text
into a `PlainState` (and back, if it is written too), independent of the others; `state_conversion` turns a
`PlainState` into a `MatchState`, which checks it, and back. So adding a format takes one module.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from gammonrules.board import Position
from gammonrules.errors import IdentifierError
from gammonrules.match import Player
from gammonrules.values import shown

Side: TypeAlias = tuple[int, ...]
"""25 counts: one side's checkers on its own points 1 to 24 and on its bar."""
Game: TypeAlias = Literal["opening", "playing", "played", "dropped", "resigned"]
"""Whether the game waits for its opening roll, goes on, or how it ended."""

NUMBERS = range(10**9 + 1)
"""The range of numbers where the format itself has no limit."""


@attrs.frozen(kw_only=True)
class PlainState:
    """A match as far as a text describes it. None means that the text does not say, or that there is none.

    Pairs are White's and Black's, as in `MatchState.score`.
    """

    on_roll: Player
    sides: tuple[Side, Side] | None = None
    off: tuple[int | None, int | None] = (None, None)
    """The checkers borne off, if the text counts them."""
    checkers: int | None = None
    dice: tuple[int, int] | None = None
    cube: int = 1
    """The value of the cube; while a double is pending, value and owner are those before the first offer."""
    owner: Player | None = None
    double: tuple[Player, int] | None = None
    """Who doubled, and how many beavers followed."""
    resignation: tuple[Player, int] | None = None
    """Who offers to resign, or has resigned, and at which level: 1, 2 or 3."""
    turn: Player | None = None
    """For writing: who must decide, or made the last decision of the game; None means the player on roll."""
    game: Game = "playing"
    score: tuple[int, int] = (0, 0)
    length: int | None = None
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    max_cube: int | None = None
    """The exponent of the highest cube, as in an XGID: 10 for no limit, 0 for a game without a cube."""
    doubts: tuple[str, ...] = ()
    """Sentences about what had to be guessed."""
    instead: PlainState | None = None
    """The other way to read the text, in case this one is not a possible state."""


def side_of(position: Position) -> Side:
    """The checkers of the player on roll."""
    return tuple(max(0, count) for count in position.points[1:])


def with_doubt(plain: PlainState, doubt: str) -> PlainState:
    """The same state, and one more thing that had to be guessed."""
    return attrs.evolve(plain, doubts=(*plain.doubts, doubt))


def offered(plain: PlainState, by: Player, beavers: int, otherwise: str) -> PlainState:
    """The same state with a double by this player, or, with the doubt `otherwise`, by the opponent instead."""
    doubled, instead = (attrs.evolve(plain, on_roll=player, double=(player, beavers)) for player in (by, by.opponent))
    return attrs.evolve(doubled, instead=with_doubt(instead, otherwise))


def with_score_cut(plain: PlainState) -> PlainState:
    """The same state, with the score cut to `NUMBERS`."""
    white, black = plain.score
    return attrs.evolve(plain, score=(min(white, NUMBERS[-1]), min(black, NUMBERS[-1])))


def refuse_large_score(score: tuple[int, int], *names: str) -> None:
    """Raise IdentifierError if a score is not in `NUMBERS`; `names` are those of the two fields."""
    for name, points in zip(names, score, strict=True):
        if points > NUMBERS[-1]:
            raise IdentifierError(f"{name}: {NUMBERS[-1]} is the most that it can hold, not {shown(points)}")


def with_a_raccoon_at_most(plain: PlainState) -> PlainState:
    """The same value on offer and the same player to answer, after at most two beavers, since no text can show more.

    As many beavers are kept as leave the answer to the same player; a higher cube before them makes up for the rest.
    """
    if plain.double is None or plain.double[1] <= 2:
        return plain
    by, beavers = plain.double
    fewer = 2 - beavers % 2
    return attrs.evolve(plain, cube=plain.cube << (beavers - fewer), double=(by, fewer))


def before_the_offer(value: int, owner: Player | None, by: Player, beavers: int) -> tuple[int, Player | None] | None:
    """Value and owner of the cube before the first offer, or None if it cannot have been turned this many times.

    `value` and `owner` are what GNU Backgammon shows while a double is pending: a player who beavers owns the cube at
    once, at the value that they have accepted.
    """
    if not beavers:
        return value, owner
    before = value >> beavers
    return (before, None if before == 1 else by) if before else None
