"""UBGI: what is sent, line by line, and how the answers are read."""

from __future__ import annotations

from typing import Any

import pytest
import ubgi_dialogues
from scripted_engines import STATE, TO_DOUBLE, Fakes, made_fakes

import loop
import wording
from gammonrules import Action, ArgumentError, MatchState, Rules
from gammonrules.engine import EngineUnsupportedError, SimpleEngine

__all__ = ["made_fakes"]


@pytest.mark.parametrize("dialogue", ubgi_dialogues.held_by("controller"), ids=ubgi_dialogues.title)
def test_dialogues(fakes: Fakes, dialogue: dict[str, Any]) -> None:
    """It says exactly this; what an engine cannot be asked is an error, and the dialogue goes on."""
    level, script = dialogue.get("level"), "\n".join(dialogue["lines"]).replace("> ", ">= ")
    with fakes.ubgi(script, level=level, options=dialogue.get("options")) as engine:
        assert engine.level == ("" if level is None else f"{level}-ply")
        for xgid, decision in zip(dialogue["states"], dialogue["decisions"], strict=True):
            decided = engine.decide(MatchState.from_xgid(xgid))
            assert (decided if isinstance(decided, Action) else str(decided.argument or decided.action)) == decision
        for state in (TO_DOUBLE, TO_DOUBLE.double(), STATE.resign()):
            with pytest.raises(EngineUnsupportedError):
                engine.decide(state)
        for question in (engine.evaluate, engine.candidates):
            with pytest.raises(EngineUnsupportedError):
                question(STATE)
        without = MatchState.new(None, rules=Rules(cube=False)).opening_roll(3, 1).play("8/5 6/5")
        assert engine.decide(without) is Action.ROLL
        with pytest.raises(EngineUnsupportedError, match=r"play without a cube: Rules\(cube=False\)"):
            engine.decide(TO_DOUBLE)
    assert fakes.all_ended()


@loop.rows(
    "arguments",
    {"command": []},
    {"command": ["x", 1]},
    {"command": b"x"},
    {"level": 0},
    {"level": 6},
    {"options": 5},
    {"options": {"a\nb": 1}},
    {"options": {"a": "b\nquit"}},
    {"options": {"": 1}},
    {"options": {1: 1}},
    {"options": {"a": "x" * 300}},
    {"options": dict.fromkeys(map(str, range(101)))},
    {"timeout": 0},
)
def test_arguments(arguments: dict[str, object]) -> None:
    with pytest.raises(ArgumentError) as caught:
        SimpleEngine.ubgi(**{"command": "no-such-program", **arguments})  # type: ignore[arg-type]
    wording.check(caught.value)
