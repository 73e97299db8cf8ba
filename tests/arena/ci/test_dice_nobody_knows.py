"""No program meets the same dice twice while it lives, so what it remembers of them is of no use."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

from bots import first
from gammonrules import Rules, arena
from gammonrules.arena import _work_units
from gammonrules.arena._players import entrant_named, may_remember
from gammonrules.engine import SimpleEngine

SPY = Path(__file__).with_name("spying_program.py")


def told(log: Path) -> list[str]:
    """What the spies wrote in an arena of two of them and a function."""
    spy = f"program:'{sys.executable}' '{SPY}' '{log}'"
    players = {"one": spy, "other": spy, "first": first}
    arena.play(players, games=2, rules=Rules(cube=False), seed=1, workers=1)
    return log.read_text(encoding="utf-8").split()


def test_no_program_meets_the_same_dice_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes for each of two programs in both of its pairings; if they lived on, they would know the dice."""
    assert told(tmp_path / "log") == ["started"] * 8
    monkeypatch.setattr(_work_units, "may_remember", lambda _: False)
    known = told(tmp_path / "known")
    assert (known.count("started"), known.count("again") > 0) == (2, True)


def test_who_may_remember() -> None:
    """Programs of strangers; engines that we know, and functions, which are in our own process, stay alive."""
    ways = [partial(SimpleEngine.gnubg, noise=0.1), partial(SimpleEngine.ubgi, ["x"]), SimpleEngine.open, first]
    assert [may_remember(arena.EnginePlayer(way)) for way in ways] == [False, True, False, True]
    names = ["gnubg:1", "bgsage:2", "hypergammon:x", "ubgi:x", "program:x", "bots:first"]
    assert [may_remember(entrant_named(name)) for name in names] == [False, False, False, True, True, False]
