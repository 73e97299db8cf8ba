"""Whole matches analyzed, beside the programs alone: `records.analyze`, `gnubg -t`, and the bare calls of bgsage.

    python -m pip install -e ".[engine]"
    python benchmarks/analyses.py examples/matches/galaxy/match1247261.txt

takes a minute and prints a table. GNU Backgammon alone imports the same .mat files and carries out `analyse match` with
the same settings; its start counts on both sides, that of our engine does not. bgsage alone gets the same calls again.
Files are read before, and none is written. Seconds are those of the processors, of all processes together, and in
brackets those of a clock, which other programs may stretch. `--levels 1 3 --engines gnubg` chooses what is measured.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from gammonrules.engine import SimpleEngine, _bgsage
from gammonrules.records import Match, analyze, load

GNUBG = "/usr/games/gnubg"
SETTINGS = ["set threads 1", "set confirm new off", "set display off"]


def seconds(work: Callable[[], object], less: Callable[[], object] = int) -> tuple[float, float]:
    """What work takes more than other work, of the processors and by a clock."""
    times = []
    for each in (less, work):
        before = os.times()
        each()
        after = os.times()
        times.append((sum(after[:4]) - sum(before[:4]), after.elapsed - before.elapsed))
    (less_processors, less_clock), (processors, clock) = times
    return processors - less_processors, clock - less_clock


def gnubg_alone(paths: list[Path], level: int) -> None:
    kinds = ("chequerplay", "cubedecision")
    commands = [*SETTINGS, *(f"set analysis {kind} evaluation plies {level - 1}" for kind in kinds)]
    for path in paths:
        commands += [f'import mat "{path.resolve()}"', "analyse match"]
    with tempfile.TemporaryDirectory() as home:
        asked = "\n".join([*commands, "quit", "y", ""])
        command, environment = [GNUBG, "-t", "-q", "-r"], {**os.environ, "HOME": home}
        subprocess.run(command, input=asked, text=True, capture_output=True, check=True, env=environment)


def analyzed(start: Callable[[], SimpleEngine], matches: list[Match]) -> None:
    cache: dict[object, object] = {}
    with start() as engine:
        for match in matches:
            analyze(match, engine, cache=cache)


def calls_of(start: Callable[[], SimpleEngine], matches: list[Match]) -> list[Callable[[], object]]:
    """What an analysis calls of bgsage."""
    calls: list[Callable[[], object]] = []
    ask = _bgsage.Bgsage._ask

    def noted(driver: Any, method: str, *arguments: Any, **options: Any) -> Any:
        calls.append(partial(getattr(driver._analyzer, method), *arguments, **options))
        return ask(driver, method, *arguments, **options)

    with mock.patch.object(_bgsage.Bgsage, "_ask", noted):
        analyzed(start, matches)
    return calls


def row(name: str, level: int, *times: tuple[float, float]) -> None:
    ratios = (ours / alone for ours, alone in zip(*times, strict=True))
    cells = [f"{processors:.2f} s ({clock:.2f})" for processors, clock in times]
    print(f"| {name} | {level} | {' | '.join(cells)} | {next(ratios):.2f} ({next(ratios):.2f}) |", flush=True)


def compare(name: str, level: int, paths: list[Path], matches: list[Match]) -> None:
    start = partial(SimpleEngine.open, name, level)
    ours = seconds(lambda: analyzed(start, matches), lambda: analyzed(start, []))
    if name == "gnubg":
        row(name, level, ours, seconds(lambda: gnubg_alone(paths, level)))
    else:
        calls = calls_of(start, matches)
        row(name, level, ours, seconds(lambda: [call() for call in calls]))


def main() -> None:
    parser = argparse.ArgumentParser(description="How long it takes to analyze matches.")
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a .mat file")
    parser.add_argument("--levels", type=int, nargs="+", default=[1])
    parser.add_argument("--engines", nargs="+", default=["gnubg", "bgsage"] if Path(GNUBG).exists() else ["bgsage"])
    chosen = parser.parse_args()
    paths = chosen.paths
    matches = [load(path) for path in paths]
    decisions = sum(1 for match in matches for _ in match.decisions())
    reading = seconds(lambda: [*map(load, paths)])[0]
    print(f"{len(matches)} matches, {decisions:,} decisions, read in {reading:.2f} s\n")
    print("| engine | level | records.analyze | alone | |\n|---|---|---|---|---|")
    for level in chosen.levels:
        for name in chosen.engines:
            compare(name, level, paths, matches)


if __name__ == "__main__":
    main()
