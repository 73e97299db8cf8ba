"""Arenas that further players join, and that play first what says most about the ranking."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest

import arena_calls
import loop
import wording
from gammonrules import Rules, arena
from gammonrules.arena import _results_file
from gammonrules.arena._work_units import Block, BlockResults
from gammonrules.errors import ParseError

NO_CUBE = Rules(cube=False)


@cache
def simulated_values(strengths: tuple[float, ...], seed: int, most: int) -> Mapping[tuple[int, int], np.ndarray]:
    """What so many pairs of games are worth in each pairing."""
    rng, values = np.random.default_rng(seed), dict[tuple[int, int], np.ndarray]()
    style = rng.standard_normal((most, 1, len(strengths)))
    for first, second in combinations(range(len(strengths)), 2):
        luck = style[:, :, first] - style[:, :, second] + rng.standard_normal((most, 2))
        wins = np.rint(luck + strengths[first] - strengths[second])
        values[first, second] = np.where(wins == 0, rng.choice([-1, 1], wins.shape), wins)
    return values


class Simulated:
    """A `run` that plays nothing: bots of known strengths win as much, and the dice favor whoever plays a style."""

    def __init__(
        self,
        strengths: Mapping[str, float],
        seed: int = 1,
        most: int = 20_000,
        ahead: int = 1,
        seconds: Sequence[float] = (),
    ) -> None:
        """`seconds`: of each player for a pair, on average; without them all pairs take the same."""
        self.seconds, self.spent = seconds, 0.0
        self.ahead, self.blocks = ahead, list[Block]()
        self.values = simulated_values(tuple(strengths.values()), seed, most)

    def __call__(self, _: Callable[[Block], BlockResults], blocks: Iterable[Block]) -> Iterator[BlockResults]:
        rest = iter(blocks)
        while some := list(islice(rest, self.ahead)):
            self.blocks += some
            for block in some:
                pairs = self.values[block.player, block.opponent][block.first : block.first + block.number]
                values = tuple(tuple(pair[seat] for seat in block.seats) for pair in pairs.tolist())
                yield BlockResults(block, cast("Any", values), self.seconds_of(block))

    def seconds_of(self, block: Block) -> float:
        seconds = 0.5
        if self.seconds:
            seconds = self.seconds[block.player] + self.seconds[block.opponent]
            seconds = round(seconds * Random(f"{block}").lognormvariate(0, 0.7), 6)
        self.spent += seconds
        return seconds


def bots(names: Iterable[str]) -> dict[str, Any]:
    return {name: lambda state: state for name in names}


STRENGTHS = {"A": 0.5, "B": 0.1, "C": 0.9, "D": -0.4, "E": 0.3}
RIGHT = ["C", "A", "E", "B", "D"]


def play(save: Path | None = None, names: Iterable[str] = STRENGTHS, **settings: Any) -> arena.Results:
    settings = {"workers": Simulated(STRENGTHS), "rules": NO_CUBE, **settings}
    return arena_calls.play(bots(names), save=save, **settings)


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "arena.jsonl"


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", id)


class TestJoining:
    def test_it_is_as_if_all_had_been_there(self, save: Path) -> None:
        """Wherever the file was cut, also in the line of those who joined; and only what is missing is played."""
        run = Simulated(STRENGTHS, most=3)
        whole, blocks = play(games=6, workers=run), len(run.blocks)
        for names in ("AB", "ABC", STRENGTHS):
            joined = play(save, names, games=6, workers=run)
        assert (joined, len(run.blocks)) == (whole, 2 * blocks)
        text = save.read_bytes()
        assert [json.loads(line)["players"] for line in text.splitlines() if b"code" in line] == [
            [*"AB"],
            ["C"],
            [*"DE"],
        ]
        for cut in range(text.index(b"\n") + 1, len(text), 149):
            save.write_bytes(text[:cut])
            run.blocks.clear()
            assert play(save, games=6, workers=run) == whole
            there = [line for line in text[:cut].splitlines(True) if b"first" in line and line.endswith(b"\n")]
            assert len(run.blocks) == blocks - len(there)

    def test_other_rules(self, save: Path) -> None:
        play(save, "ABC", games=2)
        text = save.read_bytes()
        with wording.raises(ParseError, "another arena: cube is False there, not True"):
            play(save, "ABCD", rules=Rules())
        assert save.read_bytes() == text

    @loop.rows("players, code", ("C", []), (["D"], []), ([1, 2], [0]), ({}, {}), (["C"] * 9, []))
    def test_a_line_that_nobody_wrote(self, save: Path, players: object, code: object) -> None:
        save.unlink(missing_ok=True)
        play(save, "AB", games=2)
        save.write_bytes(text := save.read_bytes() + _results_file._saved_line({"players": players, "code": code}))
        with wording.raises(ParseError, "this"):
            play(save, "ABC", games=2)
        assert save.read_bytes().startswith(text)

    def test_a_bot_that_was_changed(self, save: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """Told by how its functions are written, without comments; in a file of earlier versions there is nothing."""
        monkeypatch.syspath_prepend(str(tmp_path))
        plain, noted = "def bot(state):\n    return 1\n", "def bot(state):  # the first one\n\n    return (1)\n"
        for name, text in {"plain": plain, "noted": noted, "other": plain.replace("1", "2")}.items():
            (tmp_path / f"{name}_bots.py").write_text(text)
        importlib.invalidate_caches()
        plainly, noted_bot, other = (
            importlib.import_module(f"{name}_bots").bot for name in ("plain", "noted", "other")
        )

        def saved(bot: Any, **more: Any) -> arena.Results:
            settings: dict[str, Any] = {"games": 2, "workers": Simulated(STRENGTHS, most=1), "rules": NO_CUBE}
            return arena_calls.play({"A": bot, "B": arena.Policy(bot), **more}, save=save, **settings)

        first = saved(plainly)
        assert saved(noted_bot) == saved(len) == first
        with wording.raises(ParseError, "A plays otherwise than when they joined: give them another name"):
            saved(other)
        assert saved(plainly, C=other).players == ("A", "B", "C")
        with wording.raises(ParseError, "C plays otherwise than when they joined: give them another name"):
            saved(plainly, C=plainly)
        form = json.loads(save.read_bytes().splitlines()[0])
        save.write_bytes(_results_file._saved_line({name: form[name] for name in form.keys() - {"code", "crc32"}}))
        assert saved(other) == first


class TestRanked:
    def test_who_joins_is_played_against(self, save: Path) -> None:
        """Those who were ranked before hardly play, until it is clear where the new one belongs."""
        settings: dict[str, Any] = {"until": "ranked", "games": 4_000}
        before = sum(pairing.games for pairing in play(save, "ABCD", **settings).pairings)
        run = Simulated(STRENGTHS)
        results = play(save, **settings, workers=run)
        assert ranking_of(results) == RIGHT
        assert sum(block.opponent == 4 for block in run.blocks) > 0.8 * len(run.blocks)
        assert sum(pairing.games for pairing in results.pairings) == before + 2 * len(run.blocks)

    def test_it_ends_with_the_games(self) -> None:
        """Of players who are equal the order is never clear; all others have their place by then."""
        equal = {"A": 0.0, "B": 0.0, "C": 2.0}
        results = arena.play(bots(equal), games=600, rules=NO_CUBE, until="ranked", workers=Simulated(equal))
        assert sum(pairing.games for pairing in results.pairings) == 1_800
        assert results.unclear in {(("A", "B"),), (("B", "A"),)}
        assert results.to_dict()["unclear"] == [[*results.unclear[0]]]
        ranking = [f"{place}. {name}" for place, name in enumerate(ranking_of(results), 1)]
        *_, first, second, third, sentence = str(results).splitlines()
        assert [line.partition(":")[0] for line in (first, second, third)] == ranking
        assert " and ".join(results.unclear[0]) in sentence
        assert results.pairings[0].games > 800

    def test_matches_that_one_always_wins(self) -> None:
        """They end too: a player need not lose for their place to be clear."""
        run = Simulated(dict.fromkeys("ABC", 0.0))
        run.values = dict.fromkeys(run.values, np.ones((20_000, 2)))
        results = arena.play(bots("ABC"), games=2_000, length=7, until="ranked", workers=run)
        assert (results.unclear, set(results.ratings.values())) == ((), {None})
        assert {"A: no rating", "B: no rating", "C: no rating"} <= {*str(results).splitlines()}
        assert sum(pairing.games for pairing in results.pairings) < 400


def ranking_of(results: arena.Results) -> list[str]:
    return sorted(results.players, key=lambda name: -cast("Any", results.ratings[name]).mean)
