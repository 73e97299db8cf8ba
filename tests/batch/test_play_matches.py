"""Matches in batch: `play_matches` plays what `MatchState` allows, and asks a policy whenever there is a decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
import pytest
from test_match_states import ARRAYS

import loop
import wording
from bots import racer
from gammonrules import MONEY, TOURNAMENT, ArgumentError, Rules, batch
from gammonrules.batch import MatchStates, Turns
from gammonrules.errors import DiceError, GammonError, IllegalActionError, MatchStateError
from matches_in_batch import WRONG_STARTS, always, anything, first_play, play, rng

Generator = np.random.Generator


# What is played ---------------------------------------------------------------------------------------------------


def test_a_start_by_name_is_that_of_the_rules() -> None:
    for length, rules in (3, TOURNAMENT), (None, MONEY):
        named = batch.play_matches(3, anything, racer, rng=rng(), length=length, start="hypergammon")
        ruled = batch.play_matches(
            3, anything, racer, rng=rng(), length=length, rules=attrs.evolve(rules, start="hypergammon")
        )
        assert (named.start, named.rules) == ("hypergammon", ruled.rules)
        assert np.array_equal(named.points, ruled.points)


@loop.over("start, error, words", WRONG_STARTS)
def test_wrong_starts(start: Any, error: type[GammonError], words: str) -> None:
    with wording.raises(error, words):
        batch.play_matches(3, anything, rng=rng(), start=start)


def test_matches_of_many_games_stay_together() -> None:
    """Every game is doubled and dropped, so the matches have nine games or more."""
    games = batch.play_matches(3, anything, always("drop", "double"), rng=rng(), length=9)
    numbers = [number for match in range(3) for number in range((games.matches == match).sum())]
    assert games.matches.tolist() == sorted(games.matches)
    assert games.of_match.tolist() == numbers
    assert len(numbers) >= 3 * 9


def test_nobody_doubles_without_a_policy() -> None:
    games = play(20, None, length=3)
    assert set(games.cubes.tolist()) == {1}
    assert set(games.ends.tolist()) == {0}
    assert games.won.tolist() == abs(games.results).tolist()


def test_money_games_are_single_games() -> None:
    games = play(12, always("double", "beaver", "take"), length=None, rules=Rules(beavers=2, jacoby=True))
    assert games.matches.tolist() == list(range(12))
    assert games.cubes.max() >= 8


def test_ties_double_the_cube() -> None:
    games = play(80, None, length=None, rules=Rules(auto_doubles=1), choose=first_play, max_turns=2)
    doubled = games.opening_cubes == 2
    assert 4 < doubled.sum() < 24
    assert (doubled == (games.ties[:, 0] > 0)).all()
    assert set(games.opening_cubes.tolist()) == {1, 2}


def test_the_starter_may_double_before_the_first_roll() -> None:
    games = play(5, always("double", "drop"), length=None, rules=Rules(opening="reroll"))
    assert games.lengths.tolist() == [0] * 5
    assert (games.winners == games.starters).all()


def test_each_player_starts_half_of_the_games() -> None:
    games = play(600, None, length=None, choose=first_play, max_turns=1)
    assert 240 < games.starters.sum() < 360
    assert (games.openings[np.arange(600), games.starters] == games.dice[:, 0]).all()
    counts = Counter(map(tuple, games.dice.tolist()))
    assert len(counts) == 15
    assert max(counts.values()) < 80


def test_a_score_to_begin_with() -> None:
    games = play(4, length=5, score=(4, 3))
    assert games.scores[games.of_match == 0].tolist() == [[4, 3]] * 4
    assert games.crawford[games.of_match == 0].all()
    assert games.match_scores.max(axis=1).min() >= 5


def test_a_limit_of_turns_stops_a_match() -> None:
    games = play(6, length=3, max_turns=3)
    assert games.lengths.tolist() == [3] * 6
    assert set(games.match_winners.tolist()) == set(games.ends.tolist()) == {-1}
    assert not games.results.any()
    assert not games.match_scores.any()
    assert play(6, max_turns=0).lengths.tolist() == [0] * 6


def test_a_limit_of_turns_is_for_all_cubes() -> None:
    games = play(50, always("double", "take"), length=None, max_turns=6)
    assert games.lengths.max() == 6
    assert games.cubes[games.offsets[1:][games.winners < 0] - 1].max() >= 4


def test_no_matches() -> None:
    games = play(0)
    assert (len(games), len(games.points), games.match_scores.shape) == (0, 0, (0, 2))
    assert repr(games) == "<MatchGames: 0 matches, 0 games, 0 turns>"


# Chance -----------------------------------------------------------------------------------------------------------


def test_every_game_of_a_match_has_dice_of_its_own() -> None:
    games = play(50, None, length=3)
    second = games.dice[games.offsets[:-1] + 1]
    pairs = np.flatnonzero(games.of_match == 1)
    assert (second[pairs] == second[pairs - 1]).all(axis=1).mean() < 0.3


def test_every_game_of_a_match_has_chance_of_its_own() -> None:
    seen = Counter[float]()

    def choose(turns: Turns, _: Generator) -> Any:
        seen.update(turns.random().tolist())
        return turns.random_rows()

    assert len(play(50, None, length=3, choose=choose)) > 50
    assert max(seen.values()) == 1


def test_functions_for_the_cube_are_called_for_their_player() -> None:
    def of(player: int) -> Callable[[MatchStates, Generator], Any]:
        def decide(states: MatchStates, generator: Generator) -> Any:
            assert set(states.to_act.tolist()) == {player}
            return racer(states, generator)

        return decide

    play(10, (of(0), of(1)), length=3)


def test_own_dice() -> None:
    def throw(matches: Any, games: Any, rolls: Any) -> Any:
        return np.stack([2 + matches % 2 + 2 * (rolls % 2), 3 - matches % 2 + rolls % 3], axis=1)

    games = play(4, None, length=1, dice=throw)
    assert games.openings.tolist() == [[2, 3], [3, 2]] * 2
    assert games.starters.tolist() == [1, 0] * 2
    assert games.dice[:4].tolist() == [[3, 2], [4, 4], [5, 2], [4, 3]]
    games = play(4, None, length=1, dice=throw, rules=Rules(opening="reroll"))
    assert games.openings.tolist() == [[2, 3], [3, 2]] * 2
    assert games.dice[:3].tolist() == [[4, 4], [5, 2], [4, 3]]


def test_an_array_of_rolls_is_for_one_game_of_a_match() -> None:
    refused(DiceError, "match 0", "game 1", "roll 0", dice=np.tile([2, 1], (3, 900, 1)), cube=None)


# Bad input --------------------------------------------------------------------------------------------------------


def refused(error: type[GammonError], *words: str, **options: Any) -> None:
    with wording.tells(error, *words):
        play(**{"n": 3, "length": 3, **options})


@loop.rows(
    ("decided", "words"),
    (["roll"], ("cube", "(3,)")),
    ([0.5] * 3, ("cube", "float64")),
    ([float("nan")] * 3, ("cube", "float64")),
    ([True] * 3, ("cube", "bool")),
    (None, ("cube", "object")),
    (["roll", "double", "raise"], ("cube", "state 2", "raise")),
    ([1, 1, 12], ("cube", "state 2", "12")),
    (["roll", "double", "take"], ("cube", "index 2", "match 2", "take")),
    (["roll", "roll", "resign"], ("cube", "index 2", "resign")),
    ([1, 1, -1], ("cube", "index 2", "no action")),
    (["roll", "", "roll"], ("cube", "index 1", "no action")),
    ([["roll"], ["roll", "roll"]], ("cube",)),
)
def test_decisions_that_are_none(decided: Any, words: tuple[str, ...]) -> None:
    def cube(states: MatchStates, _: Generator) -> Any:
        return decided if len(states) == 3 else ["roll"] * len(states)

    refused(ArgumentError, *words, cube=cube, rules=Rules(opening="reroll"))


def test_answers_that_are_none() -> None:
    def answering(answer: str) -> Callable[[MatchStates, Generator], Any]:
        return lambda states, _: np.where(states.phase == "doubled", answer, "double")

    refused(ArgumentError, "cube", "match 0", "roll", cube=answering("roll"))
    refused(IllegalActionError, "cube", "beaver", cube=answering("beaver"))
    refused(ArgumentError, "cube", "accept", cube=answering("accept"))


def test_arguments_that_mean_nothing() -> None:
    refused(ArgumentError, "cube", "7", cube=7)
    refused(ArgumentError, "cube", cube=(racer,))
    refused(ArgumentError, "cube", cube=(racer, racer, racer))
    refused(MatchStateError, "length", length=0)
    refused(MatchStateError, "score", score=(0, -1))
    refused(MatchStateError, "3", score=(3, 0))


def test_a_function_cannot_write_into_what_it_gets() -> None:
    """However it tries: neither into the arrays of states and plays nor into what they are made from."""
    tried: set[str] = set()

    def attack(states: MatchStates, plays: batch.LegalPlays) -> None:
        arrays = {name: getattr(states, name) for name in (*ARRAYS, "phase", "to_act", "legal_actions")}
        for name, array in (arrays | {part: getattr(plays, part) for part in ("offsets", "points", "moves")}).items():
            root = array[:1]
            while isinstance(root, np.ndarray):
                with pytest.raises(ValueError, match="read-only"):
                    root[...] = 0
                with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
                    root.setflags(write=True)
                root = root.base
            assert type(root) is bytes, name
            tried.add(name)

    def cube(states: MatchStates, generator: Generator) -> Any:
        attack(states, states.legal_plays)
        return racer(states, generator)

    def choose(turns: Turns, _: Generator) -> Any:
        assert turns.states is not None
        attack(turns.states, turns)
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            turns.points = turns.points.copy()
        return turns.offsets[:-1]

    play(1, cube, choose=choose, max_turns=3)
    assert tried >= {*ARRAYS, "moves"}
