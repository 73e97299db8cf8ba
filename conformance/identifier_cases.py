"""Identifiers of states, both ways: each text is read as the state that it was written of, and a few are refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

import reference
from boards import random_board
from gammonrules import Rules
from gammonrules.conformance import answer

Case = dict[str, Any]

OF_A_KIND = 75
"""How many boards are written as Position IDs, and read."""
OF_A_FACT = 3
"""In how many states of a format each of its facts is true, at least."""
KINDS = ("xgid", "gnubg", "ogid")
PLAIN = {option.name: option.default for option in attrs.fields(Rules)}
BY_DEFAULT = {True: PLAIN, False: PLAIN | {"jacoby": True, "beavers": 1}}
"""What is agreed in a match, and in money play."""
CARRIED = {"xgid": ("max_cube", "cube"), "gnubg": (), "ogid": ()}
IN_MONEY = {"xgid": ("jacoby", "beavers"), "gnubg": ("jacoby",), "ogid": ()}
"""The options of the rules that a text carries."""
CLOSED = dict.fromkeys(range(1, 7), 2)
BOARD, GNUBG_BOARD, OGID_BOARD = "-b----E-C---eE---c-e----B-", "4HPwATDgc/ABMA", "11jjjjjhhhccccc:ooddddd88866666"
REFUSED = {
    "xgid": (
        *(
            f"XGID={BOARD}:{fields}"
            for fields in (
                "0:0:0:31:0:0:0:7:10",
                "0:0:2:31:0:0:0:7:10",
                "0:0:1:37:0:0:0:7:10",
                "0:0:1:30:0:0:0:7:10",
                "0:0:1:31:7:0:0:7:10",
                "0:0:1:31:-1:0:0:7:10",
                "0:0:1:31:0:0:0:-7:10",
                "0:0:1:31:0:0:4:7:10",
                "0:0:1:31:0:0:2:7:10",
                "0:0:1:31:0:0:0:7",
                # cubes: owned at 1, in the middle of a match, above their limit, too high; a Crawford game with a cube
                "0:1:1:31:0:0:0:7:10",
                "1:0:1:31:0:0:0:7:10",
                "3:1:1:31:0:0:0:0:2",
                "40:1:1:31:0:0:0:7:10",
                "2:1:1:31:6:2:1:7:10",
                "0:0:1:31:3:2:1:7:10",
                "0:0:1:B:0:0:0:7:10",
                "1:1:1:DD:0:0:0:7:10",
                "0:0:1:RR:0:0:3:0:10",
            )
        ),
        "XGID=-b----E-C---eE---c-e----P-:0:0:1:31:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e---B-:0:0:1:31:0:0:0:7:10",
        "XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        "XGID=aBBBBBBA-----------abbbbbb:0:0:1:31:0:0:0:7:10",
        "XGID=--------------------------:0:0:1:31:0:0:0:7:10",
        "XGID=-----a--------------------:0:0:1:31:0:0:0:7:10",
    ),
    "gnubg": (
        f"{GNUBG_BOARD}:cAkAAAAAAA",
        "4HPwATDgc/ABM:cIkqAAAAAAAE",
        "4HPwATDgc/AB!A:cIkqAAAAAAAE",
        "4HPwATDgc/ABMB:cIkqAAAAAAAE",
        "AAAAAAAAAAAAAA:cIkqAAAAAAAE",
        "/////////////w:cIkqAAAAAAAE",
        f"{GNUBG_BOARD}:cIkqAAAAAAA/",
        f"{GNUBG_BOARD}:cIkqAAAAAAAEAA",
        f"{GNUBG_BOARD}:////////////",
        f"{GNUBG_BOARD}:AAAAAAAAAAAA",
        f"{GNUBG_BOARD}cIkqAAAAAAAE",
        "4HPwATAAAAAAAA:cIkqAAAAAAAE",  # a game that is over
        *(
            f"{GNUBG_BOARD}:{match_id}"
            for match_id in (
                # a die of 7, one die, dice beside a double, doubles by who answers and by who does not own the cube
                "MIHrAAAAAAAA",
                "MIHiAAAAAAAA",
                "MJnlAAAAAAAA",
                "MBHgAAAAAAAA",
                "ERngAAAAAAAA",
                # a bit too many, games before and after they are played, a match that is over, two wrong Crawford games
                "MIHqAAAAAAAI",
                "MADgAAAAAAAA",
                "MILqAAAAAAAA",
                "MAPgAAAAAAAA",
                "MATgAAAAAAAA",
                "MIHqAHAAAAAA",
                "sIHqAAAAAAAA",
                "gYHqAGAAAAAA",
            )
        ),
    ),
    "ogid": (
        "11jjjjjhhhcccc:ooddddd88866666:N0N:31:B:IW:0:0:7:1:15:12",
        f"{OGID_BOARD}1:N0N:31:B:IW:0:0:7:1",
        f"1{OGID_BOARD}:N0N:31:B:IW:0:0:7:1",
        "p1jjjjjhhhccccc:0ddddd88866666o:N0N:31:B:IW:0:0:7:1",
        "11jjjjjhhhcccccj1:ooddddd88866666o:N0N:31:X:IW:0:0:7:1",
        *(
            f"{OGID_BOARD}:{fields}"
            for fields in (
                "N0N:71:B:IW:0:0:7:1",
                "N0N:3:B:IW:0:0:7:1",
                "N0N:31",
                "X0N:31:B:IW:0:0:7:1",
                "N0Q:31:B:IW:0:0:7:1",
                "W0N:31:B:IW:0:0:7:1",
                "N1O::W:D:0:0:7:1",
                "N0N:31:B:IW:8:0:7:1",
                "N0N:31:B:IW:0:0:7C:1",
                "N0N:31:B:IW:0:0:x:1",
                "N0N:31:B:M:7:0:7:1",
                "N0N:31:B:G:0:0:7:1",
            )
        ),
    ),
    "position": (
        "4HPwATDgc/ABM",
        "4HPwATDgc/AB*A",
        "4HPwATDgc/ABMB",
        "4HPwATDgc//BMA",
        # ones after the last zero, both sides on one point, and 16 checkers
        "4Dn4ABjwHHwAzA",
        "4HPwATDgc/iAAQ",
        "wefgA2DAc/ABMA",
        "////AAAAAAAAAA",
        "/////////////w",
        "AAAAAAAAAAAAAA",
        "",
        "4HPwATDgc/ABMA4HPwATDgc/ABMA",
    ),
}
"""Texts that are none, or that say nothing possible."""
ALIKE = {
    "xgid": (
        (f"XGID={BOARD}:0:0:1:31:0:0:0:7:10", f"{BOARD}:0:0:1:31:0:0:0:7:10"),
        (f"XGID={BOARD}:0:0:1:31:0:0:0:7:10", f"XGID={BOARD}:0:0:1:31:0:0:0:7:10 X:Ann O:Ben"),
        (f"XGID={BOARD}:0:0:1:31:0:0:0:7:10", f"XGID={BOARD}:0:0:1:13:0:0:0:7:10"),
        (f"XGID={BOARD}:1:-1:-1:D:0:0:0:7:10", f"XGID={BOARD}:1:-1:1:D:0:0:0:7:10"),
        (f"XGID={BOARD}:0:0:-1:64:2:1:0:7:10", f"XGID={BOARD}:0:0:-1:46:2:1:0:7:10"),
    ),
    "gnubg": ((f"{GNUBG_BOARD}:MIHqAAAAAAAA", f"{GNUBG_BOARD}:MAH1AAAAAAAA"), (f"{GNUBG_BOARD}:MIGKJYAMsAQA",) * 2),
    "ogid": (
        (f"{OGID_BOARD}:N0N:31:B:IW:2:1:7:1", f"{OGID_BOARD}:N0N:31:B:IW:2:1:7"),
        (f"{OGID_BOARD}:N0N:31:B:IW:6:0:7:1", f"{OGID_BOARD}:N0N:31:B:IW:6:0:7L:1"),
    ),
}
"""Texts that say the same as others, which are written; only the owner of a cube can have doubled; 300 points fit."""


def identifier_cases(states: list[Case]) -> list[Case]:
    """Of states of the table, by the rules that the text carries, and of boards."""
    cases = [*position_cases(), *refused_cases()]
    for kind in KINDS:
        cases += (case for state, text in varied(kind, states) for case in _both_ways(kind, state, text))
        for written, text in ALIKE[kind]:
            cases.append(_case("identifiers", {"kind": kind, "text": text}, {"state": _read(kind, written)["state"]}))
    return cases


def varied(kind: str, states: list[Case]) -> Iterator[tuple[Case, str]]:
    """States and their texts, until each fact that a text of this kind can tell is true of some."""
    known, of_fact = list[Case](), Counter[tuple[Any, ...]]()
    for state in random.Random(kind).sample(states, len(states)):
        plain = _with_rules(kind, state)
        wanted = [fact for fact in facts(plain) if of_fact[fact] < OF_A_FACT]
        if wanted and plain not in known and (text := _text_of(kind, plain)):
            known.append(plain)
            of_fact.update(wanted)
            yield plain, text


def _with_rules(kind: str, state: Case) -> Case:
    """This state by the rules of a match or of money play, but for the options that the text carries."""
    is_match = state["length"] is not None
    options = CARRIED[kind] + (() if is_match else IN_MONEY[kind])
    return state | {"rules": BY_DEFAULT[is_match] | {key: state["rules"][key] for key in options}}


def facts(state: Case) -> Iterable[tuple[Any, ...]]:
    """What a text could have wrong: each field alone, and seats beside each other."""
    seat, owner, (white, black) = state["on_roll"], state["owner"], state["score"]
    offer, dice, points = state["offer"] or {}, state["dice"], state["points"]
    lead, is_match = (white > black) - (white < black), state["length"] is not None
    double = offer.get("double") or (offer if offer.get("type") == "Double" else {})
    yield from ((key, state[key]) for key in ("length", "cube"))
    yield "rules", is_match, *(state["rules"][key] for key in ("jacoby", "beavers", "max_cube", "cube"))
    yield "score", seat, lead, is_match
    yield "crawford", state["crawford"], is_match and state["length"] - 1 in (white, black), lead
    yield "dice", seat, dice and (dice[0] > dice[1]), bool(offer)
    yield "owner", seat, owner, state["cube"] > 1
    yield "offer", seat, offer.get("type"), offer.get("by"), offer.get("win"), double.get("beavers")
    yield "double", double.get("by"), state["cube"], owner
    yield "checkers", state.get("checkers"), seat
    yield "bar", seat, points[25] > 0, points[0] < 0
    yield "result", (state["result"] or {}).get("end")


def _read(kind: str, text: str) -> Case:
    return answer({"id": 0, "ask": "identifiers", "kind": kind, "text": text})


def _text_of(kind: str, state: Case) -> str | None:
    """The text of a state that comes back from it as it was, or None."""
    try:
        text = answer({"id": 0, "ask": "identifiers", "kind": kind, "state": state}).get("text")
        back = _read(kind, text)
    except Exception:  # noqa: BLE001 - other rules make many states impossible
        return None
    return text if back.get("state") == state else None


def _case(rule: str, question: Case, reply: Case) -> Case:
    return {"rule": rule, "core": True, "question": {"ask": "identifiers", **question}, "answer": reply}


def _both_ways(kind: str, state: Case, text: str, rule: str = "identifiers") -> Iterator[Case]:
    checkers = {"checkers": state["checkers"]} if kind == "position" and "checkers" in state else {}
    yield _case(rule, {"kind": kind, "state": state}, {"text": text})
    yield _case(rule, {"kind": kind, "text": text, **checkers}, {"state": state})


def position_cases() -> Iterator[Case]:
    """Position IDs, by the brute force; where one side is shut out, the board is possible."""
    rng = random.Random("identifiers")
    for _ in range(OF_A_KIND):
        board = random_board(rng)
        rule = "shut-out" if _is_shut_out(board) else "identifiers"
        yield from _of_board(board, rule)
    for other in ({13: 2}, {25: 1, 6: 3}, {6: 5, 5: 4}, {25: 2}, {25: 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2}):
        shut_out, holder = reference.side({25: 1} | other), reference.side(CLOSED)
        if reference.is_valid((shut_out, holder)):
            yield from _of_board((shut_out, holder), "shut-out")
        if reference.is_valid((holder, shut_out)):
            yield from _of_board((holder, shut_out), "shut-out")


def _is_shut_out(board: reference.Board) -> bool:
    return reference.is_shut_out(board) or reference.is_shut_out(reference.flip(board))


def _of_board(board: reference.Board, rule: str) -> Iterator[Case]:
    checkers = sum(board[0])
    state = {"points": list(reference.signed(board))} | ({} if checkers == 15 else {"checkers": checkers})
    return _both_ways("position", state, reference.encode_id(board), rule)


def refused_cases() -> Iterator[Case]:
    """Texts that are none of their kind, and boards on which nobody could ever move."""
    both = (reference.side(CLOSED | {25: 1}), reference.side(CLOSED | {25: 3}))
    shut_out = {"position": [reference.encode_id(both)], "gnubg": [f"{reference.encode_id(both)}:cIkqAAAAAAAE"]}
    shut_out["xgid"] = ["XGID=aBBBBBB------------bbbbbbA:0:0:1:31:0:0:0:7:10"]
    for rule, texts in (("identifiers", REFUSED), ("shut-out", shut_out)):
        for kind, some in texts.items():
            for text in some:
                yield _case(rule, {"kind": kind, "text": text}, {"refused": True})
