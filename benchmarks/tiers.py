"""Matches analyzed in tiers, beside whole levels: minutes of a processor, and how far the players' PRs are apart.

    python benchmarks/tiers.py --levels 2 3 --tiers quick -- examples/matches/galaxy/*.txt

prints a line as soon as a setting has analyzed all matches. The last level is the judge: "off" is how far the PR of a
player in a match is from its, on average, and "worst" in the worst case.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import fmean

from gammonrules.engine import TIERS, SimpleEngine, Tiers
from gammonrules.records import Match, analyze, load


def analyzed(setting: int | Tiers, matches: list[Match], engine: str) -> tuple[float, list[float]]:
    """The minutes, and the PR of each player in each match."""
    before, cache = os.times(), dict[object, object]()
    with SimpleEngine.open(engine, setting) as asked:
        rates = [rate.pr for match in matches for rate in analyze(match, asked, cache=cache).error_rates()]
    after = os.times()
    return (sum(after[:4]) - sum(before[:4])) / 60, [rate or 0.0 for rate in rates]


def main() -> None:
    parser = argparse.ArgumentParser(description="How long tiers take, and how far they are from whole levels.")
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a record of a match")
    parser.add_argument("--engine", default="bgsage")
    parser.add_argument("--levels", type=int, nargs="+", default=[2])
    parser.add_argument("--tiers", nargs="+", default=["quick"])
    chosen = parser.parse_args()
    matches = [load(path) for path in chosen.paths]
    print(f"{len(matches)} matches, {sum(1 for match in matches for _ in match.decisions()):,} decisions\n")
    print("| | minutes | PR | off | worst |\n|---|---|---|---|---|")
    settings: list[int | Tiers] = [*reversed(chosen.levels), *(TIERS[name] for name in chosen.tiers)]
    judge: list[float] = []
    for setting in settings:
        minutes, rates = analyzed(setting, matches, chosen.engine)
        judge = judge or rates
        off = [abs(mine - its) for mine, its in zip(rates, judge, strict=True)]
        name = setting.level if isinstance(setting, Tiers) else f"level {setting}"
        print(f"| {name} | {minutes:.1f} | {fmean(rates):.2f} | {fmean(off):.2f} | {max(off):.2f} |", flush=True)


if __name__ == "__main__":
    main()
