"""`records.analyze` with GNU Backgammon, against its own analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
import pytest
from test_analyzing import BEAVER, BEGIN, EXAMPLES, HEAD, TAKEN, analyses_of, log, started_gnubg

import each
import gnu_backgammon
import loop
from gammonrules import TOURNAMENT, Dice, Event, MatchState, Player, Position, Rules
from gammonrules.engine import SimpleEngine
from gammonrules.records import Candidate, CubeAnalysis, Match, PlayAnalysis, analyze, dump, load, loads

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


class Asked:
    """An engine that is asked each question alone, and counts them."""

    def __init__(self, engine: SimpleEngine, *, by_itself: bool = False) -> None:
        self.engine, self.name, self.level, self.questions = engine, engine.name, engine.level, 0
        if by_itself:
            self.analyze_sgf = engine.analyze_sgf

    def candidates(self, state: MatchState, limit: int, *, also: Sequence[Position] = ()) -> Sequence[Candidate]:
        self.questions += 1
        return self.engine.candidates(state, limit, also=also)

    def cube_analysis(self, state: MatchState) -> CubeAnalysis:
        self.questions += 1
        return self.engine.cube_analysis(state)

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        self.questions += 1
        return self.engine.roll_equities(state)


SGF = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]{})"
BOARD = ";PL[W]AE[a:y]AW[b][f][f][f][f][h][h][h][m][m][m][y]AB[u][t][s][s][s][s][s][q][q][q][l][l][l][c][y]"
RESIGNED = Event("roll", Player.WHITE, (6, 6)), Event("resign", Player.WHITE, 2), Event("accept", Player.BLACK)
TIE, AUTOMATIC = Event("opening_roll", argument=(3, 3)), Rules(auto_doubles=1)


@gnu_backgammon.is_needed
@loop.rows(
    "what, match, lacking",
    ("a roll pending", loads(f"{HEAD}  1) 31: 8/5 6/5   64: 24/14\n  2) 52:"), 3),
    ("a double pending", log(TOURNAMENT, 5, BEAVER[0]), 1),
    ("cut", loads(f"{HEAD}  1) 31: 8/5 6/5   64: 24/14\n  2) 52: 1/2\n  3) 41: 6/5"), 1),
    ("an illegal play", loads(SGF.format(f";W[31hefe];PL[B]DI[52]{BOARD};W[61yxmg];B[31ybcd]")), 2),
    ("set by hand", loads(SGF.format(f";W[31hefe];B[52lnlq]{BOARD};CV[2];CP[w];W[52yxhf]")), 1),
    ("resigned after a roll", log(TOURNAMENT, 5, *RESIGNED), 1),
    ("the Crawford game", log(TOURNAMENT, 5, *RESIGNED, score=(2, 4)), 0),
    ("without the Crawford rule", log(Rules(crawford=False), 5, *RESIGNED, score=(1, 3)), 7),
    ("a beaver", log(Rules(jacoby=False, beavers=1), None, *BEAVER), 2),
    ("the cube at 2", Match.from_events(("", ""), MatchState.new(None, rules=AUTOMATIC), [TIE, *BEGIN]), 1),
    ("no cube", log(Rules(cube=False), 5), 4),
    ("a limit of the cube", log(Rules(max_cube=4), 5), 6),
    ("one that cannot matter", log(Rules(max_cube=8), 5, *TAKEN), 2),
    ("one that is far away", log(Rules(max_cube=16), None, *TAKEN), 8),
)
def test_a_whole_game_gets_what_single_questions_get(
    gnubg: SimpleEngine, what: str, match: Match, lacking: int
) -> None:
    """Where its own file has fewer decisions than ours, nothing is shifted: what it lacks is asked for."""
    analyses, told, asked = [], [], []
    for by_itself in (True, False):
        engine, progress = Asked(gnubg, by_itself=by_itself), list[tuple[MatchState, str | None]]()
        analyzed = analyze(match, engine, progress=lambda *state_and_why: progress.append(state_and_why))  # noqa: B023
        analyses.append([numbers_of(analysis) for analysis in analyses_of(analyzed)])
        told.append(progress)
        asked.append(engine.questions)
    assert told[0] == told[1], what
    assert asked[0] == lacking <= asked[1], what
    for by_itself, by_question in zip(*analyses, strict=True):
        assert by_itself == pytest.approx(by_question, abs=5e-5), what


def numbers_of(analysis: object) -> dict[str, float | None]:
    """All numbers of an analysis, by the names of what they are of."""
    if isinstance(analysis, PlayAnalysis):
        made = analysis.made.play if analysis.made else None
        numbers = {"luck": analysis.luck, f"{made} was made": 1}
        for play in analysis.candidates:
            numbers |= {f"{play.play} {name}": number for name, number in numbers_in(play).items()}
        return numbers
    return numbers_in(analysis) if isinstance(analysis, CubeAnalysis) else {}


def numbers_in(analysis: Candidate | CubeAnalysis) -> dict[str, float | None]:
    mwc = analysis.mwc if isinstance(analysis.mwc, tuple) else (analysis.mwc,)
    assert analysis.chances is not None
    numbers = attrs.asdict(analysis.chances) | {f"mwc {index}": chance for index, chance in enumerate(mwc)}
    if isinstance(analysis, Candidate):
        return {**numbers, "equity": analysis.equity}
    return {**numbers, "no double": analysis.no_double, "double, take": analysis.double_take}
