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
    """Who decides, or has decided the game last; None: the player on roll."""
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
