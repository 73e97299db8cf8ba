"""Boards that are rolled out quickly, and what they are worth, roughly."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gammonrules import batch
from gammonrules._arrays.checks import Floats, Rows


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def by_pips(boards: Rows) -> Floats:
    mine, theirs = batch.pip_counts(boards).T
    return np.tanh((theirs - mine + 4) / 8)


def five(boards: Rows) -> Floats:
    """With as many gammons as the exact table cannot have."""
    win = (by_pips(boards) + 1) / 2
    return np.stack([win, win / 4, win / 16, (1 - win) / 4, 0 * win], axis=1)


def bear_offs(number: int, value: Callable[[Rows], Floats], seed: int = 1) -> Rows:
    """Boards with up to four checkers a side whose value is from -.9 to .9."""
    rng, boards = np.random.default_rng(seed), np.zeros((0, 26), np.int8)
    while len(boards) < number:
        some = np.zeros((number, 26), np.int8)
        for row in some:
            np.add.at(row, rng.integers(1, 7, rng.integers(1, 5)), 1)
            np.add.at(row, 25 - rng.integers(1, 7, rng.integers(1, 5)), -1)
        boards = np.concatenate([boards, some[np.abs(value(some)) < 0.9]])
    return boards[:number]
