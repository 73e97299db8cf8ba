"""Engines by their names in arenas, with limits of the cube."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_decisions import first

import wording
from gammonrules import KERNEL, ArgumentError, Rules, arena


def test_an_engine_with_a_limit_of_the_cube() -> None:
    """Where it cannot matter, as to 5; where a game may come near it, nothing begins; others know it."""
    pytest.importorskip("bgsage")
    limited = [Rules(max_cube=limit) for limit in (64, 4)]
    assert arena.play(["bgsage:1", first], games=2, length=5, rules=limited[0], workers=1).pairings[0].games == 2
    for length, rules in (None, limited[0]), (5, limited[1]):
        with wording.tells(ArgumentError, "bgsage:1", f"a limit of {rules.max_cube}", "max_cube=None"):
            arena.play(["bgsage:1", first], games=2, length=length, rules=rules, workers=1)
    assert arena.play([first, first], games=2, rules=limited[1], workers=1).pairings[0].games == 2


@pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
def test_selftaught_by_its_levels_and_strengths(tmp_path: Path) -> None:
    """It knows limits of the cube; how it errs follows from the seed of the arena."""
    settings: dict[str, Any] = {"games": 2, "rules": Rules(max_cube=4), "workers": 1}
    assert arena.play(["selftaught:2", first], **settings).pairings[0].games == 2
    games = list[list[str]]()
    for number, name in enumerate(("beginner", "beginner", "casual")):
        folder = tmp_path / str(number)
        arena.play(
            {"A": "selftaught", "B": f"selftaught:{name}"}, seed=1, options=arena.Options(records=folder), **settings
        )
        games.append([record.read_text() for record in sorted(folder.iterdir())])
    assert games[0] == games[1] != games[2]
    for name in ("selftaught:expert", "selftaught:10"):
        with wording.tells(ArgumentError, name, "level", "beginner", "strong"):
            arena.play([name, first], games=2)
    with wording.tells(ArgumentError, "selftaught:3", "level", "1 to 2"):
        arena.play(["selftaught:3", first], games=2)
    with wording.tells(ArgumentError, "'selftaught:quick'", "level from 1", '"club"', 'such as "selftaught:1"'):
        arena.play(["selftaught:quick", "selftaught"], games=2)
    with wording.tells(ArgumentError, "'selftaught:clubb'", 'did you mean "club"?'):
        arena.play(["selftaught:clubb", "selftaught"], games=2)
