"""`Dice`, a roll of two dice, and every way to write one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import signature
from itertools import combinations_with_replacement
from typing import Any, Protocol, TypeAlias, TypeVar

import attrs

from gammonrules._shared.json_form import JsonField
from gammonrules.errors import ArgumentError, DiceError, DiceProblem
from gammonrules.limits import MAX_ROLL_LENGTH
from gammonrules.values import (
    items_of_array,
    items_of_pair,
    not_a_pair,
    plain_text,
    real_number,
    shown,
    whole_number,
)

__all__ = ["OPENING_ROLLS", "ROLLS", "Dice", "DiceLike", "RandomSource"]
__dir__ = __all__.copy

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Array(Protocol):
    """The part of a NumPy array, or of a similar one, that is needed to read a roll."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __iter__(self) -> Iterator[Any]: ...


class _PythonSource(Protocol):
    """The part of a `random.Random` that dice need; the module is slow to import."""

    def randrange(self, start: int, stop: int, /) -> int: ...


class _NumPySource(Protocol):
    """The part of a `numpy.random.Generator` that dice need."""

    def integers(self, low: int, high: int, /) -> Any: ...


RandomSource: TypeAlias = _PythonSource | _NumPySource
"""A source of random numbers: a `random.Random`, or a NumPy generator such as `numpy.random.default_rng(1)`."""


def _faces(pair: tuple[object, object]) -> list[int]:
    """Two faces as plain ints, the smaller first. Raises DiceError unless both are whole numbers from 1 to 6."""
    faces = [whole_number(value) or 0 for value in pair]  # 0, which no die shows, for anything else
    if min(faces) >= 1 and max(faces) <= 6:
        return sorted(faces)
    passed = [value for value in pair if value is not MISSING]
    if len(passed) < 2:
        ways = 'Dice(3, 1) or Dice.of("31")'
        raise not_a_pair(f"a roll has two dice: write {ways}, not Dice({shown_arguments(*passed)})")
    wrong: list[object] = []
    flags = DiceProblem(0)
    for value, face, flag in zip(pair, faces, _FLAGS, strict=True):
        if not 1 <= face <= 6:
            wrong.append(value)
            flags |= flag
    values = " and ".join(shown(value) for value in wrong)
    raise DiceError(f"a die must be a whole number from 1 to 6, not {values}", flags)


_FLAGS = (DiceProblem.INVALID_FIRST_DIE, DiceProblem.INVALID_SECOND_DIE)


def thrower(rng: object) -> Callable[[int, int], int]:
    """The method of a generator that draws a whole number from its first argument up to, but excluding, its second."""
    throw = getattr(rng, "randrange", None) or getattr(rng, "integers", None)
    if throw is None or isinstance(rng, type):
        raise no_random_source(rng, "a random.Random or a NumPy generator", "random.Random")
    draw_number: Callable[[int, int], int] = throw
    return draw_number


def no_random_source(rng: object, needed: str, make: str) -> ArgumentError:
    """The error for an argument `rng` that is not what is needed; it shows a call of `make` with the seed.

    A number is a frequent guess, and is then the seed of this call.
    """
    number = whole_number(rng)
    seed = 1 if number is None or number < 0 else number
    return ArgumentError(f"rng must be {needed}, not {shown(rng)}; write {make}({shown(seed)})")


def _dice_in(text: str) -> Dice:
    beginning = text[: MAX_ROLL_LENGTH + 1]  # the text may be very long
    match = re.fullmatch(r"\s*([1-6])\s*-?\s*([1-6])\s*", beginning, re.ASCII)
    if match is None or len(text) > MAX_ROLL_LENGTH:
        raise not_a_pair(
            f'a roll must be written as two faces from 1 to 6, such as "31", not {shown(text)}'
        )
    return Dice(int(match[1]), int(match[2]))


MISSING: Any = object()
"""What a function with `receive_wrong_dice` gets for a die that is not there."""


def receive_wrong_dice(*dice: str) -> Callable[[_Function], _Function]:
    """Decorate a function that shows the right call if it gets a wrong number of dice.

    The function has an argument `*_apart` for all that is too much. Each of its arguments with one of these names is
    `MISSING` if it is not there. Neither type checkers nor `help` know of either. The function stays the same, since a
    wrapper would take a large part of the time of such a call.
    """

    def decorate(function: _Function) -> _Function:
        declared = signature(function)
        right = [each for each in declared.parameters.values() if each.name != "_apart"]
        edited: Any = function
        edited.__signature__ = declared.replace(parameters=right)
        edited.__annotations__.pop("_apart", None)
        if dice:
            edited.__defaults__ = (MISSING,) * len(dice)
        return function

    return decorate


def dice_apart(call: str, *values: object) -> DiceError:
    """The error for dice that were passed apart, as in `roll(3, 1)`.

    Args:
        call: the beginning of the call, up to the dice: "roll(".
        values: all values from the first die on.
    """
    whole = "a roll is one argument"
    ways = f'{call}(3, 1)) or {call}"31")'
    return not_a_pair(f"{whole}: write {ways}, not {call}{shown_arguments(*values)})")


def may_be_die(value: object) -> bool:
    """Whether this value in a wrong call may be one die or a roll: it is a number, or a string with a digit."""
    text = plain_text(value)
    if text is not None:
        return any(map(str.isdigit, text))
    return isinstance(value, Dice) or real_number(value) is not None


def shown_arguments(*values: object) -> str:
    """Values as a call has them."""
    return ", ".join(map(shown, values))


@attrs.frozen(init=False)
class Dice(JsonField):
    """A roll of two dice, in either order.

    *Equality*: two rolls are equal if they have the same two faces: `Dice(3, 1) == Dice(1, 3)`.

    Attributes:
        high: the larger face.
        low: the smaller face; equal to `high` in a doublet.

    Raises:
        DiceError: a face is not a whole number from 1 to 6; `problems` says which.

    Examples:
        >>> Dice(1, 3)
        Dice(high=3, low=1)
        >>> high, low = Dice.of("6-4")
        >>> high, low, Dice(5, 5).is_doublet
        (6, 4, True)
    """

    high: int
    low: int

    @receive_wrong_dice("high", "low")
    def __init__(self, high: int, low: int) -> None:
        low, high = _faces((high, low))
        self.__attrs_init__(high, low)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    @classmethod
    @receive_wrong_dice()
    def of(cls, value: DiceLike, *_apart: *tuple[()]) -> Dice:
        """Read a roll in any form: `Dice`, "31", "3-1", "31 ", (1, 3), [3, 1] or a NumPy array of two whole numbers.

        Raises:
            DiceError: `value` is not a roll; the message says why.

        Examples:
            >>> Dice.of("1-3") == Dice.of([3, 1]) == Dice(3, 1)
            True
        """
        if _apart:
            raise dice_apart("Dice.of(", value, *_apart)
        if type(value) is Dice:
            return value
        if isinstance(value, str):
            usual = ROLL_OF_TEXT.get(value)
            return _dice_in(value) if usual is None else usual
        pair = items_of_pair(value) or items_of_array(value)  # such as a row of `batch.Games.dice`
        if pair is not None:
            first, second = pair
            return cls(first, second)
        is_generator = hasattr(type(value), "randrange") or hasattr(type(value), "integers")
        hint = "; Dice.random(rng) throws the dice" if is_generator else ""
        raise not_a_pair(
            f'a roll must be Dice, a pair of faces or a string such as "31", not {shown(value)}{hint}'
        )

    @classmethod
    def random(cls, rng: RandomSource) -> Dice:
        """Throw two dice with a random number generator.

        Args:
            rng: a `random.Random`, or a NumPy generator such as `numpy.random.default_rng(1)`.

        Raises:
            ArgumentError: `rng` is neither. NumPy's old `RandomState` is refused: its `randint(1, 6)` never gives 6.

        Examples:
            >>> import random
            >>> Dice.random(random.Random(1))
            Dice(high=5, low=2)
        """
        throw = thrower(rng)
        return cls(throw(1, 7), throw(1, 7))

    @property
    def is_doublet(self) -> bool:
        """Whether both dice show the same face, which is then played four times."""
        return self.high == self.low

    @property
    def to_play(self) -> tuple[int, ...]:
        """The numbers to play, the higher first: two, or four for a doublet.

        Examples:
            >>> Dice(3, 1).to_play, Dice(2, 2).to_play
            ((3, 1), (2, 2, 2, 2))
        """
        if self.high == self.low:
            return (self.high,) * 4
        return self.high, self.low

    @property
    def pips(self) -> int:
        """The pips of a fully played roll: the sum of the faces, twice that for a doublet.

        Examples:
            >>> Dice(6, 5).pips, Dice(6, 6).pips
            (11, 24)
        """
        return sum(self.to_play)

    @property
    def weight(self) -> int:
        """How many of the 36 outcomes of two dice give this roll: 1 for a doublet, otherwise 2."""
        return 1 if self.is_doublet else 2

    def __iter__(self) -> Iterator[int]:
        yield self.high
        yield self.low

    def __contains__(self, face: int) -> bool:
        """Whether a die shows this face.

        Raises:
            ArgumentError: `face` is not a whole number.
        """
        number = whole_number(face)
        if number is None:
            raise ArgumentError(f"a face of a die must be a whole number, not {shown(face)}")
        return number in (self.high, self.low)

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


DiceLike: TypeAlias = Dice | str | tuple[int, int] | list[int] | _Array
"""Anything that functions accept as a roll: see `Dice.of`."""

ROLLS: tuple[Dice, ...] = tuple(
    Dice(low, high) for low, high in combinations_with_replacement(range(1, 7), 2)
)
"""The 21 rolls; their weights add up to 36."""

OPENING_ROLLS: tuple[Dice, ...] = tuple(roll for roll in ROLLS if not roll.is_doublet)
"""The 15 rolls with which a game can begin, since each player throws one die: all but the doublets."""

ROLL_OF_TEXT = {
    **{f"{roll.high}{roll.low}": roll for roll in ROLLS},
    **{f"{roll.low}{roll.high}": roll for roll in ROLLS},
}
"""Each roll by its two digits, in either order."""
ROLL_OF_FACES = {
    **{(roll.high, roll.low): roll for roll in ROLLS},
    **{(roll.low, roll.high): roll for roll in ROLLS},
}
"""The same by two numbers."""
