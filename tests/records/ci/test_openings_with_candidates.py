"""What openings cost by a table of candidates."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from test_openings import EXAMPLES, START, first_plays_of

from gammonrules.records import export, openings, scan


def test_a_play_costs_what_the_analyses_of_its_roll_say(tmp_path: Path) -> None:
    """Whoever made which; without a table of candidates, what those cost that were made."""
    paths, costs = [EXAMPLES / "xg" / "test.xg", EXAMPLES / "bot-money"], defaultdict[Any, Any](list)
    export(paths, tmp_path / "all.parquet", candidates=tmp_path / "ranked.parquet", workers=1)
    for entry in scan(paths, workers=1):
        for _, _, play, judge in first_plays_of(entry.match) if entry.match else ():
            for candidate in play.analysis.candidates if judge and play.analysis else ():
                cost = max(play.analysis.best.equity - candidate.equity, 0)
                costs[play.state.position, str(play.dice), candidate.position].append(cost)
    rows = openings(tmp_path / "all.parquet", candidates=tmp_path / "ranked.parquet")
    assert any(row["cost"] for row in rows if not row["judged"])
    for row in rows:
        before = START.play(row["opening"], row["opening_dice"]) if row["opening"] else START
        listed = costs[before, row["dice"], before.play(row["action"], row["dice"])]
        assert row["cost"] == (pytest.approx(mean(listed)) if listed else row["error"])
    assert [row | {"cost": row["error"]} for row in rows] == openings(tmp_path / "all.parquet")
