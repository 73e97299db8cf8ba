"""Answers the questions of `gammonrules conform -- python answers.py`: put your rules into `legal_boards`."""

import json
import sys


def legal_boards(points: list[int], dice: list[int]) -> list[list[int]]:
    """Every board that a legal play leads to, each once; `points` alone if there is none.

    points[1] to points[24] are the points as the player on roll numbers them, points[25] is their bar, and points[0]
    that of the opponent. Checkers of the player count above 0, those of the opponent below.
    """
    return [points]  # your rules


def answer(question: dict) -> dict:
    if question["ask"] == "hello":
        return {"name": "my program", "version": "0.1", "asks": ["plays"]}
    if question["ask"] == "plays":
        return {"points": legal_boards(question["points"], question["dice"])}
    return {"error": "not answered"}


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **answer(question)}), flush=True)
