"""`examples/server_match.py`: a whole match by messages, and every message that must be refused."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

import processes
from gammonrules import IllegalActionError, MatchState, Phase, Player, json, records

EXAMPLE = Path(__file__).parents[2] / "examples" / "server_match.py"
SEATS = {"ann": Player.WHITE, "bob": Player.BLACK}
EVENT = '{"version":2,"type":"Event","action":"%s","by":"%s","argument":%s}'


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("server_match", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def table(example):
    table = example.Table(MatchState.new(3), SEATS, random.Random(1))
    table.begin_game()
    return table


def test_the_program() -> None:
    """It prints how many messages were refused and why, and a record without a fault."""
    done = processes.run(sys.executable, str(EXAMPLE))
    codes, _, record = done.stdout.partition("\n ")
    assert {"ok", "not_your_turn", "not_at_this_table"} <= {line.split(":")[0] for line in codes.splitlines()}
    match = records.loads(record)
    assert match.winner is not None
    assert [finding for finding in records.referee(match) if finding.severity != "info"] == []


@pytest.mark.parametrize(
    ("user", "message", "code"),
    [
        ("eve", "roll", "not_at_this_table"),
        ("other", EVENT % ("play", "to_act", '""'), "not_your_turn"),
        ("to_act", "roll", "already_rolled"),
        ("to_act", EVENT % ("take", "to_act", "null"), "no_double_pending"),
        ("to_act", EVENT % ("play", "to_act", '"24/1"'), "die_not_rolled"),
        ("to_act", EVENT % ("play", "to_act", '"xyzzy"'), "unreadable"),
        ("to_act", EVENT % ("roll", "to_act", "[6,6]"), "unreadable"),
        ("to_act", EVENT % ("next_game", "to_act", "null"), "unreadable"),
        ("to_act", '{"version":2,"type":"Forfeit","loser":"black","points":3}', "unreadable"),
        ("to_act", "{" * 500, "unreadable"),
        ("to_act", "x" * 1_001, "too_long"),
    ],
)
def test_what_is_refused(table, user, message, code) -> None:
    names = {player: name for name, player in SEATS.items()}
    before = table.state, list(table.log)
    to_act = table.state.to_act
    sender = {"to_act": names[to_act], "other": names[to_act.opponent]}.get(user, user)
    reply = table.handle(sender, message)
    assert reply["code"] == code
    assert reply["message"]
    assert (table.state, table.log) == before


def test_the_connection_says_who_sent_a_message(table) -> None:
    """Whatever the message says: a player resigns for themselves only."""
    names = {player: name for name, player in SEATS.items()}
    waiting = table.state.to_act.opponent
    reply = table.handle(names[waiting], EVENT % ("resign", waiting.opponent, '"single"'))
    assert reply["code"] == "ok"
    assert table.state.offer.by is waiting


def test_a_match_is_restored_from_what_was_stored(example, table) -> None:
    rng = random.Random(2)
    for _ in range(60):
        table.handle(rng.choice([*SEATS]), example.careless_message(table.state, rng))
    first, log = table.stored()
    again = example.Table.restored(first, log, SEATS, rng)
    assert (again.first, again.state, again.log) == (table.first, table.state, table.log)
    assert again.state.phase is not Phase.OPENING
    with pytest.raises(IllegalActionError):  # the opening roll twice: what is stored is checked again
        example.Table.restored(first, [log[0], log[0]], SEATS, rng)
    assert [json.dumps(event) for event in again.log] == log
