"""Documents of records and their parts, of every version of the JSON form, and what is wrong in them."""

from __future__ import annotations

import random

import attrs
import pytest
from hypothesis import given, strategies as st

import loop
from core_documents import documents
from gammonrules import Event, MatchState, ParseError, Player, Position, json
from gammonrules.records import (
    Candidate,
    Chances,
    CubeAnalysis,
    Finding,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    RecordedResult,
    Severity,
)
from json_laws import assert_sound_when_changed
from json_schema import RECORD_DOCUMENTS, RECORD_KINDS, TYPE_SCHEMAS

BEARING_OFF = Position.of(mine={6: 2}, theirs={6: 1}, checkers=3)
CHANCES = Chances(0.5, 0.25, 0, 0.125, 0)
PLAYED = PlayAnalysis((Candidate("6/off", BEARING_OFF, 0.5, CHANCES),), 0, engine="gnubg")
GAME = Game(
    1,
    MatchState.new(7),
    (Event("opening_roll", argument=(2, 5)), Event("play", Player.BLACK, "13/8 13/11")),
    stated=RecordedResult(Player.WHITE, 2, text="Wins 2 points"),
    analyses=(None, PLAYED),
)
MATCH = Match(
    ("Ann", "Bob"),
    7,
    (GAME,),
    tags=(("Site", "Turku"),),
    findings=(Finding(Severity.INFO, FindingKind.UNFINISHED_GAME, 1, None, "", "it has no result"),),
)
WRITTEN: list[json.Value] = [
    *(MATCH, GAME, RecordedResult(Player.WHITE, 2, text="Wins 2 points"), MATCH.findings[0]),
    *(PLAYED, PLAYED.candidates[0], CubeAnalysis()),
]
"""Values of the documents of each version."""


@given(st.sampled_from(WRITTEN), st.randoms(use_true_random=False))
def test_a_changed_document(value: json.Value, rng: random.Random) -> None:
    assert_sound_when_changed(value, rng, TYPE_SCHEMAS)


def test_every_type() -> None:
    assert {type(value) for value in WRITTEN} == set(RECORD_KINDS.values())
    assert {json.dumps(value) for value in WRITTEN} <= {*RECORD_DOCUMENTS}


@loop.over("version", range(1, json.VERSION + 1))
def test_documents_of_every_version(version: int) -> None:
    """What was ever written is read, as the same values, and written in the newest form."""
    values = [json.loads(document) for document in documents(version, of_records=True)]
    assert [json.dumps(value) for value in values] == RECORD_DOCUMENTS
    assert {type(value) for value in values} == set(RECORD_KINDS.values())


def test_a_name_of_version_2_belongs_to_it() -> None:
    """By itself, in a game, and in a match: the equity of a double that is dropped."""
    analysis = CubeAnalysis(0.5, 0.7, double_drop=0.9)
    game = attrs.evolve(MATCH.games[0], analyses=(analysis,) * len(MATCH.games[0].events))
    for value in (analysis, game, attrs.evolve(MATCH, games=(game,))):
        old = (
            json.dumps(value).replace(f'"version":{json.VERSION}', '"version":2').replace("double_drop", "double_pass")
        )
        assert json.dumps(json.loads(old)) == json.dumps(value)
        for wrong in (old.replace('"version":2', '"version":3'), old.replace('"double_pass":0.9', '"double_pass":"x"')):
            with pytest.raises(ParseError):
                json.loads(wrong)
