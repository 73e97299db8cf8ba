"""Training sets: the boards that engines evaluated in records, against what the decisions of these records say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import numpy as np
import pytest
from hypothesis import given

import each
import real_records
import wording
from gammonrules import ParseError, Position
from gammonrules.equity import Chances
from gammonrules.errors import ArgumentError
from gammonrules.records import (
    Candidate,
    CubeAnalysis,
    DecisionKind,
    Match,
    PlayAnalysis,
    Samples,
    loads,
    scan,
    to_samples,
)
from gammonrules.strategies import records

DATA = Path(__file__).parents[1] / "data"
GNUBG, XG = DATA / "analysis" / "gnubg", DATA / "analysis" / "xg"
TEXT = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5  62: 24/18 13/11\n  2) Doubles => 2   Takes\n"
FIVE = Chances(0.75, 0.25, 0, 0.125, 0)
TURNED = (0.25, 0.125, 0, 0.25, 0)
Found: TypeAlias = dict[tuple[str, str], Counter[tuple[tuple[int, ...], tuple[float, ...]]]]
"""By engine and level, how often there is a board with chances."""


def by_hand(match: Match) -> Found:
    """What `to_samples` is to find, by the outcomes of each decision alone."""
    counts: Found = {}
    for decision in match.decisions():
        evaluated: list[tuple[str, Position, Chances | None]] = []
        state, analysis = decision.state, decision.analysis
        if isinstance(analysis, PlayAnalysis) and decision.kind is DecisionKind.PLAY:
            after = {play.play: state.position.play(play.play, state.dice) for play in analysis.candidates}
            evaluated = [(play.level, after[play.play], opposite(play.chances)) for play in analysis.candidates]
        if isinstance(analysis, CubeAnalysis) and decision.kind is DecisionKind.DOUBLE:
            evaluated.append((analysis.level, state.view(decision.player), analysis.chances))
        add(counts, analysis and analysis.engine, evaluated)
    for game in match.games:
        final, pending = game.final(), game.pending
        if isinstance(pending, CubeAnalysis) and final.dice is None:
            add(counts, pending.engine, [(pending.level, final.position, pending.chances)])
        if isinstance(pending, PlayAnalysis):
            plays = [(play.level, play.position, opposite(play.chances)) for play in pending.candidates]
            add(counts, pending.engine, plays)
    return counts


def add(counts: Found, engine: str | None, evaluated: list[tuple[str, Position, Chances | None]]) -> None:
    for level, board, chances in evaluated:
        if chances is not None and board.outcome is None and board.checkers == 15:
            five = np.array(attrs.astuple(chances), np.float32).round(5)
            counts.setdefault((engine or "", level), Counter())[board.points, tuple(five.tolist())] += 1


def opposite(chances: Chances | None) -> Chances | None:
    """What is won by one player is lost by the other."""
    if chances is None:
        return None
    win, gammon, backgammon, lose_gammon, lose_backgammon = attrs.astuple(chances)
    return Chances(1 - win, lose_gammon, lose_backgammon, gammon, backgammon)


def counted(samples: Samples) -> Counter[tuple[tuple[int, ...], tuple[float, ...]]]:
    chances = samples.chances.round(5).tolist()
    return Counter(zip(map(tuple, samples.boards.tolist()), map(tuple, chances), strict=True))


def check(match: Match) -> int:
    """Compare all samples of a match, and return how many there are."""
    counts = by_hand(match)
    for (engine, level), expected in counts.items():
        samples = to_samples(match, analyzed_by=engine, analysis_level=level)
        assert counted(samples) == expected
        assert (samples.engine, samples.levels) == (engine, (level,))
    return sum(expected.total() for expected in counts.values())


@given(records())
def test_each_sample_is_what_a_decision_of_the_record_says(match: Match) -> None:
    if not check(match):
        with wording.raises(ArgumentError, "no board has chances"):
            to_samples(match)


@each.first(
    "path, least",
    [
        (GNUBG / "money-beaver_0ply.sgf", 30),
        (GNUBG / "rollout_3pt-game1.txt", 100),
        (DATA / "matches" / "bgf" / "XCu3RJ0UvDg_Tldl.bgf", 100),
        (DATA / "analysis" / "xg-text" / "money_no-redouble.txt", 1),
        (GNUBG / "match7662222_1ply.sgf", 500),
        (XG / "aachen2024-double-7pt-b.xg", 1_000),
    ],
    of_these=4,
)
def test_samples_of_real_records(path: Path, least: int) -> None:
    assert check(real_records.loaded(path)) >= least


def analyzed(*analyses: Any, text: str = TEXT, engine: str = "E") -> Match:
    """A record whose decisions have these analyses, one after another."""
    match = loads(text)
    by_index = {
        decision.index: analysis and attrs.evolve(analysis, engine=engine)
        for decision, analysis in zip(match.decisions(), analyses, strict=False)
    }
    games = [attrs.evolve(match.games[0], analyses=tuple(map(by_index.get, range(len(match.games[0].events)))))]
    return attrs.evolve(match, games=tuple(games))


def plays(*levels: str, chances: Chances | None = FIVE) -> PlayAnalysis:
    after = Position.start().play("8/5 6/5", "31")
    return PlayAnalysis(tuple(Candidate("8/5 6/5", after, 0.1, chances, level) for level in levels))


def test_the_chances_are_those_of_the_player_on_roll() -> None:
    """After a play that is the opponent; before a roll the player who may double. The answer says nothing new."""
    cube = CubeAnalysis(0.5, 0.9, chances=FIVE, level="1-ply")
    match = analyzed(plays("1-ply"), cube, None, cube, cube)
    samples = to_samples(match)
    play, roll, _, double, _ = match.decisions()
    boards = [decision.position.points for decision in (play.after, roll.state, double.state)]
    assert samples.boards.tolist() == [[*board] for board in boards]
    assert samples.chances.tolist() == [list(TURNED), *[[0.75, 0.25, 0, 0.125, 0]] * 2]
    assert samples.equities.tolist() == [-0.625, 0.625, 0.625]
    dtypes = samples.boards.dtype, samples.chances.dtype, samples.equities.dtype, samples.matches.dtype
    assert [str(dtype) for dtype in dtypes] == ["int8", "float32", "float32", "uint64"]
    assert samples.boards.flags.writeable


def test_finished_games_and_fewer_checkers_are_left_out() -> None:
    over, hypergammon = Position.of(theirs={1: 15}), Position.start("hypergammon")
    candidates = [Candidate("", position, 0, FIVE, "1-ply") for position in (over, Position.start(), hypergammon)]
    samples = to_samples(analyzed(PlayAnalysis((*candidates, Candidate("", Position.start(), level="1-ply")))))
    assert samples.boards.tolist() == [[*Position.start().points]]


def test_levels_mix_only_if_they_are_named() -> None:
    match = analyzed(plays("2-ply", "0-ply", "0-ply", "rollout"))
    for asked, counts in ("2-ply", [1]), (["0-ply"], [2]), (("rollout", "0-ply"), [1, 2]):
        samples = to_samples(match, analysis_level=asked)
        assert samples.levels == ((asked,) if isinstance(asked, str) else tuple(asked))
        assert np.bincount(samples.level_index).tolist() == counts
    example = "level: '2-ply' (1 board), '0-ply' (2 boards), 'rollout' (1 board)"
    for level in None, "1-ply", ["2-ply", "1-ply"]:
        with wording.raises(ArgumentError, example):
            to_samples(match, analysis_level=level)


def test_engines_never_mix() -> None:
    matches = [analyzed(plays("2-ply"), engine=name) for name in ("GNU Backgammon 1", "GNU Backgammon 1.2", "bgsage 2")]
    names = [(None, ""), ("gnubg", ""), ("GNU Backgammon 1", "GNU Backgammon 1"), ("bgs", "bgsage 2"), ("xg", "")]
    for engine, chosen in names:
        if chosen:
            assert to_samples(matches, analyzed_by=engine).engine == chosen
        else:
            second = "GNU Backgammon 1.2" if engine == "gnubg" else "bgsage 2"  # which programs it may mean, if any
            with wording.raises(ArgumentError, f"engine: 'GNU Backgammon 1' (1 board), '{second}' (1 board)") as error:
                to_samples(matches, analyzed_by=engine)
            assert ("bgsage" in str(error.value)) == (engine != "gnubg")


def test_no_match_is_in_both_parts() -> None:
    """Whatever the files, the formats and the seats are."""
    sgf, text = (
        GNUBG / "match7662222_1ply.sgf",
        [GNUBG / f"match7662222_1ply{n}.txt" for n in ("", "_002", "_003", "_004")],
    )
    twins = [to_samples(paths, analysis_level="1-ply") for paths in (sgf, text)]
    assert {*twins[0].matches.tolist()} == {*twins[1].matches.tolist()}
    begun = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: "
    samples = to_samples(
        [analyzed(plays("1-ply"), text=f"{begun}{play}") for play in Position.start().legal_plays("31")]
    )
    training, held_out = samples.split(0.3)
    apart = {*held_out.matches.tolist()}
    assert apart.isdisjoint(training.matches.tolist())
    assert len(training) + len(held_out) == len(samples) == 16
    assert apart == {*sorted({*samples.matches.tolist()})[:5]}
    assert [len(part) for share in (0, 1) for part in samples.split(share)] == [16, 0, 0, 16]
    assert [len(part) for share in (0.001, 0.999) for part in samples.split(share)] == [15, 1, 1, 15]
    with wording.raises(ArgumentError, "second match"):
        samples[:1].split(0.5)


@pytest.mark.long
@pytest.mark.usefixtures("few_are_shared")
def test_the_same_with_any_number_of_processes() -> None:
    paths = [GNUBG / "match7662222_1ply.sgf", GNUBG / "rollout_3pt-game1.sgf"]
    made = [to_samples(paths, workers=workers, analysis_level=["1-ply", "0-ply"]) for workers in (1, 2)]
    entries = [entry for entry in scan(*paths) if entry.match]
    for other in (made[1], to_samples(entries, analysis_level=["1-ply", "0-ply"])):
        for name in ("boards", "chances", "matches", "level_index", "levels"):
            assert np.array_equal(getattr(made[0], name), getattr(other, name)), name


def test_samples_are_not_searched_by_in() -> None:
    samples = to_samples(analyzed(plays("1-ply")))
    with pytest.raises(TypeError):
        "31" in samples  # type: ignore[operator]  # noqa: B015


def test_matches_and_games_that_are_there_twice() -> None:
    match = analyzed(plays("1-ply"))
    for unique, number in (False, 2), (True, 1), ("game", 1):
        assert len(to_samples(match, match, unique=unique)) == number  # type: ignore[arg-type]


def test_what_it_does_not_take(tmp_path: Path) -> None:
    match = analyzed(plays("1-ply"))
    (tmp_path / "no.txt").write_text("nothing")
    wrong: list[tuple[type[Exception], dict[str, Any], str]] = [
        (ArgumentError, {"analyzed_by": 3}, "analyzed_by: 3"),
        (ArgumentError, {"analysis_level": 2}, "analysis_level: 2"),
        (ArgumentError, {"analysis_level": []}, "analysis_level: []"),
        (ArgumentError, {"analysis_level": ["1-ply", 1]}, "analysis_level: 1"),
        (ArgumentError, {"workers": 0}, "workers: 0"),
        (ArgumentError, {"unique": "file"}, "unique: 'file'"),
    ]
    for error, arguments, example in wrong:
        with wording.raises(error, example):
            to_samples(match, **arguments)
    with wording.raises(ArgumentError, "3"):
        to_samples(3)  # type: ignore[arg-type]
    with wording.raises(ArgumentError, "no board has chances"):
        to_samples(loads(TEXT), [])
    with pytest.raises(ParseError):
        to_samples(tmp_path / "no.txt")
    for share in -0.1, 1.1, float("nan"), "0.1", None:
        with wording.raises(ArgumentError, f"share: {share!r}"):
            to_samples(match).split(share)  # type: ignore[arg-type]


def test_its_text_is_one_line() -> None:
    assert repr(to_samples(analyzed(plays("2\n-ply")))) == "<Samples: 1 board of 1 match by E, 2 -ply>"
    assert "unnamed" in repr(to_samples(analyzed(plays("1-ply"), engine="")))
