"""`records.analyze` with GNU Backgammon, against its own analysis."""

from __future__ import annotations

from pathlib import Path

import attrs
from test_analyzing import EXAMPLES, numbers_in, started_gnubg

import each
import gnu_backgammon
from gammonrules.engine import SimpleEngine
from gammonrules.records import analyze, dump, load

__all__ = ["started_gnubg"]

SETTINGS = [
    f"set analysis {kind} plies 0" for kind in ("chequerplay evaluation", "cubedecision evaluation", "luckanalysis")
]


@gnu_backgammon.is_needed
@each.first("name", ["match2151849.txt", "match6047230.txt"])
def test_the_numbers_are_those_that_gnu_backgammon_saves(gnubg: SimpleEngine, name: str, tmp_path: Path) -> None:
    """All digits that its file has."""
    match = load(EXAMPLES / name)
    dump(match, tmp_path / "in.mat")
    gnu_backgammon.run(tmp_path, *SETTINGS, "import mat in.mat", "analyse match", "save match out.sgf")
    sides = analyze(match, gnubg).decisions(), load(tmp_path / "out.sgf").decisions()
    both = ([decision for decision in side if not decision.kind.startswith("resign")] for side in sides)
    for ours, theirs in zip(*both, strict=True):
        assert (ours.kind, ours.state.position, ours.luck) == (theirs.kind, theirs.state.position, theirs.luck)
        plays, cube = theirs.play_analysis, theirs.cube_analysis
        if plays and not ours.is_forced:
            assert ours.error == theirs.error
            listed = [attrs.evolve(play, mwc=None) for play in ours.play_analysis.candidates]
            positions = {play.position for play in listed}
            saved = [play for play in plays.candidates if play.position in positions]
            assert [*map(numbers_in, listed)] == [*map(numbers_in, saved)]
        elif cube:
            assert numbers_in(attrs.evolve(ours.cube_analysis, mwc=cube.mwc)) == numbers_in(cube)
        else:  # forced, or before a resignation
            assert plays or ours.cube_analysis
