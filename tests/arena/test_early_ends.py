"""`until` ends arenas of policies as early as it says, with the same result however they are played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from test_intervals import points

from arena_bots import HITTING, RACER
from bots import drawn
from gammonrules import Rules, arena
from gammonrules.arena._work_units import Block, BlockResults, pairs_at_once
from gammonrules.values import Until

NO_CUBE = Rules(start="hypergammon1", cube=False)
TWO = {"hitting": arena.Policy(HITTING.choose), "drawn": arena.Policy(drawn)}


class Drawn:
    """A `run` that plays nothing: the pairs have these values. It begins some blocks ahead, as processes do."""

    def __init__(self, values: np.ndarray, ahead: int = 1) -> None:
        self.values, self.ahead = values.tolist(), ahead
        self.begun, self.played = list[Block](), list[Block]()

    def __call__(self, _: Callable[[Block], BlockResults], blocks: Iterable[Block]) -> Iterator[BlockResults]:
        rest = iter(blocks)
        while some := list(islice(rest, 2 * self.ahead)):
            self.begun += [block for block in some if 0 in block.seats]
            for block in some:
                self.played += [block] if 0 in block.seats else []
                values = self.values[block.first : block.first + block.number]
                yield BlockResults(
                    block, cast("Any", tuple(tuple(pair[seat] for seat in block.seats) for pair in values))
                )


def ended(values: np.ndarray, until: Until, ahead: int = 1, **settings: Any) -> tuple[arena.Interval, Drawn]:
    """How an arena of two policies ends whose pairs have these values."""
    run = Drawn(values, ahead)
    games = {"games": 2 * len(values), "until": until, "workers": run, **settings}
    return arena.play(TWO, **games).pairings[0].interval, run


def better(pairs: int) -> np.ndarray:
    return np.array([(2, 1), (1, -1)] * (pairs // 2))


def test_it_ends_at_30_pairs_whatever_is_begun() -> None:
    """By a verdict, or at a margin; and nothing that is begun is waited for."""
    for until, ahead in (("decided", 1), ("decided", 25), (0.4, 25)):
        interval, run = ended(better(3_000), until, ahead)
        assert (interval.pairs, sum(block.number for block in run.played)) == (30, 30)


def test_a_player_who_is_over_is_not_begun_again() -> None:
    """Of three pairings that are decided at once, no block is played that was not begun before."""
    run = Drawn(better(3_000), ahead=3)
    results = arena.play({**TWO, "other": RACER}, games=6_000, until="decided", workers=run)
    assert [pairing.games for pairing in results.pairings] == [60] * 3
    assert len(run.begun) == 6


def test_sizes_follow_from_the_pairs_before() -> None:
    """With `until` two processes share the first hundred pairs, and no block adds more than a third."""
    for number, begun in ((500, (15, 15, 15, 15, 20, 26)), (9_000, (15, 15, 15, 15, 20, 26))):
        blocks = ended(np.ones((number, 2)) * [1, -1], "decided", 3)[1].played
        assert tuple(block.number for block in blocks)[: len(begun)] == begun
        assert all(block.number <= max(15, block.first / 3) for block in blocks)
        assert sum(block.number for block in blocks) == number
    assert [pairs_at_once(first, may_end=True) for first in (0, 300, 90_000)] == [15, 100, 2_000]
    assert [pairs_at_once(first, may_end=False) for first in (0, 500, 1_000, 90_000)] == [500, 500, 1_000, 2_000]


@pytest.mark.long
@pytest.mark.parametrize("until", ["decided", 0.1])
def test_the_same_in_processes_and_after_it_was_stopped(until: Until, tmp_path: Path) -> None:
    """Also where policies draw numbers of their own, of which each block has others."""
    play: Callable[..., arena.Results] = partial(arena.play, TWO, games=600, rules=NO_CUBE, until=until)
    expected, save = play(workers=1), tmp_path / "saved"
    assert 60 <= expected.pairings[0].games < 600
    assert play(workers=2, save=save) == play(workers=map) == expected
    lines = save.read_bytes().splitlines(keepends=True)
    for number in {1, len(lines) // 2}:
        save.write_bytes(b"".join(lines[:number]))
        assert play(workers=1, save=save) == expected


def test_two_processes_share_all_pairs() -> None:
    """Each plays the games of one seat: the whole of a small arena is no slower than its half."""
    shared = list[Block]()

    def run(function: Callable[[Block], BlockResults], blocks: Iterable[Block]) -> Iterator[BlockResults]:
        for block in blocks:
            shared.append(block)
            yield function(block)

    whole = arena.play(TWO, games=8, rules=NO_CUBE, workers=run)
    assert [(block.number, block.seats) for block in shared] == [(4, (0,)), (4, (1,))]
    assert arena.play(TWO, games=8, rules=NO_CUBE, workers=1) == whole


def test_larger_blocks_of_a_file_count(tmp_path: Path) -> None:
    """Those that were played without `until`, or when all were larger: the arena goes on after them."""
    values, save = points(np.random.default_rng(1), 3_000, 0.5), tmp_path / "saved"
    old = Drawn(values)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("gammonrules.arena._schedule.pairs_at_once", lambda first, **_: max(500, first))
        arena.play(TWO, games=2_000, workers=old, save=save)
    assert [block.number for block in old.played] == [500, 500]
    interval, run = ended(values, "decided", save=save)
    assert [block.first for block in run.played[:2]] == [1_000, 1_333]
    assert interval == ended(values, "decided")[0]
    assert ended(values, None, save=save, games=2_000)[1].played == []
