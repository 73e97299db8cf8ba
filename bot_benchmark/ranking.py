"""Ranks bots by games without a cube: `python bot_benchmark/ranking.py FILE gnubg:1 gnubg:2 td_gammon bot.py`.

Each two play 250 games, which FILE keeps, as that of an arena; Ctrl-C ends it before. Prints their ratings beside what
a play of theirs loses in the benchmark, and the rank correlations of the two.
"""

from __future__ import annotations

import argparse
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from statistics import fmean

from table import BOTS, bot_named

from gammonrules import Rules, arena


def ranks(numbers: list[float]) -> list[float]:
    """From 1 for the lowest; equal numbers share theirs."""
    return [fmean(rank for rank, other in enumerate(sorted(numbers), 1) if other == number) for number in numbers]


def correlations(xs: list[float], ys: list[float]) -> tuple[float, float]:
    """Spearman's rho and Kendall's tau-a."""
    signs = ([(a > b) - (a < b) for a, b in combinations(xs, 2)], [(a > b) - (a < b) for a, b in combinations(ys, 2)])
    squares = sum((a - b) ** 2 for a, b in zip(ranks(xs), ranks(ys), strict=True))
    count = len(xs)
    return 1 - 6 * squares / count / (count**2 - 1), fmean(a * b for a, b in zip(*signs, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("save", type=Path, metavar="FILE")
    parser.add_argument("bots", nargs="+", choices=BOTS, metavar="BOT")
    parser.add_argument("--games", type=int, default=250)
    chosen = parser.parse_args()
    bots, last = {name: bot_named(name) for name in chosen.bots}, list[arena.Progress]()
    with suppress(KeyboardInterrupt):
        options = arena.Options(progress=last.append)
        arena.play(bots, games=chosen.games, rules=Rules(cube=False), save=chosen.save, options=options)
    results = last[-1].results()
    rated = {name: rating for name, rating in results.ratings.items() if rating}
    losses = {name: arena.bench(bots[name], name=name, full=True).plays.loss or 0.0 for name in rated}
    for name in sorted(rated, key=lambda name: -rated[name].mean):
        print(f"{name:10} {rated[name]}, a play loses {losses[name]:.1f}")
    rho, tau = correlations([-rating.mean for rating in rated.values()], [*losses.values()])
    print(f"{sum(pairing.games for pairing in results.pairings):,} games; Spearman {rho:.2f}, Kendall {tau:.2f}")


if __name__ == "__main__":
    main()
