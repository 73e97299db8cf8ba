"""How a game may end: five chances, as engines give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from operator import attrgetter
from typing import Annotated, TypeAlias

from attrs import frozen

from gammonrules.errors import ArgumentError
from gammonrules.match.internals import Values
from gammonrules.values import Bounds, real_number, refuse, shown, wrong_fields

Chance: TypeAlias = Annotated[float, Bounds(0, 1)]

_OUTCOMES = (3, 2, 1, -1, -2, -3)
_PARTS = "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
_INCLUDING = "win", "win_gammon", "lose", "lose_gammon"
"""For each of these parts, the chance that includes it."""
ROUNDING = 1e-3 + 1e-9
"""By how much a chance may exceed one that includes it, or the sum of all be off 1, if few digits were printed."""


@frozen
class Chances:
    """How a game may end, by an engine's estimate: five numbers from 0 to 1.

    They are cumulative: wins include gammons, and gammons include backgammons. `exclusive` has each outcome alone. A
    number may exceed one that includes it by up to 0.001, as rounding leads to; `nested` takes any, and cuts them.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        win: the chance of winning the game, with or without a gammon.
        win_gammon: the chance of winning a gammon or a backgammon.
        win_backgammon: the chance of winning a backgammon.
        lose_gammon: the chance of losing a gammon or a backgammon.
        lose_backgammon: the chance of losing a backgammon.

    Raises:
        ArgumentError: a number is not from 0 to 1, or exceeds one that includes it.

    Examples:
        >>> from gammonrules.equity import Chances
        >>> chances = Chances(0.75, 0.25, 0, 0.125, 0)
        >>> chances.lose, chances.flip().lose_gammon, chances.flip().flip() == chances
        (0.25, 0.25, True)
        >>> chances.exclusive
        {3: 0.0, 2: 0.25, 1: 0.5, -1: 0.125, -2: 0.125, -3: 0.0}
    """

    win: Chance
    win_gammon: Chance
    win_backgammon: Chance
    lose_gammon: Chance
    lose_backgammon: Chance

    def __attrs_post_init__(self) -> None:
        refuse("chances", wrong_fields(self))
        five = five_of(self)
        if not fit_together(five, ROUNDING):
            refuse("chances", _misfits(five))

    @classmethod
    def nested(
        cls,
        win: float,
        win_gammon: float,
        win_backgammon: float,
        lose_gammon: float,
        lose_backgammon: float,
    ) -> Chances:
        """Chances from numbers that need not fit together, such as those of a network with independent outputs.

        Each is cut to 0 to 1, then gammons to the wins or losses, and backgammons to the gammons.

        Args:
            win: as for the class; any finite number, as all others.
            win_gammon: as for the class.
            win_backgammon: as for the class.
            lose_gammon: as for the class.
            lose_backgammon: as for the class.

        Raises:
            ArgumentError: an argument is not a finite number.

        Examples:
            >>> from gammonrules.equity import Chances
            >>> cut = Chances.nested(0.75, 0.76, 0.01, 0.3, -1e-7)
            >>> cut.win_gammon, cut.lose_gammon, cut.lose_backgammon
            (0.75, 0.25, 0.0)
        """
        five = [
            real_number(chance)
            for chance in (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
        ]
        finite = [chance for chance in five if chance is not None and isfinite(chance)]
        if len(finite) < len(five):
            raise ArgumentError(f"chances must be five finite numbers, not {shown(five, 60)}")
        won = _cut_to_fit(*finite[:3])
        return cls(*won, *_cut_to_fit(1 - won[0], *finite[3:])[1:])

    @property
    def exclusive(self) -> dict[int, float]:
        """The chance of each outcome alone; the keys are its points with a cube of 1, below 0 if the game is lost."""
        win, gammon, backgammon = _cut_to_fit(self.win, self.win_gammon, self.win_backgammon)
        lose, lost_gammon, lost_backgammon = _cut_to_fit(
            self.lose, self.lose_gammon, self.lose_backgammon
        )
        won = backgammon, gammon - backgammon, win - gammon
        lost = lose - lost_gammon, lost_gammon - lost_backgammon, lost_backgammon
        return dict(zip(_OUTCOMES, (*won, *lost), strict=True))

    @property
    def lose(self) -> float:
        """The chance of losing the game: 1 minus the chance of winning it."""
        return 1 - self.win

    def flip(self) -> Chances:
        """The same chances as the opponent sees them."""
        return Chances(
            self.lose,
            win_gammon=self.lose_gammon,
            win_backgammon=self.lose_backgammon,
            lose_gammon=self.win_gammon,
            lose_backgammon=self.win_backgammon,
        )


five_of: Callable[[Chances], tuple[float, ...]] = attrgetter("win", *_PARTS)


def fit_together(five: Iterable[Values], slack: float) -> Values:
    """Whether no number, in the order of `Chances`, exceeds one that includes it by more than `slack`; NaN does."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = five
    return (
        (win_gammon <= win + slack)
        & (win_backgammon <= win_gammon + slack)
        & (lose_gammon <= 1 - win + slack)
        & (lose_backgammon <= lose_gammon + slack)
    )


def all_fit_together(rows: Iterable[Sequence[float]], slack: float) -> bool:
    """Whether `fit_together` is true of the five numbers in every row."""
    return all(fit_together(five, slack) for five in rows)


def _misfits(five: Sequence[float]) -> Iterator[str]:
    win, win_gammon, _, lose_gammon, _ = five
    most_of_each = win, win_gammon, 1 - win, lose_gammon
    for part, whole, chance, most in zip(_PARTS, _INCLUDING, five[1:], most_of_each, strict=True):
        if chance > most + ROUNDING:
            yield f"{part} is {float(chance):g}, but {whole}, which includes it, {float(most):g}"


def _cut_to_fit(whole: float, gammon: float, backgammon: float) -> tuple[float, float, float]:
    """The chances of one side, none below 0 or above the one that includes it."""
    whole = min(1.0, max(0.0, whole))
    gammon = min(whole, max(0.0, gammon))
    return whole, gammon, min(gammon, max(0.0, backgammon))
