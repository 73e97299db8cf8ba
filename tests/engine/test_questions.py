"""The verdict at all scores, with the cube in its three places, and on chosen plays.

Laws, against single questions to the same engine, and the exact table of bear-offs.
"""

from __future__ import annotations

import re
from functools import cache, partial
from itertools import product
from xml.etree import ElementTree as ET

import attrs
import pytest
from hypothesis import given, settings
from open_engines import engine_of

import gnu_backgammon
import loop
import wording
from gammonrules import (
    Action,
    Cube,
    GammonError,
    IllegalActionError,
    MatchState,
    Phase,
    Player,
    Position,
    Rules,
    Win,
    arena,
    draw,
)
from gammonrules.analysis.internals import is_of_double
from gammonrules.engine import (
    CubeComparison,
    Engine,
    Evaluation,
    Hint,
    ScoreMatrix,
    SimpleEngine,
    StateAnalysis,
    compare_cube_positions,
    compare_plays,
    score_matrix,
)
from gammonrules.equity import Chances
from gammonrules.records import Candidate, CubeAnalysis, PlayAnalysis
from gammonrules.strategies import match_states

pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

TO_DOUBLE = MatchState.from_xgid("XGID=-a--BBBBC---cC-a-b-bbb----:0:0:1:00:0:0:0:7:10")
"""A double for money."""
OPENING = MatchState.new(7).opening_roll(white=6, black=4)
REPLY = MatchState.new(None).opening_roll(white=3, black=1).play("8/5 6/5").roll("64")
LAST_ROLL = MatchState(Position.of(mine={5: 1, 2: 1, "off": 13}, theirs={1: 1, "off": 14}), Player.BLACK)
"""Black wins at once, by 19 throws of 36, or loses."""
ENGINES = ["bgsage", pytest.param("gnubg", marks=gnu_backgammon.is_needed)]
SCORES = [
    (mine, theirs, crawford)
    for mine, theirs in product((1, 2, 3), repeat=2)
    for crawford in ([False, True] if (mine == 1) != (theirs == 1) else [False])
]


@cache
def matrix_of(engine: str, state: MatchState, away: int = 9) -> ScoreMatrix:
    return score_matrix(engine_of(engine), state, away=away)


def at(state: MatchState, mine: int, theirs: int, *, crawford: bool) -> MatchState:
    """The position in a match of another length than that of the matrix: only what players need matters."""
    length = 12
    score = (length - mine, length - theirs) if state.on_roll is Player.WHITE else (length - theirs, length - mine)
    return MatchState(
        state.position, state.on_roll, state.dice, cube=state.cube, score=score, length=length, crawford=crawford
    )


@pytest.mark.parametrize("name", ENGINES)
@loop.over("state", [TO_DOUBLE, LAST_ROLL, OPENING, REPLY, attrs.evolve(REPLY, dice=None, cube=Cube(2, Player.BLACK))])
def test_each_verdict_is_that_of_a_single_question(name: str, state: MatchState) -> None:
    """At every score at which there is something to decide, and at those that have names."""
    engine, told, wanted = engine_of(name), list[tuple[int, int]](), set[object]()
    matrix = score_matrix(engine, state, away=3, progress=lambda *numbers: told.append(numbers))
    for score in SCORES:
        if score[2] and state.cube.owner:
            continue
        there = at(state, score[0], score[1], crawford=score[2])
        if state.dice or Action.DOUBLE in there.legal_actions:
            asked = (
                PlayAnalysis(engine.candidates(there, 3), engine=engine.name)
                if state.dice
                else engine.cube_analysis(there)
            )
        elif score in {(1, 1, False), (1, 2, True), (2, 1, True)}:
            asked = engine.evaluate(there)
        else:
            continue
        wanted.add(score)
        analysis = matrix.at(*score[:2], crawford=score[2])
        assert (analysis.analysis, analysis.score) == (asked, score)
    assert {analysis.score for analysis in matrix.analyses} == {None, *wanted}
    assert told == [(number, len(matrix.analyses)) for number in range(1, len(matrix.analyses) + 1)]


@pytest.mark.parametrize("name", ENGINES)
@loop.rows("state", attrs.evolve(TO_DOUBLE, cube=Cube(4, Player.BLACK)), TO_DOUBLE, REPLY, OPENING)
def test_the_cube_in_its_places(name: str, state: MatchState) -> None:
    value, told = max(2, state.cube.value), list[tuple[int, int]]()
    engine = engine_of(name)
    places = compare_cube_positions(engine, state, progress=lambda *numbers: told.append(numbers))
    for analysis, owner in zip(places.analyses, (None, state.on_roll, state.on_roll.opponent), strict=True):
        there = attrs.evolve(state, cube=Cube(value if owner else 1, owner))
        if state.dice:
            assert analysis.analysis.candidates == engine.candidates(there, 3)
        else:
            assert analysis.analysis == (engine.evaluate if owner is Player.BLACK else engine.cube_analysis)(there)
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_a_bearoff_that_is_known_exactly() -> None:
    """For money, by the table of two-sided bear-offs, in each place of the cube."""
    bearoff = pytest.importorskip("gammonrules.bearoff")
    state = MatchState.from_xgid("XGID=-AAA--B------------aaba---:0:0:1:00:0:0:3:0:10")
    exact = bearoff.two_sided(points=6, checkers=5)[state.position]
    middle, own, theirs = compare_cube_positions(engine_of("bgsage"), state).analyses
    wanted = (exact.centered, 2 * exact.opponent_owns), (exact.owned, 2 * exact.opponent_owns), (exact.opponent_owns,)
    for analysis, equities in zip((middle, own, theirs), wanted, strict=True):
        assert [*analysis.equities.values()][: len(equities)] == pytest.approx(equities, abs=0.1)
    assert (middle.verdict, theirs.verdict) == ("double, take", "no double is possible")


@pytest.mark.parametrize("name", ENGINES)
def test_chosen_plays(name: str) -> None:
    """Those alone are shown, with their ranks and what each loses against the best play of all."""
    engine = engine_of(name)
    every = engine.candidates(OPENING, also=["13/3", "8/2 6/2"])
    hint = compare_plays(engine, OPENING, "8/2 6/2;13/3 ; 8/2 6/2;")
    assert hint == compare_plays(engine, OPENING, [OPENING.legal_plays.find("13/3"), "8/2 6/2"])
    assert hint.analysis.candidates == every
    assert [every[rank].play for rank in hint.chosen] == ["8/2 6/2", "13/3"]
    rows = str(hint).partition("\n\n")[2].splitlines()
    for row, rank in zip(rows[1:], hint.chosen, strict=False):
        assert row.startswith(f"{rank + 1}. {every[rank].play} ")
        assert f" {every[rank].equity - every[0].equity:+.3f} " in row
    assert rows[3] == f"Best of all: 1. {every[0].play} {every[0].equity:+.3f}"


# --- what is shown ----------------------------------------------------------------------------------------------------


@loop.rows("state", TO_DOUBLE, OPENING)
def test_text_and_picture_say_the_same(state: MatchState) -> None:
    """Each cell has its verdict and how close it is, and says so in words, for those who do not see it."""
    matrix = matrix_of("bgsage", state)
    shown, root = str(matrix), ET.fromstring(draw.svg.matrix(matrix))
    svg = {"svg": "http://www.w3.org/2000/svg"}
    cells = root.findall(".//svg:g[@class='verdict']", svg)
    titles = {cell.find("svg:title", svg).text for cell in cells}
    decided = [each for each in matrix.analyses if each.score and each.margin is not None]
    assert len(cells) == len(titles) == len(decided) == (97 if state.dice else 72)
    for analysis in decided:
        mine, theirs, crawford = analysis.score
        heads = [f"{away}{'C' * (crawford and away == 1)} away" for away in (mine, theirs)]
        assert f"{', '.join(heads)}: {analysis}" in titles
        assert f"{analysis.margin:.3f}".removeprefix("0") in shown or f"{analysis.margin:.2f}" in shown
    own = [cell for cell in cells if cell.find("svg:rect[@class='last-from']", svg) is not None]
    assert shown.count("*") == len(own) == (state.length is not None)
    assert draw.svg.matrix(matrix, style=draw.BoardStyle(size=draw.svg.USUAL_WIDTH)) in matrix._repr_html_()


EVALUATION = Evaluation(Chances(0.6, 0, 0, 0, 0), 0.25)


@loop.rows(
    "changes, why",
    ({"rules": Rules(cube=False)}, "this game is played without a cube"),
    ({"length": 3, "score": (2, 0), "crawford": True}, "the Crawford game is played without doubling"),
    ({"cube": Cube(4, Player.BLACK)}, "Black owns the cube"),
    ({"length": 3, "score": (1, 0), "cube": Cube(2, Player.WHITE)}, "the cube is dead"),
    ({"length": None, "rules": Rules(max_cube=16), "cube": Cube(16, Player.WHITE)}, "the cube ends at 16"),
)
def test_why_there_is_no_verdict_is_told(changes: dict[str, object], why: str) -> None:
    """In the text, the picture and the notebook, as the refused double says it."""
    state = attrs.evolve(TO_DOUBLE, **changes)
    with pytest.raises(IllegalActionError, match=why) as refused:
        state.double()
    hint = Hint(state, Action.ROLL, EVALUATION, engine="one")
    below = hint.to_svg().split("Position ID")[1]
    words_below = " ".join(re.findall("<text[^>]*>([^<]*)", below))  # a long line is broken
    for shown in (str(hint), words_below, hint._repr_html_()):
        assert shown.count(f"{refused.value}") == 1


@settings(max_examples=24)
@given(match_states())
def test_either_the_verdict_is_told_or_why_there_is_none(state: MatchState) -> None:
    """Before the roll; of another state, such as a resignation to answer, an evaluation says nothing of doubles."""
    analysis = CubeAnalysis(0.7, 0.96) if is_of_double(state) else EVALUATION
    shown = str(Hint(state, Action.ROLL, analysis))
    is_told = ["Best: double, take" in shown, f"{state.to_act} cannot double: ".capitalize() in shown]
    is_before_roll = state.phase is Phase.TO_ROLL
    assert sum(is_told) == (is_before_roll or is_of_double(state))
    assert is_told[0] == is_of_double(state)


@loop.rows("theme", *draw.THEMES, "auto")
def test_colors_tell_verdicts_apart(theme: str) -> None:
    """In each theme that has colors; the codes always do."""
    picture = draw.svg.matrix(matrix_of("bgsage", TO_DOUBLE), style=draw.BoardStyle(theme=theme))
    cells = re.findall(r"</title><rect[^>]* (class=[^/]*)/><text[^>]*>([^<]*)", picture)
    assert len({code for _, code in cells}) == len({look for look, _ in cells}) >= 3


def test_names_are_text() -> None:
    hostile = "<b>\x1b[31m\ud800" * 20
    analysis = attrs.evolve(matrix_of("bgsage", OPENING).analyses[0], reason=hostile, analysis=None)
    matrix = attrs.evolve(matrix_of("bgsage", OPENING), engine=hostile, level=hostile)
    matrix = attrs.evolve(matrix, analyses=(analysis, *matrix.analyses[1:]))
    candidate = Candidate(hostile, OPENING.position, 0.0)
    shown = [
        matrix,
        CubeComparison(OPENING, (analysis,) * 3, hostile, hostile),
        Hint(OPENING, Action.PLAY, PlayAnalysis((candidate,)), hostile),
    ]
    for each in shown:
        assert "<b>\N{REPLACEMENT CHARACTER}[31m" in str(each)
        assert "\x1b" not in str(each) + each._repr_html_()
        assert "<b>" not in each._repr_html_()
    ET.fromstring(draw.svg.matrix(matrix))


def test_a_double_that_is_pending_is_taken_back() -> None:
    """The verdict is on doubling and on its answer."""
    bgsage = engine_of("bgsage")
    for ask in partial(score_matrix, away=2), compare_cube_positions:
        assert ask(bgsage, TO_DOUBLE.double()) == ask(bgsage, TO_DOUBLE)


def test_what_is_not_known_at_a_score_is_said_there() -> None:
    """bgsage knows a match without the Crawford rule where somebody needs one point."""
    without = attrs.evolve(OPENING, rules=Rules(crawford=False))
    matrix = matrix_of("bgsage", without, 3)
    assert "without the Crawford rule" in matrix.at(2, 3).verdict
    assert (matrix.at(2, 3).analysis, matrix.at(2, 3).margin, matrix.at(2, 3).equities) == (None, None, {})
    assert matrix.at(1, 3).analysis is not None
    assert {analysis.score for analysis in matrix.analyses if analysis.score} == {
        score for score in SCORES if not score[2]
    }
    assert "?" in str(matrix)


POLICY = arena.Policy(lambda turns, _: turns.random_rows())
BEAVERED = attrs.evolve(REPLY, dice=None).double().beaver()
HYPERGAMMON = MatchState.new(None, rules=Rules(start="hypergammon")).opening_roll(3, 1)
CRAWFORD = MatchState.new(3, score=(2, 0)).opening_roll(3, 1).play("8/5 6/5")


@loop.rows(
    "ask, words",
    (lambda engine: score_matrix(engine, MatchState.new(7)), "the opening roll comes first"),
    (lambda engine: score_matrix(engine, TO_DOUBLE.resign(Win.SINGLE)), "resigned"),
    (lambda engine: score_matrix(engine, BEAVERED), "doubled"),
    (lambda engine: score_matrix(engine, TO_DOUBLE, away=1), "away must be a whole number from 2 to 25"),
    (lambda _: score_matrix(POLICY, OPENING), "engine must be a SimpleEngine"),
    (lambda _: compare_cube_positions("bgsage", TO_DOUBLE), "engine must be a SimpleEngine"),
    (lambda _: compare_plays(Engine.bgsage(), OPENING, "8/2 6/2"), "engine must be a SimpleEngine"),
    (lambda engine: score_matrix(engine, attrs.evolve(TO_DOUBLE, cube=Cube(2, Player.BLACK))), "owns the cube"),
    (lambda engine: score_matrix(engine, attrs.evolve(TO_DOUBLE, rules=Rules(cube=False))), "without a cube"),
    (lambda engine: score_matrix(engine, HYPERGAMMON), "3 checkers"),
    (lambda engine: score_matrix(engine, LAST_ROLL.roll("66")), "leaves no choice"),
    (lambda engine: compare_cube_positions(engine, CRAWFORD), "the Crawford game"),
    (lambda engine: compare_plays(engine, TO_DOUBLE, "8/7"), "dice"),
    (lambda engine: compare_plays(engine, OPENING, "8/7"), "8/7"),
    (lambda engine: compare_plays(engine, OPENING, " ; "), "no plays"),
    (lambda _: matrix_of("bgsage", OPENING).at(10, 1), "10 away, 1 away"),
    (lambda _: matrix_of("bgsage", OPENING).at(2, 2, crawford=True), "Crawford"),
    (lambda _: draw.svg.matrix(OPENING), "matrix must be"),
    (lambda _: StateAnalysis(OPENING, "31"), "analysis"),
)
def test_what_is_refused(ask: object, words: str) -> None:
    with SimpleEngine.bgsage() as engine, pytest.raises(GammonError) as refused:
        ask(engine)
    wording.check(refused.value, words)
