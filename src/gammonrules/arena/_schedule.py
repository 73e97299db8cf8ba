"""Which blocks an arena plays, and in which order it counts them.

Both follow from the values that were counted alone, never from what takes how long, nor from what was played before the
arena was stopped. So the result does not depend on the number of processes, or on interruptions.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Final, TypeAlias

from attrs import define, field

from gammonrules.arena._blocks import Block, BlockResults, Plan, PlayBlock, pairs_at_once
from gammonrules.arena._intervals import LEAST, ArenaUntil
from gammonrules.arena._ranking import Ranking
from gammonrules.arena._tallies import PairingTally
from gammonrules.errors import BotError

_IN_A_ROW: Final = 25
"""How many pairs of a pairing come one after another where programs play."""
Runner: TypeAlias = Callable[
    [Callable[[Block], BlockResults], Iterable[Block]], Iterable[BlockResults]
]
"""Calls a function for each item, somewhere, and gives the results in the order of the items, as `map` does."""


@define(eq=False)
class Schedule:
    """The blocks of an arena, which are played and counted.

    Attributes:
        plan: the arena.
        pairs: how many pairs each two play, at most; in "ranked" on average.
        until: by what rule it ends early.
        tallies: where they are counted.
        run: plays blocks.
        saved: blocks that were played before.
    """

    plan: Plan
    pairs: int
    until: ArenaUntil
    tallies: list[PairingTally]
    run: Runner
    saved: Mapping[Block, BlockResults]
    _saved_at: dict[tuple[int, int, int], Block] = field(init=False)
    """The largest saved block that begins with this pair of these players."""
    _uncounted: deque[Block] = field(factory=deque, init=False)
    """Blocks that were taken to be played, or are saved, in their order."""

    def __attrs_post_init__(self) -> None:
        smallest_first = sorted(self.saved, key=lambda block: block.number)
        self._saved_at = {block.begin: block for block in smallest_first}

    def play(self) -> Generator[BlockResults]:
        """Play what was not played before, and give it after it was counted. Raises BotError."""
        if self.until == "ranked":
            for tally in self.tallies:
                self._count_saved_from_start(tally)
            most_telling = self._most_telling_blocks()
            while most_telling:
                yield from self._play_blocks(most_telling)
                most_telling = self._most_telling_blocks()
        else:
            by_pairing = [self._blocks_of(tally) for tally in self.tallies]
            # all pairings go on side by side: first the blocks with the first dice of each of them
            pairs_in_a_row = 1
            if any(tally.have_program for tally in self.tallies):
                # a program is started anew for each of its pairings
                pairs_in_a_row = _IN_A_ROW
            blocks = heapq.merge(*by_pairing, key=lambda block: block.first // pairs_in_a_row)
            yield from self._play_blocks(blocks)

    # Which blocks are next --------------------------------------------------------------------------------------------

    def _blocks_of(self, tally: PairingTally) -> Iterator[Block]:
        """The blocks of a pairing, made as they are needed, until it is over.

        A larger one that is saved counts as it is: it was played without `until`, or when blocks were larger.
        """
        first = 0
        while first < self.pairs and not tally.is_over:
            left = self.pairs - first
            usual_number = 1
            if tally.are_policies:  # which play many pairs at once
                usual_number = pairs_at_once(first, may_end=self.until is not None)
            block = Block(tally.player, tally.opponent, first, number=min(usual_number, left))
            saved = self._saved_at.get(block.begin)
            if saved is not None and usual_number < saved.number <= left:
                block = saved
            yield block
            first += block.number

    def _most_telling_blocks(self) -> list[Block]:
        """What says most about the ranking, a quarter more than was played; none if it is clear, or all is played."""
        pairings = list(combinations(self.plan.names, 2))
        values = [tally.values for tally in self.tallies]
        ranking = Ranking(dict(zip(pairings, values, strict=True)), self.plan.length)
        if not any(ranking.unclear()):
            return []
        finished = sum(map(len, values))
        left = self.pairs * len(self.tallies) - finished
        a_quarter_more = max(LEAST, finished // 4)
        numbers = ranking.most_telling(min(left, a_quarter_more))
        blocks = list[Block]()
        for tally, number in zip(self.tallies, numbers, strict=True):
            blocks += _next_blocks(tally, number)
        return blocks

    # Playing and counting them ----------------------------------------------------------------------------------------

    def _play_blocks(self, blocks: Iterable[Block]) -> Generator[BlockResults]:
        """Play blocks, but for those that are saved, and count all of them in their order."""
        parts = self.run(PlayBlock(self.plan), self._blocks_to_play(blocks))
        try:
            for played in _whole_blocks(parts):
                self._count_saved()  # those in front of it
                self._count(played)
                # only now: while it stands there, no saved block after it is counted, even if the runner takes blocks
                # in another thread
                self._uncounted.popleft()
                if played.error is None:
                    yield played
                if all(tally.is_over for tally in self.tallies):
                    return  # what is begun is not waited for
            self._count_saved()  # those after the last one
        finally:
            if isinstance(parts, Generator):
                parts.close()

    def _blocks_to_play(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks that are not saved, those of policies in halves.

        A runner of several processes takes them before those in front of them have been counted.
        """
        for block in blocks:
            is_saved = block in self.saved
            if is_saved and not self._uncounted:
                # counted at once, since it may end the pairing, and then `blocks` has no more of them
                self._count(self.saved[block])
                continue
            self._uncounted.append(block)  # a saved one is counted after those in front of it
            if is_saved:
                continue
            if self._tally_of(block).are_policies:
                yield from block.halves
            else:
                yield block

    def _count_saved(self) -> None:
        """Count the saved blocks that stand before the first one that is being played."""
        while self._uncounted and self._uncounted[0] in self.saved:
            block = self._uncounted.popleft()
            self._count(self.saved[block])

    def _count_saved_from_start(self, tally: PairingTally) -> None:
        """Count what is saved of a pairing without a gap."""
        block = self._saved_at.get((tally.player, tally.opponent, 0))
        while block is not None:
            self._count(self.saved[block])
            block = self._saved_at.get((tally.player, tally.opponent, len(tally.values)))

    def _count(self, played: BlockResults) -> None:
        """Count a block, unless the pairing ended before it. Raises BotError if it failed."""
        tally = self._tally_of(played.block)
        if tally.is_over:
            return
        if played.error is not None:
            raise BotError(played.error) from played.cause
        tally.add(played)

    def _tally_of(self, block: Block) -> PairingTally:
        for tally in self.tallies:
            if (tally.player, tally.opponent) == (block.player, block.opponent):
                return tally
        raise LookupError(block)


def _next_blocks(tally: PairingTally, number: int) -> list[Block]:
    """So many more pairs of a pairing."""
    played = len(tally.values)
    end = played + number
    size = pairs_at_once(played, may_end=False) if tally.are_policies else 1
    blocks = list[Block]()
    for first in range(played, end, size):
        left = end - first
        blocks.append(Block(tally.player, tally.opponent, first, min(size, left)))
    return blocks


def _whole_blocks(parts: Iterable[BlockResults]) -> Iterator[BlockResults]:
    """The results of blocks, some of which were played in halves, one after the other."""
    remaining = iter(parts)
    for part in remaining:
        if part.block.is_whole:
            yield part
        else:
            other_half = next(remaining)
            yield part.with_half(other_half)
