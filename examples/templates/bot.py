"""A bot, which plays as it is: change `decide`, and put rules of your own into `legal_boards`.

gammonrules bench "program:python bot.py"
gammonrules arena "program:python bot.py" gnubg:1
gammonrules conform -- python bot.py

A board is 26 counts as the player on roll sees them: 1 to 24 are the points, 25 is their bar, and 0 that of the
opponent. Checkers of the player count above 0, those of the opponent below.
"""

import json
import sys


def legal_boards(points: list[int], dice: list[int]) -> list[list[int]]:
    """Every board that a legal play leads to, each once; `points` alone if there is none."""
    return [points]  # your rules


def decide(state: dict, plays: list[list[int]] | None) -> dict:
    """What the bot does. `plays` are the boards to which it may play; without "wants" it is not told them."""
    points = state["points"]
    if state["dice"]:
        boards = plays or legal_boards(points, state["dice"])
        return {"points": min(boards, key=lambda board: board.count(1))}  # the fewest blots
    mine, theirs = pips(points)  # of the player on roll: who doubles, if a double is to be answered
    if state["offer"]:
        return {"do": "drop" if mine < 0.8 * theirs else "take"}
    return {"do": "double" if mine < 0.9 * theirs else "roll"}


def pips(points: list[int]) -> tuple[int, int]:
    """How far the checkers of the player on roll have to go, and those of the opponent."""
    mine = sum(count * point for point, count in enumerate(points) if count > 0)
    theirs = sum(-count * (25 - point) for point, count in enumerate(points) if count < 0)
    return mine, theirs


def answer(question: dict) -> dict:
    if question["ask"] == "hello":
        return {"name": "my bot", "version": "0.1", "asks": ["plays", "decide"], "wants": ["plays"]}
    if question["ask"] == "plays":
        return {"points": legal_boards(question["points"], question["dice"])}
    if question["ask"] == "decide":
        return decide(question["state"], question.get("plays"))
    return {"error": "not answered"}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question)}), flush=True)
