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
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Final

from attrs import define

HERE: Final = Path(__file__).resolve().parent
PUBLISHED: Final = HERE / "weights.bin"
PUBLISHED_MANIFEST: Final = HERE / "manifest.json"
SOURCES: Final = HERE.parent / "src" / "gammonrules" / "c"
FLAGS: Final = ["-O3", "-std=gnu11", "-Wall", "-Wextra", "-Wno-psabi", "-ffp-contract=off", "-fno-math-errno"]
"""They give the same results on every processor: sums are not contracted, and all instructions are common."""
DONE: Final = 0
ALL_DONE: Final = 2
STOPPED: Final = 3
MAX_WORKERS: Final = 64


def build(source: str, to: Path, *flags: str) -> None:
    """Compile a program or a shared library of this folder."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        sys.exit(f"There is no C compiler '{compiler[0]}': install GCC or Clang, or set CC to its name.")
    part = to.with_suffix(".part")
    part.unlink(missing_ok=True)
    command = [*compiler, *FLAGS, *flags, f"-I{SOURCES}", str(HERE / source), "-o", str(part), "-lpthread"]
    if subprocess.run(command, check=False).returncode or not part.exists():
        sys.exit(f"{source} could not be compiled by: {shlex.join(command)}")
    part.replace(to)


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return sha256(path.read_bytes()).hexdigest()


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Replace a file of JSON."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    part.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    """Return the object in a file of JSON."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


# The manifest ---------------------------------------------------------------------------------------------------------


def read_options(path: Path) -> tuple[str, list[str]]:
    """Return the seed and the lines of the stages. The trainer checks the options; here they are only repeated."""
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    seed = next((line.split()[1] for line in lines if re.match(r"seed\s+\d+$", line)), "")
    return seed, [line for line in lines if line and line.split()[0] not in {"seed", "save"}]


def compiler_version() -> str:
    """Return the first line of what the compiler reports of itself."""
    command = [*shlex.split(os.environ.get("CC", "cc")), "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def find_finished(folder: Path, stages: list[str], start: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the finished stages with their counts, also those of the run whose weights this run began from."""
    before = start.get("finished", [])
    last = before[-1] if before else {}
    yield from before
    for path in sorted(folder.glob("[0-9][0-9][0-9]-*.json")):
        counts = read_json(path)
        for name in ("processor_hours", "games", "samples"):
            counts[name] = round(counts[name] + last.get(name, 0), 3)
        yield {**counts, "options": stages[counts["stage"] - 1]}


def write_manifest(folder: Path, options: Path) -> None:
    """Write `manifest.json`: the finished stages, and the sums of all files."""
    start_path = folder / "start.json"
    start = read_json(start_path) if start_path.exists() else {}
    seed, stages = read_options(options)
    files = sorted([*folder.glob("*.weights"), *folder.glob("*.records"), folder / "benchmark.hashes"])
    sources = [
        *sorted(HERE.glob("*.[ch]")),
        *(SOURCES / name for name in ("_game.c", "_outcomes.c", "_bearoffs.c", "_network.c")),
    ]
    content = {
        "started_from": start.get("weights"),
        "seed": seed,
        "compiler": compiler_version(),
        "flags": FLAGS,
        "machine": platform.machine(),
        "finished": list(find_finished(folder, stages, start)),
        "files": {file.name: sum_of(file) for file in files},
        "sources": {file.name: sum_of(file) for file in [*sources, HERE / "benchmark_boards.py", options]},
    }
    write_json(folder / "manifest.json", content)


# A run ----------------------------------------------------------------------------------------------------------------


def find_start(folder: Path, *, fresh: bool) -> list[str]:
    """Return the arguments by which a new run begins from the published weights, or none."""
    if (folder / "state.bin").exists():
        return []
    if any(folder.glob("[0-9][0-9][0-9]-*")):
        sys.exit(f"{folder} has files of a run, but no state.bin: move the folder away, or use another --folder.")
    if fresh or not PUBLISHED.exists():
        print("The training begins from random weights.")
        return []
    from networks import NUMBERS, read_numbers, write_for_trainer

    published = read_json(PUBLISHED_MANIFEST) if PUBLISHED_MANIFEST.exists() else {}
    if published.get("weights") != sum_of(PUBLISHED):
        sys.exit("manifest.json is not that of weights.bin: restore both, or use --fresh to begin from random weights.")
    start, stage = folder / "start.weights", published["finished"][-1]["stage"]
    write_for_trainer(start, read_numbers(PUBLISHED, NUMBERS))
    write_json(folder / "start.json", {name: published[name] for name in ("weights", "finished")})
    print(f"The training begins from the published weights, after stage {stage}.")
    return [str(start), str(stage)]


def write_benchmark_hashes(folder: Path) -> None:
    """Write the hashes of the boards of the benchmark, as the installed library has it."""
    from benchmark_boards import find_benchmark_positions, write_hashes

    write_hashes(folder / "benchmark.hashes", find_benchmark_positions())


def lower_priority_of_session(process: int) -> None:
    """Give way to other sessions too: where Linux groups processes by session, niceness counts within a group alone."""
    with suppress(OSError):
        Path(f"/proc/{process}/autogroup").write_text(str(os.nice(0)), encoding="ascii")


@define
class Stop:
    """Whether the user has stopped the training, and the trainer that must be told."""

    is_wanted: bool = False
    trainer: subprocess.Popen[str] | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        self.is_wanted = True
        if self.trainer is not None:
            self.trainer.send_signal(signal.SIGTERM)


def run_stage(command: list[str], stop: Stop) -> int:
    """Run one stage, or the rest of it. Returns the exit status of the trainer."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as trainer:
        stop.trainer = trainer
        if stop.is_wanted:
            trainer.send_signal(signal.SIGTERM)
        lower_priority_of_session(trainer.pid)
        assert trainer.stdout is not None, "it is a pipe"
        for line in trainer.stdout:
            print(line, end="", flush=True)
    stop.trainer = None
    return trainer.returncode


def exit_text(status: int) -> str | int | None:
    """Return what the program ends with after this exit status of the trainer."""
    if status == ALL_DONE:
        print("All stages are finished. To continue, add stages to the options.")
        return None
    if status == STOPPED:
        return "Stopped. Run the same command to continue."
    if status < 0:
        return f"The trainer was ended by signal {-status}. Run the same command to continue."
    return status


def parse_arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--workers", type=int, default=os.cpu_count() or 1, help="threads (default: one for each processor)")
    add("--options", type=Path, default=HERE / "options.txt", help="the stages (default: training/options.txt)")
    add("--folder", type=Path, default=HERE / "run", help="where everything is stored (default: training/run)")
    add("--fresh", action="store_true", help="begin a new run from random weights, not from weights.bin")
    add("--stages", type=int, default=sys.maxsize, help="stop after so many stages (default: all)")
    add("--priority", type=int, default=19, help="added to the niceness (default: 19, the lowest priority)")
    arguments = parser.parse_args()
    if not 1 <= arguments.workers <= MAX_WORKERS:
        parser.error(f"--workers must be from 1 to {MAX_WORKERS}, not {arguments.workers}")
    if arguments.stages < 1:
        parser.error(f"--stages must be at least 1, not {arguments.stages}")
    if not arguments.options.is_file():
        parser.error(f"--options: there is no file {arguments.options}")
    if arguments.folder.exists() and not arguments.folder.is_dir():
        parser.error(f"--folder: {arguments.folder} is not a folder")
    return arguments


def main() -> None:
    """Build the trainer, and run the stages that are left."""
    arguments = parse_arguments()
    folder: Path = arguments.folder
    stop = Stop()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    folder.mkdir(parents=True, exist_ok=True)
    os.nice(arguments.priority)
    print("The trainer is being built ...", flush=True)
    build("trainer.c", folder / "trainer")
    write_benchmark_hashes(folder)
    start = find_start(folder, fresh=arguments.fresh)
    paths = [folder / "trainer", folder, arguments.options, folder / "benchmark.hashes"]
    command = [*map(str, paths), str(arguments.workers), *start]
    status = DONE
    for _ in range(arguments.stages):
        if status != DONE or stop.is_wanted:
            break
        status = run_stage(command, stop)
        write_manifest(folder, arguments.options)
    sys.exit(exit_text(STOPPED if stop.is_wanted and status == DONE else status))


if __name__ == "__main__":
    main()
