"""What an engine says of many boards: the same as of each alone, in any number of processes."""

from __future__ import annotations

import sys
from typing import Any

import attrs
import numpy as np
import pytest
from open_engines import engine_of

import each
import gnu_backgammon
import loop
import wording
from gammonrules import MatchState, Player, Position, PositionError, Rules, batch
from gammonrules.engine import EngineStartError, SimpleEngine, evaluate_batch
from gammonrules.errors import ArgumentError

RNG = np.random.default_rng(4)
GAMES = batch.random_games(20, rng=RNG).points
ENDS = batch.from_positions(
    Position.of(mine={point: 2}, theirs={other: 3}) for point in range(1, 7) for other in (1, 5, 13, 18)
)
BOARDS = np.concatenate([GAMES[RNG.permutation(len(GAMES))[:300]], ENDS, ENDS[:1]])
FEW = batch.from_positions([Position.of({4: 2, 1: 1}, {3: 2, 2: 1}), Position.of({22: 1, 4: 2}, {20: 2, 1: 1})])


def one_by_one(engine: SimpleEngine, boards: Any) -> Any:
    """The chances before each roll, in money play without a cube."""
    states = [MatchState(board, Player.WHITE, rules=Rules(cube=False)) for board in batch.to_positions(boards)]
    return np.array([attrs.astuple(engine.evaluate(state).chances) for state in states], np.float32)


@each.first(
    ("name", "level", "number", "workers"),
    [("bgsage", 1, 400, 1), ("gnubg", 1, 100, 1), ("bgsage", 2, 10, 1), ("bgsage", 1, 200, 2)],
    of_these=2,
)
def test_each_board_is_evaluated(
    name: str, level: int, number: int, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "bgsage":
        pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    elif gnu_backgammon.GNUBG is None:
        pytest.skip("GNU Backgammon is not installed")
    monkeypatch.setattr("gammonrules.engine._evaluate_batch._AT_ONCE", 64 // level)
    boards = BOARDS[-number:]
    chances = evaluate_batch(boards, level, engine=name, workers=workers)
    assert chances.dtype == np.float32
    assert np.array_equal(chances, one_by_one(engine_of(name, level), boards))


def test_few_checkers_of_fifteen() -> None:
    """The end of a game may have contact with three checkers a side, if somebody says so, or other boards have more."""
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    alone = one_by_one(engine_of("bgsage"), FEW).tolist()
    assert evaluate_batch(FEW, workers=1, checkers=15).tolist() == alone
    assert evaluate_batch(np.concatenate([FEW, GAMES[:1]]), workers=1)[:2].tolist() == alone


@loop.rows(
    "boards, arguments, error, example",
    (np.zeros((0, 26), np.int8), {}, ArgumentError, "boards"),
    (BOARDS[:, :25], {}, PositionError, "boards: (N, 26), (325, 25)"),
    (np.concatenate([BOARDS[:2], np.eye(26, dtype=np.int8)[[1]]]), {}, ArgumentError, "boards, row 2"),
    (BOARDS, {"level": 6, "engine": "gnubg"}, ArgumentError, "level: 6"),
    (BOARDS, {"engine": "ubgi"}, ArgumentError, "'ubgi'"),
    (BOARDS, {"workers": 0}, ArgumentError, "workers: 0"),
    (BOARDS, {"checkers": 3}, ArgumentError, "checkers: 15, 3"),
    (BOARDS, {"checkers": 16}, ArgumentError, "checkers: 16"),
    (FEW, {}, ArgumentError, "boards, row 1: Hypergammon, checkers=15"),
)
def test_what_it_does_not_take(boards: Any, arguments: dict[str, Any], error: type[Exception], example: str) -> None:
    with wording.raises(error, example):
        evaluate_batch(boards, **arguments)


def test_an_engine_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bgsage", None)
    with wording.raises(EngineStartError, "bgsage"):
        evaluate_batch(BOARDS, workers=1)
