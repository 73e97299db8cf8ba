"""The games in the file of an arena: hundreds of thousands of lines, most of which have one pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Self

from attrs import define, field, frozen

from gammonrules.arena._work_units import Block, BlockResults, Values


@frozen(eq=False)
class PlainPairs:
    """Pairs of two players, by their numbers, of which nothing is known but these two.

    They stand in dictionaries of numbers, and equal values are one object, so that the garbage collector need not look
    at hundreds of thousands of objects.

    Attributes:
        values: what each brought the first player.
        seconds: how long each took.
    """

    values: dict[int, Values] = field(factory=dict)
    seconds: dict[int, float] = field(factory=dict)

    def from_to(self, first: int, end: int) -> Self:
        """The pairs from one number on, without a gap, before the number `end`."""
        number = first
        while number < end and number in self.values:
            number += 1
        numbers = range(first, number)
        return type(self)(
            {number: self.values[number] for number in numbers},
            {number: self.seconds[number] for number in numbers},
        )


@define(eq=False)
class SavedGames:
    """Blocks of pairs, found by their players and where they begin.

    A block of one pair of which nothing else is known is plain: there may be many.
    """

    _plain: dict[tuple[int, int], PlainPairs] = field(factory=dict)
    """By the players."""
    _others: dict[Block, BlockResults] = field(factory=dict)
    _longest: dict[tuple[int, int, int], Block] = field(factory=dict)
    """Of the others, the longest block that begins there."""
    _to_repeat: set[Block] = field(factory=set)
    """Blocks that are played again, since they lack records."""

    def __contains__(self, block: Block) -> bool:
        """Whether the file has this block."""
        return block in self._others or self._is_plain(block)

    def __iter__(self) -> Iterator[Block]:
        """All blocks."""
        yield from self._others
        for (player, opponent), pairs in self._plain.items():
            for first in pairs.values:
                yield Block(player, opponent, first, number=1)

    def plain_pairs(self, player: int, opponent: int) -> PlainPairs:
        """The plain pairs of two players, to be added to."""
        return self._plain.setdefault((player, opponent), PlainPairs())

    def add(self, played: BlockResults) -> None:
        """Add a block that is not there."""
        block = played.block
        if block.number == 1 and played.losses is None and not any(played.forfeits):
            pairs = self.plain_pairs(block.player, block.opponent)
            (pairs.values[block.first],) = played.values
            pairs.seconds[block.first] = played.seconds
            return
        self._others[block] = played
        longest = self._longest.get(block.begin)
        if longest is None or longest.number < block.number:
            self._longest[block.begin] = block

    def repeat(self, blocks: Iterable[Block]) -> None:
        """Have these blocks played again, though they are there."""
        self._to_repeat.update(blocks)

    def get(self, block: Block) -> BlockResults | None:
        """The results of a block, unless it is to be played."""
        if block in self._to_repeat:
            return None
        if not self._is_plain(block):
            return self._others.get(block)
        pairs = self._plain[block.player, block.opponent]
        values = pairs.values[block.first]
        return BlockResults(block, (values,), pairs.seconds[block.first])

    def longest_block_at(self, begin: tuple[int, int, int]) -> Block | None:
        """The longest block that begins with this pair of these players; None if there is none, or a plain pair."""
        return self._longest.get(begin)

    def longest_at(self, begin: tuple[int, int, int]) -> BlockResults | None:
        """The results of the longest block that begins there, unless it is to be played."""
        return self.get(self._longest.get(begin) or Block(*begin, number=1))

    def plain_from_to(self, player: int, opponent: int, first: int, end: int) -> PlainPairs:
        """The plain pairs of two players from one on, one after another, at most up to an end."""
        pairs = self._plain.get((player, opponent))
        if pairs is None or self._to_repeat:
            return PlainPairs()
        return pairs.from_to(first, end)

    def _is_plain(self, block: Block) -> bool:
        if block.number != 1:
            return False
        pairs = self._plain.get((block.player, block.opponent))
        return pairs is not None and block.first in pairs.values
