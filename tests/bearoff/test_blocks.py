"""Two-sided tables computed and written in blocks."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import loop
import wording
from gammonrules import ArgumentError, bearoff
from gammonrules.bearoff._layouts import all_layouts, pips_of


@loop.over("points, checkers, gnubg", [(5, 5, True), (3, 3, False), (1, 1, False)])
def test_the_bytes_of_a_table(tmp_path: Path, points: int, checkers: int, gnubg: bool) -> None:
    """A block needs those that it says, and no others; they come before it."""
    bearoff.two_sided(points, checkers, gnubg=gnubg).save(tmp_path / "table")
    blocks = bearoff.Blocks(points, checkers, gnubg=gnubg)
    solved: dict[tuple[int, int], Any] = {}
    for pair in blocks.pairs:
        asked: list[tuple[int, int]] = []
        solved[pair] = blocks.solve(pair, lambda each, asked=asked: asked.append(each) or solved[each])
        assert tuple(asked) == blocks.needs(pair)
    blocks.save(tmp_path / "blocks", lambda pair: solved[pair].tobytes() if min(pair) > 1 else solved[pair])
    assert (tmp_path / "blocks").read_bytes() == (tmp_path / "table").read_bytes()
    assert (tmp_path / "blocks").stat().st_size == blocks.size


@loop.over("gnubg", [True, False])
def test_memory(tmp_path: Path, gnubg: bool) -> None:
    blocks = bearoff.Blocks(checkers=6, gnubg=gnubg)
    sizes = np.bincount(pips_of(all_layouts(6, 6)))

    def solved(pair: tuple[int, int]) -> Any:
        return np.ones((sizes[pair[0]], 4, sizes[pair[1]]), np.int16 if gnubg else np.float32)

    for work in (lambda: blocks.solve((18, 18), solved), lambda: blocks.save(tmp_path / "table", solved)):
        tracemalloc.start()
        work()
        assert blocks.memory / 6 < tracemalloc.get_traced_memory()[1] < blocks.memory
        tracemalloc.stop()


BLOCKS = bearoff.Blocks(checkers=2)
NO_BLOCKS = [
    None,
    [[1.0]],
    b"",
    bytes(15),
    bytes(20),
    "1" * 16,
    np.zeros((1, 4, 1)),
    np.zeros((1, 4, 2), np.float32),
    np.zeros((1, 4, 1), ">f4"),
]


@loop.over("pair", [None, (1,), (1, 2, 3), (0, 1), (1, 13), (1.0, 1), "11", [1, 1], ("1", 1)])
def test_no_pair(pair: Any) -> None:
    for call in (BLOCKS.needs, lambda given: BLOCKS.solve(given, NO_BLOCKS.__getitem__)):
        with pytest.raises(ArgumentError) as refused:
            call(pair)
        wording.check(refused.value, "from 1 to 12")


@loop.over("block", NO_BLOCKS)
def test_no_block(tmp_path: Path, block: Any) -> None:
    with pytest.raises(ArgumentError) as refused:
        BLOCKS.solve((2, 1), lambda _: block)
    wording.check(refused.value, "(1, 1)")
    with pytest.raises(ArgumentError):
        BLOCKS.save(tmp_path / "table", lambda _: block)
    assert list(tmp_path.iterdir()) == []
