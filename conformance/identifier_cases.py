"""Identifiers of states, both ways: each text is read as the state that it was written of, and a few are refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import reference
from boards import random_board
from gammonrules.conformance import answer

Case = dict[str, Any]

OF_A_KIND = 75
"""How many states are written and read in each format."""
PLAIN = {
    "crawford": True,
    "jacoby": False,
    "beavers": 0,
    "auto_doubles": 0,
    "max_cube": None,
    "cube": True,
    "gammons": True,
    "backgammons": True,
    "scoring": "points",
    "opening": "shared",
    "start": "standard",
}
BY_DEFAULT = {True: PLAIN, False: PLAIN | {"jacoby": True, "beavers": 1}}
"""What is agreed in a match, and in money play."""
CLOSED = dict.fromkeys(range(1, 7), 2)
REFUSED = {
    "xgid": (
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:31:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----P-:0:0:1:31:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e---B-:0:0:1:31:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:37:0:0:0:7:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:7:0:0:7:10",
        "XGID=-b----F-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10",
        "XGID=aBBBBBBA-----------abbbbbb:0:0:1:31:0:0:0:7:10",
    ),
    "gnubg": (
        "4HPwATDgc/ABMA:cAkAAAAAAA",
        "4HPwATDgc/ABM:cIkqAAAAAAAE",
        "4HPwATDgc/AB!A:cIkqAAAAAAAE",
        "AAAAAAAAAAAAAA:cIkqAAAAAAAE",
        "/////////////w:cIkqAAAAAAAE",
    ),
    "ogid": (
        "11jjjjjhhhcccc:ooddddd88866666:N0N:31:B:IW:0:0:7:1:15:12",
        "11jjjjjhhhccccc:ooddddd88866666:N0N:71:B:IW:0:0:7:1",
        "11jjjjjhhhcccccj1:ooddddd88866666o:N0N:31:X:IW:0:0:7:1",
    ),
    "position": (
        "4HPwATDgc/ABM",
        "4HPwATDgc/AB*A",
        "/////////////w",
        "AAAAAAAAAAAAAA",
        "",
        "4HPwATDgc/ABMA4HPwATDgc/ABMA",
    ),
}


def identifier_cases(states: list[Case]) -> list[Case]:
    """Of states of the table, by the rules of a match or of money play, and of boards."""
    cases = [*position_cases(), *refused_cases()]
    for kind in ("xgid", "gnubg", "ogid"):
        known: list[Case] = []
        for state in states:
            plain = state | {"rules": BY_DEFAULT[state["length"] is not None]}
            text = _text_of(kind, plain)
            if text and plain not in known and len(known) < OF_A_KIND:
                known.append(plain)
                cases += _both_ways(kind, plain, text)
    return cases


def _text_of(kind: str, state: Case) -> str | None:
    """The text of a state that comes back from it as it was, or None."""
    try:
        text = answer({"id": 0, "ask": "identifiers", "kind": kind, "state": state}).get("text")
        back = answer({"id": 0, "ask": "identifiers", "kind": kind, "text": text})
    except Exception:  # noqa: BLE001 - other rules make many states impossible
        return None
    return text if back.get("state") == state else None


def _both_ways(kind: str, state: Case, text: str, rule: str = "identifiers") -> Iterator[Case]:
    checkers = {"checkers": state["checkers"]} if kind == "position" and "checkers" in state else {}
    for question, reply in (
        ({"kind": kind, "state": state}, {"text": text}),
        ({"kind": kind, "text": text, **checkers}, {"state": state}),
    ):
        yield {"rule": rule, "core": True, "question": {"ask": "identifiers", **question}, "answer": reply}


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
                question = {"ask": "identifiers", "kind": kind, "text": text}
                yield {"rule": rule, "core": True, "question": question, "answer": {"refused": True}}
