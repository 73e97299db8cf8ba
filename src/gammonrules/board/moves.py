"""Single moves of a checker, and every form in which callers may pass them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypeAlias

import attrs

from gammonrules._shared.checked_fields import Bounds, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.board import notation
from gammonrules.board.encoding import BAR
from gammonrules.board.generator import Maker, PlainMove
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_MOVES
from gammonrules.values import first_items, refuse, shown, whole_number


@attrs.frozen
class Move(JsonField):
    """One checker moved by one die; points are numbered by the player who moves.

    Functions that take moves also accept plain tuples: `(8, 5)` for `Move(8, 5)`, `(8, 5, True)` if it hits.

    *Equality*: all fields but `die`, which has no part in `repr` and JSON either.

    Attributes:
        from_point: 24 to 1, or 25 for the bar.
        to_point: 24 to 1, or 0 for off; lower than `from_point`.
        hit: whether the move hits a checker; False by default.
        die: the die that it is made with, if the move comes from the library; None if you have made it. Where either
            die bears the checker off, it is the smaller.

    Raises:
        ArgumentError: a point does not exist, the move does not go forward, or `hit` is not a bool. Whether the rules
            allow a move is for `Plays` to decide.

    Examples:
        >>> print(Move(25, 22, hit=True))
        bar/22*
        >>> from gammonrules import Position
        >>> move = Position.start().legal_plays("65").next_moves()[0]
        >>> print(move, move.die)
        24/18 6
    """

    from_point: Annotated[int, Bounds(1, 25)]
    to_point: Annotated[int, Bounds(0, 24)]
    hit: bool = False
    die: int | None = attrs.field(default=None, init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        refuse("move", wrong_fields(self))
        if self.to_point >= self.from_point:
            raise ArgumentError(
                f"impossible move: {self} does not go forward, from a higher to a lower point"
            )

    def __str__(self) -> str:
        return notation.canonical_text([(self.from_point, self.to_point, self.hit)])


make_move = Maker(Move, "from_point", "to_point", "hit", "die").make
"""Makes moves that are known to be valid."""

MoveLike: TypeAlias = Move | Iterable[int]
"""Anything that functions accept as a move: a `Move`, a pair `(from, to)`, or `(from, to, hit)`.

Pairs of -1, which fill unused rows of moves in `gammonrules.batch`, are skipped.
"""

_UNUSED_ROW = (-1, -1)


def read_moves(series: object, limit: int = MAX_MOVES) -> list[PlainMove]:
    """The moves of a series. They may go backward, as moves in text may.

    A series of more than `limit` moves, by default as many as a play can have, is read up to the first one too many: no
    roll allows it, and a generator may never end.

    Raises:
        ArgumentError: this is not a series of moves.
    """
    items = first_items(series, limit + 1)
    if items is None:
        forms = "a string, a Play, a Position or a series of moves"
        raise ArgumentError(f"a play must be {forms}, not {shown(series, 60)}")
    moves = [read_move(item, _UNUSED_ROW) for item in items]
    return [move for move in moves if move[:2] != _UNUSED_ROW]


def read_move(move: object, *fillers: tuple[int, int]) -> PlainMove:
    """The points and the hit of a move, or a filler that stands where there is none. Raises ArgumentError otherwise."""
    if isinstance(move, Move):
        return move.from_point, move.to_point, move.hit
    items = first_items(move, 4) or []  # one more than a move can have shows that it is too long
    hit: object = False
    if len(items) == 3:
        hit = items.pop()
    if len(items) == 2 and type(hit) is bool:
        source = whole_number(items[0])
        target = whole_number(items[1])
        if source is not None and target is not None:
            exists = 0 <= source <= BAR and 0 <= target <= BAR
            if exists or (source, target) in fillers:
                return source, target, hit
    forms = "a Move, (from, to) or (from, to, hit), from 25 (bar) to 0 (off)"
    raise ArgumentError(f"a move must be {forms}, not {shown(move, 60)}")
