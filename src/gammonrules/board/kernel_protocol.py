"""What the generators take and return: rolls, the boards found, which are decoded when read, and values made of them.

The kernel has its own version of everything here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from gammonrules._shared.debug_checks import recheck
from gammonrules.board.encoding import Board, Packed, pack_flipped, unpack_flipped
from gammonrules.values import is_pair_of

PlainMove: TypeAlias = tuple[int, int, bool]
"""From, to, and whether the move hits (or claims to); 25 is the bar and 0 is off."""
Branch: TypeAlias = tuple[int, int, int, int]
"""A move that may come next in a turn: from, to, the die, and the number of the node after it."""
Node: TypeAlias = tuple[Branch, ...]

Value = TypeVar("Value")
_Setter: TypeAlias = Callable[[object, object], None]


class ResultBoards(Protocol):
    """The distinct boards that a roll leads to, in a fixed order, as the opponent sees them."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Board]: ...
    def __getitem__(self, index: int, /) -> Board: ...
    def __contains__(self, board: object, /) -> bool: ...


class Found:
    """`ResultBoards` made from packed boards as the player who moves sees them."""

    __slots__ = ("_packed",)

    def __init__(self, packed: Collection[Packed]) -> None:
        self._packed = packed

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[Board]:
        return map(unpack_flipped, self._packed)

    def __getitem__(self, index: int) -> Board:
        if not isinstance(self._packed, Sequence):
            self._packed = tuple(self._packed)
        return unpack_flipped(self._packed[index])

    def __contains__(self, board: object) -> bool:
        return isinstance(board, Board) and pack_flipped(board) in self._packed


class Maker(Generic[Value]):
    """Makes values of a class with slots without running its constructor, from fields that are known to be valid.

    Attributes:
        make: returns a new value with these fields.
    """

    __slots__ = ("make",)
    make: Callable[..., Value]

    def __init__(self, cls: type[Value], *names: str) -> None:
        setters = [getattr(cls, name).__set__ for name in names]
        maker: Any = _MAKERS.get(len(setters), _maker_of_many)
        self.make = maker(cls, *setters)


# Written out for the two fields of a position and the three of a play, since that is twice as fast as a loop.


def _maker_of_two(
    cls: type[Value], set_first: _Setter, set_second: _Setter
) -> Callable[..., Value]:
    def make(first: object, second: object) -> Value:
        made = object.__new__(cls)
        set_first(made, first)
        set_second(made, second)
        return made

    return make


def _maker_of_three(
    cls: type[Value], set_first: _Setter, set_second: _Setter, set_third: _Setter
) -> Callable[..., Value]:
    def make(first: object, second: object, third: object) -> Value:
        made = object.__new__(cls)
        set_first(made, first)
        set_second(made, second)
        set_third(made, third)
        return made

    return make


def _maker_of_many(cls: type[Value], *setters: _Setter) -> Callable[..., Value]:
    def make(*values: object) -> Value:
        made = object.__new__(cls)
        for set_value, value in zip(setters, values, strict=True):
            set_value(made, value)
        return made

    return make


_MAKERS: dict[int, Callable[..., Any]] = {2: _maker_of_two, 3: _maker_of_three}


class RecheckedMaker(Maker[Value]):
    """The same, but each value is made as users make it too (see `gammonrules._shared.debug_checks`)."""

    __slots__ = ()

    def __init__(self, cls: type[Value], *names: str) -> None:
        super().__init__(cls, *names)
        make_unchecked = self.make

        def make_and_recheck(*values: object) -> Value:
            made = make_unchecked(*values)
            recheck(made)
            return made

        self.make = make_and_recheck


def plays_of(
    boards: ResultBoards,
    plays: Maker[Value],
    positions: Maker[Any],
    before: object,
    dice: object,
    checkers: int,
) -> Iterator[Value]:
    """The play that leads to each of the boards, with its fields `before`, `dice` and `position`."""
    make_play = plays.make
    make_position = positions.make
    return (make_play(before, dice, make_position(board, checkers)) for board in boards)


def faces_of(dice: object) -> int:
    """31 for the text "31" and the pair (3, 1); 0 for anything else, including rolls in other forms."""
    if type(dice) is str and len(dice) == 2:
        # the place of a digit is its number, and -1 for any other character
        first = "0123456".find(dice[0])
        second = "0123456".find(dice[1])
    elif is_pair_of(dice, int) and type(dice) is tuple:
        first, second = dice
    else:
        return 0
    if 1 <= first <= 6 and 1 <= second <= 6:
        return 10 * first + second
    return 0
