"""The boards of the benchmark, as hashes: the trainer learns nothing of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from gammonrules import Phase, Position
from gammonrules.arena._benchmark_decisions import read_decisions

FNV_START = np.uint64(0xCBF29CE484222325)
FNV_PRIME = np.uint64(0x100000001B3)


def find_benchmark_positions() -> Iterator[Position]:
    """Yield the positions before the decisions of the benchmark, and after each legal play."""
    for positions in read_decisions(None).positions.values():
        for questions in positions:
            state = questions[0].state
            yield state.position
            if state.phase is Phase.TO_PLAY:
                yield from (play.position for play in state.legal_plays)


def hash_boards(boards: np.ndarray) -> np.ndarray:
    """Return the hashes of boards, `(N, 26) int8`, by FNV-1a as `learning.h` has it: `(N,) uint64`."""
    hashes = np.full(len(boards), FNV_START)
    for place in range(26):
        hashes = (hashes ^ boards[:, place].astype(np.uint8)) * FNV_PRIME
    return hashes


def write_hashes(path: Path, positions: Iterable[Position]) -> None:
    """Write the hashes of positions in order, without repetitions."""
    boards = np.array([position.points for position in positions], np.int8)
    hashes = np.unique(hash_boards(boards))
    part = path.with_suffix(".part")
    part.write_bytes(hashes.astype("<u8").tobytes())
    part.replace(path)
