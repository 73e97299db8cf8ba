"""The answer to each kind of question, and what is no question; the data of the suite has thousands more."""

from __future__ import annotations

from typing import Any

import pytest

import loop
import wording
from gammonrules import ArgumentError, GammonError, MatchState, Player, Position, Rules, Win
from gammonrules.conformance import answer
from gammonrules.conformance.states import flat, state_of_flat
from gammonrules.match import End

OPENED = MatchState.new(7).opening_roll(3, 1)
DOUBLED = OPENED.play("8/5 6/5").double()
STATES = [
    MatchState.new(None),
    OPENED,
    DOUBLED,
    DOUBLED.resign(Win.GAMMON),
    DOUBLED.drop(),
    OPENED.forfeit(Player.WHITE),
    MatchState.new(None, rules=Rules(start="hypergammon"), position=Position.start("hypergammon")).opening_roll(1, 2),
]
BLOCKED = {"points": [0, *[0] * 18, *[-2] * 6, 1], "dice": [6, 1]}


def asked(**fields: Any) -> dict[str, Any]:
    return answer({"id": 5, **fields})


def test_states_are_flat() -> None:
    for state in STATES:
        written = flat(state)
        assert state_of_flat(written) == state
        assert written.get("checkers", 15) == state.position.checkers
        assert {"length", "score", "rules", "on_roll", "points", "dice", "cube", "owner", "offer", "result"} <= {
            *written
        }


def test_boards_are_seen_by_the_player_who_moved() -> None:
    points = [*Position.start().points]
    boards = asked(ask="plays", points=points, dice=[3, 1])["points"]
    made = [*points]
    for point, count in ((8, -1), (6, -1), (5, 2)):
        made[point] += count
    assert made in boards
    assert len(boards) == 16


def test_a_dance() -> None:
    assert asked(ask="plays", **BLOCKED) == {"id": 5, "points": [BLOCKED["points"]]}
    assert asked(ask="orders", **BLOCKED) == {"id": 5, "orders": [[]]}


def test_an_order_uses_as_many_dice_as_can_be_used() -> None:
    """A last checker may leave by fewer, as in a tree, but not past a blot; where either die does, it is one order."""
    last = [0, 0, 1, *[0] * 21, -1, 0]
    assert asked(ask="orders", points=last, dice=[6, 1])["orders"] == [[[2, 0]], [[2, 1], [1, 0]]]
    assert asked(ask="orders", points=last, dice=[6, 5])["orders"] == [[[2, 0]]]
    past_a_blot = [0, -1, -1, 1, *[0] * 22]
    assert asked(ask="orders", points=past_a_blot, dice=[3, 1])["orders"] == [[[3, 2], [2, 0]]]


def test_a_table() -> None:
    opened = asked(ask="table", state=flat(STATES[0]), action={"do": "opening_roll", "white": 3, "black": 1})["state"]
    assert state_of_flat(opened) == MatchState.new(None).opening_roll(3, 1)
    actions: list[tuple[dict[str, Any], MatchState]] = [
        ({"do": "play", "by": "white", "moves": [[8, 5], [6, 5]]}, OPENED),
        ({"do": "take", "by": "white"}, DOUBLED),
        ({"do": "resign", "by": "black", "win": "gammon"}, DOUBLED),
        ({"do": "roll", "by": "black", "dice": [6, 2]}, DOUBLED.take()),
        ({"do": "next_game"}, DOUBLED.drop()),
        ({"do": "next_game", "starter": "black"}, DOUBLED.drop()),
        ({"do": "forfeit", "by": "white", "points": None}, OPENED),
    ]
    for action, state in actions:
        assert "state" in asked(ask="table", state=flat(state), action=action), action
        assert asked(ask="table", state=flat(STATES[0]), action=action).get("refused", action["do"] == "forfeit"), (
            action
        )
    forfeit = asked(ask="table", state=flat(OPENED), action={"do": "forfeit", "by": "white", "points": None})
    assert state_of_flat(forfeit["state"]).result == OPENED.forfeit(Player.WHITE).result
    assert state_of_flat(forfeit["state"]).result.end is End.FORFEITED  # type: ignore[union-attr]


def test_identifiers_both_ways() -> None:
    for kind in ("xgid", "gnubg", "ogid"):
        text = asked(ask="identifiers", kind=kind, state=flat(DOUBLED))["text"]
        assert asked(ask="identifiers", kind=kind, text=text)["state"] == flat(DOUBLED)
        assert asked(ask="identifiers", kind=kind, text="nonsense") == {"id": 5, "refused": True}
    start = {"points": [*Position.start().points]}
    assert asked(ask="identifiers", kind="position", state=start)["text"] == Position.start().id
    assert asked(ask="identifiers", kind="position", text=Position.start().id)["state"] == start
    three = asked(ask="identifiers", kind="position", text=Position.start("hypergammon").id, checkers=3)["state"]
    assert three["checkers"] == 3


def test_the_others() -> None:
    assert asked(ask="perft", start="hypergammon", depth=1)["plays"][0] > 100
    assert asked(ask="hello")["asks"] == ["plays", "orders", "perft", "table", "identifiers"]


@loop.rows(
    "question, words",
    (5, "5"),
    ({}, "{}"),
    ({"id": True, "ask": "hello"}, "True"),
    ({"id": 1}, "1"),
    ({"id": 1, "ask": "plays", "points": None, "dice": [1, 2]}, "None"),
    ({"id": 1, "ask": "plays", "points": BLOCKED["points"], "dice": [1, 7]}, "7"),
    ({"id": 1, "ask": "perft", "start": "chess", "depth": 1}, "chess"),
    ({"id": 1, "ask": "table", "state": 5, "action": {}}, "5"),
    ({"id": 1, "ask": "table", "state": {}, "action": {}}, "points"),
    ({"id": 1, "ask": "table", "state": flat(OPENED), "action": {"do": "sing"}}, "sing"),
    ({"id": 1, "ask": "table", "state": flat(OPENED), "action": {"do": "take", "by": []}}, "white"),
    ({"id": 1, "ask": "table", "state": flat(OPENED) | {"length": "7"}, "action": {"do": "next_game"}}, "length"),
    ({"id": 1, "ask": "identifiers", "kind": "xgid", "text": 5}, "5"),
    ({"id": 1, "ask": "identifiers", "kind": "morse", "text": "-"}, "morse"),
)
def test_no_question(question: Any, words: str) -> None:
    with pytest.raises(GammonError) as error:
        answer(question)
    wording.check(error.value, words, longest=600)
    assert "ask" in str(question) or isinstance(error.value, ArgumentError)
