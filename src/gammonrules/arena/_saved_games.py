"""The games in the file of an arena: hundreds of thousands of lines, most of which have one pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import define, field

from gammonrules.arena._blocks import Block, BlockResults, Values

PlainPair: TypeAlias = tuple[Values, float]
"""What a pair brought the first player, and its seconds: all that is known of most of them."""


@define(eq=False)
class SavedGames:
    """Blocks of pairs, found by their players and where they begin.

    A block of one pair of which nothing else is known is kept as a pair of numbers, since there may be many.
    """

    _plain: dict[tuple[int, int], dict[int, PlainPair]] = field(factory=dict)
    """By the players, and the number of the pair."""
    _others: dict[Block, BlockResults] = field(factory=dict)
    _longest: dict[tuple[int, int, int], Block] = field(factory=dict)
    """Of the others, the longest block that begins there."""
    _to_repeat: set[Block] = field(factory=set)
    """Blocks that are played again, since they lack records."""

    def __contains__(self, block: Block) -> bool:
        """Whether the file has this block."""
        return block in self._others or self._plain_pair(block) is not None

    def __iter__(self) -> Iterator[Block]:
        """All blocks."""
        yield from self._others
        for (player, opponent), pairs in self._plain.items():
            for first in pairs:
                yield Block(player, opponent, first, number=1)

    def plain_pairs(self, player: int, opponent: int) -> dict[int, PlainPair]:
        """The plain pairs of two players, to be looked up or added to."""
        return self._plain.setdefault((player, opponent), {})

    def add(self, played: BlockResults) -> None:
        """Add a block that is not there."""
        block = played.block
        self._others[block] = played
        longest = self._longest.get(block.begin)
        if longest is None or longest.number < block.number:
            self._longest[block.begin] = block

    def repeat(self, blocks: Iterable[Block]) -> None:
        """Have these blocks played again, though they are there."""
        self._to_repeat.update(blocks)

    def get(self, block: Block) -> BlockResults | None:
        """What came of a block, unless it is to be played."""
        if block in self._to_repeat:
            return None
        plain = self._plain_pair(block)
        if plain is None:
            return self._others.get(block)
        values, seconds = plain
        return BlockResults(block, (values,), seconds)

    def longest_block_at(self, begin: tuple[int, int, int]) -> Block | None:
        """The longest block that begins with this pair of these players; None if there is none, or a plain pair."""
        return self._longest.get(begin)

    def longest_at(self, begin: tuple[int, int, int]) -> BlockResults | None:
        """What came of the longest block that begins there, unless it is to be played."""
        return self.get(self._longest.get(begin) or Block(*begin, number=1))

    def run_of_plain_pairs(
        self, player: int, opponent: int, first: int, most: int
    ) -> list[PlainPair]:
        """The plain pairs of two players one after another, from this one on, at most so many."""
        pairs = self._plain.get((player, opponent))
        run = list[PlainPair]()
        if pairs is None or self._to_repeat:
            return run
        for number in range(first, first + most):
            plain = pairs.get(number)
            if plain is None:
                break
            run.append(plain)
        return run

    def _plain_pair(self, block: Block) -> PlainPair | None:
        if block.number != 1:
            return None
        pairs = self._plain.get((block.player, block.opponent))
        return None if pairs is None else pairs.get(block.first)
