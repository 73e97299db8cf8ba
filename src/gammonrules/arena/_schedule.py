"""Which blocks an arena plays, and in which order it counts them.

Both follow from the values that were counted alone, never from what takes how long, nor from what was played before the
arena was stopped. So the result does not depend on the number of processes, or on interruptions. But "ranked" gives out
time: there the choices follow from the seconds that were counted, too, which a file repeats.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from operator import attrgetter, itemgetter
from typing import Final

import numpy as np
from attrs import define, field

from gammonrules._shared.map_functions import MapFunction, results_of_map
from gammonrules.arena._intervals import MIN_PAIRS, ArenaUntil
from gammonrules.arena._ranking import Ranking
from gammonrules.arena._roster import Roster
from gammonrules.arena._saved_games import SavedGames
from gammonrules.arena._tallies import PairingTally
from gammonrules.arena._work_units import Block, BlockResults, Plan, PlayBlock, pairs_at_once
from gammonrules.errors import BotError

_IN_A_ROW: Final = 25
"""How many pairs of a pairing come one after another where programs play, at first."""


@define(eq=False)
class Schedule:
    """The blocks of an arena, which are played and counted.

    Attributes:
        plan: the arena.
        pairs: how many pairs each two play, at most; in "ranked", in as much time.
        until: by what rule it ends early.
        tallies: where they are counted.
        map_function: plays blocks.
        saved: blocks that were played before.
        roster: who plays; who is dropped leaves it.
    """

    plan: Plan
    pairs: int
    until: ArenaUntil
    tallies: list[PairingTally]
    map_function: MapFunction
    saved: SavedGames
    roster: Roster
    _tally_by_players: dict[tuple[int, int], PairingTally] = field(init=False)
    _play_block: PlayBlock = field(init=False)
    """The same for all rounds of "ranked", so that the processes of a round can play the next one."""
    _uncounted: deque[Block] = field(factory=deque, init=False)
    """Blocks that were taken to be played, or are saved, in their order."""

    def __attrs_post_init__(self) -> None:
        self._play_block = PlayBlock(self.plan)
        self._tally_by_players = {(tally.player, tally.opponent): tally for tally in self.tallies}

    def play(self) -> Generator[BlockResults]:
        """Play what was not played before, and give it after it was counted.

        Where a player is dropped, it gives the block in which they failed. Raises BotError.
        """
        if self.until == "ranked":
            self.count_saved_from_start()
            most_telling = self._most_telling_blocks()
            while most_telling:
                yield from self._play_blocks(most_telling)
                most_telling = self._most_telling_blocks()
        else:
            if self.until is None:  # no pairing ends early, so the order does not matter
                for tally in self.tallies:
                    self._count_plain_pairs(tally)
            by_pairing = [self._blocks_of(tally) for tally in self.tallies]
            # all pairings go on side by side: first the blocks with the first dice of each of them
            place = _row_of_programs if self._have_programs else attrgetter("first")
            blocks = heapq.merge(*by_pairing, key=place)
            yield from self._play_blocks(blocks)

    # Which blocks are next --------------------------------------------------------------------------------------------

    def _blocks_of(self, tally: PairingTally) -> Iterator[Block]:
        """The blocks of a pairing, made as they are needed, until it is over.

        A larger one that is saved counts as it is: it was played without `until`, or when blocks were larger.
        """
        first = len(tally.values)
        while first < self.pairs and not tally.is_over:
            left = self.pairs - first
            usual_number = 1
            if tally.are_policies:  # which play many pairs at once
                usual_number = pairs_at_once(first, may_end=self.until is not None)
            block = Block(tally.player, tally.opponent, first, number=min(usual_number, left))
            saved = self.saved.longest_block_at(block.begin)
            if saved is not None and usual_number < saved.number <= left:
                block = saved
            yield block
            first += block.number

    def _most_telling_blocks(self) -> list[Block]:
        """The blocks that say most about the ranking, for a quarter of the time spent so far; none if it is clear.

        All pairings together have as much time as it would take each of them to play all its pairs. Once that is
        spent, there are none either.
        """
        names = self.plan.names
        tallies = [tally for tally in self.tallies if not tally.has_left]
        values = [tally.values for tally in tallies]
        pairings = [(names[tally.player], names[tally.opponent]) for tally in tallies]
        ranking = Ranking(dict(zip(pairings, values, strict=True)), self.plan.length)
        if not any(ranking.unclear()):
            return []
        numbers = ranking.first_meetings()
        if not any(numbers):
            of_pairs = ranking.seconds_of_pairs(np.array([tally.seconds for tally in tallies]))
            spent = float(ranking.counts @ of_pairs)
            left = float(self.pairs * of_pairs.sum()) - spent
            a_quarter_more = max(MIN_PAIRS * float(of_pairs.min()), spent / 4)
            numbers = ranking.most_telling(min(left, a_quarter_more), of_pairs)
        in_a_row = _IN_A_ROW if self._have_programs else 1
        blocks = list[tuple[float, Block]]()
        for tally, number in zip(tallies, numbers, strict=True):
            next_blocks = _next_blocks(tally, number)
            for index, block in enumerate(next_blocks):
                before = index // in_a_row * in_a_row
                blocks.append((before / len(next_blocks), block))
        # side by side, so that an arena which is stopped has spent its time as it was given out
        return [block for _, block in sorted(blocks, key=itemgetter(0))]

    @property
    def _have_programs(self) -> bool:
        """Whether programs play, which are started anew for each of their pairings."""
        return any(tally.have_program for tally in self.tallies)

    # Playing and counting them ----------------------------------------------------------------------------------------

    def _play_blocks(self, blocks: Iterable[Block]) -> Generator[BlockResults]:
        """Play blocks, but for those that are saved, and count all of them in their order."""
        to_play = self._blocks_to_play(blocks)
        with closing(results_of_map(self.map_function, self._play_block, to_play)) as parts:
            for played in _whole_blocks(parts):
                self._count_saved()  # those in front of it
                has_dropped = self._count(played)
                # only now: while it stands there, no saved block after it is counted, even if the map function takes
                # blocks in another thread
                self._uncounted.popleft()
                if played.error is None or has_dropped:
                    yield played
                if all(tally.is_over for tally in self.tallies):
                    return  # what is begun is not waited for
            self._count_saved()  # those after the last one

    def _blocks_to_play(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The blocks that are not saved, those of policies in halves.

        A runner of several processes takes them before those in front of them have been counted.
        """
        for block in blocks:
            tally = self._tally_of(block)
            if tally.is_over:  # by a block in front of it, as where a player was dropped
                continue
            saved = self.saved.get(block)
            if saved is not None and not self._uncounted:
                # counted at once, since it may end the pairing, and then `blocks` has no more of them
                self._count(saved)
                continue
            self._uncounted.append(block)  # a saved one is counted after those in front of it
            if saved is not None:
                continue
            if tally.are_policies:
                yield from block.halves
            else:
                yield block

    def _count_saved(self) -> None:
        """Count the saved blocks that stand before the first one that is being played."""
        while self._uncounted:
            saved = self.saved.get(self._uncounted[0])
            if saved is None:
                return
            self._uncounted.popleft()
            self._count(saved)

    def count_saved_from_start(self) -> None:
        """Count what is saved of each pairing without a gap, and was not counted."""
        for tally in self.tallies:
            self._count_plain_pairs(tally)
            while not tally.is_over:
                saved = self.saved.longest_at((tally.player, tally.opponent, len(tally.values)))
                if saved is None:
                    break
                self._count(saved)

    def _count_plain_pairs(self, tally: PairingTally) -> None:
        """Count the saved pairs of players of whom one at least decides state after state, all at once."""
        if tally.are_policies or tally.is_over:  # blocks of policies have many pairs
            return
        first = len(tally.values)
        pairs = self.saved.plain_from_to(tally.player, tally.opponent, first, end=self.pairs)
        tally.add_plain_pairs(pairs)

    def _count(self, played: BlockResults) -> bool:
        """Count a block, unless the pairing ended before it, and say whether a player was dropped for it.

        Raises BotError if it failed, and nobody may be dropped.
        """
        tally = self._tally_of(played.block)
        if tally.is_over:
            return False
        if played.error is None:
            tally.add(played)
            return False
        if not self._may_drop(played):
            raise BotError(played.error) from played.cause
        self._drop(played, played.error)
        return True

    # Who fails --------------------------------------------------------------------------------------------------------

    def _may_drop(self, played: BlockResults) -> bool:
        """Whether the player who failed may leave: it is known who, and two are left."""
        return (
            self.plan.on_error == "drop"
            and played.failed is not None
            and len(self.roster.present) > 2
        )

    def _drop(self, played: BlockResults, why: str) -> None:
        """Have the player who failed in a block leave: all their games, for single ones would be chosen by results."""
        number = self.number_of_failed(played)
        self.roster.dropped[number] = why
        for tally in self.tallies:
            if number in {tally.player, tally.opponent}:
                tally.has_left = True

    def number_of_failed(self, played: BlockResults) -> int:
        """The number of the player who failed in a block."""
        block = played.block
        is_player = self.plan.names[block.player] == played.failed
        return block.player if is_player else block.opponent

    def _tally_of(self, block: Block) -> PairingTally:
        return self._tally_by_players[block.player, block.opponent]


def _row_of_programs(block: Block) -> int:
    """In which row of pairs a block stands: the first ones, as many again, then twice as many each time."""
    return (block.first // _IN_A_ROW).bit_length()


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
