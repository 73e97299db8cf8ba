"""Measure everything, and write one table: as text, as JSON and as a drawing.

    python -m pip install -e ".[numpy]" -r benchmarks/requirements.txt
    python benchmarks/run.py --output docs/images/performance

takes some minutes. `--quick` takes small sizes and few values: it tells whether all libraries still agree, and
its ratios mean nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import pyperf

from chart import chart

HERE = Path(__file__).parent
MEASURES = {
    "T1": "count the plays of a position and roll",
    "T2": "the same, and the board after each play",
    "T3": "the plays of arrays of positions and rolls",
    "T4": "T1 without the compiled twin",
    "T5": "T3 without the compiled twin",
    "T6": "read and referee a roll of a match record",
    "T7": "import the package",
}
PURE = {"T4", "T5"}
ROUNDS = 5
SIZES = [(10**3, False), (10**4, False), (10**5, False), (10**6, False), (10**6, True), (10**7, True)]


def measured(name: str, *, quick: bool) -> dict[str, Any]:
    """Times (seconds) of a measure, ours first, and how many times as long the peer takes.

    Load comes and goes, so the measure is taken in several short rounds: the medians are those of the rounds, and so is
    the ratio, of two times that were taken together.
    """
    rounds = [one_round(name, quick=quick) for _ in range(1 if quick else ROUNDS)]
    ours, peer, *_ = rounds[0]
    ratios = sorted(times[peer] / times[ours] for times in rounds)
    medians = [(label, median(times[label] for times in rounds)) for label in rounds[0]]
    return {"name": name, "what": MEASURES[name], "times": medians, "ratio": median(ratios), "ratios": ratios}


def one_round(name: str, *, quick: bool) -> dict[str, float]:
    """The median time (seconds) of each benchmark of a measure, by its name."""
    environment = {**os.environ, "GAMMONRULES_PURE_PYTHON": "1" if name in PURE else "0"}
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "result.json"
        command = [sys.executable, str(HERE / "measures.py"), name, "--quiet", "--output", str(output)]
        command += ["--inherit-environ", "GAMMONRULES_PURE_PYTHON", "--processes", "1"]
        command += ["--size", "quick", "--debug-single-value"] if quick else ["--size", "full"]
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        suite = pyperf.BenchmarkSuite.load(str(output))
    return {bench.get_name(): bench.median() for bench in suite.get_benchmarks()}


def growth(cases: int, *, chunks: bool) -> dict[str, Any]:
    """Time and memory for one number of cases."""
    command = [sys.executable, str(HERE / "growth.py"), str(cases), *["--chunks"] * chunks]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def machine() -> dict[str, Any]:
    load = os.getloadavg() if hasattr(os, "getloadavg") else ()
    return {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "processors": os.cpu_count(),
        "load": [round(value, 1) for value in load],
    }


def table(rows: list[dict[str, Any]], grown: list[dict[str, Any]]) -> str:
    """What was measured, in Markdown."""
    lines = ["| | | gammonrules | peer | ratio |", "|---|---|---|---|---|"]
    for row in rows:
        (_, ours), (peer, theirs), *others = row["times"]
        ratio = f"**{row['ratio']:.2f}** ({row['ratios'][0]:.2f}-{row['ratios'][-1]:.2f})"
        lines.append(f"| {row['name']} | {row['what']} | {shown(ours)} | {shown(theirs)} ({peer}) | {ratio} |")
        lines += [f"| | {name} | {shown(time)} | | {theirs / time:.2f} |" for name, time in others]
    lines += ["", "| enumerations | plays | processor time each | memory each |", "|---|---|---|---|"]
    for row in grown:
        how = " in chunks" * row["chunks"]
        each = f"{row['nanoseconds']:.0f} ns | {row['bytes']:.0f} bytes |"
        lines.append(f"| {row['cases']:,}{how} | {row['plays']:,} | {each}")
    return "\n".join(lines)


def shown(seconds: float) -> str:
    """A time with three digits."""
    for unit, name in ((1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-9:.2g} ns"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes: only whether everything runs and agrees")
    parser.add_argument("--output", type=Path, help="write PATH.json and PATH.svg")
    parser.add_argument("measures", nargs="*", metavar="T1", help="which of them; all unless given")
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    state = machine()
    for name in args.measures or MEASURES:
        row = measured(name, quick=args.quick)
        rows.append(row)
        print(
            f"{name} x{row['ratio']:.2f}:", *(f"{label} {shown(value)};" for label, value in row["times"]), flush=True
        )
    grown = [growth(cases, chunks=chunks) for cases, chunks in (SIZES[:2] if args.quick else SIZES)]
    text = table(rows, grown)
    print(f"\n{text}")
    if args.output is not None:
        result = {"machine": state, "measures": rows, "growth": grown}
        args.output.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        args.output.with_suffix(".svg").write_text(chart(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
