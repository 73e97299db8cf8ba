"""Which parts of `.ci/everything` have passed, and when: `.ci/passed.tsv`, a line for each time.

    python .ci/passed.py list PART...          a table of these parts, the one to be run next first
    python .ci/passed.py next PART...          that one
    python .ci/passed.py add PART COMMIT SECONDS

A line has the part, the commit, the date, the seconds, and those of a loop, which tell how fast the machine was. Clones
that ran parts side by side are merged line by line, in any order: the latest date of a part counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

FILE = Path(__file__).with_suffix(".tsv")
LOOP = "x = 0\nfor i in range(10_000_000):\n    x += 1\n"
USUAL = 0.56
"""Seconds of the loop on the machine by which parts are cut to 25 minutes."""


class Pass(NamedTuple):
    """A line."""

    part: str
    commit: str
    date: str
    seconds: int
    loop: float

    @property
    def usual_minutes(self) -> float:
        """On a machine on which the loop takes `USUAL` seconds."""
        return self.seconds * USUAL / self.loop / 60


def passes(lines: Iterable[str]) -> Iterator[Pass]:
    for number, line in enumerate(lines, 1):
        try:
            part, commit, date, seconds, loop = line.split("\t")
            yield Pass(part, commit, date, int(seconds), float(loop))
        except ValueError:
            sys.exit(f"{FILE.name}: line {number} is not that of a part: {line[:100]!r}")


def latest(parts: list[str], passed: Iterable[Pass]) -> dict[str, Pass | None]:
    """When each of these passed last: first those that never did, then the one that did longest ago."""
    by_date = sorted(passed, key=lambda each: each.date)
    last = {each.part: each for each in by_date}
    return {part: last.get(part) for part in sorted(parts, key=lambda part: last[part].date if part in last else "")}


def table(rows: dict[str, Pass | None]) -> str:
    lines = [f"{'part':14} {'commit':10} {'passed':20} {'seconds':>7} {'loop':>5} {'minutes at ' + str(USUAL):>15}"]
    for part, last in rows.items():
        if last is None:
            lines.append(f"{part:14} never")
        else:
            numbers = f"{last.seconds:7} {last.loop:5.2f} {last.usual_minutes:15.1f}"
            lines.append(f"{part:14} {last.commit:10} {last.date:20} {numbers}")
    known = [last.usual_minutes for last in rows.values() if last]
    return "\n".join([*lines, f"{len(known)} of {len(rows)} parts: {sum(known):.0f} minutes"])


def seconds_of_the_loop() -> float:
    """As a program of its own has them, whose variables are global: the median of three times."""
    program = compile(LOOP, "loop", "exec")
    clock = [perf_counter()]
    for _ in range(3):
        exec(program, {})
        clock.append(perf_counter())
    return median(end - begin for begin, end in pairwise(clock))


def add(part: str, commit: str, seconds: str) -> None:
    date = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with FILE.open("a", encoding="utf-8", newline="\n") as file:
        file.write(f"{part}\t{commit}\t{date}\t{seconds}\t{seconds_of_the_loop():.2f}\n")


def main(what: str, *words: str) -> None:
    if what == "add":
        add(*words)
        return
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    rows = latest(list(words), passes(lines))
    print(table(rows) if what == "list" else next(iter(rows)))


if __name__ == "__main__":
    main(*sys.argv[1:])
