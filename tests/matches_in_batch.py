"""Games and matches in arrays: functions that choose, double and end them, and starts that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from bots import racer
from gammonrules import TOURNAMENT, ArgumentError, GammonError, Position, batch
from gammonrules.batch import MatchGames, MatchStates, Turns

Generator = np.random.Generator

WRONG_STARTS = [
    (7, ArgumentError, "start must be the name of a start position or a Position, not 7"),
    ("nowhere", GammonError, "nowhere"),
    (Position.of(mine={"off": 4}, theirs={6: 4}, checkers=4), ArgumentError, "start: the game is over"),
    (np.zeros((3, 26), np.int8), ArgumentError, "start must be"),
]
"""Each with its error, and with words of its sentence."""


def rng(seed: int = 1) -> Generator:
    return np.random.default_rng(seed)


def anything(turns: Turns, _: Generator) -> np.ndarray:
    return turns.random_rows()


def careful(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """Hit, make points and leave few blots."""
    points = turns.points
    score = 3.0 * points[:, 25] + (points <= -2).sum(axis=1) - (points == -1).sum(axis=1)
    return turns.best(score + turns.random() / 2)


def behind(boards: np.ndarray) -> np.ndarray:
    """Ends games in which the player on roll is far behind, with an equity that depends on the board."""
    mine, theirs = batch.pip_counts(boards).T
    return np.where(mine > theirs + 60, (theirs - mine) / 200, np.nan)


def first_play(turns: Turns, _: Generator) -> Any:
    return turns.offsets[:-1]


def always(*actions: str) -> Callable[[MatchStates, Generator], Any]:
    """The first of these that the states allow."""

    def decide(states: MatchStates, _: Generator) -> Any:
        decided = np.full(len(states), "roll", "<U12")
        for action in reversed(actions):
            decided[states.may(action)] = action
        return decided

    return decide


def play(n: int = 8, cube: Any = racer, **options: Any) -> MatchGames:
    """Matches with three checkers a side, which do not take long."""
    options["rules"] = attrs.evolve(options.get("rules", TOURNAMENT), start="hypergammon")
    return batch.play_matches(n, options.pop("choose", anything), cube, rng=rng(), **options)
