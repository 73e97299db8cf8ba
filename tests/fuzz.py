"""Fuzzers: nasty random input against what must hold for every input (CONTRIBUTING.md lists it).

    python tests/fuzz.py identifiers --seconds 600
    python tests/fuzz.py all --seconds 600 --jobs 2
    python tests/fuzz.py records --seed 7 --start 1234 --rounds 1

The last one repeats a single round. The exit status is 1 if there was a finding, or if a target crashed.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import processes
from fuzzing.harness import run

MEGABYTES = 4096
"""Of memory for a target."""
TARGETS = ("identifiers", "notation", "records", "json", "batch", "api", "kernel")


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--seconds", type=float, help="of each target (default: 10, without --rounds)")
    parser.add_argument("--rounds", type=int, help="of each target")
    parser.add_argument("--start", type=int, default=0, help="number of the first round (default: 0)")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--jobs", type=int, default=1, help="targets at a time, with `all` (default: 1)")
    given = parser.parse_args(arguments)
    if given.seed is None:
        given.seed = random.randrange(1 << 32)
    if given.seconds is None and given.rounds is None:
        given.seconds = 10.0
    return given


def limit_memory() -> None:
    """Let no input take all the memory of the machine, if the system can prevent that."""
    if sys.platform == "linux" and "libasan" not in os.environ.get("LD_PRELOAD", ""):
        import resource  # noqa: PLC0415  not there on Windows

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (MEGABYTES << 20 if most < 0 else min(MEGABYTES << 20, most), most))


def run_one(given: argparse.Namespace) -> int:
    """One target, in this process."""
    faulthandler.enable()
    limit_memory()
    target = import_module(f"fuzzing.{given.target}")
    report = run(target, given.seed, seconds=given.seconds, rounds=given.rounds, start=given.start)
    print(report, *report.described(), sep="\n", flush=True)
    return int(bool(report.findings))


def run_all(given: argparse.Namespace) -> int:
    """Every target, each in a process of its own, so that a crash ends only one of them."""
    common = [f"--{name}={getattr(given, name)}" for name in ("seconds", "rounds", "start", "seed")]
    common = [option for option in common if not option.endswith("=None")]
    longest = round(3_600 + 2 * (given.seconds or 0))

    def run_in_process(target: str) -> int:
        program = sys.executable, __file__, target, *common
        done = processes.run(*program, seconds=longest, megabytes=MEGABYTES, check=False, errors="replace")
        crash = "" if done.returncode in (0, 1) else f"{target} ended with status {done.returncode}\n"
        print(done.stdout + crash + done.stderr, end="", flush=True)
        return done.returncode

    with ThreadPoolExecutor(given.jobs) as pool:
        return int(any(list(pool.map(run_in_process, TARGETS))))


if __name__ == "__main__":
    chosen = options()
    sys.exit(run_all(chosen) if chosen.target == "all" else run_one(chosen))
