"""A misspelled word raises an error of the library, which names the accepted words and suggests one.

`test_every_word_is_tried` finds each argument whose annotation has words, so none is forgotten. Players are words too:
`test_players.py` tries them.
"""

from __future__ import annotations

import asyncio
import tempfile
import typing
from collections.abc import Callable
from functools import cache
from io import BytesIO
from typing import Any, Literal

import attrs
import numpy as np
import pytest

import loop
import test_public
import wording
from gammonrules import (
    KERNEL,
    Event,
    GammonError,
    MatchState,
    Player,
    Position,
    Rules,
    arena,
    batch,
    bearoff,
    conformance,
    draw,
    environments,
    hypergammon,
    identifiers,
    notebook,
    records,
    strategies,
)
from gammonrules.engine import Engine, Rollout, SimpleEngine
from gammonrules.hypergammon import HypergammonTable
from gammonrules.match import Clock

pytest.importorskip("pyarrow", reason="needs the extra tables")
pytestmark = pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")

START = Position.start()
STATE = MatchState.new(7).opening_roll(3, 1)
TO_ROLL = STATE.play("8/5 6/5")
MATCH = records.Match(("Ann", "Bob"), 7)
CUBE = records.CubeAnalysis(0.1, 0.2)
ANSWER = arena.BenchAnswer(1, STATE, (), "8/5 6/5")
RESULTS = arena.BenchResults("bot", 1, "", (ANSWER,), 1.0)
EQUITIES = bearoff.Equities(0.1, 0.2, 0.3, 0.4)

MADE_BY_THE_LIBRARY = {"arena.Progress.__init__ until": "`play` makes it, and has checked its argument"}


@cache
def selftaught() -> SimpleEngine:
    return SimpleEngine.selftaught()


@cache
def two_sided() -> bearoff.TwoSided:
    return bearoff.two_sided(1, 1)


def first(turns: batch.Turns, _: np.random.Generator) -> Any:
    return turns.offsets[:-1]


async def asked_async(word: Any) -> object:
    async with Engine.selftaught() as engine:
        return await engine.cube_analysis(TO_ROLL, also=[word])


@cache
def hypergammon_table() -> HypergammonTable:
    with tempfile.TemporaryDirectory() as folder:
        return hypergammon.solve(f"{folder}/one", 1)


@cache
def calls() -> dict[str, Callable[[Any], object]]:
    """A call with a word, for each argument that is one."""
    rng = np.random.default_rng(1)
    games = batch.random_games(1, rng=rng, max_turns=1)
    match_games = batch.play_matches(1, first, rng=rng, max_turns=1)
    listed: dict[str, Callable[[Any], object]] = {
        "board.Position.start name": Position.start,
        "match.Clock.__init__ timing": lambda word: Clock((60, 60), timing=word),
        "match.MatchState.cube_after action": STATE.cube_after,
        "match.MatchState.resign win": STATE.resign,
        "identifiers.lost_fields form": lambda word: identifiers.lost_fields(STATE, word),
        "identifiers.read form": lambda word: identifiers.read("", form=word),
        "identifiers.read doubled_turn": lambda word: identifiers.read("", doubled_turn=word),
        "identifiers.write form": lambda word: identifiers.write(STATE, word),
        "records.Column.__init__ type": lambda word: records.Column("a", word, ""),
        "records.Column.__init__ view": lambda word: records.Column("a", "int", "", view=word),
        "analysis.CubeAnalysis.equity_of action": CUBE.equity_of,
        "analysis.CubeAnalysis.equity_of_best action": CUBE.equity_of_best,
        "analysis.CubeAnalysis.error_of action": CUBE.error_of,
        "records.dump format": lambda word: records.dump(MATCH, BytesIO(), word),
        "records.dumps format": lambda word: records.dumps(MATCH, word),
        "records.lost_fields format": lambda word: records.lost_fields(MATCH, word),
        "records.load format": lambda word: records.load(BytesIO(), word),
        "records.load_all format": lambda word: records.load_all(BytesIO(), word),
        "records.loads format": lambda word: records.loads("", word),
        "records.loads_all format": lambda word: records.loads_all("", word),
        "records.export unique": lambda word: records.export([], "a.csv", unique=word),
        "records.scan unique": lambda word: [*records.scan(unique=word)],
        "records.to_samples unique": lambda word: records.to_samples(unique=word),
        "records.to_table unique": lambda word: records.to_table(unique=word),
        "draw.svg.stylesheet light": lambda word: draw.svg.stylesheet(light=word),
        "draw.svg.stylesheet dark": lambda word: draw.svg.stylesheet(dark=word),
        "batch.Games.__init__ start": lambda word: attrs.evolve(games, start=word),
        "batch.MatchGames.__init__ start": lambda word: attrs.evolve(match_games, start=word),
        "batch.MatchStates.may action": batch.MatchStates.new(1, 7).may,
        "batch.play_games start": lambda word: batch.play_games(1, first, rng=rng, start=word),
        "batch.play_matches start": lambda word: batch.play_matches(1, first, rng=rng, start=word),
        "batch.random_games start": lambda word: batch.random_games(1, rng=rng, start=word),
        "batch.rollout until": lambda word: batch.rollout(START, 36, first, rng=rng, until=word),
        "bearoff.Equities.verdict cube": EQUITIES.verdict,
        "bearoff.Equities.best cube": EQUITIES.best,
        "bearoff.TwoSided.plays cube": lambda word: two_sided().plays(
            Position.of({1: 1, "off": 14}, {1: 1, "off": 14}), "31", word
        ),
        "hypergammon.HypergammonTable.column cube": lambda word: hypergammon_table().column(word),
        "hypergammon.HypergammonTable.plays cube": lambda word: hypergammon_table().plays(
            Position.start("hypergammon1"), "31", word
        ),
        "engine.SimpleEngine.cube_analysis also": lambda word: selftaught().cube_analysis(TO_ROLL, also=[word]),
        "engine.Engine.cube_analysis also": lambda word: asyncio.run(asked_async(word)),
        "engine.Rollout.__init__ until": lambda word: Rollout(36, until=word),
        "arena.BenchAnswer.__init__ part": lambda word: attrs.evolve(ANSWER, part=word),
        "arena.BenchResults.number ask": RESULTS.number,
        "arena.BenchResults.number drawn": lambda word: RESULTS.number("plays", word),
        "arena.Results.__init__ until": lambda word: arena.Results(("a", "b"), 7, 1, (), until=word),
        "strategies.positions kind": lambda word: strategies.positions(kind=word),
        "strategies.reachable_positions start": lambda word: strategies.reachable_positions(start=word).example(),
        # words without an annotation of their own
        "Event action": Event,
        "Event argument": lambda word: Event("resign", argument=word),
        "receive action": lambda word: STATE.receive({"action": word}, Player.BLACK, roll=lambda: (3, 1)),
        "batch.MatchStates.apply actions": lambda word: batch.MatchStates.new(1, 7).apply([word]),
        "arena.BenchResults.number kind": lambda word: RESULTS.number("plays", kind=word),
        "strategies.match_states phase": lambda word: strategies.match_states(phase=word),
        "engine name": SimpleEngine.open,
        "engine strength": lambda word: SimpleEngine.selftaught(strength=word),
        "arena player": arena.bench,
        "records rule": lambda word: records.error_rates([MATCH], rule=word),
        "records.search condition": lambda word: records.search("none.parquet", f"position_kind = {word}"),
        "records.search action": lambda word: records.search("none.parquet", f"action = {word}"),
        "records.search column": lambda word: records.search("none.parquet", f"{word} = x"),
        "records.search columns": lambda word: records.search("none.parquet", columns=[word]),
        "conformance ask": lambda word: conformance.answer({"id": 1, "ask": word}),
        "conformance kind": lambda word: conformance.answer({"id": 1, "ask": "identifiers", "kind": word}),
        "Position.of": lambda word: Position.of({word: 1}),
        "svg highlight": lambda word: draw.svg.position(START, highlight=[word]),
        "svg labels": lambda word: draw.svg.position(START, labels={word: "x"}),
        "notebook look": lambda word: notebook.Board(STATE, look=word),
    }
    for name in ("scoring", "opening", "start"):
        listed[f"rules.Rules.__init__ {name}"] = lambda word, name=name: Rules(**{name: word})
    listed["arena.Options.__init__ on_error"] = lambda word: arena.Options(on_error=word)
    for name in ("start", "until"):
        listed[f"arena.play {name}"] = lambda word, name=name: arena.play(
            {"a": first, "b": first}, games=2, **{name: word}
        )
    for name in ("actions", "observation", "illegal", "render_mode"):
        listed[f"environments.BackgammonEnv.__init__ {name}"] = lambda word, name=name: environments.BackgammonEnv(
            **{name: word}
        )
    for name in ("start", "autoreset_mode"):
        listed[f"environments.BackgammonVectorEnv.__init__ {name}"] = lambda word, name=name: (
            environments.BackgammonVectorEnv(1, **{name: word})
        )
    for name in ("theme", "home", "numbers", "look", "layout", "score"):
        listed[f"draw.BoardStyle.__init__ {name}"] = lambda word, name=name: draw.BoardStyle(**{name: word})
    for name in ("home", "layout"):
        listed[f"draw.svg.checker_center {name}"] = lambda word, name=name: draw.svg.checker_center(6, **{name: word})
    return listed


def words_in(hint: object) -> list[str]:
    """The strings of `Literal` anywhere in an annotation."""
    if typing.get_origin(hint) is Literal:
        return [word for word in typing.get_args(hint) if isinstance(word, str)]
    return [word for part in typing.get_args(hint) for word in words_in(part)]


@cache
def words_of_arguments() -> dict[str, list[str]]:
    """The words of each argument of the public interface that accepts some, except those of players."""
    by_argument: dict[str, list[str]] = {}
    # each once, by its first name, since `records` exports the names of `analysis` too
    names = {function: name for name, function in reversed(test_public.callables().items())}
    for function, name in names.items():
        for argument, hint in typing.get_type_hints(function).items():
            words = words_in(hint)
            if words and argument != "return" and {*words} != {*Player}:
                by_argument[f"{name} {argument}"] = words
    return by_argument


def test_every_word_is_tried() -> None:
    assert {*words_of_arguments()} - {*calls()} == {*MADE_BY_THE_LIBRARY}


OTHER_WORDS = {
    "Event action": "take",
    "Event argument": "gammon",
    "receive action": "play",
    "batch.MatchStates.apply actions": "double",
    "arena.BenchResults.number kind": "bear-in",
    "strategies.match_states phase": "to_roll",
    "engine name": "selftaught",
    "engine strength": "club",
    "arena player": "selftaught",
    "records rule": "gnubg",
    "records.search condition": "blitz",
    "records.search action": "take",
    "records.search column": "decision",
    "records.search columns": "decision",
    "conformance ask": "plays",
    "conformance kind": "xgid",
    "Position.of": "bar",
    "svg highlight": "bar",
    "svg labels": "white",
    "notebook look": "depth",
    "bearoff.Equities.verdict cube": "owned",
}


@loop.over("name", calls)
def test_a_misspelled_word_is_corrected(name: str) -> None:
    word = OTHER_WORDS.get(name) or max(words_of_arguments()[name], key=len)
    misspelled = f"{word}z"
    with pytest.raises(GammonError) as caught:
        calls()[name](misspelled)
    wording.check(caught.value, misspelled, f'did you mean "{word}"?')


@loop.over("name", lambda: words_of_arguments().keys() - MADE_BY_THE_LIBRARY - {"bearoff.Equities.verdict cube"})
def test_the_error_names_what_is_accepted(name: str) -> None:
    with pytest.raises(GammonError) as caught:
        calls()[name]("qqq")
    wording.check(caught.value, "'qqq'", *words_of_arguments()[name])
    assert "did you mean" not in str(caught.value)


def test_a_long_string_is_compared_with_nothing() -> None:
    with pytest.raises(GammonError) as caught:
        Position.start("standard" * 1_000_000)  # type: ignore[arg-type]
    wording.check(caught.value, "standard")
    assert "did you mean" not in str(caught.value)
