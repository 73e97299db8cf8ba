"""Whole matches of a bot behind UBGI with our own client."""

from __future__ import annotations

import sys

import matches
import pytest

import each
from gammonrules import MatchState, Rules
from gammonrules.engine import SimpleEngine
from gammonrules.records import referee

BOT = """
import os, random, sys
from gammonrules import Action, Event
from gammonrules.engine import serve_ubgi

def bot(state):
    print("bestmove", "x" * 9_999)
    os.write(1, b"take\\n")
    rng = random.Random(state.xgid)
    if state.dice:
        return Event(Action.PLAY, state.to_act, rng.choice(state.legal_plays))
    answers = {Action.TAKE, Action.DROP, Action.BEAVER} & state.legal_actions
    return rng.choice(sorted(answers or [Action.DOUBLE, Action.ROLL]))

serve_ubgi(bot)
print("over")
"""


@each.first("number", range(2))
def test_whole_matches(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """With our own client; what the bot prints does not come between its answers."""
    monkeypatch.setattr(matches, "RASH", 0)  # there is no word for a resignation
    start = MatchState.new((None, 2)[number % 2], rules=Rules(cube=False))
    with SimpleEngine.ubgi([sys.executable, "-c", BOT]) as engine:
        record = matches.play(engine, engine, start, 3, number)
    assert referee(record) == ()
    assert record.score != (0, 0)
