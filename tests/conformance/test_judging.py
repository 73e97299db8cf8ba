"""What is wrong with an answer is said in a sentence, with the play or the rule that proves it."""

from __future__ import annotations

import json
from typing import Any

import attrs

import loop
import wording
from gammonrules import ROLLS, MatchState, Player, Position, Rules
from gammonrules._json_protocol.flat_states import flat
from gammonrules.conformance import answer
from gammonrules.conformance.judging import faults
from gammonrules.conformance.questions import Case, full
from gammonrules.errors import GammonError
from suite import SUITE

RULES: dict[str, str] = json.loads((SUITE / "rules.json").read_text(encoding="utf-8"))
BAR = Position.of(mine={"bar": 1, 13: 2, 6: 3}, theirs={6: 2, 3: 2})
OPENED = MatchState.new(7).opening_roll(3, 1)
TO_ROLL = OPENED.play("8/5 6/5")


def question(position: Position, *dice: int, ask: str = "plays") -> dict[str, Any]:
    return {"id": 1, "ask": ask, "points": [*position.points], "dice": [*dice]}


def lines(asked: dict[str, Any], **changes: Any) -> list[str]:
    """What is said of the right answer with these changes."""
    return [fault.sentence for fault in faults(asked, answer(asked), answer(asked) | changes)]


def moved(position: Position, *moves: tuple[int, int]) -> list[int]:
    points = [*position.points]
    for source, target in moves:
        points[source] -= 1
        if target:
            points[target] += 1
    return points


def test_right_answers() -> None:
    for roll in ROLLS:
        for ask in ("plays", "orders"):
            asked = question(BAR, *roll, ask=ask)
            key, backward = ("points" if ask == "plays" else ask), slice(None, None, -1)
            assert lines(asked) == lines(asked, **{key: answer(asked)[key][backward]}) == []


@loop.rows(
    "position, dice, moves, words, rule",
    (BAR, (6, 1), [(13, 7), (7, 6)], "bar", "bar"),
    (Position.of(mine={24: 2}, theirs={6: 2, 3: 13}), (5, 4), [(24, 19), (24, 20)], "blocked", "blocked"),
    (Position.of(mine={7: 1, 2: 14}, theirs={1: 15}), (2, 1), [(2, 0), (2, 1)], "home", "home"),
    (Position.of(mine={6: 2, 3: 13}, theirs={1: 15}), (5, 4), [(3, 0), (3, 0)], "higher checker", "overshoot"),
    (Position.start(), (3, 1), [(8, 5)], "both dice", "both-dice"),
    (Position.start(), (2, 2), [(24, 22), (24, 22)], "four", "doublet"),
    (Position.start(), (3, 1), [], "must play", "both-dice"),
    (Position.start(), (3, 3), [], "must play", "doublet"),
    (Position.of(mine={13: 1, 1: 14}, theirs={23: 2, 3: 13}), (6, 5), [(13, 8)], "6", "higher-die"),
)
def test_why_a_board_is_wrong(
    position: Position, dice: tuple[int, int], moves: list[tuple[int, int]], words: str, rule: str
) -> None:
    asked = question(position, *dice)
    right = answer(asked)
    boards = [*right["points"], moved(position, *moves)]
    fault, proof = faults(asked, right, right | {"points": boards})
    wording.check(fault.sentence, "0 boards missing", "1 too many")
    wording.check(proof.sentence, words, longest=600)
    assert (fault.rule, proof.rule) == (None, RULES[rule])


def test_what_is_missing_is_a_play() -> None:
    asked = question(Position.start(), 3, 1)
    boards = answer(asked)["points"]
    made = moved(Position.start(), (8, 5), (6, 5))
    sentence, first = lines(asked, points=[board for board in boards if board != made])
    wording.check(sentence, "1 board missing", "0 too many")
    assert "8/5 6/5" in first


def test_boards_that_no_moves_lead_to() -> None:
    asked = question(Position.start(), 3, 1)
    boards = answer(asked)["points"]
    turned = [[-count for count in reversed(board)] for board in boards]
    assert "as the opponent sees it" in lines(asked, points=turned)[-1]
    far = moved(Position.start(), (24, 1))
    far[1] = -2
    far[14] = 1
    assert "no moves of 31" in lines(asked, points=[*boards, far])[1]


def test_what_is_no_board_counts_as_too_many() -> None:
    """Neither true nor 1.0 is 1."""
    asked = question(Position.start(), 3, 1)
    boards = answer(asked)["points"]
    for wrong in (7, [1.0, *boards[0][1:]], [bool(count) for count in boards[0]], boards[0][:25], [[]]):
        sentence, first = lines(asked, points=[*boards, wrong])
        wording.check(sentence, "0 boards missing", "1 too many")
        wording.check(first, longest=1_000)
    for wrong in (None, {}, 5, "[]"):
        (sentence,) = lines(asked, points=wrong)
        wording.check(sentence, "points", "16 boards")


def test_a_board_twice() -> None:
    asked = question(Position.start(), 3, 1)
    boards = answer(asked)["points"]
    right = answer(asked)
    (twice,) = faults(asked, right, right | {"points": [*boards, boards[3]]})
    assert twice.rule == RULES["same-position"]
    assert twice.sentence == f"a board is listed twice: {boards[3]}"


def test_who_is_hit_does_not_vanish() -> None:
    asked = question(Position.of(mine={24: 2, 1: 13}, theirs={6: 1, 2: 14}), 5, 4)
    boards = [[*board] for board in answer(asked)["points"]]
    vanished = [[0, *board[1:]] for board in boards]
    assert vanished != boards
    proof = lines(asked, points=vanished)[-1]
    wording.check(proof, "the opponent has 14 checkers, not 15", "to their bar", longest=600)


@loop.rows(
    "order, words",
    ([[25, 24]], "both dice"),
    ([[13, 7], [7, 6]], "bar"),
    ([[25, 18]], "several dice"),
    ([[25, 24], [24, 18], [18, 17]], "complete"),
    ([[25, 24], [13, -1]], "-1"),
    (5, "array"),
    ([[25, 24], ["a", None]], "move"),
)
def test_why_an_order_is_wrong(order: Any, words: str) -> None:
    asked = question(BAR, 6, 1, ask="orders")
    sentence, first = lines(asked, orders=[*answer(asked)["orders"], order])
    wording.check(sentence, "0 sequences missing", "1 too many")
    wording.check(first, words, longest=600)


def test_an_order_that_is_missing_or_ends_too_early() -> None:
    asked = question(BAR, 6, 1, ask="orders")
    assert "missing: [[25, 24], " in lines(asked, orders=[])[1]
    last = question(Position.of(mine={2: 1}, theirs={1: 1}), 6, 1, ask="orders")
    assert lines(last, orders=[[[2, 0]], [[2, 1], [1, 0]]]) == []
    assert "2/1" in lines(last, orders=[[[2, 0]], [[2, 1]], [[2, 1], [1, 0]]])[1]


def test_a_state_is_compared_key_by_key() -> None:
    asked = {"id": 1, "ask": "table", "state": flat(TO_ROLL), "action": {"do": "double", "by": "black"}}
    state = answer(asked)["state"]
    assert lines(asked, state=state | {"more": 1}) == []
    offer = state["offer"]
    changes: list[tuple[Any, str]] = [
        (5, "state must be an object, not 5"),
        (state | {"cube": True}, "cube must be 1, not true"),
        (state | {"score": [0, 0.0]}, "score"),
        (state | {"offer": None}, "offer must be an object, not null"),
        (state | {"offer": offer | {"value": 4}}, "offer.value must be 2, not 4"),
        ({key: value for key, value in state.items() if key != "dice"}, "dice is missing"),
    ]
    for told, words in changes:
        (sentence,) = lines(asked, state=told)
        wording.check(sentence, words)


def test_what_a_game_counts_is_the_rule_of_points_where_all_else_is_right() -> None:
    last = attrs.evolve(OPENED, position=Position.of(mine={1: 1}, theirs={6: 15}))
    play = {"do": "play", "by": "white", "moves": [[1, 0]]}
    drop = {"do": "drop", "by": "white"}
    for state, action in ((last, play), (TO_ROLL.double(), drop)):
        asked = {"id": 1, "ask": "table", "state": flat(state), "action": action}
        right = answer(asked)["state"]
        points = right["result"] | {"points": 9}
        changes: list[tuple[dict[str, Any], bool]] = [
            ({"score": [9, 9]}, True),
            ({"result": points}, action is play),
            ({"result": points, "score": [9, 0]}, action is play),
            ({"result": points | {"win": "backgammon"}, "score": [9, 0]}, False),
            ({"score": [9, 9], "cube": 2}, False),
        ]
        for change, proves in changes:
            (fault,) = faults(asked, answer(asked), {"id": 1, "state": right | change})
            assert fault.rule == (RULES["points"] if proves else None)


def test_a_state_or_text_that_is_wrong_in_one_thing_proves_its_rule() -> None:
    last = attrs.evolve(OPENED, position=Position.of(mine={1: 1}, theirs={6: 15}))
    over = attrs.evolve(last, position=Position.of(mine={1: 1}, theirs={6: 14})).play("1/off")
    offered = TO_ROLL.double().resign(by=Player.WHITE)
    by_black = {"by": "black"}
    cases: list[tuple[MatchState, dict[str, Any], dict[str, Any], str | None]] = [
        (TO_ROLL, {"do": "double"} | by_black, {"score": [9, 9]}, None),
        (over, {"do": "next_game"}, {"on_roll": "white"}, "opening"),
        (over, {"do": "next_game"}, {"on_roll": "white", "cube": 2}, None),
        (last, {"do": "play", "by": "white", "moves": [[1, 0]]}, {"win": "single"}, "level"),
        (offered, {"do": "accept"} | by_black, {"points": 2}, "drop"),
        (offered, {"do": "accept"} | by_black, {"points": 2, "score": [9, 9], "cube": 2, "owner": "white"}, "drop"),
        (offered, {"do": "accept"} | by_black, {"points": 2, "winner": "white"}, None),
    ]
    for state, action, change, rule in cases:
        asked = {"id": 1, "ask": "table", "state": flat(state), "action": action}
        right = answer(asked)["state"]
        of_result = {key: change.pop(key) for key in ("win", "points", "winner") if key in change}
        wrong = change | ({"result": right["result"] | of_result} if of_result else {})
        (fault,) = faults(asked, answer(asked), {"id": 1, "state": right | wrong})
        assert fault.rule == (RULES[rule] if rule else None)
    text = {"id": 1, "ask": "identifiers", "kind": "xgid", "text": TO_ROLL.xgid}
    (fault,) = faults(text, answer(text), {"id": 1, "state": flat(OPENED)})
    assert fault.rule == RULES["identifiers"]


def test_refusals() -> None:
    forbidden = {"id": 1, "ask": "table", "state": flat(OPENED), "action": {"do": "double", "by": "white"}}
    assert lines(forbidden) == []
    for refused in (False, 1, "true"):
        (sentence,) = lines(forbidden, refused=refused)
        wording.check(sentence, "White cannot double")
    allowed = forbidden | {"state": flat(TO_ROLL), "action": {"do": "double", "by": "black"}}
    assert lines(allowed, refused=True) == ["it is refused, but it is legal"]
    text = {"id": 1, "ask": "identifiers", "kind": "xgid", "text": "XGID=nothing"}
    (sentence,) = lines(text, refused=None)
    wording.check(sentence, "must be refused")


def test_a_text_is_right_if_it_says_the_same() -> None:
    asked = {"id": 1, "ask": "identifiers", "kind": "xgid", "state": flat(OPENED)}
    xgid = OPENED.xgid
    assert lines(asked, text=xgid.removeprefix("XGID=")) == []
    for told, words in ((5, "5"), ("nonsense", "nonsense"), (TO_ROLL.xgid, "on_roll"), (xgid[:-4], "XGID")):
        (sentence,) = lines(asked, text=told)
        wording.check(sentence, words, longest=900)


def test_a_state_of_an_identifier_is_compared_where_the_text_says_something() -> None:
    money = MatchState.new(None, rules=Rules(jacoby=True)).opening_roll(3, 1)
    for kind, text, said in (("xgid", money.xgid, "beavers"), ("gnubg", money.gnubg_id, "jacoby")):
        asked = {"id": 1, "ask": "identifiers", "kind": kind, "text": text}
        state = answer(asked)["state"]
        rules = state["rules"]
        assert lines(asked, state=state | {"rules": rules | {"opening": "reroll", "auto_doubles": 3}}) == []
        (sentence,) = lines(asked, state=state | {"rules": rules | {said: None}})
        wording.check(sentence, f"rules.{said}")


def test_counts_and_errors() -> None:
    asked = {"id": 1, "ask": "perft", "start": "hypergammon", "depth": 1}
    count = answer(asked)["plays"][0]
    for plays in ([count + 1], [float(count)], count, []):
        (sentence,) = lines(asked, plays=plays)
        wording.check(sentence, "plays", count)
    (sentence,) = lines(asked, error="\x1b[31mno idea\n" * 100)
    wording.check(sentence, "no idea")


def test_the_full_set_follows_from_the_core() -> None:
    """Each board has all rolls, each state all actions by each player, and no question stands twice."""
    core = [
        Case("a", question(BAR, 6, 1)),
        Case("b", question(BAR, 6, 2)),
        Case("c", {"id": 3, "ask": "perft", "start": "hypergammon", "depth": 1}),
        Case("d", {"id": 4, "ask": "table", "state": flat(TO_ROLL), "action": {"do": "double", "by": "black"}}),
        Case("e", {"id": 5, "ask": "identifiers", "kind": "xgid", "text": "x"}),
    ]
    cases = full(core)
    assert cases[:5] == core
    assert [case.question["id"] for case in cases[5:]] == [*range(6, len(cases) + 1)]
    assert len({str(case.question["dice"]) for case in cases if "dice" in case.question}) == len(ROLLS)
    assert {case.question["depth"] for case in cases if case.rule == "c"} == {1, 2}
    actions = [case.question["action"] for case in cases if case.rule == "d"]
    assert {action["do"] for action in actions} >= {"roll", "play", "take", "drop", "beaver", "forfeit", "next_game"}
    assert {action.get("by") for action in actions} == {"white", "black", None}
    assert all(case.right_answer()["id"] == case.question["id"] for case in cases if case.rule != "e")


def test_a_library_that_answers_otherwise_than_the_suite_says_so() -> None:
    with wording.tells(GammonError, "question 1", "install"):
        Case("a", question(BAR, 6, 1), "00000000").right_answer()
