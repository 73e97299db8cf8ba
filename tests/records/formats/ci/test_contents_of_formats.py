"""Which formats have luck and times: what the page of records says, against what the readers and the writers do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain, pairwise
from pathlib import Path
from typing import get_args

import attrs
import pytest

from gammonrules.match import Event
from gammonrules.records import Match, dumps, load, loads, scan
from gammonrules.records.formats.registry import WRITERS, ReadFormat

ROOT = Path(__file__).parents[4]
ANALYSES = ROOT / "tests" / "data" / "analysis"
BOTH = ANALYSES / "gnubg" / "match7662222_1ply.sgf"
"""Luck, and tags."""
FILES = {
    "xg": [ROOT / "examples" / "matches" / "xg" / "test.xg"],
    "bgf": sorted(ROOT.glob("tests/data/fuzz/bgf/*")),
    "gnubg-text": sorted(ANALYSES.glob("gnubg/match7662222_1ply_00*.txt")),
    "xg-text": sorted(ANALYSES.glob("xg-text/*.txt"))[:20],
    "bgblitz-text": sorted(ANALYSES.glob("bgblitz-text/*.txt")),
}
"""Files of the formats that are only read."""
CONTENTS = {"luck", "start", "turns", "rolls"}
"""A time for each turn, and another one for its roll."""
PAGE = ROOT / "docs" / "reference" / "records.md"


def contents_of(match: Match) -> set[str]:
    decisions = [*match.decisions()]
    pending = [game.pending for game in match.games]
    lucks = [decision.luck for decision in decisions] + [getattr(analysis, "luck", None) for analysis in pending]
    times = [[(event, getattr(event, "time", None)) for event in game.events] for game in match.games]
    pairs = chain.from_iterable(map(pairwise, times))
    present = {
        "luck": any(luck is not None for luck in lucks),
        "start": match.time is not None,
        "turns": any(time is not None for _, time in chain.from_iterable(times)),
        "rolls": any(
            isinstance(event, Event) and event.action == "roll" and time != then for (event, time), (_, then) in pairs
        ),
    }
    return {name for name, is_there in present.items() if is_there}


def with_all() -> Match:
    """A match with luck and all times."""
    match = load(BOTH)
    games = [attrs.evolve(game, events=tuple(timed(game.events))) for game in match.games]
    return attrs.evolve(match, games=tuple(games), tags=(*match.tags, ("EventTime", "19.44")))


def timed(events: Iterable[object]) -> Iterable[object]:
    for second, event in enumerate(events):
        yield event.at(second) if isinstance(event, Event) else event


def said_on_the_page() -> dict[str, set[str]]:
    """What the list of formats says of each, in its last two columns."""
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| .* \| (?:yes|no) \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text("utf-8"))
    said: dict[str, set[str]] = {}
    for name, analyses, times in rows:
        words = {*analyses.split(", "), *times.split(", ")}
        said[name] = CONTENTS if words == {"all"} else words & CONTENTS
    return said


@pytest.mark.skipif(not PAGE.exists(), reason="a distribution is tested without the documentation")
def test_the_page_says_which_formats_have_luck_and_times() -> None:
    match = with_all()
    assert contents_of(match) == CONTENTS
    present = {name: contents_of(loads(dumps(match, name))) for name in WRITERS}
    for name, paths in FILES.items():
        matches = [entry.match for entry in scan(*paths, workers=1) if entry.match]
        assert {match.format for match in matches} == {name}
        present[name] = set().union(*map(contents_of, matches))
    assert present.keys() == {*get_args(ReadFormat)}
    assert said_on_the_page() == present
