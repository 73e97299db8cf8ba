"""What is no question; `tests/test_conformance.py` compares the answers to thousands of questions."""

from __future__ import annotations

from typing import Any

import pytest

import loop
import wording
from gammonrules import ArgumentError, GammonError, MatchState, Position
from gammonrules._json_protocol.flat_states import flat
from gammonrules.conformance import answer

OPENED = MatchState.new(7).opening_roll(3, 1)
BLOCKED = {"points": [0, *[0] * 18, *[-2] * 6, 1], "dice": [6, 1]}


def asked(**fields: Any) -> dict[str, Any]:
    return answer({"id": 5, **fields})


def test_what_is_answered() -> None:
    assert asked(ask="hello")["asks"] == ["plays", "orders", "perft", "table", "identifiers"]


def test_an_identifier_of_a_board_with_three_checkers_a_side() -> None:
    state = asked(ask="identifiers", kind="position", text=Position.start("hypergammon").id, checkers=3)["state"]
    assert (state["checkers"], state["points"]) == (3, [*Position.start("hypergammon").points])


@loop.rows(
    "question, words",
    (5, "5"),
    ({"id": True, "ask": "hello"}, "True"),
    ({"id": 1, "ask": "plays", "points": None, "dice": [1, 2]}, "None"),
    ({"id": 1, "ask": "plays", "points": BLOCKED["points"], "dice": [1, 7]}, "7"),
    ({"id": 1, "ask": "perft", "start": "chess", "depth": 1}, "chess"),
    ({"id": 1, "ask": "table", "state": {}, "action": {}}, "points"),
    ({"id": 1, "ask": "table", "state": flat(OPENED), "action": {"do": "sing"}}, "sing"),
    ({"id": 1, "ask": "table", "state": flat(OPENED), "action": {"do": "take", "by": []}}, "white"),
    ({"id": 1, "ask": "table", "state": flat(OPENED) | {"length": "7"}, "action": {"do": "next_game"}}, "length"),
    ({"id": 1, "ask": "identifiers", "kind": "morse", "text": "-"}, "morse"),
)
def test_no_question(question: Any, words: str) -> None:
    with pytest.raises(GammonError) as error:
        answer(question)
    wording.check(error.value, words, longest=600)
    assert "ask" in str(question) or isinstance(error.value, ArgumentError)
