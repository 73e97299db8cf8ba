"""Games that people and engines have played ended at a level that was still possible after each of their actions."""

from __future__ import annotations

from pathlib import Path

import each
from gammonrules.match import End
from possible_ends import ends_as_was_possible
from real_records import loaded

MATCHES = Path(__file__).parents[2] / "data" / "matches"
RECORDS = [path for path in sorted(MATCHES.glob("*/*.*")) if path.parent.name != "broken" and path.suffix != ".tsv"]


@each.file(RECORDS, lambda path: f"{path.parent.name}-{path.name}")
def test_real_games_ended_as_was_possible(path: Path) -> None:
    for game in loaded(path).games:
        states = [*game.states()]
        result = states[-1].result
        if result is not None and result.end is End.PLAYED:
            ends_as_was_possible(states)
