"""Fuzzers: nasty random input against what must hold for every input (docs/development/tests.md lists it).

    python tests/fuzz.py api --seconds 600
    python tests/fuzz.py all --seconds 600 --workers 2
    python tests/fuzz.py records --seed 7 --start 1234 --rounds 1
    python tests/fuzz.py xg --rounds 500 --keep 20

The third one repeats a single round. The last one checks nothing, but keeps the smallest inputs that show something
new, at most 20 of them, in `tests/data/fuzz/xg`. The exit status is 1 if there was a finding, or if a target crashed.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import processes
from fuzzing.harness import run
from fuzzing.readers import CORPUS, interesting

MEGABYTES = 4096
"""Of memory for a target."""
READERS = ("xg", "bgf", "ogxm", "sgf", "gnubg_text", "xg_text", "bgblitz_text", "zips", "json_records")
"""Targets that read files of one format each; `records` does it for .mat."""
MEGABYTES_OF_READERS = 1024
TARGETS = ("records", "batch", "api", "kernel", "parquet", *READERS)


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--seconds", type=float, help="of each target (default: 10, without --rounds)")
    parser.add_argument("--rounds", type=int, help="of each target")
    parser.add_argument("--start", type=int, default=0, help="number of the first round (default: 0)")
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--workers", type=int, default=1, help="targets at a time, with `all` (default: 1)")
    parser.add_argument("--keep", type=int, default=0, help="write a corpus of at most this many inputs, for a reader")
    asked = parser.parse_args(arguments)
    if asked.seed is None:
        asked.seed = random.randrange(1 << 32)
    if asked.seconds is None and asked.rounds is None:
        asked.seconds = 10.0
    return asked


def limit_memory(megabytes: int) -> None:
    """Let no input take all the memory of the machine, if the system can prevent that."""
    if sys.platform == "linux" and "libasan" not in os.environ.get("LD_PRELOAD", ""):
        import resource  # noqa: PLC0415  not there on Windows

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        limit = megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (limit if most < 0 else min(limit, most), most))


def run_one(asked: argparse.Namespace) -> int:
    """One target, in this process."""
    faulthandler.enable()
    limit_memory(MEGABYTES_OF_READERS if asked.target in READERS else MEGABYTES)
    target = import_module(f"fuzzing.{asked.target}")
    if asked.keep:
        return keep(asked, target)
    report = run(target, asked.seed, seconds=asked.seconds, rounds=asked.rounds, start=asked.start)
    print(report, *report.described(), sep="\n", flush=True)
    return int(bool(report.findings))


def keep(asked: argparse.Namespace, target: Any) -> int:
    """Write the corpus of a reader."""
    rounds = range(asked.start, asked.start + (asked.rounds or 300))
    cases = (target.case(random.Random(asked.seed << 40 | number)) for number in rounds)
    ways = interesting(map(target.octets, cases), MAX_KEPT)
    folder = CORPUS / asked.target
    folder.mkdir(parents=True, exist_ok=True)
    kept = dict.fromkeys(sorted(ways.values(), key=len))
    for data in list(kept)[: asked.keep]:
        (folder / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    print(f"{asked.target}: {min(len(kept), asked.keep)} inputs of {len(ways)} ways are kept in {folder}")
    return 0


MAX_KEPT = 12_000
"""Bytes of an input that is kept."""


def run_all(asked: argparse.Namespace) -> int:
    """Every target, each in a process of its own, so that a crash ends only one of them."""
    common = [f"--{name}={getattr(asked, name)}" for name in ("seconds", "rounds", "start", "seed")]
    common = [option for option in common if not option.endswith("=None")]
    longest = round(3_600 + 2 * (asked.seconds or 0))

    def run_in_process(target: str) -> int:
        program = sys.executable, __file__, target, *common
        done = processes.run(*program, seconds=longest, megabytes=MEGABYTES, check=False, errors="replace")
        crash = "" if done.returncode in (0, 1) else f"{target} ended with status {done.returncode}\n"
        print(done.stdout + crash + done.stderr, end="", flush=True)
        return done.returncode

    with ThreadPoolExecutor(asked.workers) as pool:
        return int(any(list(pool.map(run_in_process, TARGETS))))


if __name__ == "__main__":
    chosen = options()
    sys.exit(run_all(chosen) if chosen.target == "all" else run_one(chosen))
