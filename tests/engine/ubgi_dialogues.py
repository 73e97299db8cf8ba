"""The dialogues in `tests/data/ubgi-dialogues.jsonl`, whose README says what is in them."""

import json
from pathlib import Path
from typing import Any

ALL: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "ubgi-dialogues.jsonl").read_text("utf-8").splitlines()
]


def held_by(side: str) -> list[dict[str, Any]]:
    """Those that this side, "engine" or "controller", can hold."""
    return [dialogue for dialogue in ALL if side in dialogue["holds"]]


def title(dialogue: dict[str, Any]) -> str:
    return str(dialogue["title"])
