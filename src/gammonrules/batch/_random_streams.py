"""A random stream for each game: numbers made from a key and counters, so that no game depends on the others.

The numbers are those of Philox4x32-10 (J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011): a
function of a key and four counters, here the game, the game of a match, the turn, and what the numbers are used for. So
each can be computed without those before it, for one game or for millions, in any order and on any processor.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Floats, Ints, Rows, check_dice, first, plain_array, what
from gammonrules._arrays.dispatch import of_many
from gammonrules.dice import no_random_source
from gammonrules.values import counted, not_a_pair

Throw: TypeAlias = Callable[[Ints, Ints, Ints], npt.ArrayLike]
"""Throws the dice: from the numbers of matches, of the games in them and of the rolls in these to `(N, 2)`."""
OwnDice: TypeAlias = npt.ArrayLike | Throw | None
"""Dice from the caller: `(n, T, 2)`, or a function; None for those of a `Stream`."""
Words: TypeAlias = npt.NDArray[np.uint32]

_BITS_OF_WORD = np.uint64(32)
# the uses of numbers: the dice and a choice; from 1 on, the plays of a board
_ROLL = 0
_FIRST_PLAY = 1
_OPENING_THROWS = 2**31  # beyond all plays
_PAIRS = np.array([*product(range(1, 7), repeat=2)], np.int8)


def _opening_rolls() -> Rows:
    """The two dice of each opening roll, the larger one first.

    The order must not change: random numbers are places in it.
    """
    rolls = list[list[int]]()
    for die, ahead in product(range(6), range(1, 6)):
        other = (die + ahead) % 6  # one to five further on, so never the same; both count from 0
        rolls.append([max(die, other) + 1, min(die, other) + 1])
    return np.array(rolls, np.int8)


_OPENINGS = _opening_rolls()


def random_words(key: int, *counters: npt.ArrayLike) -> Words:
    """Four numbers below 2**32 for each row of the four counters, which are below 2**32 too: `(N, 4)`."""
    shape = np.broadcast_shapes(*map(np.shape, counters))
    numbers = np.empty((*shape, 4), np.uint32)  # first the counters, and then what replaces them
    for column, counter in enumerate(counters):
        numbers[..., column] = counter
    scramble(key, numbers)
    return numbers


def scramble(key: int, counters: Words) -> None:
    """Replace each row of four counters by its four numbers."""
    of_many("philox", lambda: None, key, counters)


def below(numbers: npt.NDArray[Any], limit: npt.ArrayLike) -> Ints:
    """Numbers below 2**32 as numbers below `limit`, all (but for one in 2**32) equally likely."""
    products = numbers.astype(np.uint64) * np.asarray(limit, np.uint64)
    return (products >> _BITS_OF_WORD).astype(np.int64)  # divided by 2**32


def _rolls_from(numbers: Words) -> Rows:
    """A roll for each of these numbers below 2**32, either die first."""
    return _PAIRS.take(below(numbers, len(_PAIRS)), axis=0)  # `take` is faster than []


def check_generator(rng: object) -> None:
    """Raise ArgumentError if this is not a NumPy generator."""
    if not isinstance(rng, np.random.Generator):
        raise no_random_source(rng, "a NumPy generator", "numpy.random.default_rng")


@attrs.frozen(eq=False)
class Stream:
    """The random numbers of a run of games: the same key gives each game the same numbers."""

    key: int

    @classmethod
    def drawn_from(cls, rng: np.random.Generator) -> Stream:
        """A separate stream for every state of the caller's generator.

        Raises:
            ArgumentError: `rng` is not a NumPy generator.
        """
        check_generator(rng)
        return Stream(int(rng.integers(0, 2**64, dtype=np.uint64)))

    def words(
        self,
        games: npt.ArrayLike,
        of_match: npt.ArrayLike,
        turns: npt.ArrayLike,
        use: npt.ArrayLike = _ROLL,
    ) -> Words:
        """Four numbers below 2**32 for each turn, different ones for each use."""
        return random_words(self.key, games, of_match, turns, use)

    def rolls(self, games: npt.ArrayLike, of_match: npt.ArrayLike, turns: npt.ArrayLike) -> Rows:
        """The rolls of turns, either die first."""
        return _rolls_from(self.words(games, of_match, turns)[:, 0])

    def opening_rolls(self, games: npt.ArrayLike, of_match: npt.ArrayLike) -> Rows:
        """The first rolls of games: two different dice, the larger one first."""
        words = self.words(games, of_match, 0)
        return _OPENINGS[below(words[:, 0], len(_OPENINGS))]

    def throws(self, games: Ints, of_match: Ints, throw: int) -> Rows:
        """Throws of one die by each player, White's first: the first, second, ... of the opening roll of games."""
        words = self.words(games, of_match, 0, _OPENING_THROWS + throw)
        return _rolls_from(words[:, 0])

    def choices(
        self, games: npt.ArrayLike, of_match: npt.ArrayLike, turns: npt.ArrayLike, counts: Ints
    ) -> Ints:
        """For each turn, a whole number below its count."""
        words = self.words(games, of_match, turns)
        return below(words[:, 1], counts)

    def uniform(
        self, games: npt.ArrayLike, of_match: npt.ArrayLike, turns: npt.ArrayLike, plays: Ints
    ) -> Floats:
        """A number from 0 up to 1 for each play, from its turn and its place among the plays."""
        words = self.words(games, of_match, turns, plays + _FIRST_PLAY)
        upper = words[:, 0].astype(np.uint64) << np.uint64(21)
        lower = words[:, 1].astype(np.uint64) >> np.uint64(11)
        bits: Floats = (upper | lower).astype(np.float64)  # 53 of them, as many as a float has
        return bits / 2.0**53


@attrs.frozen(eq=False)
class DiceOfGames:
    """The source of the rolls of games: the stream, or the caller."""

    stream: Stream
    own: Throw | npt.NDArray[Any] | None
    first: int
    """The number of the first match, with which an array of rolls begins."""
    label: str
    """Names a game in messages, from the numbers of its match and of the game in the match."""
    rerolled: bool = False
    """Whether the first turn has a roll after the opening roll."""

    def rolls(self, matches: Ints, games: Ints, turns: Ints) -> Rows:
        """The rolls of turns, either die first.

        Raises:
            DiceError: the caller's dice ran out, are invalid or are not one roll for each game.
        """
        if self.own is None:
            return self.stream.rolls(matches, games, turns)
        first_number = 1 if self.rerolled else 0  # roll 0 was the opening roll
        return self._own_rolls(self.own, matches, games, numbers=turns + first_number)

    def opening_rolls(self, matches: Ints, games: Ints) -> Rows:
        """Two different dice for each game; those of the stream have the larger one first.

        Raises:
            DiceError: as for `rolls`, or an opening roll of the caller is a doublet.
        """
        if self.own is None:
            return self.stream.opening_rolls(matches, games)
        rolls = self._own_rolls(self.own, matches, games, numbers=np.zeros_like(games))
        tied = first(rolls[:, 0] == rolls[:, 1])
        if tied is not None:
            label = self.label.format(matches[tied], games[tied])
            raise not_a_pair(f"dice, {label}, roll 0: an opening roll is not a doublet")
        return rolls

    def throws(self, matches: Ints, games: Ints, throw: int) -> Rows:
        """White's and Black's dice in the first, second, ... throw for the start; the caller's are never tied."""
        if self.own is not None:
            return self.opening_rolls(matches, games)
        return self.stream.throws(matches, games, throw)

    def _own_rolls(
        self, own: Throw | npt.NDArray[Any], matches: Ints, games: Ints, numbers: Ints
    ) -> Rows:
        """The caller's rolls with these numbers, checked."""

        def label(row: int) -> str:
            return f"dice, {self.label.format(matches[row], games[row])}, roll {numbers[row]}"

        if not isinstance(own, np.ndarray):
            rolls = plain_array(own(matches.copy(), games.copy(), numbers.copy()), "dice")
            return checked_rolls(rolls, len(matches), label)
        # an array has so many rolls for the first game of each match, and none for the next games
        is_beyond = numbers >= own.shape[1]
        is_next_game = games > 0
        missing = first(is_beyond | is_next_game)
        if missing is not None:
            raise not_a_pair(
                f"{label(missing)}: the array has only {counted(own.shape[1], 'roll')} for one game"
            )
        return checked_rolls(own[matches - self.first, numbers], len(matches), label)


def own_dice(dice: OwnDice, n: int) -> Throw | npt.NDArray[Any] | None:
    """The argument `dice`; its rolls are checked when they are thrown.

    Raises:
        DiceError: it is neither a function nor an array of rolls for n games.
    """
    if dice is None or callable(dice):
        return dice
    array = plain_array(dice, "dice")
    is_for_each_game = array.ndim == 3 and array.shape[0] == n and array.shape[2] == 2
    if array.dtype.kind not in "iu" or not is_for_each_game:
        sentence = (
            f"expected whole numbers of the shape ({n}, T, 2), rolls for each game, or a function"
        )
        raise not_a_pair(f"dice: {sentence}, not {what(array)}")
    return array


def checked_rolls(rolls: npt.NDArray[Any], number: int, label: Callable[[int], str]) -> Rows:
    """The rolls of so many games, one for each. Raises DiceError. `label`: names a game in the error."""
    if rolls.dtype.kind not in "iu" or rolls.shape != (number, 2):
        raise not_a_pair(
            f"dice: expected a roll for each of {counted(number, 'game', ',')}, not {what(rolls)}"
        )
    check_dice(rolls, label)
    return rolls.astype(np.int8)
