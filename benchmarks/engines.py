"""Engines: how long they take to start, and decisions a second, beside the ways that their users have without us.

    python -m pip install -e ".[engine]"
    python benchmarks/engines.py

takes two minutes and prints a table. GNU Backgammon is asked over its socket by `SimpleEngine`, and by `hint` in a
terminal of its own (`gnubg -t`), to which all questions are piped at once, its start not counted. bgsage is asked by
`SimpleEngine` and by its own functions. `--quick` only shows that everything runs.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from statistics import median

import bgsage

from gammonrules import TOURNAMENT, Action, MatchState, Phase
from gammonrules.engine import SimpleEngine, _bgsage
from gammonrules.records import scan

MATCHES = Path(__file__).parent.parent / "examples" / "matches"
GNUBG = "/usr/games/gnubg"
SETTINGS = "set threads 1\nset confirm new off\nset display off\nset automatic game off\nset automatic roll off\n"


@cache
def states(number: int) -> tuple[list[MatchState], list[MatchState]]:
    """Rolls to play with several legal plays, and decisions whether to double."""
    matches = [entry.match for entry in scan(MATCHES) if entry.match and entry.match.rules == TOURNAMENT]
    all_states = [decision.state for match in matches for decision in match.decisions()]
    random.Random(1).shuffle(all_states)
    plays = [state for state in all_states if state.phase is Phase.TO_PLAY and len(state.legal_plays) > 1]
    cubes = [state for state in all_states if Action.DOUBLE in state.legal_actions]
    return plays[:number], cubes[:number]


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def piped(asked: Iterable[MatchState], plies: int) -> None:
    """What GNU Backgammon's users write without its socket."""
    lines = [f"set evaluation {kind} evaluation plies {plies}" for kind in ("chequer", "cube")]
    for state in asked:
        lines += [f"set gnubgid {state.gnubg_id}", "hint"]
    with tempfile.TemporaryDirectory() as home:
        commands = SETTINGS + "new session\n" + "\n".join([*lines, "quit", "y", ""])
        command = [GNUBG, "-t", "-q", "-r"]
        environment = {**os.environ, "HOME": home}
        subprocess.run(command, input=commands, text=True, capture_output=True, check=True, env=environment)


def by_itself(asked: Iterable[MatchState], level: int) -> None:
    """bgsage's own functions, for the same questions."""
    analyzer = bgsage.BgBotAnalyzer(eval_level=f"{level}ply", parallel_threads=1)
    for state in asked:
        board, table = _bgsage._signed_board(state.position), _bgsage._cube_and_score(state, state.on_roll)
        if state.dice:
            analyzer.checker_play(board, *state.dice, **table)
        else:
            analyzer.cube_action(board, **table)


def row(name: str, start: Callable[[], SimpleEngine], other: Callable[[list[MatchState]], None], number: int) -> None:
    """Start-up, then decisions a second, ours and theirs."""
    started = median(seconds(lambda: start().close()) for _ in range(5))
    cells = [f"{started * 1000:.0f} ms"]
    without = seconds(lambda: other([]))
    for asked in states(number):
        with start() as engine:
            ours = len(asked) / seconds(lambda: [engine.decide(state) for state in asked])  # noqa: B023
        theirs = len(asked) / max(seconds(lambda: other(asked)) - without, 1e-9)  # noqa: B023
        cells += [f"{ours:,.1f}", f"{theirs:,.1f}", f"{ours / theirs:.1f}x"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast engines start and decide.")
    parser.add_argument("--quick", action="store_true", help="only show that everything runs")
    quick = parser.parse_args().quick
    print("| engine | starts in | plays a second | without us | | cubes a second | without us | |")
    print("|---|---|---|---|---|---|---|---|")
    for plies, number in ((0, 1000), (2, 100)) if Path(GNUBG).exists() else ():
        many = 5 if quick else number
        row(f"gnubg {plies}-ply", lambda: SimpleEngine.gnubg(level=plies + 1), lambda asked: piped(asked, plies), many)  # noqa: B023
    for level, number in ((1, 200), (2, 50)):
        many = 5 if quick else number
        row(f"bgsage {level}-ply", lambda: SimpleEngine.bgsage(level), lambda asked: by_itself(asked, level), many)  # noqa: B023


if __name__ == "__main__":
    main()
