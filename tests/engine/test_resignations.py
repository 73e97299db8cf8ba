"""Resignations that need no evaluation: all ends of short races by brute force, and what the cube and the rules add."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import loop
import reference
import wording
from boards import position_of
from gammonrules import Action, Cube, Event, MatchState, Player, Position, Rules, Win
from gammonrules.engine import SimpleEngine
from gammonrules.engine._driver import Driver
from gammonrules.engine._resignations import certain_answer
from gammonrules.engine.internals import legal_decision
from gammonrules.rules import PORTES

WHITE, BLACK = Player
SINGLE, GAMMON, BACKGAMMON = Win
START = Position.start()
BOTH_OFF = Position.of(mine={"off": 1, 6: 14}, theirs={"off": 1, 6: 14})
LOST = Position.of(mine={6: 14, "off": 1}, theirs={1: 1, "off": 14})
"""The player on roll can only lose a single game."""
GAMMON_LOST = Position.of(mine={12: 15}, theirs={1: 1, "off": 14})
WON = Position.of(mine={1: 1, "off": 14}, theirs={6: 14, "off": 1})
MONEY = Rules(jacoby=True, beavers=3)

TABLES: list[dict[str, Any]] = [
    {"length": 7},
    {"length": 3, "cube": Cube(2, WHITE)},
    {"length": 5, "score": (1, 3), "cube": Cube(2, WHITE)},
    {"rules": Rules(jacoby=True)},
    {"rules": Rules(jacoby=True), "cube": Cube(4, BLACK)},
    {"rules": PORTES},
    {"rules": Rules(scoring="pips", cube=False)},
]


# --- what is accepted and declined ------------------------------------------------------------------------------------


def gained(state: MatchState, end: reference.End, player: Player) -> int:
    """What an end is worth to a player, in points, of which no more count than win the match."""
    winner = WHITE if end.won else BLACK
    if state.rules.scoring == "pips":
        points = end.loser_pips
    else:
        over = state.resign(Win(end.level), by=winner.opponent).accept()
        points = over.score[winner] - state.score[winner]
    if state.away is not None:
        points = min(points, state.away[winner])
    return points if player is winner else -points


@pytest.mark.parametrize(
    ("checkers", "places"),
    [
        (1, (1, 3, 6, 8, 19, 22)),
        (2, (1, 2, 6)),
        pytest.param(2, range(1, 7), marks=pytest.mark.long),
        pytest.param(2, (1, 2, 19), marks=pytest.mark.long),
    ],
)
def test_all_ends_of_short_races(checkers: int, places: tuple[int, ...]) -> None:
    """Accepted is what no end is better than, declined what every end is better than."""
    answers = set[Action | None]()
    for number, board in enumerate(reference.races(checkers, places)):
        state = MatchState(position_of(board), WHITE, **TABLES[number % len(TABLES)])
        levels = Win if state.rules.scoring == "points" else [SINGLE]
        for by in Player:
            played_on = [gained(state, end, by.opponent) for end in reference.ends(board)]
            for level in levels:
                resigned = state.resign(level, by=by)
                result = resigned.accept().result
                assert result is not None
                offered = result.points if state.away is None else min(result.points, state.away[by.opponent])
                best = Action.ACCEPT if offered >= max(played_on) else None
                best = Action.DECLINE if offered < min(played_on) else best
                assert certain_answer(resigned) is best, (resigned, played_on)
                answers.add(best)
    assert answers == {Action.ACCEPT, Action.DECLINE, None}


@loop.rows(
    ("resigned", "answer"),
    # with contact
    (MatchState(START, WHITE, length=7).resign(GAMMON), None),
    (MatchState(START, WHITE, length=7).resign(BACKGAMMON), Action.ACCEPT),
    (MatchState(START, WHITE, length=7, score=(0, 6)).resign(), Action.ACCEPT),
    (MatchState(START, WHITE, rules=MONEY).resign(), Action.ACCEPT),
    (MatchState(START, WHITE, rules=Rules(scoring="pips", cube=False)).resign(), None),
    # who must answer a double may drop it, whatever the board
    (MatchState(START, WHITE, length=7).double().resign(), Action.ACCEPT),
    (MatchState(START, WHITE, rules=MONEY).double().beaver().resign(), Action.ACCEPT),
    # who has doubled must bear that it is taken
    (MatchState(START, WHITE, length=7).double().resign(by=WHITE), None),
    (MatchState(LOST, WHITE, rules=MONEY).double().resign(by=WHITE), None),
    (MatchState(WON, WHITE, rules=MONEY).double().resign(by=WHITE), Action.ACCEPT),
    # of the dice that are on the table
    (MatchState(GAMMON_LOST, WHITE, "31", length=7).resign(), Action.DECLINE),
    (MatchState(GAMMON_LOST, WHITE, "31", length=7).resign(GAMMON), Action.ACCEPT),
    (MatchState(LOST, WHITE, "66", length=7).resign(by=BLACK), Action.ACCEPT),
)
def test_contact_doubles_and_dice(resigned: MatchState, answer: Action | None) -> None:
    assert certain_answer(resigned) is answer


class NobodyAsks(Driver):
    """An engine that fails when it is asked anything."""

    name = "nobody"

    def why_not(self, state: MatchState) -> None:
        raise AssertionError(state)


def test_no_engine_is_asked_about_what_is_certain() -> None:
    """Nor does a game matter that it does not know."""
    pips = Rules(scoring="pips", cube=False)
    with SimpleEngine(NobodyAsks()) as engine:
        for resigned in (MatchState(LOST, WHITE, length=7).resign(), MatchState(LOST, WHITE, rules=pips).resign()):
            assert engine.decide(resigned) == Event(Action.ACCEPT, BLACK)
        less = MatchState(GAMMON_LOST, WHITE, length=7).resign()
        assert engine.decide(less) == Event(Action.DECLINE, BLACK)
        with pytest.raises(AssertionError):
            engine.decide(MatchState(START, WHITE, length=7).resign())


# --- what is offered --------------------------------------------------------------------------------------------------


@loop.rows(
    ("state", "resigned", "offered", "logged"),
    (MatchState(START, WHITE, length=7), BACKGAMMON, BACKGAMMON, ""),
    (MatchState(BOTH_OFF, WHITE, length=7), SINGLE, SINGLE, ""),
    (MatchState(BOTH_OFF, WHITE, length=7), BACKGAMMON, SINGLE, "backgammon lose no more than a single game"),
    (MatchState(BOTH_OFF, WHITE, length=7).double(), GAMMON, SINGLE, "gammon lose no more than a single game"),
    (MatchState(GAMMON_LOST, WHITE, "31", length=7), BACKGAMMON, GAMMON, "backgammon lose no more than a gammon"),
    (MatchState(START, WHITE, rules=MONEY), GAMMON, SINGLE, "gammon lose no more than a single game"),
    # a gammon counts as one in a match that a single game wins
    (MatchState(START, WHITE, length=7, score=(0, 6)), GAMMON, GAMMON, ""),
    (MatchState(WON, WHITE, length=7), GAMMON, GAMMON, "gammon can no longer lose"),
)
def test_a_bot_offers_no_more_than_it_can_lose(
    caplog: pytest.LogCaptureFixture, state: MatchState, resigned: Win, offered: Win, logged: str
) -> None:
    caplog.clear()
    for argument in (resigned, resigned.name.lower()):
        event, after = legal_decision(lambda _, argument=argument: Event(Action.RESIGN, argument=argument), state)
        assert event == Event(Action.RESIGN, state.to_act, offered)
        assert after == state.resign(offered)
    said = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(said) == (2 if logged else 0)
    for sentence in said:
        wording.check(sentence, *logged.split(maxsplit=1), state.xgid)
