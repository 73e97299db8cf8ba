"""How much of what a bot loses lies on plays that were never rolled out: `python bot_benchmark/shares.py [PLAYS...]`.

The bots are those of the table, in the decisions at random. PLAYS are files such as `plays.jsonl.gz`, the default; of
several, such as an older one, the bots answer the first.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import building
from building import Decision
from table import BOTS, bot_named

from gammonrules import arena


def at_random(path: Path) -> dict[int, Decision]:
    decisions = map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    return {decision["id"]: decision for decision in decisions if decision["drawn"] == "at random"}


def choices(name: str, decisions: Sequence[Decision]) -> dict[int, str]:
    """What a bot plays in each; nothing if it is not installed."""
    bot = bot_named(name)
    if bot is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "plays.jsonl.gz")
        data.write_bytes(building.packed(decisions, [], []))
        answers = arena.bench(bot, name=name, full=True, data=data).answers
    return {answer.id: answer.action for answer in answers if answer.action}


def share(decisions: Mapping[int, Decision], chosen: Mapping[int, str]) -> str:
    """Of the decisions in which it chose."""
    lost, unsure, plays = 0.0, 0.0, 0
    for number, decision in decisions.items():
        rolled_out = {play["play"]: play["loss"] for play in decision["plays"]}
        others = {play["play"]: play["loss"] for play in decision["others"]}
        if chosen.get(number) in others:
            plays += 1
            unsure += others[chosen[number]]
        lost += {**rolled_out, **others}.get(chosen.get(number, ""), 0.0)
    return f"{unsure / lost if lost else 0:4.0%} ({plays:2} of {len(decisions)} decisions)"


def main() -> None:
    files = [at_random(Path(path)) for path in sys.argv[1:]] or [at_random(building.HERE / "plays.jsonl.gz")]
    for name in BOTS:
        chosen = choices(name, [*files[0].values()])
        told = [share(decisions, chosen) for decisions in files] if chosen else ["not installed"]
        print(f"{name:10} {'  '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
