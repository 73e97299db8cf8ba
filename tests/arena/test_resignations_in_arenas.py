"""Resignations of bots: in vain, since a bot cannot know that it was declined, and of more than can be lost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import bots
from gammonrules import (
    Action,
    Event,
    MatchState,
    Phase,
    Player,
    Position,
    Resignation,
    Result,
    Rules,
    Win,
    arena,
    records,
)
from gammonrules.arena._programs import AskedProgram, asked_program

BOTH_OFF = Position.of(mine={"off": 1, 6: 7, 3: 7}, theirs={"off": 1, 6: 7, 3: 7})
NO_CUBE = Rules(cube=False)


def first(state: MatchState) -> Event | Action:
    if state.phase is Phase.TO_PLAY:
        return Event(Action.PLAY, argument=state.legal_plays[0])
    answers = {Phase.DOUBLED: Action.DROP, Phase.RESIGNED: Action.DECLINE}
    return answers.get(state.phase, Action.ROLL)


def doubles(state: MatchState) -> Event | Action:
    may = state.phase is Phase.TO_ROLL and Action.DOUBLE in state.legal_actions
    return Action.DOUBLE if may else first(state)


def resigns(state: MatchState) -> Event | Action:
    return first(state) if state.phase is Phase.RESIGNED else Event(Action.RESIGN, argument=1)


def test_a_resignation_in_vain_changes_nothing() -> None:
    for other in (first, doubles):
        plain, resigning = (
            arena.play([bot, other], games=10, workers=1).pairings[0].values for bot in (first, resigns)
        )
        assert plain == resigning


def resigns_backgammons(state: MatchState) -> Event | Action:
    return Event(Action.RESIGN, argument=Win.BACKGAMMON) if not state.offer else Action.ACCEPT


POLICY = arena.Policy(bots.any_play)
PROGRAM = [sys.executable, str(Path(__file__).parents[2] / "examples" / "templates" / "bot.py")]


@pytest.mark.parametrize("other", [bots.first, POLICY, arena.EnginePlayer(partial(asked_program, PROGRAM))])
def test_nobody_loses_a_backgammon_after_bearing_off(
    other: Callable[[MatchState], Event | Action] | arena.EnginePlayer, caplog: pytest.LogCaptureFixture
) -> None:
    """Every resignation is one of a single game, accepted at once, and the log says what was meant."""
    lost = arena.play([resigns_backgammons, other], games=10, start=BOTH_OFF, rules=NO_CUBE, workers=1).pairings[0]
    assert lost.interval.mean == -1
    assert len(caplog.records) == 10
    assert "a bot resigned a backgammon, but can lose no more than a single game" in caplog.text


def test_games_of_who_has_borne_off_are_single_however_they_end(tmp_path: Path) -> None:
    """Games of a bot that resigns any level at any time."""
    players = {"wild": bots.wild(), "other": bots.chance}
    arena.play(players, games=20, start=BOTH_OFF, rules=NO_CUBE, workers=1, options=arena.Options(records=tmp_path))
    ended = [game.final().result for path in tmp_path.iterdir() for game in records.load(path).games]
    assert {(result.win, result.points) for result in ended if isinstance(result, Result)} == {(Win.SINGLE, 1)}
    assert len({result.end for result in ended if result}) == 2


@pytest.fixture(scope="module")
def program() -> Iterator[AskedProgram]:
    with asked_program(PROGRAM) as running:
        yield running


@pytest.mark.parametrize(
    ("mine", "win", "accepts"),
    [
        ({"off": 1, 6: 14}, Win.SINGLE, True),
        ({12: 15}, Win.SINGLE, False),
        ({12: 15}, Win.GAMMON, True),  # nobody is in a home board of the other
        ({24: 15}, Win.GAMMON, False),
        ({24: 15}, Win.BACKGAMMON, True),
        ({1: 2, "off": 13}, Win.SINGLE, True),  # it wins at once
    ],
)
@pytest.mark.parametrize("dice", [None, (6, 5)])
def test_policies_and_programs_accept_all_that_can_be_won(
    mine: dict[int | str, int], win: Win, dice: tuple[int, int] | None, program: AskedProgram, *, accepts: bool
) -> None:
    """Whether it is offered before the roll or instead of the play; a program is not even asked."""
    resigned = MatchState(Position.of(mine, theirs={"off": 12, 2: 3}), Player.WHITE, dice, length=7).resign(win)
    assert isinstance(resigned.offer, Resignation)
    action = Action.ACCEPT if accepts else Action.DECLINE
    assert POLICY.decide(resigned) == Event(action, Player.BLACK)
    assert program.decide(resigned) is action
