"""GNU Backgammon, in a process of its own: `gammonrules conform -- python with_gnubg.py`.

Started as a program, this file starts GNU Backgammon, whose Python reads the same file and answers by what its `hint`
lists. Whatever else it prints is left out.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MARK = "answer: "
SETTINGS = (
    *("set threads 1", "set display off", "set player 0 human", "set player 1 human", "set automatic game off"),
    *("set automatic roll off", "set evaluation chequerplay evaluation plies 0", "new session", "set turn 1"),
)
PLACES = {"bar": 25, "off": 0} | {str(point): point for point in range(1, 25)}


def answer_in_gnubg() -> None:
    for command in SETTINGS:
        gnubg.command(command)
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "hello":
            answer = {"name": "GNU Backgammon", "version": os.environ["VERSION"], "asks": ["plays"]}
        else:
            answer = {"points": boards(question["points"], question["dice"])}
        print("\n" + MARK + json.dumps({"id": question["id"], **answer}), flush=True)


def boards(points: list[int], dice: list[int]) -> list[list[int]]:
    theirs, mine = [max(-points[25 - at], 0) for at in range(1, 26)], [max(points[at], 0) for at in range(1, 26)]
    gnubg.command("set board " + gnubg.positionid((tuple(theirs), tuple(mine))))
    gnubg.command("set dice {} {}".format(*dice))
    plays = (gnubg.hint(10_000) or {}).get("hint", [])
    return [after(points, play["move"]) for play in plays] or [points]


def after(points: list[int], play: str) -> list[int]:
    """The board after a play such as "bar/22* 13/9*/5(2)": a path names each point on which a checker is hit."""
    board = list(points)
    for path, times in re.findall(r"([^\s(]+)(?:\((\d)\))?", play):
        places = [(PLACES[name], hit) for name, hit in re.findall(r"(\w+)(\*?)", path)]
        for place, hit in places:
            if hit:
                board[place], board[0] = 0, board[0] - 1
        board[places[0][0]] -= int(times or 1)
        if places[-1][0]:
            board[places[-1][0]] += int(times or 1)
    return board


def start_gnubg() -> None:
    program = shutil.which("gnubg", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")
    if program is None:
        sys.exit("GNU Backgammon is not installed")
    first, *_ = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "VERSION": first.split()[-2]}
        command = [program, "-t", "-q", "-p", str(Path(__file__).resolve())]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=home) as running:
            for line in running.stdout:
                if line.startswith(MARK):
                    print(line.removeprefix(MARK), end="", flush=True)


try:
    import gnubg
except ImportError:
    start_gnubg()
else:
    answer_in_gnubg()
