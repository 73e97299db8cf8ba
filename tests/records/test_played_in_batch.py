"""Games and matches that were played in arrays, as records: each without findings, and the same as the arrays say."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import pairwise
from typing import Any

import attrs
import numpy as np
import pytest

import loop
from bots import racer
from gammonrules import (
    TOURNAMENT,
    Action,
    Event,
    GammonError,
    MatchState,
    Phase,
    Player,
    Position,
    Rules,
    batch,
    records,
)
from gammonrules.batch import MatchGames, MatchStates
from matches_in_batch import always, anything, behind, careful, first_play, play, rng
from rules_by_chance import rules_by_chance

Generator = np.random.Generator


class TestGames:
    @loop.rows("start", "standard", "nackgammon", "hypergammon")
    def test_what_was_played(self, start):
        games = batch.random_games(2, rng=rng(), start=start)
        for number, match in enumerate(games.to_matches(("Ann", "בוב"))):
            assert records.referee(match) == ()
            states = [state for state in match.games[0].states() if state.dice]
            assert [state.position.points for state in states] == [tuple(row) for row in games[number][0].tolist()]
            winner, win = (Player.WHITE, 1) if games.results[number] > 0 else (Player.BLACK, -1)
            *_, state = match.games[0].states()
            assert state.result is not None
            assert (state.result.winner, int(state.result.win) * win) == (winner, games.results[number])
            if start == "standard":
                again = records.loads(records.dumps(match))
                assert again.games[0].events[0] == match.games[0].events[0]
                assert again.score == match.score

    def test_from_a_board(self):
        board = Position.of(mine={6: 3, 24: 2}, theirs={6: 2, 2: 1})
        match = batch.random_games(1, rng=rng(), start=board).to_matches()[0]
        assert match.games[0].start.position == board
        assert isinstance(match.games[0].start, MatchState)
        assert match.players == ("White", "Black")

    def test_stopped(self):
        match = batch.random_games(1, rng=rng(), max_turns=3).to_matches()[0]
        assert match.rolls == 3
        assert batch.random_games(1, rng=rng(), max_turns=0).to_matches()[0].rolls == 0
        assert batch.random_games(0, rng=rng()).to_matches() == []

    def test_ended_by_an_equity(self):
        games = batch.play_games(24, (careful, partial(careful)), rng=rng(), end=behind)
        assert [match.rolls for match in games.to_matches()] == games.lengths.tolist()

    @loop.rows("players", None, "AB", ("Ann",), (1, 2), ("Ann", None))
    def test_no_names(self, players):
        with pytest.raises(GammonError):
            batch.random_games(1, rng=rng()).to_matches(players)


def check(games: MatchGames) -> Counter[Action]:
    """Every match is a record without findings, and says the same as the arrays."""
    done = Counter[Action]()
    for number, match in enumerate(games.to_matches(("Ann", "Bob"))):
        by_hand = [] if games.start else ["position-set"] * len(match.games)
        assert [finding.kind for finding in records.referee(match)] == by_hand
        assert match.score == tuple(games.match_scores[number])
        at = np.flatnonzero(games.matches == games.matches[games.last_games[number]])
        assert len(match.games) == len(at)
        for game, index in zip(match.games, at, strict=True):
            check_game(games, int(index), game)
            done.update(event.action for event in game.events if isinstance(event, Event))
    return done


def check_game(games: MatchGames, index: int, game: records.Game) -> None:
    states = list(game.states())
    last, result = states[-1], states[-1].result
    assert game.start.score == tuple(games.scores[index])
    assert game.start.crawford == games.crawford[index]
    assert (result is None) == (games.winners[index] < 0)
    if result is not None:
        assert result.win is not None
        assert (list(Player)[games.winners[index]], result.points) == (result.winner, games.won[index])
        assert games.results[index] == (1 if result.winner is Player.WHITE else -1) * result.win
    assert batch.to_positions(games.final[[index]], checkers=games.checkers) == [last.position]
    rows = slice(games.offsets[index], games.offsets[index + 1])
    playing = [state for state in states if state.phase is Phase.TO_PLAY]
    played = [state.play(moves) for state, moves in zip(playing, games.moves[rows].tolist(), strict=True)]
    assert played == [after for before, after in pairwise(states) if before.phase is Phase.TO_PLAY]
    assert games.points[rows].tolist() == [[*state.position.points] for state in playing]
    assert games.cubes[rows].tolist() == [state.cube.value for state in playing]
    assert games.on_roll[rows].tolist() == [[*Player].index(state.on_roll) for state in playing]
    owners = [-1 if state.cube.owner is None else [*Player].index(state.cube.owner) for state in playing]
    assert games.owners[rows].tolist() == owners


def test_matches_under_random_rules() -> None:
    done = Counter[Action]()
    for seed in range(14, 22):
        some = random.Random(seed)
        rules = attrs.evolve(rules_by_chance(some.choice), start="hypergammon")
        length = None if rules.scoring == "pips" else some.choice((None, None, 2, 3, 5))
        cube = some.choice((racer, always("double", "beaver", "take"), always("double", "beaver", "drop")))
        games = batch.play_matches(2, anything, cube, rng=rng(seed), length=length, rules=rules)
        assert (games.match_winners >= 0).all()
        done += check(games)
    assert {Action.DOUBLE, Action.TAKE, Action.DROP, Action.BEAVER} <= done.keys()


@loop.rows(
    ("n", "cube", "options"),
    (12, always("double", "beaver", "take"), {"length": None, "rules": Rules(beavers=2, jacoby=True)}),
    (80, None, {"length": None, "rules": Rules(auto_doubles=1), "choose": first_play, "max_turns": 2}),
    (5, always("double", "drop"), {"length": None, "rules": Rules(opening="reroll")}),
    (6, racer, {"length": 3, "max_turns": 3}),
)
def test_money_games_and_those_that_are_stopped(n: int, cube: Any, options: dict[str, Any]) -> None:
    check(play(n, cube, **options))


def test_no_matches_are_no_records() -> None:
    assert play(0).to_matches() == []


def test_each_event_is_applied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the record is made: then its games know their states."""
    games = play(6, length=3)
    calls = Counter[str]()

    def counting(name: str) -> None:
        method = getattr(MatchState, name)

        def counted(*args: Any, **options: Any) -> MatchState:
            calls[name] += 1
            return method(*args, **options)

        monkeypatch.setattr(MatchState, name, counted)

    counting("apply")
    counting("play")
    matches = games.to_matches()
    played = [game for match in matches for game in match.games]
    events = sum(len(game.events) for game in played)
    next_games = len(played) - len(matches)
    assert next_games > 0
    assert calls == {"play": len(games.points), "apply": events + next_games}
    calls.clear()
    for game in played:
        assert game.final() == list(game.states())[-1]
    assert not calls


@loop.rows("name", "points", "dice", "final")
def test_arrays_that_break_the_rules_are_no_record(name: str) -> None:
    """Every action is checked again: these arrays were changed, and it is said where."""
    games = play(1, length=3, max_turns=4)
    wrong = getattr(games, name).copy()
    wrong[-1] = (1, 1) if name == "dice" else Position.start("hypergammon").points
    with pytest.raises(GammonError, match=r"^game \d+, turn \d+: "):
        attrs.evolve(games, **{name: wrong}).to_matches()


OWN = Position.of(mine={24: 1, 8: 1, 5: 2}, theirs={23: 1, 6: 2, 3: 1}, checkers=4)


@loop.rows("rules", TOURNAMENT, attrs.evolve(TOURNAMENT, opening="reroll"))
def test_every_game_begins_where_one_says(rules: Rules) -> None:
    """As White sees it, whoever starts, and also where the first double is dropped before any play."""
    for cube in racer, always("drop", "double"):
        games = batch.play_matches(4, anything, cube, rng=rng(), length=4, rules=rules, start=OWN)
        assert (games.start, games.checkers, games.rules) == (None, 4, rules)
        check(games)
        played = [game for match in games.to_matches() for game in match.games]
        assert {game.start.position for game in played} == {OWN}
        assert len(played) > 4
    assert set(games.starters.tolist()) == {0, 1}


def test_a_decision_is_asked_for_once_a_turn_where_there_is_one() -> None:
    """As many calls, and such answers, as the records have."""
    asked = Counter[str]()

    def counting(states: MatchStates, generator: Generator) -> Any:
        kinds = set(states.phase.tolist())
        assert len(kinds) == 1
        decided = np.asarray(racer(states, generator))
        if kinds == {"to_roll"}:
            assert states.may("double").all()
        else:
            assert states.may("take").all()
        asked.update(decided.tolist())
        asked["to_roll"] += len(states) * (kinds == {"to_roll"})
        return decided

    games = play(10, counting, length=5)
    done, could = Counter[str](), 0
    for match in games.to_matches():
        for game in match.games:
            states = list(game.states())
            done.update(str(getattr(event, "action", "")) for event in game.events)
            could += sum(Action.DOUBLE in state.legal_actions for state in states)
    assert asked["to_roll"] == could
    assert all(asked[action] == done[action] for action in ("double", "take", "drop"))
