"""What is played for: the columns of a table, one for each place of the cube at each score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from attrs import frozen

from gammonrules.bearoff.internals import Cube
from gammonrules.board.array_checks import Floats, Ints

ALL = slice(None)


class Doubling(NamedTuple):
    """What a double is worth: if it is dropped, and for each answer that keeps the game going a factor of a column."""

    dropped: float
    answers: tuple[tuple[float, int], ...]


@frozen(eq=False)
class CubeColumn:
    """A column of a table: the equity of rolling now with the cube at one place.

    Attributes:
        name: the name of the column.
        passed: the column of the opponent after a play.
        lost: what a single game, a gammon and a backgammon cost the side on roll that has lost them.
        doubling: what a double is worth, of whose answers the opponent chooses the least; None if there is none.
    """

    name: str
    passed: int
    lost: tuple[float, ...]
    doubling: Doubling | None = None

    def before(self, rolling: Floats, column: int, at: Ints | slice = ALL) -> Floats:
        """The equities of rolling or doubling, whichever is better, from those of rolling now, `(columns, N)`."""
        best: Floats = rolling[column, at]
        if not self.doubling:
            return best
        answered = [factor * rolling[after, at] for factor, after in self.doubling.answers]
        return np.maximum(
            best, np.minimum.reduce([*answered, np.full(best.shape, self.doubling.dropped)])
        )


Columns = tuple[CubeColumn, ...]


def or_doubling(columns: Columns, rolling: Floats) -> Floats:
    """`(columns, N)`: what positions are worth to the side on roll, who may double."""
    return np.stack([column.before(rolling, i) for i, column in enumerate(columns)])


def passed(columns: Columns, rolling: Floats, group: range, at: Ints | slice) -> Floats:
    """What positions are worth to the player who has just played, in some columns."""
    return -np.stack(
        [columns[after].before(rolling, after, at) for after in (columns[i].passed for i in group)]
    )


def won_games(columns: Columns, group: range) -> Floats:
    """`(columns, 3)`: what games are worth to those who have won them: single, a gammon, a backgammon."""
    return np.array([columns[columns[i].passed].lost for i in group])


CUBELESS = CubeColumn("cubeless", 0, (1, 2, 3))


def money(*, jacoby: bool = True, beavers: bool = True) -> Columns:
    """Points per unit of the cube. A beaver is taken for twice as much; nobody raccoons, since that never pays."""
    doubling = Doubling(1, ((2.0, 3), (4.0, 3))[: 1 + beavers])
    centered = (1, 1, 1) if jacoby else CUBELESS.lost
    return (
        CUBELESS,
        CubeColumn("owned", passed=3, lost=CUBELESS.lost, doubling=doubling),
        CubeColumn("centered", passed=2, lost=centered, doubling=doubling),
        CubeColumn("opponent_owns", 1, CUBELESS.lost),
    )


class ScoredCube(NamedTuple):
    """A score and a place of the cube, as the side on roll sees them.

    Attributes:
        away, opponent_away: the points that each side needs.
        crawford: whether this is the Crawford game.
        cube: where the cube is.
        value: its value.
    """

    away: int
    opponent_away: int
    crawford: bool = False
    cube: Cube = "centered"
    value: int = 1

    def flip(self) -> ScoredCube:
        return ScoredCube(
            self.opponent_away,
            opponent_away=self.away,
            crawford=self.crawford,
            cube=_OPPOSITE[self.cube],
            value=self.value,
        )

    def doubled(self) -> ScoredCube | None:
        """After a double that is taken; None if there can be none, or none that matters."""
        if self.crawford or self.cube == "opponent_owns" or self == LAST:
            return None
        return self._replace(cube="opponent_owns", value=2 * self.value).counting()

    def counting(self) -> ScoredCube:
        """The place that is worth the same: where any win wins the match, that of a last game."""
        return LAST if self.value >= max(self.away, self.opponent_away) else self

    def won(self, points: int) -> ScoredCube | None:
        """The next game, seen by the winner of this one; None if they have won the match."""
        away = self.away - points
        return ScoredCube(away, self.opponent_away, away == 1 < min(self[:2])) if away > 0 else None

    @property
    def name(self) -> str:
        cube = f", {self.cube} at {self.value}" * (self.value > 1)
        return f"{self.away}-{self.opponent_away}{' Crawford' * self.crawford}{cube}"


_OPPOSITE: dict[Cube, Cube] = {
    "centered": "centered",
    "owned": "opponent_owns",
    "opponent_owns": "owned",
}
LAST = ScoredCube(1, 1)


def places_of_cube(length: int) -> list[tuple[ScoredCube, ...]]:
    """All places of the cube if nobody needs more points, in an order in which they can be computed."""
    groups: list[tuple[ScoredCube, ...]] = []

    def visit(place: ScoredCube) -> None:
        both = tuple(dict.fromkeys((place, place.flip())))
        if any(place in group for group in groups):
            return
        for side in both:
            for later in side.doubled(), *(side.won(win * side.value) for win in (1, 2, 3)):
                if later:
                    visit(later)
        groups.append(both)

    for place in ScoredCube(length, length), ScoredCube(1, length):
        visit(place.counting())
    return groups


@frozen
class SolvedGame:
    """What a table is of.

    Attributes:
        checkers: how many each side has.
        length: the points of a match, or None for money play.
        jacoby, beavers: the rules of money play.
    """

    checkers: int
    length: int | None = None
    jacoby: bool = True
    beavers: bool = True

    @property
    def rules(self) -> str:
        if self.length:
            return f"matches to {self.length}"
        return "{} the Jacoby rule, {} beavers".format(
            *(("without", "with")[o] for o in (self.jacoby, self.beavers))
        )

    def places(self) -> dict[ScoredCube, int]:
        """The columns of places of the cube in a match."""
        return {place: 1 + i for i, place in enumerate(chain(*places_of_cube(self.length or 0)))}

    @property
    def width(self) -> int:
        """How many columns there are."""
        return 1 + len(self.places()) if self.length else len(money())

    def columns(
        self, opening: Callable[[], Floats], offsets: Ints
    ) -> Iterator[tuple[Columns, range]]:
        """The columns, each time some more, which must be solved before the next are asked.

        `opening` tells what is known of the plays of the opening rolls, `(columns, plays)`, each of which begins at one
        of the offsets.
        """
        columns = money(jacoby=self.jacoby, beavers=self.beavers)
        columns = columns if self.length is None else columns[:1]
        yield columns, range(1)
        if self.length is None:
            yield columns, range(1, len(columns))
            return
        numbers = self.places()
        start = 1
        for group in places_of_cube(self.length):
            columns += _match_columns(
                group, numbers, partial(before_opening, columns, opening(), offsets)
            )
            yield columns, range(start, len(columns))
            start = len(columns)


def _match_columns(
    group: tuple[ScoredCube, ...], numbers: Mapping[ScoredCube, int], before: Callable[[int], float]
) -> Columns:
    """The columns of a group, where lower ones are solved: 1 is the match won, -1 lost.

    `before` tells what a game is worth before the opening roll, by the number of its column.
    """

    def won(place: ScoredCube, points: int) -> float:
        later = place.won(points)
        return before(numbers[later]) if later else 1.0

    def column(place: ScoredCube) -> CubeColumn:
        theirs = place.flip()
        doubled = place.doubled()
        value = place.value
        doubling = Doubling(won(place, value), ((1.0, numbers[doubled]),)) if doubled else None
        return CubeColumn(
            place.name,
            passed=numbers[theirs],
            lost=tuple(won(theirs, win * value) for win in (1, 2, 3)),
            doubling=doubling,
        )

    return tuple(map(column, group))


def before_opening(columns: Columns, rolling: Floats, offsets: Ints, column: int) -> float:
    """What a game is worth before the opening roll, which either side may win."""
    mine, theirs = (
        np.maximum.reduceat(-columns[after].before(rolling, after), offsets).mean()
        for after in (columns[column].passed, column)
    )
    return float(mine - theirs) / 2
