"""What an identifier says of a table, as plain values: the common ground of Match ID, XGID, OGID and FIBS board."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

Seat: TypeAlias = int
"""0 is White: XGID's bottom player and GNU Backgammon's player 1; 1 is Black."""
WHITE: Seat = 0
BLACK: Seat = 1

Side: TypeAlias = tuple[int, ...]
"""25 counts: one side's checkers on its own points 1 to 24 and on its bar."""
Game: TypeAlias = Literal["opening", "playing", "played", "dropped", "resigned"]
"""Whether the game waits for its opening roll, goes on, or how it has ended."""


def other(seat: Seat) -> Seat:
    """The opponent's seat."""
    return WHITE + BLACK - seat


@attrs.frozen(kw_only=True)
class Table:
    """A table, as far as an identifier describes it. None stands for what it does not say, or for nothing there."""

    on_roll: Seat
    sides: tuple[Side, Side] | None = None
    """White's and Black's checkers."""
    off: tuple[int | None, int | None] = (None, None)
    """What the text says of White's and Black's checkers borne off."""
    checkers: int | None = None
    dice: tuple[int, int] | None = None
    cube: int = 1
    """The value; while a double is pending, before the first offer, and so is the owner."""
    owner: Seat | None = None
    double: tuple[Seat, int] | None = None
    """Who doubled, and how often that has been redoubled at once."""
    resignation: tuple[Seat, int] | None = None
    """Who offers to resign, or has resigned, and the level."""
    turn: Seat | None = None
    """For writing: who decides, or has decided the game last; None: the player on roll."""
    game: Game = "playing"
    score: tuple[int, int] = (0, 0)
    length: int | None = None
    crawford: bool | None = None
    jacoby: bool | None = None
    beavers: bool | None = None
    max_cube: int | None = None
    """The exponent of the highest cube as an XGID has it: 10 for no limit, 0 for a game without a cube."""
    doubts: tuple[str, ...] = ()
    """Sentences about what could be read only by a guess."""
    instead: Table | None = None
    """How else the text can be read, for where this is no possible state."""


def with_a_raccoon_at_most(table: Table) -> Table:
    """The same value on offer and the same player to answer, after two redoubles at once or fewer.

    No text has a word for more. Fewer are as many as keep the answerer, from a cube that was higher before.
    """
    if table.double is None or table.double[1] <= 2:
        return table
    by, beavers = table.double
    fewer = 2 - beavers % 2
    return attrs.evolve(table, cube=table.cube << (beavers - fewer), double=(by, fewer))


def before_the_offer(value: int, owner: Seat | None, by: Seat, beavers: int) -> tuple[int, Seat | None] | None:
    """Value and owner of the cube before the first offer, or None if it cannot have been turned so often.

    Given are those that GNU Backgammon shows while a double is pending: whoever redoubles at once owns the cube at the
    value that he has accepted.
    """
    if not beavers:
        return value, owner
    before = value >> beavers
    return (before, None if before == 1 else by) if before else None
