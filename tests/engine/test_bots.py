"""A bot may return the play itself: wherever functions of a state decide, that is the decision to play it."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

import bots
import loop
import wording
from gammonrules import Action, Dice, Event, MatchState, Player, Position, arena
from gammonrules.engine._bots import legal_decision, legal_event
from gammonrules.engine._gnubg_bot import GnubgBot
from gammonrules.engine._ubgi_bot import UbgiBot
from gammonrules.errors import BotError
from gammonrules.identifiers import write
from gammonrules.notebook import Board

sys.path.append(str(Path(__file__).parents[2] / "examples"))
import bot as example

DATA = Path(__file__).parents[1] / "data" / "benchmark.jsonl.gz"
TO_PLAY = MatchState.new(3).opening_roll(white=3, black=1)
TO_ROLL = TO_PLAY.play("24/21 24/23")
DOUBLED = TO_ROLL.double()
ANY_DECISION = "not a Play, an Event or an action without an argument, such as Action.ROLL"


def test_in_the_benchmark() -> None:
    told, again = (arena.bench(bot, data=DATA) for bot in (bots.first, bots.plain))
    assert again.answers == told.answers


def test_behind_ubgi() -> None:
    lines = [f"position gnubgid {Position.start().id}", "dice 3 1", "go chequer", "go turn"]
    answers = [UbgiBot(bot, "Bot", "unknown", None) for bot in (bots.first, bots.plain)]
    said = [[answer.answers(line) for line in lines] for answer in answers]
    assert said[0] == said[1]
    assert said[1][2] == ["bestmove 24/21 24/23"]


def test_in_gnubg() -> None:
    line = write(TO_PLAY, "bot_line")
    assert GnubgBot(bots.plain, None).reply(line) == GnubgBot(bots.first, None).reply(line) == "24/21 24/23"


def test_in_a_notebook() -> None:
    class Plays:
        decide = staticmethod(bots.plain)

    board = Board(TO_PLAY, side=Player.BLACK, engine=Plays(), rng=random.Random(1))
    (event,) = board.events
    assert (event.action, str(event.argument), board.state.on_roll) == (Action.PLAY, "24/21 24/23", Player.BLACK)


def test_in_the_games_of_the_examples() -> None:
    event = example.next_event(TO_PLAY, bots.plain, random.Random(1))
    assert TO_PLAY.apply(event) == TO_PLAY.play("24/21 24/23")
    doubled = TO_PLAY.play("24/21 24/23").double()
    assert doubled.apply(example.next_event(doubled, bots.plain, random.Random(1))) == doubled.take()


@loop.over("decision", [None, 7, "8/5 6/5", Action.PLAY, Action.RESIGN, Action.NEXT_GAME])
def test_nonsense_in_the_games_of_the_examples(decision: Any) -> None:
    with pytest.raises(BotError) as caught:
        example.next_event(TO_ROLL, lambda _: decision, random.Random(1))
    wording.check(caught.value, "not an Event, a Play or Action.ROLL", "XGID=")


@loop.over("decision", [Action.ROLL, Event("roll", argument=(6, 6))])
def test_the_dice_of_the_examples_are_their_own(decision: Any) -> None:
    rolled = {example.next_event(TO_ROLL, lambda _: decision, random.Random(seed)).argument for seed in range(9)}
    assert len(rolled) > 4


@loop.rows(
    "state, decision, words",
    (TO_PLAY, TO_PLAY.play("24/21 24/23").roll("31").legal_plays[0], "not legal"),
    (TO_PLAY.play("24/21 24/23"), TO_PLAY.legal_plays[0], "not legal"),
    (TO_PLAY, "8/5 6/5", ANY_DECISION),
    (TO_PLAY, TO_PLAY.legal_plays, ANY_DECISION),
    (TO_PLAY, 0, ANY_DECISION),
    (DOUBLED, None, ANY_DECISION),
    (DOUBLED, "take", ANY_DECISION),
    (DOUBLED, Action.PLAY, ANY_DECISION),
    (DOUBLED, Action.RESIGN, ANY_DECISION),
    (DOUBLED, Action.NEXT_GAME, "no player"),
    (TO_PLAY, Event(Action.NEXT_GAME), "no player"),
    (TO_ROLL, Event("roll", Player.WHITE, (6, 6)), "White, who is not to act"),
)
def test_a_decision_that_is_refused(state: MatchState, decision: Any, words: str) -> None:
    with pytest.raises(BotError) as caught:
        legal_decision(lambda _: decision, state)
    wording.check(caught.value, words, "XGID=", longest=600)


def test_actions_without_an_argument_are_decisions() -> None:
    """As the sentence says that a bot hears who returns something else."""
    for action, after in (Action.TAKE, DOUBLED.take()), (Action.DROP, DOUBLED.drop()):
        assert legal_decision(lambda _, action=action: action, DOUBLED)[1] == after
    to_roll = TO_PLAY.play("24/21 24/23")
    assert legal_decision(lambda _: Action.ROLL, to_roll) == (Action.ROLL, to_roll)


@loop.over("decision", [Action.ROLL, Event("roll", argument=(6, 6)), Event("roll", Player.BLACK, (6, 6))])
def test_the_dice_of_an_event_are_those_of_the_caller(decision: Any) -> None:
    event, after = legal_event(lambda _: decision, TO_ROLL, Dice(5, 4))
    assert event == Event(Action.ROLL, Player.BLACK, (5, 4))
    assert after == TO_ROLL.roll("54")
