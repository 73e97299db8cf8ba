"""What is played for: the columns of a table, one for each place of the cube at each score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain

import numpy as np
from attrs import evolve, frozen

from gammonrules._arrays.checks import Floats, Ints
from gammonrules.bearoff.internals import Cube

ALL = slice(None)


@frozen
class CubeAnswer:
    """What a double is worth after an answer that keeps the game going: so many times the equity of a column."""

    factor: float
    column: int


@frozen
class Doubling:
    """What a double is worth: if it is dropped, and after each other answer."""

    dropped: float
    answers: tuple[CubeAnswer, ...]


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
        """The equities of rolling or doubling, whichever is better.

        Args:
            rolling: `(columns, N)`, the equities of rolling now in all columns.
            column: the number of this column.
            at: of which positions.
        """
        not_doubled: Floats = rolling[column, at]
        if self.doubling is None:
            return not_doubled
        doubled: float | Floats = self.doubling.dropped
        for answer in self.doubling.answers:  # the opponent chooses the least
            doubled = np.minimum(doubled, answer.factor * rolling[answer.column, at])
        return np.maximum(not_doubled, doubled)


Columns = tuple[CubeColumn, ...]


def or_doubling(columns: Columns, rolling: Floats) -> Floats:
    """`(columns, N)`: what positions are worth to the side on roll, who may double."""
    return np.array([column.before(rolling, i) for i, column in enumerate(columns)])


def passed(columns: Columns, rolling: Floats, group: range, at: Ints | slice) -> Floats:
    """The worth of positions to the player who has just played, in some columns."""
    afterward = [columns[i].passed for i in group]
    return -np.array([columns[after].before(rolling, after, at) for after in afterward])


def won_games(columns: Columns, group: range) -> Floats:
    """`(columns, 3)`: what games are worth to those who have won them: single, a gammon, a backgammon."""
    return np.array([columns[columns[i].passed].lost for i in group])


CUBELESS = CubeColumn("cubeless", 0, (1, 2, 3))


def money(*, jacoby: bool = True, beavers: bool = True) -> Columns:
    """The columns of money play, in points per unit of the cube.

    A beaver is taken for twice as much; nobody raccoons, since that never pays.
    """
    owned = 1
    centered = 2
    opponent_owns = 3
    take = CubeAnswer(2.0, opponent_owns)
    beaver = CubeAnswer(4.0, opponent_owns)
    doubling = Doubling(dropped=1, answers=(take, beaver) if beavers else (take,))
    # by the Jacoby rule gammons do not count there
    lost_centered = (1, 1, 1) if jacoby else CUBELESS.lost
    return (
        CUBELESS,
        CubeColumn("owned", passed=opponent_owns, lost=CUBELESS.lost, doubling=doubling),
        CubeColumn("centered", passed=centered, lost=lost_centered, doubling=doubling),
        CubeColumn("opponent_owns", passed=owned, lost=CUBELESS.lost),
    )


@frozen
class ScoredCube:
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
        return evolve(self, cube="opponent_owns", value=2 * self.value).counting()

    def counting(self) -> ScoredCube:
        """The place that is worth the same: where any win wins the match, that of a last game."""
        return LAST if self.value >= max(self.away, self.opponent_away) else self

    def won(self, points: int) -> ScoredCube | None:
        """The next game, seen by the winner of this one; None if they have won the match."""
        away = self.away - points
        if away <= 0:
            return None
        is_first_at_1 = away == 1 and self.away > 1 and self.opponent_away > 1
        return ScoredCube(away, self.opponent_away, crawford=is_first_at_1)

    @property
    def name(self) -> str:
        name = f"{self.away}-{self.opponent_away}"
        if self.crawford:
            name += " Crawford"
        if self.value > 1:
            name += f", {self.cube} at {self.value}"
        return name


_OPPOSITE: dict[Cube, Cube] = {
    "centered": "centered",
    "owned": "opponent_owns",
    "opponent_owns": "owned",
}
LAST = ScoredCube(1, 1)


def places_of_cube(length: int) -> list[tuple[ScoredCube, ...]]:
    """All places of the cube if nobody needs more points than `length`, in an order in which they can be computed."""
    groups: list[tuple[ScoredCube, ...]] = []

    def visit(place: ScoredCube) -> None:
        if any(place in group for group in groups):
            return
        # both sides' columns are computed together, since each needs the other after a play
        opposite = place.flip()
        group = (place,) if place == opposite else (place, opposite)
        for side in group:
            places_after = [
                side.doubled(),
                side.won(side.value),
                side.won(2 * side.value),
                side.won(3 * side.value),
            ]
            for place_after in places_after:
                if place_after is not None:
                    visit(place_after)
        groups.append(group)  # after all that it is computed from

    visit(ScoredCube(length, length).counting())
    # no match comes to this score after the Crawford game, but match equity tables have it
    visit(ScoredCube(1, length).counting())
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
        jacoby = "with" if self.jacoby else "without"
        beavers = "with" if self.beavers else "without"
        return f"{jacoby} the Jacoby rule, {beavers} beavers"

    def places(self) -> dict[ScoredCube, int]:
        """The columns of places of the cube in a match; none in money play."""
        if self.length is None:
            return {}
        places = chain.from_iterable(places_of_cube(self.length))
        return {place: column for column, place in enumerate(places, 1)}  # after the cubeless one

    @property
    def width(self) -> int:
        """How many columns there are."""
        if self.length is None:
            return len(money())
        cubeless = 1
        return cubeless + len(self.places())

    def columns(
        self, opening: Callable[[], Floats], offsets: Ints
    ) -> Iterator[tuple[Columns, range]]:
        """The columns so far and the range of the new ones, which must be solved before the next are asked.

        Args:
            opening: tells what positions after the plays of the opening rolls are worth in the columns that are solved:
                `(columns, plays)`.
            offsets: where the plays of each opening roll begin.
        """
        if self.length is None:
            columns = money(jacoby=self.jacoby, beavers=self.beavers)
            yield columns, range(1)
            yield columns, range(1, len(columns))
            return
        columns = (CUBELESS,)
        yield columns, range(1)
        numbers = self.places()
        for group in places_of_cube(self.length):
            start = len(columns)
            before = partial(before_opening, columns, opening(), offsets)
            columns += tuple(_match_column(place, numbers, before) for place in group)
            yield columns, range(start, len(columns))


def _match_column(
    place: ScoredCube, numbers: Mapping[ScoredCube, int], before: Callable[[int], float]
) -> CubeColumn:
    """The column of a place in a match; equities are from -1, the match lost, to 1, the match won.

    Args:
        place: the score and the cube.
        numbers: the columns of all places; those that this one leads to are solved.
        before: tells what a game is worth before the opening roll, by the number of its column.
    """

    def worth_of_win(winner: ScoredCube, points: int) -> float:
        next_game = winner.won(points)
        return 1.0 if next_game is None else before(numbers[next_game])

    opposite = place.flip()
    value = place.value
    doubling = None
    doubled = place.doubled()
    if doubled is not None:
        # in a match, worths have the same unit with every cube
        take = CubeAnswer(1.0, numbers[doubled])
        doubling = Doubling(dropped=worth_of_win(place, value), answers=(take,))
    return CubeColumn(
        place.name,
        passed=numbers[opposite],
        # what a loss costs is what the other side wins
        lost=(
            worth_of_win(opposite, value),
            worth_of_win(opposite, 2 * value),
            worth_of_win(opposite, 3 * value),
        ),
        doubling=doubling,
    )


def before_opening(columns: Columns, rolling: Floats, offsets: Ints, column: int) -> float:
    """The worth of a game before the opening roll, which either side may win."""

    def best_openings(column_of_opponent: int) -> float:
        """What the side that has won the opening roll gets on average, if the other side then has this column."""
        worths = -columns[column_of_opponent].before(rolling, column_of_opponent)
        best_of_rolls = np.maximum.reduceat(worths, offsets)
        return float(best_of_rolls.mean())

    # either side wins the opening roll half the time
    if_won = best_openings(columns[column].passed)
    if_lost = -best_openings(column)
    return (if_won + if_lost) / 2
