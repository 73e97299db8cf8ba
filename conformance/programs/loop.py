"""The loop of the adapters in this folder."""

import json
import sys
from collections.abc import Callable
from importlib.metadata import version

Board = list[int]


def serve(name: str, package: str, boards: Callable[[Board, tuple[int, int]], list[Board]]) -> None:
    """Answer every question for the plays of a board and a roll by these resulting boards, those of a dance too."""
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "hello":
            answer = {"name": name, "version": version(package), "asks": ["plays"]}
        elif question["ask"] == "plays":
            points, dice = question["points"], tuple(question["dice"])
            answer = {"points": boards(points, dice) or [points]}
        else:
            answer = {"error": "not answered"}
        print(json.dumps({"id": question["id"], **answer}), flush=True)
