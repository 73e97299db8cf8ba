"""How a game may end: five chances, as engines give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from attrs import frozen

from gammonrules.errors import ArgumentError
from gammonrules.problems import Bounds, refuse, wrong_fields
from gammonrules.values import real_number, shown

Chance: TypeAlias = Annotated[float, Bounds(0, 1)]

_OUTCOMES = (3, 2, 1, -1, -2, -3)
_ROUNDING = 1e-3
"""How far from 1 the chances of all outcomes may sum up, if they were printed with few digits."""


@frozen
class Chances:
    """How a game may end, by an engine's estimate: five numbers from 0 to 1.

    They are cumulative: wins include gammons, and gammons include backgammons. `exclusive` has each outcome alone.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        win: the chance of winning the game, with or without a gammon.
        win_gammon: the chance of winning a gammon or a backgammon.
        win_backgammon: the chance of winning a backgammon.
        lose_gammon: the chance of losing a gammon or a backgammon.
        lose_backgammon: the chance of losing a backgammon.

    Raises:
        ArgumentError: a number is not from 0 to 1.

    Examples:
        >>> from gammonrules.equity import Chances
        >>> chances = Chances(0.75, 0.25, 0, 0.125, 0)
        >>> chances.lose, chances.flip().lose_gammon, chances.flip().flip() == chances
        (0.25, 0.25, True)
        >>> chances.exclusive
        {3: 0.0, 2: 0.25, 1: 0.5, -1: 0.125, -2: 0.125, -3: 0.0}
        >>> Chances.from_exclusive({1: 0.5, 2: 0.25, -1: 0.125, -2: 0.125}) == chances
        True
    """

    win: Chance
    win_gammon: Chance
    win_backgammon: Chance
    lose_gammon: Chance
    lose_backgammon: Chance

    def __attrs_post_init__(self) -> None:
        refuse("chances", wrong_fields(self))

    @classmethod
    def from_exclusive(cls, chances: Mapping[int, float]) -> Chances:
        """Chances from those of each outcome alone: a gammon that is not a backgammon, and so on.

        Args:
            chances: a chance for each outcome: 3 is a backgammon won, 2 a gammon won, 1 a single game won, and -1, -2
                and -3 are the same lost. Those left out are 0.

        Raises:
            ArgumentError: a key is another one, a chance is not from 0 to 1, or their sum is not 1.
        """
        if not isinstance(chances, Mapping) or not set(chances) <= set(_OUTCOMES):
            raise ArgumentError(f"chances must be a mapping with keys from 1 to 3 and -1 to -3, not {shown(chances)}")
        numbers = [real_number(chances.get(outcome, 0)) for outcome in _OUTCOMES]
        given = [number for number in numbers if number is not None and 0 <= number <= 1]
        if len(given) < len(numbers) or abs(sum(given) - 1) > _ROUNDING:
            raise ArgumentError(f"the chances must be numbers from 0 to 1 that add up to 1, not {shown(chances, 60)}")
        backgammon, gammon, single, _, lost_gammon, lost_backgammon = given
        gammons, lost_gammons = gammon + backgammon, lost_gammon + lost_backgammon
        return cls(*(min(1, one) for one in (single + gammons, gammons, backgammon, lost_gammons, lost_backgammon)))

    @property
    def exclusive(self) -> dict[int, float]:
        """The chance of each outcome alone; the keys are its points with a cube of 1, below 0 if the game is lost."""
        return {
            3: self.win_backgammon,
            2: self.win_gammon - self.win_backgammon,
            1: self.win - self.win_gammon,
            -1: self.lose - self.lose_gammon,
            -2: self.lose_gammon - self.lose_backgammon,
            -3: self.lose_backgammon,
        }

    @property
    def lose(self) -> float:
        """The chance of losing the game: 1 minus the chance of winning it."""
        return 1 - self.win

    def flip(self) -> Chances:
        """The same chances as the opponent sees them."""
        return Chances(self.lose, self.lose_gammon, self.lose_backgammon, self.win_gammon, self.win_backgammon)
