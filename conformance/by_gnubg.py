"""GNU Backgammon as a witness: `python conformance/by_gnubg.py [STEP]` compares the plays of the core with its own.

It lists every legal play as a hint. Of the core every STEP-th case is compared; all of them take some minutes.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

import gnu_backgammon
import reference
import suite
from reference import BAR, OFF, Board

AT_A_TIME = 300
SETTINGS = (
    *("set threads 1", "set display off", "set automatic game off", "set automatic roll off", "set automatic move off"),
    *("set automatic bearoff off", "set player 0 human", "set player 1 human", "set output winpc off"),
    *("set evaluation chequerplay evaluation plies 0", "set evaluation chequerplay evaluation prune off"),
)
PLAY = re.compile(r"^ *\d+\. \S+ +\S+ +(.*?)  +(?:Eq\.|MWC|$)", re.MULTILINE)
MOVE = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")


def commands(case: suite.Case) -> list[str]:
    board = suite.board_of(case)
    high, low = suite.dice_of(case)
    dice = f"set dice {high} {low}"
    return ["new session", "set turn 1", f"set board {reference.encode_id(board)}", dice, "show board", "hint 5000"]


def after(board: Board, play: str) -> Board:
    """The board after a play in its notation: a part names each point on which a checker hits or ends."""
    mine, theirs = list(board[0]), list(board[1])
    for start, ends, times in MOVE.findall(play):
        for _ in range(int(times or 1)):
            at = BAR if start == "bar" else int(start)
            for end, hit in re.findall(r"/(off|\d+)(\*?)", ends):
                to = OFF if end == "off" else int(end)
                mine[at] -= 1
                mine[to] += 1
                if hit and theirs[25 - to] == 1:
                    theirs[25 - to] -= 1
                    theirs[BAR] += 1
                at = to
    return tuple(mine), tuple(theirs)


def main() -> None:
    step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    core = [case for case in suite.cases("plays") if case["core"] and "checkers" not in case["question"]][::step]
    different = 0
    for start in range(0, len(core), AT_A_TIME):
        some = core[start : start + AT_A_TIME]
        with tempfile.TemporaryDirectory() as folder:
            lines = [line for case in some for line in commands(case)]
            output = gnu_backgammon.run(Path(folder), *SETTINGS, *lines)
        for case, text in zip(some, output.split("A new session has been started.")[1:], strict=True):
            board = suite.board_of(case)
            shown = text.rpartition("Position ID: ")[2]
            assert shown.startswith(reference.encode_id(board)), text
            found = {after(board, play) for play in PLAY.findall(shown)} or {board}
            if found != reference.results(board, suite.dice_of(case)):
                different += 1
                print(case["question"], len(found), len(case["answer"]["points"]))
    print(f"{len(core)} rolls compared with GNU Backgammon: {different} differ")


if __name__ == "__main__":
    main()
