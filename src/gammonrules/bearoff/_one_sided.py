"""`OneSided`: how many rolls one side needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from gammonrules._arrays.checks import Boards, Floats, Ints
from gammonrules._shared.checked_fields import Checked
from gammonrules.bearoff._bearoff_table import BearoffTable
from gammonrules.bearoff._layouts import (
    Bytes,
    all_layouts,
    number_of,
    number_of_layouts,
    number_with_some_off,
    plays_of_layouts,
)
from gammonrules.bearoff._solve_one_sided import GNUBG_ROLLS, GNUBG_WHOLE, GnubgRace, Race
from gammonrules.board import Play, Position
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.dice import DiceLike
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.values import first_items, shown, whole_argument

Words = npt.NDArray[np.uint16]
PIPS_OF_A_ROLL = 49 / 6
"""On average; doublets count four moves."""
_BEAR_OFF = 0
_FIRST = 1
"""Which race words of GNU Backgammon are about: the whole bear-off, or that of the first checker."""


@frozen
class RollDistribution(Checked):
    """How many rolls a side needs to bear off, with the plays that need the fewest on average.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        chances: the chance of being done after exactly 0, 1, 2, ... rolls.
        first_off: the chance of having borne off the first checker after exactly 0, 1, 2, ... rolls, with the plays
            that need the fewest for that. Nothing in a table of GNU Backgammon without these chances.
        mean: the rolls on average.
        pips: the pip count.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import bearoff
        >>> rolls = bearoff.one_sided(checkers=2).rolls([0, 0, 0, 0, 0, 2])
        >>> isinstance(rolls, bearoff.RollDistribution)
        True
        >>> [round(chance, 4) for chance in rolls.chances]
        [0.0, 0.1111, 0.6713, 0.2145, 0.0031]
        >>> round(rolls.mean, 4), round(rolls.sd, 4), rolls.pips
        (2.1096, 0.571, 12)
        >>> round(rolls.epc, 3), round(rolls.wastage, 3)
        (17.228, 5.228)
    """

    chances: tuple[float, ...]
    first_off: tuple[float, ...]
    mean: float
    pips: int

    @property
    def sd(self) -> float:
        """The standard deviation of the number of rolls."""
        variance = sum(
            chance * (rolls - self.mean) ** 2 for rolls, chance in enumerate(self.chances)
        )
        return sqrt(max(0.0, variance))

    @property
    def epc(self) -> float:
        """The effective pip count: the rolls on average, times the 49/6 pips of a roll (Trice, 2000)."""
        return self.mean * PIPS_OF_A_ROLL

    @property
    def wastage(self) -> float:
        """The effective pip count less the pip count."""
        return self.epc - self.pips


@frozen(eq=False)
class ExactStore:
    """The numbers of a one-sided table: chances as float32 and means as float64."""

    bear_off: Race
    first: Race
    header: Bytes = field(factory=lambda: np.zeros(0, np.uint8))
    gnubg: ClassVar[bool] = False

    def chances(self, numbers: Ints) -> Floats:
        """`(N, rolls)`: for these layouts, the chances of bearing off in exactly 0, 1, ... rolls."""
        return self.bear_off.chances[numbers].astype(np.float64)

    def first_off(self, numbers: Ints) -> Floats:
        """The same for the first checker."""
        return self.first.chances[np.maximum(numbers - self.first.skip, 0)].astype(np.float64)

    def means(self, numbers: Ints) -> Floats:
        """The mean of `chances`."""
        return self.bear_off.means[numbers]

    def races(self) -> tuple[Race, Race]:
        """The races to bear off and to bear off the first checker, whole as they were computed."""
        return self.bear_off, self.first

    def parts(self) -> list[npt.NDArray[Any]]:
        return [
            self.header,
            self.bear_off.means,
            self.first.means,
            self.bear_off.chances,
            self.first.chances,
        ]


@frozen(eq=False)
class WordsStore:
    """Chances in units of 1/65535; of each layout, those of the bear-off and then those of the first checker."""

    content: Bytes
    skip: int
    """The `skip` of the race to bear off the first checker."""
    index: npt.NDArray[Any] | None
    words: Words
    """All words; without an index `(layouts, 32 or 64)`."""
    gnubg: ClassVar[bool] = True
    has_first: bool
    """Whether those of the first checker are there."""

    def chances(self, numbers: Ints) -> Floats:
        return self._dense(numbers, _BEAR_OFF) / GNUBG_WHOLE

    def first_off(self, numbers: Ints) -> Floats:
        if not self.has_first:
            return np.zeros((len(numbers), 0))
        return self._dense(numbers, _FIRST) / GNUBG_WHOLE

    def means(self, numbers: Ints) -> Floats:
        return self.chances(numbers) @ np.arange(GNUBG_ROLLS)

    def races(self) -> Iterator[Race]:
        rolls = np.arange(float(GNUBG_ROLLS))
        entries = self.words if self.index is None else self.index
        numbers = np.arange(len(entries))
        bear_off = self._dense(numbers, _BEAR_OFF)
        yield GnubgRace(0, bear_off, bear_off @ rolls)
        if self.has_first:
            first = self._dense(numbers[self.skip :], _FIRST)
            if self.skip > 0:
                # row 0 is that of a layout of which a checker is off, and stands for all of them: they need 0 rolls
                first[0] = 0
                first[0, 0] = GNUBG_WHOLE
            yield GnubgRace(self.skip, first, first @ rolls)

    def parts(self) -> list[npt.NDArray[Any]]:
        return [self.content]

    def _dense(self, numbers: Ints, race: int) -> Words:
        """`(N, 32)`: the words of these layouts. Raises ParseError if a distribution does not add up to 1."""
        if self.index is None:
            start = race * GNUBG_ROLLS
            dense = self.words[numbers, start : start + GNUBG_ROLLS]
        else:
            dense = self._filled_up(self.index[numbers], race)
        wrong = dense.sum(axis=1, dtype=np.int64) != GNUBG_WHOLE
        if wrong.any():
            raise ParseError(f"the chances of layout {numbers[wrong][0]} do not add up to 1")
        return dense

    def _filled_up(self, entries: npt.NDArray[Any], race: int) -> Words:
        """The words of these entries of the index, with the zeros before and after them."""
        spans = entries["spans"].astype(np.int64)
        counts = spans[:, race, 0]
        first_rolls = spans[:, race, 1]
        begin = entries["begin"]
        if race == _FIRST:  # those of the bear-off come before
            begin = begin + spans[:, _BEAR_OFF, 0]
        # for each word that is stored, the row of its layout, and how many words of this row are before it
        row = np.repeat(np.arange(len(entries)), counts)
        words_before_row = np.cumsum(counts) - counts
        place_in_row = np.arange(len(row)) - words_before_row[row]
        words = np.zeros((len(entries), GNUBG_ROLLS), np.uint16)
        words[row, first_rolls[row] + place_in_row] = self.words[begin[row] + place_in_row]
        return words


class OneSided(BearoffTable[RollDistribution, ExactStore | WordsStore]):
    """A one-sided table: how many rolls a side needs to bear off, and to bear off its first checker.

    `table[position]` is about the player on roll, and `table.rolls(counts)` about any side; `position in table` is true
    if both sides have checkers left, none of which can still meet, all on the points of the table.
    """

    _whole_sides = True

    def rolls(self, counts: Sequence[int]) -> RollDistribution:
        """The rolls of one side alone.

        Args:
            counts: its checkers on its ace point, its 2 point, and so on; any points left out at the end are empty.
                With fewer checkers than the table has, the others are off.

        Raises:
            ArgumentError: these are not counts of at most as many points and checkers as the table has.

        Examples:
            >>> from gammonrules import bearoff
            >>> table = bearoff.one_sided(checkers=7)
            >>> round(table.rolls([7]).epc, 4), round(table.rolls([0, 0, 7]).epc, 4)
            (28.9992, 34.1701)
        """
        items = first_items(counts, self.points + 1)
        if items is None or len(items) > self.points:
            raise ArgumentError(
                f"counts must be those of at most {self.points} points, not {shown(counts, 60)}"
            )
        side = [
            whole_argument(f"counts[{i}]", value=item, minimum=0, maximum=STANDARD_CHECKERS)
            for i, item in enumerate(items)
        ]
        if sum(side) > self.checkers:
            raise ArgumentError(f"counts: {sum(side)} checkers, but the table has {self.checkers}")
        side += [0] * (self.points - len(side))
        return self._rolls(side, 0)

    def __getitem__(self, position: Position) -> RollDistribution:
        mine, _ = self._sides(position)
        return self._rolls(mine, position.off)

    def _rolls(self, counts: list[int], off: int) -> RollDistribution:
        numbers = np.array([number_of(counts, self.checkers)])
        return RollDistribution(
            _without_last_zeros(self._store.chances(numbers)[0]),
            _without_last_zeros(self._first_off(numbers, off)[0]),
            mean=float(self._store.means(numbers)[0]),
            pips=sum(point * count for point, count in enumerate(counts, 1)),
        )

    def _first_off(self, numbers: Ints, off: int) -> Floats:
        """As the table has it if none are off: it cannot tell a full side from the rest of a larger one."""
        if off:
            everything_off = np.zeros_like(numbers)
            return self._store.first_off(everything_off)
        return self._store.first_off(numbers)

    def means(self, points: Boards, checkers: int | None = None) -> Floats:
        """`(N,) float64`: `table[position].mean` for rows of boards, NaN for those that are not in the table.

        Where the side on roll has borne off everything it is 0.

        Args:
            points: boards as in `batch.Boards`, seen by the side on roll.
            checkers: how many each side began with. None (the default) for the number that positions have, or 15.

        Raises:
            PositionError: `points` are not boards, or a board is impossible.

        Examples:
            >>> from gammonrules import Position, bearoff
            >>> table = bearoff.one_sided(checkers=4)
            >>> position = Position.of(mine={1: 2, "off": 13}, theirs={1: 4, "off": 11})
            >>> table.means([position, position.flip()]).round(3).tolist()
            [1.0, 1.833]
        """
        return self._answers_of_rows(lambda mine, _: self._store.means(mine), points, checkers)

    def win(self, position: Position) -> float:
        """The chance that the player on roll wins, if both sides play for the fewest rolls.

        It differs from the exact chance by 0.0016 on average (root mean square), and by at most 0.014, over all
        positions of at most six checkers on six points.

        Raises:
            NotInTableError: the table does not answer for the position.

        Examples:
            >>> from gammonrules import Position, bearoff
            >>> table = bearoff.one_sided(checkers=6)
            >>> position = Position.of(mine={6: 6, "off": 9}, theirs={6: 6, "off": 9})
            >>> round(table.win(position), 4)
            0.6516
        """
        mine, theirs = self._numbers(position)
        return float(self._wins(np.array([mine]), np.array([theirs]))[0])

    def wins(self, points: Boards, checkers: int | None = None) -> Floats:
        """`(N,) float64`: the same for rows of boards, NaN for those that are not in the table.

        Where a side has borne off everything it is 1 or 0.

        Args:
            points: boards as in `batch.Boards`, seen by the side on roll.
            checkers: how many each side began with. None (the default) for the number that positions have, or 15.

        Raises:
            PositionError: `points` are not boards, or a board is impossible.
        """
        return self._answers_of_rows(self._wins, points, checkers)

    def _wins(self, mine: Ints, theirs: Ints) -> Floats:
        my_rolls = self._store.chances(mine)
        their_rolls = self._store.chances(theirs)
        wins: Floats = np.einsum("nk,nk->n", my_rolls, _at_least(their_rolls))
        return wins

    def gammons(self, position: Position) -> tuple[float, float]:
        """The chances of a gammon, for the player on roll and for the opponent, if the loser tries only to save it.

        Raises:
            NotInTableError: the table does not answer for the position.
            ArgumentError: this is a table of GNU Backgammon without the first checkers off.

        Examples:
            >>> from gammonrules import Position, bearoff
            >>> table = bearoff.one_sided(points=4)
            >>> position = Position.of(mine={1: 4, "off": 11}, theirs={4: 15})
            >>> [round(chance, 3) for chance in table.gammons(position)]
            [0.282, 0.0]
        """
        my_number, their_number = self._numbers(position)
        mine = np.array([my_number])
        theirs = np.array([their_number])
        my_first_off = self._first_off(mine, position.off)
        their_first_off = self._first_off(theirs, position.opponent_off)
        if not my_first_off.size:
            raise ArgumentError(
                "this table does not know how long it takes to bear off the first checker"
            )
        # when the player on roll is done after n rolls, the opponent has rolled n - 1 times, and must need n or more
        won = _product(self._store.chances(mine), _at_least(their_first_off))
        # when the opponent is done after n rolls, the player on roll has rolled n times, too, and must need more than n
        at_least = _at_least(my_first_off)
        never = np.zeros((len(at_least), 1))
        more_than = np.concatenate([at_least[:, 1:], never], axis=1)
        lost = _product(self._store.chances(theirs), more_than)
        return won, lost

    def plays(self, position: Position, dice: DiceLike) -> tuple[tuple[Play, float], ...]:
        """The legal plays with the chance of winning after each, as `win` has it; the best first.

        Raises:
            NotInTableError: the table does not answer for the position.
            DiceError: `dice` is not a roll.

        Examples:
            >>> from gammonrules import Position, bearoff
            >>> table = bearoff.one_sided(checkers=6)
            >>> mine, theirs = {4: 2, 1: 2, "off": 11}, {2: 4, "off": 11}
            >>> position = Position.of(mine=mine, theirs=theirs)
            >>> for play, chance in table.plays(position, (3, 1)):
            ...     print(play, round(chance, 3))
            4/off 0.465
            4/1 4/3 0.434
        """
        self._sides(position)
        return self._ranked(position, dice, lambda after: 1 - self.win(after))

    def verify(self, sample: int = 10_000) -> None:
        """Compute layouts anew from those that their plays lead to, and compare.

        Args:
            sample: how many, evenly spaced; all if there are not so many.

        Raises:
            ParseError: one differs, so the file was not written by this library or by GNU Backgammon, or was damaged.
            ArgumentError: `sample` is not a whole number from 1 up.
        """
        wanted_size = whole_argument("sample", value=sample, minimum=1, maximum=None)
        last_number = number_of_layouts(self.points, self.checkers) - 1
        size = min(wanted_size, last_number)
        numbers = np.linspace(1, last_number, size).astype(np.int64)  # 0 has no plays
        layouts = all_layouts(self.points, self.checkers)[numbers]
        self._verify_ends()
        races = list(self._store.races())
        for part, offsets, successors in plays_of_layouts(layouts, self.checkers):
            for race in races:
                wrong = race.first_wrong(numbers[part], offsets, successors)
                if wrong is not None:
                    raise ParseError(
                        f"layout {wrong} does not follow from the layouts that its plays lead to"
                    )

    def _verify_ends(self) -> None:
        """Raise ParseError unless layout 0 needs 0 rolls, and no layout with a checker off needs any for the first."""
        everything_off = np.zeros(1, np.int64)
        some_off = np.arange(number_with_some_off(self.points, self.checkers))
        _refuse_rolls(self._store.chances(everything_off))
        _refuse_rolls(self._store.first_off(some_off))


def _without_last_zeros(chances: Floats) -> tuple[float, ...]:
    return tuple(np.trim_zeros(chances, "b").tolist())


def _refuse_rolls(chances: Floats) -> None:
    """Raise ParseError if one of these layouts, which are done, needs a roll."""
    certainly_0_rolls = np.zeros(chances.shape[1])
    certainly_0_rolls[:1] = 1  # a table without the first checkers off has no columns here
    needs_rolls = (chances != certainly_0_rolls).any(axis=1)
    if needs_rolls.any():
        raise ParseError(
            f"layout {int(needs_rolls.argmax())} has borne off already what it still needs rolls for"
        )


def _at_least(chances: Floats) -> Floats:
    """The chances of at least so many rolls: sums from the last column down."""
    return np.cumsum(chances[:, ::-1], axis=1)[:, ::-1]


def _product(one_side: Floats, other_side: Floats) -> float:
    """The sum of products of chances of one layout each; beyond the last column a chance is 0."""
    shared = min(one_side.shape[1], other_side.shape[1])
    return float(one_side[0, :shared] @ other_side[0, :shared])
