"""How many plays would tell two bots apart: `python bot_benchmark/needed.py gnubg:1 gnubg:2 examples/matches/galaxy/*`.

Both are asked for the unforced plays of records, and a third engine judges those in which they differ. With the mean
d and the standard deviation s of what the first loses more, ((1.96 + 0.84) s / d)^2 plays give a 95% interval without 0
in 80% of the cases; (1.96 s / d)^2 of them do so in half of the cases only.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import NormalDist, fmean, stdev

from gammonrules import Event, MatchState, Play
from gammonrules.engine import SimpleEngine
from gammonrules.records import DecisionKind, load

POWER = 0.8
"""How likely the interval is to leave 0 out."""


def needed(mean: float, spread: float) -> float:
    """How many plays tell two bots apart, from the mean and the standard deviation of what one loses more."""
    quantiles = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(POWER)
    return (quantiles * spread / mean) ** 2


def engine(name: str) -> SimpleEngine:
    program, _, level = name.partition(":")
    return SimpleEngine.open(program, int(level or 1))


def unforced(paths: list[Path]) -> Iterator[MatchState]:
    """The states of records in which a play with a choice was made."""
    for path in paths:
        for made in load(path).decisions():
            if made.kind is DecisionKind.PLAY and not made.is_forced:
                yield made.state


def played(bot: SimpleEngine, state: MatchState) -> Play:
    event = bot.decide(state)
    assert isinstance(event, Event)
    assert isinstance(event.argument, Play)
    return event.argument


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs=2, metavar="ENGINE:LEVEL")
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a record")
    parser.add_argument("--judge", default="bgsage:3", metavar="ENGINE:LEVEL")
    chosen = parser.parse_args()
    more, differ = list[float](), 0
    with ExitStack() as stack:
        first, second, judge = (stack.enter_context(engine(name)) for name in (*chosen.bots, chosen.judge))
        for state in unforced(chosen.paths):
            plays = [played(bot, state) for bot in (first, second)]
            boards = [play.position for play in plays]
            lost = 0.0
            if boards[0] != boards[1]:
                judged = {play.position: play.equity for play in judge.candidates(state, 1, also=plays)}
                lost, differ = judged[boards[1]] - judged[boards[0]], differ + 1
            more.append(lost)
    mean, spread = fmean(more), stdev(more)
    print(f"{len(more):,} plays, {differ} different; {chosen.bots[0]} loses {1000 * mean:.2f} thousandths more a play")
    print(f"standard deviation {1000 * spread:.1f}, error {1000 * spread / len(more) ** 0.5:.2f}")
    print(f"{needed(mean, spread):,.0f} plays tell them apart in {POWER:.0%} of the cases")


if __name__ == "__main__":
    main()
