"""Engines that tests of several files ask. Each starts once, and ends after all tests, in whatever order they run."""

from __future__ import annotations

from gammonrules.engine import SimpleEngine

_open: dict[tuple[str, int | None], SimpleEngine] = {}


def engine_of(name: str, level: int | None = 1) -> SimpleEngine:
    if (name, level) not in _open:
        _open[name, level] = SimpleEngine.open(name, level=level)
    return _open[name, level]


def close_all() -> None:
    while _open:
        _open.popitem()[1].close()
