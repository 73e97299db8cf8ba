"""The benchmark's decisions: rolls them out, says how far it is, and makes the files that are published.

    python bot_benchmark/decisions.py run FOLDER        # until it is stopped; go on with the same command
    python bot_benchmark/decisions.py status FOLDER
    python bot_benchmark/decisions.py build [FOLDER]

    python bot_benchmark/decisions.py run FOLDER --secret FILE      # decisions of your own, which nobody can look up

As many processes as one likes may `run` in a folder at the same time. README.md beside this file says the rest.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import building
import private
import rollouts
from positions import FURTHER, RACES, Job


def status(folder: Path) -> None:
    """How many decisions are done, what they took, and what came of them."""
    jobs = building.jobs_in(folder)
    done = {number: lines for number, lines in jobs.items() if rollouts.is_done(lines)}
    kinds = Counter(map(kind_of, map(Job, done)))
    for kind, number in sorted(kinds.items()):
        print(f"{number:5} {kind}")
    print(f"{len(done):5} done, {len(jobs) - len(done)} begun")
    for what, key in (("hours of processes", "seconds"), ("hours of processors", "cpu")):
        print(f"{building.hours(jobs, key):8.2f} {what}")
    for ask in building.ASKS:
        of_ask = {number: lines for number, lines in done.items() if number < FURTHER and Job(number).ask == ask}
        if of_ask:
            each = building.hours(of_ask, "cpu") / len(of_ask) * 3600
            doubts = Counter(why for lines in of_ask.values() if (why := building.published(lines)[1]))
            print(f"{each:8.0f} seconds of a processor for a {ask}; in doubt: {dict(doubts) or 'none'}")


def kind_of(job: Job) -> str:
    if job.number >= RACES:
        return f"{job.ask}s in races"
    if job.number >= FURTHER:
        return f"{job.ask}s at random, judged alone"
    return f"{job.ask}s {'selected' if job.drawn == 'disagreement' else 'at random'}, half {job.half}"


def run(folder: Path, secret_file: Path | None, first: int, last: int | None) -> None:
    """Begin with what was published, or with nothing if there is a secret. Raises SecretError."""
    secret = private.secret_in(secret_file) if secret_file else ""
    private.check(folder, secret)
    if not secret:
        building.unpack(building.HERE, folder)
    rollouts.run(folder, first, last, secret)


def build(folder: Path | None, out: Path | None, pack: Path | None) -> None:
    """What was run with a secret is not published: its files go into the folder."""
    if folder is not None and private.digest_in(folder):
        building.build(folder, out or folder, pack or folder / building.PACKED.name)
    else:
        building.build(folder, out or building.HERE, pack or building.PACKED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="roll out decisions, one after another, at the lowest priority")
    running.add_argument("folder", type=Path)
    running.add_argument("--first", type=int, default=0, metavar="N", help="where to begin; default 0")
    running.add_argument("--last", type=int, metavar="N", help="where to end; without it, never")
    running.add_argument("--secret", type=Path, metavar="FILE", help="mix what is in this file into all seeds")
    commands.add_parser("status", help="how far it is").add_argument("folder", type=Path)
    making = commands.add_parser("build", help="make the files that are published")
    making.add_argument("folder", type=Path, nargs="?", help="where it was run; without it, from raw.jsonl.gz again")
    making.add_argument("--out", type=Path, help="where they go; default: beside this file")
    making.add_argument("--pack", type=Path, help="the packed file; default: the one that the library reads")
    asked = parser.parse_args()
    match asked.command:
        case "run":
            try:
                run(asked.folder, asked.secret, asked.first, asked.last)
            except private.SecretError as error:
                parser.error(str(error))
        case "status":
            status(asked.folder)
        case _:
            build(asked.folder, asked.out, asked.pack)


if __name__ == "__main__":
    main()
