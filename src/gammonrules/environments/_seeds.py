"""The dice of each game, and what random opponents do: from a seed, the number of the episode, and counts in it alone.

So game i of `make_vec` with a seed is that of `make` with the seed + i, however many games there are.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Bools, Ints
from gammonrules.batch.internals import Stream, below, scramble
from gammonrules.environments._action_encoding import MAX_PLAYS
from gammonrules.errors import ArgumentError
from gammonrules.values import counted, first_items, shown, whole_number

Words: TypeAlias = npt.NDArray[np.uint32]
Seeds: TypeAlias = Words
"""A seed of 64 bits in each row, the lower word first."""

_KEY = 0  # any, but the same one: the seeds make the games differ
_WORD = 2**32
_SEEDS = 2**64
_USES = 1 << MAX_PLAYS.bit_length()
"""At least as many as numbers have uses in a turn: dice and choices share one, and each play has one."""
# which of the four numbers of a turn is for what, the first two as in `Stream`
_FOR_ROLL = 0
_FOR_PLAY = 1
_FOR_CUBE = 2
_KINDS_OF_ROLLS = 36
_TURNS_AT_ONCE = 64
"""Most games have no more, and numbers for one turn take almost as long as for all these."""


@attrs.frozen(eq=False)
class SeededStream(Stream):
    """The random numbers of environments with a seed each; what is a game in a match elsewhere is an episode here.

    They do not repeat themselves in the first million turns of an episode.

    Attributes:
        seeds: `(N, 2) uint32`, the lower and the upper half of the seed of each environment.
    """

    seeds: Seeds

    def words(
        self,
        games: npt.ArrayLike,
        of_match: npt.ArrayLike,
        turns: npt.ArrayLike,
        use: npt.ArrayLike = 0,
    ) -> Words:
        """Four numbers below 2**32 for each turn, different ones for each use."""
        seeds = self.seeds.take(np.asarray(games), axis=0)
        counters = np.empty((len(seeds), 4), np.uint32)
        counters[:, :2] = seeds
        counters[:, 2] = of_match
        counters[:, 3] = np.asarray(turns) * _USES + use
        scramble(self.key, counters)
        return counters

    def cube_choices(self, games: Ints, episodes: Ints, decisions: Ints, counts: Ints) -> Ints:
        """For each decision about a cube, by its number in the episode, a whole number below its count."""
        return below(self.words(games, episodes, decisions)[:, _FOR_CUBE], counts)


def stream_of(seeds: Seeds) -> SeededStream:
    """The stream of random numbers of environments with these seeds."""
    return SeededStream(_KEY, seeds)


def following_seeds(seed: int, number: int) -> Seeds:
    """The seeds of many environments that are given one, as Gymnasium has them: `seed`, `seed + 1`, ..."""
    if seed + number <= _SEEDS:
        seeds = np.arange(number, dtype=np.uint64) + np.uint64(seed)
    else:
        seeds = np.array([_plain_seed(seed + place) for place in range(number)], np.uint64)
    return _halves(seeds)


def _halves(seeds: npt.NDArray[np.uint64]) -> Seeds:
    return np.column_stack([seeds % _WORD, seeds // _WORD]).astype(np.uint32)


def _plain_seed(seed: int) -> int:
    """A seed of 64 bits; a larger one, which Gymnasium allows, becomes such."""
    if seed < _SEEDS:
        return seed
    return int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])


def random_seed(rng: np.random.Generator) -> int:
    """For environments that were given none."""
    return int(rng.integers(0, _SEEDS, dtype=np.uint64))


def seeds_of_many(argument: object, number: int) -> tuple[Seeds, Bools]:
    """The seeds of environments that are given one each, or None, and which of them have one.

    Raises:
        ArgumentError: there is anything else, or not one for each environment.
    """
    items = first_items(argument, number + 1)
    if items is None or len(items) != number:
        expected = f"a whole number, or one for each of {counted(number, 'environment', ',')}"
        raise ArgumentError(f"seed: expected {expected}, not {shown(argument)}")
    are_given = np.array([item is not None for item in items], np.bool_)
    seeds = [_checked_seed(item, place) for place, item in enumerate(items)]
    return _halves(np.array(seeds, np.uint64)), are_given


def _checked_seed(item: object, place: int) -> int:
    """A seed of 64 bits, 0 for None."""
    seed = 0 if item is None else whole_number(item)
    if seed is None or seed < 0:
        expected = "a whole number from 0 up, or None"
        raise ArgumentError(f"seed, index {place}: expected {expected}, not {shown(item)}")
    return _plain_seed(seed)


@attrs.frozen(eq=False)
class Episode:
    """The random numbers of one episode of a single game, those of a `SeededStream` one by one."""

    seed: int
    number: int
    """How many episodes came before it with this seed."""
    _words: list[list[int]] = attrs.field(init=False, factory=list)
    """The words of the first turns, as many as were needed."""

    def roll(self, roll: int) -> int:
        """The dice of the roll with this number, as one of the 36 pairs."""
        return self._choice(roll, _FOR_ROLL, _KINDS_OF_ROLLS)

    def play(self, turn: int, count: int) -> int:
        """For the turn with this number, a number of one of its plays."""
        return self._choice(turn, _FOR_PLAY, count)

    def cube_choice(self, decision: int, count: int) -> int:
        """For the decision about the cube with this number, a number of one of the actions."""
        return self._choice(decision, _FOR_CUBE, count)

    def _choice(self, number: int, use: int, count: int) -> int:
        while number >= len(self._words):
            begin = len(self._words)
            turns = np.arange(begin, begin + _TURNS_AT_ONCE)
            stream = stream_of(following_seeds(self.seed, 1))
            self._words.extend(stream.words(np.zeros_like(turns), self.number, turns).tolist())
        return self._words[number][use] * count // _WORD


def next_episode(before: Episode | None, seed: int | None, rng: np.random.Generator) -> Episode:
    """The first one of a seed, or the one after another; without either, of a seed that is drawn from the generator."""
    if seed is not None:
        return Episode(_plain_seed(seed), 0)
    if before is None:
        return Episode(random_seed(rng), 0)
    return Episode(before.seed, before.number + 1)
