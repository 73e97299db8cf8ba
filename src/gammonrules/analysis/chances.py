"""How a game may end: five chances, as engines give them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from operator import attrgetter
from typing import Annotated, Any, TypeAlias, cast

from attrs import frozen

from gammonrules._shared.checked_fields import Bounds, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.board.internals import Maker
from gammonrules.errors import ArgumentError
from gammonrules.match.internals import Values
from gammonrules.values import counted, is_series, real_number, refuse, reworded, shown

Chance: TypeAlias = Annotated[float, Bounds(0, 1)]

ROUNDING = 1e-3 + 1e-9
"""By how much a chance may exceed one that includes it, or the sum of all be off 1, if few digits were printed."""


@frozen
class Chances(JsonField):
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
        >>> from gammonrules.analysis import Chances
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
            >>> from gammonrules.analysis import Chances
            >>> cut = Chances.nested(0.75, 0.76, 0.01, 0.3, -1e-7)
            >>> cut.win_gammon, cut.lose_gammon, cut.lose_backgammon
            (0.75, 0.25, 0.0)
        """
        chances = (win, win_gammon, win_backgammon, lose_gammon, lose_backgammon)
        numbers = [real_number(chance) for chance in chances]
        finite = [number for number in numbers if number is not None and isfinite(number)]
        are_all_finite = len(finite) == len(numbers)
        if not are_all_finite:
            raise ArgumentError(f"chances must be five finite numbers, not {shown(numbers, 60)}")
        won = _OneSide.cut_to_fit(finite[0], finite[1], finite[2])
        lost = _OneSide.cut_to_fit(1 - won.games, finite[3], finite[4])
        return cls(
            won.games,
            win_gammon=won.gammons,
            win_backgammon=won.backgammons,
            lose_gammon=lost.gammons,
            lose_backgammon=lost.backgammons,
        )

    @property
    def exclusive(self) -> dict[int, float]:
        """The chance of each outcome alone; the keys are its points with a cube of 1, below 0 if the game is lost."""
        won = _OneSide.cut_to_fit(self.win, self.win_gammon, self.win_backgammon)
        lost = _OneSide.cut_to_fit(self.lose, self.lose_gammon, self.lose_backgammon)
        return {
            3: won.backgammons,
            2: won.gammons - won.backgammons,
            1: won.games - won.gammons,
            -1: lost.games - lost.gammons,
            -2: lost.gammons - lost.backgammons,
            -3: lost.backgammons,
        }

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


five_of: Callable[[Chances], tuple[float, ...]] = attrgetter(
    "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
)

ChancesLike: TypeAlias = Chances | tuple[float, float, float, float, float] | list[float]
"""Anything that functions accept as the chances of a game: `Chances`, or a tuple or list of their five numbers."""


def to_chances(value: ChancesLike, name: str = "chances") -> Chances:
    """Return the `Chances` of an argument or a field.

    Raises:
        ArgumentError: `value` is not valid as `Chances`; the message refers to it by `name`.
    """
    if isinstance(value, Chances):
        return value
    passed: Any = value
    sentence = (
        f"{name} must be Chances or five numbers from 0 to 1 (win, win_gammon, win_backgammon, lose_gammon, "
        f"lose_backgammon), such as (0.55, 0.15, 0.01, 0.12, 0.005), not {shown(passed, 60)}"
    )
    if not is_series(passed):
        raise ArgumentError(sentence)
    if len(passed) != 5:
        raise ArgumentError(f"{sentence}, with {counted(len(passed), 'item')}")
    try:
        return Chances(*cast("Sequence[float]", passed))
    except ArgumentError as error:
        raise reworded(error, f"{sentence}: {error}") from None


def to_chances_or_none(value: ChancesLike | None) -> Chances | None:
    """Converter of a field `chances` that may be None."""
    return None if value is None else to_chances(value)


# attrs copies these annotations into constructors, whose modules do not know the name `ChancesLike`
to_chances.__annotations__["value"] = ChancesLike
to_chances_or_none.__annotations__["value"] = ChancesLike | None


def fit_together(five: Iterable[Values], slack: float) -> Values:
    """Whether no number, in the order of `Chances`, exceeds one that includes it by more than `slack`.

    It is false if one of them is NaN.
    """
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = five
    return (
        (win_gammon <= win + slack)
        & (win_backgammon <= win_gammon + slack)
        & (lose_gammon <= 1 - win + slack)
        & (lose_backgammon <= lose_gammon + slack)
    )


_make_chances = Maker(
    Chances, "win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon"
).make
"""The maker of chances that were found to be right."""
_INDEPENDENT = 0.05
_ROUNDING_OF_FILES = 0.001
"""By how much gammons may exceed wins: by networks that estimate each alone (in real files 0.026), and by rounding."""


def may_be_chances(rows: Iterable[Sequence[float]]) -> bool:
    """Whether a program can have meant the five numbers in every row, from 0 to 1, as chances."""
    return all(fit_together(five, _INDEPENDENT) for five in rows)


def chances_of(five: Sequence[float]) -> Chances:
    """The chances in a file: as they are but for rounding, or else cut so that they fit together."""
    if min(five) >= 0 and max(five) <= 1 and fit_together(five, _ROUNDING_OF_FILES):
        return _make_chances(*five)
    return Chances.nested(*five)


def _misfits(five: Sequence[float]) -> Iterator[str]:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = five
    for name, chance, name_of_whole, whole in (
        ("win_gammon", win_gammon, "win", win),
        ("win_backgammon", win_backgammon, "win_gammon", win_gammon),
        ("lose_gammon", lose_gammon, "lose", 1 - win),
        ("lose_backgammon", lose_backgammon, "lose_gammon", lose_gammon),
    ):
        if chance > whole + ROUNDING:
            yield f"{name} is {float(chance):g}, but {name_of_whole}, which includes it, {float(whole):g}"


@frozen
class _OneSide:
    """The chances that one side wins: any game, a gammon or more, a backgammon."""

    games: float
    gammons: float
    backgammons: float

    @classmethod
    def cut_to_fit(cls, games: float, gammons: float, backgammons: float) -> _OneSide:
        """None below 0 or above the one that includes it."""
        games = min(1.0, max(0.0, games))
        gammons = min(games, max(0.0, gammons))
        return cls(games, gammons, min(gammons, max(0.0, backgammons)))
