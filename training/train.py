"""Trains the networks, or continues where the training was stopped.

    python training/train.py --workers 2

You can stop the program at any moment, even with the power switch. The same command continues from the last state. If
there is no state, the training begins from the published weights (weights.bin), after the stage that made them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
PUBLISHED: Final = HERE / "weights.bin"
SOURCES: Final = HERE.parent / "src" / "gammonrules" / "c"
FLAGS: Final = [
    "-O3",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-psabi",
    "-ffp-contract=off",
    "-fno-math-errno",
]
"""They give the same results on every processor: sums are not contracted, and all instructions are common."""
DONE: Final = 0
ALL_DONE: Final = 2
STOPPED: Final = 3
MAX_WORKERS: Final = 64


def build(source: str, to: Path, *flags: str) -> None:
    """Compile a program or a shared library of this folder."""
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        sys.exit(f"There is no C compiler '{compiler}': install GCC or Clang, or set CC to its name.")
    part = to.with_suffix(".part")
    command = [compiler, *FLAGS, *flags, f"-I{SOURCES}", str(HERE / source), "-o", str(part), "-lpthread"]
    if subprocess.run(command, check=False).returncode:
        sys.exit(f"{source} could not be compiled by: {' '.join(command)}")
    part.replace(to)


def read_stages(options: Path) -> list[str]:
    """Return the lines of the stages."""
    lines = [line.split("#")[0].strip() for line in options.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line and line.split()[0] not in {"seed", "save"}]


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return sha256(path.read_bytes()).hexdigest()


def compiler_version() -> str:
    """Return the first line of what the compiler reports of itself."""
    command = [os.environ.get("CC", "cc"), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Replace a file of JSON."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    part.replace(path)


def write_manifest(folder: Path, options: Path, last_line: str) -> None:
    """Add the last finished stage, and the sums of all files, to `manifest.json`."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"finished": []}
    numbers = re.search(r"stage (\d+) of .*?([\d.]+) processor hours, (\d+) games", last_line)
    assert numbers is not None, "the trainer reports when it finishes a stage"
    stage = int(numbers[1])
    finished = [entry for entry in manifest["finished"] if entry["stage"] < stage]
    finished.append(
        {
            "stage": stage,
            "options": read_stages(options)[stage - 1],
            "processor_hours": float(numbers[2]),
            "games": int(numbers[3]),
        }
    )
    files = sorted([*folder.glob("*.weights"), *folder.glob("*.records"), folder / "benchmark.hashes"])
    sources = [*sorted(HERE.glob("*.[ch]")), *(SOURCES / name for name in ("_game.c", "_outcomes.c", "_network.c"))]
    write_json(
        path,
        {
            "started_from": manifest.get("started_from"),
            "seed": re.search(r"^seed\s+(\d+)", options.read_text(encoding="utf-8"), re.MULTILINE)[1],  # type: ignore[index]
            "compiler": compiler_version(),
            "flags": FLAGS,
            "machine": platform.machine(),
            "finished": finished,
            "files": {file.name: sum_of(file) for file in files},
            "sources": {file.name: sum_of(file) for file in sources},
        },
    )


def find_start(folder: Path, *, fresh: bool) -> list[str]:
    """Return the arguments by which a new run begins from the published weights, or none."""
    if (folder / "state.bin").exists():
        return []
    write_json(folder / "manifest.json", {"started_from": None, "finished": []})
    if fresh or not PUBLISHED.exists():
        return []
    from networks import read_numbers, write_for_trainer

    start = folder / "start.weights"
    published = json.loads(PUBLISHED.with_name("manifest.json").read_text(encoding="utf-8"))
    write_for_trainer(start, read_numbers(PUBLISHED, published["numbers"]))
    write_json(folder / "manifest.json", {"started_from": sum_of(PUBLISHED), "finished": published["finished"]})
    return [str(start), str(published["finished"][-1]["stage"])]


def lower_priority_of_session(process: int) -> None:
    """Give way to other sessions too: where Linux groups processes by session, niceness counts within a group alone."""
    with suppress(OSError):
        Path(f"/proc/{process}/autogroup").write_text(str(os.nice(0)), encoding="ascii")


def run_stage(folder: Path, options: Path, workers: int, start: list[str]) -> tuple[int, str]:
    """Run one stage, or the rest of it. Returns the exit status of the trainer, and the last line that it printed."""
    paths = [folder / "trainer", folder, options, folder / "benchmark.hashes"]
    command = [*map(str, paths), str(workers), *start]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as trainer:
        lower_priority_of_session(trainer.pid)

        def stop(number: int, frame: FrameType | None) -> None:
            trainer.send_signal(signal.SIGTERM)

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        assert trainer.stdout is not None, "it is a pipe"
        line = ""
        for line in trainer.stdout:
            print(line, end="", flush=True)
    return trainer.returncode, line


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="threads (default: one for each processor)"
    )
    parser.add_argument(
        "--options", type=Path, default=HERE / "options.txt", help="the stages (default: training/options.txt)"
    )
    parser.add_argument(
        "--folder", type=Path, default=HERE / "run", help="where everything is kept (default: training/run)"
    )
    parser.add_argument(
        "--fresh", action="store_true", help="begin a new run from random weights, not from weights.bin"
    )
    parser.add_argument("--stages", type=int, help="stop after so many stages (default: all)")
    parser.add_argument(
        "--priority", type=int, default=19, help="added to the niceness (default: 19, the lowest priority)"
    )
    arguments = parser.parse_args()
    if not 1 <= arguments.workers <= MAX_WORKERS:
        parser.error(f"--workers must be from 1 to {MAX_WORKERS}, not {arguments.workers}")
    if not arguments.options.is_file():
        parser.error(f"--options: there is no file {arguments.options}")
    return arguments


def main() -> None:
    """Build the trainer, and run the stages that are left."""
    arguments = parse_arguments()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    os.nice(arguments.priority)
    build("trainer.c", folder / "trainer")
    if not (folder / "benchmark.hashes").exists():
        from benchmark_boards import find_benchmark_positions, write_hashes

        write_hashes(folder / "benchmark.hashes", find_benchmark_positions())
    start = find_start(folder, fresh=arguments.fresh)
    finished = 0
    while arguments.stages is None or finished < arguments.stages:
        status, last_line = run_stage(folder, arguments.options, arguments.workers, start)
        if status == ALL_DONE:
            print("All stages are finished. To continue, add stages to the options.")
            return
        if status != DONE:
            sys.exit("Stopped. Run the same command to continue." if status == STOPPED else status)
        write_manifest(folder, arguments.options, last_line)
        finished += 1


if __name__ == "__main__":
    main()
