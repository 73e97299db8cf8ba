"""Fuzzers: random input, made to hurt, against what must hold for every input (CONTRIBUTING.md lists it).

    python tests/fuzz.py identifiers --seconds 600
    python tests/fuzz.py all --seconds 600 --jobs 2
    python tests/fuzz.py records --seed 7 --start 1234 --rounds 1

The last one repeats a single round. The exit status is 1 if there was a finding, or if a target crashed.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

from fuzzing.harness import run

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
    parser.add_argument("--memory", type=int, default=4096, help="MB of address space, 0: no limit (default: 4096)")
    given = parser.parse_args(arguments)
    if given.seed is None:
        given.seed = random.randrange(1 << 32)
    if given.seconds is None and given.rounds is None:
        given.seconds = 10.0
    return given


def limit_memory(megabytes: int) -> None:
    """Let no input take all the memory of the machine, where the system can see to that."""
    if megabytes and sys.platform != "win32":
        import resource  # noqa: PLC0415 - not there on Windows

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def run_one(given: argparse.Namespace) -> int:
    """One target, in this process."""
    faulthandler.enable()
    limit_memory(given.memory)
    target = import_module(f"fuzzing.{given.target}")
    report = run(target, given.seed, seconds=given.seconds, rounds=given.rounds, start=given.start)
    print(report, *report.described(), sep="\n", flush=True)
    return int(bool(report.findings))


def run_all(given: argparse.Namespace) -> int:
    """Every target, each in a process of its own, so that a crash ends only one of them."""
    common = [f"--{name}={getattr(given, name)}" for name in ("seconds", "rounds", "start", "seed", "memory")]
    common = [option for option in common if not option.endswith("=None")]

    def run_in_process(target: str) -> int:
        done = subprocess.run(
            [sys.executable, __file__, target, *common], capture_output=True, text=True, errors="replace", check=False
        )
        crash = "" if done.returncode in (0, 1) else f"{target} ended with status {done.returncode}\n{done.stderr}"
        print(done.stdout + crash or done.stderr, end="", flush=True)
        return done.returncode

    with ThreadPoolExecutor(given.jobs) as pool:
        return int(any(list(pool.map(run_in_process, TARGETS))))


if __name__ == "__main__":
    chosen = options()
    sys.exit(run_all(chosen) if chosen.target == "all" else run_one(chosen))
