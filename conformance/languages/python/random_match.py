"""A match at random: `python random_match.py match.wasm 7`, and for the same match again a seed after the length."""

import random
import sys

from names import ACTIONS, OPTIONS, STARTS
from rules import BOARD, ENDS, MATCH, boards, call, read, read_id, write

SEATS = ["White", "Black"]
NOBODY = -1
CHECKERS = 15
USUAL = ["crawford", "cube", "gammons", "backgammons"]
"""The options that are on in a match."""


def set_start() -> list[int]:
    read_id(*STARTS["standard"])
    return read(BOARD, "board")


def begin(length: int) -> None:
    """A match under the usual rules: the fields are in the order of gammonrules.h."""
    fields = [NOBODY, 0, 0, 1, NOBODY, NOBODY, 0, 0, NOBODY, 0, 0, 0, length, 0, NOBODY, 0, 0, 0]
    options = [name in USUAL for name in OPTIONS]
    write(MATCH, "match", [*fields, *options, CHECKERS, *set_start()])
    if length < 1 or call("problems"):
        sys.exit(f"no such match: {length}")


def act_at_random() -> None:
    """Do something legal, but for resignations."""
    legal = [name for at, name in enumerate(ACTIONS) if call("actions", NOBODY) >> at & 1 and name != "resign"]
    action = random.choice(legal)
    numbers = [random.randint(1, 6), random.randint(1, 6)]
    if action == "play":
        fields = read(MATCH, "match")
        write(BOARD, "board", fields[-26:])
        write(BOARD, "board", random.choice(boards(fields[1], fields[2])))
    elif action == "next_game":
        set_start()
        numbers = [NOBODY, CHECKERS]  # an opening roll says who starts
    reason = call("act", ACTIONS.index(action), NOBODY, *numbers)
    if reason:
        sys.exit(f"refused: reason {reason}")


def main() -> None:
    length = int(sys.argv[2])
    random.seed(*sys.argv[3:])
    begin(length)
    while call("winner") == NOBODY:
        act_at_random()
        fields = read(MATCH, "match")
        winner, _, points, end = fields[14:18]
        if points:
            print(f"{SEATS[winner]} wins {points} ({ENDS[end]}), and it is {fields[10]}-{fields[11]}")
    print(f"{SEATS[call('winner')]} wins the match to {length}")


main()
