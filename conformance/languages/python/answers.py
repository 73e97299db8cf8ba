"""The rules of match.wasm, asked by `gammonrules conform -- python answers.py match.wasm`."""

import json
import sys
from collections.abc import Iterator
from typing import Any

from names import ACTIONS, OPTIONS, STARTS
from rules import BOARD, ENDS, MATCH, boards, call, memory, nodes, read, read_id, store, turned, write

SEATS = ["white", "black"]
WINS = [None, "single", "gammon", "backgammon"]
NO_SUCH_PLAY = 24
CHECKERS = 15


def orders(high: int, low: int) -> list[list[list[int]]]:
    """All orders of moves; where either die bears a checker off, they are one."""
    tree = nodes(high, low)

    def after(node: int) -> Iterator[tuple[tuple[int, int], ...]]:
        if not tree[node]:
            yield ()
        for start, end, _, next_node in tree[node]:
            for rest in after(next_node):
                yield ((start, end), *rest)

    return [[[*move] for move in order] for order in dict.fromkeys(after(0))]


def board_after(board: list[int], moves: list[list[int]]) -> list[int]:
    for start, end in moves:
        board[start] -= 1
        if end and board[end] == -1:  # a hit
            board[end] = 0
            board[0] -= 1
        board[end] += end > 0
    return turned(board)


def seat(player: str | None) -> int:
    return SEATS.index(player) if player else -1


def write_match(state: dict[str, Any]) -> None:
    rules, offer, result = state["rules"], state["offer"] or {}, state["result"] or {}
    double = (offer["double"] or {}) if "win" in offer else offer
    resigned_by = offer["by"] if "win" in offer else None
    fields = [
        *(seat(state["on_roll"]), *(state["dice"] or [0, 0]), state["cube"], seat(state["owner"])),
        *(seat(double.get("by")), double.get("value", 0), double.get("beavers", 0)),
        *(seat(resigned_by), WINS.index(offer.get("win"))),
        *(*state["score"], state["length"] or 0, state["crawford"]),
        *(seat(result.get("winner")), WINS.index(result.get("win")), result.get("points", 0)),
        ENDS.index(result.get("end", "played")),
        *(words.index(rules[name]) if words else rules[name] or 0 for name, words in OPTIONS.items()),
        state.get("checkers", CHECKERS),
    ]
    write(MATCH, "match", fields + state["points"])


def read_match(before: dict[str, Any]) -> dict[str, Any]:
    """The next state; what an action never changes is that of the state before."""
    fields = read(MATCH, "match")
    player = [*SEATS, None]  # -1 is nobody
    winner, win, points, end = fields[14:18]
    offer: dict[str, Any] | None = None
    if fields[6]:
        offer = {"by": player[fields[5]], "value": fields[6], "beavers": fields[7]}
    if fields[9]:
        offer = {"type": "Resignation", "by": player[fields[8]], "win": WINS[fields[9]], "double": offer}
    elif offer:
        offer["type"] = "Double"
    result = {"winner": player[winner], "win": WINS[win], "points": points, "end": ENDS[end]}
    return before | {
        "on_roll": player[fields[0]],
        "dice": fields[1:3] if fields[1] else None,
        "cube": fields[3],
        "owner": player[fields[4]],
        "offer": offer,
        "score": fields[10:12],
        "crawford": fields[13] == 1,
        "result": result if points else None,
        "points": fields[-26:],
    }


def act(state: dict[str, Any], action: dict[str, Any]) -> int:
    """Do it, and give 0, or the number of the reason why it is illegal."""
    do, by = action["do"], seat(action.get("by"))
    if do == "forfeit":
        return call("forfeit", by, action["points"] or 0)
    numbers = [0, 0]
    if do == "opening_roll":
        numbers = [action["white"], action["black"]]
    elif do == "roll":
        numbers = action["dice"]
    elif do == "resign":
        numbers = [WINS.index(action["win"]), 0]
    elif do == "play" and not call("why_not", ACTIONS.index(do), by):
        write(BOARD, "board", state["points"])
        if action["moves"] not in orders(*state["dice"]):
            return NO_SUCH_PLAY
        write(BOARD, "board", board_after([*state["points"]], action["moves"]))
    elif do == "next_game":
        start, checkers = STARTS[state["rules"]["start"]]
        if checkers != state.get("checkers", CHECKERS) or not read_id(start, checkers):
            return NO_SUCH_PLAY
        numbers = [seat(action.get("starter")), checkers]
    return call("act", ACTIONS.index(do), by, *numbers)


def answer(question: dict[str, Any]) -> dict[str, Any]:
    checkers = question.get("checkers", CHECKERS)
    match question:
        case {"ask": "hello"}:
            asks = ["plays", "orders", "perft", "table", "identifiers:position"]
            return {"name": "match.wasm in Python", "version": "1", "asks": asks}
        case {"ask": "perft", "start": start, "depth": depth}:
            read_id(*STARTS[start])
            return {"plays": [int(call("perft", rolls + 1)) for rolls in range(depth)]}
        case {"ask": "table", "state": state, "action": action}:
            write_match(state)
            is_refused = call("problems") or act(state, action)
            return {"refused": True} if is_refused else {"state": read_match(state)}
        case {"ask": "identifiers", "state": state}:
            write(BOARD, "board", state["points"])
            call("write_id")
            return {"text": memory.read(store, call("text"), call("text") + 14).decode()}
        case {"ask": "identifiers", "text": text}:
            if not read_id(text, checkers):
                return {"refused": True}
            fewer = {"checkers": checkers} if checkers < CHECKERS else {}
            return {"state": {"points": read(BOARD, "board"), **fewer}}
        case {"ask": ask, "points": points, "dice": [high, low]}:
            write(BOARD, "board", points)
            return {"orders": orders(high, low)} if ask == "orders" else {"points": [*map(turned, boards(high, low))]}
    return {"error": "not answered"}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"]} | answer(question)), flush=True)
