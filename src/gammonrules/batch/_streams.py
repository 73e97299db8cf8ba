"""A random stream for each game: numbers made from a key and counters, so that no game depends on the others.

The numbers are those of Philox4x32-10 (J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011): a
function of a key and four counters, here the game, the game of a match, the turn, and what the numbers are used for. So
each can be computed without those before it, for one game or for millions, in any order and on any processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.batch._checks import Ints, Rows, first, plain_array, what
from gammonrules.board.internals import philox
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, DiceError, DiceProblem
from gammonrules.values import counted, shown

Throw: TypeAlias = Callable[[Ints, Ints], npt.ArrayLike]
"""Throws the dice: from the numbers of games and turns to `(N, 2)`."""
ThrowOfMatch: TypeAlias = Callable[[Ints, Ints, Ints], npt.ArrayLike]
"""Throws the dice: from the numbers of matches, of the games in them and of turns to `(N, 2)`."""
OwnDice: TypeAlias = npt.ArrayLike | Throw | None
"""Dice from the caller: `(n, T, 2)`, or a function; None for those of a `Stream`."""
Words: TypeAlias = npt.NDArray[np.uint32]

_HALF = np.uint64(32)
_ROLL, _FIRST_PLAY = 0, 1  # the uses of numbers: the dice and a choice; from 1 on, the plays of a board
_OPENING_THROWS = 2**31  # beyond all plays
_PAIRS = np.array([(one + 1, other + 1) for one in range(6) for other in range(6)], np.int8)
_OPENINGS = np.array(
    [sorted((one + 1, (one + ahead) % 6 + 1), reverse=True) for one in range(6) for ahead in range(1, 6)], np.int8
)
"""The two dice of an opening roll, the larger one first."""


def words(key: int, *counters: npt.ArrayLike) -> Words:
    """Four numbers below 2**32 for each row of the four counters, which are below 2**32 too: `(N, 4)`."""
    found = np.empty((*np.broadcast_shapes(*map(np.shape, counters)), 4), np.uint32)
    for place, counter in enumerate(counters):
        found[..., place] = counter
    philox(key, found)
    return found


def below(numbers: npt.NDArray[Any], limit: npt.ArrayLike) -> Ints:
    """Numbers below 2**32 as numbers below `limit`, all (but for one in 2**32) equally likely."""
    return ((numbers.astype(np.uint64) * np.asarray(limit, np.uint64)) >> _HALF).astype(np.int64)


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
        if not isinstance(rng, np.random.Generator):
            raise ArgumentError(f"rng must be a generator such as numpy.random.default_rng(1), not {shown(rng)}")
        return cls(int(rng.integers(0, 2**64, dtype=np.uint64)))

    def rolls(self, games: npt.ArrayLike, of_match: npt.ArrayLike, turns: npt.ArrayLike) -> Rows:
        """The rolls of turns, either die first."""
        return _PAIRS[below(words(self.key, games, of_match, turns, _ROLL)[:, 0], len(_PAIRS))]

    def opening_rolls(self, games: npt.ArrayLike, of_match: npt.ArrayLike) -> Rows:
        """The first rolls of games: two different dice, the larger one first."""
        return _OPENINGS[below(words(self.key, games, of_match, 0, _ROLL)[:, 0], len(_OPENINGS))]

    def throws(self, games: Ints, of_match: Ints, throw: int) -> Rows:
        """Throws of one die by each player, White's first: the first, second, ... of the opening roll of games."""
        return _PAIRS[below(words(self.key, games, of_match, 0, _OPENING_THROWS + throw)[:, 0], len(_PAIRS))]

    def choices(self, games: npt.ArrayLike, of_match: npt.ArrayLike, turns: npt.ArrayLike, counts: Ints) -> Ints:
        """For each turn, a whole number below its count."""
        return below(words(self.key, games, of_match, turns, _ROLL)[:, 1], counts)

    def uniform(
        self, games: npt.ArrayLike, of_match: npt.ArrayLike, turns: npt.ArrayLike, plays: Ints
    ) -> npt.NDArray[np.float64]:
        """A number from 0 up to 1 for each play, from its turn and its place among the plays."""
        found = words(self.key, games, of_match, turns, plays + _FIRST_PLAY)[:, :2].astype(np.uint64)
        return ((found[:, 0] << np.uint64(21)) | (found[:, 1] >> np.uint64(11))).astype(np.float64) / 2.0**53


@attrs.frozen(eq=False)
class DiceOfGames:
    """The source of the rolls of games: the stream, or the caller."""

    stream: Stream
    first: int
    """The number of the first game."""
    opening: bool
    """Whether games begin with an opening roll, which is not a doublet."""
    own: Throw | npt.NDArray[Any] | None

    def thrown(self, games: Ints, turn: int) -> Rows:
        """The rolls of the games with these numbers, all at the same turn.

        Raises:
            DiceError: the caller's dice ran out, are invalid or are not one roll for each game, or an opening roll is a
                doublet.
        """
        opening = self.opening and turn == 0
        if self.own is None:
            return self.stream.opening_rolls(games, 0) if opening else self.stream.rolls(games, 0, turn)
        rolls = self._brought(self.own, games, turn)
        tied = first(rolls[:, 0] == rolls[:, 1]) if opening else None
        if tied is not None:
            raise DiceError(f"{_place(games[tied], turn)}: an opening roll is not a doublet", DiceProblem.NO_PAIR)
        return rolls

    def _brought(self, own: Throw | npt.NDArray[Any], games: Ints, turn: int) -> Rows:
        """The caller's rolls, checked."""

        def place(row: int) -> str:
            return _place(games[row], turn)

        if not isinstance(own, np.ndarray):
            return _checked(plain_array(own(games.copy(), np.full(len(games), turn)), "dice"), len(games), place)
        if turn >= own.shape[1]:
            sentence = f"{_place(games[0], turn)}: the array has only {counted(own.shape[1], 'roll')} for a game"
            raise DiceError(sentence, DiceProblem.NO_PAIR)
        return _checked(own[games - self.first, turn], len(games), place)


@attrs.frozen(eq=False)
class DiceOfMatches:
    """The source of the rolls of matches: the stream, or the caller's function."""

    stream: Stream
    own: ThrowOfMatch | None

    def opening_rolls(self, matches: Ints, of_match: Ints, throw: int, turn: int) -> Rows:
        """White's and Black's dice; the caller's are never tied. `turn` is the number for the caller."""
        if self.own is None:
            return self.stream.throws(matches, of_match, throw)
        rolls = self._brought(self.own, matches, of_match, np.full(len(matches), turn))
        tied = first(rolls[:, 0] == rolls[:, 1])
        if tied is not None:
            place = _place_in_match(matches[tied], of_match[tied], turn)
            raise DiceError(f"{place}: an opening roll is not a doublet", DiceProblem.NO_PAIR)
        return rolls

    def rolls(self, matches: Ints, of_match: Ints, turns: Ints) -> Rows:
        """The rolls of turns, either die first."""
        if self.own is None:
            return self.stream.rolls(matches, of_match, turns)
        return self._brought(self.own, matches, of_match, turns)

    def _brought(self, own: ThrowOfMatch, matches: Ints, of_match: Ints, turns: Ints) -> Rows:
        """The caller's rolls, checked."""
        given = plain_array(own(matches.copy(), of_match.copy(), turns.copy()), "dice")
        return _checked(given, len(matches), lambda row: _place_in_match(matches[row], of_match[row], int(turns[row])))


def own_dice_of_matches(dice: object) -> ThrowOfMatch | None:
    """The argument `dice` of `play_matches`.

    Raises:
        DiceError: it is not a function.
    """
    if dice is None or callable(dice):
        return cast("ThrowOfMatch | None", dice)
    sentence = f"dice must be a function of matches, games and turns, or None, not {shown(dice)}"
    raise DiceError(sentence, DiceProblem.NO_PAIR)


def own_dice(dice: OwnDice, n: int) -> Throw | npt.NDArray[Any] | None:
    """The argument `dice`; its rolls are checked when they are thrown.

    Raises:
        DiceError: it is neither a function nor an array of rolls for n games.
    """
    if dice is None or callable(dice):
        return dice
    array = plain_array(dice, "dice")
    if array.dtype.kind not in "iu" or array.ndim != 3 or array.shape[::2] != (n, 2):
        sentence = f"expected whole numbers of the shape ({n}, T, 2), rolls for each game, or a function"
        raise DiceError(f"dice: {sentence}, not {what(array)}", DiceProblem.NO_PAIR)
    return array


def _checked(rolls: npt.NDArray[Any], number: int, place: Callable[[int], str]) -> Rows:
    """Rolls from the caller."""
    if rolls.dtype.kind not in "iu" or rolls.shape != (number, 2):
        sentence = f"dice: expected a roll for each of {counted(number, 'game', ',')}, not {what(rolls)}"
        raise DiceError(sentence, DiceProblem.NO_PAIR)
    wrong = first((rolls.min(axis=1) < 1) | (rolls.max(axis=1) > 6))
    if wrong is not None:
        try:
            Dice(*rolls[wrong].tolist())
        except DiceError as error:
            raise DiceError(f"{place(wrong)}: {error}", error.problems) from None
    return rolls.astype(np.int8)


def _place_in_match(match: np.int64, game: np.int64, turn: int) -> str:
    return f"dice, match {match}, game {game}, turn {turn}"


def _place(game: np.int64, turn: int) -> str:
    return f"dice, game {game}, turn {turn}"
