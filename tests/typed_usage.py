"""Calls as users write them, for the type checkers alone: `mypy --strict` and basedpyright read this file."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

from gammonrules import ROLLS, Dice, Event, MatchState, Player, Position, Rules, Win, batch, json
from gammonrules.board import START_NAMES
from gammonrules.identifiers import read


def positions(points: dict[int, int], named: dict[str, int], name: str) -> list[Position]:
    found = [
        Position.of(mine={24: 1, 13: 2, "bar": 1}, theirs={24: 2, 6: 3, "off": 10}),
        Position.of(mine={"bar": 1}, theirs={1: 2}),
        Position.of({}, points),
        Position.of(named, named, checkers=3),
        Position.start("nackgammon"),
    ]
    return found + [Position.start(start) for start in START_NAMES if start == name]


def rolls(rng: np.random.Generator, pair: npt.NDArray[np.int8]) -> list[Dice]:
    position = Position.start()
    plays = [position.legal_plays("31"), position.legal_plays((3, 1)), position.legal_plays(pair)]
    return [*(some.dice for some in plays), Dice.random(rng), Dice.random(random.Random(1)), Dice.of(pair)]


def tables(text: str) -> MatchState:
    described = read(text, Rules(start="hypergammon"))
    if isinstance(described, Position):
        described = MatchState(described, Player.WHITE, "31", length=7)
    state = json.loads(json.dumps(described), MatchState)
    event = json.loads(text, Event)
    return state.apply(event).resign(Win.GAMMON, by=Player.BLACK)


def arrays(points: npt.NDArray[np.int8]) -> tuple[list[int], npt.NDArray[np.int64]]:
    dice = np.array([(roll.high, roll.low) for roll in ROLLS], np.int8)
    plays = batch.legal_plays(points, dice)
    sizes = [len(results) + len(moves) for results, moves in plays]
    sizes += [len(one) for chunk in batch.legal_plays_in_chunks(points.tolist(), dice, size=4) for one, _ in chunk]
    sizes += [
        len(some) for some in (batch.legal_plays(points, ROLLS), batch.legal_plays(points, [ROLLS[0], Dice(3, 1)]))
    ]
    sizes += [len(one) for (one, _), _ in zip(plays, ROLLS, strict=True)]
    return sizes, plays.best(-batch.features(plays.points).sum(axis=1)) + plays.best([0.5, 1])


def least_pips(plays: batch.LegalPlays, _rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return plays.best(-batch.pip_counts(plays.points)[:, 1])


def games(rng: np.random.Generator) -> batch.Games:
    some = batch.random_games(10, rng, start="hypergammon")
    first = batch.to_positions(some.points, checkers=3)[0]
    batch.play_games(10, rng, lambda plays, _: plays.offsets[:-1], start=first)
    return batch.play_games(len(some), rng, least_pips)
