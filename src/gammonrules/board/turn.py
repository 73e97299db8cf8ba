"""A turn move by move: which moves may come next on the way to a legal result.

A stage of a turn is a board and the dice that are left. One sequence of moves can lead to several stages, since either
die may have borne a checker off; all of them are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs

from gammonrules.board.encoding import Packed, hits
from gammonrules.board.generator_values import PlainMove
from gammonrules.board.pure import own_slots, slots_of, sources_and_steps, without

Stage: TypeAlias = tuple[Packed, tuple[int, ...]]


@attrs.frozen(eq=False, repr=False)
class Turn:
    """One roll, played move by move toward one of the legal results."""

    board: Packed
    dice: tuple[int, ...]
    """The numbers to play: two, or four for a doublet."""
    results: frozenset[Packed]
    _fruitful: dict[Stage, bool] = attrs.field(factory=dict, init=False)

    @property
    def start(self) -> frozenset[Stage]:
        """The stages before the first move."""
        return frozenset({(self.board, self.dice)})

    def moves(self, stages: frozenset[Stage]) -> set[tuple[int, int]]:
        """The moves (from, to) that may come next."""
        return {(source, target) for stage in stages for source, target, _ in self._next(stage)}

    def after(self, stages: frozenset[Stage], source: int, target: int) -> frozenset[Stage]:
        """The stages after one more move; none if it is not allowed."""
        return frozenset(after for stage in stages for p, q, after in self._next(stage) if (p, q) == (source, target))

    def series(self, stages: frozenset[Stage]) -> list[tuple[PlainMove, ...]]:
        """For everything one checker can do next, with one die or several, the series that hits least on the way."""
        best: dict[tuple[int, int], tuple[PlainMove, ...]] = {}

        def go_on(series: tuple[PlainMove, ...], stages: frozenset[Stage]) -> None:
            board, _ = next(iter(stages))
            for source, target in self.moves(stages):
                if not series or series[-1][1] == source:
                    longer = (*series, (source, target, hits(board, target)))
                    way = longer[0][0], target
                    best[way] = min(longer, best.get(way, longer), key=_rank)
                    go_on(longer, self.after(stages, source, target))

        go_on((), stages)
        return [best[way] for way in sorted(best, reverse=True)]

    def dice_left(self, stages: frozenset[Stage]) -> tuple[int, ...]:
        """The dice that have not been played, as large as they can be; none if the game is over."""
        board, _ = next(iter(stages))
        return max(dice for _, dice in stages) if self.results and own_slots(board) else ()

    def _next(self, stage: Stage) -> Iterator[tuple[int, int, Stage]]:
        return (move for move in _moves(stage) if self._is_fruitful(move[2]))

    def _is_fruitful(self, stage: Stage) -> bool:
        """Whether a legal result can be reached from here."""
        if stage not in self._fruitful:
            nexts = [after for _, _, after in _moves(stage)]
            self._fruitful[stage] = any(map(self._is_fruitful, nexts)) if nexts else stage[0] in self.results
        return self._fruitful[stage]


def _rank(series: tuple[PlainMove, ...]) -> tuple[int, int, list[int]]:
    """Lower is better: hits on the way, number of moves, and stops, which are lower if the higher die comes first."""
    stops = [target for _, target, _ in series[:-1]]
    return sum(hit for _, _, hit in series[:-1]), len(series), stops


def _moves(stage: Stage) -> Iterator[tuple[int, int, Stage]]:
    """Every move that the remaining dice allow: from, to, and the stage after it."""
    board, dice = stage
    for die in dict.fromkeys(dice):
        playable, steps = sources_and_steps(board, die)
        for source in slots_of(playable):
            yield source, max(source - die, 0), (board + steps[source], without(die, dice))
