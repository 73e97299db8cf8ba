"""Two dice: the 21 rolls, and every way in which people write one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

import attrs

from gammonrules.errors import DiceError, DiceProblem, GammonError
from gammonrules.limits import LONGEST_ROLL
from gammonrules.values import items_of_array, items_of_pair, shown, whole_number

if TYPE_CHECKING:
    import random

__all__ = ["ROLLS", "Dice", "DiceLike"]


class _Array(Protocol):
    """An array of NumPy, or of a library like it, as far as a roll needs one."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __iter__(self) -> Iterator[Any]: ...


class _NumPyGenerator(Protocol):
    """`numpy.random.Generator`, as far as two dice need it."""

    def integers(self, low: int, high: int, /) -> Any: ...


def _faces(given: tuple[object, object]) -> list[int]:
    """Two faces as plain ints, the smaller first; DiceError unless both are whole numbers from 1 to 6."""
    faces = [whole_number(value) or 0 for value in given]
    wrong = [not 1 <= face <= 6 for face in faces]
    if any(wrong):
        values = " and ".join(shown(value) for value, bad in zip(given, wrong, strict=True) if bad)
        flags = DiceProblem(wrong[0] * DiceProblem.WRONG_FIRST.value | wrong[1] * DiceProblem.WRONG_SECOND.value)
        raise DiceError(f"a die shows a whole number from 1 to 6, not {values}", flags)
    return sorted(faces)


def _read(text: str) -> Dice:
    match = re.fullmatch(r"\s*([1-6])\s*-?\s*([1-6])\s*", text[: LONGEST_ROLL + 1], re.ASCII)
    if match is None or len(text) > LONGEST_ROLL:
        raise DiceError(
            f'a roll is written as two faces from 1 to 6, such as "31", not {shown(text)}', DiceProblem.NO_PAIR
        )
    return Dice(int(match[1]), int(match[2]))


@attrs.frozen(init=False)
class Dice:
    """One roll of two dice; the order in which they fell does not matter.

    *Equality*: two rolls are equal if they show the same two faces: `Dice(3, 1) == Dice(1, 3)`.

    Attributes:
        high: the larger face.
        low: the smaller face, equal to `high` in a doublet.

    Raises:
        DiceError: a face that is not a whole number from 1 to 6; `problems` tells which.

    Examples:
        >>> Dice(1, 3)
        Dice(high=3, low=1)
        >>> high, low = Dice.of("6-4")
        >>> high, low, Dice(5, 5).is_doublet
        (6, 4, True)
    """

    high: int
    low: int

    def __init__(self, high: int, low: int) -> None:
        low, high = _faces((high, low))
        self.__attrs_init__(high, low)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]

    @classmethod
    def of(cls, value: DiceLike) -> Dice:
        """Read a roll: `Dice`, "31", "3-1", "31 ", (1, 3), [3, 1] or a NumPy array of two whole numbers.

        Raises:
            DiceError: anything else, with what was wrong.

        Examples:
            >>> Dice.of("1-3") == Dice.of([3, 1]) == Dice(3, 1)
            True
        """
        if type(value) is Dice:
            return value
        if isinstance(value, str):
            text = str.__str__(value)
            return _ROLL_OF_TEXT.get(text) or _read(text)
        pair = items_of_pair(value) or items_of_array(value)  # such as a row of `batch.Games.dice`
        if pair is not None:
            return cls(*cast("tuple[int, int]", pair))
        raise DiceError(
            f'a roll is Dice, a pair of faces or a text such as "31", not {shown(value)}', DiceProblem.NO_PAIR
        )

    @classmethod
    def random(cls, rng: random.Random | _NumPyGenerator) -> Dice:
        """Throw two dice with the caller's generator.

        Args:
            rng: a `random.Random`, or a NumPy generator such as `numpy.random.default_rng(1)`.

        Raises:
            GammonError: another kind of generator. NumPy's old `RandomState` is one: its `randint(1, 6)` never gives 6.

        Examples:
            >>> import random
            >>> Dice.random(random.Random(1))
            Dice(high=5, low=2)
        """
        throw = getattr(rng, "randrange", None) or getattr(rng, "integers", None)
        if throw is None or isinstance(rng, type):
            raise GammonError(
                f"rng is a random.Random or a generator such as numpy.random.default_rng(1), not {shown(rng)}"
            )
        return cls(throw(1, 7), throw(1, 7))

    @property
    def is_doublet(self) -> bool:
        """Whether both dice show the same face (which is then played four times)."""
        return self.high == self.low

    @property
    def to_play(self) -> tuple[int, ...]:
        """Every number to be played, the higher first: two, or four of a doublet.

        Examples:
            >>> Dice(3, 1).to_play, Dice(2, 2).to_play
            ((3, 1), (2, 2, 2, 2))
        """
        return (self.high,) * 4 if self.high == self.low else (self.high, self.low)

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
        """In how many of the 36 ways the dice show this roll: 1 for a doublet, else 2."""
        return 1 if self.is_doublet else 2

    def __iter__(self) -> Iterator[int]:
        yield self.high
        yield self.low

    def __str__(self) -> str:
        return f"{self.high}{self.low}"


DiceLike: TypeAlias = Dice | str | tuple[int, int] | list[int] | _Array
"""What every function that takes a roll accepts: see `Dice.of`."""

ROLLS: tuple[Dice, ...] = tuple(Dice(*faces) for faces in combinations_with_replacement(range(1, 7), 2))
"""The 21 rolls; their weights sum to 36."""

_ROLL_OF_TEXT = {f"{one}{other}": roll for roll in ROLLS for one, other in (tuple(roll), tuple(roll)[::-1])}
