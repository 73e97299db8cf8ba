"""`records.analyze`, with a made-up engine against a second reckoning, and with GNU Backgammon against its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any
from zlib import crc32

import attrs
import pytest
from hypothesis import example, given, settings, strategies as st

import commands
import loop
import wording
from gammonrules import (
    Action,
    ArgumentError,
    Dice,
    Event,
    MatchState,
    Phase,
    Player,
    Position,
    RecordEvent,
    Rules,
    arena,
    strategies,
)
from gammonrules.dice import ROLLS
from gammonrules.engine import Engine, EngineUnsupportedError, SimpleEngine
from gammonrules.records import Candidate, CubeAnalysis, Game, Match, PlayAnalysis, analyze, load, loads
from gammonrules.records.transcript import trials_of

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
    unsorted = [Candidate(str(play), play.position, worth(state, play.position)) for play in state.legal_plays]
    return sorted(unsorted, key=lambda candidate: -(candidate.equity or 0))


def best(state: MatchState, dice: Dice) -> float:
    return max(worth(state, play.position) for play in state.position.legal_plays(dice))


def doubling(state: MatchState) -> CubeAnalysis:
    return CubeAnalysis(worth(state, state.position), worth(state, state.position.flip()))


class MadeUp:
    """An engine that gives these numbers, and remembers what it was asked."""

    name, level = "made up 1", "0-ply"

    def __init__(self) -> None:
        self.asked: Counter[object] = Counter()

    def candidates(self, state: MatchState, limit: int, *, also: Sequence[Position] = ()) -> list[Candidate]:
        assert len(state.legal_plays) > 1
        self.asked["candidates", *also, state] += 1
        return [candidate for rank, candidate in enumerate(plays(state)) if rank < limit or candidate.position in also]

    def cube_analysis(self, state: MatchState) -> CubeAnalysis:
        assert Action.DOUBLE in state.legal_actions
        self.asked["cube", state] += 1
        return doubling(state)

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        assert state.phase is Phase.TO_ROLL
        self.asked["rolls", state] += 1
        return {dice: best(state, dice) for dice in ROLLS}


class Ignorant(MadeUp):
    """It knows no cube, and no luck."""

    def cube_analysis(self, state: MatchState) -> CubeAnalysis:
        raise EngineUnsupportedError("made up: it does not know the cube")

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        raise EngineUnsupportedError("made up: it does not know luck")


class Deeper(MadeUp):
    name = "made up 2"


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
    if not isinstance(event, Event) or event.action in {Action.ACCEPT, Action.DECLINE, Action.BEAVER}:
        return None
    if event.action is Action.RESIGN:
        accepted = any(getattr(after, "action", None) is Action.ACCEPT for after in game.events[index + 1 : index + 2])
        if state.phase is not Phase.TO_PLAY or not accepted:
            return None
        return (), None, pytest.approx(luck_of(state, opens=is_opening_roll(game, index - 1))), "made up 1"
    if event.action is Action.PLAY:
        ranked, made = plays(state), state.apply(event).position
        listed = [candidate for place, candidate in enumerate(ranked) if place < 10 or candidate.position == made]
        opens = is_opening_roll(game, index - 1)
        luck = pytest.approx(luck_of(state, opens=opens))
        if len(ranked) == 1:
            return (), None, luck, "made up 1"
        return tuple(listed), [candidate.position for candidate in listed].index(made), luck, "made up 1"
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
    @example(loads(f'; [Site "Club"]\n; [Site "Club"]\n{HEAD}  1) 31:'))
    @example(loads(f"{HEAD}  1) 31:"))
    @example(loads(f"{HEAD}  1) 31: 8/5 6/5   64: 24/14\n  2) 52: 1/2\n  3) 41: 6/5"))
    @settings(max_examples=7)
    @given(strategies.records(matches=strategies.matches(max_games=2, max_turns=2)))
    def test_every_decision_has_the_analysis_that_a_second_reckoning_gives(self, match: Match) -> None:
        """And old ones are gone; nothing is asked twice, nor anything that is no decision."""
        engine = MadeUp()
        cache: dict[object, object] = {}
        analyzed = analyze(match, engine, cache=cache)
        assert analyzed == match
        for game in analyzed.games:
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

    @settings(max_examples=7)
    @given(strategies.records(matches=strategies.matches(max_games=2, max_turns=2)), st.sets(st.integers(0, 30)))
    def test_only_some_decisions(self, match: Match, indices: set[int]) -> None:
        """The others keep what they have; of a double and its answer both are chosen, or none."""
        first = analyze(match, Deeper())
        again = analyze(first, MadeUp(), only=lambda decision: decision.index in indices)
        for game, before, all_again in zip(again.games, first.games, analyze(match, MadeUp()).games, strict=True):
            assert game.pending_analysis == before.pending_analysis
            for decision in game.decisions():
                pair = {"double": {0, 1}, "take": {-1, 0}, "drop": {-1, 0}}.get(decision.action, {0})
                is_chosen = any(decision.index + step in indices for step in pair)
                source = all_again if is_chosen else before
                assert decision.stored == source.analyses[decision.index]

    def test_what_a_second_engine_does_not_know_stays(self) -> None:
        first = analyze(load(SHORT), MadeUp())
        again = analyze(first, Ignorant(), only=lambda decision: decision.kind == "double")
        assert [game.analyses for game in again.games] == [game.analyses for game in first.games]

    @loop.rows(
        ("engine", "words"),
        (arena.Policy(lambda turns, _: turns.random_rows()), ("Policy", "roll_equities", "SimpleEngine", "bot")),
        (MadeUp().cube_analysis, ("roll_equities",)),
        ("bgsage", ("'bgsage'", "SimpleEngine")),
        (Engine.bgsage(), ("async", "SimpleEngine")),
    )
    def test_who_gives_no_numbers(self, engine: Any, words: tuple[str, ...]) -> None:
        """A policy decides, as in an arena, and compares nothing."""
        with wording.tells(ArgumentError, *words):
            analyze(load(SHORT), engine)

    def test_no_match(self) -> None:
        with pytest.raises(ArgumentError, match="match"):
            analyze(str(SHORT), MadeUp())  # type: ignore[arg-type]


@loop.rows(
    "level, trials",
    ("tiers of mine", {}),
    ("tiers quick", {}),
    ("no rollout of mine", {}),
    ("rollout, 7 of 99 trials", {"used": 7, "requested": 99}),
)
def test_a_level_in_words_of_its_own(level: str, trials: dict[str, int]) -> None:
    """It is told as it is, and an `Analyzer` that gives a text is asked no more than the class says."""

    class Named(MadeUp):
        def candidates(self, state: MatchState, limit: int, *, also: Sequence[Position] = ()) -> list[Candidate]:
            return [attrs.evolve(play, level=level) for play in super().candidates(state, limit, also=also)]

        def cube_analysis(self, state: MatchState) -> CubeAnalysis:
            return attrs.evolve(super().cube_analysis(state), level=level)

    engine = Named()
    engine.level = level
    match = analyze(load(SHORT), engine)
    one_play = next(decision.analysis for decision in match.decisions() if decision.analysis)
    assert ({rate.levels_text for rate in match.error_rates()}, trials_of([one_play])) == ({level}, trials)
    asked_at_once = {len(asked) for asked in engine.asked if isinstance(asked, tuple) and asked[0] == "candidates"}
    assert (asked_at_once == {3}) is level.startswith("rollout")


def test_the_play_made_is_compared_with_the_best_at_one_level() -> None:
    """Where the engine lists it, but has not looked at it as deeply, it is asked again."""

    class Deep(MadeUp):
        def candidates(self, state: MatchState, limit: int, *, also: Sequence[Position] = ()) -> list[Candidate]:
            deep = {play.position for play in super().candidates(state, 2, also=also)}
            listed = super().candidates(state, limit, also=also)
            return [attrs.evolve(play, level="2-ply" if play.position in deep else "1-ply") for play in listed]

    for decision in analyze(load(SHORT), Deep()).decisions():
        if isinstance(decision.analysis, PlayAnalysis) and decision.analysis.made is not None:
            assert decision.analysis.made.level == "2-ply"


def test_a_level_that_is_none_is_refused() -> None:
    engine = MadeUp()
    engine.level = 2  # type: ignore[assignment]
    with wording.raises(ArgumentError, "engine.level must be"):
        analyze(load(SHORT), engine)


BEGIN = (
    *(Event("opening_roll", argument=(3, 1)), Event("play", Player.WHITE, "8/5 6/5")),
    *(Event("roll", Player.BLACK, (6, 4)), Event("play", Player.BLACK, "24/14")),
)
BEAVER = (
    *(Event("double", Player.WHITE), Event("beaver", Player.BLACK), Event("take", Player.WHITE)),
    Event("roll", Player.WHITE, (5, 2)),
)
TAKEN = BEAVER[0], Event("take", Player.BLACK), BEAVER[3]


def log(rules: Rules, length: int | None, *events: RecordEvent, score: tuple[int, int] = (0, 0)) -> Match:
    return Match.from_events(("", ""), MatchState.new(length, rules=rules, score=score), [*BEGIN, *events])


@pytest.fixture(name="gnubg", scope="module")
def started_gnubg() -> Iterator[SimpleEngine]:
    with SimpleEngine.gnubg(level=1) as gnubg:
        yield gnubg


def analyses_of(match: Match) -> list[object]:
    return [*(decision.analysis for decision in match.decisions()), *(game.pending for game in match.games)]


def test_a_limit_of_the_cube(monkeypatch: pytest.MonkeyPatch) -> None:
    """A far one is left out, as a tag says, until the cube comes near it."""
    pytest.importorskip("bgsage")
    monkeypatch.setattr(*commands.NO_LUCK)
    limitless = log(Rules(), None, *TAKEN)
    with SimpleEngine.bgsage(1) as bgsage:

        def told(match: Match, **options: Any) -> tuple[list[object], dict[str, str], int]:
            reasons: Counter[str | None] = Counter()
            analyzed = analyze(match, bgsage, progress=lambda _state, why: reasons.update([why]), **options)
            assert analyzed == match
            return analyses_of(analyzed), dict(analyzed.tags), reasons.total() - reasons[None]

        far = told(log(Rules(max_cube=32), None, *TAKEN))
        assert far == (told(limitless)[0], {"IgnoredRule": "the limit of 32"}, 0)
        near = told(log(Rules(max_cube=16), None, *TAKEN))
        assert near[1:] == ({"IgnoredRule": "the limit of 16"}, 1)
        assert near[0][:5] == far[0][:5]
        assert near[0][5:] == [None]
        assert told(attrs.evolve(limitless, tags=(("IgnoredRule", "the limit of 2"),)))[1] == {}
        some = {"only": lambda decision: decision.index == 1}
        tagged = attrs.evolve(log(Rules(max_cube=32), None, *TAKEN), tags=(("IgnoredRule", "the limit of 32"),))
        assert told(tagged, **some)[1] == {"IgnoredRule": "the limit of 32"}
