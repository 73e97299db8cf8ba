"""Measure everything, and write one table: as text, as JSON and as a drawing.

    python benchmarks/run.py --output docs/images/performance

takes some 40 minutes; then `python generate.py speed` writes the tables and charts of the pages. `--quick` takes
small sizes and few values: it shows whether all libraries still agree, and its ratios mean nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import needed
from chart import chart

HERE = Path(__file__).parent
MEASURES = {
    "T1a": "count the plays of a position, with a `Dice`",
    "T1b": 'the same with a text, "31"',
    "T1c": "the same with a tuple, (3, 1)",
    "T2": "the same, and the points after each play",
    "T2b": "the same, and the position after each play",
    "T3": "the plays of arrays of positions and rolls",
    "T4": "T1a without the kernel",
    "T5": "T3 without the kernel",
    "T6": "read and referee a roll, one file after another",
    "T7": "from gammonrules import MatchState",
    "T8": "a game of a network against itself, 1,000 at once",
    "T8b": "a row of a network's inputs",
    "T9a": "Position.from_points of a list",
    "T9b": "Position.from_id",
    "T9c": "state.legal_actions",
    "T10a": "read and referee a roll of an .xg file",
    "T10b": "the same for SGF",
    "T11a": "a decision of the example records as a row in a Parquet file, in one process",
    "T11b": "the same of matches between bots",
    "T12a": "a one-sided bear-off table of 6 points",
    "T12b": "a two-sided bear-off table of 6 checkers",
    "T13a": "a Position ID as a board, many at once",
    "T13b": "a board as a Position ID, many at once",
    "T13c": "T13a without the kernel",
    "T13d": "T13b without the kernel",
    "T16a": "a board one roll ahead, by a network",
    "T16b": "the same",
    "T17a": "when to double and to take in money play, many at once",
    "T17b": "the same at the scores of matches",
    "T20": "T3, its halves by two threads",
    "T21": "a row of a network's inputs, their halves by two threads",
    "T22": "the texts of the plays of a roll",
}
TARGETS = {"T1a": 6.0, "T1b": 6.0, "T1c": 6.0, "T2": 2.5, "T2b": 4.0, "T3": 18.0, "T4": 0.7, "T5": 2.0, "T6": 12.0}
TARGETS |= {"T11a": 1.9, "T11b": 1.7, "T12a": 1.5, "T12b": 8.0}
TARGETS |= {"T7": 1 / 1.5, "T9a": 1 / 6, "T9b": 1 / 6, "T9c": 1 / 6, "T10a": 1 / 2, "T10b": 1 / 1.5}
TARGETS |= {"T8": 0.55, "T8b": 1 / 12, "T13a": 25.0, "T13b": 25.0, "T13c": 4.0, "T13d": 4.0}
TARGETS |= {"T16a": 0.7, "T16b": 4.0, "T17a": 25.0, "T17b": 7.0}
TARGETS |= {"T20": 1.5, "T21": 1.5, "T22": 1 / 8}
"""The ratios that are asked for.

The pure Python generator has one path for each rule, so that people can read it; a second, faster path for most boards
would bring T4 to 1.1. An import may take 1.5 times as long as that of attrs, a call of T9 six times as long as
`legal_plays` with a `Dice`, a roll of T10a twice as long as in the text of the same matches, and one of T10b 1.5 times
as long. Of the time of self-play (T8) 45 % may go into something else than the network's arithmetic, and a row of
inputs may take as long as 12 plays. Of the time of looking ahead (T16a) 30 % may. T17's are some 200,000 and 50,000
tables a second on the machine of `docs/explanation/performance.md`. The texts of plays (T22) may take eight times as
long as their positions.
"""
PURE = {"T4", "T5", "T13c", "T13d"}
NEEDED = {
    "gammonrules": MEASURES.keys(),
    "gnubg_nn": {"T1a", "T1b", "T1c", "T2", "T2b", "T3", "T16b"},
    "pyspiel": {"T4"},
    "gvformat": {"T6"},
    "pyarrow": {"T11a", "T11b"},
    needed.MAKEBEAROFF: {"T12a", "T12b"},
    "bgsage": {"T16b"},
    needed.KERNEL: MEASURES.keys() - PURE,
    "numpy": MEASURES.keys(),
    "pyperf": MEASURES.keys(),
}
"""Modules and programs, and the measures that need them."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""For NumPy's products of matrices."""
ROUNDS = 5
MINUTES = {"T12b"}
"""What takes minutes: a round of it has several of them already."""
SIZES = [(10**3, False), (10**4, False), (10**5, False), (10**6, False), (10**6, True), (10**7, True)]
GAMES = [10, 100, 2000]


def measured(name: str, *, quick: bool) -> dict[str, Any]:
    """Times (seconds) of a measure, ours first, and how many times as long the peer takes.

    Load comes and goes, so the measure is taken in several short rounds: the medians are those of the rounds, and so is
    the ratio, of two times that were taken together.
    """
    rounds = [one_round(name, quick=quick) for _ in range(1 if quick or name in MINUTES else ROUNDS)]
    ours, peer, *_ = rounds[0]
    ratios = sorted(times[peer] / times[ours] for times in rounds)
    medians = [(label, median(times[label] for times in rounds)) for label in rounds[0]]
    measured = {"times": medians, "ratio": median(ratios), "ratios": ratios}
    return {"name": name, "what": MEASURES[name], "target": TARGETS[name], **measured}


def one_round(name: str, *, quick: bool) -> dict[str, float]:
    """The median time (seconds) of each benchmark of a measure, by its name."""
    import pyperf  # noqa: PLC0415  drawing alone does not need it

    settings = {"GAMMONRULES_PURE_PYTHON": "1" if name in PURE else "0", **ONE_THREAD}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "result.json"
        command = [sys.executable, str(HERE / "measures.py"), name, "--quiet", "--output", str(output)]
        # One value in the process itself, or several in one of its own for each benchmark.
        alone = ["--worker", "--loops", "1", "--warmups", "0", "--values", "1"]
        apart = ["--inherit-environ", ",".join(settings), "--processes", "1"]
        command += ["--size", "quick", *alone] if quick else ["--size", "full", *apart]
        subprocess.run(command, env={**os.environ, **settings}, check=True, stdout=subprocess.DEVNULL)
        suite = pyperf.BenchmarkSuite.load(str(output))
    return {bench.get_name(): bench.median() for bench in suite.get_benchmarks()}


def chosen(names: list[str]) -> list[str]:
    """The measures with these names: T1 for T1a to T1c, or all if none are named."""
    unknown = [name for name in names if not any(is_called(measure, name) for measure in MEASURES)]
    if unknown:
        raise SystemExit(f"unknown measure: {', '.join(unknown)}. The measures are {', '.join(MEASURES)}.")
    return [measure for measure in MEASURES if not names or any(is_called(measure, name) for name in names)]


def is_called(measure: str, name: str) -> bool:
    return re.fullmatch(f"{re.escape(name)}[a-z]?", measure) is not None


def check_needed(measures: list[str]) -> None:
    """End the program if one of these measures cannot run, with a message that names those that can."""
    missing = {name for name in NEEDED if not needed.is_installed(name)}
    able = [measure for measure in MEASURES if not any(measure in NEEDED[name] for name in missing)]
    advice = f"or run only the measures that do not need them: {' '.join(able)}" if able else ""
    needed.check_installed((name for name, users in NEEDED.items() if not users.isdisjoint(measures)), advice)


def check_output(path: Path | None) -> None:
    """End the program if the results cannot be written there."""
    if path is None:
        return
    if path.is_dir():
        raise SystemExit(f"--output is a path without a suffix, such as {path / 'speed'}, not a folder")
    if not path.parent.is_dir():
        raise SystemExit(f"--output: there is no folder {path.parent}; make it first")


def growth(number: int, *options: str) -> dict[str, Any]:
    """Time and memory for a number of enumerations, or for a record with a number of games."""
    command = [sys.executable, str(HERE / "growth.py"), str(number), *options]
    measured: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return measured


def machine() -> dict[str, Any]:
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "processors": os.cpu_count(),
        "load": [round(value, 1) for value in load],
    }


def tables(result: dict[str, Any]) -> str:
    """What was measured, in Markdown, as `docs/explanation/performance.md` has it."""
    rows = result["measures"]
    parts = [table_of_measures(rows), missed(rows)]
    if result["growth"]:
        parts.append(table_of_growth(result["growth"]))
    if result["records"]:
        parts.append(table_of_records(result["records"]))
    return "\n\n".join(parts)


def table_of_measures(rows: list[dict[str, Any]]) -> str:
    """The pairs; the chart has what else was measured beside the same peer."""
    lines = ["| | gammonrules | the other | times as fast |", "|---|---|---|---|"]
    for row in rows:
        (_, ours), (peer, theirs), *_ = row["times"]
        ratio = f"**{row['ratio']:.2f}** ({row['ratios'][0]:.2f}-{row['ratios'][-1]:.2f})"
        cells = [f"{row['name']}: {row['what']}", shown(ours), f"{shown(theirs)} {peer}", ratio]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def missed(rows: list[dict[str, Any]]) -> str:
    """A sentence about the measures that do not reach their target."""
    below = [
        f"{row['name']} ({row['ratio']:.2f} of {row['target']:.2g})" for row in rows if row["ratio"] < row["target"]
    ]
    return f"Below their target: {', '.join(below)}." if below else "All targets are reached."


def table_of_growth(rows: list[dict[str, Any]]) -> str:
    lines = ["| enumerations | plays | processor time each | results each | memory in use |", "|---|---|---|---|---|"]
    for row in rows:
        how = " in chunks" * row["chunks"]
        memory = f"{row['peak_bytes'] / 1e6:.0f} MB" if row["chunks"] else "all results"
        each = f"{row['nanoseconds']:.0f} ns | {row['result_bytes']:.0f} bytes | {memory} |"
        lines.append(f"| {row['cases']:,}{how} | {row['plays']:,} | {each}")
    return "\n".join(lines)


def table_of_records(rows: list[dict[str, Any]]) -> str:
    lines = ["| games in a record | rolls | processor time each roll |", "|---|---|---|"]
    lines += [f"| {row['games']:,} | {row['rolls']:,} | {row['microseconds']:.1f} µs |" for row in rows]
    return "\n".join(lines)


def shown(seconds: float) -> str:
    """A time with three digits."""
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.2g} ns"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes: only whether everything runs and agrees")
    parser.add_argument("--output", type=Path, help="write PATH.json, PATH.svg and PATH-narrow.svg")
    parser.add_argument("measures", nargs="*", metavar="T1", help="which of them, T1 for T1a to T1c; all unless given")
    parser.add_argument("--no-growth", action="store_true", help="leave out the tables of growing numbers")
    args = parser.parse_args()
    wanted = chosen(args.measures)
    check_needed(wanted)
    check_output(args.output)
    if not args.quick:
        for name in wanted:
            one_round(name, quick=True)  # a measure that fails ends the program before the others have taken their time
    rows: list[dict[str, Any]] = []
    state = machine()
    for name in wanted:
        row = measured(name, quick=args.quick)
        rows.append(row)
        print(
            f"{name} x{row['ratio']:.2f}:", *(f"{label} {shown(value)};" for label, value in row["times"]), flush=True
        )
    sizes = [] if args.no_growth else SIZES[:2] if args.quick else SIZES
    grown = [growth(cases, *["--chunks"] * chunks) for cases, chunks in sizes]
    lengths = [growth(games, "--records") for games in ([] if args.no_growth else GAMES[:1] if args.quick else GAMES)]
    result = {"machine": state, "measures": rows, "growth": grown, "records": lengths}
    print(f"\n{tables(result)}")
    if args.output is not None:
        args.output.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        args.output.with_suffix(".svg").write_text(chart(rows), encoding="utf-8")
        narrow = args.output.with_name(f"{args.output.name}-narrow.svg")
        narrow.write_text(chart(rows, narrow=True), encoding="utf-8")


if __name__ == "__main__":
    main()
