"""`records.analyze`, with a made-up engine against a second reckoning, and with GNU Backgammon against its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from zlib import crc32

import attrs
import pytest
from hypothesis import example, given, settings

import gnu_backgammon
from gammonrules import Action, ArgumentError, Dice, Event, MatchState, Phase, Position, strategies
from gammonrules.dice import ROLLS
from gammonrules.engine import EngineUnsupportedError, SimpleEngine
from gammonrules.records import Candidate, CubeAnalysis, Game, Match, PlayAnalysis, analyze, dump, load, loads

EXAMPLES = Path(__file__).parents[2] / "examples" / "matches" / "galaxy"
HEAD = "5 point match\n Game 1\n Ann : 0  Bob : 0\n"
SHORT = EXAMPLES / "match9806622.txt"


def worth(state: MatchState, position: Position) -> float:
    """A number made up from what an engine may know: the same whoever is White, and in money play at every score."""
    me = state.on_roll
    assert me is not None
    away = None if state.away is None else (state.away[me], state.away[me.opponent])
    owner = None if state.cube.owner is None else state.cube.owner is me
    return crc32(repr((position.id, state.cube.value, owner, away, state.crawford)).encode()) / 2**31 - 1


def plays(state: MatchState) -> list[Candidate]:
    found = [Candidate(str(play), play.position, worth(state, play.position)) for play in state.legal_plays]
    return sorted(found, key=lambda one: -(one.equity or 0))


def best(state: MatchState, dice: Dice) -> float:
    return max(worth(state, play.position) for play in state.position.legal_plays(dice))


def doubling(state: MatchState) -> CubeAnalysis:
    return CubeAnalysis(worth(state, state.position), worth(state, state.position.flip()))


class MadeUp:
    """An engine that gives these numbers, and remembers what it was asked."""

    name, level = "made up 1", "0-ply"

    def __init__(self) -> None:
        self.asked: Counter[object] = Counter()

    def candidates(self, state: MatchState, most: int, *, also: Sequence[Position] = ()) -> list[Candidate]:
        assert len(state.legal_plays) > 1
        self.asked["candidates", *also, state] += 1
        return [one for place, one in enumerate(plays(state)) if place < most or one.position in also]

    def cube(self, state: MatchState) -> CubeAnalysis:
        assert Action.DOUBLE in state.legal_actions
        self.asked["cube", state] += 1
        return doubling(state)

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        assert state.phase is Phase.TO_ROLL
        self.asked["rolls", state] += 1
        return {dice: best(state, dice) for dice in ROLLS}


class Ignorant(MadeUp):
    """It knows no cube, and no luck."""

    def cube(self, state: MatchState) -> CubeAnalysis:
        raise EngineUnsupportedError("made up: it does not know the cube")

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        raise EngineUnsupportedError("made up: it does not know luck")


def luck_of(state: MatchState, *, opens: bool) -> float:
    """What the roll is worth less the mean of all throws; before the opening roll each die is one player's."""
    dice, before = state.dice, attrs.evolve(state, dice=None)
    assert dice is not None
    assert state.on_roll is not None
    if not opens:
        return best(before, dice) - sum(best(before, Dice(*throw)) for throw in product(range(1, 7), repeat=2)) / 36
    other = attrs.evolve(before, on_roll=state.on_roll.opponent, position=state.position.flip())
    throws = [
        best(before, Dice(mine, theirs)) if mine > theirs else -best(other, Dice(mine, theirs))
        for mine, theirs in product(range(1, 7), repeat=2)
        if mine != theirs
    ]
    return best(before, dice) - sum(throws) / 30


def is_opening_roll(game: Game, index: int) -> bool:
    event = game.events[index] if index >= 0 else None
    return isinstance(event, Event) and event.action is Action.OPENING_ROLL


def expected(game: Game, index: int, state: MatchState, event: object) -> object:
    """The analysis of the decision that an event makes."""
    if not isinstance(event, Event) or event.action in {Action.RESIGN, Action.ACCEPT, Action.DECLINE, Action.BEAVER}:
        return None
    if event.action is Action.PLAY:
        found, made = plays(state), state.apply(event).position
        listed = [one for place, one in enumerate(found) if place < 10 or one.position == made]
        opens = is_opening_roll(game, index - 1)
        luck = pytest.approx(luck_of(state, opens=opens))
        if len(found) == 1:
            return (), None, luck, "made up 1"
        return tuple(listed), [one.position for one in listed].index(made), luck, "made up 1"
    if event.action in {Action.TAKE, Action.DROP}:
        if state.pending_double is None or state.pending_double.beavers:
            return None
        state = attrs.evolve(state, offer=None)
    can_double = Action.DOUBLE in state.legal_actions
    return attrs.evolve(doubling(state), engine="made up 1") if can_double else None


def told(analysis: object) -> object:
    if isinstance(analysis, PlayAnalysis):
        return analysis.candidates, analysis.played, analysis.luck, analysis.engine
    return analysis


class TestMadeUpEngine:
    @example(loads(f"{HEAD}  1) 31: 8/5 6/5   Doubles => 2\n  2)  Takes  64: 24/14"))
    @example(loads(f"{HEAD}  1) 31:"))
    @example(loads(f"{HEAD}  1) 31: 8/5 6/5   64: 24/14\n  2) 52: 1/2\n  3) 41: 6/5"))
    @settings(max_examples=15)
    @given(strategies.records(matches=strategies.matches(max_games=2, max_turns=2)))
    def test_every_decision_has_the_analysis_that_a_second_reckoning_gives(self, match: Match) -> None:
        """And old ones are gone; nothing is asked twice, nor anything that is no decision."""
        engine = MadeUp()
        cache: dict[object, object] = {}
        found = analyze(match, engine, cache=cache)
        assert found == match
        for game in found.games:
            states = [*game.states()]
            for index, (state, event, analysis) in enumerate(zip(states, game.events, game.analyses, strict=False)):
                assert told(analysis) == expected(game, index, state, event)
            assert len(game.analyses) == len(game.events)
            pending = game.pending_analysis
            if states[-1].phase is Phase.TO_PLAY and not game.cut:
                assert isinstance(pending, PlayAnalysis)
                opens = is_opening_roll(game, len(game.events) - 1)
                assert pending.luck == pytest.approx(luck_of(states[-1], opens=opens))
            assert not game.cut or pending is None
        assert not engine.asked or max(engine.asked.values()) == 1
        asked = engine.asked.total()
        analyze(match, engine, cache=cache)
        assert engine.asked.total() == asked

    def test_of_equal_states_the_colors_and_the_score_of_money_play_do_not_matter(self) -> None:
        text = "{} point match\n Game 1\n Ann : {}  Bob : {}\n  1) {}31: 8/5 6/5"
        for length, other, asked in (0, (2, 1), 3), (5, (0, 0), 3), (5, (2, 1), 7):
            engine, cache = MadeUp(), dict[object, object]()
            analyze(loads(text.format(length, 0, 0, "")), engine, cache=cache)
            analyze(loads(text.format(length, *other, " " * 40)), engine, cache=cache)
            assert engine.asked.total() == asked, (length, other)

    def test_what_the_engine_does_not_know_has_no_analysis_and_the_caller_is_told_why(self) -> None:
        told: Counter[str | None] = Counter()
        match = analyze(load(SHORT), Ignorant(), progress=lambda _state, why: told.update([why]))
        kinds = {(decision.is_forced, type(decision.analysis)) for decision in match.decisions()}
        assert kinds == {(False, type(None)), (False, PlayAnalysis), (True, type(None))}
        assert all(decision.luck is None for decision in match.decisions())
        assert told.total() == sum(decision.kind in {"play", "double", "answer"} for decision in match.decisions())
        assert set(told) == {"made up: it does not know the cube", "made up: it does not know luck"}

    def test_no_match(self) -> None:
        with pytest.raises(ArgumentError, match="match"):
            analyze(str(SHORT), MadeUp())  # type: ignore[arg-type]


SETTINGS = [
    f"set analysis {kind} plies 0" for kind in ("chequerplay evaluation", "cubedecision evaluation", "luckanalysis")
]


@gnu_backgammon.is_needed
@pytest.mark.long
@pytest.mark.parametrize("name", ["match1247261.txt", "match6047230.txt"])
def test_gnu_backgammon_analyzes_the_same(name: str, tmp_path: Path) -> None:
    """Its own analysis of the match has the same numbers as what it says over its socket, but for their six digits."""
    match = load(EXAMPLES / name)
    dump(match, tmp_path / "in.mat")
    gnu_backgammon.run(tmp_path, *SETTINGS, "import mat in.mat", "analyse match", "save match out.sgf")
    with SimpleEngine.gnubg() as engine:
        ours, theirs = analyze(match, engine).decisions(), load(tmp_path / "out.sgf").decisions()
    both = ([each for each in side if not each.kind.startswith("resign")] for side in (ours, theirs))
    for one, other in zip(*both, strict=True):
        assert (one.kind, one.state.position, one.luck) == (other.kind, other.state.position, near(other.luck))
        if isinstance(one.analysis, PlayAnalysis) and one.analysis.candidates:
            assert one.error == near(other.error)
            assert other.play_analysis is not None
            theirs_by_board = {each.position: each for each in other.play_analysis.candidates}
            for each in one.analysis.candidates:
                assert each.equity == near(theirs_by_board[each.position].equity)
        elif isinstance(one.analysis, CubeAnalysis):
            found = other.cube_analysis
            assert found is not None
            assert one.analysis.no_double == near(found.no_double)
            assert one.analysis.double_take == near(found.double_take)


def near(number: float | None) -> object:
    return pytest.approx(number, abs=3e-5)
